"""The short evening as a store in memory keeps it, for the tests of what is read from a record."""

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from tests.evening import batches_of, evening, steps
from tests.record import SIGNER, START


def empty_store() -> MemoryStore:
    """A record in which nothing has happened."""
    return MemoryStore(MemoryDisk(), writer="main", signer=SIGNER, clock=ManualClock(START))


async def kept_evening() -> MemoryStore:
    """The whole evening: two rounds at a live table and a cluster, voids, corrections, tickets, a debt."""
    store = empty_store()
    for batch in await batches_of(steps(evening())):
        await store.append(batch)
    return store
