"""A desk: one table's single writer.

Commands wait in a bounded queue. The desk decides all that wait on its state in memory, makes them durable in
one commit, and only then replies. If the commit fails it drops its state and rebuilds it from the journal; if
the commit's fate is unknown it looks its commands up first; if another desk has taken the table it stops.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from taisai.errors import InputError, InvariantBroken, StoreError, StoreUnavailable
from taisai.floor.journal import Answer, Batch, NewEvent, StreamEvents, micros
from taisai.floor.journal_views import balances
from taisai.floor.messages import (
    AnyTableCommand,
    AnyTableEvent,
    DeskTaken,
    RackEvent,
    Reply,
    RoundEvent,
    event_name,
)
from taisai.floor.ports import Clock, CommandAltered, CommandRepeated, FateUnknown, Store, StreamMoved
from taisai.floor.table import Acted, FindRules, TableState
from taisai.game.events import BettingOpened
from taisai.game.evolve import evolve
from taisai.game.people import Actor, Role
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.ledger import Transfer

QUEUE_MAX = 10_000
BATCH_MAX = 500
ANSWERS_KEPT = 50_000

_encode = msgspec.json.Encoder().encode
_decode_event = msgspec.json.Decoder(AnyTableEvent).decode
_decode_reply = msgspec.json.Decoder(Reply).decode

Published = Callable[[list[AnyTableEvent], int], None]


class DeskStopped(StoreUnavailable):
    """This desk no longer writes its table: it was closed, or another has taken it."""


@dataclass(slots=True)
class _Waiting:
    sender: str
    command_id: str
    command: AnyTableCommand
    request: bytes
    reply: "asyncio.Future[Reply]"


def stream_of(table: str) -> str:
    """The journal stream of a table."""
    return f"table:{table}"


def request_digest(command: AnyTableCommand) -> bytes:
    """What tells two commands with one id apart. The time of arrival is not part of what was asked."""
    raw = msgspec.to_builtins(command)
    raw.pop("at", None)
    if isinstance(raw.get("command"), dict):
        raw["command"].pop("at", None)
    return sha256(msgspec.json.encode(raw, order="deterministic")).digest()


class Desk:
    """Runs one table. Start it with `start`, ask it with `ask`, end it with `stop`."""

    def __init__(
        self, table: str, store: Store, clock: Clock, *, find_rules: FindRules = shipped_rules
    ) -> None:
        self.table = table
        self.stream = stream_of(table)
        self.published: Published | None = None
        self._store, self._clock, self._find_rules = store, clock, find_rules
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(QUEUE_MAX)
        self._answers: OrderedDict[tuple[str, str], tuple[bytes, Reply]] = OrderedDict()
        self._known_senders: set[str] = set()
        self._state: TableState | None = None
        self._version = 0
        self._last_at = 0
        self._task: asyncio.Task[None] | None = None
        self._broken: Exception | None = None

    @property
    def state(self) -> TableState:
        """The table as it stands. What is read here may not be durable yet; replies and events are."""
        if self._state is None:
            raise DeskStopped(f"desk {self.table} has no state")
        return self._state

    @property
    def version(self) -> int:
        return self._version

    async def start(self) -> None:
        """Rebuild the table and take it, fencing off whoever wrote it before."""
        await self._rebuild()
        taken = DeskTaken(by=Actor("desk", Role.SYSTEM), at=self._clock.now(), epoch=self.state.epoch + 1)
        await self._append([taken], [], [])
        self.state.evolve(taken)
        self._task = asyncio.create_task(self._run(), name=f"desk {self.table}")

    async def stop(self) -> None:
        """Finish what waits, then end."""
        if self._task is not None:
            await self._queue.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._broken = self._broken or DeskStopped(f"desk {self.table} is closed")

    async def ask(self, sender: str, command_id: str, command: AnyTableCommand) -> Reply:
        """Wait until a command's answer is durable. The same id again gives the same answer."""
        if self._broken is not None or self._task is None:
            raise self._broken or DeskStopped(f"desk {self.table} is not running")
        waiting = _Waiting(
            sender, command_id, command, request_digest(command), asyncio.get_running_loop().create_future()
        )
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            raise StoreUnavailable(f"desk {self.table} has {QUEUE_MAX} commands waiting") from None
        return await waiting.reply

    async def _run(self) -> None:
        while True:
            waiting = [await self._queue.get()]
            while len(waiting) < BATCH_MAX and not self._queue.empty():
                waiting.append(self._queue.get_nowait())
            try:
                await self._serve(waiting)
            except Exception as error:  # the outermost loop: freeze the table and keep the evidence
                self._freeze(waiting, error)
                return
            finally:
                for _ in waiting:
                    self._queue.task_done()

    async def _serve(self, waiting: list[_Waiting]) -> None:
        """One batch: decide, commit, reply. What the store refuses is rebuilt and told to those who wait."""
        try:
            await self._look_up_new_senders(waiting)
            if self._state is None:
                await self._rebuild()
            await self._commit(waiting)
        except (CommandRepeated, CommandAltered, FateUnknown):
            # Either an id from long ago came again, or the store was lost while it committed: what is in
            # the record decides, and only what is not there is decided again.
            await self._start_over(waiting)
        except StoreUnavailable as error:
            self._state = None
            for each in waiting:
                _fail(each, error)

    async def _start_over(self, waiting: list[_Waiting]) -> None:
        self._state = None
        try:
            await self._look_up(waiting)
            await self._rebuild()
            await self._commit(waiting)
        except StoreUnavailable as error:
            self._state = None
            for each in waiting:
                _fail(each, error)

    async def _commit(self, waiting: list[_Waiting]) -> None:
        state = self.state
        events: list[AnyTableEvent] = []
        acted: list[tuple[_Waiting, Reply]] = []
        answers: list[Answer] = []
        transfers: list[Transfer] = []
        for each in waiting:
            if each.reply.done() or self._repeated(each):
                continue
            number = state.wants_round(each.command)
            if number is not None:
                state.keep_round(number, await load_round(self._store, self.table, number, self._find_rules))
            outcome = state.act(
                each.command, f"{self.table}.{self._version + len(events) + 1}.{len(answers)}"
            )
            reply: Reply = outcome.answer if isinstance(outcome, Acted) else outcome
            if isinstance(outcome, Acted):
                events += outcome.events
                transfers += outcome.transfers
            acted.append((each, reply))
            answers.append(Answer(each.sender, each.command_id, each.request, _encode(reply)))
            self._remember(each, reply)
        if answers:
            await self._append(events, transfers, answers)
        for each, reply in acted:
            if not each.reply.done():
                each.reply.set_result(reply)
        if events and self.published:
            self.published(events, self._version)

    async def _append(
        self, events: list[AnyTableEvent], transfers: list[Transfer], answers: list[Answer]
    ) -> None:
        streams: tuple[StreamEvents, ...] = ()
        if events:
            streams = (StreamEvents(self.stream, self._version, tuple(map(self._new_event, events))),)
        try:
            await self._store.append(Batch(streams, tuple(transfers), tuple(answers)))
        except StoreError:
            self._state = None
            for answer in answers:
                self._answers.pop((answer.sender, answer.id), None)
            raise
        self._version += len(events)

    def _new_event(self, event: AnyTableEvent) -> NewEvent:
        inner = event.event if isinstance(event, RoundEvent | RackEvent) else event
        # The journal's time never goes back, even when a clock was set.
        self._last_at = max(self._last_at, micros(inner.at))
        return NewEvent(event_name(event), self._last_at, _encode(event))

    def _repeated(self, waiting: _Waiting) -> bool:
        """Answer a command that was answered before."""
        known = self._answers.get((waiting.sender, waiting.command_id))
        if known is None:
            return False
        request, reply = known
        if request == waiting.request:
            waiting.reply.set_result(reply)
        else:
            _fail(waiting, CommandAltered(waiting.sender, waiting.command_id))
        return True

    def _remember(self, waiting: _Waiting, reply: Reply) -> None:
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
            self._answers[key] = (answer.request, _decode_reply(answer.answer))

    async def _rebuild(self) -> None:
        """The table from its stream, and its money from the balances that the journal gives."""
        state = TableState(self.table, self._find_rules)
        version = last_at = 0
        async for stored in self._store.events(self.stream):
            state.evolve(_decode_event(stored.body))
            version, last_at = stored.version, stored.at
        await self._open_book(state)
        self._state, self._version, self._last_at = state, version, last_at

    async def _open_book(self, state: TableState) -> None:
        for account, (debits, credits) in (await balances(self._store, state.owned_accounts())).items():
            state.book.open(account, debits_minor=debits, credits_minor=credits)

    def _freeze(self, waiting: list[_Waiting], error: Exception) -> None:
        """Stop for good: a bug of ours keeps its evidence, a desk that was fenced off must not write."""
        fenced = isinstance(error, StreamMoved)
        self._broken = DeskStopped(
            f"desk {self.table}: {'another desk has taken the table' if fenced else error}"
        )
        self._state = None
        while not self._queue.empty():
            waiting.append(self._queue.get_nowait())
        for each in waiting:
            _fail(each, self._broken)


def _fail(waiting: _Waiting, error: Exception) -> None:
    if not waiting.reply.done():
        waiting.reply.set_exception(error)


async def round_events(store: Store, table: str, number: int) -> AsyncIterator[RoundEvent]:
    """The events of one round, in their order, corrections of later days included."""
    async for stored in store.events(stream_of(table)):
        event = _decode_event(stored.body)
        if isinstance(event, RoundEvent) and event.round == number:
            yield event


async def load_round(
    store: Store, table: str, number: int, find_rules: FindRules = shipped_rules
) -> RoundState:
    """One round's state from the journal."""
    state: RoundState | None = None
    async for event in round_events(store, table, number):
        if state is None:
            if not isinstance(event.event, BettingOpened):
                raise InvariantBroken(f"{table}/{number} does not begin with its opening")
            state = RoundState(*find_rules(event.event.pay_table))
        evolve(state, event.event)
    if state is None:
        raise InputError(f"the table {table} has no round {number}")
    return state
