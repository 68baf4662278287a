"""Slips on PostgreSQL with a synchronous standby, against the same server without."""

import asyncio
import time
from statistics import median
from typing import Final

from tests.floor.houses import KEY, START, seat, start_round
from tests.postgres import HAS_STANDBY, Server, replicated_servers

from bench._bus_desk import PLAN, TERMINALS, check, slips
from bench.record import SIGNER
from taisai.adapters.clock import ManualClock
from taisai.adapters.postgres.store import PostgresStore
from taisai.floor.house import House

CHANGES: Final = 10
PASSES: Final = 5


async def slips_a_second(primary: Server, number: int) -> float:
    """By the wall: what a standby costs is waiting."""
    name = f"bench_{number}"
    await asyncio.to_thread(primary.sql, f"CREATE DATABASE {name}")
    clock = ManualClock(START)
    store = await PostgresStore.open(primary.url(name), writer="house", signer=SIGNER, clock=clock)
    house = House(PLAN, store, clock, KEY)
    await house.start()
    await asyncio.gather(*(seat(house, "C1", f"C1-{one}", 10_000_000) for one in range(1, TERMINALS + 1)))
    await start_round(house, "C1")
    made = [slips(version) for version in range(1, CHANGES + 1)]
    began = time.perf_counter()
    for asked in made:
        check(await house.do_many(asked))
    took = time.perf_counter() - began
    await house.stop()
    await store.close()
    return TERMINALS * CHANGES / took


def main() -> None:
    """Print the ratio; by turns, the best of each, since the machine may do other things, too."""
    rates: dict[str, list[float]] = {"": [], "*": []}
    with replicated_servers() as (primary, _):
        for number in range(PASSES):
            for turn, (standby, found) in enumerate(rates.items()):
                primary.set_for_good("synchronous_standby_names", standby)
                primary.wait_until(HAS_STANDBY if standby else f"NOT {HAS_STANDBY}")
                found.append(asyncio.run(slips_a_second(primary, 2 * number + turn)))
    ratios = [with_it / without for without, with_it in zip(rates[""], rates["*"], strict=True)]
    print(
        f"  synchronous standby: {max(rates['*']) / max(rates['']):.2f} of the slips a second without one"
        f" (at least 0.85), best of {PASSES} passes each: {max(rates['*']):,.0f} to {max(rates['']):,.0f};"
        f" pass by pass {median(ratios):.2f}",
        flush=True,
    )
