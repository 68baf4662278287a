"""The record in PostgreSQL: for many tables, many processes and many machines."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import asyncpg

from taisai.adapters import sql
from taisai.adapters.postgres.journal import KNOWN_ANSWERS, PostgresJournal, copy_rows
from taisai.adapters.postgres.replicas import barrier
from taisai.adapters.postgres.session import (
    COMMAND_S,
    connect,
    connect_primary,
    migrate,
    primary_of,
    say,
    translated,
)
from taisai.adapters.sql_reads import SqlReads
from taisai.errors import InputError, StoreConflict, StoreUnavailable
from taisai.record.checks import check_batch
from taisai.record.group_commit import Planner
from taisai.record.journal import Batch, Commit, Committed
from taisai.record.ports import BodiesCut, Clock, FateUnknown, Positions, Signer

_GROUP_MAX = 1_000
_WAITING_MAX = 20_000
_READERS_MAX = 4
_T = TypeVar("_T")
_RESTORED_AT_ONCE = 256

_SEALS = "SELECT number, digest, signature FROM commits WHERE writer = $1 AND number = ANY($2::bigint[])"
_VIEW_VALUES = "SELECT key, value FROM view_rows WHERE view = $1 AND key = ANY($2::text[])"
# Whoever follows the record reads its end: the range index should know it, whether or not the server's own
# housekeeping has come by.
_SUMMARIZE = "SELECT brin_summarize_new_values('answers_by_commit')"
_LOCK_VIEW = "SELECT pg_advisory_xact_lock(hashtextextended('taisai view ' || $1, 0))"
_PUT_ROWS = """
INSERT INTO view_rows SELECT $1, * FROM unnest($2::text[], $3::bytea[])
ON CONFLICT (view, key) DO UPDATE SET value = excluded.value"""
_PUT_POSITIONS = """
INSERT INTO view_positions SELECT $1, * FROM unnest($2::text[], $3::bigint[])
ON CONFLICT (view, writer) DO UPDATE SET number = excluded.number"""


class PostgresReader:
    """Queries on one connection, which a snapshot holds in one transaction."""

    def __init__(self, connection: Any, where: str) -> None:
        self._connection = connection
        self._where = where

    async def query(self, text: str, *arguments: object) -> list[sql.Row]:
        with translated(self._where):
            return [tuple(row) for row in await self._connection.fetch(text, *arguments)]

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        page = (writer, after, upto)
        return sql.read_said(await self.query(sql.COMMIT_EVENTS, *page), await self.query(sql.ANSWERS, *page))

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]:
        senders, ids = [sender for sender, _ in commands], [name for _, name in commands]
        return await self.query(KNOWN_ANSWERS, senders, ids)

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]:
        return await self.query(_VIEW_VALUES, view, keys)

    async def seal_rows(self, writer: str, numbers: list[int]) -> list[sql.Row]:
        return await self.query(_SEALS, writer, numbers)

    async def keeps_cuts(self) -> bool:
        return bool((await self.query("SELECT to_regclass('cut_commits') IS NOT NULL"))[0][0])


class PostgresStore(SqlReads):
    """A database by URL. Appends that wait at the same time become one statement in one round trip."""

    def __init__(self, url: str, *, writer: str, signer: Signer, clock: Clock, replicas_min: int = 0) -> None:
        self._url = url
        self._where = say(url)
        self._planner = planner = Planner(writer, signer, clock)
        self._journal = PostgresJournal(url, planner, replicas_min=replicas_min)
        self._pool: Any = None
        self._queue: deque[tuple[Batch, asyncio.Future[Committed]]] = deque()
        self._wake = asyncio.Event()
        self._turn = asyncio.Lock()  # an archive takes its turn with the commits
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._committing = False
        self._committed = asyncio.Event()  # once after each commit, whatever became of it
        super().__init__(self, lambda tip: planner.observe(tip.writer, tip.number))

    @classmethod
    async def open(
        cls, url: str, *, writer: str, signer: Signer, clock: Clock, replicas_min: int = 0
    ) -> "PostgresStore":
        """Connect, check that the server is durable, and bring its schema forward."""
        store = cls(url, writer=writer, signer=signer, clock=clock, replicas_min=replicas_min)
        await prepare(url, replicas_min=replicas_min)
        try:
            with translated(store._where):
                await store._journal.open()
                store._pool = await store._readers()
        except BaseException:
            await store._journal.close()
            raise
        store._task = asyncio.create_task(store._write_forever(), name="taisai-write")
        return store

    async def _readers(self) -> Any:
        """Connections to read on, to the server that is written to."""
        return await asyncpg.create_pool(
            self._url,
            min_size=1,
            max_size=_READERS_MAX,
            command_timeout=COMMAND_S,
            init=self._first_on,
            **primary_of(self._url),
        )

    async def _first_on(self, connection: Any) -> None:
        """A server that has just been started shows nobody what its standbys do not have."""
        await barrier(connection, self._where)

    async def append(self, batch: Batch) -> Committed:
        check_batch(batch)
        if self._closing or self._task is None or self._task.done():
            raise StoreUnavailable(f"{self._where} is closed")
        if len(self._queue) >= _WAITING_MAX:
            raise StoreUnavailable(f"{self._where}: {len(self._queue)} appends are waiting")
        future: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        self._queue.append((batch, future))
        self._wake.set()
        return await future

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        check_batch(batch)
        async with self._turn:
            return await self._journal.archive(batch, cut)

    async def _write_forever(self) -> None:
        while not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                count = min(len(self._queue), _GROUP_MAX)
                await self._commit([self._queue.popleft() for _ in range(count)])

    async def _commit(self, group: "list[tuple[Batch, asyncio.Future[Committed]]]") -> None:
        self._committing = True
        try:
            async with self._turn:
                outcomes = await self._journal.commit_group([batch for batch, _ in group])
        except Exception as error:
            outcomes = [error] * len(group)
        except BaseException:
            _deliver(group, [FateUnknown(f"{self._where}: stopped while committing")] * len(group))
            raise
        finally:
            self._committing = False
            self._committed.set()
            self._committed.clear()
        _deliver(group, outcomes)

    async def query(self, text: str, *arguments: object) -> list[sql.Row]:
        return await self._read(lambda reader: reader.query(text, *arguments))

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        return await self._read(lambda reader: reader.said(writer, after, upto))

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]:
        found = await self._read(lambda reader: reader.answer_rows(commands))
        if found and self._committing:
            # It may be of the commit that is just being made, whose end nobody has seen.
            await self._committed.wait()
            return await self._read(lambda reader: reader.answer_rows(commands))
        return found

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]:
        return await self._read(lambda reader: reader.view_values(view, keys))

    async def seal_rows(self, writer: str, numbers: list[int]) -> list[sql.Row]:
        return await self._read(lambda reader: reader.seal_rows(writer, numbers))

    async def keeps_cuts(self) -> bool:
        return True

    async def _read(self, ask: Callable[[PostgresReader], Awaitable[_T]]) -> _T:
        async def once() -> _T:
            async with self._connected() as connection:
                found = await ask(PostgresReader(connection, self._where))
                await self._journal.sure(connection)
                return found

        return await _on_another(once)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Any]:
        with translated(self._where):
            async with self._pool.acquire() as connection:
                yield connection

    async def view_put(
        self, view: str, rows: Mapping[str, bytes | None], *, before: Positions, after: Positions
    ) -> None:
        kept = {key: value for key, value in rows.items() if value is not None}
        gone = [key for key, value in rows.items() if value is None]
        async with self._connected() as connection:
            async with connection.transaction():
                await connection.execute(_LOCK_VIEW, view)
                if dict(await connection.fetch(sql.VIEW_POSITIONS, view)) != before:
                    raise StoreConflict(f"view {view} has moved")
                await connection.execute(_PUT_ROWS, view, list(kept), list(kept.values()))
                await connection.execute(
                    "DELETE FROM view_rows WHERE view = $1 AND key = ANY($2)", view, gone
                )
                await connection.execute(_PUT_POSITIONS, view, list(after), list(after.values()))
            await connection.execute(_SUMMARIZE)

    async def view_clear(self, view: str) -> None:
        async with self._connected() as connection, connection.transaction():
            await connection.execute(_LOCK_VIEW, view)
            await connection.execute("DELETE FROM view_rows WHERE view = $1", view)
            await connection.execute("DELETE FROM view_positions WHERE view = $1", view)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqlReads]:
        connection, transaction = await _on_another(self._begun)
        try:
            yield SqlReads(PostgresReader(connection, self._where))
        finally:
            if not connection.is_closed():
                await transaction.rollback()
            await self._pool.release(connection)

    async def _begun(self) -> tuple[Any, Any]:
        """A connection, and a transaction on it that only reads."""
        with translated(self._where):
            connection = await self._pool.acquire()
            transaction = connection.transaction(isolation="repeatable_read", readonly=True)
            try:
                await self._journal.sure(connection)
                await transaction.start()
            except BaseException:
                await self._pool.release(connection)
                raise
        return connection, transaction

    async def restore(self, commits: AsyncIterator[Commit], *, onto: bool = False) -> int:
        """All in one transaction: a restore that fails leaves nothing behind."""
        if not onto and await self.tips():
            raise InputError(f"expected an empty store to restore into, {self._where} is not")
        count = 0
        async with self._connected() as connection, connection.transaction():
            page: list[Commit] = []
            async for commit in commits:
                page.append(commit)
                count += 1
                if len(page) == _RESTORED_AT_ONCE:
                    await copy_rows(connection, page)
                    page = []
            await copy_rows(connection, page)
        await self._journal.close()
        await self._journal.open()
        return count

    async def close(self) -> None:
        """Let what waits become durable, then let go."""
        task, self._task = self._task, None
        if task is None:
            return
        self._closing = True
        self._wake.set()
        await asyncio.gather(task, return_exceptions=True)
        await self._journal.close()
        await self._pool.close()


async def prepare(url: str, *, replicas_min: int = 0) -> None:
    """Check that a server is durable, and bring its schema forward."""
    where = say(url)
    with translated(where):
        connection = await connect_primary(url, replicas_min=replicas_min)
        try:
            await migrate(connection, where)
        finally:
            await connection.close()


async def _on_another(work: Callable[[], Awaitable[_T]]) -> _T:
    """The server may have dropped idle connections: what fails on one is tried on others."""
    for _ in range(_READERS_MAX):
        try:
            return await work()
        except StoreUnavailable:
            continue
    return await work()


def _deliver(
    group: "list[tuple[Batch, asyncio.Future[Committed]]]", outcomes: "list[Committed | Exception]"
) -> None:
    for (_, future), outcome in zip(group, outcomes, strict=True):
        if future.done():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


@asynccontextmanager
async def read_snapshot(url: str) -> AsyncIterator[SqlReads]:
    """A database as it stands now, for those who only read; houses may be writing it."""
    where = say(url)
    with translated(where):
        connection = await connect(url)
        transaction = connection.transaction(isolation="repeatable_read", readonly=True)
        await transaction.start()
    try:
        yield SqlReads(PostgresReader(connection, where))
    finally:
        await connection.close()
