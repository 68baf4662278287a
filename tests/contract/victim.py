"""A record in the hands of somebody who has the store but not the key."""

from collections.abc import Callable, Iterator
from typing import Any

import apsw
import msgspec

from taisai.adapters import sql
from taisai.adapters.sql_reads import SqlReads
from taisai.adapters.sqlite.journal import insert
from taisai.adapters.sqlite.packs import rows, said
from taisai.record.chain import tip_of
from taisai.record.faults import RecordFault
from taisai.record.journal import (
    Answer,
    Batch,
    Commit,
    Event,
    Span,
    Tip,
    commit_digest,
    event_digest,
    signed_bytes,
    stream_genesis,
)
from taisai.record.order import in_order
from taisai.record.ports import Store
from taisai.record.verify import verify
from taisai.record.views import BALANCES, VIEWS, catch_up
from tests.record import KEYS, START_AT, answer, bet, buy_in, on, slip

TABLES = ("events", "spans", "commits", "transfers", "answers", "view_rows")
SQLITE_TABLES = (*TABLES, "commands", "packs")
KEY_COLUMNS = {
    "events": ("stream", "version"),
    "spans": ("writer", "number", "stream"),
    "commits": ("writer", "number"),
    "transfers": ("writer", "number", "n"),
    "answers": ("writer", "number", "n"),
    "view_rows": ("view", "key"),
    "commands": ("key",),
    "packs": ("writer", "number"),
}


async def record(store: Store) -> None:
    """Twenty commits on several streams, with transfers, answers and a view; one has many events."""
    for number in range(1, 13):
        await store.append(slip(number))
    for number in range(1, 5):
        await store.append(slip(number, stream="table:T2"))
    await store.append(
        Batch((on("table:T1", 12, 3, at=START_AT + 30), on("ticket:ab12", 0)), (bet("p1", 50, "bet.1"),))
    )
    many = tuple(answer(f"many.{number}") for number in range(6))
    refused = answer("refused", b'{"refused":"betting_closed"}')
    await store.append(Batch((on("table:T4", 0, 12, at=START_AT + 35),), answers=(refused, *many)))
    await store.append(Batch((on("table:T1", 15, at=START_AT + 40),), (buy_in("p1", 1, "x.1"),)))
    await catch_up(store, BALANCES)
    await store.append(Batch((on("ticket:ab12", 1, 2, at=START_AT + 50),), (buy_in("p2", 1, "x.2"),)))


class _Direct:
    """Reads through one connection to a database in memory."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    async def query(self, text: str, *arguments: object) -> list[sql.Row]:
        return rows(self._db, text, *arguments)

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        return said(self._db, writer, after, upto)

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]:
        raise AssertionError("verification asks for no answers")

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]:
        raise AssertionError("verification asks for no single rows")

    async def keeps_cuts(self) -> bool:
        return True


class Victim:
    """A record that is altered, verified and put right again."""

    def __init__(self, db: apsw.Connection, witnessed: list[Tip]) -> None:
        self.db = db
        self.reads = SqlReads(_Direct(db))
        self.witnessed = witnessed
        self.mutations = 0

    async def fault(self, alter: Callable[[], object], *, witnessed: bool = False) -> RecordFault | None:
        self.db.execute("SAVEPOINT before")
        try:
            alter()
            self.mutations += 1
            await verify(self.reads, KEYS, views=VIEWS, witnessed=self.witnessed if witnessed else ())
        except RecordFault as fault:
            return fault
        finally:
            self.db.execute("ROLLBACK TO before")
            self.db.execute("RELEASE before")
        return None

    async def found(self, what: str, alter: Callable[[], object], *, witnessed: bool = False) -> RecordFault:
        fault = await self.fault(alter, witnessed=witnessed)
        assert fault is not None, f"not found: {what}"
        assert fault.where
        assert fault.what
        return fault

    def rows(self, table: str) -> list[dict[str, Any]]:
        cursor = self.db.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def update(self, table: str, row: dict[str, Any], column: str, value: object) -> None:
        keys = KEY_COLUMNS[table]
        where = " AND ".join(f"{key} = ?" for key in keys)
        self.db.execute(
            f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *(row[key] for key in keys))
        )

    def delete(self, table: str, row: dict[str, Any]) -> None:
        keys = KEY_COLUMNS[table]
        where = " AND ".join(f"{key} = ?" for key in keys)
        self.db.execute(f"DELETE FROM {table} WHERE {where}", tuple(row[key] for key in keys))

    def add(self, table: str, row: tuple[object, ...]) -> None:
        self.db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def replace_all(self, commits: list[Commit]) -> None:
        for table in ("events", "spans", "commits", "transfers", "answers", "commands", "packs"):
            self.db.execute(f"DELETE FROM {table}")
        for commit in commits:
            insert(self.db, commit)


def altered(value: Any) -> Iterator[Any]:
    """Every way in which a value is altered: each byte flipped, each number moved."""
    if isinstance(value, bytes):
        for place in range(len(value)):
            yield value[:place] + bytes([value[place] ^ (1 << place % 8)]) + value[place + 1 :]
        if len(value) not in (32, 64):
            yield value + b"\x00"
            yield value[:-1]
    elif isinstance(value, str):
        yield value + "x"
        yield value[:-1] if value else "y"
        yield value.swapcase() if value.swapcase() != value else value + "0"
    elif isinstance(value, int):
        yield value + 1
        yield value + 1_000_000
        if value > 1:
            yield value - 1
    else:
        yield "something"


async def commits_of(victim: Victim) -> list[Commit]:
    return [commit async for commit in in_order(victim.reads)]


def rechained(
    commits: list[Commit], *, sign: Callable[[bytes], bytes] | None = None, key: str | None = None
) -> list[Commit]:
    """The same commits with every digest made again; signed by somebody else, or with the old signatures."""
    heads: dict[str, bytes] = {}
    tips: dict[str, Tip] = {}
    made = []
    for commit in commits:
        events: list[Event] = []
        for event in commit.events:
            before = heads.get(event.stream, stream_genesis(event.stream))
            heads[event.stream] = event_digest(before, event.version, event.at, event.type, event.body)
            events.append(msgspec.structs.replace(event, digest=heads[event.stream]))
        spans = [Span(s.stream, s.first, s.last, heads[s.stream]) for s in commit.spans]
        other = msgspec.structs.replace(
            commit, events=tuple(events), spans=tuple(spans), key=key or commit.key
        )
        digest = commit_digest(other, tips.get(commit.writer))
        signature = sign(signed_bytes(digest)) if sign else commit.signature
        other = msgspec.structs.replace(other, digest=digest, signature=signature)
        tips[commit.writer] = tip_of(other)
        made.append(other)
    return made


def forge(commit: Commit, change: str) -> Commit:
    """A commit with a better story."""
    if change == "body" and commit.events:
        first = msgspec.structs.replace(commit.events[0], body=b'{"n":9}')
        return msgspec.structs.replace(commit, events=(first, *commit.events[1:]))
    if change == "date" and commit.events:
        first = msgspec.structs.replace(commit.events[0], at=START_AT - 5)
        return msgspec.structs.replace(commit, events=(first, *commit.events[1:]))
    if change == "amount" and commit.transfers:
        first_transfer = msgspec.structs.replace(commit.transfers[0], amount_minor=9)
        return msgspec.structs.replace(commit, transfers=(first_transfer, *commit.transfers[1:]))
    if change == "answer" and commit.answers:
        first_answer = Answer(
            commit.answers[0].sender, commit.answers[0].id, commit.answers[0].request, b"no"
        )
        return msgspec.structs.replace(commit, answers=(first_answer,))
    return msgspec.structs.replace(commit, at=commit.at - 1)
