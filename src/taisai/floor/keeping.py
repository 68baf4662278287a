"""What a house remembers for a while and no record has: how often something was tried, and what waits.

It is with the owner of the office, so that whoever comes by another gateway finds it. A restart forgets it.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import datetime
from typing import Final

_PLACES_MAX: Final = 10_000
_NOTED_MAX: Final = 100
_NOTED_SECONDS: Final = 3_600.0
_KEPT_MAX: Final = 1_000


class HouseKeeping:
    """The memory of one house; bounded in every direction, and the oldest makes room."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._tried: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._kept: dict[str, OrderedDict[str, tuple[float, str]]] = {}

    async def tries(self, what: str, place: str, *, most: int, seconds: float) -> float:
        """Count a try from a place; how many seconds to wait if it is one too many, else 0."""
        times = self._times(what, place, seconds)
        if len(times) >= most:
            return times[0] + seconds - self._seconds()
        times.append(self._seconds())
        return 0.0

    async def note(self, what: str, place: str) -> None:
        """Count that something happened."""
        times = self._times(what, place, _NOTED_SECONDS)
        times.append(self._seconds())
        while len(times) > _NOTED_MAX:
            times.popleft()

    async def noted(self, what: str, place: str, *, seconds: float) -> int:
        """How often it happened lately."""
        since = self._seconds() - seconds
        return sum(at > since for at in self._tried.get((what, place), ()))

    async def keep(self, what: str, key: str, value: str, *, seconds: float) -> None:
        """Keep something for a while, in the place of what was kept before."""
        kept, now = self._kept.setdefault(what, OrderedDict()), self._seconds()
        for old in [name for name, (until, _) in kept.items() if until <= now]:
            del kept[old]
        kept[key] = (now + seconds, value)
        while len(kept) > _KEPT_MAX:
            kept.popitem(last=False)

    async def kept(self, what: str, key: str) -> str | None:
        """What was kept, if its time has not passed."""
        until, value = self._kept.get(what, OrderedDict()).get(key, (0.0, ""))
        return value if until > self._seconds() else None

    async def take(self, what: str, key: str) -> str | None:
        """The same, for one alone: it is gone after this."""
        value = await self.kept(what, key)
        self._kept.get(what, OrderedDict()).pop(key, None)
        return value

    def _seconds(self) -> float:
        return self._now().timestamp()

    def _times(self, what: str, place: str, seconds: float) -> deque[float]:
        times = self._tried.setdefault((what, place), deque())
        self._tried.move_to_end((what, place))
        while len(self._tried) > _PLACES_MAX:
            self._tried.popitem(last=False)
        since = self._seconds() - seconds
        while times and times[0] <= since:
            times.popleft()
        return times
