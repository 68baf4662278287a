"""How often something may be tried from one place: guessing is slow here."""

from collections import OrderedDict, deque
from collections.abc import Callable

_PLACES_MAX = 10_000


class Rate:
    """At most so many tries a minute from each place."""

    def __init__(self, tries: int, seconds: float, now: Callable[[], float]) -> None:
        self._tries, self._seconds, self._now = tries, seconds, now
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, place: str) -> float:
        """Count a try; how many seconds to wait if it is one too many, else 0."""
        now = self._now()
        times = self._seen.setdefault(place, deque())
        self._seen.move_to_end(place)
        while len(self._seen) > _PLACES_MAX:
            self._seen.popitem(last=False)
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._tries:
            return times[0] + self._seconds - now
        times.append(now)
        return 0.0
