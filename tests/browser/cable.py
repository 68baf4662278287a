"""A cable between the browser and the server, which can be cut, and can lose what goes one way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Cable:
    """Passes bytes both ways until something happens to it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()
        self.is_cut = self.loses_requests = self.loses_answers = False

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def lay(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)

    async def remove(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._passing, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self) -> None:
        """Everything that is connected breaks, and nothing new comes through."""
        self.is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self.is_cut = self.loses_requests = self.loses_answers = False

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        self._writers.add(writer)  # from now on a cut breaks this one too, wherever it has come
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        ends = {writer, far_writer}
        self._writers |= ends
        if writer.transport.is_closing():
            far_writer.transport.abort()
        try:
            await asyncio.gather(
                self._pass(reader, far_writer, "loses_requests"),
                self._pass(far_reader, writer, "loses_answers"),
            )
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter, lossy: str) -> None:
        """Until one side ends; then the other ends too."""
        try:
            while chunk := await source.read(65_536):
                if not getattr(self, lossy):
                    to.write(chunk)
                    await to.drain()
        except ConnectionError:
            pass
        finally:
            to.transport.abort()


@asynccontextmanager
async def cable_to(port: int) -> AsyncIterator[Cable]:
    cable = Cable(port)
    await cable.lay()
    try:
        yield cable
    finally:
        await cable.remove()
