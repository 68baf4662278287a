"""What is asked of an owner over the bus and is no act: each question by its name, with its own form.

An act has an id and can be asked again. A question here may not be safe to ask twice, so only one that nobody
took is asked again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import msgspec
import nats.errors
from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import BusLink, NoAnswer
from taisai.errors import StoreUnavailable, TaisaiError, WireError
from taisai.floor.ports import Ownership

log = logging.getLogger("taisai.bus")

PATIENCE_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.05
ENQUIRIES_MAX: Final = 1_000  # that an owner has in hand

A = TypeVar("A")
_encode = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class Question(Generic[A]):
    """A kind of question: what it is about, and what is answered."""

    about: type[msgspec.Struct]
    answer: Any

    @property
    def name(self) -> str:
        return self.about.__name__

    def read_about(self, raw: msgspec.Raw) -> Any:
        try:
            return msgspec.msgpack.decode(raw, type=self.about)
        except msgspec.DecodeError as error:
            raise WireError(f"{self.name}: {error}") from None

    def read_answer(self, raw: msgspec.Raw) -> A:
        try:
            answer: A = msgspec.msgpack.decode(raw, type=self.answer)
        except msgspec.DecodeError as error:
            raise WireError(f"the answer to {self.name}: {error}") from None
        return answer


Answerer = Callable[[Any], Awaitable[Any]]


class BusEnquiries:
    """A gateway's side."""

    def __init__(self, link: BusLink, *, patience: float = PATIENCE_SECONDS) -> None:
        self._link, self._patience = link, patience

    async def ask(self, unit: str, question: Question[A], about: msgspec.Struct) -> A:
        """Ask whoever owns a unit; while nobody does, for as long as whoever asks is patient."""
        payload = msg.pack(msg.Enquire(question.name, msgspec.Raw(_encode(about))))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while True:
            try:
                raw = await self._link.ask(
                    msg.subject("enquire", unit), payload, max(0.01, deadline - loop.time())
                )
                return self._read(raw, question)
            except NoAnswer as error:
                self._link.counted("no answer")
                if not error.untaken or loop.time() + _PAUSE_SECONDS >= deadline:
                    raise StoreUnavailable(f"{question.name}: {error}") from None
            await asyncio.sleep(_PAUSE_SECONDS)

    def _read(self, raw: bytes, question: Question[A]) -> A:
        reply = msg.unpack(raw)
        if isinstance(reply, msg.NotTaken):
            if reply.again:
                raise NoAnswer(reply.why, untaken=True)
            raise WireError(f"{question.name}: {reply.why}")
        if not isinstance(reply, msg.ToldOne):
            raise msg.unexpected(reply, "an answer")
        if reply.failed is not None:
            raise msg.error_of(reply.failed)
        return question.read_answer(reply.answer)


class Enquiries:
    """An owner's side: questions about its units, each answered by whoever knows."""

    def __init__(
        self, link: BusLink, ownership: Ownership, answerers: Mapping[Question[Any], Answerer]
    ) -> None:
        self._link, self._ownership = link, ownership
        self._by_name = {question.name: (question, answer) for question, answer in answerers.items()}
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscriptions: dict[str, Any] = {}

    async def begin(self, units: Iterable[str]) -> None:
        """Answer for these units."""
        for unit in units:
            if unit not in self._subscriptions:
                at = msg.subject("enquire", unit)
                self._subscriptions[unit] = await self._link.hear(at, partial(self._take, unit))
        await self._link.flush()

    async def end(self, units: Iterable[str]) -> None:
        """Take nothing more for these units, and answer what was taken."""
        left = [self._subscriptions.pop(unit, None) for unit in units]
        await asyncio.gather(*(self._link.leave(each) for each in left if each is not None))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take(self, unit: str, asked: Msg) -> None:
        if self._ownership.is_overdue():
            await self._reply(asked, msg.NotTaken(f"{unit}: the lease has run out", again=True))
        elif len(self._tasks) >= ENQUIRIES_MAX:
            self._link.counted("full")
            await self._reply(asked, msg.NotTaken(f"{unit}: {len(self._tasks)} questions wait", again=True))
        else:
            task = asyncio.create_task(self._answer(asked))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, asked: Msg) -> None:
        try:
            enquiry = msg.unpack(asked.data)
            if not isinstance(enquiry, msg.Enquire):
                raise msg.unexpected(enquiry, "a question")
            known = self._by_name.get(enquiry.what)
            if known is None:
                raise WireError(f"unknown question {enquiry.what!r}: there are {', '.join(self._by_name)}")
            question, answer = known
            about = question.read_about(enquiry.about)
        except WireError as error:
            self._link.counted("not understood")
            log.warning("a question that is not understood: %s", error)
            await self._reply(asked, msg.NotTaken(str(error), again=False))
            return
        await self._reply(asked, await self._told(answer, about))

    async def _told(self, answer: Answerer, about: Any) -> msg.ToldOne:
        try:
            return msg.ToldOne(msgspec.Raw(_encode(await answer(about))))
        except Exception as error:  # the outermost: whoever asked is told, and a bug of ours is in the log
            if not isinstance(error, TaisaiError):
                log.exception("a question of the bus met a bug of ours")
            return msg.ToldOne(msgspec.Raw(_encode(None)), msg.failed_with(error))

    async def _reply(self, asked: Msg, message: msg.ToldOne | msg.NotTaken) -> None:
        try:
            await asked.respond(msg.pack(message))
        except (nats.errors.Error, OSError) as error:
            log.debug("an answer could not be sent: %s", error)
