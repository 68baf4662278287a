"""Tells whoever started the server, if they ask, that it is ready, still there, or going down (sd_notify)."""

import asyncio
import os
import socket
from collections.abc import Mapping
from typing import Final, Protocol

_LOOK_SECONDS: Final = 0.5
_STATUS_SECONDS: Final = 15.0


class Watched(Protocol):
    """Something that knows what keeps it from working."""

    async def faults(self) -> list[str]: ...


def tell(state: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send a state to the service manager; False where there is none, or where it does not listen."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]  # a name that is in no file system
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.setblocking(False)  # a manager that does not read must not hold up the tables
            to.connect(address)
            to.send(state.encode())
    except OSError:
        return False
    return True


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float:
    """How often to say that the server is still there: twice in the time that is allowed."""
    allowed = environment.get("WATCHDOG_USEC", "")
    ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(allowed) / 2_000_000 if allowed.isdigit() and int(allowed) and ours else _STATUS_SECONDS


async def keep_telling(watched: Watched, environment: Mapping[str, str] = os.environ) -> None:
    """Say that the server is ready once it is, and from then on that its loop still turns.

    A table that stopped is said and no more: a restart would take the others down with it.
    """
    if not environment.get("NOTIFY_SOCKET"):
        return
    seconds = watchdog_seconds(environment)
    try:
        while faults := await _faults(watched, seconds / 2):
            tell(f"STATUS=not ready: {'; '.join(faults)}", environment)
            await asyncio.sleep(_LOOK_SECONDS)
        tell("READY=1\nSTATUS=taking wagers", environment)
        while True:
            await asyncio.sleep(seconds)
            tell("WATCHDOG=1", environment)
            faults = await _faults(watched, seconds / 2)
            tell(f"STATUS={'; '.join(faults) or 'taking wagers'}", environment)
    finally:
        tell("STOPPING=1\nSTATUS=going down", environment)


async def _faults(watched: Watched, seconds: float) -> list[str]:
    """What is wrong, as far as it can be known in time: a store that hangs is no loop that hangs."""
    try:
        return await asyncio.wait_for(watched.faults(), seconds)
    except TimeoutError:
        return ["the store does not answer"]
