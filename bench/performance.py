"""`python -m bench.performance [FILE]`: the table of docs/reference/performance.md, measured and written.

Every figure is a ratio to a baseline of the same run, or an amount that does not depend on the machine's
load; processor time wherever that can be had. A figure whose passes are on both sides of what is to be
reached is one that this run cannot tell.
"""

import asyncio
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

import uvloop

from bench import audit, clone, installed, pauses, record, server, settle
from bench._line import library_lines, lines

PASSES = 5
CLONES = 2
# Neither the ratio nor the memory depends on the length; `python -m bench audit` has a million.
AUDITED = 250_000


class Row(NamedTuple):
    """One line: what is measured, each pass, what is to be reached, and whether less is better."""

    work: str
    passes: Sequence[float]
    reach: float | None
    unit: str
    less: bool = True

    @property
    def verdict(self) -> str:
        if self.reach is None:
            return ""
        good = [(each <= self.reach) if self.less else (each >= self.reach) for each in self.passes]
        return "reached" if all(good) else "this run cannot tell" if any(good) else "not reached"

    def line(self) -> str:
        low, high = min(self.passes), max(self.passes)
        bound = "" if self.reach is None else f"{'at most' if self.less else 'at least'} {said(self.reach)}"
        spread = f" ({said(low)} to {said(high)})" if len(self.passes) > 1 else ""
        return f"| {self.work} | {said(median(self.passes))} {self.unit}{spread} | {bound} | {self.verdict} |"


def said(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}" if figure >= 10 else f"{figure:.2f}"


def of_server() -> Iterator[Row]:
    """Slips and results, at a thousand bare sockets and at a hundred of the library's."""
    bare = [server.measured(server.BARE, lines) for _ in range(PASSES)]
    few = [server.measured(100, library_lines) for _ in range(PASSES)]

    def each(of: Callable[[server.Pass], float], passes: Sequence[server.Pass] = bare) -> list[float]:
        return [of(one) for one in passes]

    echo, line = "× uvicorn's echo", "× our own line's echo"
    yield Row("slip, 1,000 bare sockets", each(lambda one: one.house.cpu / one.echo.cpu), 2.6, echo)
    yield Row("slip, 100 terminals", each(lambda one: one.house.cpu / one.echo.cpu, few), 5.0, echo)
    least = each(lambda one: one.house.cpu / one.line.cpu)
    yield Row("slip, 1,000 bare sockets, beside the least it could cost", least, None, line)
    told = each(lambda one: one.house.told_cpu / one.echo.told_cpu)
    yield Row("settled and told to all 1,000", told, 5.0, "× a bare broadcast")
    yield Row("bytes on disk a slip", each(lambda one: one.house.disk), 500, "B")
    memory = each(lambda one: one.house.memory / 1024)
    yield Row("memory a terminal", memory, 26, "KiB")


def of_installed() -> Iterator[Row]:
    """What a server needs of the disk before it has a record."""
    sizes = installed.server_sizes()
    yield Row("what a server installs", [sum(sizes.values())], 300, "MB")


def of_clone() -> Iterator[Row]:
    """What whoever tries it first waits for."""
    pages = clone.measured(CLONES)
    yield Row("from an empty clone to the first page", [each.seconds for each in pages], 30, "s by the clock")
    yield Row("what that takes of the processors", [each.worked for each in pages], None, "s")


def of_columns() -> Iterator[Row]:
    """What is settled without desks."""
    yield Row("a million bets by columns", settle.column_ratios(9), 2.0, "× a bare gather")


def of_record() -> Iterator[Row]:
    """Durable slips with fifty waiting, against the bare driver, by the clock and by turns."""
    yield from asyncio.run(_durable())


async def _durable() -> list[Row]:
    with record.folder() as where:
        async with record.sqlite_pair(where) as (store, raw):
            sqlite = await record.compare("sqlite", store, raw, 50, 40_000)
    async with record.postgres_pair() as (store, raw):
        postgres = await record.compare("postgres", store, raw, 50, 20_000)
    driver = "of the bare driver"
    return [
        Row("durable slips, SQLite, 50 waiting", sqlite, 0.75, driver, less=False),
        Row("durable slips, PostgreSQL, 50 waiting", postgres, 0.8, driver, less=False),
    ]


def of_audit() -> Iterator[Row]:
    """A desk made again, a very large settlement, and the audit of a long record."""
    with audit.folder() as where:
        found = asyncio.run(audit.settle_sqlite(where, passes=3))
    rebuilt = [each.events_a_second for each in found]
    yield Row("a desk is made again", rebuilt, 80_000, "events a second of processor", less=False)
    ratios = [each.ratio for each in found]
    yield Row(f"{audit.PLAYERS:,} players settled", ratios, 0.5, "of the bare driver", less=False)
    with audit.folder() as where:
        path = where / "long.db"
        asyncio.run(audit.record(path, AUDITED))
        pairs = [(audit.apart("read", path), audit.apart("prove", path)) for _ in range(3)]
    proven = [audit.ratio(read, proving) for read, proving in pairs]
    shared = "a process a core, the busiest" if pairs[0][1]["helpers"] else "one process"
    yield Row(f"audit of {AUDITED:,} bets, {shared}", proven, 0.3, "of reading alone", less=False)
    most = [max(proving["mib"], proving["helpers_mib"]) for _, proving in pairs]
    yield Row("memory of the largest of its processes", most, None, "MiB")


def of_pauses() -> Iterator[Row]:
    """The longest that the loop works without a turn for anybody else."""
    found = []
    for _ in range(3):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            found.append(runner.run(pauses.measure(pauses.TABLES, pauses.TERMINALS)))
    many = f"{pauses.TABLES} × {pauses.TERMINALS:,} terminals"
    slips = [each[0].worked * 1000 for each in found]
    yield Row(f"pause of the loop, {many}, slips, 99.9 %", slips, 50, "ms of processor")
    told = [each[1].worked * 1000 for each in found]
    yield Row("the same while rounds are settled and told at all of them", told, 50, "ms of processor")


def machine() -> str:
    """The processor's name, as the system has it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


PAGE = """# Performance

Measured by `python -m bench.performance` on {day}: {machine}, {cores} cores, Python {python}, {system}.
Load of the machine when it began {before}, when it ended {after}{busy}.

Each figure is the median of its passes, by turns with its baseline in one run, with the lowest and the
highest in brackets; processor time, but for durable slips, which wait for the disk, and the first page, which
somebody waits for. A figure whose passes are on both sides of what is to be reached is one that the run
cannot tell.

| work | measured | to reach | |
| --- | --- | --- | --- |
{rows}
{missing}
The baselines: a bare WebSocket echo and broadcast with the same clients and messages of the same size; the
bare driver with the same rows in the same transactions; reading every row and doing nothing with it; the
gather alone that columns are settled by. `python -m bench NAME` measures one subject with more detail.
"""


UNFINISHED = "\nThe run ended before it was through: what is not in the table was not measured that day.\n"


def page(rows: Sequence[str], before: float, after: float, *, whole: bool = True) -> str:
    """The page, with the day and the machine that it was measured on, and whether the run was through."""
    cores = os.cpu_count() or 1
    busy = ": others used it too" if max(before, after) > cores else ""
    return PAGE.format(
        day=datetime.now(UTC).date(),
        machine=machine(),
        cores=cores,
        python=platform.python_version(),
        system=platform.system(),
        before=f"{before:.1f}",
        after=f"{after:.1f}",
        busy=busy,
        rows="\n".join(rows),
        missing="" if whole else UNFINISHED,
    )


def measure() -> Iterator[Row]:
    """All rows, those that take the longest last."""
    server.many_files()
    for some in (of_installed, of_clone, of_columns, of_record, of_server, of_audit, of_pauses):
        yield from some()


def write(path: str | None) -> None:
    """Say each row as soon as it is known; a run that is ended leaves a page of what it has."""
    before, rows = os.getloadavg()[0], list[str]()
    for row in measure():
        rows.append(row.line())
        print(rows[-1], flush=True)
        if path:
            Path(path).write_text(page(rows, before, os.getloadavg()[0], whole=False), encoding="utf-8")
    made = page(rows, before, os.getloadavg()[0])
    if path:
        Path(path).write_text(made, encoding="utf-8")
    else:
        print(made)


if __name__ == "__main__":
    write(sys.argv[1] if sys.argv[1:] else None)
