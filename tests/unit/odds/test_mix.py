"""A mix of bets: one round exactly, and many rounds by powers of its generating polynomial."""

from fractions import Fraction
from itertools import product
from math import comb, gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError, UnknownName
from taisai.odds.bets.nets import Lattice, fraction_gcd, net_after
from taisai.odds.mix import Mix

LIVE = taisai.pay_table("tai-sai-v6/2")
ETG = taisai.pay_table("sic-bo-etg-v8/2")
BOXES = [box.id for box in LIVE.boxes]

stakes = st.dictionaries(st.sampled_from(BOXES), st.integers(1, 500), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(stakes)
def test_the_mean_of_a_mix_is_the_sum_of_its_bets(bets: dict[str, int]) -> None:
    """Expectations add, however the bets depend on one another."""
    expected = sum(stake * taisai.box_odds(LIVE.box(box)).mean for box, stake in bets.items())
    mix = Mix.on(LIVE, bets)
    assert mix.mean == expected
    assert mix.edge == -expected / sum(bets.values())
    assert len(mix.distribution) <= 56
    assert sum(mix.distribution.values()) == 1


@settings(deadline=None, max_examples=20)
@given(stakes)
def test_the_distribution_of_a_mix_is_what_the_216_rolls_pay(bets: dict[str, int]) -> None:
    """The same nets come from settling every roll."""
    nets = []
    for roll in ROLLS:
        awards = taisai.settle(LIVE, roll, bets)
        nets.append(sum(award.returned - award.stake for award in awards.values()))
    mix = Mix.on(LIVE, bets)
    assert {net: Fraction(nets.count(net), 216) for net in set(nets)} == mix.distribution


def test_bets_on_two_pay_tables_ride_on_the_same_dice() -> None:
    """Small and big cover each other but for the triples, on whatever tables they lie."""
    mix = Mix.on(LIVE, {"big": 10}).also(ETG, {"small": 10})
    assert mix.distribution == {Fraction(-20): Fraction(6, 216), Fraction(0): Fraction(210, 216)}
    assert mix.stake_minor == 20


def test_half_unit_odds_are_exact_in_a_mix() -> None:
    """8½ to 1 on a stake of 1 nets 8½: mathematics knows no smallest coin."""
    assert max(Mix.on(ETG, {"sum-8": 1}).distribution) == Fraction(17, 2)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_few_rounds_agree_with_enumeration(rounds: int) -> None:
    """Every sequence of nets, multiplied out by hand."""
    mix = Mix.on(LIVE, {"single-1": 2, "big": 3})
    expected: dict[Fraction, Fraction] = {}
    for path in product(mix.distribution.items(), repeat=rounds):
        net = sum((each for each, _ in path), Fraction(0))
        chance = Fraction(1)
        for _, each in path:
            chance *= each
        expected[net] = expected.get(net, Fraction(0)) + chance
    after = mix.after(rounds)
    assert after.weights is not None
    found = {after.net(k): Fraction(w, after.total) for k, w in enumerate(after.weights) if w}
    assert found == expected


def test_a_thousand_rounds_of_even_money_are_binomial() -> None:
    """The closed form of an even-money box, coefficient by coefficient."""
    after = Mix.on(LIVE, {"big": 100}).after(1000)
    assert after.weights == [comb(1000, k) * 35**k * 37 ** (1000 - k) for k in range(1001)]
    assert after.total == 72**1000
    assert after.net(0) == -100_000
    assert after.step == 200
    ahead = Fraction(sum(after.weights[501:]), 72**1000)
    assert after.chance_ahead.exact == ahead
    assert after.chance_ahead.approx == pytest.approx(0.18130006173003302, rel=1e-14)
    assert after.chance_even.exact == Fraction(after.weights[500], 72**1000)


def test_generating_function_transform_and_repeated_convolution_agree() -> None:
    """Three routes to the same distribution: exact powers, Fourier, and plain NumPy."""
    mix = Mix.on(LIVE, {"single-3": 10, "sum-9": 10})
    exact, transformed = mix.after(60), mix.after(60, exact=False)
    lattice = Lattice.of(mix.distribution)
    one = np.array(lattice.weights) / lattice.total
    plain = one
    for _ in range(59):
        plain = np.convolve(plain, one)
    assert np.abs(exact.chances - plain).max() < 1e-15
    assert np.abs(exact.chances - transformed.chances).max() < 1e-14
    assert transformed.chance_ahead.exact is None
    assert transformed.chance_ahead.approx == pytest.approx(exact.chance_ahead.approx, abs=1e-13)
    assert transformed.chance_even.approx == pytest.approx(exact.chance_even.approx, abs=1e-14)
    assert transformed.quantile(0.3) == exact.quantile(0.3)


def test_sums_are_the_same_in_whichever_order_they_are_asked_for() -> None:
    """A low quantile first, then a high one, then the middle; beside sums over every weight."""
    after = Mix.on(LIVE, {"single-1": 3, "sum-9": 2}).after(60)
    weights = after.weights
    assert weights is not None
    assert len(weights) > 600  # far more entries than are summed at once
    for level in (Fraction(1, 10**30), 1 - Fraction(1, 10**30), Fraction(1, 2), Fraction(1, 3)):
        entry = next(e for e in range(len(weights)) if sum(weights[: e + 1]) >= level * after.total)
        assert after.quantile(level) == after.net(entry)
        assert after.chance_at_most(after.net(entry)).exact == Fraction(
            sum(weights[: entry + 1]), after.total
        )
    assert after.chance_at_most(after.net(len(weights) - 1)).exact == 1


def test_quantiles_are_the_lowest_net_with_enough_below() -> None:
    """Not one step more and not one less."""
    after = Mix.on(LIVE, {"big": 1}).after(100)
    for level in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
        net = after.quantile(level)
        reached, below = after.chance_at_most(net).exact, after.chance_at_most(net - 1).exact
        assert reached is not None
        assert below is not None
        assert below < level <= reached
    assert after.chance_at_most(-101).exact == 0
    assert after.chance_at_most(101).exact == 1


def test_large_mixes_are_transformed_and_huge_ones_refused() -> None:
    """The method is chosen by size, and said."""
    mix = Mix.on(LIVE, {"big": 100, "single-1": 10, "triple-1": 1, "double-3": 7})
    after = mix.after(1000)
    assert not after.is_exact
    assert after.chances.sum() == pytest.approx(1, abs=1e-12)
    with pytest.raises(InputError, match="possible nets, more than"):
        mix.after(1_000_000)


def test_an_hour_costs_the_edge_times_the_pace() -> None:
    """Expected loss is exact; the swing grows with the root of the rounds."""
    mix = Mix.on(LIVE, {"big": 100, "sum-9": 20})
    assert mix.loss_per_hour(45) == 45 * 120 * Fraction(23, 648)
    assert mix.swing_per_hour(4) == pytest.approx(2 * mix.standard_deviation)


def test_the_frames_of_a_mix_hold_everything() -> None:
    """56 outcomes, and every net that can happen."""
    mix = Mix.on(LIVE, {"triple-1": 1})
    assert sum(mix.frame()["ways"]) == 216
    frame = mix.after(2).frame()
    assert frame["net"] == [-2.0, 179.0, 360.0]
    assert frame["chance"].sum() == pytest.approx(1)


def test_a_mix_refuses_what_makes_no_sense() -> None:
    """One clear line for each mistake."""
    with pytest.raises(InputError, match="at least one bet"):
        Mix.on(LIVE, {})
    with pytest.raises(UnknownName, match="did you mean 'big'"):
        Mix.on(LIVE, {"bigg": 1})
    with pytest.raises(InputError, match="a stake is above zero, got 0"):
        Mix.on(LIVE, {"big": 0})
    mix = Mix.on(LIVE, {"big": 1})
    for rounds in (0, -1, 1.5):
        with pytest.raises(InputError, match="a number of rounds"):
            mix.after(rounds)
    with pytest.raises(InputError, match="a pace"):
        mix.loss_per_hour(0)
    for level in (0, 1, float("nan")):
        with pytest.raises(InputError, match="level lies between 0 and 1"):
            mix.after(2).quantile(level)


@settings(max_examples=50)
@given(st.lists(st.fractions(max_denominator=30), min_size=1, max_size=6))
def test_the_gcd_of_fractions_divides_them_and_nothing_larger_does(values: list[Fraction]) -> None:
    """The lattice step of any set of nets."""
    step = fraction_gcd(values)
    if not any(values):
        assert step == 0
        return
    multiples = [value / step for value in values]
    assert all(multiple.denominator == 1 for multiple in multiples)
    assert gcd(*(int(multiple) for multiple in multiples)) == 1


def test_bets_that_always_net_the_same_have_no_spread() -> None:
    """A degenerate distribution is a single point for ever."""
    after = net_after({Fraction(-3): Fraction(1)}, 10)
    assert (len(after), after.net(0), after.chance_ahead.exact) == (1, -30, 0)
