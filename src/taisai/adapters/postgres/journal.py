"""Writing the record to PostgreSQL: one statement, one round trip, for all batches that wait."""

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg

from taisai.adapters import sql
from taisai.adapters.postgres.replicas import Unconfirmed, barrier, confirmed
from taisai.adapters.postgres.session import COMMAND_S, LOST, connect_primary, say, translate, translated
from taisai.errors import InvariantBroken, StoreConflict, StoreUnavailable
from taisai.record.group_commit import Known, Plan, Planner
from taisai.record.journal import Answer, Batch, Commit, Committed, Head
from taisai.record.ports import BodiesCut, FateUnknown

# Everything of a commit in one statement, which is its own transaction.
WRITE = """
WITH c AS (INSERT INTO commits VALUES ($1, $2, $3, $4, $5, $6, $7)),
s AS (INSERT INTO spans SELECT $1, $2, * FROM unnest($8::text[], $9::bigint[], $10::bigint[], $11::bytea[])),
e AS (INSERT INTO events SELECT * FROM unnest(
  $12::text[], $13::bigint[], $14::bigint[], $15::text[], $16::bytea[], $17::bytea[])),
t AS (INSERT INTO transfers SELECT $1, $2, * FROM unnest(
  $18::bigint[], $19::text[], $20::text[], $21::text[], $22::bigint[], $23::text[], $24::bigint[],
  $25::text[], $26::text[]))
INSERT INTO answers SELECT $1, $2, * FROM unnest(
  $27::bigint[], $28::text[], $29::text[], $30::bytea[], $31::bytea[])"""
_SEALED = "SELECT digest FROM commits WHERE writer = $1 AND number = $2"
_HEADS = """
SELECT e.stream, e.version, e.at, e.digest, s.writer, s.number
FROM unnest($1::text[]) AS wanted (stream)
CROSS JOIN LATERAL (
  SELECT * FROM events WHERE events.stream = wanted.stream ORDER BY version DESC LIMIT 1) AS e
LEFT JOIN spans s ON s.stream = e.stream AND s.last_version = e.version"""
KNOWN_ANSWERS = """
SELECT a.sender, a.id, a.request, a.answer
FROM unnest($1::text[], $2::text[]) AS wanted (sender, id)
JOIN answers a ON a.sender = wanted.sender AND a.id = wanted.id"""
_KNOWN_TRANSFERS = "SELECT id FROM transfers WHERE id = ANY($1::text[])"

_IN_DOUBT: tuple[type[BaseException], ...] = (Unconfirmed, *LOST)
_LET_BODIES_GO = """
UPDATE events SET body = '' WHERE stream = $1 AND version > $2 AND version <= $3 AND type = ANY($4::text[])"""
_COMMITS_A_PAGE = 1_024
_CUT_S = 3_600.0  # a month of a busy table may take a while, and nobody plays meanwhile

# Fewer rows cost less as arrays of one statement: COPY takes seven round trips.
COPIED_FROM = 300
_ATTEMPTS_MAX = 50
_GIVE_UP_S = 10.0
_PAUSE_S = 0.05


class PostgresJournal:
    """One process's writer. Others may write to the same database, each to its own streams and chain."""

    def __init__(self, url: str, planner: Planner, *, replicas_min: int = 0) -> None:
        self._url = url
        self._where = say(url)
        self._planner = planner
        self._replicas_min = replicas_min
        self._connection: asyncpg.Connection[Any] | None = None
        # How often it was not known whether standbys have what the primary shows, and up to which it now is.
        self._doubts = self._settled = 0

    async def open(self) -> None:
        """Connect and take up the chain."""
        with translated(self._where):
            await self._connected()

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and not connection.is_closed():
            await connection.close(timeout=5)

    async def _connected(self) -> "asyncpg.Connection[Any]":
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = await self._connect()
            await self._restart(connection)
        return connection

    async def _connect(self) -> "asyncpg.Connection[Any]":
        """A server that was just started may show what no standby has: it confirms all of it first."""
        connection = await connect_primary(self._url, replicas_min=self._replicas_min)
        self._connection = connection
        try:
            await self._settle(connection)
        except BaseException:
            self._drop()
            raise
        return connection

    async def _settle(self, connection: Any) -> None:
        doubts = self._doubts
        await barrier(connection, self._where)
        self._settled = max(self._settled, doubts)

    async def sure(self, connection: Any) -> None:
        """What was read on a connection may be told: no commit of ours is in doubt, or all is confirmed."""
        if self._settled < self._doubts:
            await self._settle(connection)

    async def _restart(self, connection: "asyncpg.Connection[Any]") -> None:
        """Forget what was believed about the store, and ask."""
        self._planner.start(sql.read_tips(await connection.fetch(sql.TIPS)))

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    async def commit_group(self, batches: Sequence[Batch]) -> list[Committed | Exception]:
        """Make the batches durable together; each stands or falls on its own."""
        careful = False
        lost = 0
        try:
            for _ in range(_ATTEMPTS_MAX):
                try:
                    plan = await self._write_planned(batches, careful=careful)
                except LOST:
                    # Lost while looking something up: nothing was sent, so another connection may try.
                    lost += 1
                    if lost == _ATTEMPTS_MAX:
                        raise
                    self._drop()
                    plan = None
                if plan is not None:
                    return list(plan.outcomes)
                careful = True
        except (StoreUnavailable, StoreConflict, InvariantBroken) as error:
            return [error] * len(batches)
        except (asyncpg.PostgresError, *LOST) as error:
            self._drop()
            return [translate(error, self._where)] * len(batches)
        return [StoreUnavailable(f"{self._where}: other writers were first {_ATTEMPTS_MAX} times")] * len(
            batches
        )

    async def _write_planned(self, batches: Sequence[Batch], *, careful: bool) -> Plan | None:
        """Plan and write. Without care nothing is looked up, and any doubt gives none."""
        connection = await self._connected()
        known = await self._look_up(connection, batches) if careful else Known()
        await self._learn(connection, self._planner.unknown(batches))
        plan = self._planner.plan(batches, known)
        if not careful and any(isinstance(outcome, StoreConflict) for outcome in plan.outcomes):
            return None
        if plan.commit is not None and not await self._write(connection, plan.commit):
            return None
        self._planner.accept(plan)
        return plan

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        """Write a batch and let bodies go in the same transaction."""
        with translated(self._where):
            connection = await self._connected()
            plan = self._planner.plan([batch], await self._look_up(connection, [batch]))
            outcome = plan.outcomes[0]
            if isinstance(outcome, StoreConflict) or plan.commit is None:
                raise outcome if isinstance(outcome, StoreConflict) else InvariantBroken("nothing to archive")
            try:
                async with connection.transaction():
                    await connection.execute(WRITE, *arguments(plan.commit))
                    await _let_go(connection, cut)
            except BaseException:
                self._drop()  # whether it was done, the next connection finds out
                raise
            self._planner.accept(plan)
        return outcome

    async def _write(self, connection: "asyncpg.Connection[Any]", commit: Commit) -> bool:
        """Write a commit; False when another was first."""
        try:
            await self._send(connection, commit)
        except asyncpg.UniqueViolationError:
            await self._restart(connection)
            return False
        except _IN_DOUBT as error:
            self._doubts += 1
            self._drop()
            return await self._write_again(commit, error)
        except asyncpg.TransactionRollbackError:
            return False
        return True

    async def _send(
        self, connection: "asyncpg.Connection[Any]", commit: Commit, seconds: float = COMMAND_S
    ) -> None:
        rows = len(commit.spans) + len(commit.events) + len(commit.transfers) + len(commit.answers)
        with confirmed(connection, self._where):
            if rows < COPIED_FROM:
                await connection.execute(WRITE, *arguments(commit), timeout=seconds)
                return
            async with asyncio.timeout(seconds), connection.transaction():
                await copy_rows(connection, [commit])

    async def _write_again(self, commit: Commit, cause: BaseException) -> bool:
        """Find out what became of a commit, by writing the very same one once more.

        Its number is unique in its chain: if the first attempt is durable, or is still about to be, the
        second one waits for it and fails; else it takes its place. Looking it up alone could not tell
        "not there" from "not there yet". What is found there has to be on the standbys, too.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _GIVE_UP_S
        while True:
            try:
                connection = await self._connect()
                try:
                    await self._send(connection, commit, _GIVE_UP_S)
                except asyncpg.UniqueViolationError:
                    digest = await connection.fetchval(_SEALED, commit.writer, commit.number)
                    await self._settle(connection)
                    await self._restart(connection)
                    return bool(digest == commit.digest)
                return True
            except (asyncpg.PostgresError, StoreUnavailable, *LOST) as error:
                self._drop()
                if loop.time() > deadline:
                    raise FateUnknown(f"{self._where}: lost while committing ({cause}); {error}") from cause
                await asyncio.sleep(_PAUSE_S)

    async def _learn(self, connection: "asyncpg.Connection[Any]", streams: Sequence[str]) -> None:
        if not streams:
            return
        for *head, writer, number in await connection.fetch(_HEADS, streams):
            self._planner.know(Head(*head))
            if writer is not None:
                self._planner.observe(writer, number)

    async def _look_up(self, connection: "asyncpg.Connection[Any]", batches: Sequence[Batch]) -> Known:
        """Everything that could stand in the way of these batches, read from the database."""
        streams = [part.stream for batch in batches for part in batch.streams]
        self._planner.forget(streams)
        await self._learn(connection, streams)
        wanted = [answer for batch in batches for answer in batch.answers]
        rows = await connection.fetch(KNOWN_ANSWERS, [a.sender for a in wanted], [a.id for a in wanted])
        answers = [Answer(*row) for row in rows]
        ids = [transfer.id for batch in batches for transfer in batch.transfers]
        taken = await connection.fetch(_KNOWN_TRANSFERS, ids)
        return Known({(a.sender, a.id): a for a in answers}, {row[0] for row in taken})


async def _let_go(connection: "asyncpg.Connection[Any]", cut: BodiesCut) -> None:
    for stream, (after, last) in cut.streams.items():
        await connection.execute(sql.NOTE_CUT, stream, last)
        await connection.execute(_LET_BODIES_GO, stream, after, last, list(cut.types), timeout=_CUT_S)
    for writer, (after, last) in cut.writers.items():
        for start in range(after, last, _COMMITS_A_PAGE):
            page = (writer, start, min(last, start + _COMMITS_A_PAGE))
            rows = sql.sealed_rows(writer, [tuple(row) for row in await connection.fetch(sql.ANSWERS, *page)])
            await connection.executemany(sql.NOTE_ANSWERS, rows)
            await connection.execute(sql.LET_ANSWERS_GO, b"", *page)


def _columns(rows: list[sql.Row], first: int, last: int) -> list[list[Any]]:
    """The rows' fields from `first` to before `last`, each as one array."""
    return [[row[place] for row in rows] for place in range(first, last)]


def arguments(commit: Commit) -> list[Any]:
    """A commit as the arguments of WRITE."""
    return [
        *sql.commit_row(commit),
        *_columns(sql.span_rows(commit), 2, 6),
        *_columns(sql.event_rows(commit), 0, 6),
        *_columns(sql.transfer_rows(commit), 2, 11),
        *_columns(sql.answer_rows(commit), 2, 7),
    ]


async def copy_rows(connection: Any, commits: Sequence[Commit]) -> None:
    """All rows of commits by COPY, inside a transaction that somebody else ends."""
    parts = {
        "commits": [sql.commit_row(commit) for commit in commits],
        "spans": [row for commit in commits for row in sql.span_rows(commit)],
        "events": [row for commit in commits for row in sql.event_rows(commit)],
        "transfers": [row for commit in commits for row in sql.transfer_rows(commit)],
        "answers": [row for commit in commits for row in sql.answer_rows(commit)],
        "cut_commits": [
            (commit.writer, commit.number, commit.sealed_answers)
            for commit in commits
            if commit.sealed_answers is not None
        ],
        "cuts": [row for commit in commits for row in sql.left_rows(commit)],
    }
    for table, rows in parts.items():
        if rows:
            await connection.copy_records_to_table(table, records=rows)
