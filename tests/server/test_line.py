"""The line under a terminal's WebSocket, by clients that cut, nest, flood and break their frames."""

import asyncio
import base64
import json
import os
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from taisai.server.lines.frames import CLOSE, CONTINUED, PING, PONG, TEXT
from tests.server.houses import Serving
from tests.unit.server.lines.test_frames import sent


@dataclass
class RawLine:
    """A WebSocket of which the test writes every byte."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def frame(self) -> tuple[int, bytes]:
        """The next frame of the server."""
        first, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(size)

    async def until(self, type_: str) -> dict[str, Any]:
        """The next message of a type; what comes before it is passed over."""
        while True:
            kind, payload = await self.frame()
            if kind == TEXT and (message := json.loads(payload))["type"] == type_:
                return dict(message)

    async def closed(self) -> int:
        """The code with which the server closes."""
        while True:
            kind, payload = await self.frame()
            if kind == CLOSE:
                return int(struct.unpack_from("!H", payload)[0])


Greet = Callable[[], Awaitable[RawLine]]


@pytest_asyncio.fixture
async def greet(house: Serving) -> AsyncIterator[Greet]:
    """Lines of terminals that have said hello; closed at the end."""
    lines: list[RawLine] = []

    async def one() -> RawLine:
        lines.append(await greeted(house))
        return lines[-1]

    yield one
    for line in lines:
        line.writer.close()
        with suppress(ConnectionError):
            await line.writer.wait_closed()


async def raw_line(house: Serving) -> RawLine:
    host, _, port = house.address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /ws/terminal HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return RawLine(reader, writer)


async def greeted(house: Serving) -> RawLine:
    """A terminal that has said hello, in three parts with a ping between them, a byte at a time."""
    key = await (await house.visitor()).demo_terminal("C1")
    hello = json.dumps({"type": "Hello", "table": "C1", "terminal": key.terminal, "key": key.key}).encode()
    line = await raw_line(house)
    parts = (
        sent(TEXT, hello[:10], fin=False)
        + sent(PING, b"here?")
        + sent(CONTINUED, hello[10:30], fin=False)
        + sent(CONTINUED, hello[30:])
    )
    for place in range(len(parts)):
        line.writer.write(parts[place : place + 1])
        await line.writer.drain()
    assert await line.frame() == (PONG, b"here?")
    assert (await line.until("Snapshot"))["type"] == "Snapshot"
    return line


PONG_ASKED = sent(TEXT, b'{"type":"Ping","t":7}')


async def test_messages_in_one_write_are_answered_one_by_one_and_in_order(greet: Greet) -> None:
    """More than wait at once, so that reading pauses and goes on."""
    line = await greet()
    asked = [sent(TEXT, b'{"type":"Ping","t":%d}' % number) for number in range(200)]
    line.writer.write(b"".join(asked))
    assert [(await line.until("Pong"))["t"] for _ in range(200)] == list(range(200))
    line.writer.write(sent(CLOSE, struct.pack("!H", 1000)))
    assert await line.closed() == 1000
    assert await line.reader.read() == b""


async def test_a_client_that_does_not_read_gets_everything_in_order_once_it_reads(greet: Greet) -> None:
    """Answers that wait are not overtaken by those that need not."""
    line = await greet()
    told = 6_000
    asked = b"".join(sent(TEXT, b'{"type":"Ping","t":%d}' % number) for number in range(told))
    writing = asyncio.create_task(_write(line.writer, asked))
    assert [(await line.until("Pong"))["t"] for _ in range(told)] == list(range(told))
    await writing


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    with suppress(ConnectionError):
        await writer.drain()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(sent(TEXT, b'{"type":"\xff"}'), 1007, id="no UTF-8"),
        pytest.param(b"\x81\xff" + struct.pack("!Q", 1 << 40), 1009, id="a terabyte, announced"),
        pytest.param(sent(TEXT, b"x" * 70_000), 1009, id="too long"),
        pytest.param(b"\x81\x05hello", 1002, id="not masked"),
        pytest.param(sent(CONTINUED, b"of what?"), 1002, id="goes on with nothing"),
        pytest.param(sent(CLOSE, b"\x03"), 1002, id="half a close code"),
    ],
)
async def test_a_broken_frame_ends_its_connection_and_nobody_elses(
    greet: Greet, data: bytes, code: int
) -> None:
    """With the code that the protocol has for it."""
    line, other = await greet(), await greet()
    await _write(line.writer, data)
    assert await line.closed() == code
    other.writer.write(PONG_ASKED)
    assert (await other.until("Pong"))["t"] == 7


async def test_half_a_frame_and_a_cut_line_leave_the_seat_free(house: Serving, greet: Greet) -> None:
    """Whoever comes next at that terminal is served."""
    terminal = await house.terminal(credit=1_000)
    line = await greet()
    line.writer.write(PONG_ASKED[:9])
    await line.writer.drain()
    line.writer.transport.abort()
    await terminal.cash_in(500)


async def test_bytes_are_no_message(greet: Greet) -> None:
    """They are refused as input, and the connection stays."""
    line = await greet()
    line.writer.write(sent(0x2, b"\x00\x01"))
    assert (await line.until("Refused"))["code"] == "input_invalid"
    line.writer.write(PONG_ASKED)
    assert (await line.until("Pong"))["t"] == 7
