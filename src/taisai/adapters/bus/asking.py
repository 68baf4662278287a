"""Acts over the bus (`Asking`): a gateway gathers them for a moment, and the owner of their desk answers."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
import nats.errors
from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import PAYLOAD_MAX, BusLink, NoAnswer
from taisai.errors import StoreUnavailable, TaisaiError, UnknownName, WireError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.door.acts import AnyAct, desk_of
from taisai.floor.door.answers import Answer
from taisai.floor.ports import Asked, Asking, Ownership
from taisai.floor.streams import table_of
from taisai.game.people import Actor

log = logging.getLogger("taisai.bus")

BATCH_MAX: Final = 500
BATCH_SECONDS: Final = 0.002
_BATCH_BYTES: Final = PAYLOAD_MAX // 2
LINE_MAX: Final = 10_000
BATCHES_MAX: Final = 64  # that an owner has in hand for one desk
PATIENCE_SECONDS: Final = 5.0
_TRY_SECONDS: Final = 2.0
# A desk that changes hands is there again within a moment.
_PAUSE_FIRST: Final = 0.01
_PAUSE_MAX: Final = 0.05
_LOOK_SECONDS: Final = 0.02


# Waits until whoever asks knows all that the owner knew when it answered.
Reached = Callable[[Mapping[str, int]], Awaitable[bool]]


async def not_followed(versions: Mapping[str, int]) -> bool:
    """Of somebody who asks and looks at nothing."""
    return True


class _Sent:
    """One act on its way, and who waits for its answer."""

    __slots__ = ("answer", "packed")

    def __init__(self, packed: msgspec.Raw, answer: "asyncio.Future[Any]") -> None:
        self.packed, self.answer = packed, answer

    def settle(self, answer: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class _Line:
    """Acts for one desk: they wait two milliseconds at most, and go some hundreds at a time."""

    def __init__(self, desk: str, link: BusLink, patience: float, reached: Reached) -> None:
        self._desk, self._link, self._patience, self._reached = desk, link, patience, reached
        self._subject = msg.subject("ask", desk)
        self._waiting: deque[_Sent] = deque()
        self._bytes = self._count = 0
        self._due: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()

    def join(self, asked: Asked) -> "asyncio.Future[Any]":
        """Stand in line; a full line takes nobody."""
        if self._count >= LINE_MAX:
            self._link.counted("full")
            raise StoreUnavailable(f"the line to {self._desk} is full: {self._count} acts wait for an answer")
        loop = asyncio.get_running_loop()
        sent = _Sent(msg.pack_asked(asked), loop.create_future())
        self._count += 1
        self._waiting.append(sent)
        self._bytes += len(memoryview(sent.packed))
        if len(self._waiting) >= BATCH_MAX or self._bytes >= _BATCH_BYTES:
            self._send()
        elif self._due is None:
            self._due = loop.call_later(BATCH_SECONDS, self._send)
        return sent.answer

    def _send(self) -> None:
        if self._due is not None:
            self._due.cancel()
        self._due, self._bytes = None, 0
        batch, self._waiting = list(self._waiting), deque()
        if batch:
            task = asyncio.get_running_loop().create_task(self._sent(batch))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _sent(self, batch: list[_Sent]) -> None:
        try:
            answers: Iterable[Any] = await self._answers(batch)
        except TaisaiError as error:
            answers = [error] * len(batch)
        except asyncio.CancelledError:
            answers = [StoreUnavailable("this process is going down")] * len(batch)
        finally:
            self._count -= len(batch)
        for sent, answer in zip(batch, answers, strict=True):
            sent.settle(answer)

    async def _answers(self, batch: list[_Sent]) -> list[Any]:
        """Ask under the same ids until there is an answer, as long as whoever asks is patient."""
        payload = msg.pack(msg.AskMany(tuple(sent.packed for sent in batch)))
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + self._patience, _PAUSE_FIRST
        while True:
            left = deadline - loop.time()
            try:
                raw = await self._link.ask(self._subject, payload, max(0.01, min(left, _TRY_SECONDS)))
                reply = self._read(raw, len(batch))
                if not await self._reached(reply.versions):
                    raise NoAnswer("the copies here are behind the record")
                return [msg.unpack_answer(answer) for answer in reply.answers]
            except NoAnswer as error:
                self._link.counted("no answer")
                if loop.time() + pause >= deadline:
                    raise StoreUnavailable(f"{self._desk}: {error}") from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, _PAUSE_MAX)

    def _read(self, raw: bytes, count: int) -> msg.AnswerMany:
        reply = msg.unpack(raw)
        if isinstance(reply, msg.NotTaken):
            if reply.again:
                raise NoAnswer(reply.why)
            raise WireError(f"{self._desk}: {reply.why}")
        if not isinstance(reply, msg.AnswerMany):
            raise msg.unexpected(reply, "answers")
        if len(reply.answers) != count:
            raise WireError(f"{self._desk}: expected {count} answers, got {len(reply.answers)}")
        return reply

    async def close(self) -> None:
        """Whoever still waits is told that nobody answers."""
        self._send()
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)


class BusAsking:
    """A gateway's way to all desks."""

    def __init__(
        self,
        link: BusLink,
        desks: Collection[str],
        *,
        patience: float = PATIENCE_SECONDS,
        reached: Reached = not_followed,
    ) -> None:
        self._lines = {desk: _Line(desk, link, patience, reached) for desk in desks}

    async def do(self, act: AnyAct, by: Actor, key: str) -> Any:
        """Ask the owner of the desk. What the answer is of depends on the act."""
        answer = await self._line(act).join(Asked(act, by, key))
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        """Several acts at once, answered in their order; what one of them meets is its own answer."""
        return await asyncio.gather(*map(self._done, asked))

    async def _done(self, asked: Asked) -> Answer | TaisaiError:
        try:
            answer: Answer = await self.do(asked.act, asked.by, asked.key)
        except TaisaiError as error:
            return error
        return answer

    def _line(self, act: AnyAct) -> _Line:
        line = self._lines.get(desk_of(act))
        if line is None:
            tables = filter(None, map(table_of, self._lines))
            raise UnknownName("table", act.table if isinstance(act, TableAct) else desk_of(act), tables)
        return line

    async def close(self) -> None:
        """Ask nothing more."""
        await asyncio.gather(*(line.close() for line in self._lines.values()))


class Answering:
    """An owner's side: acts for its desks come in by the door, and are answered when that is durable."""

    def __init__(
        self,
        link: BusLink,
        floor: Asking,
        ownership: Ownership,
        standing: Callable[[], dict[str, int]] = dict,
    ) -> None:
        self._link, self._floor, self._ownership, self._standing = link, floor, ownership, standing
        self._in_hand: dict[str, int] = {}
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._subscriptions: dict[str, Any] = {}

    async def start(self, desks: Iterable[str]) -> None:
        """Answer for these desks, by the names of their streams."""
        for desk in desks:
            self._in_hand.setdefault(desk, 0)
            at = msg.subject("ask", desk)
            self._subscriptions[desk] = await self._link.hear(at, partial(self._take, desk))
        await self._link.flush()

    async def end(self, desks: Iterable[str]) -> None:
        """Take nothing more for these desks, and answer what was taken."""
        ended = set(desks)
        left = [self._subscriptions.pop(desk, None) for desk in ended]
        await asyncio.gather(*(self._link.leave(each) for each in left if each is not None))
        taken = [task for task, desk in self._tasks.items() if desk in ended]
        await asyncio.gather(*taken, return_exceptions=True)

    async def stop(self) -> None:
        """Take nothing more, and answer what was taken."""
        await self.end(list(self._subscriptions))

    async def _take(self, desk: str, asked: Msg) -> None:
        if self._in_hand[desk] >= BATCHES_MAX:
            self._link.counted("full")
            why = f"{desk} has {self._in_hand[desk]} batches of acts in hand"
            await self._reply(asked, msg.NotTaken(why, again=True))
            return
        self._in_hand[desk] += 1
        task = asyncio.get_running_loop().create_task(self._answer(desk, asked))
        self._tasks[task] = desk
        task.add_done_callback(self._tasks.pop)

    async def _is_ours(self) -> bool:
        """Somebody else may own it once a lease has run out: whoever asks waits until it is renewed."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _TRY_SECONDS  # by then it is asked again
        while self._ownership.is_overdue():
            if loop.time() > deadline:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    async def _answer(self, desk: str, asked: Msg) -> None:
        try:
            if not await self._is_ours():
                return
            many = msg.unpack(asked.data)
            if not isinstance(many, msg.AskMany):
                raise msg.unexpected(many, "acts")
            answers = await asyncio.gather(*map(self._one, many.asked))
            packed = tuple(map(msg.pack_answer, answers))
            await self._reply(asked, msg.AnswerMany(packed, self._standing()))
        except WireError as error:
            self._link.counted("not understood")
            log.warning("%s was asked what it does not understand: %s", desk, error)
            await self._reply(asked, msg.NotTaken(str(error), again=False))
        finally:
            self._in_hand[desk] -= 1

    async def _one(self, packed: msgspec.Raw) -> Answer | Exception:
        """One act; a bug of ours that it meets is its own, and is in the log."""
        try:
            asked = msg.unpack_asked(packed)
            return await self._floor.do(asked.act, asked.by, asked.key)
        except TaisaiError as error:
            return error
        except Exception as error:
            log.exception("an act of the bus met a bug of ours")
            return error

    async def _reply(self, asked: Msg, message: msg.AnswerMany | msg.NotTaken) -> None:
        try:
            await asked.respond(msg.pack(message))
        except (nats.errors.Error, OSError) as error:  # whoever asked asks again, and gets the same answer
            log.debug("an answer could not be sent: %s", error)
