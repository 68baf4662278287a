"""How often something may be tried from one place: guessing is slow here, whichever gateway it comes by."""

from dataclasses import dataclass
from typing import Final, Protocol

_MINUTE: Final = 60.0


class CountsTries(Protocol):
    """Who counts for the whole house."""

    async def tries(self, what: str, place: str, *, most: int, seconds: float) -> float: ...


@dataclass(frozen=True)
class Rate:
    """At most so many tries a minute from each place."""

    what: str
    most: int
    counted: CountsTries

    async def wait(self, place: str) -> float:
        """Count a try; how many seconds to wait if it is one too many, else 0."""
        return await self.counted.tries(self.what, place, most=self.most, seconds=_MINUTE)
