"""Whoever kept one checkpoint finds a rollback, a fork and a truncation, with the public files alone."""

from copy import deepcopy

from taisai.adapters.clock import ManualClock
from taisai.adapters.signing.keys import verifies_raw
from taisai.floor.proofs.log_files import MemoryLog
from taisai.proof.merkle import consistency, extends
from taisai.proof.notes import LogCheckpoint, is_signed, read_checkpoint, read_note
from taisai.proof.tiles import TileReader
from tests.floor.houses import SmallHouse, cluster
from tests.floor.receipts import played_receipt
from tests.unit.floor.proofs_house import LOG_KEY, log_keeping


def shown(house: SmallHouse) -> LogCheckpoint:
    """The checkpoint that anybody gets, signed by the house."""
    note = read_note((house.log.read("checkpoint") or b"").decode())
    assert is_signed(note, LOG_KEY, verifies_raw)
    return read_checkpoint(note.text)


def still_holds(kept: LogCheckpoint, house: SmallHouse) -> bool:
    """Whether the log as it is shown now begins with the one that was kept, by its tiles."""
    now = shown(house)
    if now.size < kept.size:
        return False
    proof = consistency(TileReader(now.size, house.log.read).node, kept.size, now.size)
    return extends(kept.size, now.size, kept.root, now.root, proof)


async def played(house: SmallHouse, seconds: float) -> LogCheckpoint:
    async with house.open():
        await house.pass_time(seconds)
    return shown(house)


def copied(house: SmallHouse) -> SmallHouse:
    """An insider's copy: record and log, without the checkpoint that lies with the keys."""
    copy = SmallHouse(*house.plan.tables, proofs=True)
    copy.disk, copy.clock = deepcopy(house.disk), ManualClock(house.clock.now())
    copy.entropy.random_bytes(32)  # from here on its secrets are others
    copy.log = MemoryLog()
    copy.log_keeping = log_keeping(copy.log)
    return copy


async def a_house() -> SmallHouse:
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played_receipt(house)
    return house


async def test_an_honest_log_goes_on_from_whatever_was_kept() -> None:
    """At the same size and at larger ones, after a restart too."""
    house = await a_house()
    kept = shown(house)
    assert still_holds(kept, house)
    later = await played(house, 120)
    assert later.size > kept.size
    assert still_holds(kept, house)
    assert still_holds(later, house)


async def test_a_rollback_and_a_truncation_are_found_by_whoever_kept_a_checkpoint() -> None:
    """At once, since the log is shorter; and when it has grown again, since it is another."""
    house = await a_house()
    older = copied(house)
    kept = await played(house, 120)
    await played(older, 0)
    assert shown(older).size < kept.size
    assert not still_holds(kept, older)
    grown = await played(older, 400)
    assert grown.size > kept.size
    assert not still_holds(kept, older)


async def test_a_fork_that_is_shown_to_some_is_found_when_two_compare() -> None:
    """Each side's log is sound by itself, and neither goes on from what the other was shown."""
    one = await a_house()
    two = copied(one)
    common = shown(one)
    first, second = await played(one, 120), await played(two, 120)
    assert still_holds(common, one)
    assert still_holds(common, two)
    assert first.root != second.root
    assert not (still_holds(first, two) and first.size <= second.size)
    assert not (still_holds(second, one) and second.size <= first.size)
    await played(two, 200)
    assert shown(two).size > first.size
    assert not still_holds(first, two)
