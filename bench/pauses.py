"""The loop's pauses: how long everybody waits for a turn while slips come in, are settled and told.

The server looks at its own clock every millisecond, both by the wall and by the processor time of its loop's
thread. The first says what a client feels, and on a busy machine it is mostly the machine; the second is what
the server did without a pause, whatever else runs.
"""

import asyncio
import os
from array import array
from pathlib import Path
from time import perf_counter, thread_time
from typing import NamedTuple

import uvloop

from bench._house import served_house
from bench._line import AnyLine, lines
from bench.server import closed_loop, many_files, seated, slip, table_names, until_all

TABLES, TERMINALS = 5, 1_000  # as many as one table may have
PASSES = 3
TICK_SECONDS = 0.001
FILE = "pauses.bin"


def watch_pauses(folder: str) -> None:
    """In the server: write down at each tick when it was, and how late by the wall and the processor."""
    loop, told = asyncio.get_running_loop(), array("d")
    with Path(folder, FILE).open("wb"):
        pass
    before = [perf_counter(), thread_time()]

    def tick() -> None:
        now, worked = perf_counter(), thread_time()
        told.extend((now, now - before[0] - TICK_SECONDS, worked - before[1]))
        if len(told) >= 600:
            with Path(folder, FILE).open("ab") as file:
                told.tofile(file)
            del told[:]
        before[:] = perf_counter(), thread_time()
        loop.call_later(TICK_SECONDS, tick)

    tick()


class Pauses(NamedTuple):
    """The pauses of one span, in seconds: the 99.9th percentile and the longest, by wall and by processor."""

    wall: float
    wall_longest: float
    worked: float
    worked_longest: float
    count: int


def pauses_between(folder: str, began: float, ended: float) -> Pauses:
    """What the server wrote down of a span of time."""
    read = array("d")
    raw = Path(folder, FILE).read_bytes()
    read.frombytes(raw[: len(raw) // 24 * 24])
    seen = [read[at : at + 3] for at in range(0, len(read), 3) if began <= read[at] <= ended]
    walls, workeds = sorted(each[1] for each in seen), sorted(each[2] for each in seen)
    at = int(0.999 * (len(seen) - 1))
    return Pauses(walls[at], walls[-1], workeds[at], workeds[-1], len(seen))


async def measure(tables: int, terminals: int) -> tuple[Pauses, Pauses]:
    """Under slips alone, and from the first closing until the last terminal has its result."""
    async with served_house(terminals, str(tables)) as house:

        async def ended_round(table: str) -> None:
            await house.throw(table)
            await house.act(table, "SettleBets")

        async def all_rounds() -> None:
            await asyncio.gather(*map(ended_round, table_names(tables)))

        clients: list[AnyLine] = []
        for table in table_names(tables):
            await house.act(table, "StartRound")
            clients += await seated(house.port, terminals, lines, table)
        began = perf_counter()
        await closed_loop(clients, slip, lambda text: text.startswith(b'{"type":"SlipReg'))
        closed = perf_counter()
        await until_all(clients, lambda text: text.startswith(b'{"type":"Settled"'), all_rounds)
        ended = perf_counter()
        await asyncio.sleep(1.0)  # for the last ticks to be written
        for line in clients:
            line.close()
        return pauses_between(house.folder, began, closed), pauses_between(house.folder, closed, ended)


def main() -> None:
    """Print the pauses, the longest of the passes."""
    many_files()
    print(f"  load of the machine before it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for number in range(PASSES):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            slips, settled = runner.run(measure(TABLES, TERMINALS))
        for name, found in (("slips", slips), ("settled and told", settled)):
            print(
                f"  pass {number + 1}, {name}: 99.9th percentile {found.worked * 1000:.0f} ms of processor "
                f"(longest {found.worked_longest * 1000:.0f}), {found.wall * 1000:.0f} ms by the wall "
                f"(longest {found.wall_longest * 1000:.0f}), {found.count:,} ticks",
                flush=True,
            )


if __name__ == "__main__":
    main()
