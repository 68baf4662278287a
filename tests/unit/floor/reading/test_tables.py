"""A table as interfaces see it: values of this moment, which change nothing at the desk."""

from typing import Any

import pytest

from taisai.floor.reading.tables import PlayerMoney
from taisai.floor.table.messages import BuyIn, LeaveTable, TakeSeat
from taisai.game.people import Actor, Role
from tests.floor.houses import SmallHouse, ask, bet, cluster, live, seat, start_round

DEALER = Actor("dora", Role.DEALER)


async def test_a_live_table_shows_who_is_there_and_with_how_much() -> None:
    """Whoever sits, has money or bets; and nobody else."""
    async with SmallHouse(live()).open(dealing=False) as house:
        await ask(house, "T1", TakeSeat(by=DEALER, at=house.now(), player="ann@T1", seat=3))
        buying = BuyIn(by=DEALER, at=house.now(), player="bob@T1", amount=5_000, source="cash")
        await ask(house, "T1", buying)
        table = house.read.table("T1")
        assert dict(table.seats) == {3: "ann@T1"}
        assert table.seats_max == house.plans["T1"].settings.seats
        assert [(here.player, here.money.credit, here.slip) for here in table.people(table.current)] == [
            ("ann@T1", 0, None),
            ("bob@T1", 5_000, None),
        ]
        assert (table.colours(), table.terminals(), table.uses_chips, table.closed) == ([], {}, False, False)


async def test_a_cluster_shows_its_terminals_and_their_sessions() -> None:
    """A session has credit and bets of its own; a terminal without one says so."""
    async with SmallHouse(cluster()).open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 1_000})
        table = house.read.table("C1")
        terminal = table.terminals()["C1-1"]
        assert (terminal.session, terminal.sessions, terminal.service) == (session, 1, "in-service")
        assert terminal.began is not None
        assert table.money(session) == PlayerMoney(credit=9_000, owed=0, unclaimed=0)
        (here,) = table.people(table.current)
        assert here.slip is not None
        assert (here.player, here.slip.slip(), here.absent) == (session, {"big": 1_000}, "")


@pytest.mark.parametrize("part", ["rounds", "seats"])
async def test_nothing_can_be_written_with_a_reading(part: str) -> None:
    """Neither by a name of it nor inside of what it shows."""
    async with SmallHouse(live()).open(dealing=False) as house:
        table: Any = house.read.table("T1")
        with pytest.raises(AttributeError):
            table.number = 7
        with pytest.raises(TypeError):
            getattr(table, part)[1] = None


async def test_people_are_counted_once_however_many_seats_they_have() -> None:
    """Ann on two seats and Bob with money are two; a session at a terminal is one, an empty terminal none."""
    async with SmallHouse(live(), cluster()).open(dealing=False) as house:
        assert (house.read.table("T1").seated(), house.read.table("C1").seated()) == (0, 0)
        for number in (3, 4):
            await ask(house, "T1", TakeSeat(by=DEALER, at=house.now(), player="ann@T1", seat=number))
        buying = BuyIn(by=DEALER, at=house.now(), player="bob@T1", amount=5_000, source="cash")
        await ask(house, "T1", buying)
        await seat(house, "C1", "C1-1", 10_000)
        assert (house.read.table("T1").seated(), house.read.table("C1").seated()) == (2, 1)
        await ask(house, "T1", LeaveTable(by=DEALER, at=house.now(), player="bob@T1"))
        assert house.read.table("T1").seated() == 1
