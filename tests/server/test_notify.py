"""A service manager is told when the server is ready, that it is still there, and when it goes down."""

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from taisai.server.ops.notify import keep_telling, tell, watchdog_seconds


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """Where systemd would listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


class House:
    """Not ready when it is first asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def faults(self) -> list[str]:
        self.asked += 1
        return ["the store does not answer"] if self.asked == 1 else []


async def test_it_is_ready_when_nothing_keeps_it_from_taking_wagers(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it says in time that it is there, and at the end that it goes."""
    monkeypatch.setattr("taisai.server.ops.notify._LOOK_SECONDS", 0)
    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "20000"}
    task = asyncio.create_task(keep_telling(House(), environment))
    loop = asyncio.get_running_loop()
    heard = [(await loop.sock_recv(manager, 200)).decode() for _ in range(4)]
    assert heard == [
        "STATUS=not ready: the store does not answer",
        "READY=1\nSTATUS=taking wagers",
        "WATCHDOG=1",
        "STATUS=taking wagers",
    ]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    while not heard[-1].startswith("STOPPING=1"):
        heard.append((await loop.sock_recv(manager, 200)).decode())


async def test_a_store_that_hangs_is_no_loop_that_hangs(manager: socket.socket) -> None:
    """The manager hears of the one, and does not kill the house for the other."""

    class Hanging(House):
        async def faults(self) -> list[str]:
            self.asked += 1
            if self.asked > 1:
                await asyncio.Event().wait()
            return []

    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "20000"}
    task = asyncio.create_task(keep_telling(Hanging(), environment))
    loop = asyncio.get_running_loop()
    heard = [(await loop.sock_recv(manager, 200)).decode() for _ in range(5)]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert heard[1:] == ["WATCHDOG=1", "STATUS=the store does not answer"] * 2


async def test_without_a_service_manager_nothing_is_told() -> None:
    """Nor when the one that is named has gone."""
    await keep_telling(House(), {})
    assert tell("READY=1", {}) is False
    assert tell("READY=1", {"NOTIFY_SOCKET": "/nowhere/notify"}) is False


def test_a_manager_that_does_not_read_holds_nothing_up(manager: socket.socket) -> None:
    """What does not fit into its queue is dropped; the house goes on."""
    environment = {"NOTIFY_SOCKET": manager.getsockname()}
    told = [tell("WATCHDOG=1", environment) for _ in range(1_000)]
    assert told[0]
    assert not told[-1]


def test_a_name_that_is_in_no_file_system_is_understood() -> None:
    """Some managers listen at one."""
    name = f"taisai-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        assert tell("READY=1", {"NOTIFY_SOCKET": "@" + name})
        assert listening.recv(20) == b"READY=1"


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, 15.0),
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": str(os.getpid())}, 2.0),
        ({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"}, 15.0),
        ({"WATCHDOG_USEC": "none"}, 15.0),
    ],
)
def test_it_says_so_twice_in_the_time_that_is_allowed(environment: dict[str, str], seconds: float) -> None:
    """If it is this process that is watched."""
    assert watchdog_seconds(environment) == seconds
