"""Where a desk's stream may be cut: behind a moment at rest that a checkpoint remembers."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from taisai.floor.desks.checkpoints import Checkpoint, Checkpoints, Resumed, append_checkpoint
from taisai.floor.desks.kind import DeskKind, OwnerEvent
from taisai.record.ports import Store

# A start takes the last checkpoint but one.
_TIMES: Final = 2

IsBeginning = Callable[[str], bool]


async def cut_before(kind: DeskKind[Any], store: Store, until: int, is_beginning: IsBeginning) -> int:
    """The last version, up to `until`, that no start will ever read again; 0 where there is none.

    Where the desk's checkpoints do not reach so far, one is put on the record: it is taken just before the
    last beginning, of a round for instance, when nothing is in play.
    """
    checkpoints = Checkpoints(kind, store)
    resumed = await checkpoints.resume()
    if resumed.version > until:
        return until
    rest = await _last_rest(kind, store, resumed.version, until, is_beginning)
    if rest > resumed.version:
        taken = await _taken(kind, store, resumed, rest)
        if taken is not None:
            for _ in range(_TIMES):
                await append_checkpoint(store, checkpoints.stream, taken)
            return rest - 1
    return max(0, resumed.version - 1)


async def _last_rest(
    kind: DeskKind[Any], store: Store, after: int, until: int, is_beginning: IsBeginning
) -> int:
    """The version before the last beginning."""
    rest = 0
    async for stored in store.events(kind.stream, after=after):
        if stored.version > until:
            break
        if is_beginning(stored.type):
            rest = stored.version - 1
    return rest


async def _taken(kind: DeskKind[Any], store: Store, resumed: Resumed[Any], rest: int) -> Checkpoint | None:
    """What the desk knew then; none if it was not at rest after all."""
    memory = kind.memory
    if memory is None:
        return None
    decode = msgspec.json.Decoder(kind.events | OwnerEvent).decode
    state, epoch = resumed.state, resumed.epoch
    async for stored in store.events(kind.stream, after=resumed.version):
        event = decode(stored.body)
        if isinstance(event, OwnerEvent):
            epoch = event.epoch
        else:
            state.evolve(event)
        if stored.version == rest:
            mark = memory.mark(state)
            if mark is None:
                return None
            return Checkpoint.of(
                memory.save(state), rest, stored.digest, at=stored.at, epoch=epoch, mark=mark
            )
    return None
