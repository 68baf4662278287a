"""What the rest of the program may see of the desks: answers of this moment, and no way to write."""

from datetime import date

import pytest

from taisai.errors import UnknownName
from taisai.floor.approvals.asked import CageAct, PitAct
from taisai.floor.cage import Drawer, OpenDrawer
from taisai.floor.pit.messages import OpenDay
from taisai.game.people import Actor, Role
from tests.floor.houses import SmallHouse, cluster, live, seat, start_round

CASHIER, SHIFT_MANAGER = Actor("carl", Role.CASHIER), Actor("mia", Role.SHIFT_MANAGER)


async def test_a_house_that_has_just_begun_answers_every_question_with_nothing() -> None:
    """No round, no call, nobody waiting; and a table that is none is named."""
    async with SmallHouse(live()).open(dealing=False) as house:
        read = house.read
        assert read.newest_round("T1") == 0
        assert read.settings("T1") == house.plans["T1"].settings
        assert (read.standing_call("T1"), read.waiting(), read.request("x")) == (None, [], None)
        assert (read.player("ann"), read.standing("ann"), read.drawers(), read.hold()) == (None, None, {}, [])
        assert (read.pit().day, read.staff().members) == (None, {})
        with pytest.raises(UnknownName, match="T9"):
            read.table("T9")


async def test_answers_are_of_this_moment() -> None:
    """A round, a player, a drawer and a day are seen as soon as they are there."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 1_000)
        await start_round(house, "C1")
        await house.seated_player(session)
        await house.do(CageAct(OpenDrawer(by=CASHIER, at=house.now(), float_minor=700)), CASHIER, "d")
        day = OpenDay(by=SHIFT_MANAGER, at=house.now(), day=date(2026, 5, 4))
        await house.do(PitAct(day), SHIFT_MANAGER, "o")
        assert house.read.newest_round("C1") == 1
        player = house.read.player(session)
        assert player is not None
        assert player.name == session
        assert house.read.drawers() == {"carl": Drawer(700, 700)}
        assert house.read.pit().day == date(2026, 5, 4)


async def test_what_a_caller_does_to_the_drawers_it_was_shown_closes_none() -> None:
    """The list is the caller's own."""
    async with SmallHouse(live()).open(dealing=False) as house:
        await house.do(CageAct(OpenDrawer(by=CASHIER, at=house.now(), float_minor=700)), CASHIER, "d")
        house.read.drawers().clear()
        assert list(house.read.drawers()) == ["carl"]
