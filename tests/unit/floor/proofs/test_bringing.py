"""What a table reads from the journal before it decides."""

import pytest

from taisai.errors import InvariantBroken
from taisai.floor.proofs.bringing import bring, bring_notary
from taisai.floor.table.messages import BuyIn, InRound, StartRound
from taisai.floor.table.notary import RoundNotary
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.round import shipped_rules
from tests.floor.houses import DEALER, START, SUPERVISOR, SmallHouse, live, start_round
from tests.unit.floor.kept_evening import empty_store, kept_evening
from tests.unit.floor.proofs_house import notarising


def in_round(command: cmd.AnyCommand, number: int | None = None) -> InRound:
    return InRound(by=DEALER, at=START, command=command, round=number)


def bet() -> cmd.PlaceBets:
    return cmd.PlaceBets(by=DEALER, at=START, player="ann", slip={"big": 50}, version=1)


def damaged(*rounds: int) -> InRound:
    report = cmd.ReportDamagedDice(
        by=DEALER, at=START, second=SUPERVISOR, reason="a chipped edge", rounds=list(rounds)
    )
    return in_round(report)


def test_a_bet_and_what_is_about_no_round_wait_for_nothing() -> None:
    """Betting is what must be quick."""
    store, state = empty_store(), TableState("T1", notarising=notarising())
    for command in (
        in_round(bet()),
        in_round(bet(), state.number),
        BuyIn(by=DEALER, at=START, player="ann", amount=5),
        StartRound(by=DEALER, at=START),
    ):
        assert bring(store, state, command, shipped_rules) is None
    without = TableState("T1")
    assert bring(store, without, in_round(cmd.CloseBetting(by=DEALER, at=START)), shipped_rules) is None


async def test_earlier_rounds_that_a_command_speaks_of_are_brought_as_they_stand() -> None:
    """And no others."""
    store, state = await kept_evening(), TableState("T1", number=3)
    waiting = bring(store, state, damaged(1, 2), shipped_rules)
    assert waiting is not None
    await waiting
    assert sorted(state.rounds) == [1, 2]
    assert state.rounds[1].slips["dan"].slip() == {"small": 500}
    assert state.rounds[1].notary is None


async def test_a_round_gets_who_makes_its_proofs_from_the_digest_of_its_opening() -> None:
    """Once: the same salts as before a restart, and whoever is there already stays."""
    small = SmallHouse(live(), proofs=True)
    salts = []
    for again in (False, True):
        async with small.open(dealing=False) as house:
            if not again:
                await start_round(house, "T1")
            state: TableState = house.table("T1").state
            await bring_notary(house.store, state, 1)
            notary = state.rounds[1].notary
            assert isinstance(notary, RoundNotary)
            salts.append(notary.salt(0, 0))
            await bring_notary(house.store, state, 1)
            assert state.rounds[1].notary is notary
            await bring_notary(house.store, state, 2)
            state.openings.clear()
            state.rounds[1].notary = None
            await bring_notary(house.store, state, 1)
            found = state.rounds[1].notary
            assert isinstance(found, RoundNotary)
            salts.append(found.salt(0, 0))
    assert len(set(salts)) == 1


async def test_an_opening_that_is_not_where_it_should_be_is_a_fault_of_ours() -> None:
    """No proof is made with the digest of another event."""
    async with SmallHouse(live(), proofs=True).open(dealing=False) as house:
        await start_round(house, "T1")
        state: TableState = house.table("T1").state
        right = state.openings[1]
        for wrong in (right - 1, right + 1, right + 50):
            state.openings[1], state.rounds[1].notary = wrong, None
            with pytest.raises(InvariantBroken, match=f"T1/1 does not begin at version {wrong}"):
                await bring_notary(house.store, state, 1)
