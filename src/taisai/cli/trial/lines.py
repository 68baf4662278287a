"""A line to a server, over TCP or a socket file, that does what networks do at their worst: to try it out."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

Reach = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
_CHUNK = 65_536


class Cable:
    """Passes everything on, until it is told otherwise; `heal` makes it whole again.

    What a black hole swallows comes when it is healed, as a network sends again what was lost, if both ends
    have been patient for so long.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._open: set[asyncio.StreamWriter] = set()
        self._passes = {"there": asyncio.Event(), "back": asyncio.Event()}
        self.dead = False
        self.delay = 0.0
        self.half = False
        self.cuts = 0
        self.heal()

    def heal(self) -> None:
        """From now on nothing is held, delayed or refused."""
        self.dead, self.delay, self.half = False, 0.0, False
        for way in self._passes.values():
            way.set()

    def cut(self) -> None:
        """Every connection ends now, on both sides."""
        self.cuts += 1
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    def refuse(self) -> None:
        """Cut, and let nobody in."""
        self.dead = True
        self.cut()

    def swallow(self, *ways: str) -> None:
        """A black hole: nothing comes through, `there` to the server, `back` from it, or both."""
        for way in ways or tuple(self._passes):
            self._passes[way].clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.dead:
            writer.transport.abort()
            return
        try:
            from_server, to_server = await self._reach()
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, to_server}
        # Whoever ends the loop cancels this, and nobody waits for it.
        with contextlib.suppress(OSError, asyncio.CancelledError):
            one = object()
            await asyncio.gather(
                self._pass("there", reader, to_server, one), self._pass("back", from_server, writer, one)
            )
        for end in (writer, to_server):
            self._open.discard(end)
            end.transport.abort()

    async def _pass(
        self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: object
    ) -> None:
        while data := await reader.read(_CHUNK):
            await self._passes[way].wait()
            if self.delay:
                await asyncio.sleep(self.delay)
            if self.half and len(data) > 1:
                self.half = False
                writer.write(data[: len(data) // 2])
                await writer.drain()
                self.cut()
                return
            if not self.heard(way, data, connection):
                return
            writer.write(data)
            await writer.drain()
        writer.close()

    def heard(self, way: str, data: bytes, connection: object) -> bool:
        """Whether what was heard is passed on; for lines that listen for something."""
        return True


def reach_port(port: int) -> Reach:
    return partial(asyncio.open_connection, "127.0.0.1", port)


def reach_file(path: Path) -> Reach:
    return partial(asyncio.open_unix_connection, path)


@asynccontextmanager
async def laid_to_port(line: Cable) -> AsyncIterator[int]:
    """The line on a port of its own."""
    listening = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    async with _laid(line, listening):
        yield int(listening.sockets[0].getsockname()[1])


@asynccontextmanager
async def laid_to_file(line: Cable, path: Path) -> AsyncIterator[None]:
    """The line at a socket file, which any user may use."""
    listening = await asyncio.start_unix_server(line.serve, path)
    path.chmod(0o777)
    async with _laid(line, listening):
        yield


@asynccontextmanager
async def _laid(line: Cable, listening: asyncio.Server) -> AsyncIterator[None]:
    try:
        yield
    finally:
        listening.close()
        line.heal()
        line.refuse()
        await listening.wait_closed()
        await asyncio.sleep(0)  # what was aborted is closed in the next turn
