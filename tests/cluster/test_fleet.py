"""One machine, several processes at one address: `server.gateways`."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from taisai.client import Terminal, Visitor
from tests.server.processes import REPOSITORY, hold_port

pytestmark = pytest.mark.slow


async def children(pid: int) -> list[int]:
    """The gateways and the desk of a fleet: Python processes of their own."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    found = [int(each) for each in path.read_text(encoding="ascii").split()]
    return [each for each in found if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


async def until_ready(address: str) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        while True:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)


async def test_a_gateway_that_dies_is_started_again_and_the_house_ends_when_told(tmp_path: Path) -> None:
    """On SQLite, with a bus of its own; a terminal goes on at whichever process takes its connection."""
    held = hold_port()
    address = f"http://127.0.0.1:{held.getsockname()[1]}"
    environment = {
        **os.environ,
        "TAISAI_SERVER_GATEWAYS": "2",
        "TAISAI_SERVER_PORT": str(held.getsockname()[1]),
        "TAISAI_SERVER_DATABASE": str(tmp_path / "house.db"),
        "TAISAI_SERVER_KEYS": str(tmp_path / "keys"),
    }
    command = [str(Path(sys.executable).with_name("taisai")), "serve"]
    with (tmp_path / "log").open("wb") as log:
        fleet = await asyncio.create_subprocess_exec(
            *command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log
        )
    try:
        await until_ready(address)
        async with Visitor(address, seconds=60) as visitor:
            key = await visitor.demo_terminal("C3")
            async with Terminal(address, key) as terminal:
                assert await terminal.cash_in(5_000) == 5_000
            running = await children(fleet.pid)
            assert len(running) == 3
            os.kill(running[-1], signal.SIGKILL)
            while len(now := await children(fleet.pid)) < 3 or now == running:
                await asyncio.sleep(0.05)
            async with Terminal(address, key) as terminal:
                await terminal.wait_until(lambda: terminal.session is not None, 60)
                assert terminal.session.credit == 5_000
    finally:
        fleet.send_signal(signal.SIGTERM)
        code = await fleet.wait()
        held.close()
    assert code == 0
    assert "ended with -9, and is started again" in (tmp_path / "log").read_text(encoding="utf-8")
