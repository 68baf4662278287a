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
        assert read.table("T1").number == 0
        assert read.table("T1").settings == house.plans["T1"].settings
        assert (read.table("T1").standing_call(), read.waiting(), read.request("x")) == (None, [], None)
        assert (read.player("ann"), read.standing("ann"), read.drawers(), read.hold()) == (None, None, {}, [])
        assert (read.day().day, read.staff().members(house.now())) == (None, [])
        assert (read.faults(), read.has_stopped("T1"), read.dice_sets()) == ([], False, [])
        assert read.dealer_at("T1", house.now()) is None
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
        assert house.read.table("C1").number == 1
        player = house.read.player(session)
        assert player is not None
        assert player.name == session
        assert house.read.drawers() == {"carl": Drawer(700, 700)}
        assert house.read.day().day == date(2026, 5, 4)


async def test_what_a_caller_does_to_the_drawers_it_was_shown_closes_none() -> None:
    """The list is the caller's own."""
    async with SmallHouse(live()).open(dealing=False) as house:
        await house.do(CageAct(OpenDrawer(by=CASHIER, at=house.now(), float_minor=700)), CASHIER, "d")
        house.read.drawers().clear()
        assert list(house.read.drawers()) == ["carl"]


async def test_who_saw_a_table_knows_whether_it_moved_on() -> None:
    """By its version; and a desk that has ended is still nothing that one saw."""
    async with SmallHouse(live()).open(dealing=False) as house:
        seen = await house.read.when_ready("T1")
        assert house.read.is_still(seen)
        await start_round(house, "T1")
        assert not house.read.is_still(seen)
        now = house.read.table("T1")
        assert now.version > seen.version
        await house.table("T1").stop()
        assert house.read.has_stopped("T1")
        assert house.read.faults() == ["the desk of T1 has stopped"]


async def test_a_request_and_a_table_of_the_pit_are_the_callers_own() -> None:
    """What a caller changes of them, the desks do not see."""
    async with SmallHouse(live()).open(dealing=False) as house:
        shown = house.read.at_pit("T1")
        shown.dealer = "mallory"
        assert house.read.at_pit("T1").dealer is None
