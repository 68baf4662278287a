"""Many evenings: one fork of a warm parent for each, so that none leaves anything to another."""

import gc
import os
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf
from pathlib import Path

import msgspec

from tests.evenings.evening import Verdict, play
from tests.evenings.plan import Plan, draw
from tests.evenings.process import make_applications

# An evening that goes round for ever uses its processor up; the clock on the wall may stand still for it.
PROCESSOR_SECONDS = 60
HANGS_SECONDS = 900.0
_WARM = (901, 913)  # seeds whose evenings together have every kind of table
Before = Callable[[], None] | None

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Verdict).decode


def _processor_seconds() -> float:
    """What this process and the evenings that have ended used: it holds on a busy machine, too."""
    return sum(os.times()[:4])


@dataclass
class Tally:
    """What many evenings came to."""

    evenings: int = 0
    before: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    marks: Counter[tuple[str, ...]] = field(default_factory=Counter)
    failed: dict[int, list[str]] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    used: float = field(default_factory=_processor_seconds)

    def add(self, verdict: Verdict) -> None:
        self.evenings += 1
        self.sums.update(verdict.figures)
        self.marks.update(tuple(row) for row in verdict.marks)
        self.digests[verdict.seed] = verdict.digest
        if verdict.violations:
            self.failed[verdict.seed] = verdict.violations

    @property
    def played(self) -> int:
        """How many evenings the marks come from, those of earlier runs among them."""
        return self.evenings + self.before

    def add_up(self, path: Path) -> None:
        """Add what earlier runs reached, and keep the sum for the next one."""
        if path.exists():
            self.before, earlier = msgspec.json.decode(path.read_bytes(), type=tuple[int, list[list[str]]])
            self.marks.update(tuple(row) for row in earlier)
        path.write_bytes(msgspec.json.encode((self.played, sorted(self.marks))))

    def figures(self) -> str:
        took, used = time.perf_counter() - self.began, _processor_seconds() - self.used
        names = sorted(name for name in self.sums if not name.startswith("struck "))
        told = ", ".join(f"{self.sums[name]} {name}" for name in names)
        return (
            f"{self.evenings} evenings, {len(self.failed)} with a violation; {told}; "
            f"{took:.1f} s, {self.evenings / took:.1f} evenings a second, "
            f"{used / max(self.evenings, 1):.3f} s of a processor each"
        )


_warm: list[int] = []


def warm_up() -> None:
    """Before anything is forked: make what every evening needs, and play so that it is found in caches."""
    make_applications()
    for seed in _WARM[len(_warm) :]:
        play(draw(seed, faults=()))
        _warm.append(seed)


class _Child:
    """One evening that is being played."""

    def __init__(self, plan: Plan, before: Before = None) -> None:
        self.plan, self.began = plan, time.monotonic()
        self.reads, writes = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.reads)
            _play_here(plan, writes, before)
        os.close(writes)
        self.said = b""

    def finished(self) -> bool:
        """Whether all of it is told; to be asked when there is something to read."""
        part = os.read(self.reads, 1 << 20)
        self.said += part
        return not part

    def verdict(self) -> Verdict:
        os.close(self.reads)
        _, status = os.waitpid(self.pid, 0)
        if not self.said:
            return Verdict(seed=self.plan.seed, violations=[f"the evening's process ended with {status}"])
        return _decode(self.said)

    def end(self) -> Verdict:
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.reads)
        os.waitpid(self.pid, 0)
        hung = f"the evening did not end within {HANGS_SECONDS:.0f} s"
        return Verdict(seed=self.plan.seed, violations=[hung])


def _play_here(plan: Plan, writes: int, before: Before) -> None:
    """In the child: play, tell the parent, and be gone without a look back."""
    gc.disable()
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    try:
        if before is not None:
            before()
        verdict = play(plan)
    except BaseException as error:
        verdict = Verdict(seed=plan.seed, violations=[f"the evening itself failed: {error!r}"])
    try:
        said = memoryview(_encode(verdict))
        while said:
            said = said[os.write(writes, said) :]
    finally:
        os._exit(0)


def play_apart(plan: Plan, *, before: Before = None) -> Verdict:
    """One evening in a process of its own."""
    return play_beside([plan], before=before)[0]


def play_beside(plans: Iterable[Plan], *, before: Before = None) -> list[Verdict]:
    """A few evenings at the same time, each in a process of its own; what each came to, in their order."""
    warm_up()
    return [_until_told(child) for child in [_Child(plan, before) for plan in plans]]


def _until_told(child: _Child) -> Verdict:
    while True:
        ready, _, _ = select.select([child.reads], [], [], HANGS_SECONDS)
        if not ready:
            return child.end()
        if child.finished():
            return child.verdict()


def play_plans(plans: Iterable[Plan], jobs: int = 2, *, before: Before = None) -> Iterator[Verdict]:
    """Verdicts as they come in; `before` is done in each evening's own process."""
    warm_up()
    gc.collect()
    gc.freeze()
    waiting = iter(plans)
    running: dict[int, _Child] = {}
    more = True
    while more or running:
        while more and len(running) < jobs:
            plan = next(waiting, None)
            if plan is None:
                more = False
                break
            child = _Child(plan, before)
            running[child.reads] = child
        if not running:
            return
        ready, _, _ = select.select(list(running), [], [], 1.0)
        for reads in ready:
            if running[reads].finished():
                yield running.pop(reads).verdict()
        for reads, child in list(running.items()):
            if time.monotonic() - child.began > HANGS_SECONDS:
                yield running.pop(reads).end()


def play_many(
    seeds: Iterable[int],
    jobs: int = 2,
    faults: Iterable[str] | None = None,
    minutes: float = inf,
    *,
    clustered: bool | None = None,
) -> Tally:
    """The evenings of these seeds, as many as begin in so many minutes; each that fails is said at once."""
    warm_up()  # before anything is counted
    tally = Tally()
    until = tally.began + 60 * minutes
    begun = takewhile(lambda seed: time.perf_counter() < until, seeds)
    for verdict in play_plans((draw(seed, faults=faults, clustered=clustered) for seed in begun), jobs):
        tally.add(verdict)
        if verdict.violations:
            sys.stdout.write(f"seed {verdict.seed}: {verdict.violations[0]}\n")
            sys.stdout.flush()
    return tally
