"""The audit of very many bets, with its memory; and the settlement of very many players through a desk.

Verifying stands beside reading alone, settling beside what the bare driver does with the same rows in one
transaction, all in the same run.
"""

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import Any, NamedTuple

import asyncpg

from bench._rounds import DEALER, SIGNER, START, commits, crowd, rounds
from taisai.adapters import sql
from taisai.adapters.auditing import helper as audit_helper
from taisai.adapters.auditing.helper import collect_seldom
from taisai.adapters.auditing.processes import audited_by
from taisai.adapters.clock import SystemClock
from taisai.adapters.postgres.journal import WRITE, arguments
from taisai.adapters.postgres.session import connect as connect_postgres
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.signing.keys import PublicKeys
from taisai.adapters.signing.trust import Trust
from taisai.adapters.sqlite.file import connect as connect_sqlite
from taisai.adapters.sqlite.journal import insert
from taisai.adapters.sqlite.packs import rows as read_rows
from taisai.adapters.sqlite.store import SqliteStore, read_snapshot
from taisai.floor.opening import table_desk
from taisai.floor.table.messages import InRound
from taisai.floor.views.house_views import VIEWS
from taisai.game import commands as cmd
from taisai.record.journal import Commit
from taisai.record.order import in_order
from taisai.record.ports import Store
from taisai.record.views import catch_up
from taisai.server.running import tune

PLAYERS_A_ROUND = 500
PLAYERS = 100_000
MEMORY_RATIO_MOST = 1.5


@contextmanager
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="taisai-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


async def record(path: Path, bets: int) -> None:
    """A file with so many bets, and its read models."""
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=SystemClock())
    await store.restore(commits(rounds(bets, PLAYERS_A_ROUND)))
    for view in VIEWS:
        await catch_up(store, view)
    await store.close()


async def read(path: Path) -> None:
    """Reading every row, and nothing else."""
    async with read_snapshot(path) as snapshot:
        async for _ in in_order(snapshot):
            pass


async def prove(path: Path, processes: int | None = None) -> None:
    """Everything that `taisai audit verify` checks."""
    await audited_by(processes, str(path), Trust(PublicKeys([SIGNER.public])))


async def prove_alone(path: Path) -> None:
    """The same by one process."""
    await prove(path, 1)


def apart(what: str, path: Path) -> dict[str, Any]:
    """Do it in a process of its own, and see how much memory that took."""
    found: dict[str, Any] = json.loads(in_own_process(f"measured({what!r}, {str(path)!r})"))
    return found


def in_own_process(call: str) -> bytes:
    """What a call of this module prints, where nothing was done before it."""
    program = f"from bench.audit import *; {call}"
    return subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True).stdout


def measured(what: str, path: str) -> None:
    """What `apart` runs."""
    import_module("taisai.game.columns")
    collect_seldom()
    start, worked = perf_counter(), process_time()
    asyncio.run({"read": read, "prove": prove, "prove alone": prove_alone}[what](Path(path)))
    seconds, worked = perf_counter() - start, process_time() - worked
    # The peak of this program alone; what `getrusage` says goes back to the process that started it.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    helpers = getrusage(RUSAGE_CHILDREN)
    found = {
        "seconds": seconds,
        "worked": worked,
        "helpers": helpers.ru_utime + helpers.ru_stime,
        "mib": int(peak[1]) / 1024 if peak else 0,
        "helpers_mib": helpers.ru_maxrss / 1024,
    }
    print(json.dumps(found))


def started() -> float:
    """What a helper takes of the processor before it has anything to do; reading alone does not count it."""
    before = getrusage(RUSAGE_CHILDREN)
    command = (sys.executable, "-P", "-m", audit_helper.__name__)
    subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(reading: dict[str, Any], proving: dict[str, Any], starting: float) -> float:
    """Reading beside proving, by the processor time of whichever process had the most to do.

    With a core for each process that is the ratio by the clock, whatever else the machine has to do.
    """
    return float(reading["worked"] / max(proving["worked"], proving["helpers"] - starting))


def prove_many(where: Path, bets: int) -> None:
    """Events and bets a second, and whether memory grows with them."""
    memory: list[float] = []
    for count in (bets // 10, bets):
        path = where / f"{count}.db"
        asyncio.run(record(path, count))
        events = read_rows(connect_sqlite(path), sql.COUNTS)[0][2]
        reading, proving = apart("read", path), apart("prove", path)
        memory.append(max(proving["mib"], proving["helpers_mib"]))
        seconds = proving["seconds"]
        print(
            f"  verify {count:9,} bets  {seconds:6.1f} s  {events / seconds:8,.0f} events/s "
            f"{count / seconds:8,.0f} bets/s, reading alone {reading['seconds']:.1f} s, "
            f"ratio {reading['seconds'] / seconds:.2f}, by the processor of the busiest process "
            f"{ratio(reading, proving, started()):.2f}, {memory[-1]:.0f} MiB",
            flush=True,
        )
    flat = memory[1] / memory[0]
    print(f"  memory for ten times the bets: ratio {flat:.2f} (at most {MEMORY_RATIO_MOST})")


Raw = Callable[[Commit], Awaitable[None]]


class Settled(NamedTuple):
    """A desk made again and one round of very many players through it, in processor time."""

    events_a_second: float
    ratio: float


async def settle(name: str, store: Store, raw: Raw) -> Settled:
    """One round of very many players through its desk: paid, and durable. `raw` holds the same round.

    The process is tuned as that of a server that has started, which has its desks by then.
    """
    tune()
    before = (await store.tips())["main"].number
    desk = table_desk("T1", store, SystemClock())
    start = process_time()
    await desk.start()
    rate = desk.version / (process_time() - start)
    print(f"  {name:8} a desk is rebuilt: {rate:,.0f} events/s of processor", flush=True)
    tune()
    command = cmd.SettleBets(by=DEALER, at=START)
    start = process_time()
    await desk.ask("bench", "settle", InRound(by=DEALER, at=START, command=command))
    spent = process_time() - start
    await desk.stop()
    taken, settled = await store.commits("main", after=before, limit=2)
    await raw(taken)
    start = process_time()
    await raw(settled)
    bare = process_time() - start
    print(
        f"  {name:8} {PLAYERS:,} players settled and durable: {spent:5.2f} s of processor "
        f"({len(settled.transfers):,} transfers), bare driver {bare:5.2f} s, ratio {bare / spent:.2f}",
        flush=True,
    )
    return Settled(rate, bare / spent)


def begin_crowd(where: Path) -> None:
    """The record that `settle_once` settles a copy of, made in a process of its own."""
    in_own_process(f"asyncio.run(gather_crowd(Path({str(where)!r})))")


def settle_once(where: Path) -> Settled:
    """One pass, in a process of its own: what a house has done before does not stand in its way."""
    said = in_own_process(f"asyncio.run(settle_copy(Path({str(where)!r})))").decode()
    *told, figures = said.splitlines()
    print("\n".join(told), flush=True)
    return Settled(*json.loads(figures))


async def gather_crowd(where: Path) -> None:
    """The record of one round with very many players; neither a desk nor a settlement reads its views."""
    settings: dict[str, Any] = {"writer": "main", "signer": SIGNER, "clock": SystemClock()}
    store = await SqliteStore.open(where / "fresh.db", **settings)
    await store.restore(commits(crowd(PLAYERS)))
    await store.close()


async def settle_copy(where: Path) -> None:
    """Settle that round once, and say the figures on the last line."""
    settings: dict[str, Any] = {"writer": "main", "signer": SIGNER, "clock": SystemClock()}
    for name in ("raw.db", "ours.db"):
        shutil.copy(where / "fresh.db", where / name)
    store = await SqliteStore.open(where / "ours.db", **settings)
    db = connect_sqlite(where / "raw.db")

    async def raw(commit: Commit) -> None:
        db.execute("BEGIN IMMEDIATE")
        insert(db, commit)
        db.execute("COMMIT")

    found = await settle("sqlite", store, raw)
    await store.close()
    db.close()
    print(json.dumps(found))


async def settle_postgres(where: Path) -> None:
    from tests.postgres import own_server

    settings: dict[str, Any] = {"writer": "main", "signer": SIGNER, "clock": SystemClock()}
    with own_server() as server:
        admin = await asyncpg.connect(server.url())
        await admin.execute("CREATE DATABASE ours")
        store = await PostgresStore.open(server.url("ours"), **settings)
        async with read_snapshot(where / "fresh.db") as made:
            await store.restore(in_order(made))
        await store.close()
        await admin.execute("CREATE DATABASE raw TEMPLATE ours")
        await admin.close()
        store = await PostgresStore.open(server.url("ours"), **settings)
        connection = await connect_postgres(server.url("raw"))

        async def raw(commit: Commit) -> None:
            await connection.execute(WRITE, *arguments(commit))

        await settle("postgres", store, raw)
        await connection.close()
        await store.close()


def main(bets: int = 1_000_000) -> None:
    with folder() as where:
        prove_many(where, bets)
    with folder() as where:
        begin_crowd(where)
        settle_once(where)
        asyncio.run(settle_postgres(where))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
