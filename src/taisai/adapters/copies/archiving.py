"""Closed months leave the store: an archive is written, signed and verified, then bodies are let go."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, get_args

from taisai.adapters.copies.backup import whole_file
from taisai.adapters.people.signing_in import SigningIn
from taisai.adapters.signing.keys import PublicKeys
from taisai.errors import InputError
from taisai.floor.desks.kind import DeskKind
from taisai.floor.desks.resting import cut_before
from taisai.floor.streams import table_of
from taisai.game import events as ev
from taisai.game.people import Actor
from taisai.record.anchor import RecordArchived, batch_of
from taisai.record.cuts import Claims, Kept, claims_of
from taisai.record.journal import Commit, micros
from taisai.record.order import in_order
from taisai.record.parts import Part, header_of, part_lines, surveyed, until, up_to, verify_part
from taisai.record.ports import BodiesCut, RecordSnapshot, Signer, Store

_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_OPENING: Final = ev.BettingOpened.__name__
# What happened in rounds leaves; openings stay, so that each round is known with its rules.
LEAVING: Final = tuple(sorted({event.__name__ for event in get_args(ev.AnyEvent)} - {_OPENING}))


@dataclass(frozen=True)
class Archiving:
    """Who archives a month, why, and the folder for the file."""

    by: SigningIn
    second: SigningIn
    reason: str
    month: str
    folder: Path


def end_of(month: str, now: datetime) -> datetime:
    """The first moment (UTC) after a month, which must be over."""
    found = _MONTH.fullmatch(month)
    if found is None:
        raise InputError(f"expected a month such as 2026-10, got {month!r}")
    year, number = map(int, found.groups())
    end = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    if end > now:
        raise InputError(f"{month} is not over yet: only closed months are archived")
    return end


async def write_archive(
    store: Store,
    kinds: Iterable[DeskKind[Any]],
    asked: Archiving,
    people: tuple[Actor, Actor],
    *,
    signer: Signer,
    keys: PublicKeys,
    now: datetime,
) -> RecordArchived:
    """Archive all up to the end of a month that no archive has yet; returns the event that says so."""
    end = end_of(asked.month, now)
    path = asked.folder / f"archive-{asked.month}.jsonl"
    async with store.snapshot() as snapshot:
        part, lasts = await _survey(snapshot, end)
        already = await claims_of(snapshot)
    streams = await _cut_streams(store, kinds, lasts, already)
    async with store.snapshot() as snapshot:  # with the checkpoints that were just taken
        writers = {
            writer: (part.after.get(writer, 0), tip.number) for writer, tip in sorted(part.ends.items())
        }
        cut = BodiesCut(writers, streams, LEAVING)
        kept = Kept(cut)
        async for commit in in_order(snapshot):
            kept.feed(commit)
        digest = await _write(snapshot, part, path, signer, keys, end, now)
    event = RecordArchived(
        at=now,
        by=people[0].name,
        second=people[1].name,
        reason=asked.reason,
        name=path.name,
        digest=digest,
        until=end,
        writers=writers,
        streams=streams,
        types=LEAVING,
        kept=kept.kept(),
        balances=kept.balances(),
    )
    # Whatever happens here, the file stays: bodies may have left though nobody was told.
    await store.archive(await batch_of(store, event), cut)
    return event


async def _survey(snapshot: RecordSnapshot, end: datetime) -> tuple[Part, dict[str, int]]:
    """What the archive will hold, and where each table's stream stood at its end."""
    lasts: dict[str, int] = {}

    def note(commit: Commit) -> None:
        lasts.update({span.stream: span.last for span in commit.spans if table_of(span.stream)})

    archived = (await claims_of(snapshot)).archived
    after = {writer: last for claim in archived for writer, (_, last) in claim.writers.items()}
    part = await surveyed(snapshot, up_to(after), until(micros(end)), note)
    if part.after == {writer: tip.number for writer, tip in part.ends.items()}:
        raise InputError(f"nothing up to {end.isoformat()} is left to archive")
    return part, lasts


async def _cut_streams(
    store: Store, kinds: Iterable[DeskKind[Any]], lasts: dict[str, int], already: Claims
) -> dict[str, tuple[int, int]]:
    """By table, which events leave: those that no desk will read again."""
    before = {stream: last for claim in already.archived for stream, (_, last) in claim.streams.items()}
    streams = {}
    for kind in kinds:
        if kind.stream in lasts:
            after = before.get(kind.stream, 0)
            last = await cut_before(kind, store, lasts[kind.stream], lambda name: name == _OPENING)
            if last > after:
                streams[kind.stream] = (after, last)
    return streams


async def _write(
    snapshot: RecordSnapshot,
    part: Part,
    path: Path,
    signer: Signer,
    keys: PublicKeys,
    end: datetime,
    now: datetime,
) -> str:
    """Write and verify the file; the SHA-256 of its bytes."""
    since = max((tip.at for tip in part.tips.values()), default=None)
    header = header_of(part, at=micros(now), since=since, until=micros(end), keys=keys.raw)
    sha = sha256()
    with whole_file(path) as unfinished:
        with unfinished.open("wb") as file:
            async for line in part_lines(snapshot, part, header, signer):
                sha.update(line)
                file.write(line)
        with unfinished.open("rb") as file:
            verify_part(file, keys, where=path.name)
    return sha.hexdigest()
