"""The record: durable slips a second, a large settlement made durable, and replay with verification.

Each figure stands beside what the bare driver does with the same rows, batches and durability in the same
run.
"""

import asyncio
import resource
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import apsw
import asyncpg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.adapters.clock import SystemClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.adapters.postgres.journal import WRITE, arguments
from taisai.adapters.postgres.session import connect as connect_postgres
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.signing.keys import PublicKeys, SigningKey
from taisai.adapters.sqlite.file import connect as connect_sqlite
from taisai.adapters.sqlite.journal import insert
from taisai.adapters.sqlite.store import SqliteStore
from taisai.ledger import Transfer
from taisai.record.journal import Answer, Batch, Commit, NewEvent, StreamEvents
from taisai.record.order import in_order
from taisai.record.ports import Store
from taisai.record.verify import verify

SIGNER = SigningKey(Ed25519PrivateKey.generate())
KEYS = PublicKeys([SIGNER.public])
START_AT = 1_700_000_000_000_000
BODY = (
    b'{"type":"BetsPlaced","by":{"id":"p-00001","role":"player"},"at":"2024-05-04T20:00:00Z","clause":"3.4",'
    b'"v":1,"player":"p-00001","version":1,"slip":{"big":5000,"sum-8":1000},'
    b'"asked":{"big":5000,"sum-8":1000}}'
)
ANSWER = b'{"accepted":{"player":"p-00001","version":1,"slip":{"big":5000,"sum-8":1000}},"head":1}'
REQUEST = sha256(b"a command").digest()


def slip(stream: str, number: int) -> Batch:
    """A bet as a desk records it: an event, a transfer from credit to stakes, an answer."""
    who = f"credit:p-{number % 1000:05d}"
    return Batch(
        (StreamEvents(stream, number - 1, (NewEvent("BetsPlaced", START_AT + number, BODY),)),),
        (Transfer(f"{stream}.{number}", "cash", who, 6_000, "buy_in", START_AT + number, "T1"),),
        (Answer("terminal-1", f"{stream}.{number}", REQUEST, ANSWER),),
    )


def payouts(stream: str, count: int) -> Batch:
    """What a settlement pays to very many players."""
    transfers = [
        Transfer(f"{stream}.pay.{n}", "house:T1", f"credit:p-{n:06d}", 5_000, "winnings", START_AT, "T1/1")
        for n in range(count)
    ]
    event = NewEvent("PayoutsMade", START_AT, BODY)
    return Batch((StreamEvents(stream, 0, (event,)),), tuple(transfers))


def prepared(batches: list[list[Batch]]) -> list[Commit]:
    """The commits that a store would write for these groups: the rows for the bare driver."""
    from taisai.record.group_commit import Known, Planner

    planner = Planner("raw", SIGNER, SystemClock())
    commits = []
    for group in batches:
        plan = planner.plan(group, Known())
        planner.accept(plan)
        if plan.commit is not None:
            commits.append(plan.commit)
    return commits


class Clients:
    """Players who wait together: each sends a bet, waits until it is durable, and sends the next."""

    def __init__(self, store: Store, count: int) -> None:
        self._store = store
        self._count = count

    async def send(self, batches: list[Batch]) -> float:
        start = perf_counter()
        waiting = [batches[n :: self._count] for n in range(self._count)]
        await asyncio.gather(*[self._client(own) for own in waiting])
        return perf_counter() - start

    async def _client(self, batches: list[Batch]) -> None:
        for batch in batches:
            await self._store.append(batch)


def raw_sqlite(db: apsw.Connection, commits: list[Commit]) -> float:
    start = perf_counter()
    for commit in commits:
        db.execute("BEGIN IMMEDIATE")
        insert(db, commit)
        db.execute("COMMIT")
    return perf_counter() - start


async def raw_postgres(connection: Any, commits: list[Commit]) -> float:
    start = perf_counter()
    for commit in commits:
        await connection.execute(WRITE, *arguments(commit))
    return perf_counter() - start


Raw = Callable[[list[Commit]], Awaitable[float]]


async def compare(name: str, store: Store, raw: Raw, waiting: int, slips: int) -> list[float]:
    """By turns the store and the bare driver, so that both see the same machine; the ratio of each turn."""
    spent = bare = 0.0
    ratios: list[float] = []
    clients = Clients(store, waiting)
    turns = 10
    for turn in range(turns):
        stream = f"table:T{waiting}-{turn}"
        numbers = range(1, slips // turns + 1)
        batches = [slip(stream, number) for number in numbers]
        other = [slip(f"{stream}-raw", number) for number in numbers]
        commits = prepared([other[n : n + waiting] for n in range(0, len(other), waiting)])
        commits = [_renumbered(commit, f"raw-{waiting}-{turn}") for commit in commits]
        ours, theirs = await clients.send(batches), await raw(commits)
        spent, bare = spent + ours, bare + theirs
        ratios.append(theirs / ours)
    count = slips // turns * turns
    print(
        f"{name:8} slips durable, {waiting:3} waiting: {count / spent:9,.0f}/s,"
        f" bare driver {count / bare:9,.0f}/s, ratio {bare / spent:.2f}"
    )
    return ratios


def _renumbered(commit: Commit, writer: str) -> Commit:
    import msgspec

    return msgspec.structs.replace(commit, writer=writer)


async def bulk(name: str, store: Store, raw: Raw, count: int) -> None:
    """A settlement of very many players in one batch."""
    spent = bare = 0.0
    for part in range(3):
        commits = prepared([[payouts(f"table:B{part}-raw", count)]])
        batch = payouts(f"table:B{part}", count)
        start = perf_counter()
        await store.append(batch)
        spent += perf_counter() - start
        bare += await raw([_renumbered(commit, f"bulk-{part}") for commit in commits])
    print(
        f"{name:8} {count:,} payouts durable: {spent / 3:.2f} s, bare driver {bare / 3:.2f} s,"
        f" ratio {bare / spent:.2f}"
    )


async def replay(name: str, store: Store) -> None:
    """Read everything back and verify it; against reading it without checking."""
    async with store.snapshot() as snapshot:
        start = perf_counter()
        events = 0
        async for commit in in_order(snapshot):
            events += len(commit.events)
        reading = perf_counter() - start
        before = _memory_mib()
        start = perf_counter()
        findings = await verify(snapshot, KEYS)
        spent = perf_counter() - start
    print(
        f"{name:8} verify {findings.events:,} events, {findings.transfers:,} transfers: "
        f"{findings.events / spent:,.0f} events/s, reading alone {events / reading:,.0f}/s,"
        f" ratio {reading / spent:.2f}, memory +{_memory_mib() - before} MiB"
    )


def _memory_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@contextmanager
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="taisai-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


@asynccontextmanager
async def sqlite_pair(where: Path) -> AsyncIterator[tuple[Store, Raw]]:
    """A store, and the bare driver on a file of its own."""
    store = await SqliteStore.open(where / "ours.db", writer="main", signer=SIGNER, clock=SystemClock())
    other = await SqliteStore.open(where / "raw.db", writer="main", signer=SIGNER, clock=SystemClock())
    await other.close()
    db = connect_sqlite(where / "raw.db")

    async def raw(commits: list[Commit]) -> float:
        return raw_sqlite(db, commits)

    try:
        yield store, raw
    finally:
        db.close()
        await store.close()


async def bench_sqlite(slips: int, bets: int) -> None:
    with folder() as where:
        async with sqlite_pair(where) as (store, raw):
            for waiting in (1, 50, 500):
                await compare("sqlite", store, raw, waiting, slips * min(waiting, 40))
            await bulk("sqlite", store, raw, 100_000)
        await bench_replay(where, bets)


async def bench_replay(where: Path, bets: int) -> None:
    store = await SqliteStore.open(where / "long.db", writer="main", signer=SIGNER, clock=SystemClock())
    for first in range(1, bets, 1_000):
        group = [slip("table:T1", number) for number in range(first, first + 1_000)]
        await asyncio.gather(*[store.append(batch) for batch in group])
    await replay("sqlite", store)
    await store.close()


@asynccontextmanager
async def postgres_pair() -> AsyncIterator[tuple[Store, Raw]]:
    """The same on a server that is started for it."""
    from tests.postgres import own_server

    with own_server() as server:
        admin = await asyncpg.connect(server.url())
        for name in ("ours", "raw"):
            await admin.execute(f"CREATE DATABASE {name}")
        await admin.close()
        settings: dict[str, Any] = {"writer": "main", "signer": SIGNER, "clock": SystemClock()}
        store = await PostgresStore.open(server.url("ours"), **settings)
        other = await PostgresStore.open(server.url("raw"), **settings)
        await other.close()
        connection = await connect_postgres(server.url("raw"))

        async def raw(commits: list[Commit]) -> float:
            return await raw_postgres(connection, commits)

        try:
            yield store, raw
        finally:
            await connection.close()
            await store.close()


async def bench_postgres(slips: int) -> None:
    async with postgres_pair() as (store, raw):
        for waiting in (1, 50, 500):
            await compare("postgres", store, raw, waiting, slips * min(waiting, 40))
        await bulk("postgres", store, raw, 100_000)


async def bench_memory(slips: int) -> None:
    store = MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=SystemClock())
    batches = [slip("table:T1", number) for number in range(1, slips + 1)]
    spent = await Clients(store, 1).send(batches)
    print(f"memory   slips, one signature each: {slips / spent:,.0f}/s")


def main(slips: int = 1_000, bets: int = 1_000_000) -> None:
    asyncio.run(bench_memory(slips))
    asyncio.run(bench_sqlite(slips, bets))
    asyncio.run(bench_postgres(slips))


if __name__ == "__main__":
    main()
