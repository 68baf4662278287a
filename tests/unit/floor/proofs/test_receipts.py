"""A receipt is made from what the house has, and proves the bet to whoever has nothing but its key."""

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.floor.proofs.proven_rounds import NoReceiptYet
from taisai.proof.checking import Verdict, check_receipt
from taisai.proof.notes import read_checkpoint, read_note
from taisai.proof.receipt import read_receipt
from taisai.rulebooks.catalogue import pay_table_of_digest
from tests.floor.houses import START, SmallHouse, bet, cluster, seat
from tests.floor.receipts import played_receipt, receipt_at_once
from tests.floor.test_mutations import cosigned
from tests.unit.floor.proofs_house import LOG_KEY
from tests.unit.proof.test_notes import WITNESS_KEY


def checked(raw: bytes) -> Verdict:
    now = int(START.timestamp()) + 60
    return check_receipt(raw, LOG_KEY, verifies_raw, now=now, find_pay_table=pay_table_of_digest)


async def test_a_receipt_proves_the_bet_in_sentences() -> None:
    """The slip, the order, the dice and the payment, each with what it rests on."""
    raw = await played_receipt()
    verdict = checked(raw)
    assert verdict.code == 0, verdict.sentences()
    said = " ".join(verdict.sentences())
    assert "Slip 1 of 3 in round 1 of C1, A.1: big 500, small 1000." in said
    assert "That the closing came before the dice is the house's word." in said
    assert "follows from the committed secret and all bets" in said
    assert "The payment is what the pay table says." in said
    assert len(raw) < 12_000


async def test_a_receipt_is_made_again_after_a_restart() -> None:
    """From the record alone, with the same proofs of the same bets."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    before = read_receipt(await played_receipt(house))
    async with house.open(dealing=False) as again:
        made = again.receipts
        assert made is not None
        raw = await made.receipt(again.table("C1").state, 1, "A.1")
    assert checked(raw).code == 0
    after = read_receipt(raw)
    assert (after.slip, after.result.body, after.closing.entry) == (
        before.slip,
        before.result.body,
        before.closing.entry,
    )


async def test_there_is_no_receipt_for_a_round_without_a_result_nor_for_a_stranger() -> None:
    """What cannot be proved yet is said to be so."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        session = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", session, {"big": 500})
        made = open_house.receipts
        assert made is not None
        state = open_house.table("C1").state
        with pytest.raises(NoReceiptYet, match="no result"):
            await made.receipt(state, 1, session)
        await house.pass_time(45)
        with pytest.raises(NoReceiptYet, match="no slip"):
            await made.receipt(state, 1, "Z.1")
        with pytest.raises(NoReceiptYet, match="no result"):
            await made.receipt(state, 99, session)


async def test_a_stranger_who_asks_after_a_restart_does_not_touch_dice_that_are_still_to_come() -> None:
    """Between closing and dice: trees are made again for whoever asks, and the secret stays where it was."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        session = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", session, {"big": 500})
        await house.pass_time(20.5)
    async with house.open() as again:
        made, state = again.receipts, again.table("C1").state
        assert made is not None
        assert state.rounds[1].roll is None
        with pytest.raises(NoReceiptYet, match="not the key"):
            await made.by_salt("C1", 1, 0, "00" * 16)
        await house.pass_time(30)
        assert state.rounds[1].secret
        verdict = checked(await made.receipt(state, 1, session))
    assert verdict.code == 0, verdict.sentences()


async def test_a_round_that_was_signed_as_a_whole_has_a_receipt_that_claims_less() -> None:
    """A live table waits for no checkpoint: what came first is the house's word, whoever signed."""
    raw = cosigned(await receipt_at_once())
    receipt = read_receipt(raw)
    assert read_checkpoint(read_note(receipt.before).text).size > receipt.result.index
    now = int(START.timestamp()) + 120
    verdict = check_receipt(raw, LOG_KEY, verifies_raw, now=now, witnesses=[WITNESS_KEY])
    assert verdict.code == 0, verdict.sentences()
    said = [saying.id for saying in verdict.said]
    assert "unseen" in said
    assert "seen" not in said
