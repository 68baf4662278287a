"""A desk's state in another process: made from the record once, then kept up by what each commit carried.

A copy is to look at and never decides. What it missed it reads from the record, so that whoever carries the
commits may lose some: nothing is told twice, out of order, or before it is durable.
"""

import asyncio
import logging
from collections.abc import Callable, Container, Iterator
from typing import Any, Final, Generic

import msgspec

from taisai.errors import StoreError, StoreUnavailable
from taisai.floor.desks.answers import Answers
from taisai.floor.desks.checkpoints import Checkpoints
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.desks.kind import DeskKind, OwnerEvent, S
from taisai.floor.desks.rebuilding import CannotRebuild, Rebuilding
from taisai.floor.desks.retelling import Retelling
from taisai.game.refusals import Refusal
from taisai.ledger import Transfer
from taisai.record.journal import Batch
from taisai.record.patience import pauses
from taisai.record.ports import Store

log = logging.getLogger("taisai.copies")

# What was committed is heard of at the same time as its answer: only what is lost takes longer.
_HEARD_SECONDS: Final = 0.05
_KEPT_MAX: Final = 5_000  # commits that are heard while the record is read; beyond that it is read again


class Carried(msgspec.Struct, frozen=True, array_like=True):
    """What one commit brought to a stream that stood at `after`: its events as the journal has them."""

    stream: str
    after: int
    events: tuple[bytes, ...]
    transfers: tuple[Transfer, ...] = ()

    @property
    def version(self) -> int:
        """Where the stream stands with it."""
        return self.after + len(self.events)


def carried_by(batch: Batch, streams: Container[str]) -> Iterator[Carried]:
    """What a batch that is durable brought to each of these streams."""
    for part in batch.streams:
        if part.stream in streams:
            bodies = tuple(event.body for event in part.events)
            yield Carried(part.stream, part.expected_version, bodies, batch.transfers)


class DeskCopy(Generic[S]):
    """Begin with `start`, and let it `hear` each commit; what it did not hear it reads."""

    stopped = False
    why_stopped = None

    def __init__(self, kind: DeskKind[S], store: Store) -> None:
        self.kind = kind
        self.published: Callable[[list[Any], int], None] | None = None
        self.why_away: StoreError | None = None
        self._rebuilding = Rebuilding(kind, store, Checkpoints(kind, store))
        self._store = store
        self._answers = Answers(store, kind.answers | Refusal, Retelling(kind, store))
        self._decode = msgspec.json.Decoder(kind.events | OwnerEvent).decode
        self._state: S | None = None
        self._version = self._told = self._wanted = 0
        self._has_begun = False
        self._reading: asyncio.Task[None] | None = None
        self._reaching: list[tuple[int, asyncio.Future[None]]] = []
        self._ahead: dict[int, Carried] = {}  # heard before what is in front of them, by where they follow on

    @property
    def state(self) -> S:
        if self._state is None:
            raise StoreUnavailable(f"the copy of {self.kind.name} is being made")
        return self._state

    @property
    def has_state(self) -> bool:
        return self._state is not None

    @property
    def version(self) -> int:
        return self._version

    async def start(self) -> None:
        """The state as the record has it."""
        made = await self._rebuilding.rebuild(told=None)
        self._state, self._version, self._told = made.state, made.version, made.version
        self._has_begun = True
        self._go_on()
        self._reached()
        self.stands_at(made.version)  # what was lost meanwhile may be more

    def go_on_from(self, desk: Desk[S]) -> None:
        """Where this process wrote the desk itself until now: followers hear on from there."""
        self._told, self._has_begun = desk.told, True
        if desk.has_state:
            self._state, self._version = desk.state, desk.version
        else:
            self._read_soon()

    async def stop(self) -> None:
        """Read no longer."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def ready(self) -> None:
        """Wait for a state, if there is none just now."""
        while self._state is None and self._reading is not None:
            await asyncio.wait([self._reading])

    async def catch_up(self) -> None:
        """Know all that is on the record at this moment, so that something can be decided on it."""
        head = await self._store.head(self.kind.stream)
        if head is not None:
            self.stands_at(head.version)
            await self.reach(head.version)

    def known_by(self, key: bytes) -> None:
        """Commands are known by digests that are made with this key."""
        self._answers.key = key

    async def answered(self, sender: str, command_id: str, command: Any) -> Any:
        """What the owner answered to the same command before, or none."""
        return await self._answers.first((sender, command_id), command)

    def hear(self, carried: Carried) -> None:
        """A commit; one that follows on what is known is applied, and any other sends us to the record."""
        self._wanted = max(self._wanted, carried.version)
        if not self._has_begun or self._state is None or carried.after > self._version:
            self._keep(carried)
            if self._has_begun:
                self._read_soon()
        elif carried.after == self._version:
            self._apply(self._state, carried)

    def _keep(self, carried: Carried) -> None:
        """At a busy table the next commits come while the record is read: they follow on what is read."""
        if len(self._ahead) >= _KEPT_MAX:
            self._ahead.clear()
        self._ahead[carried.after] = carried

    def _go_on(self) -> None:
        """Apply what was heard meanwhile and follows on what is known now."""
        while self._state is not None and (heard := self._ahead.pop(self._version, None)) is not None:
            self._apply(self._state, heard)
        self._ahead = {after: heard for after, heard in self._ahead.items() if after >= self._version}

    def stands_at(self, version: int) -> None:
        """Where the owner says that the stream stands: a commit that was lost on the way is found so."""
        self._wanted = max(self._wanted, version)
        if self._has_begun and self._wanted > self._version:
            self._read_soon()

    async def reach(self, version: int) -> None:
        """Wait until the stream is known up to a version; what is not heard of soon is read."""
        if self._version >= version and self._state is not None:
            return
        loop = asyncio.get_running_loop()
        reached = loop.create_future()
        self._reaching.append((version, reached))
        asked = loop.call_later(_HEARD_SECONDS, self.stands_at, version)
        try:
            await reached
        finally:
            asked.cancel()

    def _reached(self) -> None:
        if not self._reaching:
            return
        waiting, self._reaching = self._reaching, []
        for version, reached in waiting:
            if self._version < version:
                self._reaching.append((version, reached))
            elif not reached.done():
                reached.set_result(None)

    def _apply(self, state: S, carried: Carried) -> None:
        try:
            heard = map(self._decode, carried.events)
            happened = [event for event in heard if not isinstance(event, OwnerEvent)]
            state.book.apply(carried.transfers)
            for event in happened:
                state.evolve(event)
            state.book.forget_settled(carried.transfers)
        except Exception:  # the outermost: whatever it was, the record is right
            log.exception("%s: a commit could not be followed, the record is read again", self.kind.name)
            self._state = None
            self._read_soon()
            return
        self._version = carried.version
        self._tell(happened)

    def _tell(self, happened: list[Any]) -> None:
        """Also where nothing happened but that another took the stream: news are numbered by its versions."""
        moved, self._told = self._version > self._told, self._version
        if moved and self.published is not None:
            try:
                self.published(happened, self._version)
            except Exception:
                log.exception("%s: somebody who follows it failed", self.kind.name)
        self._reached()

    def _read_soon(self) -> None:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Until all that was heard of is known, however long the store is away."""
        for pause in pauses():
            try:
                told = self._told
                made = await self._rebuilding.rebuild(told=told)
            except (StoreError, CannotRebuild) as error:
                log.warning("the copy of %s cannot be made: %s", self.kind.name, error)
                self.why_away = error if isinstance(error, StoreError) else OperatorNeeded(str(error))
                await asyncio.sleep(pause)
                continue
            self.why_away = None
            if self._told == told and (made.version >= self._version or self._state is None):
                self._state, self._version = made.state, made.version
                self._tell(made.missed)
            self._go_on()
            if self._version >= self._wanted:
                return
            await asyncio.sleep(pause)


# A desk that this process runs, or a copy of one that another does.
AnyDesk = Desk[S] | DeskCopy[S]
