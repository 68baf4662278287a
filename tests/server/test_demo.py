"""`taisai demo` as it is started: a house that was played in before, and that goes on by itself."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.cli.serving import PLAY_MONEY
from taisai.client import Staff
from tests.server.processes import hold_port
from tests.unit.command import clean_environment, process

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, "-m", "taisai", "demo")
TOLD_ONCE = "logins, shown this once:"
# Nobody but a visitor sits down where the dice wait for a player's word.
ALONE = {table["name"] for table in PLAY_MONEY["table"] if table["kind"] == "cluster"} - {"C1", "C2"}


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Asked again and again: each question waits for its answer."""
    async with asyncio.timeout(120):
        while not await holds():
            continue


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[str, Path]]:
    """Its address once it is ready, and where it says what it says; it ends in good order."""
    said = folder / "said.txt"
    with hold_port() as held, said.open("w", encoding="utf-8") as errors:
        port = held.getsockname()[1]
        arguments = [*COMMAND, "--port", str(port), "--data", str(folder / "house")]
        running = subprocess.Popen(arguments, stderr=errors, env=clean_environment())
        address = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=address) as client:

            async def ready() -> bool:
                assert running.poll() is None, said.read_text(encoding="utf-8")
                try:
                    return (await client.get("/readyz")).status_code == 200
                except httpx.TransportError:
                    return False

            await eventually(ready)
        yield address, said
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0


async def press(house: Staff, name: str) -> None:
    """Come in by one press."""
    person = await house.post("/login/open", {"name": name})
    house.http.headers["X-CSRF-Token"] = person["csrf"]


def of_play(tables: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["table"]["name"]: one for one in tables if one["table"]["name"] not in ALONE}


async def test_a_demonstration_is_alive_and_its_record_is_sound(tmp_path: Path) -> None:
    """Rounds and players at every table, dealers, an alarm, a request; then again on the same record."""
    async with opened(tmp_path) as (address, said):
        assert TOLD_ONCE in said.read_text(encoding="utf-8")
        async with Staff(address) as supervisor:
            await press(supervisor, "supervisor")

            async def lively() -> bool:
                tables = await supervisor.get("/pit")
                alarms = [alarm["kind"] for one in tables for alarm in one["alarms"]]
                waiting = await supervisor.get("/approvals")
                return "attendant" in alarms and [one["act"] for one in waiting] == ["CorrectResult"]

            await eventually(lively)
            for name, one in of_play(await supervisor.get("/pit")).items():
                assert one["rounds"] > 5, name
                assert one["players"] > 1, name
                assert one["handle"] > 0, name
                assert one["dealer"] == ("robot-dealer" if one["table"]["kind"] == "live" else None), name
    async with opened(tmp_path) as (address, said):
        again = said.read_text(encoding="utf-8")
        assert TOLD_ONCE not in again
        assert "each position is one press" in again
        assert "was played before you came" not in again
        async with Staff(address) as supervisor:
            await press(supervisor, "supervisor")
    verified = process(
        [*COMMAND[:3], "audit", "verify", f"sqlite:///{tmp_path / 'house' / 'house.db'}"], cwd=tmp_path
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
