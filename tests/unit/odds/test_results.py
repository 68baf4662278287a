"""Results as values: what was published cannot be altered, and `==` answers."""

from typing import Any

import numpy as np
import pytest

import taisai
from taisai import dice
from taisai.dice import ROLLS, roll_of_byte
from taisai.odds.exact import box_odds
from taisai.odds.fairness import fairness, tests
from taisai.odds.loaded import turning
from taisai.odds.mix import Mix
from taisai.odds.par.crosscheck import cross_check
from taisai.odds.risk import risk_of_ruin
from taisai.odds.simulation import simulate

TABLE = taisai.pay_table("tai-sai-v6/2")
BIG = TABLE.box("big")


@pytest.mark.parametrize(
    "view",
    [TABLE.by_id, TABLE.index, box_odds(BIG).distribution, Mix.on(TABLE, {"big": 1}).distribution],
    ids=["boxes", "places", "odds", "mix"],
)
def test_what_is_published_cannot_be_altered(view: Any) -> None:
    """Views are for reading."""
    with pytest.raises(TypeError):
        view["big"] = 1
    assert dict(view) == view


def test_no_cache_of_the_mathematics_grows_with_what_is_asked() -> None:
    """A process that answers for years keeps a bounded number of answers."""
    caches = {
        function.__qualname__: function.cache_parameters()["maxsize"]
        for module in (tests, turning, dice)
        for function in vars(module).values()
        if hasattr(function, "cache_parameters")
    }
    assert caches.pop("_completions") is None  # of no more than three dice that are known
    assert set(caches) == {"_null_statistics", "_dice", "places_in"}
    assert all(most is not None for most in caches.values())


def test_two_runs_of_one_seed_are_equal_and_of_two_are_not() -> None:
    """Simulations with a bankroll, and reports on dice."""
    runs = [simulate(TABLE, {"big": 100}, rounds=50, players=9, bankroll=900, seed=n) for n in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert runs[0].seats == runs[1].seats
    assert runs[0] != "a run"
    rolls = np.random.default_rng(1).integers(1, 7, size=(2, 90, 3))
    assert fairness(rolls[0]) == fairness(rolls[0]) != fairness(rolls[1])


def test_chains_and_agreements_can_be_compared() -> None:
    """The same question has the same chain."""
    one, same, other = (risk_of_ruin(BIG, stake=1, bankroll=5, target=t) for t in (10, 10, 11))
    assert one.chain == same.chain != other.chain
    assert one.simulate(50, seed=1) == same.simulate(50, seed=1) != one.simulate(50, seed=2)


def test_alike_players_have_no_wild_score() -> None:
    """Flat stakes are judged by their exact spread; players who all went one way by none."""
    alike = simulate(TABLE, {"big": 100}, rounds=1, players=40, bankroll=150, seed=4)
    assert alike.z_score is not None
    assert abs(alike.z_score) < 5
    certain = simulate(TABLE, {"big": 100}, rounds=1, players=40, bankroll=100, target=101, seed=4)
    assert certain.z_score is not None
    assert abs(certain.z_score) < 5
    same = simulate(TABLE, {"big": 100}, rounds=1, players=1, bankroll=100, strategy="martingale", seed=4)
    assert same.z_score is None


def test_the_cross_check_throws_the_products_dice_and_plays_its_engines() -> None:
    """Each of 216 bytes is a roll of its own; totals and paths agree with the exact edge of every box."""
    assert [roll_of_byte(byte) for byte in range(256)] == [*ROLLS, *[None] * 40]
    check = cross_check(TABLE, rounds=1_000_000, seed=3)
    names = [test.name for test in check.tests]
    assert names[3:] == ["the tables' own dice", "engine of totals", "engine of paths"]
    assert check.passes


@pytest.mark.parametrize("sessions", [3, 20])
def test_a_sound_simulation_differs_no_more_often_than_stated(sessions: int) -> None:
    """Rare ruin and few sessions, where standard scores cry wolf: one run in a thousand may differ."""
    risk = risk_of_ruin(TABLE.box("triple-1"), stake=1, bankroll=3, target=150)
    differ = sum(not risk.simulate(sessions, seed=seed).agrees for seed in range(300))
    assert differ <= 3
