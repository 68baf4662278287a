"""The log's files follow its stream, and a record behind what was signed is found out."""

import pytest

from taisai.errors import InputError
from taisai.floor.proofs.log_files import LogPosition, MemoryLog
from taisai.floor.proofs.log_state import KeepCosignatures, RoundPlaces
from taisai.floor.proofs.log_tiles import checkpoints_after, follow_stream, no_rollback, places_of
from taisai.proof.entries import Entry, Tips
from taisai.proof.notes import read_checkpoint
from tests.floor.houses import SmallHouse, cluster
from tests.record import START
from tests.unit.floor.kept_evening import empty_store
from tests.unit.floor.proofs.played import (
    checkpoint,
    closing,
    cosigned,
    entries,
    log_of,
    opening,
    played,
    result,
)
from tests.unit.floor.proofs_house import ORIGIN
from tests.unit.house import SYSTEM

FIRST: list[Entry] = [opening(), closing(0)]
SECOND: list[Entry] = [Tips([("main", 3, "ab", "cd")]), result(1)]
BOTH = [*FIRST, *SECOND]


async def test_files_are_brought_to_the_end_of_the_stream_from_wherever_they_are() -> None:
    """What they had is left as it is; made again from nothing they are the same files."""
    store, files, again = empty_store(), MemoryLog(), MemoryLog()
    await log_of(store, FIRST)
    await follow_stream(store, files)
    assert entries(files) == FIRST
    await log_of(store, SECOND, checkpoint(*BOTH))
    await follow_stream(store, files)
    assert entries(files) == BOTH
    head = await store.head("log")
    assert head is not None
    assert files.position() == LogPosition(4, head.version)
    await follow_stream(store, again)
    assert (entries(again), again.position()) == (BOTH, files.position())


async def test_files_that_were_lost_are_made_again_from_the_record() -> None:
    """They hold nothing that the record does not."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    known = entries(house.log)
    house.log.files.clear()
    house.log._position = type(house.log.position())()
    async with house.open(dealing=False):
        pass
    assert entries(house.log)[: len(known)] == known


async def test_a_record_behind_or_beside_what_was_signed_is_an_older_copy() -> None:
    """One that goes on from it is not, nor is a house under another name."""
    store, files = empty_store(), MemoryLog()
    state = await log_of(store, FIRST)
    await follow_stream(store, files)
    no_rollback(state, files, ORIGIN)  # nothing was signed yet
    await files.publish(str(checkpoint(*FIRST)).encode())
    no_rollback(state, files, ORIGIN)
    for other in (BOTH, [closing(0), opening()]):
        await files.publish(str(checkpoint(*other)).encode())
        with pytest.raises(InputError, match=f"log of 2 entries is not the one .* at {len(other)}"):
            no_rollback(state, files, ORIGIN)
        no_rollback(state, files, "another.example/house")


async def test_checkpoints_are_found_from_a_size_on_with_their_witnesses() -> None:
    """In their order, and no more than asked for."""
    store, first, second = empty_store(), checkpoint(*FIRST), checkpoint(*BOTH)
    lines = [str(cosigned(second))]
    cosigning = KeepCosignatures(by=SYSTEM, at=START, size=4, lines=lines)
    await log_of(store, FIRST, first, SECOND, second, cosigning)

    async def sizes(size: int, limit: int = 9) -> list[tuple[int, int]]:
        found = await checkpoints_after(store, size, limit)
        return [(read_checkpoint(note.text).size, len(note.lines)) for note in found]

    assert await sizes(0) == [(2, 1), (4, 2)]
    assert await sizes(0, limit=1) == [(2, 1)]
    assert await sizes(2) == [(4, 2)]
    assert await sizes(4) == []


async def test_a_round_of_long_ago_is_found_in_the_whole_stream() -> None:
    """With its last result; one that never was is nowhere."""
    store = empty_store()
    await log_of(store, FIRST, SECOND, [opening(2, 12), result(1, version=20, attempt=2)])
    assert await places_of(store, "T1", 1) == RoundPlaces(0, 1, 5, 2, "05", "06")
    assert await places_of(store, "T1", 2) == RoundPlaces(4)
    assert await places_of(store, "T1", 3) is None
    assert await places_of(store, "T2", 1) is None
