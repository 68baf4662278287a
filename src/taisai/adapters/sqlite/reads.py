"""Reading the record from SQLite, on a connection and a thread of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import apsw

from taisai.adapters import sql
from taisai.adapters.sqlite.file import connect_reader, schema_version, translated
from taisai.adapters.sqlite.packs import answer_rows, rows, said

T = TypeVar("T")

SEAL = "SELECT number, digest, signature FROM commits WHERE writer = ? AND number = ?"
_VIEW_VALUE = "SELECT key, value FROM view_rows WHERE view = ? AND key = ?"


class SqliteReader:
    """Reads that never wait for the writer. Once pinned, all of them see one moment."""

    def __init__(self, path: Path, *, vfs: str | None = None) -> None:
        self._path = path
        self._vfs = vfs
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="taisai-read")
        self._connection: apsw.Connection | None = None

    async def run(self, read: Callable[[apsw.Connection], T]) -> T:
        """Run a read in the reader's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, read)

    def _run(self, read: Callable[[apsw.Connection], T]) -> T:
        with translated(self._path):
            if self._connection is None:
                self._connection = connect_reader(self._path, vfs=self._vfs)
            return read(self._connection)

    async def query(self, text: str, *arguments: object) -> list[sql.Row]:
        return await self.run(lambda db: rows(db, text, *arguments))

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        return await self.run(lambda db: said(db, writer, after, upto))

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]:
        return await self.run(lambda db: answer_rows(db, commands))

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]:
        return await self.run(lambda db: [row for key in keys for row in rows(db, _VIEW_VALUE, view, key)])

    async def seal_rows(self, writer: str, numbers: list[int]) -> list[sql.Row]:
        return await self.run(
            lambda db: [row for number in numbers for row in rows(db, SEAL, writer, number)]
        )

    async def keeps_cuts(self) -> bool:
        return await self.run(schema_version) > 1

    async def pin(self) -> None:
        """Hold the record as it stands now, until closed."""
        await self.query("BEGIN")
        await self.query("SELECT 1 FROM commits LIMIT 1")

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close(True)
