"""Evidence of the gaming day by subject: counted for all who were in a round, and taken out again."""

import pytest

from taisai.dice import Roll
from taisai.floor.pit import hold_watch
from taisai.floor.pit.hold_watch import FALSE_FLAGS, HoldWatch, HouseHold, Subject, percent_band
from taisai.floor.pit.watch import counted_stakes
from taisai.game.state import RoundState
from taisai.odds.evidence.hold import HoldEvidence, HoldPrices
from taisai.rulebooks.catalogue import pay_table
from tests.unit.floor.pit.test_watch import Table
from tests.unit.house import minutes

TABLE, DORA = Subject("table", "T1"), Subject("dealer", "dora")
ANN, BOB = Subject("player", "ann", "T1"), Subject("player", "bob", "T1")


def settled(*slips: dict[str, int]) -> list[RoundState]:
    """A round for each of Ann's slips, with Bob's hundred on small in the first."""
    table = Table()
    for number, slip in enumerate(slips):
        table.start()
        table.bet("ann", slip)
        if number == 0:
            table.bet("bob", {"small": 100})
        table.finish(Roll(1, 2, 3))
    return [table.state.rounds[number] for number in range(1, len(slips) + 1)]


def watched(rounds: list[RoundState], *, dealer: str | None = "dora") -> HoldWatch:
    watch = HoldWatch("T1", lambda opened: dealer)
    for state in rounds:
        watch.opened[state.number] = minutes(state.number)
        watch.count(state, counted_stakes(state))
    return watch


def test_a_round_is_counted_for_its_table_its_dealer_and_its_players() -> None:
    """Ann lost a hundred, Bob won as much: the table and the dealer are even on two hundred."""
    watch = watched(settled({"big": 100}))
    figures = {
        name: (found.rounds, found.handle_minor, found.win_minor) for name, found in watch.evidence.items()
    }
    assert figures == {TABLE: (1, 200, 0), DORA: (1, 200, 0), ANN: (1, 100, 100), BOB: (1, 100, -100)}


def test_a_round_without_bets_or_dealer_counts_for_nobody_who_is_not_there() -> None:
    """Nothing at all for an empty round; no dealer where none is known or the opening was not seen."""
    (state,) = settled({"big": 100})
    empty = HoldWatch("T1")
    empty.count(state, {"ann": {}})
    assert (empty.evidence, empty.of_table().rounds) == ({}, 0)
    assert DORA not in watched([state], dealer=None).evidence
    unseen = HoldWatch("T1", lambda opened: "dora")
    unseen.count(state, counted_stakes(state))
    assert set(unseen.evidence) == {TABLE, ANN, BOB}


def test_a_round_taken_out_leaves_no_trace() -> None:
    """Whoever was in no other round is gone; forgetting it again, or one that never was, does nothing."""
    rounds = settled({"big": 100}, {"big": 50})
    watch = watched(rounds)
    for number in (1, 1, 9):
        watch.forget(number)
    alone = watched(rounds[1:])
    assert set(watch.evidence) == set(alone.evidence) == {TABLE, DORA, ANN}
    assert (watch.of_table().handle_minor, watch.of_table().win_minor) == (50, 50)


def test_a_round_that_was_let_go_stays_counted() -> None:
    """Nothing can take it out any more; only a new day begins from nothing."""
    watch = watched(settled({"big": 100}))
    watch.let_go(1)
    watch.forget(1)
    assert watch.of_table().rounds == 1
    watch.reset()
    assert watch.evidence == {}


def test_the_more_are_judged_the_more_it_takes_to_be_flagged() -> None:
    """A dealer at two tables is one subject; a single lost round flags nobody."""
    assert HouseHold([]).threshold == 1 / FALSE_FLAGS
    rounds = settled({"big": 100})
    first, second = watched(rounds), HoldWatch("T2", lambda opened: "dora")
    second.opened[1] = minutes(1)
    second.count(rounds[0], counted_stakes(rounds[0]))
    house = HouseHold([first, second])
    assert len(house.evidence) == 7
    assert house.threshold == 7 / FALSE_FLAGS
    assert (house.evidence[DORA].rounds, house.evidence[TABLE].rounds) == (2, 1)
    assert (house.flags(first), house.is_flagged(DORA)) == ([], False)
    assert first.evidence[DORA].rounds == 1


def test_how_rounds_were_counted_is_kept_for_the_last_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day of a thousand terminals held 200 bytes for each slip; the evidence itself loses nothing."""
    monkeypatch.setattr(hold_watch, "ENTRIES_KEPT", 7)
    rounds = settled(*[{"big": 100}] * 6)
    watch = watched(rounds)
    assert (len(watch._counted), watch.of_table().rounds) == (2, 6)
    for state in (rounds[0], rounds[-1]):  # settled again: one that was let go stays as it was
        watch.forget(state.number)
        watch.count(state, counted_stakes(state))
    assert (len(watch._counted), watch.of_table().rounds, watch.evidence[ANN].rounds) == (2, 6, 6)


def test_a_band_beyond_the_whole_handle_is_not_shown() -> None:
    """Three bets on triples could still lose many times what was staked: no band; many even ones have one."""
    few, many = HoldEvidence(), HoldEvidence()
    prices = HoldPrices(pay_table("tai-sai-v6/1"))
    for _ in range(3):
        few.add(prices.of({"triple-1": 100, "big": 100}), 0)
    for _ in range(500):
        many.add(prices.of({"big": 100}), 0)
    assert percent_band(few, 20) is None
    assert percent_band(HoldEvidence(), 20) is None
    band = percent_band(many, 20)
    assert band is not None
    assert -100 <= band[0] < 100 * (1 - 2 * 105 / 216) < band[1] <= 100
