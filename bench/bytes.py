"""Bytes a slip, as a cluster's desk records it: PostgreSQL's log, and what SQLite keeps.

A hundred terminals bet together, so that a commit holds about as many slips. Bytes are counted, not timed: no
baseline is needed, and a loaded machine gives the same figure.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

import apsw
import asyncpg
from tests.floor.houses import KEY, START, cluster, deal, seat, start_round
from tests.postgres import own_server

from bench.record import SIGNER, folder
from taisai.adapters.clock import ManualClock
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.sqlite.store import SqliteStore
from taisai.dice import Roll
from taisai.floor.approvals.asked import TableAct
from taisai.floor.house import House
from taisai.floor.plan import HousePlan
from taisai.floor.table.messages import Accepted, InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.record.ports import Store

TERMINALS = 100
Measure = Callable[[], Awaitable[int]]


async def _bet(house: House, sessions: list[str], version: int) -> None:
    async def placed(session: str) -> None:
        by = Actor(session, Role.PLAYER)
        slip = {"big": 500 * version, "sum-8": 100 * version}
        placing = cmd.PlaceBets(by=by, at=house.now(), player=session, slip=slip, version=version)
        asked = TableAct("C1", InRound(by=by, at=placing.at, command=placing))
        answer = await house.do(asked, by, uuid4().hex)
        if not isinstance(answer, Accepted):
            raise RuntimeError(f"a slip was refused: {answer}")

    await asyncio.gather(*map(placed, sessions))


async def slips(name: str, store: Store, measure: Measure, *, changes: int = 10, rounds: int = 5) -> None:
    """A slip alone, then one with its share of a round and its settlement."""
    tables = (cluster(betting_seconds=None),)
    plan = HousePlan(name="bench", currency="SGD", currency_exponent=2, play_money=True, tables=tables)
    house = House(plan, store, ManualClock(START), KEY)
    await house.start()
    sessions = [await seat(house, "C1", f"C1-{number}", 10_000_000) for number in range(1, TERMINALS + 1)]
    await start_round(house, "C1")
    await _bet(house, sessions, 1)
    before = await measure()
    for version in range(2, changes + 2):
        await _bet(house, sessions, version)
    placed = (await measure() - before) / changes / TERMINALS
    before = await measure()
    for _ in range(rounds):
        await deal(house, "C1", Roll(1, 2, 3))
        await start_round(house, "C1")
        await _bet(house, sessions, 1)
    settled = (await measure() - before) / rounds / TERMINALS
    await house.stop()
    print(f"{name:8} a slip: {placed:5,.0f} B; with its round and settlement: {settled:5,.0f} B")


async def on_postgres() -> None:
    with own_server() as server:
        store = await PostgresStore.open(
            server.url(), writer="house", signer=SIGNER, clock=ManualClock(START)
        )
        looking = await asyncpg.connect(server.url())
        await looking.execute("CHECKPOINT")

        async def log() -> int:
            return int(await looking.fetchval("SELECT pg_current_wal_insert_lsn() - '0/0'"))

        await slips("postgres", store, log)
        await looking.close()
        await store.close()


async def on_sqlite() -> None:
    with folder() as where:
        path = where / "record.db"
        store = await SqliteStore.open(path, writer="house", signer=SIGNER, clock=ManualClock(START))

        async def payload() -> int:
            db = apsw.Connection(str(path))
            found = int(db.execute("SELECT sum(payload) FROM dbstat").fetchall()[0][0])
            db.close()
            return found

        await slips("sqlite", store, payload)
        await store.close()


def main() -> None:
    asyncio.run(on_postgres())
    asyncio.run(on_sqlite())


if __name__ == "__main__":
    main()
