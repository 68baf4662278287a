"""Receipts after a restore: the log goes on under another name, and what was signed before stays."""

from base64 import b64decode
from dataclasses import replace

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.floor.proofs.bringing import notary_to_read
from taisai.floor.proofs.log_files import MemoryLog
from taisai.floor.proofs.proven_rounds import NoReceiptYet
from taisai.floor.proofs.receipts import receipt_address
from taisai.floor.views.round_reading import load_round
from taisai.game.acts import Phase
from taisai.proof.checking import check_receipt
from taisai.proof.notes import note_key
from taisai.proof.receipt import read_receipt
from taisai.rulebooks.catalogue import pay_table_of_digest
from tests.floor.houses import START, SmallHouse, bet, cluster, seat, void
from tests.floor.receipts import played_receipt
from tests.unit.floor.proofs_house import LOG_KEY, LOG_SIGNER, ORIGIN, log_keeping, notarising

RESTORED = f"{ORIGIN}/restored-1"
NEW_KEY = note_key(RESTORED, LOG_SIGNER.public)
NOW = int(START.timestamp()) + 600


def under_another_name(house: SmallHouse) -> None:
    """As a declared restore leaves it: another name, and files of the log's own under it."""
    house.notarising = replace(notarising(), origin=RESTORED, former=(ORIGIN,))
    house.log_keeping = replace(log_keeping(MemoryLog()), key=NEW_KEY)


async def test_a_round_of_before_is_proved_under_the_name_of_before() -> None:
    """With the old key everything fits as ever; with the new one it is another house's."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played_receipt(house)
    under_another_name(house)
    async with house.open(dealing=False) as again:
        await void(again)
        again.begin_dealing()
        await house.pass_time(5)
        session = await seat(again, "C1", "Z", 100_000)
        number = again.table("C1").state.number
        assert number > 2
        await bet(again, "C1", session, {"big": 500})
        await house.pass_time(60)
        made, state = again.receipts, again.table("C1").state
        assert made is not None
        old, new = await made.receipt(state, 1, "A.1"), await made.receipt(state, number, session)
        assert old == await made.receipt(state, 1, "A.1")
    for raw, key, other in ((old, LOG_KEY, NEW_KEY), (new, NEW_KEY, LOG_KEY)):
        fits = check_receipt(raw, key, verifies_raw, now=NOW, find_pay_table=pay_table_of_digest)
        assert fits.code == 0, fits.sentences()
        strange = check_receipt(raw, other, verifies_raw, now=NOW)
        assert (strange.code, [said.id for said in strange.said]) == (1, ["origin"])


async def test_a_round_that_a_restore_made_void_has_no_receipt_and_says_why() -> None:
    """It was closed under one name and ended under another: nobody is told that it was proved."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        session = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", session, {"big": 500})
        await house.pass_time(20.5)
    under_another_name(house)
    async with house.open(dealing=False) as again:
        await void(again)
        await house.pass_time(5)
        assert again.receipts is not None
        with pytest.raises(NoReceiptYet, match=f"began under the name {ORIGIN} and ended under {RESTORED}"):
            await again.receipts.receipt(again.table("C1").state, 1, session)


async def test_dice_whose_secret_is_of_another_name_are_never_shown() -> None:
    """Dice of no secret could be told by anybody: the round waits for people to make it void."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        session = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", session, {"big": 500})
        await house.pass_time(5)
    under_another_name(house)
    async with house.open() as again:
        await house.pass_time(60)
        played = again.table("C1").state.rounds[1]
        assert (played.phase, played.roll) == (Phase.CLOSED, None)
        await void(again)
        assert played.phase is Phase.VOID


@pytest.mark.parametrize("asked_before", [False, True])
async def test_the_links_of_rounds_before_a_restore_lead_to_their_receipts(*, asked_before: bool) -> None:
    """As a page that is loaded afterwards shows them, and one that was told before; so after a restart."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    before = await played_receipt(house)
    salt = read_receipt(before).slip.salt
    under_another_name(house)
    for _ in range(2):
        async with house.open(dealing=False) as again:
            assert again.receipts is not None
            if asked_before:
                await again.receipts.receipt(again.table("C1").state, 1, "A.1")
            played = await load_round(again.store, "C1", 1)
            for state in (played, again.table("C1").state.rounds.get(1, played)):
                notary = await notary_to_read(again.store, house.notarising, state)
                address = receipt_address(state, "A.1", notary)
                assert address == f"/receipts/C1/1/0/{b64decode(salt).hex()}"
            raw = await again.receipts.by_salt("C1", 1, 0, address.rpartition("/")[2])
            assert check_receipt(raw, LOG_KEY, verifies_raw, now=NOW).code == 0
