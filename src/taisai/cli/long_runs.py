"""Long runs: their cost is told before they start, and code of someone else has a deadline."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from taisai.cli.output import err
from taisai.odds.cost import (
    SECONDS_VARIABLE,
    Cost,
    TooCostly,
    machine_budget,
    say_seconds,
    telling,
)

# What nobody minds to wait for need not be announced.
_TOLD_SECONDS, _TOLD_BYTES = 3.0, 1 << 30


class Expected:
    """What the computation under way said that it would take: the first estimate that a bar can show."""

    seconds: float | None = None


EXPECTED: Final = Expected()


def time_left(done: float, elapsed: float) -> float | None:
    """The seconds that are left, from the first moment on: by the estimate, and soon by what was seen."""
    if EXPECTED.seconds is None:
        return elapsed * (1 - done) / done if done > 0 else None
    by_estimate = max(0.0, EXPECTED.seconds - elapsed)
    if done <= 0:
        return by_estimate
    seen = elapsed * (1 - done) / done
    # What was seen counts more and more, and alone from a tenth on.
    weight = min(1.0, done * 10)
    return weight * seen + (1 - weight) * by_estimate


@contextmanager
def costs_told() -> Iterator[None]:
    """Within this block, what a computation will take is said on standard error where it is much."""
    EXPECTED.seconds = None

    def told(what: str, cost: Cost) -> None:
        EXPECTED.seconds = cost.seconds
        if cost.seconds >= _TOLD_SECONDS or cost.memory_bytes >= _TOLD_BYTES:
            err().print(f"{what}: about {cost}", markup=False)

    with telling(told):
        yield


@contextmanager
def within_time(what: str) -> Iterator[None]:
    """Stop code that is not ours when the time that is allowed has passed, wherever it hangs."""
    seconds = machine_budget().seconds

    def late(number: int, frame: Any) -> None:
        raise TooCostly(
            f"{what} takes more than the {say_seconds(seconds)} that are allowed: "
            f"mend it, ask for fewer sessions, or raise {SECONDS_VARIABLE}"
        )

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
