"""Theoretical win from the bets made, hold bands for a shift, and the flag."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pyarrow as pa
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError, UnknownName
from taisai.odds.theory import BetMade, hold_frame, theory, theory_by

LIVE = taisai.pay_table("tai-sai-v6/2")
ETG = taisai.pay_table("sic-bo-etg-v8/2")


def shift(rounds: int) -> Iterator[BetMade]:
    """Two players at one table; Ann bets big and a total, Bo the same triple every other round."""
    for number in range(rounds):
        yield BetMade("T1", number, "ann", "big", 100)
        yield BetMade("T1", number, "ann", "sum-9", 20)
        if number % 2:
            yield BetMade("T1", number, "bo", "triple-1", 10)


def test_theoretical_win_is_each_stake_times_its_edge() -> None:
    """Exact, for all bets and for each player at each table."""
    whole = theory(shift(100), LIVE)
    ann = 100 * (100 * Fraction(1, 36) + 20 * Fraction(2, 27))
    bo = 50 * 10 * Fraction(35, 216)
    assert whole.win == ann + bo
    assert whole.handle_minor == 100 * 120 + 50 * 10
    assert whole.hold == (ann + bo) / 12_500
    each = theory_by(shift(100), LIVE)
    assert {key: found.win for key, found in each.items()} == {("T1", "ann"): ann, ("T1", "bo"): bo}
    assert each["T1", "ann"].bets == 200


def test_the_spread_knows_that_one_rounds_bets_ride_on_the_same_dice() -> None:
    """Big and small of one round cancel; in two rounds they do not."""
    together = theory([BetMade("T1", 1, "a", "big", 10), BetMade("T1", 1, "b", "small", 10)], LIVE)
    apart = theory([BetMade("T1", 1, "a", "big", 10), BetMade("T1", 2, "b", "small", 10)], LIVE)
    assert together.win == apart.win
    assert together.variance == Fraction(6, 216) * Fraction(210, 216) * 400
    assert apart.variance == 2 * 100 * taisai.box_odds(LIVE.box("big")).variance


def test_tables_with_other_odds_are_each_judged_by_their_own() -> None:
    """8 to 1 at one table, 8½ at the other."""
    bets = [BetMade("L", 1, "a", "sum-8", 2), BetMade("E", 1, "a", "sum-8", 2)]
    by_table = theory_by(bets, {"L": LIVE, "E": ETG}, key=lambda bet: bet.table)
    assert by_table["L"].hold == Fraction(1, 8)
    assert by_table["E"].hold == Fraction(11, 144)
    with pytest.raises(UnknownName, match="unknown table 'X'"):
        theory([BetMade("X", 1, "a", "big", 1)], {"L": LIVE})


def test_the_exact_band_holds_its_level_and_no_narrower_one_does() -> None:
    """At most 2½ % lie outside on either side, and one step inwards leaves more."""
    found = theory([BetMade("T", k, "a", "big", 1) for k in range(60)], LIVE)
    band = found.band(0.95)
    assert band.method == "exact"
    chances = dict(_binomial(60).items())
    below = sum(chance for net, chance in chances.items() if net < band.low)
    above = sum(chance for net, chance in chances.items() if net > band.high)
    assert below <= Fraction(25, 1000) < below + chances[band.low]
    assert above <= Fraction(25, 1000) < above + chances[band.high]


def _binomial(rounds: int) -> dict[Fraction, Fraction]:
    """The house's net after unit bets on big."""
    nets = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        following: dict[Fraction, Fraction] = {}
        for net, chance in nets.items():
            for by, share in ((1, Fraction(37, 72)), (-1, Fraction(35, 72))):
                following[net + by] = following.get(net + by, Fraction(0)) + chance * share
        nets = following
    return nets


def test_the_normal_band_is_near_the_exact_one_for_a_long_shift() -> None:
    """For hundreds of rounds both say the same within a few chips."""
    found = theory(shift(400), LIVE)
    exact, normal = found.band(exact=True), found.band(exact=False)
    assert (exact.method, normal.method) == ("exact", "normal")
    spread = found.standard_deviation
    assert abs(float(exact.low - normal.low)) < 0.2 * spread
    assert abs(float(exact.high - normal.high)) < 0.2 * spread
    assert normal.low_hold < float(found.hold) < normal.high_hold


def test_a_large_shift_is_judged_by_the_normal_band() -> None:
    """The method is chosen by size, and said."""
    bets = [BetMade("T", k, "a", "triple-1", 1000 + k) for k in range(300)]
    assert theory(bets, LIVE).band().method == "normal"


def test_the_flag_goes_up_about_as_often_as_it_should() -> None:
    """Of simulated shifts of fair dice, about one in twenty leaves its 95 % band."""
    random, flagged, shifts = Random(17), 0, 400
    bets = list(shift(40))
    found = theory(bets, LIVE)
    band = found.band(0.95)
    for _ in range(shifts):
        won = 0
        for number in range(40):
            roll = random.choice(ROLLS)
            for bet in bets[slice(*_of_round(bets, number))]:
                pays = LIVE.box(bet.box).pays_on(roll)
                won += bet.stake_minor if pays is None else -int(bet.stake_minor * pays)
        flagged += band.judge(won) != "within"
    assert 4 <= flagged <= 40


def _of_round(bets: list[BetMade], number: int) -> tuple[int, int]:
    places = [place for place, bet in enumerate(bets) if bet.round == number]
    return places[0], places[-1] + 1


def test_wins_outside_the_band_are_flagged() -> None:
    """Above, below and within, with how many standard deviations it is."""
    found = theory(shift(100), LIVE)
    band = found.band()
    assert band.judge(int(band.high) + 1) == "above"
    assert band.judge(int(band.low) - 1) == "below"
    assert band.judge(int(found.win)) == "within"
    assert abs(found.z(int(found.win))) < 0.01
    frame = hold_frame(theory_by(shift(100), LIVE), {("T1", "ann"): 10**6})
    assert frame["verdict"] == ["above", None]
    assert pa.table(frame).num_rows == 2


def test_theory_refuses_what_makes_no_sense() -> None:
    """No bets, bad stakes, unknown boxes, odd levels."""
    with pytest.raises(InputError, match="needs at least one bet"):
        theory([], LIVE)
    with pytest.raises(InputError, match="a stake is above zero"):
        theory([BetMade("T", 1, "a", "big", 0)], LIVE)
    with pytest.raises(UnknownName, match="unknown box"):
        theory([BetMade("T", 1, "a", "bog", 1)], LIVE)
    with pytest.raises(InputError, match="level lies between 0 and 1"):
        theory(shift(1), LIVE).band(95)
