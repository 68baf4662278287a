"""The record in an SQLite file for a process that owns no desk: it reads, and brings read models forward."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import apsw

from taisai.adapters.sql_reads import SqlReads
from taisai.adapters.sqlite.file import connect, translated
from taisai.adapters.sqlite.journal import clear_view, put_view
from taisai.adapters.sqlite.reads import SqliteReader
from taisai.adapters.sqlite.store import read_snapshot
from taisai.errors import InputError, InvariantBroken
from taisai.record.journal import Batch, Commit, Committed
from taisai.record.ports import BodiesCut, Positions


class SqliteLooking(SqlReads):
    """Appends nothing: acts go to the owner of their desk."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise InputError(f"there is no record at {path}")
        self._path, self._reader = path, SqliteReader(path)
        super().__init__(self._reader)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="taisai-views")
        self._db: apsw.Connection | None = None

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        await self._run(lambda db: put_view(db, view, rows, before, after))

    async def view_clear(self, view: str) -> None:
        await self._run(lambda db: clear_view(db, view))

    async def _run(self, act: Callable[[apsw.Connection], None]) -> None:
        def run() -> None:
            with translated(self._path):
                self._db = self._db or connect(self._path)
                act(self._db)

        await asyncio.get_running_loop().run_in_executor(self._thread, run)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqlReads]:
        async with read_snapshot(self._path) as reads:
            yield reads

    async def append(self, batch: Batch) -> Committed:
        raise InvariantBroken("a process without desks was to write")

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        raise InvariantBroken("a process without desks was to write")

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        raise InvariantBroken("a process without desks was to write")

    async def close(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, db.close, True)
        self._thread.shutdown()
        await self._reader.close()
