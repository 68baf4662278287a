"""What the WebSockets of terminals and consoles share."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from litestar import WebSocket
from uvicorn.protocols.utils import ClientDisconnected

from taisai.server import wire
from taisai.server.lines.line import line_of
from taisai.server.live.outbox import Outbox

log = logging.getLogger("taisai.sockets")

HELLO_SECONDS: Final = 10.0
ID_LEN_MAX: Final = 64
FAULTS_MAX: Final = 20
_CLOSE_SECONDS: Final = 1.0

Socket = WebSocket[Any, Any, Any]


def outbox(socket: Socket) -> Outbox:
    """The way out for texts, without the layers that serve other kinds of message."""
    line = line_of(socket.scope)
    if line is not None:
        return Outbox(line.send_text, line.write)
    send = socket.send

    async def send_text(text: bytes) -> None:
        await send({"type": "websocket.send", "bytes": None, "text": text.decode()})

    return Outbox(send_text)


def receiver(socket: Socket) -> Callable[[], Awaitable[str]]:
    """The way in: each text in its turn; one that comes as bytes is empty, which no message is."""
    line = line_of(socket.scope)
    if line is not None:
        return line.text

    async def received() -> str:
        event: Any = await socket.receive()
        if event["type"] == "websocket.disconnect":
            raise ClientDisconnected
        return event.get("text") or ""

    return received


async def greeting(socket: Socket, decode: Callable[[str], Any]) -> wire.Hello | None:
    """The first message, if it is a hello and comes in time."""
    raw = await asyncio.wait_for(socket.receive_data(mode="text"), HELLO_SECONDS)
    try:
        hello = decode(raw)
    except msgspec.DecodeError:
        return None
    return hello if isinstance(hello, wire.Hello) else None


async def until_broken(client: Outbox, work: Awaitable[None]) -> None:
    """Run until it ends by itself or the client is given up."""
    running: asyncio.Future[Any] = asyncio.ensure_future(work)
    waited: set[asyncio.Future[Any]] = {running, client.broken}
    try:
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def close_quietly(socket: Socket) -> None:
    """Close a socket whose client may have gone, or may not be reading what we say."""
    try:
        await asyncio.wait_for(socket.close(), _CLOSE_SECONDS)
    except Exception:  # it is gone already, in one of many ways
        log.debug("a socket was closed by its client")
