"""To which gaming day a moment belongs."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from taisai.errors import InputError
from taisai.floor.gaming_day import DayClock

MACAU = DayClock(zone="Asia/Macau", begins=time(6, 0))
SIX = datetime(2026, 5, 3, 22, 0, tzinfo=UTC)  # six in the morning of 4 May in Macau


def test_a_day_begins_at_its_hour_and_not_a_moment_before() -> None:
    """The last microsecond before six is the day before's; six itself is the new day's."""
    assert MACAU.day_of(SIX) == date(2026, 5, 4)
    assert MACAU.day_of(SIX - timedelta(microseconds=1)) == date(2026, 5, 3)


def test_a_day_starts_in_utc_and_at_its_own_first_moment() -> None:
    """Every moment of a day has the same start, which belongs to it."""
    last = SIX + timedelta(days=1, microseconds=-1)
    assert MACAU.start_of(SIX) == MACAU.start_of(last) == SIX
    assert MACAU.start_of(SIX).tzinfo is UTC


def test_a_day_may_have_another_length_where_clocks_are_put_forward() -> None:
    """The house's own clock decides: the day in which summer begins has twenty-three hours."""
    london = DayClock(zone="Europe/London", begins=time(0, 0))
    sunday = london.start_of(datetime(2026, 3, 29, 12, 0, tzinfo=UTC))
    monday = london.start_of(datetime(2026, 3, 30, 12, 0, tzinfo=UTC))
    assert monday - sunday == timedelta(hours=23)


@pytest.mark.parametrize("zone", ["Asia/Nowhere", "", "../etc"])
def test_a_zone_that_nobody_knows_is_told_in_one_line(zone: str) -> None:
    """What was expected, and what came."""
    with pytest.raises(InputError, match="expected a time zone such as Asia/Macau, got") as told:
        DayClock(zone=zone).day_of(SIX)
    assert repr(zone) in str(told.value)
