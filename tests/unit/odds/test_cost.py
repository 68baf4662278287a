"""What a computation takes is said before it starts, and what does not fit is refused."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import taisai
from taisai.errors import InputError, brief
from taisai.money import AMOUNT_MINOR_MAX, check_stake
from taisai.odds.bets.nets import net_after
from taisai.odds.bounds import COUNT_MAX, check_amount, check_count, check_seed
from taisai.odds.cost import (
    Budget,
    Cost,
    TooCostly,
    afford,
    machine_budget,
    say_bytes,
    say_seconds,
    spending,
    telling,
)
from taisai.odds.mix import Mix
from taisai.odds.risk import risk_of_ruin
from taisai.odds.simulation import simulate

TABLE = taisai.pay_table("tai-sai-v6/2")
BIG = TABLE.box("big")
SMALL = Budget(memory_bytes=1e6, seconds=1.0)


def test_what_fits_is_let_through_and_what_does_not_is_refused() -> None:
    """Memory and time, each with what there is and how to ask for less."""
    with spending(SMALL):
        afford("a thing", Cost(memory_bytes=1e6, seconds=1.0), less="ask for less")
        with pytest.raises(TooCostly, match="a thing would take 2 MiB of memory, and 1 MiB may be used: ask"):
            afford("a thing", Cost(memory_bytes=2e6), less="ask for less")
        with pytest.raises(TooCostly, match=r"2 minutes, and 1\.0 s are allowed: .* TAISAI_MATHS_SECONDS"):
            afford("a thing", Cost(seconds=120), less="ask for less")


def test_a_cost_is_told_before_it_is_spent() -> None:
    """Whoever listens hears of what is no trifle, and of nothing that is refused."""
    heard: list[str] = []
    with telling(lambda what, cost: heard.append(f"{what}: {cost}")):
        afford("little", Cost(seconds=0.1), less="")
        afford("much", Cost(seconds=10, memory_bytes=2**30), less="")
        with spending(SMALL), pytest.raises(TooCostly):
            afford("too much", Cost(seconds=10), less="")
    assert heard == ["much: 10.0 s and 1.0 GiB"]


def test_the_settings_of_the_environment_go_before_the_machine() -> None:
    """A number above zero each; anything else is said."""
    set_by_hand = machine_budget({"TAISAI_MATHS_SECONDS": "5", "TAISAI_MATHS_MIB": "100"})
    assert set_by_hand == Budget(memory_bytes=100 * 2**20, seconds=5.0)
    assert 0 < machine_budget({}).memory_bytes < 2**60
    for raw in ("x", "-1", "nan", "inf", "0"):
        with pytest.raises(InputError, match="TAISAI_MATHS_SECONDS is a number above zero"):
            machine_budget({"TAISAI_MATHS_SECONDS": raw})


def test_sizes_and_times_are_said_for_people() -> None:
    """In the unit that fits."""
    assert [say_bytes(size) for size in (3e8, 6.6e9)] == ["286 MiB", "6.1 GiB"]
    assert [say_seconds(time) for time in (3, 200, 1e5, 1e7)] == [
        "3.0 s",
        "3 minutes",
        "28 hours",
        "116 days",
    ]
    assert say_seconds(1e20) == "over a million years"


def test_one_bound_for_money_and_one_for_counts() -> None:
    """Whole numbers within them; what came is told in brief, however long it is."""
    assert check_stake(AMOUNT_MINOR_MAX) == check_amount("a stake", AMOUNT_MINOR_MAX) == 2**53 - 1
    for wrong in (0, -1, 1.5, AMOUNT_MINOR_MAX + 1, 10**400, 10**9999, True):
        with pytest.raises(InputError) as caught:
            check_amount("a stake", wrong)
        assert len(str(caught.value)) < 160
        with pytest.raises(InputError):
            check_stake(wrong)
    for wrong in (0, COUNT_MAX + 1, 10**9999, None):
        with pytest.raises(InputError):
            check_count("rounds", wrong)
    for wrong in (-1, 2**63, 1.0):
        with pytest.raises(InputError, match="a seed is a whole number, zero or above"):
            check_seed(wrong)


def test_what_came_is_repeated_in_brief() -> None:
    """One short line, in signs that any screen has."""
    assert brief("big") == "'big'"
    assert brief("9" * 5_000).endswith("… (5002 signs)")
    assert brief(10**9999) == "a number of 33216 bits"
    assert brief("\udcff").encode("utf-8")


# --- computations ---------------------------------------------------------------------------------------


def test_few_rounds_of_stakes_without_a_common_divisor_are_listed() -> None:
    """Three nets in one round are three, not the five thousand million places between them."""
    mix = Mix.on(TABLE, {"triple-1": 30_000_001, "sum-9": 1})
    after = mix.after(1)
    assert len(after) == 3
    assert dict(zip(map(after.net, range(3)), after.weights or [], strict=True)) == {
        net: chance * 216 for net, chance in mix.distribution.items()
    }
    assert after.chance_ahead.exact == Fraction(1, 216)
    assert after.quantile(Fraction(1, 2)) == -30_000_002
    ten = Mix.on(TABLE, {"triple-1": 30_001, "sum-9": 1}).after(3)
    dense = net_after(Mix.on(TABLE, {"triple-1": 30_001, "sum-9": 1}).distribution, 3, exact=False)
    assert ten.chance_at_most(-60_000).approx == pytest.approx(dense.chance_at_most(-60_000).approx)
    assert ten.chance_even.approx == pytest.approx(dense.chance_even.approx, abs=1e-12)


def test_many_rounds_of_such_stakes_are_refused_before_memory_is_asked_for() -> None:
    """The way to ask for less is in the line."""
    with pytest.raises(InputError, match="ask for fewer rounds or use stakes with a larger common divisor"):
        Mix.on(TABLE, {"triple-1": 30_000_001, "sum-9": 1}).after(1000)
    with spending(SMALL), pytest.raises(TooCostly, match="the exact net of 30000 rounds would take"):
        Mix.on(TABLE, {"big": 1}).after(30_000, exact=True)


@pytest.mark.parametrize("rounds", [1_999, 2_001, 100_000, 10_000_000])
def test_the_transform_is_as_exact_as_it_says(rounds: int) -> None:
    """Against the binomial distribution, at ten million rounds too; every chance and every sum of chances."""
    after = net_after(Mix.on(TABLE, {"big": 1}).distribution, rounds, exact=False)
    wins = np.unique(np.linspace(0.47 * rounds, 0.50 * rounds, 400).astype(np.int64))
    assert after.error < 1e-12
    assert np.abs(after.chances[wins] - binom.pmf(wins, rounds, 105 / 216)).max() < after.error
    nets = [after.chance_at_most(int(2 * each - rounds)).approx for each in wins]
    # The reference is itself a float computation with an error of its own.
    assert np.abs(np.array(nets) - binom.cdf(wins, rounds, 105 / 216)).max() < after.error + 2e-14


def test_play_that_is_over_is_not_followed_any_further() -> None:
    """A thousand million rounds of a hundred chips end when nobody is left."""
    risk = risk_of_ruin(BIG, stake=1, bankroll=20, target=40)
    ended = risk.within(10**9)
    assert ended["ruin"] == pytest.approx(risk.ruin.approx, abs=1e-12)
    assert ended["still_playing"] < 1e-14
    big = risk_of_ruin(BIG, stake=1, bankroll=20_000, target=40_000)
    with pytest.raises(TooCostly, match="1,000,000,000 rounds of 39,999 states would take"):
        big.within(10**9)


def test_a_simulation_stops_when_nobody_is_left() -> None:
    """As many rounds as one likes, of players who are ruined within some thousand."""
    run = simulate(TABLE, {"big": 100}, rounds=10**15, players=20, bankroll=1_000, seed=1)
    assert (run.rounds_done, run.interrupted) == (10**15, False)
    assert (run.seats.bank < 100).all()
    assert (run.fan[-1] == run.seats.bank[: run.fan.shape[1]]).all()


def test_simulations_that_do_not_fit_are_refused_before_they_start() -> None:
    """By memory, by time, and by what 64 bits can count."""
    with spending(Budget(memory_bytes=1e9, seconds=1e9)), pytest.raises(TooCostly, match="memory"):
        simulate(TABLE, {"big": 1}, rounds=10, players=50_000_000, bankroll=9, strategy="labouchere")
    with spending(SMALL), pytest.raises(TooCostly, match=r"allowed: ask for fewer players or rounds"):
        simulate(TABLE, {"big": 1}, rounds=10**9, players=1_000, bankroll=10**9)
    with pytest.raises(InputError, match="more than can be counted"):
        simulate(TABLE, {"triple-1": AMOUNT_MINOR_MAX, "triple-2": AMOUNT_MINOR_MAX * 2 // 2}, rounds=10**3)
    risk = risk_of_ruin(TABLE.box("triple-1"), stake=2**45, bankroll=2**46, target=AMOUNT_MINOR_MAX)
    assert risk.simulate(50, seed=1).sample.sessions == 50
