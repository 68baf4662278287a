"""Rebates on losses against every sequence of rounds, a naive recursion, and published examples."""

from fractions import Fraction
from math import exp, pi, sqrt

import pytest

from taisai.errors import InputError
from taisai.odds.cost import TooCostly
from taisai.odds.offers.rebate import Rebate, best_play, price_rebate
from taisai.odds.paths.stopping import best_stop
from taisai.odds.paths.walk import NetWalk, follow
from tests.unit.odds.naive_sessions import best_value, expected_at_end, expected_rounds, nets_of

SLIPS = [{"big": 100}, {"single-3": 10}, {"big": 100, "sum-9": 20}]
REBATES = [
    Rebate(Fraction(1, 10)),
    Rebate(Fraction(1, 5), threshold_minor=150),
    Rebate(Fraction(1, 4), threshold_minor=120, beyond=True),
]


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("rebate", REBATES)
def test_the_cost_is_that_of_every_sequence_of_rounds(slip: dict[str, int], rebate: Rebate) -> None:
    """Four rounds, every way they can fall, in fractions."""
    one = nets_of(slip)
    found = price_rebate(one, rebate, rounds=4)
    assert found.cost.exact == expected_at_end(one, 4, rebate.paid)
    assert found.theo.exact == expected_at_end(one, 4, lambda net: -net)
    assert found.chance_paid.exact == expected_at_end(
        one, 4, lambda net: Fraction(rebate.loss_counted(net) > 0)
    )


@pytest.mark.parametrize("rebate", REBATES)
@pytest.mark.parametrize(("win", "loss"), [(200, 100), (100, None), (None, 200), (250, 150)])
def test_quit_points_end_a_session(rebate: Rebate, win: int | None, loss: int | None) -> None:
    """Where it ends and how long it takes, against every sequence."""
    one = nets_of({"single-3": 50})

    def goes_on(net: Fraction) -> bool:
        return (win is None or net < win) and (loss is None or net > -loss)

    found = price_rebate(one, rebate, rounds=4, quit_win=win, quit_loss=loss)
    assert found.cost.exact == expected_at_end(one, 4, rebate.paid, goes_on)
    assert found.theo.exact == expected_at_end(one, 4, lambda net: -net, goes_on)
    assert found.rounds.exact == expected_rounds(one, 4, goes_on)


@pytest.mark.parametrize("rebate", REBATES)
@pytest.mark.parametrize("bankroll", [None, 230])
def test_the_best_play_is_that_of_a_naive_recursion(rebate: Rebate, bankroll: int | None) -> None:
    """The value, and that the house's loss under it is the same sum from the other side."""
    generous = Rebate(Fraction(9, 10), rebate.threshold_minor, rebate.beyond)
    one = nets_of({"single-3": 50})
    found = best_play(one, generous, rounds=6, bankroll=bankroll)
    naive = best_value(
        one,
        6,
        lambda net: net + generous.paid(net),
        lambda net: bankroll is None or net + bankroll >= 50,
    )
    assert found.value.exact == naive > 0
    assert found.price.house_keeps.exact == -naive


def test_floats_agree_with_whole_numbers_within_what_is_stated() -> None:
    """Both routes of a longer session."""
    one, rebate = nets_of({"big": 100}), Rebate(Fraction(1, 5))
    walk = NetWalk.of(one, 60, low=-1000, high=700)
    exact = follow(walk, walk.between(-1000, 700), exact=True)
    floats = follow(walk, walk.between(-1000, 700), exact=False)
    assert exact.is_exact
    assert not floats.is_exact
    assert floats.expect(rebate.paid).approx == pytest.approx(exact.expect(rebate.paid).approx, rel=1e-12)
    assert floats.rounds.approx == pytest.approx(exact.rounds.approx, rel=1e-12)
    wide = NetWalk.of(one, 40)
    values = [
        best_stop(wide, lambda net: net + rebate.paid(net), exact=route).value.approx
        for route in (False, True)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_the_normal_formula_is_the_integral_that_it_stands_for() -> None:
    """Numbers summed over a fine grid of the normal density."""
    one, rebate = nets_of({"sum-9": 100}), Rebate(Fraction(1, 10), threshold_minor=700)
    found = price_rebate(one, rebate, rounds=50).normal
    mean = float(sum(net * chance for net, chance in one.items())) * 50
    variance = float(sum(net**2 * chance for net, chance in one.items())) * 50 - mean**2 / 50
    step = 0.5
    grid = [-700 - step * (place + 0.5) for place in range(60_000)]
    paid = sum(-x * exp(-((x - mean) ** 2) / 2 / variance) for x in grid)
    assert found.cost == pytest.approx(0.1 * paid * step / sqrt(2 * pi * variance), rel=1e-6)


def test_the_published_example_of_750_hands() -> None:
    """An edge of 1.25 % at even money, 750 hands, half of the win: 28.859 % by the trade's table."""
    win = (1 - Fraction(125, 10_000)) / 2
    found = price_rebate({Fraction(1): win, Fraction(-1): 1 - win}, Rebate(Fraction(1, 10)), rounds=750)
    assert found.normal.break_even_share / 2 == pytest.approx(0.28859, abs=1e-4)
    assert found.equivalent_share(Fraction(1, 2)).approx == pytest.approx(0.28859, abs=1e-4)


def test_the_published_example_of_hit_and_run_roulette() -> None:
    """A complete bet at single-zero roulette with 15 % back: over after some 11.7 rounds, as simulated."""
    nets = {392: 1, 176: 2, 104: 2, 32: 4, -40: 28}
    one = {Fraction(net): Fraction(ways, 37) for net, ways in nets.items()}
    found = best_play(one, Rebate(Fraction(15, 100)), rounds=150)
    assert found.stop.ended.rounds.approx == pytest.approx(11.7, abs=0.3)
    assert found.value.approx > 10
    assert found.stop.bounds() == (-280, 200)


def test_break_even_shares_leave_nothing() -> None:
    """At the share found the house keeps exactly nothing; beyond the best play's share someone gains."""
    one = nets_of({"big": 100})
    share = price_rebate(one, REBATES[0], rounds=30, quit_loss=500).break_even_share.exact
    assert share is not None
    assert price_rebate(one, Rebate(share), rounds=30, quit_loss=500).house_keeps.exact == 0
    edge = Fraction(best_play(one, REBATES[0], rounds=40).break_even_share)
    assert best_play(one, Rebate(edge - Fraction(1, 500)), rounds=40).value.approx == 0
    assert best_play(one, Rebate(edge + Fraction(1, 500)), rounds=40).value.approx > 0


def test_a_transformed_distribution_prices_like_an_exact_one() -> None:
    """The route of long sessions, asked for a short one."""
    from taisai.odds.bets.nets import net_after
    from taisai.odds.offers.rebate import _below_threshold

    one = nets_of({"big": 100, "sum-9": 20})
    for rebate in REBATES:
        exact = _below_threshold(net_after(one, 40, exact=True), rebate)
        floats = _below_threshold(net_after(one, 40, exact=False), rebate)
        assert floats[0].approx == pytest.approx(exact[0].approx, abs=1e-11)
        assert floats[1].approx == pytest.approx(exact[1].approx, abs=1e-8)


def test_a_rebate_that_nobody_earns_has_no_break_even() -> None:
    """A threshold beyond all that can be lost."""
    found = price_rebate(nets_of({"big": 100}), Rebate(Fraction(1, 2), threshold_minor=10_000), rounds=5)
    assert found.cost.exact == 0
    with pytest.raises(InputError, match="lower the threshold"):
        _ = found.break_even_share


def test_what_does_not_fit_is_refused_before_it_starts() -> None:
    """Rounds without end and amounts that are none."""
    one = nets_of({"big": 100})
    with pytest.raises(TooCostly, match="fewer rounds"):
        price_rebate(one, REBATES[0], rounds=10**15, quit_loss=100)
    with pytest.raises(TooCostly):
        best_play(one, REBATES[0], rounds=10**9)
    with pytest.raises(InputError, match="between 0 and 1"):
        Rebate(Fraction(3, 2))
    with pytest.raises(InputError, match="quit point"):
        price_rebate(one, REBATES[0], rounds=5, quit_win=-1)
