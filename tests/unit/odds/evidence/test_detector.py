"""Dice that turn bad late: how long fair ones run, how soon others are found, and what is said of them."""

import numpy as np
import pytest

from taisai.dice import ROLLS, Roll
from taisai.errors import InputError
from taisai.odds.evidence.detector import ChangeDetector, first_changes, suspicions
from taisai.odds.evidence.paths import evidence_over_time, first_alarms
from taisai.odds.power import roll_biased


def fair(tables: int, rolls: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 7, size=(tables, rolls, 3))


@pytest.mark.parametrize("ordered", [True, False])
def test_every_suspicion_is_a_fair_bet(ordered: bool) -> None:
    """Over the 216 rolls, after any roll, money is multiplied by one on average."""
    for each in suspicions(ordered=ordered):
        mean = 0.0
        for roll in ROLLS:
            factor = float(np.prod([each.by_face[die, face] for die, face in enumerate(roll.faces)]))
            factor *= each.on_triple if roll.is_triple else each.off_triple
            if each.repeat:
                again = [6 * each.repeat if face == 2 else 6 * (1 - each.repeat) / 5 for face in roll.faces]
                factor *= float(np.prod(again))
            mean += factor / 216
        assert mean == pytest.approx(1.0), each.name
    assert sum(each.weight for each in suspicions(ordered=ordered)) == pytest.approx(1.0)


@pytest.mark.parametrize("ordered", [True, False])
def test_fair_dice_run_as_long_as_is_stated(ordered: bool) -> None:
    """The average run length of 300 fair tables is no shorter; a run that is cut off counts as it is."""
    dice = fair(300, 2_000, 1)
    alarms = first_changes(dice if ordered else np.sort(dice, axis=2), run_length=200, ordered=ordered)
    runs = np.where(alarms == 0, 2_000, alarms)
    assert runs.mean() >= 200


def test_a_late_change_is_found_as_soon_as_an_early_one() -> None:
    """After 5,000 good rolls a bad die is found in half the time that the test of the whole history takes."""
    good, tables = 5_000, 25
    dice = np.concatenate([fair(tables, good, 2), roll_biased(0.1, shape=(tables, 3_000), seed=3)], axis=1)
    late = first_changes(dice, run_length=1_000_000) - good
    early = first_changes(dice[:, good:], run_length=1_000_000)
    whole = first_alarms(evidence_over_time(dice), 0.01) - good
    assert (late > 0).all()
    assert np.median(late) <= 1.15 * np.median(early)
    assert np.median(late) <= 0.6 * np.median(whole)


def test_an_alarm_names_what_is_wrong_and_since_when() -> None:
    """The face, the die, and about the roll at which it began."""
    detector = ChangeDetector(run_length=1_000_000)
    rolls = np.concatenate([fair(1, 400, 4)[0], roll_biased(0.5, shape=(200,), seed=5)])
    at = next(n for n, dice in enumerate(rolls, start=1) if detector.observe(Roll(*map(int, dice))))
    assert (detector.alarm_at, detector.suspicion) == (at, "6 too often on die 1")
    assert 380 <= detector.since <= 420 < at < 460
    detector.restart()
    assert (detector.alarmed, detector.statistic) == (False, 0.0)


@pytest.mark.parametrize("ordered", [True, False])
def test_a_history_taken_at_once_is_the_same_as_roll_by_roll(ordered: bool) -> None:
    """So that a corrected roll can be looked at again quickly."""
    rolls = fair(1, 5_000, 6)[0]
    slow, quick = (ChangeDetector(run_length=10_000, ordered=ordered) for _ in range(2))
    for dice in rolls:
        slow.observe(Roll(*map(int, dice)))
    quick.observe_many(rolls[:1])
    quick.observe_many(rolls[1:])
    assert (quick.rolls, quick.alarm_at, quick.since) == (slow.rolls, slow.alarm_at, slow.since)
    assert quick.statistic == pytest.approx(slow.statistic)


@pytest.mark.parametrize("run_length", [0, 9, 1.5, 10**13, True])
def test_an_impossible_run_length_is_refused(run_length: object) -> None:
    """A whole number of rolls."""
    with pytest.raises(InputError, match="an average run length is a whole number of rolls"):
        ChangeDetector(run_length=run_length)  # type: ignore[arg-type]  # what it must refuse
