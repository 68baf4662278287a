"""Rounds settled by columns say the same as the plain path, bet by bet."""

import random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taisai
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game import columns, settling
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.bulk import settle_columns
from taisai.game.columns import RoundColumns
from taisai.game.limits import Limit, Limits
from taisai.game.round import Round
from taisai.game.settlement import payouts, settle_round
from taisai.game.state import RoundState, Totals
from tests.rules.table import ALL_TEN, Table, limits

ROLLS = ["113", "222", "456", "666", "566", "234"]


def crowded(pay_table: str, seed: int, *, players: int = 60) -> Table:
    """A round with some hundreds of bets, many of them over limits, changed and taken back at random."""
    dice = random.Random(seed)
    rules = taisai.rulebook(pay_table.partition("/")[0]).limits
    boxes = [box.id for box in taisai.pay_table(pay_table).boxes]
    pairs = {"big-small": 300, "odd-even": 500}
    tight = dice.choice([None, 600, 3000] if rules.pro_rata else [None, 3000])
    favourites = [box for box in ("big", "odd", "small", "even", "single-3") if box in boxes]
    weights = dice.choice([(9, 9, 3, 3, 6), (3, 3, 9, 9, 6), (1, 1, 1, 1, 1)])[: len(favourites)]
    table = Table(
        pay_table,
        Limits(
            unit=10,
            default=Limit(50, None if rules.maximum == "player" else tight),
            groups={"single": Limit(20, 400)} if rules.pro_rata else {},
            notice="by-dealer" if rules.pro_rata else "at-placement",
            differential={
                pair: limit
                for pair, limit in pairs.items()
                if rules.differential and all(side in boxes for side in pair.split("-"))
            },
        ),
    )
    least = 1 if rules.minimum == "advise" else 5
    names = [f"player {number}" for number in range(players)]
    for _ in range(players * 2):
        chosen = dice.sample(boxes, k=dice.randint(3, 9)) + dice.choices(favourites, weights, k=2)
        top = 40 if rules.minimum == "advise" else 60
        slip = {box: 10 * dice.randint(least, top) for box in chosen}
        table.bet(dice.choice(names), slip)
    if rules.minimum == "advise":
        table.do(cmd.RecordWalkAway, player=next(iter(table.state.stakes_by_player())))
    return table


def plain(state: RoundState, roll: Roll) -> Totals:
    results = settle_round(state, roll)
    return Totals(
        bets=len(results),
        staked=sum(result.stake for result in results),
        effective=sum(result.effective for result in results),
        paid=payouts(results),
    )


@given(st.sampled_from(ALL_TEN), st.integers(0, 10**6), st.sampled_from(ROLLS))
@settings(max_examples=40, deadline=None)
def test_columns_settle_as_the_plain_path_does(pay_table: str, seed: int, dice: str) -> None:
    """Sums, each player's payout, and the order of the players."""
    state, roll = crowded(pay_table, seed).state, Roll.parse(dice)
    assert len(state.bets()) > 200
    found, expected = RoundColumns.of(state).totals(roll), plain(state, roll)
    assert found == expected
    assert list(found.paid) == list(expected.paid)
    assert all(type(amount) is int for amount in (*found.paid.values(), found.staked, found.effective))


@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_the_reasons_for_a_bet_are_made_on_demand(pay_table: str) -> None:
    """Position by position the same result, with the same notes and clauses."""
    for seed in range(4):
        state, roll = crowded(pay_table, seed).state, Roll.parse("333")
        by_columns = RoundColumns.of(state)
        for position, expected in enumerate(settle_round(state, roll)):
            assert by_columns.result(position, roll) == expected


@pytest.mark.parametrize(("lighter_side", "counts"), [("placed", 5000), ("counted", 4500)])
def test_a_round_is_settled_by_the_measure_it_was_opened_with(lighter_side: str, counts: int) -> None:
    """A record from before the differential was measured on the bets as placed says nothing of it."""
    shown = limits(
        maximum=None, notice="by-dealer", boxes={"small": Limit(50, 1500)}, differential={"big-small": 3000}
    )
    table = Table("tai-sai-v6/1", shown)
    table.bet("Ann", {"big": 9000})
    table.bet("Bob", {"small": 2000})
    table.declare("566")
    stored = msgspec.json.encode(table.round.events)
    if lighter_side == "counted":
        stored = stored.replace(b',"lighter_side":"placed"', b"")
    state = Round.rebuild(msgspec.json.decode(stored, type=list[ev.AnyEvent])).state
    expected = plain(state, Roll(5, 6, 6))
    assert expected.effective == counts + 1500
    assert RoundColumns.of(state).totals(Roll(5, 6, 6)) == expected


def test_the_crowd_is_large_enough_to_be_cut() -> None:
    """The comparison above would prove little if no bet were shared pro rata or exempt."""
    messages = {
        result.notes[0].message
        for seed in range(4)
        for result in settle_round(crowded("tai-sai-v6/2", seed).state, Roll(3, 3, 3))
    }
    assert {"pro_rata", "differential", "exempt", "below_minimum_stands", "won"} <= messages


def test_a_multitude_is_settled_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a certain number of bets on, and then with the same events."""
    table = crowded("tai-sai-v6/2", seed=3)
    table.declare("566")
    used = []
    of = RoundColumns.of
    monkeypatch.setattr(RoundColumns, "of", lambda state: used.append(1) or of(state))
    events = table.round.ask(table.command(cmd.SettleBets))
    assert not used
    bets = len(table.state.bets())
    for at_least, by_columns in ((bets + 1, False), (bets, True)):
        monkeypatch.setattr(settling, "_COLUMNS_FROM", at_least)
        table.state.computed = None
        used.clear()
        table.minutes -= 1
        assert table.round.ask(table.command(cmd.SettleBets)) == events
        assert bool(used) == by_columns


def test_two_thousand_bets_are_a_multitude() -> None:
    """Below it objects are quicker and NumPy need not be there."""
    assert settling._COLUMNS_FROM == 2000


def test_stakes_too_large_for_columns_take_the_plain_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round is never left unsettled because a number is large."""
    monkeypatch.setattr(settling, "_COLUMNS_FROM", 1)
    table = Table("sic-bo-etg-v8/1", Limits(unit=2, default=Limit(2)))
    table.bet("Ann", {"triple-1": 2 * 10**30, "double-1": 2})
    assert not columns.can_hold(table.state)
    table.settle("111")
    assert table.paid == {"Ann": 2 * 10**30 * 196 + 25}


@pytest.mark.parametrize(("units", "fits"), [(2**62 // 392, True), (2**62 // 392 + 1, False)])
def test_columns_hold_what_the_dearest_box_could_pay(units: int, fits: bool) -> None:
    """ETG: 195 to 1 and the stake, in half units, is 392 times a stake."""
    state = Table("sic-bo-etg-v8/1", Limits(unit=2, default=Limit(2))).state
    state.totals = {"big": units}
    assert columns.can_hold(state) == fits


def test_a_round_paid_in_parts_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settlement is kept until something in the round changes."""
    counted = []
    totals = settling._totals
    monkeypatch.setattr(settling, "_totals", lambda *facts: counted.append(1) or totals(*facts))
    table = crowded("tai-sai-v6/2", seed=5, players=30)
    table.declare("566")
    parts: list[ev.AnyEvent] = []
    while table.phase is Phase.DECLARED:
        parts += table.do(cmd.SettleBets, players_max=7)
    assert len(counted) == 1
    assert [len(part.payouts) for part in parts[:-2]] == [7] * (len(parts) - 2)
    paid: dict[str, int] = {}
    for part in parts[:-1]:
        assert not paid.keys() & part.payouts.keys()
        paid |= part.payouts
    assert paid == table.paid == payouts(table.round.results())
    table.do(cmd.CorrectResult, roll=Roll(1, 1, 3))
    assert len(counted) == 2
    assert table.paid == payouts(table.round.results())


@pytest.mark.parametrize("players_max", [0, -3])
def test_a_part_is_at_least_one_player(players_max: int) -> None:
    """Otherwise asking again and again would never settle the round."""
    table = Table(limits=limits())
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"big": 100})
    table.declare("566")
    (part,) = table.do(cmd.SettleBets, players_max=players_max)
    assert part.payouts == {"Ann": 200}


def test_columns_keep_the_order_of_the_first_surviving_chip() -> None:
    """Not the order of the players, nor that of their boxes."""
    table = Table()
    table.bet("Ann", {"small": 30})
    table.bet("Bob", {"odd": 10})
    table.bet("Cyd", {"odd": 40})
    table.bet("Bob", {})
    table.bet("Ann", {"big": 10, "small": 30})
    table.bet("Ann", {"big": 30, "small": 30})
    state = table.state
    by_columns = RoundColumns.of(state)
    index = state.pay_table.index
    assert by_columns.players == ["Ann", "Bob", "Cyd"]
    assert by_columns.player.tolist() == [0, 2, 0]
    assert by_columns.box.tolist() == [index["small"], index["odd"], index["big"]]
    assert by_columns.stake.tolist() == [30, 40, 30]
    assert by_columns.order.tolist() == [1, 3, 4]
    assert [len(positions) for positions in by_columns.by_box[:4]] == [1, 1, 1, 0]
    assert list(by_columns.totals(Roll(1, 1, 3)).paid.items()) == [("Ann", 60), ("Cyd", 80)]


def test_a_round_without_bets_has_columns_too() -> None:
    """They are empty."""
    assert RoundColumns.of(Table().state).totals(Roll(1, 1, 3)) == Totals(0, 0, 0, {})


# --- the columns themselves ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "stakes", "message"),
    [
        ([0, 56], [2, 2], "box_index counts from 0 to 55, got 56"),
        ([1, 99], [2, 2], "box_index counts from 0 to 55, got 99"),
        ([-1, 99], [2, 2], "box_index counts from 0 to 55, got -1"),
        ([0, 1], [2, 0], "a stake is above zero, got 0"),
        ([0, 1], [2, -4], "a stake is above zero, got -4"),
        ([0], [2**62], "a stake of 4611686018427387904 is too large to settle by columns"),
        ([0], [2, 2], "expected two columns of one length, got (1,) and (2,)"),
        ([[0]], [[2]], "expected two columns of one length, got (1, 1) and (1, 1)"),
        ([0.0], [2], "box_index is a column of whole numbers, got float64"),
        ([0], [2.0], "stake_minor is a column of whole numbers, got float64"),
        # Double 2 at 11.5 to 1: the first bet that cannot be paid is the one that is named.
        ([0, 44, 44], [3, 4, 3], "bet 2: 3 on double-2 would win no whole number of minor units"),
    ],
)
def test_columns_that_make_no_sense_are_named(index: list[int], stakes: list[int], message: str) -> None:
    """One clear line with what was expected and what came."""
    table = taisai.pay_table("sic-bo-etg-v8/1")
    assert (len(table.boxes), table.boxes[44].id) == (56, "double-2")
    with pytest.raises(InputError) as caught:
        settle_columns(table, Roll(2, 2, 4), np.array(index), np.array(stakes))
    assert str(caught.value) == message


def test_a_bet_that_loses_may_have_any_stake() -> None:
    """What returns nothing needs no whole number of units, and the largest stake that fits is taken."""
    table = taisai.pay_table("sic-bo-etg-v8/1")
    settled = settle_columns(table, Roll(1, 1, 3), np.array([44]), np.array([3]))
    assert settled.tolist() == [0]
    lost = taisai.pay_table("tai-sai-v6/1")
    top = (2**63 - 1) // 63
    index = np.array([lost.index["sum-4"]])
    assert settle_columns(lost, Roll(1, 1, 2), index, np.array([top])).tolist() == [top * 63]


def test_narrow_columns_do_not_overflow() -> None:
    """A stake in 16 bits times 180 is more than 16 bits hold; what comes back has 64."""
    table = taisai.pay_table("tai-sai-v6/1")
    index = np.array([table.index["triple-1"]], dtype=np.int8)
    settled = settle_columns(table, Roll(1, 1, 1), index, np.array([30_000], dtype=np.int16))
    assert (settled.tolist(), settled.dtype) == ([30_000 * 181], np.int64)
