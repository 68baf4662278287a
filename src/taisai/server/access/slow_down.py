"""Guessing under one name from ever new places is slowed down, and nobody is locked out by it.

From a place that nobody knows each try takes the longer the more of them failed under the name lately. It is
answered all the same: whoever has the password gets in, a few seconds later.
"""

from datetime import timedelta
from typing import Final

from taisai.floor.ports import Keeping
from taisai.floor.table.dealing import Timer
from taisai.server.access.hashing import HashingBusy

FREE: Final = 10  # failures that slow nobody down: people mistype
LONGEST: Final = timedelta(seconds=8)
_REMEMBERED: Final = timedelta(minutes=15)
_STEPS: Final = 4  # after so many more it takes longest
_FAILURES: Final = "failed logins"


class SlowDown:
    """What failed lately under each name, from places that nobody knows."""

    def __init__(self, timer: Timer, keeping: Keeping) -> None:
        self._timer, self._keeping = timer, keeping
        self._waiting: set[tuple[str, str]] = set()

    async def delay(self, name: str) -> timedelta:
        """How long a try under a name takes now."""
        failed = await self._keeping.noted(_FAILURES, name, seconds=_REMEMBERED.total_seconds())
        over = failed - FREE
        return LONGEST / 2 ** (_STEPS - min(over, _STEPS)) if over > 0 else timedelta()

    async def turn(self, name: str, place: str) -> None:
        """Wait one's time; one try under a name waits at a place, and others are told to come again."""
        delay = await self.delay(name)
        if not delay:
            return
        if (name, place) in self._waiting:
            raise HashingBusy
        self._waiting.add((name, place))
        try:
            await self._timer.sleep_until(self._timer.now() + delay)
        finally:
            self._waiting.discard((name, place))

    async def failed(self, name: str) -> None:
        """A try under a name failed."""
        await self._keeping.note(_FAILURES, name)
