"""The server: durable slips a second and their acknowledgement, results to all, memory for each terminal.

Server and clients are two processes. The baselines are bare WebSocket echoes (and broadcasts) with the same
settings, the same clients and messages of the same size, in the same run: one on uvicorn's own class, one on
the line that terminals have here, which is as little as a slip could cost.
"""

import asyncio
import json
import os
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw
import uvicorn
import uvloop
from uvicorn.protocols.utils import ClientDisconnected

from bench._child import REPOSITORY, Child, free_port, up
from bench._house import served_house
from bench._line import AnyLine, Open, library_lines, lines
from taisai.server.lines.line import BoundedSocket, line_of

if TYPE_CHECKING:
    from taisai.server.config import Config
    from taisai.server.parts import Parts

TERMINALS = (100, 1_000, 5_000)
BARE = 1_000
PASSES = 5  # by turns; of each figure the median is shown
SECONDS = 4.0
UNSURE = 1.5  # between the lowest and the highest of the passes
CREDIT = 10_000_000
TABLE = {
    "name": "C1",
    "kind": "cluster",
    "pay_table": "sic-bo-etg-v8/1",
    "unit": 100,
    "minimum": 100,
    "maximum": 1_000_000,
}


# --- the two servers ----------------------------------------------------------------------------------------


def settings() -> dict[str, Any]:
    """What both servers run with."""
    return {
        "loop": "uvloop",
        "http": "httptools",
        "ws": "websockets-sansio",
        "ws_per_message_deflate": False,
        "log_config": None,
        "access_log": False,
        "ws_ping_interval": None,
        "host": "127.0.0.1",
    }


async def echo_on_line(everyone: set[Any], line: BoundedSocket) -> None:
    """Say back what the line brings; `all:…` goes to everyone."""
    everyone.add(line.write)
    with suppress(ClientDisconnected):
        while True:
            text = await line.text()
            for each in tuple(everyone) if text.startswith("all:") else (line.write,):
                each(text.encode())


async def echo_by_asgi(everyone: set[Any], receive: Any, send: Any) -> None:
    """The same by the application's interface."""
    everyone.add(send)
    while (message := await receive())["type"] != "websocket.disconnect":
        said = {"type": "websocket.send", "text": message["text"]}
        for each in tuple(everyone) if message["text"].startswith("all:") else (send,):
            await each(said)
    everyone.discard(send)


def run_echo(port: int, *, on_line: bool) -> None:
    """A server that says back what it hears: on our line, or by ASGI on uvicorn's class."""
    everyone: set[Any] = set()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                message = await receive()
                await send({"type": f"{message['type']}.complete"})
                if message["type"] == "lifespan.shutdown":
                    return
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"ok"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        line = line_of(scope)
        await (echo_on_line(everyone, line) if line else echo_by_asgi(everyone, receive, send))

    uvicorn.run(app, port=port, **settings() | ({"ws": BoundedSocket} if on_line else {}))


def table_names(tables: int) -> list[str]:
    return [f"C{number}" for number in range(1, tables + 1)]


def house_config(port: int, folder: str, tables: int = 1) -> "Config":
    """Settings of a house on the embedded store."""
    from taisai.server.config import load_config

    base = {
        "house": {"play_money": True, "cut_off_seconds": 3600.0},
        "practice": {"tables": 0},
        "server": {
            "database": f"{folder}/house.db",
            "keys": f"{folder}/keys",
            "port": port,
            "strangers_per_address": 10_000,
        },
        "table": [TABLE | {"name": name} for name in table_names(tables)],
    }
    return load_config(None, {}, base=base)


async def fill(parts: "Parts", config: "Config", terminals: int, tables: int = 1) -> dict[str, str]:
    """So many terminals that have credits at each table, and a dealer, whose password is told."""
    from taisai.bootstrap import first_logins
    from taisai.floor.approvals.asked import TableAct
    from taisai.floor.cluster.messages import CreditIn, EnrolTerminal
    from taisai.floor.desks.decider import SYSTEM
    from taisai.game.people import Actor, Role
    from taisai.server.sockets.terminal import key_digest

    told = await first_logins(parts, config.staff_policy, {"dealer": Role.DEALER}, must_change=False)
    house, bench = parts.house, Actor("bench", Role.SYSTEM)
    at, digest = house.now(), key_digest("bench")

    async def seat(table: str, name: str) -> None:
        enrolled = EnrolTerminal(by=SYSTEM, at=at, terminal=name, key_digest=digest)
        await house.do(TableAct(table, enrolled), bench, f"e{name}")
        paid = CreditIn(by=SYSTEM, at=at, terminal=name, source="cash", amount=CREDIT)
        await house.do(TableAct(table, paid), bench, f"c{name}")

    for table in table_names(tables):
        # More than a house may have, to see how cost grows.
        house.table(table).state.terminals_max = terminals
        for start in range(0, terminals, 500):
            some = range(start, min(start + 500, terminals))
            await asyncio.gather(*(seat(table, f"{table}-{number}") for number in some))
    return told


def say_ready(folder: str, told: dict[str, str]) -> None:
    """Write down the passwords, whole or not at all."""
    part = Path(folder, "ready.part")
    part.write_text(json.dumps(told), encoding="utf-8")
    part.rename(Path(folder, "ready.json"))


def run_house(
    port: int, folder: str, terminals: int, *, tables: int = 1, pauses: bool = False, proofs: bool = True
) -> None:
    """A house on the embedded store, with so many terminals that have credits at each of its tables."""
    from bench.pauses import watch_pauses
    from taisai import bootstrap
    from taisai.server.app import create_app
    from taisai.server.live.hub import Hub
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen, run

    set_up_logs("warning")
    config = house_config(port, folder, tables)

    async def filled(hub: Hub) -> None:
        told = await fill(app.state.parts, config, terminals, tables)
        if pauses:
            watch_pauses(folder)
        say_ready(folder, told)

    if not proofs:  # no setting leaves them out: this is only to see what they cost
        for maker in ("notarising", "log_keeping"):
            setattr(bootstrap, maker, lambda *asked, **more: None)
    app = create_app(partial(bootstrap.open_parts, config), on_ready=[filled])
    run(app, config, listen("127.0.0.1", port))


# --- what is measured ---------------------------------------------------------------------------------------


class Figures:
    """Acknowledgements of one run."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.seconds = 0.0

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def percentile(self, share: float) -> float:
        return sorted(self.times)[int(share * (len(self.times) - 1))] * 1000


class Measured(NamedTuple):
    """One server with so many clients; `cpu` is the server's processor time for each message.

    `told` is the time until everybody was told a result, `told_cpu` the processor's part of it; `disk` are
    the bytes that each slip has made the record longer.
    """

    figures: Figures
    cpu: float
    told: float
    told_cpu: float
    memory: float
    disk: float = 0.0


async def closed_loop(
    clients: Sequence[AnyLine], message: Callable[[int, int], bytes], is_answer: Callable[[bytes], bool]
) -> Figures:
    """Each client sends, waits for its answer, and sends again, for a while."""
    figures = Figures()
    counts = [0] * len(clients)
    place = {line: number for number, line in enumerate(clients)}
    stopping = False
    pending = len(clients)
    done = asyncio.get_running_loop().create_future()

    def heard(line: AnyLine, text: bytes) -> None:
        nonlocal pending
        if not is_answer(text):
            return
        now = perf_counter()
        figures.times.append(now - line.sent_at)
        if stopping:
            pending -= 1
            if not pending and not done.done():
                done.set_result(None)
            return
        number = place[line]
        counts[number] += 1
        line.sent_at = now
        line.send(message(number, counts[number]))

    start = perf_counter()
    for number, line in enumerate(clients):
        line.heard = heard
        line.sent_at = perf_counter()
        line.send(message(number, 0))
    await asyncio.sleep(SECONDS)
    stopping = True
    figures.seconds = perf_counter() - start
    figures.times = list(figures.times)
    kept = len(figures.times)
    await asyncio.wait_for(done, 60)
    figures.times = figures.times[:kept]
    return figures


async def until_all(clients: Sequence[AnyLine], is_it: Callable[[bytes], bool], trigger: Any) -> float:
    """Seconds from a trigger until every client has heard what it brings."""
    left = set(clients)
    done = asyncio.get_running_loop().create_future()

    def heard(line: AnyLine, text: bytes) -> None:
        if is_it(text):
            left.discard(line)
            if not left and not done.done():
                done.set_result(perf_counter())

    for line in clients:
        line.heard = heard
    start = perf_counter()
    await trigger()
    finished: float = await asyncio.wait_for(done, 120)
    return finished - start


SLIP = b'{"type":"Place","id":"%d.%d","round":1,"version":%d,"slip":{"big":%d,"single-3":200}}'


def slip(number: int, count: int) -> bytes:
    return SLIP % (number, count, count + 1, 100 + 100 * (count % 7))


async def measure_echo(terminals: int, connect: Open, kind: str = "echo") -> Measured:
    port = free_port()
    child = Child(kind, str(port))
    try:
        await up(port, "/")
        before = child.resident()
        clients = await connect(port, "/ws", terminals, lambda line, text: None)
        memory = (child.resident() - before) / terminals
        began = child.seconds()
        figures = await closed_loop(clients, slip, lambda text: text.startswith(b'{"type":"Place"'))
        cpu = child.seconds() - began
        result = b"all:" + b"x" * 1_500

        async def trigger() -> None:
            clients[0].send(result)

        began = child.seconds()
        spread = await until_all(clients, lambda text: text.startswith(b"all:"), trigger)
        spread_cpu = child.seconds() - began
        for line in clients:
            line.close()
        return Measured(figures, cpu / len(figures.times), spread, spread_cpu, memory)
    finally:
        child.end()


async def measure_house(terminals: int, connect: Open, source: Path = REPOSITORY) -> Measured:
    async with served_house(terminals, source=source) as house:
        child = house.child
        before = child.resident()
        await house.act("C1", "StartRound")
        clients = await seated(house.port, terminals, connect)
        memory = (child.resident() - before) / terminals
        size = record_bytes(house.folder)
        began = child.seconds()
        figures = await closed_loop(clients, slip, lambda text: text.startswith(b'{"type":"SlipReg'))
        cpu = child.seconds() - began
        disk = (record_bytes(house.folder) - size) / len(figures.times)
        await house.throw("C1")
        began = child.seconds()
        settle = partial(house.act, "C1", "SettleBets")
        told_all = await until_all(clients, lambda text: text.startswith(b'{"type":"Settled"'), settle)
        told_cpu = child.seconds() - began
        for line in clients:
            line.close()
        return Measured(figures, cpu / len(figures.times), told_all, told_cpu, memory, disk)


def record_bytes(folder: str) -> int:
    """How long the record is now, with what is still in its log."""
    db = apsw.Connection(f"{folder}/house.db", flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(db.execute("PRAGMA page_count").get) * int(db.execute("PRAGMA page_size").get)
    finally:
        db.close()


async def seated(
    port: int, terminals: int, connect: Open, table: str = "C1", *, first: int = 0
) -> Sequence[AnyLine]:
    """Terminals that have said hello, each soon after it came, and have their snapshot."""
    clients: list[AnyLine] = []
    for start in range(first, first + terminals, 200):
        count = min(200, first + terminals - start)
        part = await connect(port, "/ws/terminal", count, lambda line, text: None)

        async def hello(first: int = start, some: Sequence[AnyLine] = part) -> None:
            for number, line in enumerate(some, first):
                said = {"type": "Hello", "table": table, "terminal": f"{table}-{number}", "key": "bench"}
                line.send(json.dumps(said).encode())

        await until_all(part, lambda text: text.startswith(b'{"type":"Snapshot"'), hello)
        clients += part
    return clients


def many_files() -> None:
    """Let this process, and those that it starts, have thousands of connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 20_000), hard), hard))


def main() -> None:
    """Print the figures, each beside its baselines."""
    many_files()
    print(f"  load of the machine before it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for terminals in TERMINALS:
        say(f"{terminals:>5} terminals", [measured(terminals, library_lines) for _ in range(PASSES)])
    # Clients that cost almost nothing show what the server alone can do.
    say(f"{BARE:>5} bare sockets", [measured(BARE, lines) for _ in range(PASSES)])


class Pass(NamedTuple):
    """The house and its two baselines, one after the other."""

    echo: Measured
    line: Measured
    house: Measured


def measured(terminals: int, connect: Open) -> Pass:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return Pass(
            runner.run(measure_echo(terminals, connect)),
            runner.run(measure_echo(terminals, connect, "line")),
            runner.run(measure_house(terminals, connect)),
        )


def say(name: str, passes: Sequence[Pass]) -> None:
    """Medians over the passes; a ratio whose passes lie far apart is said to be unsure."""

    def middle(of: Callable[[Pass], float]) -> float:
        return median(map(of, passes))

    def ratio(of: Callable[[Pass], float]) -> str:
        low, high = min(map(of, passes)), max(map(of, passes))
        unsure = ", unsure" if high > UNSURE * low else ""
        return f"{middle(of):.2f} ({low:.2f} to {high:.2f}{unsure})"

    print(
        f"  {name}: {middle(lambda one: one.house.figures.rate):,.0f} durable slips/s, "
        f"ack p50 {middle(lambda one: one.house.figures.percentile(0.5)):.0f} ms, "
        f"p99 {middle(lambda one: one.house.figures.percentile(0.99)):.0f} ms, "
        f"{middle(lambda one: one.house.cpu) * 1e6:.0f} us of processor each: "
        f"{ratio(lambda one: one.house.cpu / one.echo.cpu)} x uvicorn's echo "
        f"({middle(lambda one: one.echo.cpu) * 1e6:.0f} us), "
        f"{ratio(lambda one: one.house.cpu / one.line.cpu)} x our line's "
        f"({middle(lambda one: one.line.cpu) * 1e6:.0f} us)\n"
        f"{'':17}settled and told to all in {middle(lambda one: one.house.told) * 1000:,.0f} ms: "
        f"{ratio(lambda one: one.house.told / one.echo.told)} x a bare broadcast; "
        f"{middle(lambda one: one.house.memory) / 1024:.1f} KiB a terminal, "
        f"bare {middle(lambda one: one.echo.memory) / 1024:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    if sys.argv[1:2] in (["echo"], ["line"]):
        run_echo(int(sys.argv[2]), on_line=sys.argv[1] == "line")
    elif sys.argv[1:2] == ["house"]:
        proofs, many = "unproved" not in sys.argv, [int(word) for word in sys.argv[5:6] if word.isdigit()]
        run_house(
            int(sys.argv[2]),
            sys.argv[3],
            int(sys.argv[4]),
            tables=many[0] if many else 1,
            pauses=bool(many),
            proofs=proofs,
        )
    else:
        main()
