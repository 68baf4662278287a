"""A live player's two names: the one people use, and the one the record has, which is the table's own.

Money at a table is that table's to keep: one person at two tables has two accounts. The record knows a person
by a pseudonym; what people call them is kept apart, is shown to those who deal with them, and can be erased.
"""

from typing import Final


class NameBook:
    """What one house calls those whom the record has under a pseudonym, for as long as it is open."""

    def __init__(self) -> None:
        self._called: dict[str, str] = {}

    def open(self) -> None:
        """Show names from now on."""
        _OPEN.append(self)

    def close(self) -> None:
        """Know nobody any more: names do not outlive the house that was told them."""
        self._called.clear()
        if self in _OPEN:
            _OPEN.remove(self)

    def call(self, pseudonym: str, name: str) -> None:
        """From now on show a pseudonym as this name."""
        self._called[pseudonym] = name

    def forget(self, pseudonym: str) -> None:
        """Show a pseudonym as itself: the name was erased."""
        self._called.pop(pseudonym, None)

    def page(self, after: str, limit: int) -> list[tuple[str, str]]:
        """Pseudonyms and names, so many after a pseudonym."""
        return sorted(each for each in self._called.items() if each[0] > after)[:limit]

    def name_of(self, pseudonym: str) -> str | None:
        """What a pseudonym is called, if this house knows it."""
        return self._called.get(pseudonym)


# The books of the houses that are open in this process. Pseudonyms are random: no two books have one.
_OPEN: Final[list[NameBook]] = []


def player_at(player: str, table: str) -> str:
    """A player as the record of a live table has them."""
    return player if player.endswith(f"@{table}") else f"{player}@{table}"


def plain_player(player: str, table: str) -> str:
    """A player of a live table as people call them."""
    name = player.removesuffix(f"@{table}")
    return next((known for book in _OPEN if (known := book.name_of(name)) is not None), name)
