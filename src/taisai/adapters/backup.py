"""Copies of a record while it is in use, and their restoring. A copy is complete or not there at all."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import apsw

from taisai.adapters.keys import PublicKeys
from taisai.adapters.sqlite_file import connect_reader, translated
from taisai.errors import InputError, StoreUnavailable
from taisai.record.export import export, read_export
from taisai.record.journal import Commit, micros
from taisai.record.ports import CommitSource, Store


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a file that may be being written: the copy is the record at one moment."""
    with translated(source), _whole_file(target) as part:
        reader = connect_reader(source)
        copy = apsw.Connection(str(part))
        try:
            with copy.backup("main", reader, "main") as steps:
                # All pages in one step hold one moment; the writer goes on in its log meanwhile.
                steps.step(-1)
            copy.pragma("journal_mode", "delete")  # one file, without a log beside it
        finally:
            copy.close(True)
            reader.close(True)


async def export_to_file(source: CommitSource, target: Path, *, at: datetime, keys: PublicKeys) -> None:
    """Write an export to a file; the same from every store."""
    with _whole_file(target) as part, part.open("wb") as file:
        async for line in export(source, at=micros(at), keys=keys.raw):
            file.write(line)
        file.flush()
        os.fsync(file.fileno())


async def import_from_file(path: Path, store: Store) -> int:
    """Restore an export into an empty store; returns the number of commits."""
    return await store.restore(_commits_of(path))


async def _commits_of(path: Path) -> AsyncIterator[Commit]:
    for commit in read_exported_file(path):
        yield commit


def read_exported_file(path: Path) -> Iterator[Commit]:
    """The commits of an export in a file."""
    try:
        with path.open("rb") as file:
            yield from read_export(file, source=str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def restore_sqlite(backup: Path, target: Path) -> None:
    """Put a copied file in place of one that is not there."""
    if target.exists():
        raise InputError(f"{target} is already there; restore into a new file")
    copy_sqlite(backup, target)


@contextmanager
def _whole_file(target: Path) -> Iterator[Path]:
    """A file that appears under its name only when it is complete and on the disk."""
    if target.exists():
        raise InputError(f"{target} is already there")
    part = target.with_name(target.name + ".part")
    with suppress(FileNotFoundError):
        part.unlink()
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it holds what the record holds
        yield part
        _sync(part)
        part.rename(target)
        _sync(target.parent)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {target}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
