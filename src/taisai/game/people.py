"""Who acts: names and positions. A person may act in a lower position than their own (1.5)."""

from enum import StrEnum
from typing import Final

import msgspec


class Role(StrEnum):
    """A position. `SYSTEM` is the Game Console acting by itself, as in an automatic game."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    CASINO_MANAGER = "casino-manager"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    SYSTEM = "system"


# The line of command on the gaming floor. An administrator runs the system, not the game: no place in it.
_RANKS: Final = {
    Role.DEALER: 1,
    Role.PIT_SUPERVISOR: 2,
    Role.PIT_MANAGER: 3,
    Role.SHIFT_MANAGER: 4,
    Role.CASINO_MANAGER: 5,
}


class Actor(msgspec.Struct, frozen=True, order=True, gc=False):
    """A named person and the position they act in."""

    name: str
    role: Role

    def is_at_least(self, role: Role) -> bool:
        """Whether this person may act in a position of the gaming floor."""
        return role in _RANKS and _RANKS.get(self.role, 0) >= _RANKS[role]

    def is_same_person(self, other: "Actor") -> bool:
        """Whether two names are one person's: neither the case of a name nor a position makes another."""
        return self.name.casefold() == other.name.casefold()

    @property
    def is_pit_employee(self) -> bool:
        """A Dealer, Pit Supervisor or Pit Manager, or someone above acting as one."""
        return self.is_at_least(Role.DEALER)
