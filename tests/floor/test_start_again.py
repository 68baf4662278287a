"""A start that the store fails in the middle of: each of its reads and writes is tried again."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import StoreUnavailable
from taisai.floor.house import House
from taisai.record.ports import FateUnknown
from tests.floor.houses import KEY, SmallHouse, bet, cluster, live, seat, settle_down, start_round
from tests.record import SIGNER

_READS = ("events", "transfers", "heads", "view_rows")
_CALLS = ("append", "head", "answers", "tips", "commits", "view_positions", "view_get", "view_put")


class FailsOnce(MemoryStore):
    """A store of which one call fails: the one with this number, before or after it was done."""

    def __init__(self, disk: MemoryDisk, small: SmallHouse, number: int, *, after: bool) -> None:
        super().__init__(disk, writer="house", signer=SIGNER, clock=small.clock)
        self.calls, self._number, self._after = 0, number, after
        for name in _CALLS:
            setattr(self, name, self._counted(getattr(self, name), is_append=name == "append"))
        for name in _READS:
            setattr(self, name, self._read(getattr(self, name)))

    def _is_it(self) -> bool:
        self.calls += 1
        return self.calls == self._number

    def _counted(self, call: Callable[..., Any], *, is_append: bool) -> Callable[..., Any]:
        async def counted(*given: Any, **named: Any) -> Any:
            fails = self._is_it()
            if fails and not (self._after and is_append):
                raise StoreUnavailable("the line is dead")
            answer = await call(*given, **named)
            if fails:
                raise FateUnknown("the line went dead")
            return answer

        return counted

    def _read(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(*given: Any, **named: Any) -> AsyncIterator[Any]:
            if self._is_it():
                raise StoreUnavailable("the line is dead")
            async for each in call(*given, **named):
                yield each

        return counted


async def started(small: SmallHouse, number: int, *, after: bool = False) -> int:
    """Start and stop a house whose store fails once; how often the store was asked for the start."""
    store = FailsOnce(small.disk, small, number, after=after)
    house = House(small.plan, store, small.clock, KEY)
    await house.start()
    calls = store.calls
    assert house.table("T1").state.settings is not None
    current = house.table("C1").state.current
    if current is not None:
        assert current.held == "suspended"
        assert list(current.slips) == ["C1-1.1"]
    await house.stop()
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True])
async def test_a_start_outlives_the_failure_of_each_of_its_calls(after: bool) -> None:
    """Of a new record, and of one with a round in play: whatever fails, the house is open in the end."""
    calls, number = 1, 1
    while number <= calls:
        calls = await started(SmallHouse(cluster(), live()), number, after=after)
        number += 1
    assert number > 20
    small = SmallHouse(cluster(), live())
    async with small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"big": 100})
        await settle_down()
    calls, number = 1, 1
    while number <= calls:
        calls = await started(small, number, after=after)
        number += 1
    assert number > 20


async def test_a_clock_that_was_ahead_for_one_start_leaves_no_long_window_behind() -> None:
    """Seed 54 of the evenings: the round went on for as long as the clock had been ahead."""
    small = SmallHouse(cluster(automatic=True, betting_seconds=20))
    async with small.open():
        await small.pass_time(3)
    right = small.clock
    small.clock = ManualClock(right.now() + timedelta(seconds=90))
    async with small.open() as house:
        assert house.table("C1").state.window.closes_at == small.clock.now() + timedelta(seconds=5)
    small.clock = right
    right.move(right.now() + timedelta(seconds=10))
    async with small.open() as house:
        assert house.table("C1").state.window.closes_at == right.now() + timedelta(seconds=20)
        await small.pass_time(60)
        assert house.table("C1").state.number > 1
