"""The learning environment: passes Gymnasium's checker, pays as the pay table does, and tells the truth."""

from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import taisai
from taisai.errors import InputError, UnknownName
from taisai.odds.environment import SicBoEnv, chip_nets, register_environment


@pytest.mark.parametrize("pay_table", ["tai-sai-v6/2", "tai-sai-v6/3", "sic-bo-etg-v8/1"])
def test_gymnasiums_checker_passes(pay_table: str) -> None:
    """Spaces, seeding, resets and steps are as Gymnasium wants them, without a warning."""
    env = gymnasium.make(register_environment(), pay_table=pay_table, disable_env_checker=True)
    check_env(env.unwrapped)


def test_a_chip_on_every_box_pays_what_the_pay_table_says() -> None:
    """All boxes on all 216 rolls, against the table itself."""
    table = taisai.pay_table("sic-bo-etg-v8/2")
    nets = chip_nets(table, 2)
    for row, box in enumerate(table.boxes):
        expected = [
            -2 if (pays := box.pays_on(roll)) is None else int(2 * pays) for roll in taisai.dice.ROLLS
        ]
        assert nets[row].tolist() == expected


def test_walking_away_ends_the_episode_with_nothing() -> None:
    """The best there is: reward zero, terminated, and the bankroll as it was."""
    env = SicBoEnv(bankroll=5_000)
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(env.walk_away())
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert seen["bankroll"].tolist() == [5_000]
    assert info["walked_away"]
    assert info["best_expected_net_per_chip"] == "0"


def test_info_carries_the_exact_expected_net() -> None:
    """Three chips on big and one on a pair: minus 100/36 a chip on big, and the pair's own edge."""
    env = SicBoEnv(chip=100)
    env.reset(seed=1)
    *_, info = env.step(env.chips_on({"big": 3, "pair-113": 1}))
    assert info["staked_minor"] == 400
    assert info["expected_net"] == {"exact": "-75/2", "float": -37.5}


def test_no_action_has_an_expected_net_above_zero() -> None:
    """Whatever is staked, on any box of any approved table, the mean is a loss."""
    for rulebook in taisai.shipped_rulebooks():
        for table in taisai.rulebook(rulebook).pay_tables:
            env = SicBoEnv(table, chip=table.unit * 2)
            for box in table.boxes:
                assert env.expected_net(env.chips_on({box.id: 1})) < 0


def test_rewards_have_the_expected_mean() -> None:
    """Two thousand rounds of big: the mean reward lies within four standard errors of the exact one."""
    env = SicBoEnv(bankroll=10**9, rounds=2_000, chip=100)
    env.reset(seed=4)
    action = env.chips_on({"big": 1})
    rewards = [env.step(action)[1] for _ in range(2_000)]
    assert abs(np.mean(rewards) + 100 / 36) < 4 * 100 / 2_000**0.5
    assert set(rewards) == {100.0, -100.0}


def test_a_slip_beyond_the_bankroll_is_refused_and_the_round_passes() -> None:
    """Nothing is staked, nothing is lost, and the dice still fall."""
    env = SicBoEnv(bankroll=500, chip=100)
    env.reset(seed=1)
    seen, reward, terminated, _, info = env.step(env.chips_on({"big": 6}))
    assert (reward, terminated, info["refused"], info["staked_minor"]) == (0.0, False, True, 0)
    assert seen["rounds_left"].tolist() == [199]
    assert seen["dice"].min() >= 1


def test_an_episode_ends_in_ruin_or_after_its_rounds() -> None:
    """Terminated when a chip is no longer covered; truncated when the rounds are over."""
    env = SicBoEnv(bankroll=100, chip=100, rounds=500)
    env.reset(seed=2)
    terminated, steps = False, 0
    while not terminated:
        seen, _, terminated, truncated, _ = env.step(env.chips_on({"any-triple": 1}))
        steps += 1
        assert not truncated
    assert seen["bankroll"].tolist() == [0]
    env = SicBoEnv(rounds=3)
    env.reset(seed=2)
    ends = [env.step(env.chips_on({}))[3] for _ in range(3)]
    assert ends == [False, False, True]


def test_the_same_seed_gives_the_same_dice() -> None:
    """Reset with a seed, and the episode repeats."""

    def dice(seed: int) -> list[Any]:
        env = SicBoEnv()
        env.reset(seed=seed)
        return [env.step(env.chips_on({}))[0]["dice"].tolist() for _ in range(20)]

    assert dice(1) == dice(1) != dice(2)


def test_rendering_says_where_the_episode_stands() -> None:
    """One line of text, in the mode that was asked for."""
    env = SicBoEnv(render_mode="ansi", bankroll=700)
    env.reset(seed=1)
    assert env.render() == "dice 0-0-0  bankroll 700  rounds left 200"
    assert SicBoEnv().render() is None


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"bankroll": 50}, "a bankroll covers a chip of 100"),
        ({"chip": 0}, "a stake is above zero, got 0"),
        ({"pay_table": "sic-bo-etg-v8/1", "chip": 1}, "no whole number of minor units"),
        ({"chips_max": 0}, "chips_max is a whole number from 1"),
        ({"rounds": 0}, "rounds is a whole number from 1"),
        ({"render_mode": "human"}, "expected a render mode of 'ansi' or none, got 'human'"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, Any], complaint: str) -> None:
    """One clear error for each."""
    with pytest.raises(InputError, match=complaint):
        SicBoEnv(**options)


def test_impossible_actions_are_refused() -> None:
    """An action of the wrong shape or an unknown box."""
    env = SicBoEnv()
    env.reset(seed=1)
    with pytest.raises(InputError, match="expected an action of MultiDiscrete"):
        env.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(UnknownName):
        env.chips_on({"bigg": 1})
    with pytest.raises(InputError, match="expected an action of MultiDiscrete"):
        env.step(np.full(len(env.pay_table.boxes) + 1, 0.5))  # type: ignore[arg-type]  # what it must refuse
    for chips in (1.5, Fraction(1, 2), -1):
        with pytest.raises(InputError, match="chips on big is a whole number from 0"):
            env.chips_on({"big": chips})  # type: ignore[dict-item]  # what it must refuse


def test_an_episode_that_is_over_takes_no_step() -> None:
    """After walking away, after the last round, and after ruin; a reset begins anew."""
    env = SicBoEnv(rounds=1)
    for last in (env.walk_away(), env.chips_on({"big": 1})):
        env.reset(seed=1)
        env.step(last)
        with pytest.raises(InputError, match="the episode is over: call reset"):
            env.step(last)
    env.reset(seed=1)
    env.step(env.walk_away())
