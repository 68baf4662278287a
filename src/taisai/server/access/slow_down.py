"""Guessing under one name from ever new places is slowed down, and nobody is locked out by it.

From a place that nobody knows each try takes the longer the more of them failed under the name lately. It is
answered all the same: whoever has the password gets in, a few seconds later.
"""

from collections import OrderedDict, deque
from datetime import timedelta
from typing import Final

from taisai.floor.table.dealing import Timer
from taisai.server.access.hashing import HashingBusy

FREE: Final = 10  # failures that slow nobody down: people mistype
LONGEST: Final = timedelta(seconds=8)
_REMEMBERED: Final = timedelta(minutes=15)
_STEPS: Final = 4  # after so many more it takes longest
_NAMES_MAX: Final = 1_000


class SlowDown:
    """What failed lately under each name, from places that nobody knows."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._failed: OrderedDict[str, deque[float]] = OrderedDict()
        self._waiting: set[tuple[str, str]] = set()

    def delay(self, name: str) -> timedelta:
        """How long a try under a name takes now."""
        since = (self._timer.now() - _REMEMBERED).timestamp()
        over = sum(at > since for at in self._failed.get(name, ())) - FREE
        return LONGEST / 2 ** (_STEPS - min(over, _STEPS)) if over > 0 else timedelta()

    async def turn(self, name: str, place: str) -> None:
        """Wait one's time; one try under a name waits at a place, and others are told to come again."""
        delay = self.delay(name)
        if not delay:
            return
        if (name, place) in self._waiting:
            raise HashingBusy
        self._waiting.add((name, place))
        try:
            await self._timer.sleep_until(self._timer.now() + delay)
        finally:
            self._waiting.discard((name, place))

    def failed(self, name: str) -> None:
        """A try under a name failed."""
        times = self._failed.setdefault(name, deque(maxlen=FREE + _STEPS))
        times.append(self._timer.now().timestamp())
        self._failed.move_to_end(name)
        while len(self._failed) > _NAMES_MAX:
            self._failed.popitem(last=False)
