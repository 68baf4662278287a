"""What a house remembers for a while: tries are counted by place, and what is kept is bounded."""

from datetime import timedelta

import pytest

from taisai.adapters.clock import ManualClock
from taisai.floor import keeping
from taisai.floor.keeping import HouseKeeping
from tests.unit.house import START


def remembering() -> tuple[HouseKeeping, ManualClock]:
    clock = ManualClock(START)
    return HouseKeeping(clock.now), clock


async def test_one_try_too_many_waits_until_the_first_is_forgotten() -> None:
    """Places and things that are tried are counted apart; a try that was refused is no try."""
    house, clock = remembering()
    assert [await house.tries("logins", "here", most=2, seconds=60) for _ in range(4)] == [0, 0, 60, 60]
    assert await house.tries("logins", "there", most=2, seconds=60) == 0
    assert await house.tries("tickets", "here", most=2, seconds=60) == 0
    clock.move(START + timedelta(seconds=60))
    assert await house.tries("logins", "here", most=2, seconds=60) == 0


async def test_what_happened_is_counted_for_a_time() -> None:
    """And for the last times alone, however often it happened."""
    house, clock = remembering()
    for _ in range(keeping._NOTED_MAX + 5):
        await house.note("failures", "mia")
    assert await house.noted("failures", "mia", seconds=60) == keeping._NOTED_MAX
    assert await house.noted("failures", "dora", seconds=60) == 0
    clock.move(START + timedelta(seconds=60))
    assert await house.noted("failures", "mia", seconds=60) == 0


async def test_what_is_kept_is_found_until_its_time_and_taken_once() -> None:
    """What is kept again under its key takes the place of what was there."""
    house, clock = remembering()
    await house.keep("codes", "a", "1", seconds=10)
    await house.keep("codes", "a", "2", seconds=10)
    await house.keep("codes", "b", "3", seconds=10)
    assert (await house.kept("codes", "a"), await house.kept("others", "a")) == ("2", None)
    assert (await house.take("codes", "a"), await house.take("codes", "a")) == ("2", None)
    clock.move(START + timedelta(seconds=10))
    assert await house.kept("codes", "b") is None


async def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks ever new things fills no memory."""
    monkeypatch.setattr(keeping, "_KEPT_MAX", 2)
    monkeypatch.setattr(keeping, "_PLACES_MAX", 2)
    house, _ = remembering()
    for name in "abc":
        await house.keep("codes", name, name, seconds=10)
        await house.note("failures", name)
    assert [await house.kept("codes", name) for name in "abc"] == [None, "b", "c"]
    assert [await house.noted("failures", name, seconds=10) for name in "abc"] == [0, 1, 1]
