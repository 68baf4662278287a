"""A desk asked over the bus, against the same desk asked in its own process: slips a second of processor.

Both are processes of their own on the same kind of store (SQLite), and only the desk's time is counted: what
the bus adds to it is reading acts and writing answers. The gateway's side is told beside it.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.floor.houses import KEY, START, cluster, seat, start_round
from tests.nats import nats_server

from bench._child import REPOSITORY
from bench.record import SIGNER, folder
from taisai.adapters.bus.asking import BusAsking
from taisai.adapters.bus.following import BusFollowing
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.owner import OwnerOnBus
from taisai.adapters.clock import ManualClock
from taisai.adapters.sqlite.looking import SqliteLooking
from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import TaisaiError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.door.answers import Answer
from taisai.floor.followed import FollowedHouse
from taisai.floor.house import House
from taisai.floor.plan import HousePlan
from taisai.floor.ports import Asked
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import Accepted, InRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.record.carrying import carrying
from taisai.record.journal import Batch

TERMINALS = 500
CHANGES = 40
RUNS = 3
SLIPS = TERMINALS * CHANGES
_PATIENCE = 120.0  # whatever else the machine does
PLAN = HousePlan(name="bench", currency="SGD", currency_exponent=2, play_money=True, tables=(cluster("C1"),))


def slips(version: int) -> list[Asked]:
    """One slip of every terminal."""
    found = []
    for number in range(1, TERMINALS + 1):
        session = f"C1-{number}.1"
        by = Actor(session, Role.PLAYER)
        slip = {"big": 500 * version, "sum-8": 100 * version}
        placing = cmd.PlaceBets(by=by, at=START, player=session, slip=slip, version=version)
        act = TableAct("C1", InRound(by=by, at=START, command=placing))
        found.append(Asked(act, by, f"{session}.{version}"))
    return found


def check(answers: Sequence[Answer | TaisaiError]) -> None:
    for answer in answers:
        if not isinstance(answer, Accepted):
            raise RuntimeError(f"a slip was refused: {answer}")


async def desk(url: str) -> None:
    """The desk's process: alone where there is no address, else asked over the bus until told to end."""
    owners: list[OwnerOnBus] = []

    def carry(batch: Batch) -> None:
        for each in owners:
            each.carry(batch)

    with folder() as where:
        store = await SqliteStore.open(
            where / "record.db", writer="house", signer=SIGNER, clock=ManualClock(START)
        )
        house = House(PLAN, carrying(store, carry) if url else store, ManualClock(START), KEY)
        await house.start()
        await asyncio.gather(*(seat(house, "C1", f"C1-{one}", 10_000_000) for one in range(1, TERMINALS + 1)))
        await start_round(house, "C1")
        if url:
            link = BusLink([url], "desk")
            await link.open()
            owners.append(OwnerOnBus(link, "desk", house))
            await owners[0].start()
        made = [] if url else [slips(version) for version in range(1, 2 * CHANGES + 1)]
        print(where / "record.db", flush=True)
        before = time.process_time()
        if url:
            await asyncio.to_thread(sys.stdin.readline)
        else:
            for asked in made:
                check(await house.do_many(asked))
        print(time.process_time() - before, flush=True)
        os._exit(0)  # nothing more is measured


async def gateway(url: str, record: Path) -> tuple[float, float]:
    """Ask everything; what that took of this process, and what following it took besides."""
    made = [slips(version) for version in range(1, 2 * CHANGES + 1)]
    link = BusLink([url], "gateway")
    await link.open()
    asking = BusAsking(link, [table_stream("C1")], patience=_PATIENCE)
    before = time.process_time()
    for asked in made[:CHANGES]:
        check(await asking.do_many(asked))
    took = time.process_time() - before
    store = SqliteLooking(record)
    following = BusFollowing(link, FollowedHouse(PLAN, store, ManualClock(START)))
    await following.start()
    asking = BusAsking(link, [table_stream("C1")], patience=_PATIENCE, reached=following.reached)
    before = time.process_time()
    for asked in made[CHANGES:]:
        check(await asking.do_many(asked))
    both = time.process_time() - before
    await asking.close()
    await link.close()
    await store.close()
    return took, both - took


def measured(url: str) -> tuple[float, float, float]:
    """Seconds of the desk, of the gateway's asking and of its following, for so many slips."""
    environment = {**os.environ, "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{REPOSITORY / 'src'}"}
    child = subprocess.Popen(
        [sys.executable, "-m", "bench._bus_desk", url],
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if child.stdin is None or child.stdout is None:
        raise RuntimeError("no pipes")
    record = Path(child.stdout.readline().strip())
    asked, followed = asyncio.run(gateway(url, record)) if url else (0.0, 0.0)
    took, _ = child.communicate("end\n")
    return float(took) / 2, asked, followed


def main() -> None:
    """Print both, and what the gateway's side takes beside them."""
    alone, bus, gateways, copies = [], [], [], []
    with nats_server() as server:
        for _ in range(RUNS):
            alone.append(measured("")[0])
            desk_took, asked, followed = measured(server.url)
            bus.append(desk_took)
            gateways.append(asked)
            copies.append(followed)
    print(f"  {SLIPS:,} slips, {RUNS} runs each, processor time, medians")
    print(f"  desk in process   {SLIPS / median(alone):>10,.0f} slips/s")
    print(
        f"  desk by the bus   {SLIPS / median(bus):>10,.0f} slips/s:"
        f" {median(alone) / median(bus):.2f} of it (at least 0.85)"
    )
    print(f"  gateway, asking   {median(gateways) / SLIPS * 1e6:>10.1f} µs a slip")
    print(f"  and following     {median(copies) / SLIPS * 1e6:>10.1f} µs a slip of all tables", flush=True)


if __name__ == "__main__":
    asyncio.run(desk(sys.argv[1]))
