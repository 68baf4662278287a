"""Which units a process runs, where several divide a house: it takes what is free, in fair shares.

A unit that was handed to us is begun at once. One that is free is taken by whoever has less than a share of
all, and after a while by anybody. Whoever has more than another gives up a table, as planned, round and all.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from taisai.errors import StoreError
from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.owners.units import OFFICE, units_of
from taisai.floor.ports import Shared

if TYPE_CHECKING:
    from taisai.floor.house import House

log = logging.getLogger("taisai.house")

# After so many looks a free unit is anybody's, whatever their share.
_LOOKS_MAX: Final = 6
_FINISH_SECONDS: Final = 5.0


class Serving(Protocol):
    """What answers for desks to other processes, such as the bus."""

    async def begin(self, streams: Sequence[str]) -> None:
        """From here on this process answers for these desks."""
        ...

    async def end(self, streams: Sequence[str]) -> None:
        """Take nothing more for these desks, and answer what was taken."""
        ...


class Owning:
    """Begin with `start`; end with `stop`, which hands everything over."""

    def __init__(
        self,
        house: "House",
        ownership: Shared,
        *,
        wanted: Collection[str] | None = None,
        serving: Serving | None = None,
    ) -> None:
        self._house, self._ownership, self._serving = house, ownership, serving
        self._all = units_of(house.plan)
        self._wanted = [unit for unit in self._all if wanted is None or unit in wanted]
        self._free_for: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Take what there is, then follow what changes."""
        await self.look()
        self._task = asyncio.create_task(self._run(), name="taisai-owning")

    async def stop(self) -> None:
        """Hand every unit over to those who live on, tables first: a table still asks the office."""
        if self._task is not None:
            with suppress(TimeoutError):  # a unit that is half given or taken would be nobody's for a lease
                await asyncio.wait_for(self._turn.acquire(), _FINISH_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        try:
            await self._ownership.leave()
            for unit in self._ownership.owned - self._house.owned:  # handed to us, and never begun
                await self._ownership.hand_over(unit, self._successor())
        except StoreError as error:
            log.warning("the others cannot be told that this process ends: %s", error)
        for unit in sorted(self._house.owned, key=lambda unit: unit == OFFICE):
            await self._give(unit, self._successor())

    async def _run(self) -> None:
        while True:
            await self._ownership.looked()
            try:
                async with self._turn:
                    await self.look()
            except StoreError as error:
                log.warning("units cannot be taken or given up now: %s", error)
            except Exception:  # the outermost: whatever it was, the other units go on
                log.exception("units could not be looked after")

    async def look(self) -> None:
        """Let go what is lost, begin what was handed to us, take what is free, and share."""
        ownership, house = self._ownership, self._house
        for unit in house.owned - ownership.owned:
            log.critical("%s was taken by another process: it is followed from here on", unit)
            await self._ended(unit)
            await house.give_up(unit, lost=True)
        ownership.runs(house.owned)
        while handed := [each for each in self._all if each in ownership.handed]:
            await self._begin(handed[0])  # meanwhile more may be handed to us, and somebody waits for each
        for unit in self._may_take():
            await self._begin(unit)
        await self._share_out()

    def _may_take(self) -> list[str]:
        """Free units up to our share, and those that nobody has taken for long."""
        free = self._ownership.free
        self._free_for = Counter({unit: self._free_for[unit] + 1 for unit in free})
        room = self._share() - len(self._house.owned)
        units = [unit for unit in self._wanted if self._free_for[unit] > 0]
        late = {unit for unit in units if self._free_for[unit] > _LOOKS_MAX}
        return [unit for place, unit in enumerate(units) if place < room or unit in late]

    def _share(self) -> int:
        return -(-len(self._all) // (1 + len(self._ownership.others)))

    async def _begin(self, unit: str) -> None:
        if unit not in await self._ownership.take([unit]):
            return
        try:
            await self._house.take(unit)
        except StoreError as error:  # another was first after all, or the store went away
            log.warning("%s could not be taken: %s", unit, error)
            if isinstance(error, OperatorNeeded):  # such as what a newer release wrote: for others first
                self._free_for[unit] = -_LOOKS_MAX
            await self._house.give_up(unit, lost=True)
            await self._ownership.hand_over(unit, "")
            return
        await self._serve(unit, lambda serving, streams: serving.begin(streams))
        log.info("%s is run by this process now", unit)

    async def _share_out(self) -> None:
        """To one who has two less than we have, one at a time."""
        least = self._least()
        if least is None or len(self._house.owned) - least[1] < 2:
            return
        tables = [unit for unit in self._all if unit in self._house.owned and unit != OFFICE]
        if tables:
            await self._give(tables[-1], least[0])

    def _least(self) -> tuple[str, int] | None:
        """Who else has least, and how much that is."""
        loads = {name: self._ownership.load_of(name) for name in self._ownership.others}
        name = min(loads, key=lambda each: (loads[each], each), default=None)
        return None if name is None else (name, loads[name])

    def _successor(self) -> str:
        least = self._least()
        return least[0] if least else ""

    async def _give(self, unit: str, to: str) -> None:
        await self._ended(unit)
        await self._house.give_up(unit, to)
        await self._ownership.hand_over(unit, to)
        log.info("%s was handed over to %s", unit, to or "whoever is first")

    async def _ended(self, unit: str) -> None:
        await self._serve(unit, lambda serving, streams: serving.end(streams))

    async def _serve(self, unit: str, what: Callable[[Serving, Sequence[str]], Awaitable[None]]) -> None:
        if self._serving is not None:
            await what(self._serving, self._house.desks_here.streams_in(unit))
