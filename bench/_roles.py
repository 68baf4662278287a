"""A house whose desk, gateways and bus are processes of their own, against one process, now and before."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
import uvloop
from tests.earlier import source_of
from tests.nats import NatsServer, nats_server

from bench._child import Child, free_port, processor_seconds, up
from bench._house import ServedHouse, dealer_at
from bench._line import AnyLine, lines
from bench.server import (
    BARE,
    Figures,
    closed_loop,
    fill,
    house_config,
    many_files,
    measure_house,
    say_ready,
    seated,
    slip,
    until_all,
)
from taisai.server.config import Config

PASSES = 3
SOCKETS = 3_000
# Each is told to everybody.
ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("StartRound", {}),
    ("CloseBetting", {}),
    ("CoverTumbler", {}),
    ("ActivateTumbler", {"tumbles": 3}),
    ("ExposeDice", {}),
)
# The last commit before roles.
BEFORE = "909f071"
_OPS_HOST = "127.0.0.1"


# --- the processes ------------------------------------------------------------------------------------------


def on_bus(config: Config, bus: str) -> Config:
    """As `server.gateways` has it: a record in a file, and several processes."""
    replace = msgspec.structs.replace
    return replace(config, cluster=replace(config.writing, nats=(bus,)))


def run_desk(ops: int, folder: str, terminals: int, bus: str) -> None:
    """All desks, on the embedded store, with terminals that have credits."""
    from taisai.roles import open_serving
    from taisai.server.desk_app import create_desk_app
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.parts import Parts
    from taisai.server.running import listen, run

    set_up_logs("warning")
    config = on_bus(house_config(ops, folder), bus)

    async def filled(parts: Parts) -> None:
        say_ready(folder, await fill(parts, config, terminals))

    app = create_desk_app(partial(open_serving, config), first=[filled])
    run(app, config, listen(_OPS_HOST, ops))


def run_gateway(port: int, folder: str, bus: str) -> None:
    """What terminals connect to."""
    from taisai.roles import open_gateway
    from taisai.server.app import create_app
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen, run

    set_up_logs("warning")
    config = on_bus(house_config(port, folder), bus)
    run(create_app(partial(open_gateway, config, port)), config, listen("127.0.0.1", port))


@dataclass
class RolesHouse(ServedHouse):
    """`child` is the first gateway; the ports are those of all of them."""

    ports: list[int] = field(default_factory=list)
    pids: list[int] = field(default_factory=list)

    def seconds(self) -> float:
        """Processor time of all processes together, the bus with them."""
        return sum(map(processor_seconds, self.pids))


@asynccontextmanager
async def roles_house(terminals: int, gateways: int) -> AsyncIterator[RolesHouse]:
    """It ends with the block."""
    with tempfile.TemporaryDirectory(prefix="taisai-bench-") as folder, nats_server() as bus:
        async with AsyncExitStack() as stack:
            ops, ports = free_port(), [free_port() for _ in range(gateways)]
            desk = _started(stack, "desk", str(ops), folder, str(terminals), bus.url)
            while not Path(folder, "ready.json").exists():
                if desk.process.poll() is not None:
                    raise RuntimeError("the desk has ended")
                await asyncio.sleep(0.1)
            await up(ops, "/readyz")
            fronts = [_started(stack, "gateway", str(port), folder, bus.url) for port in ports]
            for port in ports:
                await up(port, "/readyz")
            dealer = await stack.enter_async_context(dealer_at(ports[0], folder))
            pids = [_pid(bus), *(each.process.pid for each in (desk, *fronts))]
            yield RolesHouse(ports[0], folder, fronts[0], dealer, ports, pids)


def _started(stack: AsyncExitStack, *arguments: str) -> Child:
    child = Child(*arguments, module="bench._roles")
    stack.callback(child.end)
    return child


def _pid(bus: NatsServer) -> int:
    if bus.pid is None:
        raise RuntimeError("the bus does not run")
    return bus.pid


async def everyone(house: RolesHouse, terminals: int) -> Sequence[AnyLine]:
    """All terminals, each gateway with its part of them."""
    clients: list[AnyLine] = []
    each = terminals // len(house.ports)
    for number, port in enumerate(house.ports):
        clients += await seated(port, each, lines, first=number * each)
    return clients


# --- what is measured ---------------------------------------------------------------------------------------


class Slips(NamedTuple):
    """Of one house: processor time for each slip, and slips by the wall."""

    cpu: float
    rate: float


async def slips_of(gateways: int) -> Slips:
    async with roles_house(BARE, gateways) as house:
        await house.act("C1", "StartRound")
        clients = await everyone(house, BARE)
        began = house.seconds()
        figures: Figures = await closed_loop(clients, slip, lambda text: text.startswith(b'{"type":"SlipReg'))
        cpu = (house.seconds() - began) / len(figures.times)
        for line in clients:
            line.close()
        return Slips(cpu, figures.rate)


class Pass(NamedTuple):
    """One after the other: `serve` before roles and now, a gateway and a desk, two gateways and a desk."""

    before: Slips
    serve: Slips
    gateway: Slips
    two: Slips


async def pass_of_slips(earlier: Path) -> Pass:
    before, now = await measure_house(BARE, lines, earlier), await measure_house(BARE, lines)
    one, other = (Slips(each.cpu, each.figures.rate) for each in (before, now))
    return Pass(one, other, await slips_of(1), await slips_of(2))


async def pass_of_broadcasts() -> tuple[float, float]:
    """Processor time for telling all sockets the same: bare, and of a gateway that hears it from the bus."""
    async with roles_house(SOCKETS, 1) as house:
        clients = await everyone(house, SOCKETS)
        heard: list[bytes] = []

        def is_round(text: bytes) -> bool:
            if not text.startswith(b'{"type":"RoundChanged"'):
                return False
            heard.append(text)
            return True

        taken = []
        for act, fields in ACTS:
            began = house.child.seconds()
            await until_all(clients, is_round, partial(house.act, "C1", act, **fields))
            taken.append(house.child.seconds() - began)
        size = sum(map(len, heard)) // len(heard)
        for line in clients:
            line.close()
    return await bare_broadcast(size), median(taken)


async def bare_broadcast(size: int) -> float:
    """The same by uvicorn's own class, a message of the same size."""
    port = free_port()
    child = Child("echo", str(port))
    try:
        await up(port, "/")
        clients = await lines(port, "/ws", SOCKETS, lambda line, text: None)
        said = b"all:" + b"x" * (size - 4)

        async def trigger() -> None:
            clients[0].send(said)

        taken = []
        for _ in ACTS:
            began = child.seconds()
            await until_all(clients, lambda text: text.startswith(b"all:"), trigger)
            taken.append(child.seconds() - began)
        for line in clients:
            line.close()
        return median(taken)
    finally:
        child.end()


def main() -> None:
    """Print the figures; by turns, medians."""
    many_files()
    slips: list[Pass] = []
    broadcasts = []
    with source_of(BEFORE, "bench", "tests") as earlier:
        for _ in range(PASSES):
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                slips.append(runner.run(pass_of_slips(earlier)))
                broadcasts.append(runner.run(pass_of_broadcasts()))
    print(f"  {BARE} terminals, {PASSES} passes by turns, medians; load {os.getloadavg()[0]:.1f}")
    serve = [each.before.cpu / each.serve.cpu for each in slips]
    print(
        f"  serve, {micros(each.serve for each in slips)} of processor a slip: {spread(serve)} of the slips"
        f" a processor second before roles (at least 0.95; {BEFORE}: {micros(each.before for each in slips)})"
    )
    print(
        f"  gateway, bus and desk, {micros(each.gateway for each in slips)}:"
        f" {spread([each.gateway.cpu / each.serve.cpu for each in slips])} x serve (at most 1.2),"
        f" {spread([each.gateway.cpu / each.before.cpu for each in slips])} x serve before roles"
    )
    print(
        f"  two gateways: {spread([each.two.rate / each.serve.rate for each in slips])} of the slips a second"
        f" of one process (aim 1.3), {micros(each.two for each in slips)} each"
    )
    print(
        f"  a broadcast to {SOCKETS:,} sockets: {spread([bare / ours for bare, ours in broadcasts])}"
        f" of a bare one (at least 0.7), {median(ours for _, ours in broadcasts) * 1e3:.0f} ms of processor",
        flush=True,
    )


def micros(found: Iterable[Slips]) -> str:
    return f"{median(each.cpu for each in found) * 1e6:.0f} µs"


def spread(ratios: Sequence[float]) -> str:
    """The middle one, and how far they lie apart."""
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


if __name__ == "__main__":
    if sys.argv[1] == "desk":
        run_desk(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        run_gateway(int(sys.argv[2]), sys.argv[3], sys.argv[4])
