"""Stores by address: `sqlite:///PATH`, a plain path, or `postgresql://…`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from taisai.errors import InputError
from taisai.record.ports import Clock, RecordSnapshot, Signer, Store

_POSTGRES = ("postgresql://", "postgres://")
_SQLITE = "sqlite:///"


def is_postgres(address: str) -> bool:
    """Whether an address names a PostgreSQL database."""
    return address.startswith(_POSTGRES)


def sqlite_path(address: str) -> Path:
    """The file that an address names."""
    if is_postgres(address) or ("://" in address and not address.startswith(_SQLITE)):
        raise InputError(f"expected a file, sqlite:///PATH or postgresql://…, got {address!r}")
    return Path(address.removeprefix(_SQLITE))


async def open_store(
    address: str, *, writer: str, signer: Signer, clock: Clock, replicas_min: int = 0
) -> Store:
    """Open a store for writing; a SQLite file is created on first use."""
    if is_postgres(address):
        from taisai.adapters.postgres import PostgresStore

        return await PostgresStore.open(
            address, writer=writer, signer=signer, clock=clock, replicas_min=replicas_min
        )
    from taisai.adapters.sqlite import SqliteStore

    return await SqliteStore.open(sqlite_path(address), writer=writer, signer=signer, clock=clock)


@asynccontextmanager
async def read_store(address: str) -> AsyncIterator[RecordSnapshot]:
    """A store as it stands now, for those who only read; a house may be writing it."""
    if is_postgres(address):
        from taisai.adapters.postgres import read_snapshot as read_postgres

        async with read_postgres(address) as snapshot:
            yield snapshot
        return
    from taisai.adapters.sqlite import read_snapshot

    path = sqlite_path(address)
    if not path.exists():
        raise InputError(f"there is no record at {path}")
    async with read_snapshot(path) as snapshot:
        yield snapshot
