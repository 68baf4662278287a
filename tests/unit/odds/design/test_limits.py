"""Maxima that bound the house's loss, against all sequences of rounds and all rolls."""

from fractions import Fraction

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.design.limits import box_maximum, limits_for_loss
from taisai.odds.exact import box_odds
from taisai.odds.liability import box_maxima, liabilities
from tests.unit.odds.naive_sessions import expected_at_end

TABLE = taisai.pay_table("sic-bo-etg-v8/1")


@pytest.mark.parametrize("box", ["big", "single-2", "sum-9"])
def test_a_maximum_is_the_largest_that_keeps_the_risk(box: str) -> None:
    """Four rounds of every way they can fall: it holds, and with one more it does not."""
    unit_net, bound, risk = box_odds(TABLE.box(box)).distribution, 1_000, Fraction(1, 50)
    found = box_maximum(TABLE, box, bound, 4, risk, 1)
    assert found is not None

    def exceeds(stake: int) -> Fraction:
        return expected_at_end(unit_net, 4, lambda net: Fraction(net * stake > bound))

    assert exceeds(found) <= risk < exceeds(found + 1)


def test_no_roll_costs_more_than_the_bound() -> None:
    """Every box full, on each of the 56 outcomes, under the smaller of both limits."""
    found = limits_for_loss(TABLE, 100_000, rounds=100, unit=10)
    worst = liabilities(TABLE, box_maxima(TABLE, found.maxima)).worst.house_pays
    assert worst <= found.worst_roll <= 100_000
    for name, most in found.maxima.items():
        assert most % 10 == 0
        other = found.many_rounds[name]
        assert most == found.one_roll[name] if other is None else min(other, found.one_roll[name])


def test_a_box_that_never_wins_so_much_needs_no_limit() -> None:
    """After very many rounds of a losing game nobody is ahead any more."""
    assert box_maximum(TABLE, "big", 1_000, 20_000, Fraction(1, 20), 1) is None


def test_wrong_bounds_are_refused() -> None:
    """Nothing, and less than nothing."""
    with pytest.raises(InputError, match="a bound"):
        limits_for_loss(TABLE, 0)
    with pytest.raises(InputError, match="a risk"):
        limits_for_loss(TABLE, 100, rounds=5, risk=0.0)
    with pytest.raises(InputError, match="a chip unit"):
        limits_for_loss(TABLE, 100, unit=0)
