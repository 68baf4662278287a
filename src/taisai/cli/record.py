"""`taisai rebuild`, `taisai backup` and `taisai restore`: looking after a record. None of them signs."""

import asyncio
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.audit import ArchiveOption, KeyOption, StoreArgument, audited, counted, say_fault, trust_of
from taisai.cli.output import Exit, err, out
from taisai.errors import InputError, InvariantBroken

if TYPE_CHECKING:
    from taisai.record.ports import Store


def register(app: typer.Typer) -> None:
    app.command()(rebuild)
    app.command()(backup)
    app.command()(restore)


class _NoSigner:
    """Stands where a key would be; the record's own key may be on another machine."""

    key_id = "none"
    public = b""

    def sign(self, message: bytes) -> bytes:
        raise InvariantBroken("this command signs nothing")


async def _opened(store: str) -> "Store":
    from taisai.adapters.clock import SystemClock
    from taisai.adapters.stores import open_store

    return await open_store(store, writer="keeper", signer=_NoSigner(), clock=SystemClock())


def rebuild(store: StoreArgument, archive: ArchiveOption = None) -> None:
    """Make every read model again from the journal, and print the digest of its canonical dump.

    A record some of whose bodies are in archives needs all of them.
    """
    from taisai.adapters.stores import is_postgres

    if not is_postgres(store):
        _existing(store)
    digest = asyncio.run(_rebuild(store, archive or []))
    out().print(f"rebuilt; canonical dump {digest}", markup=False)


async def _rebuild(store: str, archives: list[Path]) -> str:
    from taisai.adapters.copies.archives import filled
    from taisai.floor.views.house_views import VIEWS
    from taisai.floor.views.significant import SignificantEvents, kept_thresholds
    from taisai.record.views import dump
    from taisai.record.views import rebuild as rebuild_view

    opened = await _opened(store)
    try:
        async with opened.snapshot() as snapshot:
            source = await filled(snapshot, archives, whole=True)
            for view in VIEWS:
                await rebuild_view(opened, view, source)
            thresholds = await kept_thresholds(opened)
            if thresholds is not None:
                # What counts as large is a setting of the house: made again by the ones that it was made by.
                await rebuild_view(opened, SignificantEvents(thresholds), source)
        sha = hashlib.sha256()
        async for line in dump(opened, VIEWS):
            sha.update(line)
        return sha.hexdigest()
    finally:
        await opened.close()


def _existing(store: str) -> Path:
    from taisai.adapters.stores import sqlite_path

    path = sqlite_path(store)
    if not path.exists():
        raise InputError(f"there is no record at {path}")
    return path


def _noted(record: Path, out_file: Path) -> None:
    """The administrator's page knows of a copy by a note beside the record; without one it is as good."""
    from taisai.adapters.copies.backup import note_backup

    try:
        note_backup(record, out_file, datetime.now(UTC))
    except OSError as error:
        why = error.strerror or type(error).__name__
        err().print(f"the administrator's page will not know of it: {why}", markup=False)


def backup(
    store: StoreArgument,
    out_file: Annotated[Path, typer.Option("--out", help="The file to write; it must not exist.")],
    key: KeyOption = None,
    since: Annotated[
        Path | None, typer.Option("--since", help="An earlier backup: write only what came after it.")
    ] = None,
) -> None:
    """Copy a record while it is in use: SQLite to a SQLite file, PostgreSQL to an export.

    With --since only the commits after an earlier backup are read and written, from either kind of store.
    """
    from taisai.adapters.copies.backup import copy_sqlite, export_to_file
    from taisai.adapters.copies.increments import write_since
    from taisai.adapters.stores import is_postgres, read_store
    from taisai.record.cuts import claims_of

    if since is not None:

        async def run_since(earlier: Path) -> int:
            async with read_store(store) as snapshot:
                keys, now = trust_of(store, key).keys, datetime.now(UTC)
                return await write_since(snapshot, earlier, out_file, at=now, keys=keys)

        commits = asyncio.run(run_since(since))
        err().print(f"{counted(commits, 'commit')} after {since}", markup=False)
    elif is_postgres(store):

        async def run() -> None:
            async with read_store(store) as snapshot:
                claims = await claims_of(snapshot)
                keys = trust_of(store, key).keys
                now, cut = datetime.now(UTC), bool(claims.archived)
                await export_to_file(snapshot, out_file, at=now, keys=keys, cut=cut)

        asyncio.run(run())
    else:
        copy_sqlite(_existing(store), out_file)
    if not is_postgres(store):
        _noted(_existing(store), out_file)
    err().print(f"wrote {out_file}", markup=False)


def restore(
    backup_file: Annotated[Path, typer.Argument(metavar="BACKUP", help="A copy or an export.")],
    store: Annotated[str, typer.Argument(metavar="STORE", help="Where to put it; nothing may be there yet.")],
    key: KeyOption = None,
    then: Annotated[
        list[Path] | None,
        typer.Option("--then", help="What `backup --since` wrote after it; again for each, in their order."),
    ] = None,
) -> None:
    """Put a backup in place and verify it, with the keys given or STORE.key.pub.

    Without a key it is put in place unverified, and that is said.
    """
    from taisai.adapters.stores import is_postgres, sqlite_path

    if is_postgres(store):
        asyncio.run(_import(backup_file, store, then or []))
    else:
        _restore_file(backup_file, sqlite_path(store), then or [])
    err().print(f"restored {store}", markup=False)
    _verify(store, key)


def _restore_file(backup_file: Path, target: Path, then: list[Path]) -> None:
    """A file that is whole or not there."""
    from taisai.adapters.copies.backup import is_sqlite, restore_sqlite

    if target.exists():
        raise InputError(f"{target} is already there; restore into a new file")
    if is_sqlite(backup_file) and not then:
        restore_sqlite(backup_file, target)
        return
    part = target.with_name(target.name + ".part")
    _remove(part)
    try:
        if is_sqlite(backup_file):
            restore_sqlite(backup_file, part)
            asyncio.run(_import(None, str(part), then))
        else:
            asyncio.run(_import(backup_file, str(part), then))
        part.rename(target)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    """What a restore that did not come to its end has left, or left behind."""
    for suffix in ("", "-wal", "-shm", "-journal", "-owner"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)


async def _import(backup_file: Path | None, store: str, then: list[Path]) -> None:
    """Read an export into a store, unless it holds its backup already, and put onto it what came after."""
    from taisai.adapters.copies.backup import import_from_file, is_sqlite
    from taisai.adapters.copies.increments import restore_since

    if backup_file and is_sqlite(backup_file):
        raise InputError(f"{backup_file} is a SQLite file: restore it as one, or restore an export")
    opened = await _opened(store)
    try:
        if backup_file:
            await import_from_file(backup_file, opened)
        for each in then:
            await restore_since(each, opened)
    finally:
        await opened.close()


def _verify(store: str, key: list[Path] | None) -> None:
    from taisai.adapters.signing.keys import public_path
    from taisai.adapters.stores import is_postgres, sqlite_path
    from taisai.record.faults import RecordFault

    beside = None if is_postgres(store) else sqlite_path(store)
    if not key and (beside is None or not public_path(beside.with_name(beside.name + ".key")).exists()):
        err().print("it was not verified: give --key FILE, or ask `taisai audit verify`")
        return
    try:
        report = asyncio.run(audited(store, trust_of(store, key)))
    except RecordFault as fault:
        say_fault(fault)
        raise SystemExit(Exit.CHECK_FAILED) from None
    commits, rounds = report.record.commits, report.rounds.rounds
    err().print(f"sound: {counted(commits, 'commit')}, {counted(rounds, 'round')}", markup=False)
