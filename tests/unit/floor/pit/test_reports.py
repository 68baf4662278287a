"""Reports on the pit's days: what is unknown stays unknown, and what is known adds up."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from taisai.floor.pit import messages as msg
from taisai.floor.pit import reports
from taisai.floor.pit.state import Period, PitList
from tests.unit.house import DEALER, PIT_MANAGER, SUPERVISOR, SYSTEM, minutes

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
ONE: dict[str, Any] = {"by": SUPERVISOR, "at": minutes(1), "table": "T1"}


def recorded(win: int, expected: int | None = None) -> msg.FiguresRecorded:
    return msg.FiguresRecorded(
        by=SYSTEM, at=minutes(2), table="T1", drop=800, handle=5_000, win=win, expected=expected
    )


def pit(**periods: Period) -> PitList:
    """Periods by `shift_table` of Monday."""
    made = PitList()
    for name, period in periods.items():
        shift, table = name.split("_")
        made.periods[MONDAY, shift, table] = period
    return made


@pytest.mark.parametrize("by", ["table", "shift", "day"])
def test_a_house_that_has_not_opened_has_no_rows(by: Any) -> None:
    """Nor have its logs; and nothing was taken."""
    empty = PitList()
    assert reports.hold_rows(empty, by) == []
    for rows in (reports.assertion_rows, reports.dealer_rows, reports.dice_rows, reports.shaker_rows):
        assert rows(empty) == []
    nothing = reports.takings(empty)
    assert (nothing.win, nothing.hold, nothing.has_float, nothing.recorded_win) == (None, None, False, None)


def test_a_win_without_a_drop_has_no_hold() -> None:
    """There is nothing to divide by; a loss is a hold below zero."""
    idle = reports.takings(pit(day_T1=Period(opening=100, closing=100)))
    assert (idle.win, idle.hold, idle.has_float) == (0, None, True)
    lost = reports.takings(pit(day_T1=Period(opening=1_000, closing=100, drop=300)))
    assert (lost.win, lost.hold) == (-600, Fraction(-2))


def test_counts_between_two_shifts_cancel_out() -> None:
    """A table's day is from its first opening to its last closing, whatever was counted between them."""
    made = pit(
        day_T1=Period(opening=1_000, closing=None, fills=50, drop=300),
        late_T1=Period(opening=None, closing=900, credits=20, drop=100),
    )
    assert [row["win_minor"] for row in reports.hold_rows(made, "shift")] == [None, None]
    (row,) = reports.hold_rows(made, "table")
    assert (row["drop_minor"], row["win_minor"]) == (400, 400 + 900 + 20 - 1_000 - 50)
    assert reports.takings(made, shift="late").closing == 900
    assert reports.hold_rows(made, "table", TUESDAY) == []


def test_what_is_unknown_of_one_table_is_unknown_of_the_day() -> None:
    """One without a float takes no part in what is counted; all take part in what the ledger says."""
    whole = Period(opening=1_000, closing=900, drop=300, recorded=recorded(190, expected=10))
    made = pit(day_T1=whole, day_C1=Period(recorded=recorded(7)))
    (row,) = reports.hold_rows(made, "day")
    assert (row["win_minor"], row["recorded_win_minor"], row["handle_minor"]) == (200, 197, 10_000)
    assert row["expected_win_minor"] is None
    made.periods[MONDAY, "day", "T2"] = Period(opening=50)
    (row,) = reports.hold_rows(made, "day")
    assert (row["win_minor"], row["recorded_win_minor"], row["drop_minor"]) == (None, None, 300)


def test_logs_are_told_in_their_order() -> None:
    """Who, what, when and why; inspections of tumblers by their day."""
    made = PitList()
    made.evolve(msg.DayOpened(by=PIT_MANAGER, at=minutes(0), day=MONDAY))
    made.evolve(msg.DealerSeated(dealer=DEALER.name, before=None, **ONE))
    made.evolve(msg.DicePutIn(dice_set="red", **ONE))
    made.evolve(msg.DiceInspected(dice_set="red", passed=False, note="worn", **ONE))
    made.evolve(msg.DiceTakenOut(dice_set="red", why="inspection", **ONE))
    made.evolve(msg.ShakerInspected(passed=True, note="", **ONE))
    assert [(row["what"], row["passed"], row["why"]) for row in reports.dice_rows(made)] == [
        ("DicePutIn", None, ""), ("DiceInspected", False, "worn"), ("DiceTakenOut", None, "inspection")
    ]  # fmt: skip
    (hand_over,) = reports.dealer_rows(made)
    assert (hand_over["dealer"], hand_over["before"], hand_over["by"]) == ("dora", None, "sue")
    (inspected,) = reports.shaker_rows(made, MONDAY)
    assert (inspected["day"], inspected["passed"]) == (MONDAY, True)
    assert reports.shaker_rows(made, TUESDAY) == []
