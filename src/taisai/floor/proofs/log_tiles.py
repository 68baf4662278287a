"""The log's files follow its stream: what the record holds and the files do not is written again."""

from typing import Any

import msgspec

from taisai.errors import InputError
from taisai.floor.desks.kind import OwnerEvent
from taisai.floor.proofs.log_files import LogFiles, LogPosition
from taisai.floor.proofs.log_state import (
    AnyLogEvent,
    CheckpointCosigned,
    CheckpointSigned,
    LogEntered,
    LogState,
    RoundPlaces,
    read_lines,
)
from taisai.floor.streams import LOG
from taisai.proof.entries import Closing, Opening, Result, Tips, read_entry
from taisai.proof.merkle import root_of
from taisai.proof.notes import SignedNote, read_checkpoint, read_note, with_lines
from taisai.proof.tiles import TileReader, grown
from taisai.record.ports import Store

_decode = msgspec.json.Decoder(AnyLogEvent | OwnerEvent).decode
# Entries that are written at once when the files are made again.
_AT_ONCE = 4_096


async def follow_stream(store: Store, files: LogFiles) -> None:
    """Write the tiles of all entries that the files do not have yet."""
    position = files.position()
    waiting: list[bytes] = []
    version = position.version
    async for stored in store.events(LOG, after=position.version):
        event = _decode(stored.body)
        if isinstance(event, LogEntered):
            waiting += [entry.encode() for entry in event.entries]
        version = stored.version
        if len(waiting) >= _AT_ONCE:
            position = await _write(files, position, waiting, version)
            waiting = []
    if version != position.version:
        await _write(files, position, waiting, version)


async def _write(files: LogFiles, before: LogPosition, entries: list[bytes], version: int) -> LogPosition:
    after = LogPosition(before.size + len(entries), version)
    await files.write(list(grown(before.size, entries, files.read)), after)
    return after


def no_rollback(state: LogState, files: LogFiles, origin: str) -> None:
    """A record behind what was signed is an older copy: whoever kept a checkpoint would see a fork."""
    last = files.last_signed()
    if not last:
        return
    kept = read_checkpoint(read_note(last).text)
    if kept.origin != origin:
        return  # the house goes on under another name
    signed = state.checkpoints.get(kept.size)
    behind = state.edge.size < kept.size or files.position().size > state.edge.size
    other = signed is not None and read_checkpoint(signed.text).root != kept.root
    if not behind and signed is None:
        other = root_of(TileReader(files.position().size, files.read).node, kept.size) != kept.root
    if behind or other:
        raise InputError(
            f"the record's log of {state.edge.size} entries is not the one that was signed at {kept.size}:"
            " it is an older copy; to go on with it, give the house a new proof.origin and void open rounds"
        )


async def checkpoints_after(store: Store, size: int, limit: int) -> list[SignedNote]:
    """The checkpoints that were signed from a size on, with their witnesses, read from the stream."""
    found: dict[int, SignedNote] = {}
    async for stored in store.events(LOG):
        event: Any = _decode(stored.body)
        if isinstance(event, CheckpointSigned):
            note = read_note(event.note)
            at = read_checkpoint(note.text).size
            if at > size and len(found) < limit:
                found[at] = note
        elif isinstance(event, CheckpointCosigned) and event.size in found:
            found[event.size] = with_lines(found[event.size], read_lines(event.lines))
    return list(found.values())


async def last_under(store: Store, origin: str) -> SignedNote | None:
    """The last checkpoint of a log under a name that it had before a restore."""
    found: SignedNote | None = None
    async for stored in store.events(LOG):
        event: Any = _decode(stored.body)
        if isinstance(event, CheckpointSigned):
            note = read_note(event.note)
            found = note if read_checkpoint(note.text).origin == origin else found
        elif (
            isinstance(event, CheckpointCosigned) and found and read_checkpoint(found.text).size == event.size
        ):
            found = with_lines(found, read_lines(event.lines))
    return found


async def places_of(store: Store, table: str, number: int) -> RoundPlaces | None:
    """Where a round of long ago is in the log, read from its whole stream."""
    found: RoundPlaces | None = None
    index = 0
    async for stored in store.events(LOG):
        event: Any = _decode(stored.body)
        for text in event.entries if isinstance(event, LogEntered) else ():
            entry = read_entry(text.encode())
            if not isinstance(entry, Tips) and (entry.table, entry.number) == (table, number):
                found = _placed(found, entry, index)
            index += 1
    return found


def _placed(places: RoundPlaces | None, entry: Opening | Closing | Result, index: int) -> RoundPlaces:
    places = places or RoundPlaces(index)
    if isinstance(entry, Closing):
        places.closing = index
    elif isinstance(entry, Result):
        places.result, places.attempt = index, entry.attempt
        places.secret, places.share = entry.secret, entry.share
    return places
