"""A desk: the single writer of one stream, such as a table's.

Commands wait in a bounded queue. The desk decides all that wait on its state in memory, makes them durable in
one commit, and only then replies. If the commit fails it drops its state and rebuilds it from the journal; if
the commit's fate is unknown it looks its commands up first; if another desk has taken the stream it stops.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic

import msgspec

from taisai.errors import InputError, StoreError, StoreUnavailable
from taisai.floor.acting import Acted, DeskKind, S
from taisai.floor.journal import Answer, Batch, NewEvent, StreamEvents, micros
from taisai.floor.journal_views import balances
from taisai.floor.ports import Clock, CommandAltered, CommandRepeated, FateUnknown, Store, StreamMoved
from taisai.game.refusals import Refusal
from taisai.ledger import Transfer

QUEUE_MAX = 10_000
BATCH_MAX = 500
ANSWERS_KEPT = 50_000
TRIES_MAX = 5

_encode = msgspec.json.Encoder().encode

Published = Callable[[list[Any], int], None]


class DeskStopped(StoreUnavailable):
    """This desk no longer writes: it was closed, it met a bug of ours, or another has taken its stream."""


class DeskTaken(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A process became a stream's only writer; whoever wrote it before is fenced off by this event."""

    at: datetime
    epoch: int


@dataclass(slots=True)
class _Waiting:
    sender: str
    command_id: str
    command: Any
    request: bytes
    reply: "asyncio.Future[Any]"

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)


def request_digest(command: Any) -> bytes:
    """What tells two commands with one id apart. The time of arrival is not part of what was asked."""
    raw = msgspec.to_builtins(command)
    raw.pop("at", None)
    if isinstance(raw.get("command"), dict):
        raw["command"].pop("at", None)
    return sha256(msgspec.json.encode(raw, order="deterministic")).digest()


def event_name(event: Any) -> str:
    """The name under which an event stands in the journal: that of the inner one where it is wrapped."""
    return type(getattr(event, "event", event)).__name__


def new_event(event: Any, at: int) -> NewEvent:
    return NewEvent(event_name(event), at, _encode(event))


class Desk(Generic[S]):
    """Runs one stream's state machine. Begin with `start`, ask with `ask`, end with `stop`."""

    def __init__(self, kind: DeskKind[S], store: Store, clock: Clock) -> None:
        self.kind = kind
        self.published: Published | None = None
        self._store, self._clock = store, clock
        self._decode_event = msgspec.json.Decoder(kind.events | DeskTaken).decode
        self._decode_reply = msgspec.json.Decoder(kind.answers | Refusal).decode
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(QUEUE_MAX)
        self._answers: OrderedDict[tuple[str, str], tuple[bytes, Any]] = OrderedDict()
        self._known_senders: set[str] = set()
        self._state: S | None = None
        self._version = self._epoch = self._last_at = 0
        self._task: asyncio.Task[None] | None = None
        self._broken: Exception | None = None

    @property
    def state(self) -> S:
        """The state in memory. What is read here may not be durable yet; replies and published events are."""
        if self._state is None:
            raise self._broken or DeskStopped(f"desk {self.kind.name} has no state")
        return self._state

    @property
    def version(self) -> int:
        return self._version

    async def start(self) -> None:
        """Rebuild the state and take the stream, fencing off whoever wrote it before."""
        await self._rebuild()
        taken = DeskTaken(at=self._clock.now(), epoch=self._epoch + 1)
        await self._append([taken], [], [], ())
        self._epoch = taken.epoch
        self._task = asyncio.create_task(self._run(), name=f"desk {self.kind.name}")

    async def stop(self) -> None:
        """Finish what waits, then end."""
        if self._task is not None:
            await self._queue.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._broken = self._broken or DeskStopped(f"desk {self.kind.name} is closed")

    async def ask(self, sender: str, command_id: str, command: Any) -> Any:
        """Wait until a command's answer is durable. The same id again gives the same answer."""
        if self._broken is not None or self._task is None:
            raise self._broken or DeskStopped(f"desk {self.kind.name} is not running")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(sender, command_id, command, request_digest(command), loop.create_future())
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            raise StoreUnavailable(f"desk {self.kind.name} has {QUEUE_MAX} commands waiting") from None
        return await waiting.reply

    async def _run(self) -> None:
        while True:
            waiting = [await self._queue.get()]
            while len(waiting) < BATCH_MAX and not self._queue.empty():
                waiting.append(self._queue.get_nowait())
            taken = len(waiting)
            try:
                await self._serve(waiting)
            except Exception as error:  # the outermost loop: freeze, and keep the evidence
                self._freeze(waiting, error)
                return
            finally:
                for _ in range(taken):
                    self._queue.task_done()

    async def _serve(self, waiting: list[_Waiting]) -> None:
        """One batch: decide, commit, reply."""
        try:
            await self._look_up_new_senders(waiting)
            if self._state is None:
                await self._rebuild()
            await self._commit(waiting)
        except (CommandRepeated, CommandAltered, FateUnknown):
            await self._start_over(waiting)
        except StreamMoved as error:
            if error.stream == self.kind.stream:
                raise
            await self._start_over(waiting)
        except StoreUnavailable as error:
            self._state = None
            for each in waiting:
                each.fail(error)

    async def _start_over(self, waiting: list[_Waiting]) -> None:
        """What the record holds decides: answer what is there, and decide the rest again, one by one.

        The cause is an id from long ago that came again, a ticket that somebody else was first to take, or a
        store that was lost while it committed.
        """
        self._state = None
        try:
            await self._look_up(waiting)
            for each in waiting:
                await self._commit_again(each)
        except StoreUnavailable as error:
            self._state = None
            for each in waiting:
                each.fail(error)

    async def _commit_again(self, waiting: _Waiting) -> None:
        """Decide one command on what the record holds now; whoever is first again was first."""
        for attempt in range(1, TRIES_MAX + 1):
            if self._state is None:
                await self._rebuild()
            try:
                return await self._commit([waiting])
            except StreamMoved as error:
                if error.stream == self.kind.stream or attempt == TRIES_MAX:
                    raise
        return None

    async def _commit(self, waiting: list[_Waiting]) -> None:
        state = self.state
        events: list[Any] = []
        transfers: list[Transfer] = []
        answers: list[Answer] = []
        also: list[StreamEvents] = []
        decided: list[tuple[_Waiting, Any]] = []
        for each in waiting:
            if each.reply.done() or self._repeated(each):
                continue
            try:
                if self.kind.prepare:
                    await self.kind.prepare(self._store, state, each.command)
                outcome = state.act(each.command, f"{self.kind.name}.{self._version + len(events) + 1}")
            except InputError as error:  # what was asked makes no sense, and nothing was changed
                each.fail(error)
                continue
            reply = outcome
            if isinstance(outcome, Acted):
                events += outcome.events
                transfers += outcome.transfers
                also += outcome.also
                reply = outcome.answer
            decided.append((each, reply))
            answers.append(Answer(each.sender, each.command_id, each.request, _encode(reply)))
            self._remember(each, reply)
        if answers:
            await self._append(events, transfers, answers, tuple(also))
        for each, reply in decided:
            if not each.reply.done():
                each.reply.set_result(reply)
        if events and self.published:
            self.published(events, self._version)

    async def _append(
        self,
        events: list[Any],
        transfers: list[Transfer],
        answers: list[Answer],
        also: tuple[StreamEvents, ...],
    ) -> None:
        streams = also
        if events:
            stored = tuple(map(self._stamped, events))
            streams = (StreamEvents(self.kind.stream, self._version, stored), *also)
        try:
            await self._store.append(Batch(streams, tuple(transfers), tuple(answers)))
        except StoreError:
            self._state = None
            for answer in answers:
                self._answers.pop((answer.sender, answer.id), None)
            raise
        self._version += len(events)

    def _stamped(self, event: Any) -> NewEvent:
        # The journal's time never goes back, even when a clock was set.
        self._last_at = max(self._last_at, micros(getattr(event, "event", event).at))
        return new_event(event, self._last_at)

    def _repeated(self, waiting: _Waiting) -> bool:
        """Answer a command that was answered before."""
        known = self._answers.get((waiting.sender, waiting.command_id))
        if known is None:
            return False
        request, reply = known
        if request == waiting.request:
            waiting.reply.set_result(reply)
        else:
            waiting.fail(CommandAltered(waiting.sender, waiting.command_id))
        return True

    def _remember(self, waiting: _Waiting, reply: Any) -> None:
        self._answers[waiting.sender, waiting.command_id] = (waiting.request, reply)
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)

    async def _look_up_new_senders(self, waiting: list[_Waiting]) -> None:
        """Whoever writes for the first time since the start may be repeating what was answered before it."""
        new = [each for each in waiting if each.sender not in self._known_senders]
        if new:
            await self._look_up(new)
            self._known_senders.update(each.sender for each in new)

    async def _look_up(self, waiting: list[_Waiting]) -> None:
        keys = [(each.sender, each.command_id) for each in waiting if not each.reply.done()]
        for key, answer in (await self._store.answers(keys)).items():
            self._answers[key] = (answer.request, self._decode_reply(answer.answer))

    async def _rebuild(self) -> None:
        """The state from its stream, and its money from the balances that the journal gives."""
        state = self.kind.fresh()
        version = last_at = epoch = 0
        async for stored in self._store.events(self.kind.stream):
            event = self._decode_event(stored.body)
            if isinstance(event, DeskTaken):
                epoch = event.epoch
            else:
                state.evolve(event)
            version, last_at = stored.version, stored.at
        for account, (debits, credits) in (await balances(self._store, state.owned_accounts())).items():
            state.book.open(account, debits_minor=debits, credits_minor=credits)
        self._state, self._version, self._last_at, self._epoch = state, version, last_at, epoch

    def _freeze(self, waiting: list[_Waiting], error: Exception) -> None:
        """Stop for good: a bug of ours keeps its evidence, and a desk that was fenced off must not write."""
        fenced = isinstance(error, StreamMoved)
        why = "another desk has taken it" if fenced else f"{type(error).__name__}: {error}"
        self._broken = DeskStopped(f"desk {self.kind.name}: {why}")
        self._broken.__cause__ = error
        self._state = None
        while not self._queue.empty():
            waiting.append(self._queue.get_nowait())
            self._queue.task_done()
        for each in waiting:
            each.fail(self._broken)
