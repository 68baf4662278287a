"""The record in PostgreSQL for a process that owns no desk: it reads, and brings read models forward."""

from typing import NoReturn

from taisai.adapters.postgres.session import translated
from taisai.adapters.postgres.store import PostgresStore, prepare
from taisai.errors import InvariantBroken
from taisai.record.journal import Batch, Committed
from taisai.record.ports import BodiesCut, Clock


class _NoKey:
    """Whoever looks signs nothing."""

    public, key_id = b"", ""

    def sign(self, message: bytes) -> NoReturn:
        raise InvariantBroken("a process without desks was to sign")


class PostgresLooking(PostgresStore):
    """Appends nothing: acts go to the owner of their desk."""

    @classmethod
    async def look(cls, url: str, clock: Clock) -> "PostgresLooking":
        """Connect to a record that owners write."""
        store = cls(url, writer="gateway", signer=_NoKey(), clock=clock)
        await prepare(url)
        with translated(store._where):
            store._pool = await store._readers()
        return store

    async def append(self, batch: Batch) -> Committed:
        raise InvariantBroken("a process without desks was to write")

    async def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        raise InvariantBroken("a process without desks was to write")

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()
