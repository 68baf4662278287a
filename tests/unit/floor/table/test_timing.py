"""How long a table takes bets, and how soon a round may follow another."""

from datetime import timedelta

import pytest

from taisai.floor.table.timing import RESUME_SECONDS_MIN, Timing, timing_faults
from tests.unit.house import START

PACE = Timing(betting_seconds=20, round_seconds_min=30)


def after(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def test_without_a_window_nothing_closes_by_itself() -> None:
    """The dealer calls the closing where the pace names no seconds."""
    assert Timing().closes_at(START) is None
    assert PACE.closes_at(START) == START + after(20)


def test_nobody_waits_for_a_clock_that_was_set_back() -> None:
    """The distance between two openings holds only while the clock goes forward."""
    assert PACE.may_open_at(START, START) == START + after(30)
    earlier = START - after(1)
    assert PACE.may_open_at(START, earlier) == earlier


def test_a_resumed_round_has_its_old_deadline_or_enough_to_look_again() -> None:
    """The deadline stays where enough of it is left, and is moved where not; a clock set back gives one
    whole window."""
    closes_at = START + after(20)
    early = closes_at - after(RESUME_SECONDS_MIN)
    assert PACE.resumed_until(START, closes_at, early) == closes_at
    late = early + after(1)
    assert PACE.resumed_until(START, closes_at, late) == closes_at + after(1)
    set_back = START - after(100)
    assert PACE.resumed_until(START, closes_at, set_back) == set_back + after(20)


@pytest.mark.parametrize("seconds", [1, 3600, None])
def test_a_window_of_a_second_or_an_hour_can_be_used(seconds: int | None) -> None:
    """The bounds themselves are good."""
    assert timing_faults(Timing(betting_seconds=seconds, warn_seconds=0, round_seconds_min=3600)) == []


def test_all_faults_of_a_pace_are_told_at_once() -> None:
    """Whoever mends a pace hears of everything that is wrong with it."""
    assert timing_faults(Timing(betting_seconds=0, warn_seconds=-1, round_seconds_min=3601)) == [
        "betting_seconds: expected 1 to 3600, got 0",
        "warn_seconds: expected 0 or more, got -1",
        "round_seconds_min: expected 0 to 3600, got 3601",
    ]
