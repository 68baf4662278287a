"""Copies of a record while it is in use, and their restoring. A copy is complete or not there at all."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import apsw
import msgspec

from taisai.adapters.signing.keys import PublicKeys
from taisai.adapters.sqlite.file import connect_reader, translated
from taisai.errors import InputError, StoreUnavailable
from taisai.record import parts
from taisai.record.export import export, read_export
from taisai.record.journal import Commit, is_cut, micros
from taisai.record.ports import CommitSource, Store


class Whole:
    """A source that has every body, or says which it has not."""

    def __init__(self, source: CommitSource) -> None:
        self._source = source
        self.tips, self.events = source.tips, source.events

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        found = await self._source.commits(writer, after=after, limit=limit)
        for commit in found:
            if is_cut(commit):
                what = f"commit {commit.writer}/{commit.number}"
                raise InputError(f"bodies of {what} are in an archive: give it with --archive")
        return found


class BackupNoted(msgspec.Struct, frozen=True, kw_only=True):
    """The last copy of a record that was made with `taisai backup`, as the note beside the record has it."""

    at: datetime
    where: str
    bytes: int


def _note_of(record: Path) -> Path:
    return record.with_name(f"{record.name}.backup")


def note_backup(record: Path, target: Path, at: datetime) -> None:
    """Leave a note beside a record that a copy of it was made, for those who ask how old the last one is."""
    noted = BackupNoted(at=at, where=str(target.resolve()), bytes=target.stat().st_size)
    part = record.with_name(f"{record.name}.backup.{os.getpid()}")
    part.write_bytes(msgspec.json.encode(noted))
    part.replace(_note_of(record))


def last_backup(record: Path) -> BackupNoted | None:
    """What the note says; none where there is no note or nobody can read it."""
    try:
        return msgspec.json.decode(_note_of(record).read_bytes(), type=BackupNoted)
    except (OSError, msgspec.DecodeError):
        return None


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a file that may be being written: the copy is the record at one moment."""
    with translated(source), whole_file(target) as part:
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


async def export_to_file(
    source: CommitSource, target: Path, *, at: datetime, keys: PublicKeys, cut: bool = False
) -> None:
    """Write an export to a file; the same from every store. With `cut` bodies in archives may be missing."""
    whole: CommitSource = source if cut else Whole(source)
    with whole_file(target) as part, part.open("wb") as file:
        async for line in export(whole, at=micros(at), keys=keys.raw, cut=cut):
            file.write(line)
        file.flush()
        os.fsync(file.fileno())


async def export_part_to_file(
    source: CommitSource,
    target: Path,
    *,
    at: datetime,
    keys: PublicKeys,
    since: datetime | None,
    until: datetime | None,
) -> None:
    """Write what was committed in a span of time, with how things stood before it."""
    if since is not None and until is not None and since >= until:
        raise InputError(f"expected a part that begins before it ends, got {since} to {until}")
    first = micros(since) if since else None
    last = micros(until) if until else None
    begins = parts.until(first) if first is not None else parts.up_to({})
    ends = parts.until(last if last is not None else 2**63)
    part = await parts.surveyed(source, begins, ends)
    header = parts.header_of(part, at=micros(at), since=first, until=last, keys=keys.raw)
    with whole_file(target) as unfinished, unfinished.open("wb") as file:
        async for line in parts.part_lines(Whole(source), part, header):
            file.write(line)


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


def is_sqlite(backup_file: Path) -> bool:
    """Whether a backup is a copied file of a store."""
    try:
        with backup_file.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError as error:
        raise InputError(f"cannot read the backup {backup_file}: {error.strerror}") from None


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
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
