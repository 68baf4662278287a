"""Open logins: a house to try out, where anyone may be anyone by one press, and who is offered that.

Only play money, only a record that never played for money, only from this computer unless a second switch
was given, and the administrator from no other computer at all. Each press is on the record as what it is.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final, Protocol

import msgspec

from taisai.game.people import Role

# A proxy before us: whoever it speaks for, it is not somebody at this computer.
_FORWARDING: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class OpenSettings(Protocol):
    """What the settings say of open logins."""

    @property
    def play_money(self) -> bool: ...
    @property
    def open_logins(self) -> bool: ...
    @property
    def open_logins_anywhere(self) -> bool: ...


class OpenLogin(msgspec.Struct, frozen=True, kw_only=True):
    """A name on the staff list that a visitor may take by one press."""

    name: str
    role: Role


def play_money_faults(house: OpenSettings, *, dice: str) -> list[str]:
    """What only a house for play money may set."""
    found = []
    if dice == "seeded" and not house.play_money:
        found.append("dice.source: a seeded generator is for play money alone")
    if house.open_logins and not house.play_money:
        found.append("house.open_logins: anyone may be anyone only where the money is play money")
    if house.open_logins_anywhere and not house.open_logins:
        found.append("house.open_logins_anywhere: says from where, so it needs house.open_logins = true")
    return found


def is_here(client: str, host: str, headers: Mapping[str, str]) -> bool:
    """Whether somebody is at this very computer, and nobody speaks for somebody else."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    near = name.strip("[]") == "localhost" or _is_loopback(name.strip("[]"))
    return near and _is_loopback(client) and not any(one in headers for one in _FORWARDING)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def may_be(role: Role, house: OpenSettings, *, here: bool) -> bool:
    """Whether a visitor may come in as this position by a press."""
    if not (house.open_logins and house.play_money):
        return False
    return here or (house.open_logins_anywhere and role is not Role.ADMINISTRATOR)
