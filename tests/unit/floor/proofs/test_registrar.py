"""The house's log: every round's opening, closing and result, signed, and found to be one log for ever."""

from datetime import timedelta
from typing import Any

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor.proofs import registrar
from taisai.floor.proofs.log_tiles import follow_stream
from taisai.game.acts import Phase
from taisai.proof.entries import Closing, Opening, Result, Tips
from taisai.proof.merkle import consistency, extends, includes, inclusion, leaf_hash, root_of
from taisai.proof.notes import is_signed, read_checkpoint, read_note
from taisai.proof.tiles import TileReader
from tests.floor.houses import SmallHouse, bet, cluster, deal, seat, settle_down, start_round
from tests.floor.split import split_house
from tests.unit.floor.proofs.played import entries, played
from tests.unit.floor.proofs_house import LOG_KEY, ORIGIN


async def test_a_round_is_in_the_log_with_each_entry_naming_the_one_before() -> None:
    """Opening, closing and result, and the secret with the result."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    found = entries(house.log)
    opening = next(at for at, entry in enumerate(found) if isinstance(entry, Opening) and entry.number == 1)
    closing = next(at for at, entry in enumerate(found) if isinstance(entry, Closing) and entry.number == 1)
    result = next(entry for entry in found if isinstance(entry, Result) and entry.number == 1)
    closed = found[closing]
    assert isinstance(closed, Closing)
    assert closed.opening_index == opening
    assert (result.closing_index, result.attempt, result.previous_index) == (closing, 1, None)
    assert len(bytes.fromhex(result.secret)) == 32
    assert any(isinstance(entry, Tips) for entry in found)


async def test_the_checkpoint_is_signed_and_its_tiles_prove_every_entry() -> None:
    """What is served is what was signed."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    note = read_note(house.log.files["checkpoint"].decode())
    assert is_signed(note, LOG_KEY, verifies_raw)
    signed = read_checkpoint(note.text)
    assert signed.origin == ORIGIN
    assert signed.size == house.log.position().size
    reader = TileReader(signed.size, house.log.read)
    assert root_of(reader.node, signed.size) == signed.root
    for index in range(signed.size):
        proof = inclusion(reader.node, index, signed.size)
        assert includes(leaf_hash(reader.entry(index)), index, signed.size, proof, signed.root)


async def test_any_two_checkpoints_are_of_one_log() -> None:
    """A house that was closed and opened again goes on with the log that it had."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    first = read_checkpoint(read_note(house.log.last_signed()).text)
    await played(house)
    second = read_checkpoint(read_note(house.log.last_signed()).text)
    assert first.size < second.size
    proof = consistency(TileReader(house.log.position().size, house.log.read).node, first.size, second.size)
    assert extends(first.size, second.size, first.root, second.root, proof)


async def test_no_dice_are_shown_before_a_checkpoint_holds_the_closing() -> None:
    """The size of the checkpoint that held the closing is at most the index of the result."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        registrar = open_house.registrar
        assert registrar is not None
        one = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000})
        await house.pass_time(19)
        registrar._pause = timedelta(hours=1)  # nothing more is signed
        await house.pass_time(30)
        assert open_house.table("C1").state.rounds[1].phase is Phase.CLOSED
        registrar._pause = timedelta()
        await house.pass_time(30)
        assert open_house.table("C1").state.rounds[1].phase is Phase.CONCLUDED


async def test_what_happened_while_the_log_was_away_is_entered_at_the_next_start() -> None:
    """A table never waits for the log to have heard of it, and the log misses nothing."""
    house = SmallHouse(cluster(), proofs=True)
    keeping, house.log_keeping = house.log_keeping, None
    async with house.open() as open_house:
        await seat(open_house, "C1", "A", 100_000)
        await start_round(open_house, "C1")
        await house.pass_time(25)
    house.log_keeping = keeping
    async with house.open(dealing=False):
        pass
    assert [type(entry) for entry in entries(house.log)][:2] == [Opening, Closing]


async def test_an_older_copy_of_the_record_does_not_start() -> None:
    """Whoever kept a checkpoint would see that it is another log; a new name lets the house go on."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    signed = SmallHouse(cluster(automatic=True), proofs=True)
    await played(signed)
    house.log._signed = signed.log.last_signed()
    with pytest.raises(InputError, match="older copy"):
        async with house.open():
            pass


async def test_a_log_that_goes_to_another_process_misses_nothing_of_tables_in_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table plays a round to its end while the new registrar reads what it did before: all is logged."""
    small = SmallHouse(cluster(), proofs=True)
    async with split_house(small, ["office"], ["table:C1"], []) as (split, (_, table, third)):
        await split.kill("p1")
        await start_round(table, "C1")
        moved: list[Any] = []

        async def moving(*given: Any) -> None:
            if not moved:
                moved.append(await deal(table, "C1", Roll(1, 2, 3)))
                moved.append(await start_round(table, "C1"))
            await follow_stream(*given)

        monkeypatch.setattr(registrar, "follow_stream", moving)
        await third.take("office")
        await settle_down()
        found = [type(entry).__name__ for entry in entries(small.log)]
        assert found[:4] == ["Opening", "Closing", "Result", "Opening"]
        assert third.log_view.holds("C1", 1)
        assert table.log_view.holds("C1", 1)
