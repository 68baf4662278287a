"""Clocks and randomness of the machine."""

import asyncio
import random
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from threading import Lock
from time import monotonic

# A clock that is set forward is noticed within this time.
_NAP_SECONDS = 1.0


# While the machine's clock is behind, ours goes on a little slower than it, so that the two meet again.
_PACE_AHEAD = 0.9


# What the machine's clock shows.
wall_time: Callable[[], datetime] = partial(datetime.now, UTC)


class SystemClock:
    """The machine's time in UTC. It never goes back, nor stands still when the machine's was set back."""

    def __init__(
        self, wall: Callable[[], datetime] = wall_time, monotonic: Callable[[], float] = monotonic
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._last, self._tick = datetime.min.replace(tzinfo=UTC), monotonic()
        self._lock = Lock()

    def now(self) -> datetime:
        wall, tick = self._wall(), self._monotonic()
        with self._lock:
            if wall <= self._last:
                wall = self._last + timedelta(seconds=max(0.0, tick - self._tick) * _PACE_AHEAD)
            self._last, self._tick = wall, max(tick, self._tick)
            return wall

    def ahead(self) -> timedelta:
        """By how much the machine's clock is behind this one: it was set back."""
        return max(self.now() - self._wall(), timedelta())

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until the moment has come."""
        while (left := (moment - self.now()).total_seconds()) > 0:
            await asyncio.sleep(min(left, _NAP_SECONDS))


class ManualClock:
    """A clock that somebody else moves, for simulations and tests."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> datetime:
        return self._now

    def move(self, moment: datetime) -> None:
        """Go forward to a moment; a moment that is past changes nothing."""
        self._now = max(self._now, moment)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            sleeper = heappop(self._sleepers)[2]
            if not sleeper.done():
                sleeper.set_result(None)

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until somebody has moved the clock to the moment."""
        if moment > self._now:
            sleeper = asyncio.get_running_loop().create_future()
            heappush(self._sleepers, (moment, next(self._numbers), sleeper))
            await sleeper

    def next_alarm(self) -> datetime | None:
        """The earliest moment that somebody waits for."""
        while self._sleepers and self._sleepers[0][2].done():
            heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None


class SystemEntropy:
    """The operating system's own random bytes."""

    def random_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class SeededEntropy:
    """Bytes that are the same for the same seed: for tests and play money, nothing else."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - made to be repeated, refused where money is at stake

    def random_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)
