"""The bus between processes, as it is seen from them: it carries, forgets, is slow and goes away.

Messages of one process to one listener keep their order, as NATS promises; any of them may be lost, as when a
listener is too slow. A listener whose process has died is known to be gone at once.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from taisai.adapters.bus.link import NoAnswer
from taisai.server.config import Config
from tests.evenings.faults import Faults
from tests.evenings.loop import Process, VirtualLoop

_BACK_SECONDS = 0.25
_APART = 1e-6
Call = Callable[[Any], Awaitable[None]]


class Heard:
    """A message as a listener gets it."""

    def __init__(self, link: "Link", data: bytes, reply: str) -> None:
        self._link, self.data, self.reply = link, data, reply

    async def respond(self, payload: bytes) -> None:
        await self._link.say(self.reply, payload)


class _Listener(ABC):
    """Somebody who hears a subject."""

    def __init__(self, link: "Link", subject: str) -> None:
        self.link, self._subject, self._words = link, subject, subject.split(".")
        self._is_open = "*" in self._words  # else it hears one subject alone, and is asked often
        self.arrives = 0.0

    def hears(self, subject: str) -> bool:
        if not self._is_open:
            return subject == self._subject
        words = subject.split(".")
        return len(words) == len(self._words) and all(
            mine in ("*", word) for mine, word in zip(self._words, words, strict=True)
        )

    @abstractmethod
    def take(self, heard: Heard) -> None:
        """A message has arrived."""

    async def unsubscribe(self) -> None:
        """Hear nothing more; what has arrived is still heard."""
        self.link.listeners.pop(self, None)


class _Following(_Listener):
    """Is called for each message, one after the other."""

    def __init__(self, link: "Link", subject: str, call: Call) -> None:
        super().__init__(link, subject)
        self._call, self._waiting = call, asyncio.Queue[Heard]()
        self._task = asyncio.get_running_loop().create_task(self._run())

    def take(self, heard: Heard) -> None:
        self._waiting.put_nowait(heard)

    async def _run(self) -> None:
        while True:
            await self._call(await self._waiting.get())


class _Inbox(_Listener):
    """Waits for one answer."""

    def __init__(self, link: "Link", subject: str, answer: "asyncio.Future[bytes]") -> None:
        super().__init__(link, subject)
        self._answer = answer

    def take(self, heard: Heard) -> None:
        if not self._answer.done():
            self._answer.set_result(heard.data)


class Bus:
    """All that processes say to one another."""

    def __init__(self, loop: VirtualLoop, faults: Faults) -> None:
        self.loop, self.faults = loop, faults
        self.links: dict[Link, None] = {}
        self.away_until = 0.0
        self.questions = count(1)

    def link_of(self, process: Process) -> Callable[[Config, str], Any]:
        """How a process gets its connection."""
        return lambda config, name: Link(self, process)

    @property
    def is_up(self) -> bool:
        return self.faults.calm or self.loop.time() >= self.away_until

    def go_away(self) -> None:
        """For a while nobody is heard, and what was under way is lost."""
        until = self.loop.time() + self.faults.draw("bus away", 0.3, 5)
        self.away_until = self.faults.last_at = max(self.away_until, until)

    def listeners(self, subject: str) -> "list[_Listener]":
        living = [link for link in self.links if link.process.alive]
        return [each for link in living for each in link.listeners if each.hears(subject)]

    def carry(self, data: bytes, listener: _Listener, reply: str) -> None:
        faults, loop = self.faults, self.loop
        if faults.strikes("bus message lost"):
            return
        slow = faults.strikes("bus slow")
        delay = faults.draw("bus slow", 0.05, 2.5) if slow else faults.draw("bus", 0.0002, 0.003)
        listener.arrives = max(listener.arrives + _APART, loop.time() + delay)
        loop.after(listener.arrives - loop.time(), self._arrive, listener, Heard(listener.link, data, reply))

    def _arrive(self, listener: _Listener, heard: Heard) -> None:
        if self.is_up and listener.link.process.alive:
            listener.take(heard)


class Link:
    """What `BusLink` is to a process."""

    where = "the bus"

    def __init__(self, bus: Bus, process: Process) -> None:
        self._bus, self.process = bus, process
        self.listeners: dict[_Listener, None] = {}

    def counted(self, what: str) -> None:
        """Nobody keeps figures."""

    @property
    def is_up(self) -> bool:
        return self._bus.is_up

    async def open(self) -> None:
        while not self.is_up:
            await asyncio.sleep(_BACK_SECONDS)
        self._bus.links[self] = None

    async def close(self) -> None:
        self._bus.links.pop(self, None)

    async def say(self, subject: str, payload: bytes, *, reply: str = "") -> bool:
        if not self.is_up:
            return False
        for listener in self._bus.listeners(subject):
            self._bus.carry(payload, listener, reply)
        return True

    async def ask(self, subject: str, payload: bytes, seconds: float) -> bytes:
        if not self.is_up:
            raise NoAnswer(f"{self.where} is away", untaken=True)
        asked = self._bus.listeners(subject)
        if not asked:
            raise NoAnswer(f"nobody answers for {subject}", untaken=True)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        inbox = f"inbox.{next(self._bus.questions)}"
        listener = _Inbox(self, inbox, answer)
        self.listeners[listener] = None
        for each in asked:
            self._bus.carry(payload, each, inbox)
        try:
            return await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            raise NoAnswer(f"{subject} does not answer") from None
        finally:
            await listener.unsubscribe()

    async def hear(self, subject: str, call: Call) -> _Listener:
        listener = _Following(self, subject, call)
        self.listeners[listener] = None
        return listener

    async def flush(self) -> None:
        await asyncio.sleep(_APART)
