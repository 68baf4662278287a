"""What a table's watch counts again after a restart: the day's rounds and the dice's rolls."""

from datetime import datetime, timedelta

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.dice import Roll
from taisai.floor.approvals.asked import PitAct
from taisai.floor.house import House
from taisai.floor.pit.messages import PutInDice, TakeOutDice
from taisai.floor.pit.recall import first_round_since, newest_round, opened_at, recall, round_row
from taisai.floor.pit.watch import TableWatch
from taisai.floor.table.messages import BuyIn
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game import commands as cmd
from taisai.record.journal import micros
from taisai.record.views import catch_up
from tests.floor.houses import DEALER, START, SUPERVISOR, SmallHouse, act, ask, deal, live, start_round
from tests.record import SIGNER


def opened(number: int) -> datetime:
    """Rounds begin a minute after one another."""
    return START + timedelta(minutes=number)


async def kept(count: int) -> MemoryStore:
    """A store whose view has so many rounds of T1."""
    store = MemoryStore(MemoryDisk(), writer="house", signer=SIGNER, clock=SmallHouse().clock)
    rows = {
        round_key("T1", number): msgspec.json.encode(
            RoundRow("T1", number, "tai-sai-v6/2", micros(opened(number)), number, number)
        )
        for number in range(1, count + 1)
    }
    await store.view_put(ROUNDS.name, rows, before={}, after={})
    return store


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9])
async def test_the_newest_round_is_found_however_many_there_are(count: int) -> None:
    """None is 0, and another table's rounds are not this one's."""
    store = await kept(count)
    assert await newest_round(store, "T1") == count
    assert await newest_round(store, "T2") == 0


async def test_a_day_begins_with_the_first_round_opened_in_it() -> None:
    """To the microsecond; a day that began before all rounds has the first, one without rounds the next."""
    store = await kept(9)
    for since, first in (
        (START, 1),
        (opened(5), 5),
        (opened(5) + timedelta(microseconds=1), 6),
        (opened(9), 9),
        (opened(10), 10),
    ):
        assert await first_round_since(store, "T1", since, 9) == first
    assert await first_round_since(store, "T2", START, 0) == 1


async def test_a_round_that_is_not_in_the_view_is_not_made_up() -> None:
    """Neither its row nor when it was opened."""
    store = await kept(3)
    row = await round_row(store, "T1", 3)
    assert row is not None
    assert row.round == 3
    assert await round_row(store, "T1", 4) is None
    assert await opened_at(store, "T1", [2, 3, 4]) == {2: opened(2), 3: opened(3)}
    assert await opened_at(store, "T1", []) == {}


async def play(house: House, roll: Roll) -> None:
    """A round with Ann's hundred on big."""
    await start_round(house, "T1")
    placed = cmd.PlaceBets(by=DEALER, at=house.now(), player="ann@T1", slip={"big": 100}, version=1)
    await act(house, "T1", placed)
    await deal(house, "T1", roll)


async def test_a_watch_recalls_what_one_that_was_there_had_counted() -> None:
    """Twice is once; only rounds of the day are money of the day, and only this set's rolls are its own."""
    async with SmallHouse(live()).open() as house:
        await ask(house, "T1", BuyIn(by=DEALER, at=house.now(), player="ann@T1", amount=10_000))
        for name in ("red", "blue"):
            put_in = PutInDice(by=SUPERVISOR, at=house.now(), table="T1", dice_set=name)
            await house.do(PitAct(put_in), SUPERVISOR, f"in-{name}")
            for roll in (Roll(1, 2, 3), Roll(4, 5, 6)):
                await play(house, roll)
            out = TakeOutDice(by=SUPERVISOR, at=house.now(), table="T1", dice_set=name, why="rotation")
            await house.do(PitAct(out), SUPERVISOR, f"out-{name}")
        await catch_up(house.store, ROUNDS)
        there = TableWatch.of(house.table("T1").state).figures()
        watch = TableWatch("T1")
        watch.dice_set = "blue"
        for _ in range(2):
            await recall(house.store, watch, 5)
            found = watch.figures()
            assert (found.rounds, found.handle, found.win) == (4, 400, 0)
            assert (there.rounds, there.handle, there.win) == (4, 400, 0)
            assert found.fairness == there.fairness
            assert found.fairness.rolls == 2
        late = TableWatch("T1", first=4)
        await recall(house.store, late, 5)
        assert (late.figures().rounds, late.figures().win) == (1, -100)
        early = TableWatch("T1")
        await recall(house.store, early, 1)
        assert early.figures().rounds == 0
