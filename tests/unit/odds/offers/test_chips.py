"""Coupons, chips and credit against published figures and plain sums."""

from fractions import Fraction

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.offers.chips import bonus_with_turnover, free_chip, match_play
from tests.unit.odds.naive_sessions import expected_at_end, expected_rounds, nets_of

RED = {Fraction(1): Fraction(18, 38), Fraction(-1): Fraction(20, 38)}
STRAIGHT = {Fraction(35): Fraction(1, 38), Fraction(-1): Fraction(37, 38)}
# Eight decks: the chances of Banker, Player and a tie.
BANKER, PLAYER, TIE = Fraction(458597, 10**6), Fraction(446247, 10**6), Fraction(95156, 10**6)


@pytest.mark.parametrize(
    ("net", "published"),
    [
        (RED, "42.11"),
        (STRAIGHT, "86.84"),
        ({Fraction(1): PLAYER, Fraction(0): TIE, Fraction(-1): BANKER}, "47.95"),
        ({Fraction(95, 100): BANKER, Fraction(0): TIE, Fraction(-1): PLAYER}, "46.98"),
        ({Fraction(8): TIE, Fraction(-1): BANKER + PLAYER}, "61.77"),
        ({Fraction(1): Fraction(18, 37), Fraction(-1): Fraction(19, 37)}, "45.95"),
    ],
)
def test_match_play_is_worth_what_is_published(net: dict[Fraction, Fraction], published: str) -> None:
    """A coupon of 100 beside 100: roulette, and baccarat where a push leaves it on the table."""
    found = match_play(net, stake=100, coupon=100)
    assert f"{float(found.with_own_stake):.2f}" == published


def test_a_coupon_costs_what_it_adds() -> None:
    """The worth of stake and coupon together, less that of the stake alone; any stake will do."""
    net = taisai.box_odds(taisai.pay_table("tai-sai-v6/2").box("single-4")).distribution
    mean = sum(gain * chance for gain, chance in net.items())
    for stake in (50, 100, 700):
        found = match_play(net, stake=stake, coupon=200)
        assert found.worth == found.with_own_stake - stake * mean
        assert found.worth == 200 * sum(gain * chance for gain, chance in net.items() if gain > 0)
        assert found.share_of_face == found.worth / 200


def test_a_chip_that_plays_until_it_loses_is_a_sum_of_its_bets() -> None:
    """Sixty terms of the series, which is all that a float can see."""
    net = taisai.box_odds(taisai.pay_table("tai-sai-v6/2").box("big")).distribution
    win = net[Fraction(1)]
    once = free_chip(net, face=100, taken="always")
    until = free_chip(net, face=100, taken="on a loss")
    assert once.worth == 100 * win
    assert float(until.worth) == pytest.approx(sum(100 * float(win) ** bets for bets in range(1, 60)))
    assert float(until.plays) == pytest.approx(sum(float(win) ** bets for bets in range(60)))


def test_a_bonus_is_what_every_sequence_leaves() -> None:
    """Three stakes of credit to be staked six times, ruin on the way included."""
    one = nets_of({"big": 100})

    def goes_on(net: Fraction) -> bool:
        return net + 300 >= 100

    found = bonus_with_turnover(one, bonus=300, stake=100, turnover=600)
    assert found.worth.exact == expected_at_end(one, 6, lambda net: 300 + net, goes_on)
    assert found.ruin.exact == expected_at_end(one, 6, lambda net: Fraction(net + 300 < 100), goes_on)
    assert found.rounds.exact == expected_rounds(one, 6, goes_on)
    assert found.simple == 300 - Fraction(600, 36)
    assert found.worth.exact is not None
    assert found.worth.exact > found.simple


def test_what_is_no_chip_is_refused() -> None:
    """Amounts that are none, a turnover that is no multiple, a bet that cannot lose."""
    with pytest.raises(InputError, match="a coupon"):
        match_play(RED, stake=1, coupon=0)
    with pytest.raises(InputError, match="multiple of the stake 100"):
        bonus_with_turnover(nets_of({"big": 100}), bonus=300, stake=100, turnover=250)
    with pytest.raises(InputError, match="no use for a chip"):
        free_chip({Fraction(1): Fraction(1)}, face=5, taken="always")
