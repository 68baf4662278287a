"""Stores by address: `sqlite:///PATH`, a plain path, or `postgresql://…`."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from taisai.errors import InputError
from taisai.record.patience import patiently
from taisai.record.ports import Clock, NamesStore, RecordSnapshot, Signer, Store

if TYPE_CHECKING:
    from taisai.adapters.postgres.replica_watch import Standby

log = logging.getLogger("taisai.store")

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
        from taisai.adapters.postgres.store import PostgresStore

        return await PostgresStore.open(
            address, writer=writer, signer=signer, clock=clock, replicas_min=replicas_min
        )
    from taisai.adapters.sqlite.store import SqliteStore

    return await SqliteStore.open(sqlite_path(address), writer=writer, signer=signer, clock=clock)


async def look_at_store(address: str, clock: Clock) -> Store:
    """A store for a process that owns no desk: read, and with read models that it brings forward."""
    if is_postgres(address):
        from taisai.adapters.postgres.looking import PostgresLooking

        return await PostgresLooking.look(address, clock)
    from taisai.adapters.sqlite.looking import SqliteLooking

    return SqliteLooking(sqlite_path(address))


@asynccontextmanager
async def open_names(address: str, file: Path, keys: str, *, shared: bool) -> AsyncIterator[NamesStore]:
    """Players' names: in a file, or in PostgreSQL where processes that share a house may be on many machines.

    `keys` is where their keys are, a file or an address; whoever names a file keeps the names in one, too.
    """
    if not (shared and is_postgres(address) and (not keys or is_postgres(keys))):
        from taisai.adapters.people.names import SqliteNames

        if is_postgres(keys):
            raise InputError(
                f"server.name_keys: expected a file, as this house keeps names in one, got {keys}"
            )
        names: NamesStore = SqliteNames(file, Path(keys) if keys else None)
    else:
        from taisai.adapters.postgres.names import PostgresNames

        names = in_tables = PostgresNames(address, keys)
        moved = await patiently("the names of players cannot be read", partial(in_tables.move_in, file))
        if moved:
            log.warning("%d names of players were moved from %s to PostgreSQL", moved, file)
    try:
        yield names
    finally:
        await names.close()


@asynccontextmanager
async def standbys_watched(
    address: str, wanted: int, seen: "Callable[[Sequence[Standby]], None]"
) -> AsyncIterator[Callable[[], list[str]]]:
    """While this is open the standbys of a record are looked at; what there is to warn of."""
    if not is_postgres(address):
        yield list
        return
    from taisai.adapters.postgres.replica_watch import watching

    async with watching(address, wanted=wanted, seen=seen) as watch:
        yield watch.warnings


@asynccontextmanager
async def read_store(address: str) -> AsyncIterator[RecordSnapshot]:
    """A store as it stands now, for those who only read; a house may be writing it."""
    if is_postgres(address):
        from taisai.adapters.postgres.store import read_snapshot as read_postgres

        async with read_postgres(address) as snapshot:
            yield snapshot
        return
    from taisai.adapters.sqlite.store import read_snapshot

    path = sqlite_path(address)
    if not path.exists():
        raise InputError(f"there is no record at {path}")
    async with read_snapshot(path) as snapshot:
        yield snapshot
