"""Whose money it is, from which amounts on that is asked, and what every payment in cash takes."""

from collections.abc import Container
from typing import Annotated, Literal

import msgspec

from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house


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


class CashPayment(msgspec.Struct, frozen=True, kw_only=True):
    """Cash that is to leave the house: how much, by whom, and whose it was shown to be.

    `in_cage` is paid from a drawer whoever pays it; elsewhere only a cashier's cash is in one.
    """

    by: Actor
    amount: int
    identity: Identity | None
    in_cage: bool = False

    def lack(self, policy: CagePolicy, drawers: Container[str]) -> Refusal | None:
        """What a payment lacks, whichever way the money goes: the one set of rules for all of them.

        Who seconds it says the table of permits.
        """
        if self.by.role is Role.SYSTEM:
            return None
        if (self.in_cage or self.by.role is Role.CASHIER) and self.by.name not in drawers:
            return by_house(RefusalCode.DRAWER_NOT_OPEN, name=self.by.name)
        if policy.needs_identity(self.amount) and self.identity is None:
            return by_house(RefusalCode.IDENTITY_MISSING, limit=policy.identify_from_minor)
        return None
