"""Whoever deals at a live table's console is its dealer: the first act says so."""

from typing import TYPE_CHECKING, Final

from taisai.floor.approvals.asked import PitAct
from taisai.floor.pit.messages import SeatDealer
from taisai.game.people import Actor, Role

if TYPE_CHECKING:
    from taisai.floor.ports import Floor

# The ordinary course of a round: what a dealer does, and others only in a dealer's place.
_COURSE: Final = frozenset(
    {
        "StartRound",
        "CloseBetting",
        "CoverTumbler",
        "ActivateTumbler",
        "ExposeDice",
        "DeclareRoll",
        "SettleBets",
        "ConcludeRound",
    }
)


def seats_dealer(house: "Floor", table: str, act: str, by: Actor) -> bool:
    """Whether this act makes somebody the dealer of a table.

    A dealer's any act does where nobody deals, an act of the course also where another did. A supervisor
    deals by an act of the course where nobody does, and takes no dealer's place.
    """
    if house.plans[table].kind != "live":
        return False
    seated = house.read.at_pit(table).dealer
    if seated is None:
        return act in _COURSE or by.role is Role.DEALER
    return by.role is Role.DEALER and act in _COURSE and seated.casefold() != by.name.casefold()


async def seat_first(house: "Floor", table: str, act: str, *, by: Actor, key: str) -> None:
    """Seat whoever does this act, if that makes them the dealer; a refusal leaves things as they were."""
    if seats_dealer(house, table, act, by):
        seat = SeatDealer(by=by, at=house.now(), table=table, dealer=by.name)
        await house.do(PitAct(seat), by, f"{key}:seat")
