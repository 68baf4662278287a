"""A line to PostgreSQL that can go dead at the worst moment: after a commit was sent, before its answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

_SOCKET = ".s.PGSQL.5432"
# What only a commit holds: the answers to commands.
_COMMIT = b'{"type":"'


class Line:
    """Passes everything on. `deaf` swallows the server's answer to the next commit, `dead` lets nobody in."""

    def __init__(self, server: Path) -> None:
        self._server = server / _SOCKET
        self._open: set[asyncio.StreamWriter] = set()
        self._unheard: set[asyncio.StreamWriter] = set()
        self.deaf = False
        self.dead = False
        self.cuts = 0

    def cut(self) -> None:
        """Every connection ends now, on both sides."""
        self.cuts += 1
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()
        self._unheard.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.dead:
            writer.transport.abort()
            return
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        self._open |= {writer, to_server}
        with contextlib.suppress(OSError):
            await asyncio.gather(self._sent(reader, to_server), self._said(from_server, to_server, writer))
        for end in (writer, to_server):
            self._open.discard(end)
            end.transport.abort()

    async def _sent(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if self.deaf and _COMMIT in data:
                self._unheard.add(to_server)
            to_server.write(data)
        to_server.close()

    async def _said(
        self, from_server: asyncio.StreamReader, to_server: asyncio.StreamWriter, writer: asyncio.StreamWriter
    ) -> None:
        while data := await from_server.read(65_536):
            if to_server in self._unheard:
                # The server has done what it was asked, and nobody will ever hear of it.
                self.deaf = False
                self.cut()
                return
            writer.write(data)
        writer.close()


@asynccontextmanager
async def line_to(url: str, folder: Path) -> AsyncIterator[tuple[str, Line]]:
    """The address of such a line, and the line."""
    server = Path(parse_qs(urlsplit(url).query)["host"][0])
    line = Line(server)
    listening = await asyncio.start_unix_server(line.serve, folder / _SOCKET)
    try:
        yield url.replace(str(server), str(folder)), line
    finally:
        line.cut()
        listening.close()
        await listening.wait_closed()
