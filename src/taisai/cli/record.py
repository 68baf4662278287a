"""`taisai rebuild`, `taisai backup` and `taisai restore`: looking after a record."""

import asyncio
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.audit import KeyOption, StoreArgument, _keys
from taisai.cli.output import err, out
from taisai.errors import InputError

SignKeyOption = Annotated[
    Path | None, typer.Option("--sign-key", help="The signing key. Default: STORE.key.")
]


def register(app: typer.Typer) -> None:
    app.command()(rebuild)
    app.command()(backup)
    app.command()(restore)


def rebuild(store: StoreArgument, sign_key: SignKeyOption = None) -> None:
    """Make every read model again from the journal, and print the digest of its canonical dump."""
    digest = asyncio.run(_rebuild(store, sign_key))
    out().print(f"rebuilt; canonical dump {digest}", markup=False)


async def _rebuild(store: str, sign_key: Path | None) -> str:
    from taisai.adapters.clock import SystemClock
    from taisai.adapters.stores import open_store
    from taisai.floor.journal_views import dump
    from taisai.floor.journal_views import rebuild as rebuild_view
    from taisai.floor.views import VIEWS

    opened = await open_store(store, writer="rebuild", signer=_signer(store, sign_key), clock=SystemClock())
    try:
        for view in VIEWS:
            await rebuild_view(opened, view)
        sha = hashlib.sha256()
        async for line in dump(opened, VIEWS):
            sha.update(line)
        return sha.hexdigest()
    finally:
        await opened.close()


def backup(
    store: StoreArgument,
    out_file: Annotated[Path, typer.Option("--out", help="The file to write; it must not exist.")],
    key: KeyOption = None,
) -> None:
    """Copy a record while it is in use: SQLite to a SQLite file, PostgreSQL to an export."""
    from taisai.adapters.backup import copy_sqlite, export_to_file
    from taisai.adapters.stores import is_postgres, read_store, sqlite_path

    if is_postgres(store):

        async def run() -> None:
            async with read_store(store) as snapshot:
                await export_to_file(snapshot, out_file, at=datetime.now(UTC), keys=_keys(store, key))

        asyncio.run(run())
    else:
        path = sqlite_path(store)
        if not path.exists():
            raise InputError(f"there is no record at {path}")
        copy_sqlite(path, out_file)
    err().print(f"wrote {out_file}")


def restore(
    backup_file: Annotated[Path, typer.Argument(help="A copy or an export.")],
    store: Annotated[str, typer.Argument(metavar="STORE", help="Where to put it; nothing may be there yet.")],
    sign_key: SignKeyOption = None,
) -> None:
    """Put a backup in place; then verify it with `taisai audit verify`."""
    from taisai.adapters.backup import restore_sqlite
    from taisai.adapters.stores import is_postgres, sqlite_path

    with backup_file.open("rb") if backup_file.exists() else _missing(backup_file) as file:
        is_sqlite = file.read(15) == b"SQLite format 3"
    if is_sqlite and not is_postgres(store):
        restore_sqlite(backup_file, sqlite_path(store))
        err().print(f"restored {store}")
        return
    count = asyncio.run(_import(backup_file, store, sign_key))
    err().print(f"restored {store}: {count:,} commits")


def _missing(path: Path) -> "typer.FileBinaryRead":
    raise InputError(f"there is no backup at {path}")


async def _import(backup_file: Path, store: str, sign_key: Path | None) -> int:
    from taisai.adapters.backup import import_from_file
    from taisai.adapters.clock import SystemClock
    from taisai.adapters.stores import open_store

    opened = await open_store(store, writer="restore", signer=_signer(store, sign_key), clock=SystemClock())
    try:
        return await import_from_file(backup_file, opened)
    finally:
        await opened.close()


def _signer(store: str, sign_key: Path | None):  # type: ignore[no-untyped-def]  # adapters load lazily
    from taisai.adapters.keys import load_or_generate_key
    from taisai.adapters.stores import is_postgres, sqlite_path

    if sign_key is None and is_postgres(store):
        raise InputError("give the signing key with --sign-key FILE")
    path = sign_key or sqlite_path(store).with_name(sqlite_path(store).name + ".key")
    return load_or_generate_key(path)
