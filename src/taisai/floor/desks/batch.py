"""A batch in the making: who waits at a desk, and what their commands bring about once it is durable."""

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec

from taisai.floor.desks.kind import Acted
from taisai.ledger import Transfer
from taisai.record.journal import Answer, StreamEvents, micros

_encode = msgspec.json.Encoder().encode
_encode_ordered = msgspec.json.Encoder(order="deterministic").encode

# The digest of what was asked, and what was answered to it.
Reply = tuple[bytes, Any]


def request_digest(command: Any) -> bytes:
    """What tells two commands with one id apart. The time of arrival is not part of what was asked."""
    if command is None:
        return b""
    said = _encode_ordered(command)
    return sha256(said.replace(_encode(command.at), b"") if hasattr(command, "at") else said).digest()


def check_times(command: Any) -> None:
    """What the journal dates must have a time that it can write."""
    for part in (command, getattr(command, "command", None)):
        if (at := getattr(part, "at", None)) is not None:
            micros(at)


@dataclass(slots=True)
class WaitingCommand:
    """One command at a desk, and who waits for its answer."""

    sender: str
    command_id: str
    command: Any
    request: bytes
    reply: "asyncio.Future[Any]"
    instead: Any = None  # what the door makes of the command, if anything

    @property
    def key(self) -> tuple[str, str]:
        return self.sender, self.command_id

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
        reply = outcome.answer if isinstance(outcome, Acted) else outcome
        written = _encode(reply if kept is None else kept)
        answer = Answer(each.sender, each.command_id, each.request, written)
        if isinstance(outcome, Acted):
            self.events += outcome.events
            self.transfers += outcome.transfers
            self.also += outcome.also
        self.answers.append(answer)
        self.replies[each.key] = (each.request, reply)
        self.waiting.append((each, reply))
