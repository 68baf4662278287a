"""Clocks and randomness of the machine."""

import asyncio
import random
import secrets
from datetime import UTC, datetime
from heapq import heappop, heappush
from itertools import count
from threading import Lock

# A clock that is set forward is noticed within this time.
_NAP_SECONDS = 1.0


class SystemClock:
    """The machine's time in UTC. It never goes back: one that is set back stands still until caught up."""

    def __init__(self) -> None:
        self._last = datetime.min.replace(tzinfo=UTC)
        self._lock = Lock()

    def now(self) -> datetime:
        now = datetime.now(UTC)
        with self._lock:
            if now > self._last:
                self._last = now
            return self._last

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
