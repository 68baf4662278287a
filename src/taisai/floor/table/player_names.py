"""A live player's two names: the one people use, and the one the record has, which is the table's own.

Money at a table is that table's to keep: one person at two tables has two accounts. The record knows a person
by a pseudonym; what people call them is kept apart, is shown to those who deal with them, and can be erased.
"""

from typing import Final

# What people call those whom the record has under a pseudonym. Pseudonyms are random, so one list does for
# every house of a process; it is filled from the store of names and by what is typed.
_CALLED: Final[dict[str, str]] = {}


def player_at(player: str, table: str) -> str:
    """A player as the record of a live table has them."""
    return player if player.endswith(f"@{table}") else f"{player}@{table}"


def plain_player(player: str, table: str) -> str:
    """A player of a live table as people call them."""
    name = player.removesuffix(f"@{table}")
    return _CALLED.get(name, name)


def call_player(pseudonym: str, name: str) -> None:
    """From now on show a pseudonym as this name."""
    _CALLED[pseudonym] = name


def forget_player(pseudonym: str) -> None:
    """Show a pseudonym as itself: the name was erased."""
    _CALLED.pop(pseudonym, None)
