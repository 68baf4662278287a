"""What the house stands to win or lose, kept up as slips change, and limits that bound it."""

from fractions import Fraction
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taisai
from taisai.dice import COMBINATIONS, ROLLS
from taisai.errors import InputError, UnknownName
from taisai.odds.exposure import Exposure
from taisai.odds.liability import box_maxima, liabilities, limits_under

LIVE = taisai.pay_table("tai-sai-v6/2")
ETG = taisai.pay_table("sic-bo-etg-v8/2")
WIDE = taisai.pay_table("tai-sai-v6/3")
slips = st.dictionaries(st.sampled_from([box.id for box in ETG.boxes]), st.integers(1, 10**7), max_size=8)


def by_settlement(table: taisai.PayTable, stakes: dict[str, int]) -> dict[taisai.Roll, Fraction]:
    """The house's net on each combination, settled bet by bet."""
    nets = {}
    for roll in COMBINATIONS:
        net = Fraction(0)
        for box_id, stake in stakes.items():
            pays = table.box(box_id).pays_on(roll)
            net += stake if pays is None else -stake * pays
        nets[roll] = net
    return nets


@settings(deadline=None, max_examples=40)
@given(slips)
def test_every_outcome_is_what_settlement_would_pay(stakes: dict[str, int]) -> None:
    """Half-unit odds included, to the half unit."""
    exposure = Exposure(ETG, stakes)
    nets = by_settlement(ETG, stakes)
    assert {result.roll: result.house_net for result in exposure.results} == nets
    assert exposure.worst.house_net == min(nets.values())
    assert exposure.best.house_net == max(nets.values())
    mean = sum((stake * taisai.box_odds(ETG.box(box)).edge for box, stake in stakes.items()), Fraction(0))
    assert exposure.mean == mean
    assert exposure.stakes == stakes
    ways = COMBINATIONS
    assert exposure.variance == sum(ways[roll] * net**2 for roll, net in nets.items()) / 216 - mean**2


@settings(deadline=None, max_examples=40)
@given(st.lists(slips, min_size=1, max_size=6), st.data())
def test_changed_slips_leave_what_counting_anew_would_find(
    players: list[dict[str, int]], data: st.DataObject
) -> None:
    """However often slips change, one by one or at once, the position is that of the slips as they lie."""
    exposure, at_once = Exposure(ETG), Exposure(ETG)
    at_once.change_all([({}, slip) for slip in players])
    for slip in players:
        exposure.change({}, slip)
    assert at_once.results == exposure.results
    before = list(players)
    for place, slip in enumerate(players):
        after = data.draw(slips)
        exposure.change(slip, after)
        players[place] = after
    boxes = [ETG.index[box] for slip in players for box in slip]
    stakes = [stake for slip in players for stake in slip.values()]
    anew = Exposure.of_columns(ETG, np.array(boxes, dtype=np.int64), np.array(stakes, dtype=np.int64))
    assert exposure.results == anew.results
    assert exposure.stakes == anew.stakes
    at_once.change_all(zip(before, players, strict=True))
    assert (at_once.results, at_once.stakes) == (anew.results, anew.stakes)


def test_sums_beyond_what_a_float_can_hold_stay_exact() -> None:
    """Whole numbers to the last unit, however large the bets of a house may be."""
    boxes, stake = np.arange(4000, dtype=np.int64) % len(LIVE.boxes), 2**42 + 1
    exposure = Exposure.of_columns(LIVE, boxes, np.full(4000, stake, dtype=np.int64))
    assert exposure.stakes["small"] == 39 * stake
    assert exposure.handle_minor == 4000 * stake


def test_value_at_risk_and_shortfall_follow_the_worst_rolls() -> None:
    """With 50 on triple 6 and 1,000 on big, one roll in 216 costs 8,000 and 105 cost 950."""
    exposure = Exposure(LIVE, {"big": 1000, "triple-6": 50})
    assert exposure.value_at_risk(Fraction(215, 216)) == 950
    assert exposure.value_at_risk(0.999) == 8000
    assert exposure.value_at_risk(Fraction(110, 216)) == -1050
    assert exposure.expected_shortfall(Fraction(214, 216)) == Fraction(8000 + 950, 2)
    assert exposure.expected_shortfall(Fraction(999, 1000)) == 8000


def test_headroom_is_the_most_that_a_box_can_still_take() -> None:
    """One unit more on any box, and some outcome costs more than the bound."""
    exposure = Exposure(LIVE, {"big": 1000, "single-6": 200})
    room = exposure.headroom(5000)
    for box_id, more in room.items():
        exposure.change({}, {box_id: more})
        assert exposure.worst.house_net >= -5000, box_id
        exposure.change({box_id: more}, {box_id: more + 1})
        assert exposure.worst.house_net < -5000, box_id
        exposure.change({box_id: more + 1}, {})
    assert Exposure(LIVE, {"triple-1": 100}).headroom(1000)["triple-1"] == 0


@pytest.mark.parametrize("table", [LIVE, ETG, WIDE], ids=lambda table: table.id)
@pytest.mark.parametrize("unit", [1, 5])
def test_suggested_limits_keep_every_outcome_under_the_bound(table: taisai.PayTable, unit: int) -> None:
    """And each group is held by some outcome that is full: nothing is given away."""
    bound = 1_000_000
    limits = limits_under(table, bound, unit=unit)
    assert all(amount > 0 and amount % unit == 0 for amount in limits.values())
    under = liabilities(table, box_maxima(table, limits))
    assert under.worst.house_pays <= bound
    for group in table.groups:
        # A tenth more on one group always breaks the bound, however the rounding fell.
        more = limits | {group.id: limits[group.id] + max(unit, limits[group.id] // 10)}
        assert liabilities(table, box_maxima(table, more)).worst.house_pays > bound, group.id


def test_shares_weigh_the_groups() -> None:
    """A house that wants large even-money limits says so, and the rest makes room."""
    equal = limits_under(LIVE, 10**6)
    weighed = limits_under(LIVE, 10**6, shares={"small": 20, "big": 20})
    assert weighed["big"] > 3 * equal["big"]
    assert weighed["sum-10-11"] < equal["sum-10-11"]
    assert liabilities(LIVE, box_maxima(LIVE, weighed)).worst.house_pays <= 10**6


def test_the_worst_case_of_full_boxes_is_settled_by_hand() -> None:
    """A maximum of 1 everywhere: 2-2-2 wins on single, sum 6, double, any triple and triple."""
    under = liabilities(LIVE, box_maxima(LIVE, {}, default=1))
    assert str(under.worst.roll) == "2-2-2"
    assert under.worst.house_pays == 12 + 18 + 11 + 31 + 180
    assert len(under.frame()) == 56


def test_a_boxs_own_maximum_beats_its_groups() -> None:
    """As the limits of a table are set: per group, and for single boxes."""
    maxima = box_maxima(LIVE, {"sum-4": 5, "sum-4-17": 3, "double": 2}, default=1)
    assert (maxima["sum-4"], maxima["sum-17"], maxima["double-6"], maxima["big"]) == (5, 3, 2, 1)


def test_exposure_refuses_what_makes_no_sense() -> None:
    """One clear line for each mistake, and the position stays as it was."""
    exposure = Exposure(LIVE, {"big": 100})
    with pytest.raises(UnknownName, match="unknown box on tai-sai-v6/2 'bog'"):
        exposure.change({}, {"bog": 1})
    with pytest.raises(InputError, match="a stake on big is a whole number"):
        exposure.change({}, {"big": -1})
    with pytest.raises(InputError, match="big would hold -100"):
        exposure.change({"big": 200}, {})
    assert exposure.stakes == {"big": 100}
    with pytest.raises(InputError, match="a level lies between 0 and 1, got 1"):
        exposure.value_at_risk(1)
    with pytest.raises(InputError, match="a level lies between 0 and 1"):
        exposure.expected_shortfall(0)
    with pytest.raises(InputError, match="a bound"):
        exposure.headroom(-1)
    ones = np.ones(2, dtype=np.int64)
    for boxes, stakes, message in [
        (ones[:1], ones, "expected two columns of one length"),
        (ones * 1.5, ones, "box_index is a column of whole numbers, got float64"),
        (ones * 200, ones, "box_index counts from 0 to 103, got 200"),
        (ones, ones * 0, "a stake is above zero, got 0"),
        (ones, ones * 2**62, "too large to sum"),
        (ones, ones * 2**55, "a box holds"),
    ]:
        with pytest.raises(InputError, match=message):
            Exposure.of_columns(LIVE, boxes, stakes)
    with pytest.raises(InputError, match="a bound is a whole number"):
        limits_under(LIVE, 0)
    with pytest.raises(InputError, match="a chip unit"):
        limits_under(LIVE, 10, unit=0)
    with pytest.raises(UnknownName, match="box or group"):
        box_maxima(LIVE, {"nothing": 1})
    with pytest.raises(InputError, match="a maximum on big"):
        box_maxima(LIVE, {"big": -1})


def test_no_bets_expose_nothing() -> None:
    """An empty layout wins and loses nothing."""
    none = np.zeros(0, dtype=np.int64)
    assert Exposure.of_columns(LIVE, none, none).worst.house_net == 0
    assert Exposure(LIVE).frame()["house_net"] == [0] * 56


def test_exposure_keeps_up_with_a_full_cluster() -> None:
    """100,000 bets in under 50 ms and one changed slip in under 1 ms, the best of five tries."""
    random = np.random.default_rng(4)
    boxes = random.integers(0, len(WIDE.boxes), 100_000)
    stakes = random.integers(1, 10_000, 100_000)

    def seconds(run: object) -> float:
        start = perf_counter()
        run()
        return perf_counter() - start

    assert min(seconds(lambda: Exposure.of_columns(WIDE, boxes, stakes).worst) for _ in range(5)) < 0.050
    exposure = Exposure.of_columns(WIDE, boxes, stakes)
    names = [box.id for box in WIDE.boxes]
    before, after = {names[k]: 10 for k in range(12)}, {names[k + 4]: 20 for k in range(12)}

    def change() -> None:
        exposure.change({}, before)
        exposure.change(before, after)
        exposure.change(after, {})
        assert exposure.worst.house_net < 0

    assert min(seconds(change) for _ in range(5)) / 3 < 0.001


def test_a_roll_costs_what_the_outcome_says_whatever_its_order() -> None:
    """56 outcomes stand for the 216 rolls."""
    exposure = Exposure(LIVE, {"pair-113": 10, "sum-5": 10})
    nets = {result.roll: result.house_net for result in exposure.results}
    for roll in ROLLS:
        awards = taisai.settle(LIVE, roll, {"pair-113": 10, "sum-5": 10})
        assert nets[roll.called()] == sum(award.stake - award.returned for award in awards.values())
