"""Settlement: what a bet brings, exactly, on the plain path and by columns."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.errors import InputError, UnknownName
from taisai.game.bulk import settle_columns
from taisai.game.evolve import replace_slip
from taisai.game.round import shipped_rules
from taisai.game.settlement import result_of, settle_round
from taisai.game.state import RoundState
from taisai.money import winnings
from taisai.odds.exact import box_odds
from taisai.rulebooks.kinds import WINS_ON_TRIPLES, Kind
from taisai.rulebooks.model import PayTable

TABLES = [table for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables]
ROLLS = [taisai.Roll(*dice) for dice in product(range(1, 7), repeat=3)]

tables = st.sampled_from(TABLES)
rolls = st.sampled_from(ROLLS)


@st.composite
def tables_with_bets(draw: st.DrawFn) -> tuple[PayTable, dict[str, int]]:
    """A pay table and payable stakes on some of its boxes."""
    table = draw(tables)
    box_ids = st.sampled_from([box.id for box in table.boxes])
    stakes = st.integers(1, 10**12).map(lambda units: units * table.unit)
    return table, draw(st.dictionaries(box_ids, stakes, max_size=12))


# --- money -------------------------------------------------------------------------------------------


@given(tables_with_bets(), rolls)
def test_settlement_conserves_money(case: tuple[PayTable, dict[str, int]], roll: taisai.Roll) -> None:
    """What the players leave with and what the house keeps is what was staked, for each bet and in all."""
    table, bets = case
    awards = taisai.settle(table, roll, bets)
    kept_by_house = 0
    for box, award in awards.items():
        assert award.stake == bets[box]
        if award.won:
            assert award.pays_to_one is not None
            assert award.returned == award.stake + award.stake * award.pays_to_one
            kept_by_house -= award.returned - award.stake
        else:
            assert (award.pays_to_one, award.returned) == (None, 0)
            kept_by_house += award.stake
    assert sum(award.returned for award in awards.values()) + kept_by_house == sum(bets.values())


@given(tables_with_bets())
def test_over_all_rolls_the_house_keeps_exactly_the_edge(case: tuple[PayTable, dict[str, int]]) -> None:
    """Settling on each of the 216 rolls once brings back the return of each box, to the minor unit."""
    table, bets = case
    brought: dict[str, int] = dict.fromkeys(bets, 0)
    for roll in ROLLS:
        for box, award in taisai.settle(table, roll, bets).items():
            brought[box] += award.returned
    assert brought == {box: 216 * stake * box_odds(table.box(box)).returns for box, stake in bets.items()}


@given(tables_with_bets(), rolls, st.integers(2, 9))
def test_a_stake_placed_in_parts_brings_the_same(
    case: tuple[PayTable, dict[str, int]], roll: taisai.Roll, times: int
) -> None:
    """Nothing is gained or lost by splitting a bet: there is no rounding to win by."""
    table, bets = case
    parts = taisai.settle(table, roll, bets)
    whole = taisai.settle(table, roll, {box: times * stake for box, stake in bets.items()})
    assert {box: award.returned for box, award in whole.items()} == {
        box: times * award.returned for box, award in parts.items()
    }


def test_a_winner_gets_stake_and_odds_and_a_loser_nothing() -> None:
    """1-1-3 on the 104 boxes: the pair pays 50 to 1, big loses to small."""
    table = taisai.pay_table("tai-sai-v6/2")
    awards = taisai.settle(table, taisai.Roll(1, 1, 3), {"big": 100, "pair-113": 50, "single-1": 10})
    assert awards == {
        "big": taisai.Award(100, False, None, 0),
        "pair-113": taisai.Award(50, True, Fraction(50), 2550),
        "single-1": taisai.Award(10, True, Fraction(2), 30),
    }
    assert list(awards) == ["big", "pair-113", "single-1"]


# --- triples and the order of the dice ----------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.id)
def test_a_triple_wins_exactly_the_kinds_of_clause_3_10(table: PayTable) -> None:
    """Straight triple, any triple, double, single and the totals 6, 9, 12 and 15; everything else loses."""
    for face in range(1, 7):
        expected = {f"triple-{face}", "any-triple", f"double-{face}", f"single-{face}"}
        if face in (2, 3, 4, 5):
            expected.add(f"sum-{3 * face}")
        won = set(table.winning_boxes(taisai.Roll(face, face, face)))
        assert won == expected & {box.id for box in table.boxes}
        assert {table.box(box).kind for box in won} <= set(WINS_ON_TRIPLES)


@pytest.mark.parametrize(
    ("rulebook", "clause"), [("tai-sai-v4", "3.10"), ("tai-sai-v6", "3.10"), ("sic-bo-etg-v8", "3.9")]
)
def test_the_clause_on_triples_names_the_kinds_that_win(rulebook: str, clause: str) -> None:
    """What the rule file cites for triples and what the boxes do is one and the same."""
    book = taisai.rulebook(rulebook)
    assert book.cite("triple") == clause
    assert set(book.triple_wins) == set(WINS_ON_TRIPLES)
    assert sorted(book.triple_wins.values()) == [f"{clause}.{number}" for number in range(1, 6)]


def test_the_kinds_that_can_win_on_a_triple_are_found_on_the_boxes() -> None:
    """The list that files are checked against follows from the rolls."""
    winners = {
        box.kind
        for table in TABLES
        for box in table.boxes
        for face in range(1, 7)
        if box.pays_on(taisai.Roll(face, face, face))
    }
    assert winners == set(WINS_ON_TRIPLES)
    assert set(Kind) - winners == {
        Kind.SMALL,
        Kind.BIG,
        Kind.ODD,
        Kind.EVEN,
        Kind.DOMINO,
        Kind.FOUR,
        Kind.TRIO,
        Kind.PAIR,
    }


@given(tables_with_bets(), rolls)
def test_permuting_the_dice_changes_nothing(case: tuple[PayTable, dict[str, int]], roll: taisai.Roll) -> None:
    """Which die shows which number is nobody's business."""
    table, bets = case
    settled = taisai.settle(table, roll, bets)
    for dice in permutations(roll):
        other = taisai.Roll(*dice)
        assert taisai.settle(table, other, bets) == settled
        assert table.winning_boxes(other) == table.winning_boxes(roll)
        assert (other.total, other.is_triple, other.called()) == (roll.total, roll.is_triple, roll.called())


# --- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", [0, -1, 1.5, 2.0, "100", None, True, Fraction(3, 2)])
def test_a_stake_is_a_whole_number_above_zero(stake: object) -> None:
    """Nothing that is not plainly an amount is taken for one."""
    with pytest.raises(InputError, match="a stake is"):
        taisai.settle(taisai.pay_table("tai-sai-v6/2"), taisai.Roll(1, 1, 3), {"big": stake})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bigg", "big"),
        ("pear-113", "pair-113"),
        ("domino-41", "domino-14"),
        ("TRIO-621", "trio-126"),
        ("sum-3", "sum-13"),
    ],
)
def test_an_unknown_box_is_refused_with_the_nearest(typed: str, meant: str) -> None:
    """A slip of the finger is answered with the box that was meant."""
    with pytest.raises(UnknownName) as caught:
        taisai.settle(taisai.pay_table("tai-sai-v6/2"), taisai.Roll(1, 1, 3), {typed: 100})
    assert str(caught.value) == f"unknown box on tai-sai-v6/2 {typed!r}: did you mean {meant!r}?"
    assert caught.value.nearest == meant


@given(
    st.integers(0, 10**9).map(lambda half: 2 * half + 1),
    st.sampled_from(["sum-8", "sum-10", "double-4", "four-6543"]),
)
def test_half_unit_odds_with_odd_stakes_are_errors_on_both_paths(stake: int, box: str) -> None:
    """8.5 to 1 on an odd stake is never rounded: neither path pays it."""
    table = taisai.pay_table("sic-bo-etg-v8/2")
    roll = next(roll for roll in ROLLS if table.box(box).pays_on(roll))
    with pytest.raises(InputError, match="no whole number of minor units"):
        taisai.settle(table, roll, {box: stake})
    with pytest.raises(InputError, match="no whole number of minor units"):
        settle_columns(table, roll, np.array([table.index[box]]), np.array([stake]))
    assert taisai.settle(table, roll, {box: stake + 1})[box].won


def test_the_unit_of_a_table_is_what_its_odds_need() -> None:
    """Halves need stakes of two; whole odds take any stake."""
    assert {table.id: table.unit for table in TABLES if table.unit != 1} == {
        "sic-bo-etg-v8/1": 2,
        "sic-bo-etg-v8/2": 2,
    }
    assert winnings(2, Fraction(17, 2)) == 17


# --- columns ------------------------------------------------------------------------------------------


@given(tables, rolls, st.data())
def test_columns_equal_the_plain_path(table: PayTable, roll: taisai.Roll, data: st.DataObject) -> None:
    """Any number of bets, any boxes, in any order and repeated: the same amounts."""
    bets = data.draw(
        st.lists(st.tuples(st.integers(0, len(table.boxes) - 1), st.integers(1, 10**14)), max_size=40)
    )
    bets = [(box, stake * table.unit) for box, stake in bets]
    plain = [
        taisai.settle(table, roll, {table.boxes[box].id: stake})[table.boxes[box].id].returned
        for box, stake in bets
    ]
    columns = settle_columns(
        table,
        roll,
        np.array([box for box, _ in bets], dtype=np.int64),
        np.array([s for _, s in bets], dtype=np.int64),
    )
    assert columns.dtype == np.int64
    assert columns.tolist() == plain


@pytest.mark.parametrize("box_type", [np.uint8, np.int16, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("stake_type", [np.uint8, np.int32, np.int64, np.uint64])
def test_columns_of_any_whole_type_settle_alike(
    box_type: type[np.integer], stake_type: type[np.integer]
) -> None:
    """Small types save memory and never overflow: 180 to 1 on 200 does not fit into a byte."""
    table = taisai.pay_table("tai-sai-v6/2")
    index = np.array([table.index["triple-1"], table.index["big"]], dtype=box_type)
    stake = np.array([100, 200 // 2], dtype=stake_type)
    assert settle_columns(table, taisai.Roll(1, 1, 1), index, stake).tolist() == [18_100, 0]
    assert (index.dtype, stake.dtype, stake.tolist()) == (
        np.dtype(box_type),
        np.dtype(stake_type),
        [100, 100],
    )


@pytest.mark.parametrize(
    ("index", "stake", "message"),
    [
        ([0, 1], [1], "expected two columns of one length, got"),
        ([[0]], [[1]], "expected two columns of one length, got"),
        ([0.0], [1], "box_index is a column of whole numbers, got float64"),
        ([0], [1.5], "stake_minor is a column of whole numbers, got float64"),
        ([True], [1], "box_index is a column of whole numbers, got bool"),
        ([-1], [1], "box_index counts from 0 to 103, got -1"),
        ([104], [1], "box_index counts from 0 to 103, got 104"),
        ([0], [0], "a stake is above zero, got 0"),
        ([0, 1], [5, -3], "a stake is above zero, got -3"),
        ([0], [2**62], "a stake of 4611686018427387904 is too large to settle by columns"),
    ],
)
def test_columns_that_make_no_sense_are_refused(
    index: list[object], stake: list[object], message: str
) -> None:
    """Each fault is said in one line before anything is computed."""
    table = taisai.pay_table("tai-sai-v6/2")
    with pytest.raises(InputError, match=message):
        settle_columns(table, taisai.Roll(1, 1, 1), np.array(index), np.array(stake))


def test_no_bets_settle_to_nothing() -> None:
    """A round without bets is a round."""
    empty = np.array([], dtype=np.int64)
    assert settle_columns(taisai.pay_table("tai-sai-v6/2"), taisai.Roll(1, 1, 1), empty, empty).tolist() == []
    assert taisai.settle(taisai.pay_table("tai-sai-v6/2"), taisai.Roll(1, 1, 1), {}) == {}


def test_equal_bets_have_one_result_and_it_is_that_of_each_alone() -> None:
    """Whether somebody else made the same bet changes nothing; whoever walked away is told so alone."""
    state = RoundState(*shipped_rules("tai-sai-v6/2"))
    for player in ("ann", "ben", "cat"):
        replace_slip(state, player, {"big": 500, "domino-46": 100})
    state.slips["cat"].absent = "walked-away"
    roll = taisai.Roll(3, 4, 6)
    results = settle_round(state, roll)
    bets = state.bets()
    assert results == [result_of(state, bet, bet.stake, None, roll) for bet in bets]
    ann, ben, cat = ([each for each in results if each.player == name] for name in ("ann", "ben", "cat"))
    assert [one.notes is other.notes for one, other in zip(ann, ben, strict=True)] == [True, True]
    assert all(len(one.notes) == len(other.notes) + 1 for one, other in zip(cat, ann, strict=True))
