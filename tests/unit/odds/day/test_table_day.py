"""A table's day against every sequence of rounds, and simulated days against the exact ones."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.cost import Budget, TooCostly, spending
from taisai.odds.day import table_day as module
from taisai.odds.day.extremes import chance_below_start, chance_of_drawdown, enough
from taisai.odds.day.players import players_worth, worth_frame
from taisai.odds.day.simulated import simulate_days
from taisai.odds.day.table_day import TableDay
from taisai.odds.mix import Mix
from taisai.odds.theory import BetMade

TABLE = taisai.pay_table("tai-sai-v6/2")
MIXES = [Mix.on(TABLE, {"big": 100}), Mix.on(TABLE, {"single-3": 50})]
TOGETHER = Mix(MIXES[0].bets + MIXES[1].bets)


def paths(day: TableDay, rounds: int) -> list[tuple[list[Fraction], Fraction]]:
    """Every course that so many rounds can take, the house's running net, and its chance."""
    found = []
    for path in product(day.house_net.items(), repeat=rounds):
        net, course = Fraction(0), []
        for gained, _ in path:
            net += gained
            course.append(net)
        found.append((course, prod(chance for _, chance in path)))
    return found


def test_two_rounds_of_a_record_are_drawn_alike() -> None:
    """The net of a round is that of either, with a half each; the handle their mean."""
    day = TableDay.of(MIXES, 3)
    assert day.handle == 75
    for net, chance in day.house_net.items():
        halves = sum((mix.distribution.get(-net, Fraction(0)) for mix in MIXES), Fraction(0)) / 2
        assert chance == halves


def test_win_float_and_drawdown_are_those_of_every_course() -> None:
    """Four rounds, every way they can fall."""
    day = TableDay.of([TOGETHER], 4)
    every = paths(day, 4)
    win = day.win()
    assert win.method == "exact"
    assert win.theo == sum(course[-1] * chance for course, chance in every) == win.handle * TOGETHER.edge
    loses = float(sum(chance for course, chance in every if course[-1] < 0))
    assert win.chance_of_loss == pytest.approx(loses, abs=1e-14)
    for amount in (Fraction(0), Fraction(50), Fraction(120), Fraction(400)):
        below = sum(chance for course, chance in every if min(course) < -amount)
        assert chance_below_start(day.house_net, 4, amount)[0] == pytest.approx(float(below), abs=1e-13)
        fell = sum(
            chance
            for course, chance in every
            if max(max([0, *course[:at]]) - each for at, each in enumerate(course)) > amount
        )
        assert chance_of_drawdown(day.house_net, 4, amount)[0] == pytest.approx(float(fell), abs=1e-13)


def test_the_float_is_the_smallest_that_is_enough() -> None:
    """One step less is not; and neither for drawdowns."""
    day = TableDay.of([TOGETHER], 60)
    for found, ask in (
        (day.float_needed(Fraction(1, 100)), chance_below_start),
        (day.drawdown(Fraction(1, 100)), chance_of_drawdown),
    ):
        assert found is not None
        assert ask(day.house_net, 60, found.amount)[0] == found.chance_beyond <= 0.01
        assert ask(day.house_net, 60, found.amount - 50)[0] > 0.01
    assert enough(lambda amount: (0.0, 0.0), Fraction(1), 0.5).amount == 0


def test_simulated_days_agree_with_exact_ones() -> None:
    """Mean win, the float and the drawdown lie within what the simulation says of itself."""
    day = TableDay.of([TOGETHER], 100)
    runs = simulate_days([MIXES], rounds=100, days=4_000, seed=7)
    wide = 3.0  # intervals are of 95 %: three times as wide leaves chance no say
    mean = runs.mean(runs.win)
    assert abs(mean.value - float(day.win().theo)) < wide * (mean.high - mean.value)
    risk = Fraction(1, 20)
    for column, exact in ((runs.lowest, day.float_needed(risk)), (runs.drawdown, day.drawdown(risk))):
        assert exact is not None
        found = runs.quantile(column, 0.95)
        assert found.value - wide * (found.value - found.low) <= exact.amount
        assert exact.amount <= found.value + wide * (found.high - found.value)
    again = simulate_days([MIXES], rounds=100, days=4_000, seed=7)
    assert np.array_equal(again.win, runs.win)


def test_the_drop_is_what_a_loop_over_rounds_buys() -> None:
    """Player by player and round by round, with the same dice."""
    from taisai.odds.bets.outcomes import OUTCOMES
    from taisai.odds.day.simulated import _FACE_OF

    runs = simulate_days([MIXES], rounds=50, days=20, seed=3, buy_in=300)
    fell = _FACE_OF[np.random.default_rng(3).integers(0, 216, (20, 50))]
    for place in range(20):
        drop = win = Fraction(0)
        for mix in MIXES:
            bank = Fraction(0)
            for outcome in fell[place]:
                while bank < mix.stake_minor:
                    bank += 300
                    drop += 300
                bank += mix.net_on(OUTCOMES[outcome])
                win -= mix.net_on(OUTCOMES[outcome])
        assert runs.drop is not None
        assert runs.hold_on_drop is not None
        assert (runs.drop[place], runs.win[place]) == (drop, win)
        assert runs.hold_on_drop[place] == pytest.approx(float(win / drop))


def test_recorded_rounds_are_drawn_with_the_dice() -> None:
    """A round of each kind, half of the time: the mean is that of both."""
    runs = simulate_days([[MIXES[0]], [MIXES[1]]], rounds=100, days=3_000, seed=5)
    day = TableDay.of(MIXES, 100)
    found = runs.mean(runs.win)
    assert abs(found.value - float(day.win().theo)) < 3 * (found.high - found.value)


def test_what_no_list_holds_is_normal_and_says_how_far_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quantiles of the normal route lie where those of the exact one do, within its error."""
    day = TableDay.of([TOGETHER], 2_000)
    exact = day.win()

    def refuse(*_: object) -> None:
        raise TooCostly("too many nets")

    monkeypatch.setattr(module, "net_after", refuse)
    found = day.win()
    assert found.method == "normal"
    assert 0 < found.error < 0.05
    assert abs(found.chance_of_loss - exact.chance_of_loss) <= found.error
    assert found.quantiles[Fraction(1, 2)] == pytest.approx(exact.quantiles[Fraction(1, 2)], abs=100)


def test_players_are_worth_their_edge_on_all_they_staked() -> None:
    """By hand, over two rounds; the most valuable first."""
    bets = [
        BetMade("T1", 1, "ann", "big", 100),
        BetMade("T1", 2, "ann", "big", 300),
        BetMade("T1", 1, "bob", "sum-9", 540),
    ]
    found = players_worth(bets, TABLE, comp_share=Fraction(1, 4))
    assert [(each.player, each.theo) for each in found] == [("bob", 40), ("ann", Fraction(400, 36))]
    assert (found[1].average_bet, found[1].rounds, found[1].comps) == (200, 2, Fraction(100, 36))
    assert worth_frame(found)["handle_minor"] == [540, 400]
    with pytest.raises(InputError, match="between 0 and 1"):
        players_worth(bets, TABLE, comp_share=Fraction(2))


def test_what_cannot_be_played_is_refused() -> None:
    """No bets, no days, a drop of recorded rounds, days without end."""
    with pytest.raises(InputError, match="at least one round"):
        TableDay.of([], 5)
    with pytest.raises(InputError, match="at least one round"):
        simulate_days([], rounds=5, days=5, seed=1)
    with pytest.raises(InputError, match="stay all day"):
        simulate_days([MIXES, MIXES], rounds=5, days=5, seed=1, buy_in=100)
    with spending(Budget(1e9, 1.0)), pytest.raises(TooCostly, match="fewer days"):
        simulate_days([MIXES], rounds=10_000, days=100_000, seed=1)
