"""Whose money it is, and from which amounts on that is asked."""

from typing import Annotated, Literal

import msgspec


class Identity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which document was looked at, and its last characters: enough to find it again, too few to misuse."""

    document: Literal["identity-card", "passport", "driving-licence", "other"]
    # Python's `$` lets a line end follow. The pattern is in the API too, where `\Z` means nothing.
    last: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z]{3,4}$(?!\n)")]


class CagePolicy(msgspec.Struct, frozen=True, kw_only=True):
    """From which amounts on a payment takes a checked identity, and a second person; 0 is never."""

    identify_from_minor: int = 0
    second_from_minor: int = 0

    def needs_identity(self, amount: int) -> bool:
        return 0 < self.identify_from_minor <= amount

    def needs_second(self, amount: int) -> bool:
        return 0 < self.second_from_minor <= amount
