"""A store that says of each batch that it is durable now."""

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import StoreConflict
from taisai.record.carrying import carrying
from taisai.record.journal import Batch, NewEvent, StreamEvents
from tests.floor.houses import START
from tests.record import SIGNER


def batch(version: int) -> Batch:
    return Batch((StreamEvents("s", version, (NewEvent("Happened", 1, b"{}"),)),))


async def test_what_is_durable_is_told_and_nothing_else() -> None:
    """A batch that was refused is nobody's to hear of; all else is the store's own."""
    told: list[Batch] = []
    plain = MemoryStore(MemoryDisk(), writer="w", signer=SIGNER, clock=ManualClock(START))
    store = carrying(plain, told.append)
    await store.append(batch(0))
    with pytest.raises(StoreConflict):
        await store.append(batch(0))
    await store.append(batch(1))
    assert told == [batch(0), batch(1)]
    head = await store.head("s")
    assert head is not None
    assert head.version == 2
