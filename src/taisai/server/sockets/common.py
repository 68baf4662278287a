"""What the WebSockets of terminals and consoles share."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from taisai.server import wire
from taisai.server.live.outbox import Outbox, Send

log = logging.getLogger("taisai.sockets")

HELLO_SECONDS: Final = 10.0
ID_LEN_MAX: Final = 64
FAULTS_MAX: Final = 20
_CLOSE_SECONDS: Final = 1.0

Socket = WebSocket[Any, Any, Any]


def sender(socket: Socket) -> Send:
    """The way out for texts, without the layers that serve other kinds of message."""
    send = socket.send

    async def send_text(text: str) -> None:
        await send({"type": "websocket.send", "bytes": None, "text": text})

    return send_text


async def received(socket: Socket) -> str:
    """The next text; one that comes as bytes is empty, which no message is."""
    event: Any = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="disconnect event", code=event["code"])
    return event.get("text") or ""


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
