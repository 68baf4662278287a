"""The processes of one house on a cluster, with somebody who starts again what has died."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from taisai.cli.trial.lines import Cable, laid_to_port, reach_port
from taisai.cli.trial.toml import as_toml
from tests.cluster.engines import Engines, Lines
from tests.server.houses import AUTOMATIC
from tests.server.processes import REPOSITORY, hold_port
from tests.warm import WarmProcess, begin

TABLES: list[dict[str, Any]] = [{**AUTOMATIC, "name": name, "betting_seconds": 1} for name in ("C1", "C2")]
RESTART_SECONDS = 0.3
READY_SECONDS = 300
LEASE_SECONDS = 2.0
NEXT = "next"  # the release after this one
_LOGIN = re.compile(r"^ {4}([a-z-]+) +(\S+)$", re.MULTILINE)


class Member:
    """One process: started, killed, hung, and started again by somebody who watches it."""

    def __init__(self, name: str, verb: str, settings: Path, environment: Mapping[str, str]) -> None:
        self.name, self.verb = name, verb
        self._settings = settings
        self.environment = dict(environment)
        self.log = settings.with_suffix(".log")
        self.wanted = False
        self.starts = 0
        self._process: WarmProcess | None = None

    async def watch(self) -> None:
        """A supervisor: whatever ends while it is wanted is started again."""
        while True:
            if not self.wanted:
                await asyncio.sleep(0.05)
                continue
            self.starts += 1
            self._process = await begin(
                "tests.cluster.child",
                [self.verb, "--config", str(self._settings)],
                self.environment,
                self.log,
            )
            await self._process.wait()
            await asyncio.sleep(RESTART_SECONDS)

    def upgrade(self, release: str) -> None:
        """What it is started as from now on: this code as the `next` release, or source elsewhere."""
        self.environment["HARNESS_RELEASE"] = release
        self.environment.pop("PYTHONPATH", None)
        if release not in ("", NEXT):
            self.environment["PYTHONPATH"] = f"{release}:{REPOSITORY}"

    def signal(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)

    async def gone(self) -> None:
        if self._process is not None:
            await self._process.wait()


class Cluster:
    """A house: its processes, their lines, and the doors by which clients come in."""

    def __init__(
        self,
        engines: Engines,
        folder: Path,
        shape: Mapping[str, str],
        *,
        later: Sequence[str] = (),
        sabotage: str = "",
        release: str = "",
    ) -> None:
        self.engines, self.folder, self._shape = engines, folder, dict(shape)
        self._later, self._sabotage, self._release = later, sabotage, release
        self.members: dict[str, Member] = {}
        self.lines: dict[str, Lines] = {}
        self.doors: dict[str, Cable] = {}
        self._addresses: dict[str, str] = {}  # by which players come in
        self._at: dict[str, str] = {}  # each process's own, to ask how it is
        self.database = ""

    @property
    def addresses(self) -> list[str]:
        """Where players come in."""
        return list(self._addresses.values())

    @property
    def keys(self) -> Path:
        return self.folder / "keys"

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Cluster"]:
        self.database = await self.engines.new_database()
        async with AsyncExitStack() as stack:
            for name, verb in self._shape.items():
                await self._add(stack, name, verb)
            watching = [asyncio.create_task(member.watch()) for member in self.members.values()]
            try:
                # The first desk makes the house's secrets, which all others need.
                first, *others = (each for each in self.members.values() if each.name not in self._later)
                for some in ([first], others):
                    for member in some:
                        member.wanted = True
                    await self.ready()
                yield self
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.gather(*watching, return_exceptions=True)
                for member in self.members.values():
                    member.signal(signal.SIGCONT)
                    member.signal(signal.SIGKILL)
                    await member.gone()

    async def _add(self, stack: AsyncExitStack, name: str, verb: str) -> None:
        place = self.folder / name
        place.mkdir()
        lines = self.lines[name] = Lines(self.engines, place)
        await stack.enter_async_context(lines.laid(self.database))
        held = hold_port()
        stack.callback(held.close)
        port = int(held.getsockname()[1])
        self._at[name] = f"http://127.0.0.1:{port}"
        if verb != "desk":
            door = self.doors[name] = Cable(reach_port(port))
            there = await stack.enter_async_context(laid_to_port(door))
            self._addresses[name] = f"http://127.0.0.1:{there}"
        settings = place / "settings.toml"
        settings.write_text(as_toml(self._settings(name, verb, port, lines)), encoding="utf-8")
        environment = {"HARNESS_CLOCK": str(place / "clock"), "HARNESS_SABOTAGE": self._sabotage}
        self.members[name] = Member(name, verb, settings, environment)
        self.members[name].upgrade(self._release)

    def _settings(self, name: str, verb: str, port: int, lines: Lines) -> dict[str, Any]:
        server: dict[str, Any] = {
            "database": lines.database,
            "keys": str(self.keys),
            "port": port,
            "log_level": "warning",
            "login_tries_per_minute": 10_000,
            "visitors_per_minute": 10_000,
            "strangers_per_address": 10_000,
        }
        cluster: dict[str, Any] = {"slot": name, "lease_seconds": LEASE_SECONDS, "replicas_min": 1}
        if verb != "serve":
            cluster["nats"] = lines.nats
        if verb == "desk":
            server["ops_port"] = server.pop("port")
        return {
            "house": {"name": "Cluster", "play_money": True, "cut_off_seconds": 0.5},
            "server": server,
            "cluster": cluster,
            "practice": {"tables": 0},
            "table": TABLES,
        }

    async def ready(self, *names: str) -> None:
        """Until these processes say that wagers are taken, or all that should run."""
        wanted = names or [name for name, member in self.members.items() if member.wanted]
        try:
            async with httpx.AsyncClient(verify=False, timeout=2) as client, asyncio.timeout(READY_SECONDS):
                for name in wanted:
                    while not await _is_ready(client, self._at[name]):
                        await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"no bets after {READY_SECONDS} s:\n{self.said()}") from None

    def said(self, *, whole: bool = False) -> str:
        """The end of what each process said, for whoever looks for a cause, or all of it."""
        return "\n".join(
            f"{name}: {member.log.read_text(encoding='utf-8', errors='replace')[0 if whole else -1500 :]}"
            for name, member in self.members.items()
            if member.log.exists()
        )

    def password(self, name: str) -> str:
        """As somebody reads it who watches the first start."""
        for member in self.members.values():
            if not member.log.exists():
                continue
            told = dict(_LOGIN.findall(member.log.read_text(encoding="utf-8", errors="replace")))
            if name in told:
                return told[name]
        raise AssertionError(f"nobody was told the password of {name}")

    def set_clock(self, name: str, seconds: float) -> None:
        (self.folder / name / "clock").write_text(str(seconds), encoding="ascii")

    def heal(self) -> None:
        """All lines are whole, every process runs and goes on, and clocks are right."""
        for lines in self.lines.values():
            lines.heal()
        for line in (*self.doors.values(), self.engines.route, *self.engines.pair.streams):
            line.heal()
        for name, member in self.members.items():
            member.wanted = member.wanted or name not in self._later
            member.signal(signal.SIGCONT)
            self.set_clock(name, 0)


async def _is_ready(client: httpx.AsyncClient, address: str) -> bool:
    try:
        return (await client.get(f"{address}/readyz")).status_code == 200
    except httpx.HTTPError:
        return False
