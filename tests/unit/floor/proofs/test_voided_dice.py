"""What voids did away with: dice that were determined, and what they would have paid."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import StoreUnavailable
from taisai.floor.house import House
from taisai.floor.proofs.voided_dice import VoidedDice, voided_dice
from taisai.floor.views.rolls import recorded_rolls
from taisai.game.acts import Phase
from taisai.game.settlement import settle_round
from taisai.proof.checking import check_receipt
from taisai.record.ports import Store
from tests.floor.houses import SIGNER, START, SmallHouse, bet, cluster, seat, void
from tests.unit.command import run
from tests.unit.floor.proofs_house import LOG_KEY
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

NOW = int(START.timestamp()) + 600
SLIP = {"big": 500, "small": 1_000}


class Kept(SmallHouse):
    """A house whose record is a file, so that a command can read it."""

    def __init__(self, path: Path) -> None:
        super().__init__(cluster(automatic=True), proofs=True)
        self.path = path

    async def store(self) -> Store:
        return await SqliteStore.open(self.path, writer="house", signer=SIGNER, clock=self.clock)


async def play(small: SmallHouse, house: House, *, voids: bool) -> None:
    """Two rounds: the first is made void after its closing, if so wished, and the second goes on."""
    session = await seat(house, "C1", "A", 100_000)
    await bet(house, "C1", session, SLIP)
    await small.pass_time(20.5)
    if voids:
        await void(house)
    await small.pass_time(60)


@pytest.mark.parametrize("shared", [False, True])
async def test_a_void_tells_its_dice_and_what_they_would_have_paid(*, shared: bool) -> None:
    """As the table had drawn them, with the share of a second party where there is one."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    assert small.log_keeping is not None
    if shared:

        async def share(table: str, number: int, text: bytes) -> bytes:
            return WITNESS.sign(text)

        small.log_keeping = replace(small.log_keeping, ask_share=share)
    async with small.open() as house:
        session = await seat(house, "C1", "A", 100_000)
        await bet(house, "C1", session, SLIP)
        await small.pass_time(20.5)
        current = house.table("C1").state.rounds[1]
        roll = current.notary.dice(current)
        unpaid = sum(result.returned for result in settle_round(current, roll))
        await void(house)
        await small.pass_time(60)
        found = await voided_dice(house.store)
        assert found == [VoidedDice("C1", 1, roll, 1_500, unpaid)]
        assert found[0].saved == unpaid - 1_500
        assert await voided_dice(house.store, "C2") == []
        assert len(await recorded_rolls(house.store)) > 0


async def test_a_round_without_a_void_or_one_before_the_closing_says_nothing() -> None:
    """Before the closing there were no dice yet."""
    small = SmallHouse(cluster(automatic=True), proofs=True)
    async with small.open() as house:
        await play(small, house, voids=False)
        assert await voided_dice(house.store) == []
        await small.pass_time(5)
        assert house.table("C1").state.current.phase is Phase.BETTING
        await void(house)
        assert await voided_dice(house.store) == []


async def test_the_command_sums_what_voids_saved(tmp_path: Path) -> None:
    """`taisai fairness` over a record with committed dice: the rolls are tested, and the voids are told."""
    small = Kept(tmp_path / "house.db")
    async with small.open() as house:
        await play(small, house, voids=True)
        for _ in range(500):  # a file answers in its own time
            await small.pass_time(5)
            if await recorded_rolls(house.store):
                break
        (found,) = await voided_dice(house.store)
    done = await asyncio.to_thread(lambda: run("fairness", str(small.path)))
    assert done.exit_code == 0, done.stderr
    assert "1 round was made void after the dice were determined" in " ".join(done.stdout.split())
    said = await asyncio.to_thread(lambda: run("fairness", str(small.path), "--format", "json"))
    told = json.loads(said.stdout)
    assert told["voids"] == {"rounds": 1, "staked": 1_500, "unpaid": found.unpaid, "saved": found.saved}


async def test_a_round_that_waits_for_a_witness_can_be_made_void() -> None:
    """Nobody signs, so no dice come; the void publishes the secret, and its receipt says what was proved."""
    small, away = SmallHouse(cluster(automatic=True), proofs=True), [True]
    assert small.log_keeping is not None

    async def share(table: str, number: int, text: bytes) -> bytes:
        if away[0]:
            raise StoreUnavailable("the witness is away")
        return WITNESS.sign(text)

    small.log_keeping = replace(small.log_keeping, ask_share=share)
    async with small.open() as house:
        session = await seat(house, "C1", "A", 100_000)
        await bet(house, "C1", session, SLIP)
        await small.pass_time(120)
        state = house.table("C1").state
        assert (state.number, state.current.phase, state.draw) == (1, Phase.CLOSED, None)
        await void(house)
        away[0] = False
        await small.pass_time(10)
        assert house.table("C1").state.number > 1
        await bet(house, "C1", session, SLIP)
        number = house.table("C1").state.number
        await small.pass_time(60)
        assert house.receipts is not None
        table = house.table("C1").state
        first = await house.receipts.receipt(table, 1, session)
        later = await house.receipts.receipt(table, number, session)
        assert await voided_dice(house.store) == [], "without the share there were no dice"
    said = {}
    for raw in (first, later):
        verdict = check_receipt(raw, LOG_KEY, verifies_raw, now=NOW, witnesses=[WITNESS_KEY])
        assert verdict.code == 0, verdict.sentences()
        said[raw] = [saying.id for saying in verdict.said]
    assert "void" in said[first]
    assert "chosen_by_nobody" in said[later]
