"""The record's standby: what is committed is there, for everybody, once the standby has it, and not before.

So it is with a synchronous standby of PostgreSQL. When the primary is lost its standby takes its place: what
it had is kept, and of the commit under way nobody knows whether it had that.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from taisai.errors import StoreConflict
from taisai.record.journal import Committed
from taisai.record.ports import FateUnknown
from tests.evenings.faults import Faults
from tests.evenings.loop import VirtualLoop

Append = Callable[[], Coroutine[Any, Any, Committed]]


class Standby:
    """Has each commit a little later than the primary; one after the other, as a log is sent."""

    def __init__(self, loop: VirtualLoop, faults: Faults) -> None:
        self._loop, self._faults = loop, faults
        self._underway: asyncio.Future[Committed] | None = None
        self._promoted = loop.create_future()

    async def commit(self, append: Append) -> Committed:
        """Wait until the standby has it; it arrives though whoever sent it has died meanwhile."""
        while self._underway is not None:
            await asyncio.wait([self._underway])
        ended = self._underway = self._loop.create_future()
        self._loop.start_in(None, self._replicate(append, ended), "replicates")
        return await asyncio.shield(ended)

    async def _replicate(self, append: Append, ended: "asyncio.Future[Committed]") -> None:
        slow = self._faults.strikes("standby slow")
        lag = (
            self._faults.draw("standby slow", 0.05, 4)
            if slow
            else self._faults.draw("standby", 0.0005, 0.004)
        )
        if slow:  # until then nobody has any commit: it is no fault of the house that nothing stands
            self._faults.last_at = max(self._faults.last_at, self._loop.time() + lag)
        promoted, _ = await asyncio.wait([self._promoted], timeout=lag)
        self._underway = None
        try:
            had = not promoted or self._faults.draw("standby had it", 0, 1) < 0.5
            committed = await append() if had else None
            if promoted or committed is None:
                raise FateUnknown("the primary is gone, and its standby has taken its place")
        except (StoreConflict, FateUnknown) as error:
            ended.set_exception(error)
            ended.exception()  # looked at: whoever asked may have died, and then nobody else does
        else:
            ended.set_result(committed)

    def promote(self) -> None:
        """The primary is lost at this moment."""
        lost, self._promoted = self._promoted, self._loop.create_future()
        lost.set_result(None)
