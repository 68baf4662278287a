"""A WebSocket client as lean as can be, so that the server is what a benchmark measures."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import Any


class Line(asyncio.Protocol):
    """One WebSocket. Texts go out masked, as clients must; texts that come in go to `heard`."""

    def __init__(self, path: str, heard: Callable[["Line", bytes], None]) -> None:
        self._path, self.heard = path, heard
        self._buffer = b""
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sent_at = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
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
                raise ConnectionError(head.decode())
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

    def close(self) -> None:
        self._transport.close()
