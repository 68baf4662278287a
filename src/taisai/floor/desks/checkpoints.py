"""Checkpoints: what a desk knows at rest, on a stream of its own, so that a start need not read everything.

They stand in the journal like any event: chained, signed, never edited. Each names the version of the desk's
stream that it was taken at and that event's digest; one that does not fit the stream is not used. A start
takes the last but one, so that what a state keeps of its recent past comes from events all the same. They
save time and hold nothing that the events do not: without them a desk rebuilds to the same state.
"""

import logging
from collections.abc import Callable
from typing import Any, Final, Generic

import msgspec

from taisai.errors import StoreError
from taisai.floor.desks.kind import DeskKind, S
from taisai.floor.streams import checkpoint_stream
from taisai.record.journal import Batch, Event, NewEvent, StreamEvents
from taisai.record.ports import Store

log = logging.getLogger("taisai.checkpoints")

EVENTS_APART: Final = 20_000
FORM: Final = 1  # of what is remembered; one of another form is left alone


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A desk's memory after one version of its stream."""

    form: int
    version: int
    digest: str
    at: int
    epoch: int
    mark: int
    memory: msgspec.Raw
    balances: dict[str, tuple[int, int]] | None = None  # debits and credits; one made for a cut has none

    @classmethod
    def of(
        cls, memory: bytes, version: int, digest: bytes, *, at: int, epoch: int, mark: int
    ) -> "Checkpoint":
        """A memory as it is written now."""
        return cls(
            form=FORM,
            version=version,
            digest=digest.hex(),
            at=at,
            epoch=epoch,
            mark=mark,
            memory=msgspec.Raw(memory),
        )


_decode = msgspec.json.Decoder(Checkpoint).decode
_encode = msgspec.json.Encoder().encode


async def append_checkpoint(store: Store, stream: str, taken: Checkpoint) -> None:
    """Put a checkpoint on its stream."""
    before = await store.head(stream)
    event = NewEvent("CheckpointTaken", max(taken.at, before.at if before else 0), _encode(taken))
    count = before.version if before else 0
    await store.append(Batch((StreamEvents(stream, count, (event,)),), (), ()))


class Resumed(msgspec.Struct, Generic[S]):
    """A state to go on from, and where its stream stood."""

    state: Any
    version: int = 0
    at: int = 0
    epoch: int = 0
    balances: dict[str, tuple[int, int]] | None = {}


class Checkpoints(Generic[S]):
    """Takes and finds the checkpoints of one desk."""

    def __init__(self, kind: DeskKind[S], store: Store) -> None:
        self._kind, self._store = kind, store
        self.stream = checkpoint_stream(kind.name)
        self._version = self._mark = 0

    def is_due(self, version: int) -> bool:
        """Whether enough has happened since the last one; asked after every commit."""
        return self._kind.memory is not None and version - self._version >= EVENTS_APART

    async def keep(self, state: S, version: int, at: int, epoch: int) -> None:
        """Take one, if the state is at rest. One that cannot be kept is done without."""
        memory = self._kind.memory
        mark = memory.mark(state) if memory else None
        if memory is None or mark is None or mark - self._mark < memory.apart:
            return
        try:
            head = await self._store.head(self._kind.stream)
            if head is None or head.version != version:
                return
            saved = memory.save(state)
            taken = Checkpoint.of(saved, version, head.digest, at=at, epoch=epoch, mark=mark)
            balances = {account: state.book.totals(account) for account in state.owned_accounts()}
            taken = msgspec.structs.replace(taken, balances=balances)
            await append_checkpoint(self._store, self.stream, taken)
        except StoreError as error:
            log.warning("%s: no checkpoint was written at version %d: %s", self._kind.name, version, error)
        except Exception:  # whatever is wrong with it, play goes on: it would only have saved time
            log.exception("%s: no checkpoint was written at version %d", self._kind.name, version)
        else:
            self._mark = mark
        self._version = version

    async def resume(self) -> Resumed[S]:
        """The state of the last checkpoint but one, or a fresh one."""
        fresh = Resumed[S](self._kind.fresh())
        if self._kind.memory is None:
            return fresh
        head = await self._store.head(self.stream)
        count = head.version if head else 0
        stored = [event async for event in self._store.events(self.stream, after=max(0, count - 2))]
        if stored:
            last = _decode(stored[-1].body)
            self._version, self._mark = last.version, last.mark
        return await self._taken(stored[0], self._kind.memory.load) if len(stored) == 2 else fresh

    async def _taken(self, stored: Event, load: Callable[[bytes], S]) -> Resumed[S]:
        taken = _decode(stored.body)
        if taken.form != FORM or not await self._fits(taken):
            log.warning("%s: the checkpoint at %d is not used", self._kind.name, taken.version)
            return Resumed[S](self._kind.fresh())
        return Resumed[S](load(bytes(taken.memory)), taken.version, taken.at, taken.epoch, taken.balances)

    async def _fits(self, taken: Checkpoint) -> bool:
        """Whether the stream's event at that version is the one that the checkpoint was taken after."""
        async for event in self._store.events(self._kind.stream, after=taken.version - 1):
            return event.version == taken.version and event.digest.hex() == taken.digest
        return False
