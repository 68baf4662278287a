"""The engines under a cluster: PostgreSQL with its standby, two NATS servers, and lines to them."""

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from time import monotonic

import asyncpg

from taisai.cli.trial.lines import Cable, laid_to_file, laid_to_port, reach_file, reach_port
from tests.crash.proxy import SOCKET
from tests.nats import NatsServer, free_port
from tests.postgres import HAS_STANDBY, Server

CANCEL_WAITS = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
TRIES = 50


class Pair:
    """Two PostgreSQL servers that take turns as the primary; the other one confirms each commit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes = [Server(self._made(f"pg{number}")) for number in (1, 2)]
        # What a standby hears of its primary goes over a line of its own.
        self.streams = [Cable(reach_file(node.folder / SOCKET)) for node in self.nodes]
        self.first = 0  # which of them is the primary

    def _made(self, name: str) -> Path:
        made = self._folder / name
        made.mkdir()
        return made

    @property
    def primary(self) -> Server:
        return self.nodes[self.first]

    @property
    def standby(self) -> Server:
        return self.nodes[1 - self.first]

    @property
    def stream(self) -> Cable:
        """The line from the standby to the primary."""
        return self.streams[self.first]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Pair"]:
        async with AsyncExitStack() as stack:
            for number, line in enumerate(self.streams, 1):
                place = self._made(f"stream{number}")
                place.chmod(0o755)
                await stack.enter_async_context(laid_to_file(line, place / SOCKET))
            for node in self.nodes:
                stack.callback(node.discard)
            await asyncio.to_thread(self.primary.start)
            await asyncio.to_thread(self.primary.set_for_good, "synchronous_standby_names", "*")
            await self.rebuild_standby()
            yield self

    async def rebuild_standby(self) -> None:
        """A new standby from a copy of the primary."""
        await asyncio.to_thread(self._copy)
        await self.start_standby()
        await asyncio.to_thread(self.primary.wait_until, HAS_STANDBY)

    def _copy(self) -> None:
        with suppress(RuntimeError):
            self.standby.stop()
        shutil.rmtree(self.standby.folder / "data", ignore_errors=True)
        self.standby.copy_of(self.primary)

    async def start_standby(self) -> None:
        place = self._folder / f"stream{self.first + 1}"
        await self._started(self.standby, primary_conninfo=f"host={place} user=taisai")

    async def start_primary(self) -> None:
        await self._started(self.primary)

    async def _started(self, node: Server, **settings: str) -> None:
        """A server that was killed finds traces of itself, and needs a moment until they are gone."""
        for _ in range(TRIES):
            try:
                return await asyncio.to_thread(node.start, **settings)
            except RuntimeError:
                await asyncio.sleep(0.1)
        raise RuntimeError("PostgreSQL does not start again")

    async def promote(self) -> None:
        """The primary is lost for good, and the standby goes on; whoever was the primary is a copy later."""
        await asyncio.to_thread(self.primary.kill)
        await asyncio.to_thread(self.standby.promote)
        self.first = 1 - self.first

    def freeze(self, node: Server, how: signal.Signals) -> None:
        """Stop every process of a server, or let them go on."""
        for pid in node.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, how)

    async def cancel_waits(self, seconds: float) -> None:
        """For some time an administrator cancels whatever waits for the standby, again and again."""
        connection = await asyncpg.connect(self.primary.url())
        until = monotonic() + seconds
        try:
            while monotonic() < until:
                await connection.execute(CANCEL_WAITS)
                await asyncio.sleep(0.05)
        finally:
            await connection.close()


class Engines:
    """All of them, started once and used by one house after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pair = Pair(folder)
        self.buses = [NatsServer(), NatsServer()]
        self.route = Cable(reach_port(0))  # from the first bus server to the second
        self._houses = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Engines"]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.pair.running())
            far = free_port()
            self.route = Cable(reach_port(far))
            near = await stack.enter_async_context(laid_to_port(self.route))
            self.buses[1].options = _clustered(far)
            self.buses[0].options = [*_clustered(free_port()), "--routes", f"nats://127.0.0.1:{near}"]
            for bus in self.buses:
                stack.callback(bus.stop)
                await asyncio.to_thread(bus.start)
            yield self

    async def new_database(self) -> str:
        """The name of a database for another house."""
        self._houses += 1
        name = f"house_{self._houses}"
        await asyncio.to_thread(self.pair.primary.sql, f"CREATE DATABASE {name}")
        return name


def _clustered(port: int) -> list[str]:
    """Options of a server that has others beside it, and tells no client of them: each has its own lines."""
    return ["--cluster_name", "taisai", "--cluster", f"nats://127.0.0.1:{port}", "--no_advertise"]


@asynccontextmanager
async def engines() -> AsyncIterator[Engines]:
    folder = Path(tempfile.mkdtemp(prefix="taisai-cluster-"))
    folder.chmod(0o755)
    try:
        async with Engines(folder).running() as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Lines:
    """One process's own lines to every engine, by name: pg1, pg2, nats1, nats2."""

    def __init__(self, engines: Engines, folder: Path) -> None:
        self._engines, self._folder = engines, folder
        self.each: dict[str, Cable] = {}
        self.database = ""
        self.nats: list[str] = []

    @asynccontextmanager
    async def laid(self, database: str) -> AsyncIterator["Lines"]:
        async with AsyncExitStack() as stack:
            places = []
            for number, node in enumerate(self._engines.pair.nodes, 1):
                place = self._folder / f"to-pg{number}"
                place.mkdir()
                line = self.each[f"pg{number}"] = Cable(reach_file(node.folder / SOCKET))
                await stack.enter_async_context(laid_to_file(line, place / SOCKET))
                places.append(str(place))
            self.database = f"postgresql://taisai@/{database}?host={','.join(places)}"
            for number, bus in enumerate(self._engines.buses, 1):
                line = self.each[f"nats{number}"] = Cable(reach_port(bus.port))
                port = await stack.enter_async_context(laid_to_port(line))
                self.nats.append(f"nats://127.0.0.1:{port}")
            yield self

    def heal(self) -> None:
        for line in self.each.values():
            line.heal()
