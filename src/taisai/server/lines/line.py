"""A WebSocket under the application, and the short way to it for whoever sends and hears many texts.

uvicorn's class makes the handshake and speaks ASGI with the application; frames are read and written here.
A handler that takes the line (`line_of`) gets texts without the layers in between, and writes without
waiting as long as the client keeps reading.
"""

import asyncio
from collections import deque
from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from taisai.server.lines.frames import (
    BINARY,
    CLOSE,
    HEADS_KEPT,
    NOT_UTF8,
    PING,
    PONG,
    TEXT,
    TEXT_HEADS,
    FrameFault,
    FrameReader,
    closed_with,
    closing,
    framed,
)
from taisai.server.lines.turns import turns_of
from taisai.server.ops.connections import Lease

# So many texts of a client wait to be handled; then no more are read from it.
WAITING_MAX: Final = 16
# Under which name a handler finds the line of its connection.
_LINE: Final = "line"


class _Inbox:
    """Events for the one task that serves a connection, in the order in which they came."""

    __slots__ = ("_loop", "_turns", "_waiter", "events")

    def __init__(self) -> None:
        self.events: deque[Any] = deque()
        self._loop = asyncio.get_running_loop()
        self._turns = turns_of(self._loop)
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, event: Any) -> None:
        self.events.append(event)
        if self._waiter is not None:
            self._turns.wake(self._waiter)
            self._waiter = None  # it is woken once

    def some(self) -> "asyncio.Future[None]":
        """To wait for while there is nothing: from the next event on it is this task's turn."""
        self._waiter = self._loop.create_future()
        return self._waiter


class _Sent:
    """What uvicorn's class still asks of the library after the handshake: frames of control, as bytes."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        self._frames: list[bytes] = []

    def send_close(self, code: int, reason: str = "") -> None:
        self._frames.append(closing(code, reason))

    fail = send_close

    def send_ping(self, payload: bytes) -> None:
        self._frames.append(framed(PING, payload))

    def data_to_send(self) -> list[bytes]:
        frames, self._frames = self._frames, []
        return frames


class BoundedSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose frames are ours, and which gives its place among the connections back at its end."""

    lease: Lease | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app_state = {**self.app_state, _LINE: self}
        self._inbox = _Inbox()
        self.queue = self._inbox  # type: ignore[assignment] # uvicorn's class only puts something in
        self._reader: FrameReader | None = None

    # --- what uvicorn calls -------------------------------------------------------------------------------

    def connection_lost(self, exc: Exception | None) -> None:
        if self.lease is not None:
            self.lease.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        if reader is None:
            self._reader = FrameReader(self.config.ws_max_size)
            super().data_received(data)  # the request, which uvicorn hands over whole
            return
        try:
            text = reader.text_alone(data)
            if text is not None:
                self._message(_text(text))
                return
            for kind, payload in reader.feed(data):
                if kind == TEXT:
                    self._message(_text(payload))
                else:
                    self._heard(kind, payload)
        except FrameFault as fault:
            self._end(fault.code, fault.words)

    def start_keepalive(self) -> None:
        """The handshake is over, and the library has done its part."""
        self.conn = _Sent()  # type: ignore[assignment] # all that is asked of it from now on
        del self.request, self.response
        super().start_keepalive()

    async def send(self, message: Any) -> None:
        if self.handshake_complete and (self.close_sent or self.transport.is_closing()):
            raise ClientDisconnected
        if message["type"] != "websocket.send" or not self.handshake_complete:
            await super().send(message)
        elif (text := message.get("text")) is not None:
            await self.send_text(text.encode())
        else:
            await self._drained()
            self.transport.write(framed(BINARY, message["bytes"]))

    async def receive(self) -> Any:
        while not self._inbox.events:
            await self._inbox.some()
        event = self._next()
        return {"type": "websocket.receive", "text": event} if isinstance(event, str) else event

    # --- the short way ------------------------------------------------------------------------------------

    async def text(self) -> str:
        """The next text; empty where a client sent bytes. Raises ClientDisconnected at the end."""
        inbox = self._inbox
        while not inbox.events:
            await inbox.some()
        event = self._next() if self.read_paused else inbox.events.popleft()
        if isinstance(event, str):
            return event
        if event["type"] == "websocket.disconnect":
            raise ClientDisconnected
        return ""

    def write(self, text: bytes) -> bool:
        """Send a text, in UTF-8, now; or say that the client is behind, or gone."""
        transport = self.transport
        if not self.writable.is_set() or self.close_sent or self.disconnected or transport.is_closing():
            return False
        transport.write(_text_frame(text))
        return True

    async def send_text(self, text: bytes) -> None:
        """Send a text as soon as the client is not behind."""
        await self._drained()
        self.transport.write(_text_frame(text))

    # --- within -------------------------------------------------------------------------------------------

    def _next(self) -> Any:
        events = self._inbox.events
        event = events.popleft()
        if self.read_paused and not events:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        return event

    async def _drained(self) -> None:
        await self.writable.wait()
        if self.disconnected or self.close_sent or self.transport.is_closing():
            raise ClientDisconnected

    def _heard(self, kind: int, payload: bytes) -> None:
        if kind == BINARY:
            self._message({"type": "websocket.receive", "bytes": payload})
        elif kind == PONG:
            self.handle_pong(Frame(Opcode.PONG, payload))
        elif kind == CLOSE:
            self._closed(payload)
        elif not (self.close_sent or self.transport.is_closing()):
            self.transport.write(framed(PONG, payload))  # a ping, the only kind that is left

    def _message(self, event: Any) -> None:
        if self.close_sent:  # what comes after our closing is no longer heard
            return
        inbox = self._inbox
        inbox.put_nowait(event)
        if len(inbox.events) > WAITING_MAX and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _closed(self, payload: bytes) -> None:
        """The client closes, or agrees to our closing."""
        code, words = closed_with(payload)
        if self.close_sent:
            if self.close_timer is not None:
                self.close_timer.cancel()
                self.close_timer = None
                self.transport.close()
        else:
            self._end(code, words)

    def _end(self, code: int, words: str) -> None:
        """Close with a code, and tell the application."""
        if self.close_sent or self.transport.is_closing():
            self.transport.close()
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": words})
        self.transport.write(closing(code, words))
        self.close_sent = True
        self.transport.close()


def line_of(scope: Any) -> BoundedSocket | None:
    """The line of a connection; none where another server runs the application."""
    line = scope.get("state", {}).get(_LINE)
    return line if isinstance(line, BoundedSocket) else None


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise FrameFault(NOT_UTF8, "a text is UTF-8") from None


_framed_last: tuple[bytes, bytes] = (b"", framed(TEXT, b""))


def _text_frame(text: bytes) -> bytes:
    """A text as its frame; what is told to everybody, one after the other, is framed once."""
    global _framed_last  # noqa: PLW0603 # the last long text alone is kept, and it is the same for all
    size = len(text)
    if size < HEADS_KEPT:  # an answer, nearly always
        return TEXT_HEADS[size] + text
    if text is not _framed_last[0]:
        _framed_last = text, framed(TEXT, text)
    return _framed_last[1]
