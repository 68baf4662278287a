"""One connection's way out: a bounded queue that never makes anybody else wait."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from taisai.server import wire
from taisai.server.ops.metrics import METRICS

OUTBOX_MAX = 256

_encode = msgspec.json.Encoder().encode

Send = Callable[[bytes], Awaitable[None]]
# Sends at once, or says that it cannot: the client is behind, or gone.
Write = Callable[[bytes], bool]


def text(message: wire.Wire) -> bytes:
    """A message as the UTF-8 text of the frame that carries it; encoded once, sent to as many as wish."""
    return _encode(message)


class Outbox:
    """What waits to be sent to one client. A client that lets it fill up is dropped."""

    __slots__ = ("_send", "_task", "_waiting", "_wanted", "_write", "_writing", "broken", "dropped")

    def __init__(self, send: Send, write: Write | None = None) -> None:
        self._send, self._write = send, write
        self._writing = False  # somebody waits for the client to take a text
        self._waiting: deque[bytes] = deque()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self.broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.dropped = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    def put(self, message: bytes) -> None:
        """Queue a text; when too many wait, nothing more is kept for this client."""
        if self.dropped or self._written(message):
            return
        if len(self._waiting) >= OUTBOX_MAX:
            METRICS.dropped.inc()
            self.drop("too slow")
            return
        self._waiting.append(message)
        self._wanted.set()

    def say(self, message: wire.Wire) -> None:
        self.put(text(message))

    def _written(self, message: bytes) -> bool:
        """Whether a text went out at once. It never overtakes another."""
        free = not (self._waiting or self._writing)
        return free and self._write is not None and self._write(message)

    def answered(self, message: wire.Wire) -> bool:
        """Whether an answer went out by the shortest way: nothing was before it, and the client reads."""
        return not self.dropped and self._written(text(message))

    async def answer(self, message: wire.Wire) -> None:
        """Answer a message by the shortest way when nothing waits; for the client's own task to wait on."""
        if self._waiting or self.dropped:
            self.say(message)
            return
        told = text(message)
        if not self._written(told):
            await self._sent(told)

    async def _sent(self, message: bytes) -> None:
        self._writing = True
        try:
            await self._send(message)
        except Exception:  # whatever the transport raises, this client is gone
            self.drop("gone")
        finally:
            self._writing = False

    def drop(self, why: str) -> None:
        """Give this client up."""
        self.dropped = True
        self._waiting.clear()
        if not self.broken.done():
            self.broken.set_result(why)

    def drop_after(self) -> None:
        """Give this client up once it has been told what waits."""
        if not self.broken.done():
            self.broken.set_result("told")

    async def _run(self) -> None:
        while not self.dropped:
            await self._wanted.wait()
            self._wanted.clear()
            while self._waiting:
                await self._sent(self._waiting.popleft())

    async def finish(self, *, seconds: float = 1.0) -> None:
        """Send what waits, if the client takes it soon; then end."""
        if self._task is None:
            return
        deadline = asyncio.get_running_loop().time() + seconds
        while self._waiting and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
