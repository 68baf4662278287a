"""The record in one SQLite file: the embedded default."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from taisai.adapters.sql_reads import SqlReads
from taisai.adapters.sqlite.journal import SqliteJournal
from taisai.adapters.sqlite.reads import SqliteReader
from taisai.errors import StoreUnavailable
from taisai.record.checks import check_batch
from taisai.record.group_commit import Planner
from taisai.record.journal import Batch, Commit, Committed
from taisai.record.ports import BodiesCut, Clock, Positions, Signer

_GROUP_MAX = 1_000
# So many transfers are told of in one turn of the loop.
_TOLD_AT_ONCE = 1_000
_AT_ONCE = 32
_WAITING_MAX = 20_000
_RESTORED_AT_ONCE = 256

T = TypeVar("T")


# A batch on its way to the writer's thread, and who waits for it.
_Waiting = tuple[Batch, "asyncio.Future[Committed]"]


class _Job:
    """Something else that the writer's thread has to do, in its turn."""

    __slots__ = ("act", "future")

    def __init__(self, act: Callable[[], Any], future: "asyncio.Future[Any]") -> None:
        self.act = act
        self.future = future


# Whom to tell, what, and how many transfers it brought.
_Settled = list[tuple["asyncio.Future[Any]", Any, int]]


class SqliteStore(SqlReads):
    """One file, written by one thread of one process, read by as many as wish.

    Appends that wait at the same time become one transaction, and each is answered only after it is durable.
    """

    def __init__(
        self, path: Path, *, writer: str, signer: Signer, clock: Clock, vfs: str | None = None
    ) -> None:
        self._path = path
        self._vfs = vfs
        self._reader = SqliteReader(path, vfs=vfs)
        super().__init__(self._reader)
        self._journal = SqliteJournal(path, Planner(writer, signer, clock), vfs=vfs)
        self._queue: SimpleQueue[list[_Waiting] | _Job | None] = SimpleQueue()
        self._gathering: list[_Waiting] = []
        self._waiting = 0
        self._writer = Thread(target=self._write_forever, name="taisai-write", daemon=True)
        self._loop = asyncio.get_running_loop()
        self._open = False

    @classmethod
    async def open(
        cls, path: Path, *, writer: str, signer: Signer, clock: Clock, vfs: str | None = None
    ) -> "SqliteStore":
        """Open a file for writing; it is created on first use."""
        store = cls(path, writer=writer, signer=signer, clock=clock, vfs=vfs)
        store._writer.start()
        try:
            store._open = True
            await store._in_turn(store._journal.open)
        except BaseException:
            store._open = False
            store._queue.put(None)
            raise
        return store

    async def append(self, batch: Batch) -> Committed:
        check_batch(batch)
        self._check_open()
        if self._waiting >= _WAITING_MAX:
            raise StoreUnavailable(f"{self._path}: {self._waiting} appends are waiting")
        future: asyncio.Future[Committed] = self._loop.create_future()
        self._gathering.append((batch, future))
        self._waiting += 1
        if len(batch.answers) >= _AT_ONCE:
            # Worth a transaction of its own: the thread begins while the loop goes on.
            self._hand_over()
        elif len(self._gathering) == 1:
            # All that is asked for in this turn of the loop goes to the thread together.
            self._loop.call_soon(self._hand_over)
        return await future

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        check_batch(batch)
        return await self._in_turn(lambda: self._journal.archive(batch, cut))

    def _hand_over(self) -> None:
        if self._gathering:
            self._queue.put(self._gathering)
            self._gathering = []

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        await self._in_turn(lambda: self._journal.view_put(view, rows, before, after))

    async def view_clear(self, view: str) -> None:
        await self._in_turn(lambda: self._journal.view_clear(view))

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqlReads]:
        async with read_snapshot(self._path, vfs=self._vfs) as reads:
            yield reads

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        count = 0
        page: list[Commit] = []
        async for commit in commits:
            page.append(commit)
            if len(page) == _RESTORED_AT_ONCE:
                await self._restore_page(page, first=count == 0 and not onto)
                count, page = count + len(page), []
        if page:
            await self._restore_page(page, first=count == 0 and not onto)
        return count + len(page)

    async def _restore_page(self, page: list[Commit], *, first: bool) -> None:
        await self._in_turn(lambda: self._journal.restore(page, first=first))

    async def close(self) -> None:
        if not self._open:
            return
        await self._in_turn(self._journal.close)
        self._open = False
        self._queue.put(None)
        await self._loop.run_in_executor(None, self._writer.join)
        await self._reader.close()

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailable(f"{self._path} is closed")

    async def _in_turn(self, act: Callable[[], T]) -> T:
        self._check_open()
        future: asyncio.Future[T] = self._loop.create_future()
        if self._gathering:
            self._hand_over()
        self._queue.put(_Job(act, future))
        return await future

    # What follows runs in the writer's thread.

    def _write_forever(self) -> None:
        backlog: deque[list[_Waiting] | _Job | None] = deque()
        while True:
            item = backlog.popleft() if backlog else self._queue.get()
            if item is None:
                return
            if isinstance(item, _Job):
                self._settle([(item.future, _outcome(item.act), 0)])
                continue
            while len(item) < _GROUP_MAX and not self._queue.empty():
                backlog.append(self._queue.get())
                more = backlog[0]
                if not isinstance(more, list):
                    break
                backlog.clear()
                item = item + more
            self._commit(item)

    def _commit(self, group: list[_Waiting]) -> None:
        outcomes = _outcome(lambda: self._journal.commit_group([batch for batch, _ in group]))
        if isinstance(outcomes, BaseException):
            outcomes = [outcomes] * len(group)
        told = [
            (future, outcome, len(batch.transfers))
            for (batch, future), outcome in zip(group, outcomes, strict=True)
        ]
        self._settle(told, appends=len(group))

    def _settle(self, settled: _Settled, *, appends: int = 0) -> None:
        try:
            self._loop.call_soon_threadsafe(self._deliver, settled, appends)
        except RuntimeError:
            return  # the loop has ended: nobody is left to be told, and what is durable stays so

    def _deliver(self, settled: _Settled, appends: int) -> None:
        """Large ones in turns of the loop of their own: much follows from each of them at once."""
        self._waiting -= appends
        told = 0
        for place, (future, outcome, size) in enumerate(settled):
            if told and told + size > _TOLD_AT_ONCE:
                self._loop.call_soon(self._deliver, settled[place:], 0)
                return
            told += size
            if future.done():
                continue
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


@asynccontextmanager
async def read_snapshot(path: Path, *, vfs: str | None = None) -> AsyncIterator[SqlReads]:
    """A file as it stands now, for those who only read; somebody else may be writing it."""
    reader = SqliteReader(path, vfs=vfs)
    try:
        await reader.pin()
        yield SqlReads(reader)
    finally:
        await reader.close()


def _outcome(act: Callable[[], Any]) -> Any:
    """A result, or the exception that takes its place on the way to the loop."""
    try:
        return act()
    except BaseException as error:
        return error
