"""Guessing from ever new places is slowed down; whoever has the password gets in all the same."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from taisai.adapters.clock import ManualClock
from taisai.floor.keeping import HouseKeeping
from taisai.server.access.hashing import HashingBusy
from taisai.server.access.slow_down import FREE, LONGEST, SlowDown

START = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)


async def slowed(failures: int) -> tuple[SlowDown, ManualClock]:
    clock = ManualClock(START)
    slow = SlowDown(clock, HouseKeeping(clock.now))
    for _ in range(failures):
        await slow.failed("mia")
    return slow, clock


async def test_each_failure_beyond_the_first_ten_doubles_the_wait_up_to_its_longest() -> None:
    """Other names are as quick as ever, and after a quarter of an hour so is this one."""
    waits = [(await (await slowed(FREE + more))[0].delay("mia")).total_seconds() for more in range(7)]
    assert waits == [0, 1, 2, 4, 8, 8, 8]
    slow, clock = await slowed(1_000)
    assert (await slow.delay("mia"), await slow.delay("dora")) == (LONGEST, timedelta())
    clock.move(START + timedelta(minutes=15))
    assert await slow.delay("mia") == timedelta()


async def test_whoever_waits_is_served_and_one_waits_at_a_place() -> None:
    """A second try meanwhile from the same place is told to come again; another place waits beside it."""
    slow, clock = await slowed(FREE + 4)
    first, other = (asyncio.create_task(slow.turn("mia", place)) for place in ("here", "there"))
    await asyncio.sleep(0)
    with pytest.raises(HashingBusy):
        await slow.turn("mia", "here")
    clock.move(START + LONGEST)
    await asyncio.gather(first, other)
    again = asyncio.create_task(slow.turn("mia", "here"))
    await asyncio.sleep(0)
    clock.move(START + 2 * LONGEST)
    await again
