"""What a computation will take, said before it starts, and refused when it does not fit.

Every computation that can be large makes a `Cost` from its size alone and asks `afford`. Memory is what the
machine has to spare, time is a setting: TAISAI_MATHS_SECONDS and TAISAI_MATHS_MIB in the environment, or
`with spending(Budget(...))` in Python. Estimates err upwards, by a factor of two or so.

    afford("1,000,000 sessions", Cost(memory_bytes=80_000_000, seconds=4.0), less="ask for fewer sessions")
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Final

from taisai.errors import InputError, brief

SECONDS_VARIABLE: Final = "TAISAI_MATHS_SECONDS"
MEMORY_VARIABLE: Final = "TAISAI_MATHS_MIB"
SECONDS: Final = 300.0
MIB: Final = 1 << 20
# How much of the free memory one computation may take: others live on the machine too.
_SHARE: Final = 0.5
# Below this nobody need be asked: reading what the machine has would take longer than the work.
_TRIFLE_BYTES: Final = 64 * MIB
_TRIFLE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Cost:
    """An estimate: the memory at its highest, and the time on a machine of today."""

    memory_bytes: float = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{say_seconds(self.seconds)} and {say_bytes(self.memory_bytes)}"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one computation may take."""

    memory_bytes: float
    seconds: float


class TooCostly(InputError):
    """A computation that does not fit: what it would take, what there is, and how to ask for less."""


Told = Callable[[str, Cost], None]

_SPENDING: ContextVar[Budget | None] = ContextVar("spending", default=None)
_TOLD: ContextVar[Told | None] = ContextVar("told", default=None)


@contextmanager
def spending(budget: Budget) -> Iterator[Budget]:
    """Within this block computations are held to the budget given, not to the machine's."""
    before = _SPENDING.set(budget)
    try:
        yield budget
    finally:
        _SPENDING.reset(before)


@contextmanager
def telling(told: Told) -> Iterator[None]:
    """Within this block `told` hears of every cost that is no trifle, before the work begins."""
    before = _TOLD.set(told)
    try:
        yield
    finally:
        _TOLD.reset(before)


def afford(what: str, cost: Cost, *, less: str) -> None:
    """Let a computation start, or refuse it; `less` says how to ask for something that fits."""
    given = _SPENDING.get()
    is_trifle = cost.memory_bytes <= _TRIFLE_BYTES and cost.seconds <= _TRIFLE_SECONDS
    if is_trifle and given is None:
        return
    budget = machine_budget() if given is None else given
    if cost.memory_bytes > budget.memory_bytes:
        raise TooCostly(
            f"{what} would take {say_bytes(cost.memory_bytes)} of memory, and "
            f"{say_bytes(budget.memory_bytes)} may be used: {less}, or raise {MEMORY_VARIABLE}"
        )
    if cost.seconds > budget.seconds:
        raise TooCostly(
            f"{what} would take {say_seconds(cost.seconds)}, and {say_seconds(budget.seconds)} are allowed: "
            f"{less}, or raise {SECONDS_VARIABLE}"
        )
    told = _TOLD.get()
    if told is not None and not is_trifle:
        told(what, cost)


def machine_budget(environment: Mapping[str, str] | None = None) -> Budget:
    """The settings of the environment; for memory, half of what the machine has free where none is set."""
    environment = os.environ if environment is None else environment
    mib = _setting(environment, MEMORY_VARIABLE)
    seconds = _setting(environment, SECONDS_VARIABLE)
    return Budget(
        memory_bytes=free_memory() * _SHARE if mib is None else mib * MIB,
        seconds=SECONDS if seconds is None else seconds,
    )


def _setting(environment: Mapping[str, str], name: str) -> float | None:
    raw = environment.get(name, "")
    if not raw:
        return None
    try:
        value = float(raw)
    except ValueError:
        value = 0.0
    if not isfinite(value) or value <= 0:
        raise InputError(f"{name} is a number above zero, got {brief(raw)}")
    return value


def free_memory() -> float:
    """The bytes that this process can still take: the machine's, its container's, or its own limit."""
    return min(_machine_free(), _container_free(), _process_limit())


def _machine_free() -> float:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
    except OSError:
        pass  # not Linux: what is installed is the best that is known
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return inf


def _container_free() -> float:
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return inf
    return inf if most == "max" else max(0.0, float(most) - float(used))


def _process_limit() -> float:
    try:
        import resource
    except ImportError:
        return inf
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return inf if soft == resource.RLIM_INFINITY else float(soft)


def say_bytes(count: float) -> str:
    """A size for people: 340 MiB, 6.2 GiB."""
    mib = count / MIB
    return f"{mib:,.0f} MiB" if mib < 1024 else f"{mib / 1024:,.1f} GiB"


def say_seconds(seconds: float) -> str:
    """A time for people: 3 s, 12 minutes, 5 hours, 4 years."""
    for size, name in ((31_557_600, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {name}" if seconds < 1e6 * size else f"over a million {name}"
    return f"{seconds:,.1f} s"
