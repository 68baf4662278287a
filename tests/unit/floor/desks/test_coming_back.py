"""A desk that lost its state makes it again by itself, and whoever follows it misses nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk
from taisai.errors import StoreUnavailable
from taisai.floor.desks.desk import Desk
from taisai.floor.table.state import TableState
from taisai.ledger.accounts import credit
from taisai.record.journal import Event
from tests.record import START
from tests.unit.floor.desks.test_desk import Fragile, buy, opened

CLOCK = ManualClock(START)


class Away(Fragile):
    """A store that can be away altogether."""

    def __init__(self, disk: MemoryDisk) -> None:
        super().__init__(disk)
        self.away = False
        self.asked = 0

    async def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        self.asked += 1
        if self.away:
            raise StoreUnavailable("the server is gone")
        async for event in super().events(stream, after=after):
            yield event


async def until(holds: Any) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


async def lost(store: Away) -> Desk[TableState]:
    """A desk whose store went away in the middle of a commit."""
    desk = await opened(store)
    store.failing, store.away = ["before"], True
    with pytest.raises(StoreUnavailable):
        await desk.ask("ann", "1", buy())
    assert not desk.has_state
    return desk


async def test_a_desk_comes_back_though_nobody_asks() -> None:
    """Neither a reader nor a command is needed: it tries again until the store answers."""
    store = Away(MemoryDisk())
    desk = await lost(store)
    tried = store.asked
    await until(lambda: store.asked > tried + 2)
    assert not desk.has_state
    store.away = False
    await until(lambda: desk.has_state)
    assert desk.state.book.balance(credit("ann")) == 0
    assert (await desk.ask("ann", "1", buy())).amount == 1000
    await desk.stop()


async def test_whoever_asks_while_the_store_is_away_is_told_so_and_not_kept_waiting() -> None:
    """Each of them hears of a try that was made after they came."""
    store = Away(MemoryDisk())
    desk = await lost(store)
    for number in range(3):
        with pytest.raises(StoreUnavailable, match="the server is gone"):
            await desk.ask("ann", f"w{number}", buy())
        with pytest.raises(StoreUnavailable, match="the server is gone"):
            await desk.ready()
    store.away = False
    await desk.ready()
    assert desk.has_state
    await desk.stop()


async def test_a_desk_that_is_away_can_be_closed() -> None:
    """A server that goes down while its store is away does not hang."""
    store = Away(MemoryDisk())
    desk = await lost(store)
    async with asyncio.timeout(20):
        await desk.stop()
    assert desk.stopped


@pytest.mark.parametrize("then_away", [False, True])
async def test_a_commit_whose_end_was_not_seen_is_heard_once_and_before_its_answer(then_away: bool) -> None:
    """What is on the record reaches those who follow the desk, though the desk did not see it get there."""
    store = Away(MemoryDisk())
    desk = await opened(store)
    heard: list[Any] = []

    def hear(events: list[Any], version: int) -> None:
        assert version == desk.version
        assert desk.has_state
        heard.extend(events)

    desk.published = hear
    await desk.ask("ann", "0", buy())
    store.failing, store.away = ["after"], then_away
    asking = asyncio.ensure_future(desk.ask("ann", "1", buy()))
    if then_away:
        with pytest.raises(StoreUnavailable):
            await asking
        store.away = False
        await desk.ready()
    else:
        assert (await asking).amount == 1000
    assert [event.amount for event in heard] == [1000, 1000]
    assert (await desk.ask("ann", "1", buy())).amount == 1000
    assert (await desk.ask("ann", "2", buy())).amount == 1000
    assert len(heard) == 3
    await desk.stop()
