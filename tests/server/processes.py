"""A server in a process of its own, to be killed."""

import asyncio
import json
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.warm import WarmProcess, begin

REPOSITORY = Path(__file__).parents[2]


def hold_port() -> socket.socket:
    """A port that nobody else is given while this is open; whoever names it can listen there all the same."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held


class ServerProcess:
    """`python -m tests.server.child`: the same record and port every time it is started."""

    program = "tests.server.child"

    def __init__(self, folder: Path, tables: list[dict[str, Any]], **sections: dict[str, Any]) -> None:
        self.folder, self._held = folder, hold_port()
        self.port = int(self._held.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self.logins = folder / "logins.json"
        self._settings = folder / "settings.json"
        self._settings.write_text(
            json.dumps({"port": self.port, "tables": tables, "sections": sections}), encoding="utf-8"
        )
        self._process: WarmProcess | Process | None = None

    async def _begin(self) -> WarmProcess | Process:
        return await begin(self.program, [str(self.folder)])

    async def start(self) -> None:
        self._process = await self._begin()
        async with httpx.AsyncClient(base_url=self.address, verify=False) as client:
            while True:
                try:
                    if (await client.get("/readyz")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                if self._process.returncode is not None:
                    raise RuntimeError(f"the server ended with {self._process.returncode}")
                await asyncio.sleep(0.05)

    @property
    def pid(self) -> int:
        """The running process."""
        assert self._process is not None
        return self._process.pid

    async def kill(self) -> None:
        """As a power cut would, but for the disk: no goodbye, no last write."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        return await self._end(signal.SIGTERM)

    async def close(self) -> None:
        """For good: the port is anybody's again."""
        await self.kill()
        self._held.close()

    async def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        self._process.send_signal(how)
        code = await self._process.wait()
        self._process = None
        return code

    def password(self, name: str) -> str:
        told: dict[str, str] = json.loads(self.logins.read_text(encoding="utf-8"))
        return told[name]


@asynccontextmanager
async def server_process(
    folder: Path,
    *tables: dict[str, Any],
    kind: type[ServerProcess] = ServerProcess,
    **sections: dict[str, Any],
) -> AsyncIterator[ServerProcess]:
    """A server that is running; it is ended whatever happens."""
    process = kind(folder, list(tables), **sections)
    try:
        await process.start()
        yield process
    finally:
        await process.close()
