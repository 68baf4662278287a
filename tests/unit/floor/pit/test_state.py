"""The pit as its stream tells it."""

from datetime import date
from typing import Any

from taisai.floor.pit import messages as msg
from taisai.floor.pit.state import PERIODS_KEPT, Period, PitList, PitTable
from tests.unit.house import CASHIER, DEALER, PIT_MANAGER, SUPERVISOR, SYSTEM, minutes

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
TWO: dict[str, Any] = {"by": CASHIER, "at": minutes(1), "second": SUPERVISOR}
ONE: dict[str, Any] = {"by": PIT_MANAGER, "at": minutes(1)}


def counted(when: Any, amount: int) -> msg.FloatCounted:
    return msg.FloatCounted(table="T1", when=when, counted=amount, expected=amount + 5, difference=-5, **TWO)


def filled(amount: int) -> msg.TableFilled:
    return msg.TableFilled(table="T1", amount=amount, slip="", **TWO)


def pit(*events: msg.AnyPitEvent) -> PitList:
    made = PitList()
    for event in (
        msg.DayOpened(day=MONDAY, **ONE),
        msg.ShiftStarted(shift="day", before=None, **ONE),
        *events,
    ):
        made.evolve(event)
    return made


def test_looking_at_a_table_that_nothing_is_known_of_keeps_nothing() -> None:
    """It has neither dealer nor dice, and does not appear because somebody asked."""
    made = PitList()
    assert made.table("T9") == PitTable()
    assert made.tables == {}
    assert made.key("T9") == (date.min, "", "T9")


def test_the_tray_should_hold_what_came_and_was_won_less_what_left() -> None:
    """Unknown before a count and before the ledger's figures."""
    figures = msg.FiguresRecorded(by=SYSTEM, at=minutes(2), table="T1", drop=800, handle=0, win=150)
    period = Period(opening=1_000, fills=300, credits=200)
    assert period.expected_closing is None
    period.recorded = figures
    assert period.expected_closing == 1_000 + 300 - 200 - 800 + 150
    assert Period(recorded=figures).expected_closing is None


def test_a_new_shift_begins_once_with_the_float_that_was_left() -> None:
    """Chips that move after the closing count leave nothing to begin with."""
    evening = msg.ShiftStarted(shift="evening", before="day", **ONE)
    made = pit(counted("opening", 1_000), counted("closing", 900), evening)
    assert made.period("T1").opening == 900
    assert [(key[1], each.opening, each.closing) for key, each in made.periods.items()] == [
        ("day", 1_000, 900), ("evening", 900, None)
    ]  # fmt: skip
    made.evolve(msg.ShiftStarted(shift="night", before="evening", **ONE))
    assert made.period("T1").opening is None
    moved = pit(counted("opening", 1_000), counted("closing", 900), filled(10), evening)
    assert moved.period("T1").opening is None
    assert [each.closing for each in moved.periods.values()] == [None, None]


def test_a_box_belongs_to_the_shift_it_was_taken_in() -> None:
    """It waits to be counted until it is, also on the next day; the difference is kept."""
    taken = msg.DropTaken(table="T1", box="B1", expected=500, **ONE)
    made = pit(taken, msg.DayClosed(day=MONDAY, **ONE), msg.DayOpened(day=TUESDAY, **ONE))
    period = made.periods[MONDAY, "day", "T1"]
    assert (period.boxes, period.boxes_uncounted, period.boxed, period.drop) == (1, 1, 500, 0)
    made.evolve(msg.DropCounted(table="T1", box="B1", counted=490, expected=500, difference=-10, **TWO))
    assert (period.boxes, period.boxes_uncounted, period.boxed, period.drop) == (1, 0, 500, 490)
    assert (made.boxes, list(made.periods)) == ({}, [(MONDAY, "day", "T1")])
    assert [(each.what, each.counted, each.difference) for each in made.assertions] == [("drop", 490, -10)]


def test_the_end_of_the_day_sends_dealers_home_and_leaves_dice() -> None:
    """The tumbler's inspection was of that day alone; the last day is remembered."""
    made = pit(
        msg.DealerSeated(table="T1", dealer=DEALER.name, before=None, **ONE),
        msg.DicePutIn(table="T1", dice_set="red", **ONE),
        msg.ShakerInspected(table="T1", passed=True, note="", **ONE),
    )
    table = made.table("T1")
    assert (table.dealer, table.dice_set, table.shaker_passed) == ("dora", "red", True)
    made.evolve(msg.DayClosed(day=MONDAY, **ONE))
    assert (table.dealer, table.dice_set, table.shaker_passed) == (None, "red", None)
    assert (made.day, made.shift, made.last_day) == (None, None, MONDAY)


def test_old_periods_are_let_go() -> None:
    """The oldest first, and no more than are too many."""
    made = pit()
    for number in range(PERIODS_KEPT + 1):
        made.period(f"T{number}")
    assert len(made.periods) == PERIODS_KEPT
    assert (made.key("T0") in made.periods, made.key("T1") in made.periods) == (False, True)
