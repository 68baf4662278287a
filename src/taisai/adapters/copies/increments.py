"""Backups that hold what came after an earlier one, and their restoring onto it."""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from pathlib import Path

from taisai.adapters.copies.backup import Whole, is_sqlite, read_exported_file, whole_file
from taisai.adapters.signing.keys import PublicKeys
from taisai.adapters.stores import read_store
from taisai.errors import InputError
from taisai.record.chain import tip_of
from taisai.record.journal import Commit, Tip, micros
from taisai.record.parts import SINCE, Part, commits_since, header_of, part_lines, read_header
from taisai.record.ports import RecordSnapshot, Store


async def write_since(
    snapshot: RecordSnapshot, backup: Path, target: Path, *, at: datetime, keys: PublicKeys
) -> int:
    """Write what came after an earlier backup, of whatever kind; returns the number of commits."""
    held = await tips_of(backup)
    for tip in held.values():
        seal = (await snapshot.seals(tip.writer, [tip.number])).get(tip.number)
        if seal != (tip.digest, tip.signature):
            what = f"commit {tip.writer}/{tip.number} of {backup}"
            raise InputError(f"the record does not hold {what}: it is no backup of this record")
    part = Part(tips=held, ends=await snapshot.tips())
    header = header_of(part, at=micros(at), keys=keys.raw, form=SINCE)
    with whole_file(target) as unfinished, unfinished.open("wb") as file:
        async for line in part_lines(Whole(snapshot), part, header):
            file.write(line)
    return sum(tip.number - part.after.get(writer, 0) for writer, tip in part.ends.items())


async def tips_of(backup: Path) -> dict[str, Tip]:
    """Where a backup ends: a copied file, an export, or one that holds what came after another."""
    if is_sqlite(backup):
        async with read_store(str(backup)) as snapshot:
            return await snapshot.tips()
    begins, commits = _opened(backup)
    tips = dict(begins or {})
    for commit in commits:
        tips[commit.writer] = tip_of(commit)
    return tips


async def restore_since(backup: Path, store: Store) -> int:
    """Put what came after an earlier backup onto what that held; returns the number of commits."""
    begins, commits = _opened(backup)
    if begins is None:
        raise InputError(f"{backup} is a whole export: restore it first, and what came after it then")
    if begins != await store.tips():
        raise InputError(f"{backup} does not go on where the one before it ends")
    return await store.restore(_each(commits), onto=True)


async def _each(commits: Iterable[Commit]) -> AsyncIterator[Commit]:
    for commit in commits:
        yield commit


def _opened(backup: Path) -> tuple[dict[str, Tip] | None, Iterable[Commit]]:
    """Where a file of lines begins, none for a whole export, and its commits."""
    try:
        with backup.open("rb") as file:
            first = file.readline()
    except OSError as error:
        raise InputError(f"cannot read {backup}: {error.strerror}") from None
    if SINCE.encode() not in first:
        return None, read_exported_file(backup)
    try:
        begins = read_header(first, str(backup), SINCE).part().tips
    except ValueError as error:
        raise InputError(f"{backup} line 1: {error}") from None
    return begins, _read(backup)


def _read(backup: Path) -> Iterable[Commit]:
    with backup.open("rb") as file:
        next(file)
        yield from commits_since(file, str(backup))
