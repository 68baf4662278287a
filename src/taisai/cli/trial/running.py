"""All of a cluster on one machine, and the small language in which `taisai cluster` speaks to it."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx

from taisai.cli.serving import PLAY_MONEY
from taisai.cli.trial import engines
from taisai.cli.trial.lines import Cable, laid_to_port, reach_port
from taisai.cli.trial.ports import Ports
from taisai.cli.trial.processes import Supervised
from taisai.cli.trial.toml import as_toml
from taisai.errors import InputError

DEEDS: Final = ("kill", "stop", "hang", "partition")
_SERVERS, _BUSES, _GATEWAYS, _DESKS = 3, 3, 2, 3
_OPEN_SECONDS: Final = 180
_CONTROL: Final = "control.sock"
_READY: Final = """
SELECT NOT pg_is_in_recovery() AND EXISTS (
  SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum'))"""


class Trial:
    """Three PostgreSQL under Patroni, three NATS, two gateways and three desks, each behind its own lines."""

    def __init__(self, folder: Path, *, first_port: int, say: Callable[[str], None]) -> None:
        self.folder, self._first_port, self._say = folder, first_port, say
        self.all: dict[str, Supervised] = {}
        self._ports = Ports(folder)
        self._postgres = self._ports_of("pg", _SERVERS)
        self._nats = self._ports_of("nats", _BUSES)
        self._tasks: set[asyncio.Task[None]] = set()

    def _ports_of(self, role: str, count: int) -> dict[str, int]:
        names = [f"{role}{number}" for number in range(1, count + 1)]
        return {name: self._ports.of(name) for name in names}

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Trial"]:
        """Everything is open; all of it is ended whatever happens."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._end)
            await self._start_engines(stack)
            await self._until("PostgreSQL has a primary and a standby", self._has_primary)
            # The first desk makes the house's secrets, which all others need.
            await self._start_house(stack, "desk1", "desk")
            await self._until("a desk answers", partial(self._all_ready, "desk"))
            for number in range(2, _DESKS + 1):
                await self._start_house(stack, f"desk{number}", "desk")
            for number in range(1, _GATEWAYS + 1):
                await self._start_house(stack, f"gateway{number}", "gateway")
            await self._until("both gateways take wagers", partial(self._all_ready, "gateway"))
            place = self.folder / _CONTROL
            control = await asyncio.start_unix_server(self._answer, place)
            place.chmod(0o600)
            stack.callback(control.close)
            yield self

    async def _end(self) -> None:
        # Those who write first, then the bus, then the record.
        for name in sorted(self.all, key=lambda each: each.startswith(("nats", "pg", "etcd"))):
            await self.all[name].end()

    async def _start_engines(self, stack: AsyncExitStack) -> None:
        keeper, peer = self._ports.of("etcd"), self._ports.of("etcd peer")
        folder = engines.own_folder(self.folder / "etcd")
        self._start(Supervised("etcd", engines.etcd(folder, keeper, peer), folder))
        for name, port in self._postgres.items():
            folder = engines.own_folder(self.folder / name)
            inward, outward = Cable(reach_port(port)), Cable(reach_port(keeper))
            command = engines.patroni(
                name,
                folder,
                port=port,
                reached_at=await stack.enter_async_context(laid_to_port(inward)),
                etcd_at=await stack.enter_async_context(laid_to_port(outward)),
                rest=self._ports.of(f"{name} rest"),
            )
            watched = Supervised(name, command, folder, address=f"127.0.0.1:{port}")
            watched.lines = [inward, outward]
            self._start(watched)
        routes = {name: self._ports.of(f"{name} route") for name in self._nats}
        for name, port in self._nats.items():
            folder = self.folder / name
            folder.mkdir(exist_ok=True)
            others = [each for other, each in routes.items() if other != name]
            command = engines.nats(port, routes[name], others)
            self._start(Supervised(name, command, folder, address=f"127.0.0.1:{port}"))

    async def _start_house(self, stack: AsyncExitStack, name: str, verb: str) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        port = self._first_port + len([each for each in self.all if each.startswith("gateway")])
        servers, buses, lines = [], [], []
        for engine, at in {**self._postgres, **self._nats}.items():
            line = Cable(reach_port(at))
            lines.append(line)
            self.all[engine].lines.append(line)
            laid = f"127.0.0.1:{await stack.enter_async_context(laid_to_port(line))}"
            if engine in self._postgres:
                servers.append(laid)
            else:
                buses.append(f"nats://{laid}")
        ops = self._ports.of(name)
        settings = self._settings(name, ",".join(servers), buses, port=port, ops=ops)
        path = folder / "settings.toml"
        path.write_text(as_toml(settings), encoding="utf-8")
        command = [sys.executable, "-m", "taisai", verb, "--config", str(path)]
        address = f"http://127.0.0.1:{port if verb == 'gateway' else ops}"
        watched = Supervised(name, command, folder, address=address)
        watched.lines = lines
        self._start(watched)

    def _settings(self, name: str, servers: str, buses: list[str], *, port: int, ops: int) -> dict[str, Any]:
        return {
            "house": dict(PLAY_MONEY["house"]),
            "server": {
                "database": f"postgresql://taisai@{servers}/postgres",
                "keys": str(self.folder / "keys"),
                "port": port,
                "ops_port": ops,
            },
            "cluster": {"nats": buses, "slot": name, "lease_seconds": 2.0, "replicas_min": 1},
            "table": PLAY_MONEY["table"],
        }

    def _start(self, watched: Supervised) -> None:
        self.all[watched.name] = watched
        watched.start()

    async def _until(self, what: str, holds: Callable[[], Any]) -> None:
        self._say(f"waiting until {what}")
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                while not await holds():
                    await asyncio.sleep(0.5)
        except TimeoutError:
            raise InputError(
                f"expected that {what} within {_OPEN_SECONDS} s; see the logs in {self.folder}"
            ) from None

    async def _has_primary(self) -> bool:
        return any([await self._asked_of(port, _READY) for port in self._postgres.values()])

    async def _asked_of(self, port: int, question: str) -> Any:
        try:
            connection = await asyncpg.connect(
                host="127.0.0.1", port=port, user="taisai", database="postgres", timeout=2
            )
        except (OSError, TimeoutError, asyncpg.PostgresError):
            return None
        try:
            return await connection.fetchval(question, timeout=2)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return None
        finally:
            connection.terminate()

    async def _all_ready(self, role: str) -> bool:
        return all(each == "ready" for each in await self._said_by(role))

    async def _said_by(self, role: str) -> list[str]:
        return [await self._readiness(one) for name, one in self.all.items() if name.startswith(role)]

    async def _readiness(self, watched: Supervised) -> str:
        try:
            async with httpx.AsyncClient(verify=False, timeout=2) as client:  # noqa: S501 - no TLS on loopback
                answer = (await client.get(f"{_ops_of(watched, self.folder)}/readyz")).json()
        except (httpx.HTTPError, ValueError):
            return "no answer"
        return "ready" if answer["ready"] else "; ".join(answer["faults"])

    async def status(self) -> list[dict[str, Any]]:
        """A row for each process."""
        rows = []
        for name, one in self.all.items():
            said = ""
            if name in self._postgres and one.pid:
                in_recovery = await self._asked_of(self._postgres[name], "SELECT pg_is_in_recovery()")
                said = {True: "standby", False: "primary", None: "no answer"}[in_recovery]
            elif name.startswith(("desk", "gateway")) and one.pid:
                said = await self._readiness(one)
            rows.append(
                {"name": name, "state": one.state, "pid": one.pid, "address": one.address, "says": said}
            )
        return rows

    async def do(self, deed: str, name: str, seconds: float) -> str:
        """What a person asked for, to one process."""
        one = self.all.get(name)
        if deed not in DEEDS or one is None:
            raise InputError(f"expected one of {', '.join(self.all)}, got {name!r}")
        if one.state != "running":
            raise InputError(f"{name} is {one.state}")
        if deed == "partition" and not one.lines:
            raise InputError(f"{name} has no lines of its own to cut: kill it instead")
        match deed:
            case "kill":
                one.kill(seconds)
            case "stop":
                one.stop(seconds)
            case _:
                task = asyncio.create_task(getattr(one, deed)(seconds))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        ends = {"hang": "goes on", "partition": "is reached again"}.get(deed, "comes back")
        return f"{deed} {name}: it {ends} after {seconds:g} s"

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One line asks, one line answers."""
        try:
            asked = json.loads(await reader.readline())
            if asked["do"] == "status":
                answer: Mapping[str, Any] = {"rows": await self.status()}
            else:
                answer = {"said": await self.do(asked["do"], asked["name"], float(asked["seconds"]))}
        except (ValueError, KeyError, InputError) as error:
            answer = {"error": str(error)}
        with contextlib.suppress(OSError):
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()


def _ops_of(watched: Supervised, folder: Path) -> str:
    import tomllib

    settings = tomllib.loads((folder / watched.name / "settings.toml").read_text(encoding="utf-8"))
    return f"http://127.0.0.1:{settings['server']['ops_port']}"


async def ask(folder: Path, **asked: Any) -> dict[str, Any]:
    """Ask a cluster that runs."""
    try:
        reader, writer = await asyncio.open_unix_connection(folder / _CONTROL)
    except OSError:
        raise InputError(f"no cluster runs in {folder}: start one with `taisai cluster start`") from None
    writer.write(json.dumps(asked).encode() + b"\n")
    answer: dict[str, Any] = json.loads(await reader.readline())
    writer.close()
    if "error" in answer:
        raise InputError(answer["error"])
    return answer


async def run(folder: Path, *, first_port: int, say: Callable[[str], None]) -> None:
    """Start a cluster, say where it is, and end it when told to; what a folder has is gone on with."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for how in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(how, ended.set)
    await _check(folder)
    folder.chmod(0o755)  # PostgreSQL may be another user
    serving = asyncio.create_task(_serve(folder, first_port, say, ended))
    ending = asyncio.create_task(ended.wait())
    await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
    if not serving.done():
        say("ending")
        serving.cancel()  # it may still be starting
    ending.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def _check(folder: Path) -> None:
    """A folder is empty, or a cluster's that has ended."""
    if any(folder.iterdir()) and not Ports.are_in(folder):
        raise InputError(f"expected an empty folder, or a cluster's: {folder} has other files in it")
    if await _answers(folder):
        raise InputError(f"a cluster runs in {folder}: see `taisai cluster status`")


async def _answers(folder: Path) -> bool:
    try:
        await ask(folder, do="status")
    except InputError:
        return False
    return True


async def _serve(folder: Path, first_port: int, say: Callable[[str], None], ended: asyncio.Event) -> None:
    async with Trial(folder, first_port=first_port, say=say).running() as trial:
        say_where(trial, say)
        await ended.wait()


def say_where(trial: Trial, say: Callable[[str], None]) -> None:
    """The addresses, and what to try."""
    say("")
    for name, one in trial.all.items():
        if one.address:
            say(f"  {name:<10} {one.address}")
    gateway = next(one.address for name, one in trial.all.items() if name.startswith("gateway"))
    say(f"\n  play at {gateway}/terminal?table=C1, or the same at the other gateway")
    say(f"  logs and settings are in {trial.folder}")
    say("  try: taisai cluster status | kill desk1 | stop desk2 | hang desk3 | partition gateway1 | kill pg1")
