"""`python -m bench.performance [FILE]`: the table of docs/reference/performance.md, measured and written.

Every figure is a ratio to a baseline of the same run, or an amount that does not depend on the machine's
load; processor time wherever that can be had. A figure whose passes are on both sides of what is to be
reached is one that this run cannot tell. Each part is measured in a process of its own and has so much time:
one that fails or takes longer says so in its row, and the others are measured all the same.
"""

import asyncio
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from threading import Event, Timer
from time import monotonic
from typing import NamedTuple, TypeVar

import msgspec
import uvloop

from bench import audit, clone, installed, pauses, record, server, settle
from bench._line import library_lines, lines

PASSES = 5
CLONES = 3
# A part that is told to end has so many seconds to put away what it started.
GRACE = 20
# So much of its time a part plans to use: a machine that others use too may need the rest.
_PLANNED = 0.85
# What stands before a row, or before the reason why there is none, among all that a part prints.
_ROW, _FAILED = "row ", "failed "
# Neither the ratio nor the memory depends on the length; `python -m bench audit` has a million.
AUDITED = 250_000


class Row(NamedTuple):
    """One line: what is measured, each pass, what is to be reached, and whether less is better."""

    work: str
    passes: Sequence[float]
    reach: float | None
    unit: str
    less: bool = True
    exact: bool = False  # the same at every pass, so that one is enough

    @property
    def verdict(self) -> str:
        if self.reach is None:
            return ""
        good = [(each <= self.reach) if self.less else (each >= self.reach) for each in self.passes]
        return "reached" if all(good) else "this run cannot tell" if any(good) else "not reached"

    def line(self, when: str = "") -> str:
        low, high = min(self.passes), max(self.passes)
        bound = "" if self.reach is None else f"{'at most' if self.less else 'at least'} {said(self.reach)}"
        count = f", {len(self.passes)} passes" if len(self.passes) < PASSES else ""
        spread = f" ({said(low)} to {said(high)}{count})" if len(self.passes) > 1 else " (1 pass)"
        spread = "" if self.exact else spread
        measured = f"{said(median(self.passes))} {self.unit}{spread}"
        return f"| {self.work} | {measured} | {bound} | {self.verdict} | {when} |"


def said(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}" if figure >= 10 else f"{figure:.2f}"


T = TypeVar("T")


def repeated(measure: Callable[[], T], passes: int, end: float) -> list[T]:
    """So many passes; fewer, but one at least, if the next would not be through at this moment of the clock.

    A part that is told to end has at least what it measured until then.
    """
    start, found = monotonic(), list[T]()
    try:
        while len(found) < passes:
            found.append(measure())
            if monotonic() + (monotonic() - start) / len(found) > end:
                break
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def of_server(end: float) -> Iterator[Row]:
    """Slips and results, at a thousand bare sockets and at a hundred of the library's."""
    bare = repeated(lambda: server.measured(server.BARE, lines), PASSES, end - (end - monotonic()) / 3)
    few = repeated(lambda: server.measured(100, library_lines), PASSES, end)

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


def of_installed(end: float) -> Iterator[Row]:
    """What a server needs of the disk before it has a record."""
    sizes = installed.server_sizes()
    yield Row("what a server installs", [sum(sizes.values())], 300, "MB", exact=True)


def of_clone(end: float) -> Iterator[Row]:
    """What whoever tries it first waits for."""
    pages = repeated(clone.first_page, CLONES, end)
    pages = pages[1:] or pages  # the first one fills the caches
    yield Row("from an empty clone to the first page", [each.seconds for each in pages], 30, "s by the clock")
    yield Row("what that takes of the processors", [each.worked for each in pages], None, "s")


def of_columns(end: float) -> Iterator[Row]:
    """What is settled without desks."""
    yield Row("a million bets by columns", settle.column_ratios(9), 2.0, "× a bare gather")


def of_record(end: float) -> Iterator[Row]:
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


def of_settled(end: float) -> Iterator[Row]:
    """A desk made again, and a very large settlement."""
    with audit.folder() as where:
        audit.begin_crowd(where)
        found = repeated(lambda: audit.settle_once(where), PASSES, end)
    rebuilt = [each.events_a_second for each in found]
    yield Row("a desk is made again", rebuilt, 80_000, "events a second of processor", less=False)
    ratios = [each.ratio for each in found]
    yield Row(f"{audit.PLAYERS:,} players settled", ratios, 0.5, "of the bare driver", less=False)


def of_audit(end: float) -> Iterator[Row]:
    """The audit of a long record."""
    with audit.folder() as where:
        path = where / "long.db"
        asyncio.run(audit.record(path, AUDITED))
        starting = audit.started()
        pairs = repeated(lambda: (audit.apart("read", path), audit.apart("prove", path)), PASSES, end)
    proven = [audit.ratio(read, proving, starting) for read, proving in pairs]
    shared = "a process a core, the busiest" if pairs[0][1]["helpers"] else "one process"
    yield Row(f"audit of {AUDITED:,} bets, {shared}", proven, 0.3, "of reading alone", less=False)
    most = [max(proving["mib"], proving["helpers_mib"]) for _, proving in pairs]
    yield Row("memory of the largest of its processes", most, None, "MiB")


def of_pauses(end: float) -> Iterator[Row]:
    """The longest that the loop works without a turn for anybody else."""

    def measure() -> Sequence[pauses.Pauses]:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(pauses.measure(pauses.TABLES, pauses.TERMINALS))

    found = repeated(measure, 3, end)
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
cannot tell. All rows are of the machine named above, and the audit's figure leaves out what starting its
processes takes, which depends on no record's length.

| work | measured | to reach | | when, and the load of the machine |
| --- | --- | --- | --- | --- |
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


class Part(NamedTuple):
    """Rows that are measured together, and how many seconds that may take."""

    name: str
    measure: Callable[[float], Iterator[Row]]
    seconds: float


# Those that take the longest last; all of them together within SECONDS.
PARTS = (
    Part("columns", of_columns, 20),
    Part("installed", of_installed, 20),
    Part("durable slips", of_record, 60),
    Part("settled", of_settled, 75),
    Part("audit", of_audit, 80),
    Part("clone", of_clone, 90),
    Part("server", of_server, 200),
    Part("pauses", of_pauses, 100),
)
# A whole run takes so long at most, whatever the machine has to do beside it.
SECONDS = 12 * 60


def measured(part: Part, command: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a part, which is measured in a process of its own; the last may say why one is missing."""
    own = [sys.executable, "-m", "bench.performance", "--part", part.name, str(part.seconds)]
    process = subprocess.Popen(command or own, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    late = Event()

    def end() -> None:
        late.set()
        process.send_signal(signal.SIGINT)

    timers = (
        Timer(part.seconds, end),
        Timer(part.seconds + GRACE, lambda: os.killpg(process.pid, signal.SIGKILL)),
    )
    for timer in timers:
        timer.start()
    failed, rows = "", 0
    try:
        for line in process.stdout:
            if line.startswith(_ROW):
                rows += 1
                yield msgspec.json.decode(line.removeprefix(_ROW), type=Row).line(now())
            elif line.startswith(_FAILED):
                failed = line.removeprefix(_FAILED).strip()
            else:
                print(line, end="", flush=True)
        code = process.wait()
    finally:
        for timer in timers:
            timer.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()
    if late.is_set() and (code or not rows):
        yield missing(part, f"not through after {part.seconds:.0f} s")
    elif code:
        yield missing(part, failed or f"its process ended with {code}")


_OVER = "the time of the whole run was over"


def missing(part: Part, why: str) -> str:
    """The line of what could not be measured."""
    return f"| {part.name} | not measured, or not all of it: {why} |  |  | {now()} |"


def now() -> str:
    """When a row was measured, and what the machine had to do for everybody."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M}, {os.getloadavg()[0]:.1f}"


def measure_here(part: Part, seconds: float) -> None:
    """What the process of a part does: a row as soon as it is known, or the sort of error."""
    end = monotonic() + seconds * _PLANNED
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell had it ignored
    server.many_files()
    try:
        for row in part.measure(end):
            print(_ROW + msgspec.json.encode(row).decode(), flush=True)
    except BaseException as error:
        print(_FAILED + type(error).__name__, flush=True)
        raise


def write(path: str | None, parts: Sequence[Part] = PARTS, seconds: float = SECONDS) -> None:
    """Say each row as soon as it is known; a run that is ended leaves a page of what it has."""
    before, rows, end = os.getloadavg()[0], list[str](), monotonic() + seconds
    for part in parts:
        left = end - monotonic() - GRACE
        lines = (
            measured(part._replace(seconds=min(part.seconds, left))) if left > 0 else (missing(part, _OVER),)
        )
        for line in lines:
            rows.append(line)
            print(line, flush=True)
            if path:
                Path(path).write_text(page(rows, before, os.getloadavg()[0], whole=False), encoding="utf-8")
    made = page(rows, before, os.getloadavg()[0])
    if path:
        Path(path).write_text(made, encoding="utf-8")
    else:
        print(made)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        named = next(part for part in PARTS if part.name == sys.argv[2])
        measure_here(named, float(sys.argv[3]) if sys.argv[3:] else named.seconds)
    elif sys.argv[1:2] and (sys.argv[1].startswith("-") or sys.argv[2:]):
        raise SystemExit("usage: python -m bench.performance [FILE], which has the page then")
    else:
        write(sys.argv[1] if sys.argv[1:] else None)
