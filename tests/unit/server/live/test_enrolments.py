"""Codes with which terminals enrol: each is good once, and not for long."""

from datetime import timedelta

from taisai.adapters.clock import ManualClock
from taisai.floor.keeping import HouseKeeping
from taisai.server.live.enrolments import Enrolments, Offered
from tests.unit.house import PIT_MANAGER, START, minutes

WINDOW = Offered("C1", "C1-1", "window", PIT_MANAGER)


def waiting() -> tuple[Enrolments, ManualClock]:
    clock = ManualClock(START)
    return Enrolments(HouseKeeping(clock.now)), clock


async def test_a_code_is_good_once() -> None:
    """Whoever has it gets the place that it was made for; the second gets nothing."""
    codes, _ = waiting()
    code = await codes.offer(WINDOW)
    assert await codes.take(code) == WINDOW
    assert await codes.take(code) is None


async def test_a_code_is_found_however_it_is_typed() -> None:
    """Small letters, dashes and spaces around it are no difference; another code is."""
    codes, _ = waiting()
    code = await codes.offer(WINDOW)
    assert await codes.take("") is None
    assert await codes.take(code[:-1]) is None
    assert await codes.take(f" {code[:5].lower()}-{code[5:]} ") is not None


async def test_a_code_ends_at_its_minute() -> None:
    """The last moment before is good, the minute itself is too late."""
    codes, clock = waiting()
    soon, late = [await codes.offer(WINDOW) for _ in range(2)]
    clock.move(minutes(10) - timedelta(microseconds=1))
    assert await codes.take(soon) is not None
    clock.move(minutes(10))
    assert await codes.take(late) is None
