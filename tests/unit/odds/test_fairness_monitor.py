"""The sequential test: a martingale on fair dice, quick on loaded ones, and able to stop and go on."""

import json
from itertools import product
from math import exp, log

import numpy as np
import pytest

from taisai.dice import ROLLS, Roll
from taisai.errors import InputError
from taisai.odds.evidence.paths import evidence_over_time, first_alarms
from taisai.odds.power import roll_biased
from taisai.odds.sequential import FairnessMonitor


def watch(dice: np.ndarray, **options: object) -> tuple[FairnessMonitor, list[float]]:
    monitor = FairnessMonitor(**options)
    seen = []
    for faces in dice.tolist():
        monitor.observe(Roll(*faces))
        seen.append(monitor.log_evidence)
    return monitor, seen


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("window", [1, 2000])
def test_evidence_is_one_on_average_over_all_fair_rolls(ordered: bool, window: int) -> None:
    """Over all 216 first rolls, and over all second rolls after one, the mean evidence does not move.

    This is what Ville's inequality needs, here proved by enumeration rather than by sampling.
    """
    every = np.array([roll.faces for roll in ROLLS])
    first = np.exp(evidence_over_time(every[:, None, :], ordered=ordered, window=window)[:, 0])
    assert first.mean() == pytest.approx(1.0, abs=1e-12)
    for before in (Roll(1, 1, 1), Roll(2, 5, 6)):
        pairs = np.stack([np.broadcast_to(before.faces, every.shape), every], axis=1)
        evidence = np.exp(evidence_over_time(pairs, ordered=ordered, window=window))
        assert evidence[:, 1].mean() == pytest.approx(evidence[0, 0], rel=1e-12)


def test_a_third_roll_moves_nothing_on_average_either() -> None:
    """The same one step later, for every first roll of equal dice."""
    every = np.array([roll.faces for roll in ROLLS])
    for start in product(ROLLS[::43], ROLLS[5::71]):
        history = np.array([roll.faces for roll in start])
        rows = np.concatenate([np.broadcast_to(history, (216, 2, 3)), every[:, None, :]], axis=1)
        evidence = np.exp(evidence_over_time(rows))
        assert evidence[:, 2].mean() == pytest.approx(evidence[0, 1], rel=1e-12)


@pytest.mark.parametrize("ordered", [True, False])
def test_the_monitor_and_the_columns_agree(ordered: bool) -> None:
    """Roll by roll or all at once, in one window or in many: the same evidence."""
    dice = np.random.default_rng(5).integers(1, 7, size=(450, 3))
    for window in (100, 2000):
        monitor, seen = watch(dice, ordered=ordered, window=window)
        assert seen == pytest.approx(
            evidence_over_time(dice, ordered=ordered, window=window).tolist(), abs=1e-10
        )
        assert monitor.rolls == 450


def test_fair_tables_watched_for_long_raise_no_more_alarms_than_alpha() -> None:
    """150 tables of 2,500 fair rolls, looked at after every roll: alarms stay within 20% at alpha 20%."""
    dice = np.random.default_rng(12).integers(1, 7, size=(150, 2500, 3))
    evidence = evidence_over_time(dice, window=500)
    alarms = (first_alarms(evidence, 0.2) > 0).mean()
    assert 0 < alarms <= 0.2
    assert (first_alarms(evidence, 0.01) > 0).mean() <= 0.01 + 2 * (0.01 * 0.99 / 150) ** 0.5


def test_looking_always_with_an_ordinary_test_would_raise_false_alarms() -> None:
    """Why this test exists: a chi-square repeated after every roll at 1% alarms on far more than 1%."""
    dice = np.random.default_rng(12).integers(1, 7, size=(150, 2500, 3))
    counts = np.stack([(dice[:, :, 0] == face).cumsum(axis=1) for face in range(1, 7)], axis=-1)
    rolls = np.arange(1, 2501)[:, None]
    statistic = ((counts - rolls / 6) ** 2 / (rolls / 6)).sum(axis=-1)[:, 30:]
    assert (statistic > 15.086).any(axis=1).mean() > 0.05


def test_dice_that_turn_bad_late_are_noticed() -> None:
    """After 6,000 fair rolls a die is loaded: the alarm comes within two windows."""
    good = np.random.default_rng(3).integers(1, 7, size=(6000, 3))
    bad = roll_biased(0.15, shape=(2000,), seed=3)
    evidence = evidence_over_time(np.concatenate([good, bad]), window=1000)
    assert 6000 < int(first_alarms(evidence, 0.01)) <= 8000


@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("faces", roll_biased(0.12, shape=(600,), dice=3, seed=1)),
        ("die 2", np.roll(roll_biased(0.25, shape=(600,), dice=1, seed=1), 1, axis=1)),
        ("repeats", np.repeat(np.random.default_rng(1).integers(1, 7, size=(300, 3)), 2, axis=0)),
        ("combinations", np.repeat(np.random.default_rng(1).integers(1, 7, size=(200, 1)), 3, axis=1)),
    ],
)
def test_the_question_that_is_asked_right_talks_loudest(name: str, dice: np.ndarray) -> None:
    """A common bias, one loaded die, dice that are not tumbled, dice that move together."""
    monitor, _ = watch(dice)
    questions = monitor.evidence_by_question()
    assert max(questions, key=questions.__getitem__) == name
    assert monitor.alarmed


def test_the_alarm_is_raised_once_and_stays() -> None:
    """`observe` says True at the roll that raises it; the monitor remembers which it was."""
    monitor = FairnessMonitor(alpha=0.01)
    raised = [number for number in range(1, 40) if monitor.observe(Roll(6, 6, 6))]
    assert raised == [monitor.alarm_at]
    assert monitor.alarmed
    assert monitor.p_value <= 0.01
    assert monitor.evidence >= 100


def test_a_monitor_goes_on_where_it_was() -> None:
    """Its state survives as JSON; the rest of the rolls give the same as without the break."""
    dice = np.random.default_rng(7).integers(1, 7, size=(260, 3))
    whole, _ = watch(dice, window=50)
    half, _ = watch(dice[:123], window=50)
    again = FairnessMonitor.from_state(json.loads(json.dumps(half.state())))
    for faces in dice[123:].tolist():
        again.observe(Roll(*faces))
    assert again.state() == whole.state()
    assert exp(-again.peak_log_evidence) == pytest.approx(again.p_value)


def test_a_state_of_another_version_is_refused() -> None:
    """What cannot be understood is not guessed at."""
    with pytest.raises(InputError, match="state of version 1, got 7"):
        FairnessMonitor.from_state({"version": 7})


@pytest.mark.parametrize("options", [{"alpha": 0.0}, {"alpha": 1.5}, {"window": 0}, {"window": 2.5}])
def test_impossible_settings_are_refused(options: dict[str, float]) -> None:
    """Alpha is a chance and a window is a number of rolls."""
    with pytest.raises(InputError):
        FairnessMonitor(**options)


def test_a_roll_costs_the_same_after_many_rolls() -> None:
    """Nothing in the monitor grows with the number of rolls."""
    monitor, _ = watch(np.random.default_rng(1).integers(1, 7, size=(100, 3)), window=10)
    size = len(json.dumps(monitor.state(), default=str))
    for _ in range(400):
        monitor.observe(Roll(1, 2, 3))
    assert len(json.dumps(monitor.state(), default=str)) < 1.2 * size
    assert monitor.log_evidence > log(100)
