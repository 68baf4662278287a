"""WebSocket clients for benchmarks: one of the library that people use, one as lean as can be."""

import asyncio
import base64
import os
import struct
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

Heard = Callable[[Any, bytes], None]


class Line(asyncio.Protocol):
    """One WebSocket. Texts go out masked, as clients must; texts that come in go to `heard`."""

    def __init__(self, path: str, heard: Heard) -> None:
        self._path, self.heard = path, heard
        self._buffer = b""
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sent_at = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, text: bytes) -> None:
        size = len(text)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + struct.pack("!H", size)
        # A mask of zeros is a mask, and costs nothing to apply.
        self._transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data
        if not self._open:
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head.splitlines()[0]:
                self.ready.set_exception(ConnectionError(head.decode()))
                return
            self._open = True
            self.ready.set_result(None)
        at = 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 0x7F, at + 2
            if size == 126:
                if len(buffer) < at + 4:
                    break
                size, start = struct.unpack_from("!H", buffer, at + 2)[0], at + 4
            elif size == 127:
                if len(buffer) < at + 10:
                    break
                size, start = struct.unpack_from("!Q", buffer, at + 2)[0], at + 10
            if len(buffer) < start + size:
                break
            if buffer[at] & 0x0F == 1:
                self.heard(self, buffer[start : start + size])
            elif buffer[at] & 0x0F == 9:  # a ping: say that we are here
                self._transport.write(
                    b"\x8a\x80\0\0\0\0"
                    if not size
                    else b"\x8a" + bytes([0x80 | size]) + b"\0\0\0\0" + buffer[start : start + size]
                )
            at = start + size
        self._buffer = buffer[at:]

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits for a line that was never opened is told so."""
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("closed before it was open"))

    def close(self) -> None:
        self._transport.close()


class LibraryLine:
    """The same over the `websockets` library, as the house's own client connects."""

    def __init__(self, socket: Any, heard: Heard) -> None:
        self._socket, self.heard = socket, heard
        self.sent_at = 0.0
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]

    def send(self, text: bytes) -> None:
        self._outgoing.put_nowait(text.decode())

    async def _write(self) -> None:
        while True:
            await self._socket.send(await self._outgoing.get())

    async def _read(self) -> None:
        async for text in self._socket:
            self.heard(self, text.encode())

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._socket.transport.abort()


async def library_lines(port: int, path: str, count: int, heard: Heard) -> Sequence[LibraryLine]:
    """That many connections of the library."""
    from websockets.asyncio.client import connect

    address = f"ws://127.0.0.1:{port}{path}"
    opened: list[LibraryLine] = []
    for start in range(0, count, 50):
        made = [
            connect(address, compression=None, max_size=2**22, proxy=None, ping_interval=None)
            for _ in range(min(50, count - start))
        ]
        opened += [LibraryLine(socket, heard) for socket in await asyncio.gather(*made)]
    return opened


async def lines(port: int, path: str, count: int, heard: Heard) -> Sequence[Line]:
    """That many connections, a hundred at a time."""
    loop = asyncio.get_running_loop()
    opened: list[Line] = []
    for start in range(0, count, 100):
        made = [
            loop.create_connection(lambda: Line(path, heard), "127.0.0.1", port)
            for _ in range(min(100, count - start))
        ]
        opened += [line for _, line in await asyncio.gather(*made)]
        await asyncio.gather(*(line.ready for line in opened[start:]))
    return opened


AnyLine = Line | LibraryLine
Open = Callable[[int, str, int, Heard], Awaitable[Sequence[AnyLine]]]
