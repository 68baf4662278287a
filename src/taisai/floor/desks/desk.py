"""A desk: the single writer of one stream, such as a table's.

Commands wait in a bounded queue. The desk decides all that wait on its state in memory, makes them durable in
one commit, and only then replies. If the commit fails it drops its state and rebuilds it from the journal; if
the commit's fate is unknown it looks its commands up first; if another desk has taken the stream it stops.
Nothing is remembered as answered before it is durable.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic

import msgspec

from taisai.errors import InputError, StoreConflict, StoreUnavailable
from taisai.floor.desks.checkpoints import Checkpoints
from taisai.floor.desks.kind import Acted, DeskKind, Outcome, S
from taisai.game.refusals import Refusal
from taisai.ledger import Transfer
from taisai.record.checks import check_command
from taisai.record.journal import Answer, Batch, NewEvent, StreamEvents, micros
from taisai.record.ports import Clock, CommandAltered, FateUnknown, Store, StreamMoved
from taisai.record.views import balances

QUEUE_MAX = 10_000
BATCH_MAX = 500
ANSWERS_KEPT = 50_000
TRIES_MAX = 5

_encode = msgspec.json.Encoder().encode
_encode_ordered = msgspec.json.Encoder(order="deterministic").encode

Published = Callable[[list[Any], int], None]
# The digest of what was asked, and what was answered to it.
_Reply = tuple[bytes, Any]


class DeskStopped(StoreUnavailable):
    """This desk no longer writes: it was closed, it met a bug of ours, or another has taken its stream."""


class _Fenced(Exception):
    """Another desk has taken the stream."""


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
class _Draft:
    """What a batch of commands brings about, decided on the state in memory and not durable yet."""

    events: list[Any] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    also: list[StreamEvents] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    replies: "dict[tuple[str, str], _Reply]" = field(default_factory=dict)
    waiting: "list[tuple[_Waiting, Any]]" = field(default_factory=list)

    def enter(self, each: _Waiting, outcome: Any) -> None:
        reply = outcome
        if isinstance(outcome, Acted):
            self.events += outcome.events
            self.transfers += outcome.transfers
            self.also += outcome.also
            reply = outcome.answer
        self.answers.append(Answer(each.sender, each.command_id, each.request, _encode(reply)))
        self.replies[each.key] = (each.request, reply)
        self.waiting.append((each, reply))


def request_digest(command: Any) -> bytes:
    """What tells two commands with one id apart. The time of arrival is not part of what was asked."""
    if command is None:
        return b""
    said = _encode_ordered(command)
    return sha256(said.replace(_encode(command.at), b"") if hasattr(command, "at") else said).digest()


def _check_times(command: Any) -> None:
    """What the journal dates must have a time that it can write."""
    for part in (command, getattr(command, "command", None)):
        if (at := getattr(part, "at", None)) is not None:
            micros(at)


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
        self.rebuilt: Callable[[int], None] | None = None
        self._store, self._clock = store, clock
        self._checkpoints = Checkpoints(kind, store)
        self._decode_event = msgspec.json.Decoder(kind.events | DeskTaken).decode
        self._decode_reply = msgspec.json.Decoder(kind.answers | Refusal).decode
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(QUEUE_MAX)
        self._answers: OrderedDict[tuple[str, str], _Reply] = OrderedDict()
        self._known_senders: set[str] = set()
        self._state: S | None = None
        self._version = self._epoch = self._last_at = 0
        self._taken = 0
        self._task: asyncio.Task[None] | None = None
        self._broken: Exception | None = None

    @property
    def state(self) -> S:
        """The state in memory. What is read here may not be durable yet; replies and published events are."""
        if self._state is None:
            raise self._broken or DeskStopped(f"desk {self.kind.name} has no state")
        return self._state

    @property
    def has_state(self) -> bool:
        """Whether there is a state to decide on; a failed commit throws it away until the next command."""
        return self._state is not None

    @property
    def version(self) -> int:
        return self._version

    @property
    def stopped(self) -> bool:
        """Whether this desk will never write again."""
        return self._broken is not None

    async def wake(self) -> None:
        """Wait until the state is there, rebuilding it when a failed commit has thrown it away."""
        await self.ask("", "", None)

    async def start(self) -> None:
        """Rebuild the state and take the stream, fencing off whoever wrote it before."""
        await self._rebuild()
        for _ in range(TRIES_MAX):
            before = self._epoch
            try:
                await self._append(_Draft(events=[DeskTaken(at=self._clock.now(), epoch=before + 1)]))
            except StreamMoved:
                await self._rebuild()
                if self._epoch != before:
                    raise  # another desk took it at the same moment
                continue  # the last act of a process that has just died came in late
            self._epoch = self._taken = before + 1
            self._task = asyncio.create_task(self._run(), name=f"desk {self.kind.name}")
            return
        raise StoreUnavailable(f"desk {self.kind.name}: somebody goes on writing to {self.kind.stream}")

    async def stop(self) -> None:
        """Finish what waits, then end."""
        if self._task is not None:
            await self._queue.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._broken = self._broken or DeskStopped(f"desk {self.kind.name} is closed")

    async def ask(self, sender: str, command_id: str, command: Any, *, instead: Any = None) -> Any:
        """Wait until a command's answer is durable. The same id again gives the same answer.

        With `instead` a command that is new is answered by this refusal, or decided in this fuller form:
        what holds now has no say in what was answered before.
        """
        if self._broken is not None or self._task is None:
            raise self._broken or DeskStopped(f"desk {self.kind.name} is not running")
        if command is not None:
            check_command(sender, command_id)
            _check_times(command)
        loop = asyncio.get_running_loop()
        asked = request_digest(command)
        waiting = _Waiting(sender, command_id, command, asked, loop.create_future(), instead)
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
            await self._commit(waiting)
        except (StoreConflict, FateUnknown, InputError):
            await self._start_over(waiting)
        except StoreUnavailable as error:
            self._give_up(waiting, error)

    async def _start_over(self, waiting: list[_Waiting]) -> None:
        """What the record holds decides: answer what is there, and decide the rest again.

        The cause is an id from long ago that came again, a ticket that somebody else was first to take, or a
        store that was lost while it committed. First all together; if that fails too, one by one.
        """
        try:
            try:
                await self._commit_looked_up(waiting)
            except (StoreConflict, FateUnknown, InputError):
                for each in waiting:
                    await self._commit_alone(each)
            if self._state is None:
                await self._rebuild()
        except StoreUnavailable as error:
            self._give_up(waiting, error)

    async def _commit_alone(self, waiting: _Waiting) -> None:
        """Decide one command on what the record holds now; whoever is first again was first."""
        for attempt in range(1, TRIES_MAX + 1):
            try:
                return await self._commit_looked_up([waiting])
            except (StoreConflict, InputError) as error:
                if attempt == TRIES_MAX:
                    waiting.fail(error)
        return None

    async def _commit_looked_up(self, waiting: list[_Waiting]) -> None:
        self._state = None
        self._known_senders.difference_update(each.sender for each in waiting)
        await self._look_up_new_senders(waiting)
        await self._commit(waiting)

    def _give_up(self, waiting: list[_Waiting], error: StoreUnavailable) -> None:
        """Nobody is told that it was done. Whether it was, the same command will find out."""
        self._state = None
        for each in waiting:
            each.fail(error)

    async def _commit(self, waiting: list[_Waiting]) -> None:
        draft = _Draft()
        waiting = [each for each in waiting if not (each.reply.done() or self._answered(each, draft))]
        if not waiting:
            return
        if self._state is None:
            await self._rebuild()
        try:
            prepare = self.kind.prepare
            for each in waiting:
                needs = prepare(self._store, self.state, each.command) if prepare else None
                if needs is not None:
                    await self._prepare(each, needs)
                self._decide(each, draft)
            if draft.answers:
                await self._append(draft)
        except BaseException:
            self._state = None  # it holds what may never have happened
            raise
        for each, reply in draft.waiting:
            each.succeed(reply)
        if draft.events and self.published:
            self.published(draft.events, self._version)
        if self._checkpoints.is_due(self._version):
            await self._checkpoints.keep(self.state, self._version, self._last_at, self._epoch)

    def _decide(self, each: _Waiting, draft: _Draft) -> None:
        """Decide one command on the state as those before it in the batch left it."""
        if each.reply.done():
            return
        if each.command is None:  # it only wants the state to be there, as the record has it
            draft.waiting.append((each, None))
            return
        if self._answered(each, draft):
            return
        try:
            act_id = f"{self.kind.name}.{self._version + len(draft.events) + 1}"
            draft.enter(each, self._outcome(each, act_id))
        except InputError as error:  # what was asked makes no sense, and nothing was changed
            each.fail(error)

    def _outcome(self, each: _Waiting, act_id: str) -> Outcome:
        if isinstance(each.instead, Refusal):
            return each.instead
        return self.state.act(each.command if each.instead is None else each.instead, act_id)

    async def _prepare(self, each: _Waiting, needs: Awaitable[None]) -> None:
        """Read what a command needs; what it speaks of may not be there at all."""
        try:
            await needs
        except InputError as error:
            each.fail(error)

    def _answered(self, each: _Waiting, draft: _Draft) -> bool:
        """Whether a command came before: then it has the same answer, once that is durable."""
        known, coming = self._answers.get(each.key), draft.replies.get(each.key)
        found = known or coming
        if found is None:
            return False
        if found[0] != each.request:
            each.fail(CommandAltered(each.sender, each.command_id))
        elif known:
            each.succeed(known[1])
        else:
            draft.waiting.append((each, found[1]))
        return True

    async def _append(self, draft: _Draft) -> None:
        streams = tuple(draft.also)
        if draft.events:
            stored = tuple(map(self._stamped, draft.events))
            streams = (StreamEvents(self.kind.stream, self._version, stored), *streams)
        await self._store.append(Batch(streams, tuple(draft.transfers), tuple(draft.answers)))
        self._version += len(draft.events)
        self._remember(draft.replies)

    def _stamped(self, event: Any) -> NewEvent:
        # The journal's time never goes back, even when a clock was set.
        self._last_at = max(self._last_at, micros(getattr(event, "event", event).at))
        return new_event(event, self._last_at)

    def _remember(self, replies: "dict[tuple[str, str], _Reply]") -> None:
        self._answers.update(replies)
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)

    async def _look_up_new_senders(self, waiting: list[_Waiting]) -> None:
        """Whoever has asked nothing new since the start may be repeating what was answered before it."""
        new = [each for each in waiting if each.sender not in self._known_senders]
        if new:
            await self._look_up(new)
            self._known_senders.update(each.sender for each in new if each.key not in self._answers)

    async def _look_up(self, waiting: list[_Waiting]) -> None:
        keys = [each.key for each in waiting if each.command is not None and not each.reply.done()]
        if not keys:
            return
        found = await self._store.answers(keys)
        self._remember({key: self._read_answer(answer) for key, answer in found.items()})

    def _read_answer(self, answer: Answer) -> _Reply:
        try:
            return answer.request, self._decode_reply(answer.answer)
        except msgspec.DecodeError:  # another desk answered it: here it is another command
            return b"", None

    async def _rebuild(self) -> None:
        """The state from its stream, and its money from the balances that the journal gives."""
        resumed = await self._checkpoints.resume()
        state, version, last_at, epoch = resumed.state, resumed.version, resumed.at, resumed.epoch
        async for stored in self._store.events(self.kind.stream, after=version):
            event = self._decode_event(stored.body)
            if isinstance(event, DeskTaken):
                epoch = event.epoch
            else:
                state.evolve(event)
            version, last_at = stored.version, stored.at
        if self._taken and epoch != self._taken:
            raise _Fenced
        for account, (debits, credits) in (await balances(self._store, state.owned_accounts())).items():
            state.book.open(account, debits_minor=debits, credits_minor=credits)
        self._state, self._version, self._last_at, self._epoch = state, version, last_at, epoch
        if self.rebuilt:
            self.rebuilt(version)

    def _freeze(self, waiting: list[_Waiting], error: Exception) -> None:
        """Stop for good: a bug of ours keeps its evidence, and a desk that was fenced off must not write."""
        fenced = isinstance(error, _Fenced)
        why = "another desk has taken it" if fenced else f"{type(error).__name__}: {error}"
        self._broken = DeskStopped(f"desk {self.kind.name}: {why}")
        self._broken.__cause__ = error
        self._state = None
        while not self._queue.empty():
            waiting.append(self._queue.get_nowait())
            self._queue.task_done()
        for each in waiting:
            each.fail(self._broken)
