"""Desks and gateways as processes of their own, by the commands that a house runs them with."""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from taisai.client import Staff, Visitor
from tests.server.houses import CLUSTER
from tests.server.processes import hold_port
from tests.warm import WarmProcess, begin


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


class Role:
    """One process: `taisai desk` or `taisai gateway`, the same settings and port every time."""

    def __init__(self, folder: Path, command: str, name: str, *options: str) -> None:
        self.name, self._folder, self._held = name, folder, hold_port()
        self.port = int(self._held.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        port = "--ops-port" if command == "desk" else "--port"
        self._command = [command, "--config", str(folder / "house.toml"), port, str(self.port), *options]
        self._process: WarmProcess | None = None

    @property
    def said(self) -> str:
        """All that it has said so far."""
        path = self._folder / f"{self.name}.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def process(self) -> WarmProcess:
        assert self._process is not None
        return self._process

    async def begin(self) -> None:
        """Start it, and wait for nothing."""
        log = self._folder / f"{self.name}.log"
        self._process = await begin("taisai", self._command, {"NO_COLOR": "1", "COLUMNS": "200"}, log)

    async def until_ready(self) -> None:
        """Wait until it takes wagers."""
        async with httpx.AsyncClient(base_url=self.address) as client:
            while True:
                try:
                    if (await client.get("/readyz")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                if self.process.returncode is not None:
                    raise RuntimeError(f"{self.name} ended with {self.process.returncode}: {self.said}")
                await asyncio.sleep(0.05)

    async def start(self) -> None:
        await self.begin()
        await self.until_ready()

    async def faults(self) -> list[str]:
        """What it says that keeps it from taking wagers."""
        async with httpx.AsyncClient(base_url=self.address) as client:
            found: list[str] = (await client.get("/readyz")).json()["faults"]
            return found

    async def until_said(self, text: str) -> None:
        """Wait for a line of its log."""
        while text not in self.said:
            if self.process.returncode is not None and text not in self.said:
                raise RuntimeError(f"{self.name} ended with {self.process.returncode}: {self.said}")
            await asyncio.sleep(0.05)

    async def kill(self) -> None:
        await self.end(signal.SIGKILL)

    async def stop(self) -> int:
        return await self.end(signal.SIGTERM)

    async def end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        self._process.send_signal(how)
        code = await self._process.wait()
        self._process = None
        return code

    async def close(self) -> None:
        await self.kill()
        self._held.close()


@dataclass
class RolesHouse:
    """A house whose desks and gateways are processes of their own."""

    folder: Path
    desks: list[Role]
    gateways: list[Role]
    stack: AsyncExitStack
    staff: dict[tuple[str, int], Staff] = field(default_factory=dict)

    def password(self, name: str) -> str:
        """Of somebody of the staff, as the first desk told it once."""
        for desk in self.desks:
            found = re.search(rf"^\s+{name}\s+(\S+)$", desk.said, re.MULTILINE)
            if found:
                return found[1]
        raise AssertionError(f"no desk has told the password of {name}")

    async def person(self, name: str, gateway: int = 0) -> Staff:
        """Somebody of the staff, logged in at a gateway."""
        if (name, gateway) not in self.staff:
            person = Staff(self.gateways[gateway].address)
            await self.stack.enter_async_context(person)
            await person.log_in(name, self.password(name))
            self.staff[name, gateway] = person
        return self.staff[name, gateway]

    async def visitor(self, gateway: int = 0) -> Visitor:
        visitor = Visitor(self.gateways[gateway].address)
        await self.stack.enter_async_context(visitor)
        return visitor


def write_settings(
    folder: Path, database: str, nats: list[str], *tables: dict[str, Any], **sections: dict[str, Any]
) -> None:
    """A play-money house whose processes share a folder of keys."""
    settings: dict[str, Any] = {
        "house": {"name": "Test house", "play_money": True, "cut_off_seconds": 0.05},
        "server": {
            "database": database,
            "keys": str(folder / "keys"),
            "login_tries_per_minute": 10_000,
            "redeem_tries_per_minute": 10_000,
            "visitors_per_minute": 10_000,
        },
        "cluster": {"nats": nats, "replicas_min": 0, "lease_seconds": 1.0},
        "practice": {"tables": 0},
        **sections,
    }
    lines = [f"[{name}]\n" + _lines(section) for name, section in settings.items()]
    lines += ["[[table]]\n" + _lines(table) for table in tables or (CLUSTER,)]
    (folder / "house.toml").write_text("\n".join(lines), encoding="utf-8")


def _lines(section: dict[str, Any]) -> str:
    return "".join(f"{key} = {toml(value)}\n" for key, value in section.items())


@asynccontextmanager
async def roles_house(
    folder: Path,
    database: str,
    nats: list[str],
    *tables: dict[str, Any],
    gateways: int = 2,
    desks: int = 1,
    **sections: dict[str, Any],
) -> AsyncIterator[RolesHouse]:
    """Desks first, then gateways; all of them are ended whatever happens."""
    write_settings(folder, database, nats, *tables, **sections)
    async with AsyncExitStack() as stack:
        house = RolesHouse(
            folder,
            [Role(folder, "desk", f"desk-{n}", "--slot", f"desk-{n}") for n in range(desks)],
            [Role(folder, "gateway", f"gateway-{n}") for n in range(gateways)],
            stack,
        )
        for role in (*house.desks, *house.gateways):
            stack.push_async_callback(role.close)
        await house.desks[0].start()  # it makes the secrets that all others need
        await asyncio.gather(*(role.start() for role in (*house.desks[1:], *house.gateways)))
        yield house
