"""Pro rata: decision 5's promises, its worked examples, and an independent implementation of it."""

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import taisai
from taisai.errors import InputError
from taisai.game.columns import apportion_column
from taisai.game.limits import Limit, Limits
from taisai.game.settlement import box_caps, effective_stakes
from taisai.game.state import Bet
from tests.unit.naive_shares import naive_shares, naive_sides


@st.composite
def boxes(draw: st.DrawFn) -> tuple[list[int], int, int, int]:
    """Bets on a box, its cap, its minimum and the chip unit; often tight, sometimes equal bets."""
    unit = draw(st.sampled_from([1, 2, 5, 10]))
    bets = draw(st.lists(st.integers(1, draw(st.sampled_from([3, 30, 3000]))), min_size=1, max_size=12))
    minimum = draw(st.integers(0, max(bets) + 2))
    maximum = draw(st.integers(0, sum(bets) + 2))
    return [bet * unit for bet in bets], maximum * unit, minimum * unit, unit


Box = tuple[list[int], int, int, int]


@pytest.mark.parametrize(
    ("bets", "maximum", "minimum", "unit", "expected"),
    [
        ([300, 600, 400], 1000, 50, 5, [230, 460, 310]),
        ([1000, 60, 40], 500, 50, 5, [410, 50, 40]),
        ([300, 600, 100], 1000, 50, 5, [300, 600, 100]),  # not over the maximum
        ([100, 100, 100], 100, 50, 5, [50, 50, 50]),  # the minimum for everyone does not fit
        ([40, 40, 100], 80, 50, 5, [40, 40, 50]),  # the exempt alone fill it
        ([40, 40, 40], 80, 50, 5, [40, 40, 40]),  # all exempt
        ([10, 10, 10], 20, 0, 10, [10, 10, 0]),  # the earlier bet gets the unit
        ([10, 30, 10], 40, 0, 10, [10, 20, 10]),  # the largest remainder gets it first
        ([100, 200], 0, 0, 1, [0, 0]),
        ([7], 3, 0, 1, [3]),
        ([100, 100], 150, 50, 10, [80, 70]),
        ([90, 60, 60, 60], 200, 50, 10, [50, 50, 50, 50]),  # just fits
        # Two rounds of lifting: 60 first, and then 70, which a smaller share leaves below 50 too.
        ([1000, 70, 60], 760, 50, 10, [660, 50, 50]),
        ([30, 15, 16], 48, 12, 1, [23, 12, 13]),  # a fair share that is below by a hair is lifted
        ([2**40, 2**40], 2**40, 0, 1, [2**39, 2**39]),  # products beyond 64 bits, of bet and cap
        ([2**30] * 8, 2**30, 0, 2**30, [2**30] + [0] * 7),  # and of total and unit
    ],
)
def test_the_worked_examples(
    bets: list[int], maximum: int, minimum: int, unit: int, expected: list[int]
) -> None:
    """Those of the reading of the rules, and one for each turn that the rule takes."""
    assert taisai.apportion(bets, maximum=maximum, minimum=minimum, unit=unit) == expected
    column = apportion_column(np.array(bets, dtype=np.int64), maximum, minimum, unit)
    assert column.tolist() == expected
    assert naive_shares(bets, maximum, minimum, unit) == expected


@given(boxes())
@example(([60, 70, 1000], 760, 50, 10))
def test_it_is_what_decision_5_says(box: Box) -> None:
    """The plain path and the columns agree with fractions, repeated lifting and largest remainders."""
    bets, maximum, minimum, unit = box
    expected = naive_shares(bets, maximum, minimum, unit)
    assert taisai.apportion(bets, maximum=maximum, minimum=minimum, unit=unit) == expected
    column = apportion_column(np.array(bets, dtype=np.int64), maximum, minimum, unit)
    assert column.tolist() == expected
    assert column.dtype == np.int64


@given(boxes())
def test_the_promises_of_pro_rata(box: Box) -> None:
    """Under the cap when floors allow, never below the minimum unless exempt, never more than was bet."""
    bets, maximum, minimum, unit = box
    counted = taisai.apportion(bets, maximum=maximum, minimum=minimum, unit=unit)
    exempt = sum(bet for bet in bets if bet < minimum)
    floors = minimum * sum(bet >= minimum for bet in bets)
    if exempt + floors <= maximum:
        assert sum(counted) <= maximum
        if sum(bets) > maximum:
            assert sum(counted) == maximum  # and nothing of the room is wasted
    for bet, counts in zip(bets, counted, strict=True):
        assert 0 <= counts <= bet
        assert counts % unit == 0
        assert counts == bet if bet < minimum else counts >= minimum
    for i, first in enumerate(bets):
        for j, second in enumerate(bets):
            if first == second:
                assert abs(counted[i] - counted[j]) <= unit
            if first == second and i < j:
                assert counted[i] >= counted[j]
            if first > second and second >= minimum:
                assert counted[i] >= counted[j]


@given(boxes(), st.integers(10**9, 10**12))
def test_amounts_beyond_64_bits_are_shared_exactly_too(box: Box, scale: int) -> None:
    """A column whose products would not fit takes the plain path; no digit is lost."""
    bets, maximum, minimum, unit = ([bet * scale for bet in box[0]], *(amount * scale for amount in box[1:]))
    expected = naive_shares(bets, maximum, minimum, unit)
    assert taisai.apportion(bets, maximum=maximum, minimum=minimum, unit=unit) == expected
    assert apportion_column(np.array(bets, dtype=np.int64), maximum, minimum, unit).tolist() == expected


amounts = st.lists(st.integers(1, 200).map(lambda units: 10 * units), max_size=6)
caps = st.none() | st.integers(6, 300).map(lambda units: 10 * units)


@given(amounts, amounts, caps, caps, st.none() | st.integers(1, 300).map(lambda units: 10 * units))
def test_the_differential_is_what_decision_5_says(
    big: list[int], small: list[int], big_max: int | None, small_max: int | None, differential: int | None
) -> None:
    """The heavier side may exceed the lighter as placed by the limit; the lighter keeps to its maximum."""
    rulebook, pay_table = taisai.rulebook("tai-sai-v6"), taisai.pay_table("tai-sai-v6/1")
    limits = Limits(
        unit=10,
        default=Limit(50),
        boxes={"big": Limit(50, big_max), "small": Limit(50, small_max)},
        differential={} if differential is None else {"big-small": differential},
    )
    bets = [Bet(f"b{at}", "big", stake, at) for at, stake in enumerate(big)]
    bets += [Bet(f"s{at}", "small", stake, 100 + at) for at, stake in enumerate(small)]
    found = effective_stakes(pay_table, limits, bets, box_caps(rulebook, pay_table, limits, bets))
    expected = naive_sides(
        big, small, differential=differential, big_max=big_max, small_max=small_max, minimum=50, unit=10
    )
    assert (found[: len(big)], found[len(big) :]) == expected


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400), caps, caps)
def test_more_on_the_heavier_side_never_means_less_in_play(
    light: int, heavy: int, more: int, heavy_max: int | None, light_max: int | None
) -> None:
    """Also right where the limit is passed and the lighter side is above its own maximum."""
    rulebook, pay_table = taisai.rulebook("tai-sai-v6"), taisai.pay_table("tai-sai-v6/1")
    limits = Limits(
        unit=10,
        default=Limit(50),
        boxes={"big": Limit(50, heavy_max), "small": Limit(50, light_max)},
        differential={"big-small": 1000},
    )

    def counted(big: int) -> int:
        amounts = {"big": 10 * big, "small": 10 * light}
        bets = [Bet(box, box, stake, at) for at, (box, stake) in enumerate(amounts.items()) if stake]
        shares = effective_stakes(pay_table, limits, bets, box_caps(rulebook, pay_table, limits, bets))
        return sum(share for bet, share in zip(bets, shares, strict=True) if bet.box == "big")

    assert counted(light + heavy) <= counted(light + heavy + more)


def test_both_pairs_are_looked_at() -> None:
    """Odd against even as well as big against small, each with its own limit."""
    rulebook, pay_table = taisai.rulebook("tai-sai-v6"), taisai.pay_table("tai-sai-v6/2")
    limits = Limits(unit=1, default=Limit(1), differential={"big-small": 10, "odd-even": 20})
    bets = [Bet("Ann", "small", 100, 1), Bet("Ann", "even", 100, 2), Bet("Bob", "odd", 50, 3)]
    caps = box_caps(rulebook, pay_table, limits, bets)
    assert {box: (cap.maximum, cap.message, cap.limit, cap.pair) for box, cap in caps.items()} == {
        "small": (10, "differential", 10, "big-small"),
        "even": (70, "differential", 20, "odd-even"),
    }
    without = taisai.rulebook("tai-sai-open-cover")
    assert box_caps(without, taisai.pay_table("tai-sai-open-cover/2"), limits, bets) == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bets": [1], "maximum": 1, "unit": 0}, "the chip unit is at least 1, got 0"),
        ({"bets": [10], "maximum": 15, "unit": 10}, "the maximum is a multiple of the chip unit 10, got 15"),
        (
            {"bets": [10], "maximum": -10, "unit": 10},
            "the maximum is a multiple of the chip unit 10, got -10",
        ),
        (
            {"bets": [10], "maximum": 10, "minimum": 5, "unit": 10},
            "the minimum is a multiple of the chip unit 10, got 5",
        ),
        ({"bets": [1], "maximum": 1, "minimum": -1}, "the minimum is a multiple of the chip unit 1, got -1"),
        (
            {"bets": [10, 0], "maximum": 10, "unit": 10},
            "a bet is a multiple of the chip unit 10 above zero, got 0",
        ),
        (
            {"bets": [10, 25], "maximum": 10, "unit": 10},
            "a bet is a multiple of the chip unit 10 above zero, got 25",
        ),
    ],
)
def test_amounts_that_no_chips_make_are_named(arguments: dict[str, object], message: str) -> None:
    """One clear line with what was expected and what came."""
    with pytest.raises(InputError) as caught:
        taisai.apportion(**arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("seed", range(6))
def test_a_crowd_on_one_box_shares_alike_on_both_paths(seed: int) -> None:
    """Hundreds of bets, so that many remainders compete for the units left over."""
    dice = random.Random(seed)
    bets = [10 * dice.randint(1, 90) for _ in range(500)]
    maximum = 10 * dice.randint(2_000, sum(bets) // 10)
    minimum = dice.choice([0, 10, 50, 100])
    expected = naive_shares(bets, maximum, minimum, 10)
    assert taisai.apportion(bets, maximum=maximum, minimum=minimum, unit=10) == expected
    column = np.array(bets, dtype=np.int64)
    assert apportion_column(column, maximum, minimum, 10).tolist() == expected
    assert column.tolist() == bets


def test_no_bets_share_nothing() -> None:
    """An empty box is in order."""
    assert taisai.apportion([], maximum=100) == []
    assert apportion_column(np.zeros(0, dtype=np.int64), 100, 50, 5).tolist() == []
