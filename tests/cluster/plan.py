"""What fails, when and for how long: all of it from a seed, and readable as a line."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from taisai.cli.trial.lines import Cable
from tests.cluster.members import Cluster

WAYS: Final = ("cut", "refuse", "swallow", "there", "back", "delay", "half")
SHORT, LONG = (0.2, 1.0, 3.0), (1.0, 5.0, 30.0)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One fault: it begins some seconds after the plan does, and is mended before it is over."""

    at: float
    fault: str
    who: str = ""
    where: str = ""
    way: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        lasts = f" for {self.seconds:g} s" if self.seconds else ""
        said = " ".join(each for each in (self.fault, self.who, self.where, self.way) if each)
        return f"{self.at:.2f} {said}{lasts}"


def bend(line: Cable, way: str) -> None:
    """Have a line fail in one way."""
    match way:
        case "cut":
            line.cut()
        case "refuse":
            line.refuse()
        case "swallow":
            line.swallow()
        case "there" | "back":
            line.swallow(way)
        case "delay":
            line.delay = 0.2
        case "half":
            line.half = True


async def _bent(line: Cable, step: Step) -> None:
    bend(line, step.way)
    await asyncio.sleep(step.seconds)
    line.heal()


async def kill(cluster: Cluster, step: Step) -> None:
    """A process is gone; whoever watches it starts it again."""
    cluster.members[step.who].signal(signal.SIGKILL)


async def stop(cluster: Cluster, step: Step) -> None:
    """A process is told to end, as an upgrade does it."""
    cluster.members[step.who].signal(signal.SIGTERM)


async def hang(cluster: Cluster, step: Step) -> None:
    cluster.members[step.who].signal(signal.SIGSTOP)
    await asyncio.sleep(step.seconds)
    cluster.members[step.who].signal(signal.SIGCONT)


async def taken_over(cluster: Cluster, step: Step) -> None:
    """A process hangs until another has what it had, and then goes on as if nothing had been."""
    other = cluster.members[step.where]
    cluster.members[step.who].signal(signal.SIGSTOP)
    starts, other.wanted = other.starts, True
    while other.starts == starts:
        await asyncio.sleep(0.05)
    await cluster.ready(step.where)
    cluster.members[step.who].signal(signal.SIGCONT)
    await asyncio.sleep(step.seconds)


async def upgraded(cluster: Cluster, step: Step) -> None:
    """Every process after the other is told to end and started again, while all others go on.

    With `where` it comes back as another release.
    """
    for name, member in cluster.members.items():
        if member.wanted:
            member.upgrade(step.where)
            starts = member.starts
            member.signal(signal.SIGTERM)
            while member.starts == starts:
                await asyncio.sleep(0.05)
            await cluster.ready(name)


async def line(cluster: Cluster, step: Step) -> None:
    """Between a process and an engine."""
    await _bent(cluster.lines[step.who].each[step.where], step)


async def apart(cluster: Cluster, step: Step) -> None:
    """A process that nothing reaches, and that reaches nothing."""
    lines = [*cluster.lines[step.who].each.values(), *filter(None, [cluster.doors.get(step.who)])]
    for each in lines:
        bend(each, step.way)
    await asyncio.sleep(step.seconds)
    for each in lines:
        each.heal()


async def door(cluster: Cluster, step: Step) -> None:
    """Between the players and a gateway."""
    await _bent(cluster.doors[step.who], step)


async def stream(cluster: Cluster, step: Step) -> None:
    """Between the standby and the primary."""
    await _bent(cluster.engines.pair.stream, step)


async def route(cluster: Cluster, step: Step) -> None:
    """Between the servers of the bus."""
    await _bent(cluster.engines.route, step)


async def bus_killed(cluster: Cluster, step: Step) -> None:
    buses = cluster.engines.buses if step.where == "all" else [cluster.engines.buses[int(step.where)]]
    for bus in buses:
        await asyncio.to_thread(bus.stop)
    await asyncio.sleep(step.seconds)
    for bus in buses:
        await asyncio.to_thread(bus.start)


async def bus_hung(cluster: Cluster, step: Step) -> None:
    bus = cluster.engines.buses[int(step.where)]
    bus.signal(signal.SIGSTOP)
    await asyncio.sleep(step.seconds)
    bus.signal(signal.SIGCONT)


async def clock(cluster: Cluster, step: Step) -> None:
    cluster.set_clock(step.who, float(step.way))
    await asyncio.sleep(step.seconds)
    cluster.set_clock(step.who, 0)


async def primary_killed(cluster: Cluster, step: Step) -> None:
    """All processes of the primary are gone, and it is started again."""
    pair = cluster.engines.pair
    await asyncio.to_thread(pair.primary.kill)
    await asyncio.sleep(step.seconds)
    await pair.start_primary()


async def primary_hung(cluster: Cluster, step: Step) -> None:
    pair = cluster.engines.pair
    pair.freeze(pair.primary, signal.SIGSTOP)
    await asyncio.sleep(step.seconds)
    pair.freeze(pair.primary, signal.SIGCONT)


async def standby_killed(cluster: Cluster, step: Step) -> None:
    pair = cluster.engines.pair
    await asyncio.to_thread(pair.standby.kill)
    await asyncio.sleep(step.seconds)
    await pair.start_standby()


async def standby_hung(cluster: Cluster, step: Step) -> None:
    pair = cluster.engines.pair
    pair.freeze(pair.standby, signal.SIGSTOP)
    await asyncio.sleep(step.seconds)
    pair.freeze(pair.standby, signal.SIGCONT)


async def restarted_alone(cluster: Cluster, step: Step) -> None:
    """The primary restarts while its standby is away, and shows what the standby never had."""
    pair = cluster.engines.pair
    await asyncio.to_thread(pair.standby.stop)
    await asyncio.sleep(0.5)
    await asyncio.to_thread(pair.primary.stop)
    await pair.start_primary()
    await asyncio.sleep(step.seconds)
    await pair.start_standby()


async def cancelled(cluster: Cluster, step: Step) -> None:
    """Somebody cancels commits that wait for the standby, which hears nothing."""
    pair = cluster.engines.pair
    pair.stream.swallow()
    await pair.cancel_waits(step.seconds)
    pair.stream.heal()


async def cancelled_and_lost(cluster: Cluster, step: Step) -> None:
    """The same, and then the primary is lost: what only it had is gone."""
    pair = cluster.engines.pair
    before = pair.stream
    before.swallow()
    await pair.cancel_waits(step.seconds)
    await pair.promote()
    before.heal()
    await pair.rebuild_standby()


async def promoted(cluster: Cluster, step: Step) -> None:
    """The primary is lost for good, and its standby goes on with a new one."""
    pair = cluster.engines.pair
    await pair.promote()
    await asyncio.sleep(step.seconds)
    await pair.rebuild_standby()


Fault = Callable[[Cluster, Step], Awaitable[None]]
ON_POSTGRES: Final[Mapping[str, Fault]] = {
    each.__name__: each
    for each in (
        *(primary_killed, primary_hung, standby_killed, standby_hung, stream, restarted_alone),
        *(cancelled, cancelled_and_lost, promoted),
    )
}
ON_THE_BUS: Final[Mapping[str, Fault]] = {each.__name__: each for each in (bus_killed, bus_hung, route)}
OTHERS: Final[Mapping[str, Fault]] = {
    each.__name__: each for each in (kill, stop, hang, line, apart, door, clock)
}
FAULTS: Final[Mapping[str, Fault]] = {
    **ON_POSTGRES,
    **ON_THE_BUS,
    **OTHERS,
    "taken_over": taken_over,
    "upgraded": upgraded,
}


def drawn(cluster: Cluster, chance: random.Random, seconds: tuple[float, ...] = SHORT) -> Step:
    """Some fault of some part, at some moment of the next round or two."""
    has_bus = len(cluster.members) > 1
    kinds = [*OTHERS, *OTHERS, *ON_POSTGRES, *(ON_THE_BUS if has_bus else ())]
    fault = chance.choice(kinds)
    where, way = "", chance.choice(WAYS)
    who = chance.choice(list(cluster.members))
    match fault:
        case "line":
            where = chance.choice(["pg1", "pg2", *(("nats1", "nats2") if has_bus else ())])
        case "door":
            who = chance.choice(list(cluster.doors))
        case "bus_killed" | "bus_hung":
            where = chance.choice(["0", "1", *(("all",) if fault == "bus_killed" else ())])
        case "clock":
            way = chance.choice(["2", "-2"])
    named = fault in OTHERS
    bent = fault in ("line", "apart", "door", "stream", "route", "clock")
    return Step(
        at=round(chance.uniform(0.0, 2.0), 2),
        fault=fault,
        who=who if named else "",
        where=where,
        way=way if bent else "",
        seconds=0.0 if fault in ("kill", "stop") else chance.choice(seconds),
    )


class Plan(msgspec.Struct, frozen=True):
    """The faults of one seed; some of them overlap."""

    seed: int
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"seed {self.seed}: " + "; ".join(map(str, self.steps))

    async def carry_out(self, cluster: Cluster) -> None:
        """All faults, each in its time; those of one engine after one another."""
        engine = {name: asyncio.Lock() for name in ("postgres", "bus")}

        async def suffer(step: Step) -> None:
            await asyncio.sleep(step.at)
            lock = "postgres" if step.fault in ON_POSTGRES else "bus" if step.fault in ON_THE_BUS else ""
            async with engine.get(lock) or asyncio.Lock():
                await FAULTS[step.fault](cluster, step)

        try:
            async with asyncio.TaskGroup() as group:
                for step in self.steps:
                    group.create_task(suffer(step))
        finally:
            with suppress(AssertionError):
                cluster.heal()


def plan(cluster: Cluster, seed: int, *, seconds: tuple[float, ...] = SHORT) -> Plan:
    chance = random.Random(seed)
    steps = [drawn(cluster, chance, seconds) for _ in range(chance.choice((1, 2, 3)))]
    return Plan(seed, tuple(sorted(steps, key=lambda step: step.at)))
