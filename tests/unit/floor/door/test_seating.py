"""Whoever deals at a live table's console is its dealer: the first act says so."""

from datetime import date

import pytest

from taisai.floor.approvals.asked import PitAct
from taisai.floor.door.seating import seat_first, seats_dealer
from taisai.floor.pit.messages import OpenDay
from taisai.game.people import Actor, Role
from tests.floor.houses import SmallHouse, cluster, live

DORA, DAN = Actor("dora", Role.DEALER), Actor("dan", Role.DEALER)
SUE, MIA = Actor("sue", Role.PIT_SUPERVISOR), Actor("mia", Role.SHIFT_MANAGER)


async def test_an_act_of_the_course_seats_its_dealer_and_the_next_dealer_takes_over() -> None:
    """The same one again is seated already; a supervisor takes nobody's place."""
    async with SmallHouse(live(), cluster()).open(dealing=False) as house:
        day = OpenDay(by=MIA, at=house.now(), day=date(2026, 5, 4))
        await house.do(PitAct(day), MIA, "open")
        assert seats_dealer(house, "T1", "BuyIn", DORA)
        assert not seats_dealer(house, "C1", "StartRound", DORA)
        await seat_first(house, "T1", "StartRound", by=DORA, key="a")
        assert house.read.at_pit("T1").dealer == "dora"
        assert not seats_dealer(house, "T1", "CloseBetting", Actor("Dora", Role.DEALER))
        assert not seats_dealer(house, "T1", "StartRound", SUE)
        assert not seats_dealer(house, "T1", "BuyIn", DAN)
        await seat_first(house, "T1", "CloseBetting", by=DAN, key="b")
        assert house.read.at_pit("T1").dealer == "dan"


@pytest.mark.parametrize(("act", "seats"), [("StartRound", True), ("VoidRound", False)])
async def test_where_nobody_deals_a_supervisor_deals_by_an_act_of_the_course(act: str, seats: bool) -> None:
    """Voiding a round is no dealing."""
    async with SmallHouse(live()).open(dealing=False) as house:
        assert seats_dealer(house, "T1", act, SUE) is seats
