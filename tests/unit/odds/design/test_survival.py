"""Ruin without a target, and the amounts for a bearable risk, against every sequence and every amount."""

from fractions import Fraction

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.cost import Budget, TooCostly, spending
from taisai.odds.design.survival import _first, bankroll_for, ruin_within, stake_for
from taisai.odds.exact import box_odds
from taisai.odds.risk import risk_of_ruin
from tests.unit.odds.naive_sessions import expected_at_end, expected_rounds, nets_of

TABLE = taisai.pay_table("tai-sai-v6/2")


@pytest.mark.parametrize(("slip", "stake", "bankroll"), [({"big": 10}, 10, 25), ({"single-2": 7}, 7, 20)])
def test_ruin_is_that_of_every_sequence(slip: dict[str, int], stake: int, bankroll: int) -> None:
    """Five rounds of every way they can fall; a bankroll that is no multiple of the stake."""
    one = nets_of(slip)

    def goes_on(net: Fraction) -> bool:
        return bankroll + net >= stake

    found = ruin_within(one, bankroll=bankroll, stake=stake, rounds=5)
    assert found.ruin.exact == expected_at_end(one, 5, lambda net: Fraction(not goes_on(net)), goes_on)
    assert found.rounds.exact == expected_rounds(one, 5, goes_on)
    assert found.final.exact == expected_at_end(one, 5, lambda net: bankroll + net, goes_on)


def test_a_goal_ends_play_as_a_target_does() -> None:
    """So many rounds that everyone has ended: the chance is the gambler's ruin."""
    found = ruin_within(nets_of({"big": 1}), bankroll=10, stake=1, rounds=4_000, goal=10)
    classic = risk_of_ruin(TABLE.box("big"), stake=1, bankroll=10, target=20)
    assert found.ruin.approx == pytest.approx(classic.ruin.approx, abs=1e-12)


@pytest.mark.parametrize("risk", [Fraction(1, 3), Fraction(1, 20), Fraction(1, 1000)])
def test_the_bankroll_is_the_first_of_all_that_serve(risk: Fraction) -> None:
    """Every bankroll from the smallest on, one by one."""
    one = nets_of({"single-3": 10})
    found = bankroll_for(one, stake=10, rounds=40, risk=risk, unit=5)
    risks = {
        amount: ruin_within(one, bankroll=amount, stake=10, rounds=40).ruin.approx
        for amount in range(10, 500, 5)
    }
    assert found.amount == min(amount for amount, chance in risks.items() if chance <= risk)
    assert found.next_amount == found.amount - 5
    assert found.next_risk is not None
    assert found.risk.approx <= risk < found.next_risk.approx


def test_the_stake_is_the_last_of_all_that_serve() -> None:
    """Every stake, one by one, and none beyond serves."""
    unit_net = box_odds(TABLE.box("sum-9")).distribution
    found = stake_for(unit_net, bankroll=300, rounds=30, risk=Fraction(1, 10))
    served = []
    for stake in range(1, 61):
        nets = {net * stake: chance for net, chance in unit_net.items()}
        if ruin_within(nets, bankroll=300, stake=stake, rounds=30).ruin.approx <= 0.1:
            served.append(stake)
    assert served == list(range(1, found.amount + 1))
    assert found.next_amount == found.amount + 1


def test_halving_finds_the_first_of_any_row() -> None:
    """Every row up to forty, every start, every answer."""
    for length in range(1, 40):
        for low in (0, 1, 7):
            for answer in range(low, low + length + 1):
                found = _first(lambda at, answer=answer: at >= answer, low, low + length)  # type: ignore[misc]  # a default binds it
                assert found == answer


def test_what_cannot_be_is_refused() -> None:
    """A stake that is always too much, a bankroll below one stake, a risk that is none, a search too long."""
    unit_net = box_odds(TABLE.box("big")).distribution
    with pytest.raises(InputError, match="even a stake of 50"):
        stake_for(unit_net, bankroll=100, rounds=1_000, risk=Fraction(1, 1000), unit=50)
    with pytest.raises(InputError, match="does not cover one stake"):
        ruin_within(nets_of({"big": 10}), bankroll=5, stake=10, rounds=5)
    with pytest.raises(InputError, match="a risk lies between"):
        bankroll_for(nets_of({"big": 10}), stake=10, rounds=5, risk=1.0)
    with spending(Budget(1e9, 0.05)), pytest.raises(TooCostly, match="fewer rounds"):
        bankroll_for(nets_of({"big": 10}), stake=10, rounds=5_000, risk=0.01)
