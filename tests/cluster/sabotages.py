"""Three ways to break the product, each of which the checker has to find."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from taisai.adapters.postgres import journal as postgres_journal
from taisai.adapters.postgres import leases
from taisai.adapters.postgres.session import connect_primary
from taisai.floor.desks.desk import Desk
from taisai.record.ports import StreamMoved

_LATE_SECONDS = 0.3


def answer_before_the_commit() -> None:
    """Whoever placed a bet is told at once; the commit is written a little later."""
    write = postgres_journal.PostgresJournal._write
    late: set[asyncio.Task[None]] = set()

    async def write_late(self: Any, commit: Any, others: set[asyncio.Task[None]]) -> None:
        await asyncio.gather(*others)
        await asyncio.sleep(_LATE_SECONDS)
        connection = await connect_primary(self._url)
        await self._send(connection, commit)
        await connection.close()

    async def written(self: Any, connection: Any, commit: Any) -> bool:
        if all(event.type != "BetsPlaced" for event in commit.events):
            await asyncio.gather(*late)
            return await write(self, connection, commit)
        task = asyncio.create_task(write_late(self, commit, set(late)))
        late.add(task)
        task.add_done_callback(late.discard)
        return True

    postgres_journal.PostgresJournal._write = written


def barrier_skipped() -> None:
    """What the primary has is told, whatever the server warns of and whether or not a standby has it."""

    @contextlib.contextmanager
    def unheeded(connection: Any, where: str) -> Iterator[None]:
        yield

    async def nothing(*_: Any, **__: Any) -> None:
        pass

    for module in (postgres_journal, leases):
        module.confirmed = unheeded
    postgres_journal.barrier = nothing


def fence_off() -> None:
    """A desk that was taken over goes on writing behind what its successor wrote, and minds no lease."""
    append = Desk._append

    async def regardless(self: Any, draft: Any) -> Any:
        while True:
            try:
                return await append(self, draft)
            except StreamMoved:
                head = await self._store.head(self.kind.stream)
                self._version = head.version

    Desk._append = regardless
    leases.RecordLease.is_overdue = lambda self: False
    leases.RecordLease.taken = lambda self, unit: None


SABOTAGES: dict[str, Callable[[], None]] = {
    "answer before the commit": answer_before_the_commit,
    "barrier skipped": barrier_skipped,
    "fence off": fence_off,
}
