"""A batch in the making: who waits at a desk, and what their commands bring about once it is durable."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

import msgspec

from taisai.floor.desks.kind import Acted
from taisai.ledger import Transfer
from taisai.record.journal import Answer, StreamEvents, micros

_encode = msgspec.json.Encoder().encode

# The digest of what was asked, and what was answered to it.
Reply = tuple[bytes, Any]


def check_times(command: Any) -> None:
    """What the journal dates must have a time that it can write."""
    at, part = getattr(command, "at", None), getattr(command, "command", None)
    if at is not None and at.tzinfo is not UTC:
        micros(at)
    within = at if part is None else getattr(part, "at", None)
    if within is not at and within is not None and within.tzinfo is not UTC:
        micros(within)


class WaitingCommand(msgspec.Struct, eq=False):
    """One command at a desk, and who waits for its answer."""

    key: tuple[str, str]  # the sender and the command's id
    command: Any
    request: bytes
    reply: "asyncio.Future[Any]"
    instead: Any = None  # what the door makes of the command, if anything

    @property
    def sender(self) -> str:
        return self.key[0]

    @property
    def command_id(self) -> str:
        return self.key[1]

    def succeed(self, reply: Any) -> None:
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)


@dataclass(slots=True)
class Draft:
    """What a batch of commands brings about, decided on the state in memory and not durable yet."""

    events: list[Any] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    also: list[StreamEvents] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    replies: dict[tuple[str, str], Reply] = field(default_factory=dict)
    waiting: list[tuple[WaitingCommand, Any]] = field(default_factory=list)

    def enter(self, each: WaitingCommand, outcome: Any, kept: Any = None) -> None:
        """Take up one command whole; one whose answer cannot be written leaves nothing here.

        `kept` is the answer with what the record adds to it, where that is more than is told.
        """
        key, request = each.key, each.request
        reply = outcome.answer if isinstance(outcome, Acted) else outcome
        self.answers.append(Answer(*key, request, _encode(reply if kept is None else kept)))
        if reply is not outcome:
            self.events += outcome.events
            self.transfers += outcome.transfers
            if outcome.also:
                self.also += outcome.also
        self.replies[key] = request, reply
        self.waiting.append((each, reply))


class LineFull(Exception):
    """So many wait that nobody else is taken on."""


class WaitingLine:
    """Commands that wait, and how many of those that were taken are still being served.

    One task takes from it. It costs a command a fraction of what a queue for any number of takers would.
    """

    __slots__ = ("_bound", "_idle", "_serving", "_taker", "_waiting")

    def __init__(self, bound: int) -> None:
        self._bound, self._serving = bound, 0
        self._waiting: deque[WaitingCommand] = deque()
        self._taker: asyncio.Future[None] | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    def join(self, command: WaitingCommand) -> None:
        """Stand at the end."""
        if len(self._waiting) >= self._bound:
            raise LineFull
        self._waiting.append(command)
        taker = self._taker
        if taker is not None and not taker.done():
            taker.set_result(None)

    async def take(self, most: int) -> list[WaitingCommand]:
        """The first ones, at least one; `served` says that they have their answers."""
        while not self._waiting:
            self._taker = asyncio.get_running_loop().create_future()
            try:
                await self._taker
            finally:
                self._taker = None
        return self.rest(most)

    def rest(self, most: int | None = None) -> list[WaitingCommand]:
        """Whoever waits now, up to so many, and nobody perhaps."""
        waiting = self._waiting
        count = len(waiting) if most is None else min(most, len(waiting))
        taken = [waiting.popleft() for _ in range(count)]
        self._serving += count
        if count:
            self._idle.clear()
        return taken

    def served(self, count: int) -> None:
        """So many of those that were taken have their answers."""
        self._serving -= count
        if not self._serving and not self._waiting:
            self._idle.set()

    async def emptied(self) -> None:
        """Wait until nobody waits or is being served."""
        while self._waiting or self._serving:
            self._idle.clear()
            await self._idle.wait()
