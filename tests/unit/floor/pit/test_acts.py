"""The pit's day: shifts, hand-overs, fills and credits, counts with their differences, dice and tumblers."""

from datetime import date
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from taisai.floor.pit import messages as msg
from taisai.floor.pit import reports as pit_reports
from taisai.floor.pit import state
from taisai.floor.pit.acts import PitPolicy, PitState, pit_desk
from taisai.game.people import Actor
from taisai.game.refusals import RefusalCode
from tests.unit.house import (
    AUDITOR,
    CASHIER,
    DEALER,
    OTHER_DEALER,
    PIT_MANAGER,
    ROOT,
    SHIFT_MANAGER,
    SUPERVISOR,
    SYSTEM,
    Run,
    minutes,
)

MONDAY = date(2026, 3, 2)
TUESDAY = date(2026, 3, 3)
TWO: dict[str, Any] = {"by": CASHIER, "second": SUPERVISOR, "at": minutes(1)}
ALL = PitPolicy(needs_day=True, needs_dealer=True, needs_dice=True, needs_shaker=True)


def run_pit(*, day: bool = True) -> Run:
    run = Run(PitState(), msg.AnyPitEvent, PitState)
    if day:
        run.do(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(0), day=MONDAY))
        run.do(msg.StartShift(by=PIT_MANAGER, at=minutes(0), shift="day"))
    return run


def count(when: str, counted: int, table: str = "T1") -> msg.CountFloat:
    return msg.CountFloat(table=table, when=when, counted=counted, **TWO)


def drop(run: Run, box: str, counted: int, table: str = "T1") -> None:
    run.do(msg.TakeDrop(by=SUPERVISOR, at=minutes(2), table=table, box=box))
    run.do(msg.CountDrop(box=box, counted=counted, **TWO))


def figures(run: Run, *, taken: int, win: int, handle: int = 0, table: str = "T1") -> None:
    run.do(msg.RecordFigures(by=SYSTEM, at=minutes(2), table=table, drop=taken, handle=handle, win=win))


def test_hold_is_win_over_drop() -> None:
    """Opened with 1,000; 300 brought, 200 taken; 800 changed; 450 left in the tray: the table won 150."""
    run = run_pit()
    run.do(count("opening", 1_000))
    run.do(msg.FillTable(table="T1", amount=300, **TWO))
    run.do(msg.CreditTable(table="T1", amount=200, **TWO))
    drop(run, "B1", 800)
    run.do(count("closing", 450))
    (row,) = pit_reports.hold_rows(run.state, "shift")
    assert (row["day"], row["shift"], row["table"]) == (MONDAY, "day", "T1")
    assert (row["drop_minor"], row["win_minor"], row["hold"]) == (800, 150, Fraction(150, 800))


def test_a_win_is_unknown_until_everything_is_counted() -> None:
    """Neither an open tray nor a box on its way has a guess made for it."""
    run = run_pit()
    run.do(count("opening", 1_000))
    assert pit_reports.hold_rows(run.state, "shift")[0]["win_minor"] is None
    run.do(msg.TakeDrop(by=SUPERVISOR, at=minutes(2), table="T1", box="B1"))
    run.do(count("closing", 900))
    row = pit_reports.hold_rows(run.state, "shift")[0]
    assert (row["win_minor"], row["boxes_uncounted"]) == (None, 1)
    run.do(msg.CountDrop(box="B1", counted=300, **TWO))
    assert pit_reports.hold_rows(run.state, "shift")[0]["win_minor"] == 200


def test_a_box_counted_on_the_next_day_belongs_to_the_shift_it_was_taken_in() -> None:
    """Boxes are counted in the morning."""
    run = run_pit()
    run.do(count("opening", 1_000))
    run.do(msg.TakeDrop(by=SUPERVISOR, at=minutes(2), table="T1", box="B1"))
    run.do(count("closing", 900))
    run.do(msg.CloseDay(by=SHIFT_MANAGER, at=minutes(3)))
    run.do(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(4), day=TUESDAY))
    run.do(msg.CountDrop(box="B1", counted=300, **TWO))
    (row,) = pit_reports.hold_rows(run.state, "day", MONDAY)
    assert (row["drop_minor"], row["win_minor"]) == (300, 200)


def test_a_shift_begins_with_the_float_as_the_last_one_left_it() -> None:
    """By shift each has its own win, and the day's is their sum."""
    run = run_pit()
    run.do(count("opening", 1_000))
    drop(run, "B1", 500)
    run.do(count("closing", 700))
    run.do(msg.StartShift(by=PIT_MANAGER, at=minutes(3), shift="night"))
    drop(run, "B2", 100)
    run.do(count("closing", 550))
    wins = [row["win_minor"] for row in pit_reports.hold_rows(run.state, "shift")]
    assert wins == [200, -50]
    (table,) = pit_reports.hold_rows(run.state, "table")
    assert (table["win_minor"], table["opening_minor"], table["closing_minor"]) == (150, 1_000, 550)


def test_a_shift_without_a_count_before_it_has_an_unknown_opening() -> None:
    """A count that was never made is not made up."""
    run = run_pit()
    run.do(count("opening", 1_000))
    run.do(msg.StartShift(by=PIT_MANAGER, at=minutes(3), shift="night"))
    drop(run, "B2", 100)
    run.do(count("closing", 950))
    assert [row["win_minor"] for row in pit_reports.hold_rows(run.state, "shift")] == [None, None]
    assert pit_reports.hold_rows(run.state, "table")[0]["win_minor"] == 50


def test_a_day_is_the_sum_of_its_tables() -> None:
    """As long as one is not counted, so is the day."""
    run = run_pit()
    for table, closing in (("T1", 900), ("T2", 1_200)):
        run.do(count("opening", 1_000, table))
        drop(run, f"B-{table}", 150, table)
        if table == "T2":
            assert pit_reports.hold_rows(run.state, "day")[0]["win_minor"] is None
        run.do(count("closing", closing, table))
    figures(run, taken=500, win=70, table="E1")
    (row,) = pit_reports.hold_rows(run.state, "day")
    assert (row["drop_minor"], row["win_minor"]) == (300, 400), "an electronic table has nothing to count"


def test_counts_stand_beside_what_the_ledger_says_with_the_difference() -> None:
    """The difference is kept, whatever it is."""
    run = run_pit()
    run.do(count("opening", 1_000))
    figures(run, taken=800, win=150)
    drop(run, "B1", 795)
    run.do(count("closing", 352))
    rows = pit_reports.assertion_rows(run.state)
    found = [
        (row["what"], row["counted_minor"], row["expected_minor"], row["difference_minor"]) for row in rows
    ]
    assert found == [("opening", 1_000, None, None), ("drop", 795, 800, -5), ("closing", 352, 350, 2)]
    assert (rows[0]["by"], rows[0]["second"]) == ("carl", "sue")


def test_a_second_box_is_expected_to_hold_what_came_after_the_first() -> None:
    """The ledger's figure is for the whole shift."""
    run = run_pit()
    figures(run, taken=800, win=0)
    drop(run, "B1", 800)
    figures(run, taken=1_000, win=0)
    drop(run, "B2", 190)
    assert [row["expected_minor"] for row in pit_reports.assertion_rows(run.state)] == [800, 200]


def test_an_opening_count_is_held_against_the_last_closing() -> None:
    """Chips that went over night show."""
    run = run_pit()
    run.do(count("opening", 1_000))
    run.do(count("closing", 1_000))
    run.do(msg.StartShift(by=PIT_MANAGER, at=minutes(3), shift="night"))
    run.do(count("opening", 995))
    last = pit_reports.assertion_rows(run.state)[-1]
    assert (last["expected_minor"], last["difference_minor"]) == (1_000, -5)


def test_chips_that_move_after_the_closing_make_a_new_count_necessary() -> None:
    """And the day does not end before it."""
    run = run_pit()
    run.do(count("opening", 1_000))
    run.do(count("closing", 1_000))
    run.do(msg.FillTable(table="T1", amount=50, **TWO))
    close = msg.CloseDay(by=SHIFT_MANAGER, at=minutes(5))
    answer = run.ask(close)
    assert (answer.code, answer.facts["tables"]) == (RefusalCode.COUNT_MISSING, ["T1"])
    run.do(count("closing", 1_050))
    run.do(close)
    assert run.state.day is None


def test_a_table_without_a_float_does_not_hold_the_day_up() -> None:
    """An electronic table has figures and no tray."""
    run = run_pit()
    figures(run, taken=5_000, win=700, handle=9_000, table="E1")
    run.do(msg.CloseDay(by=SHIFT_MANAGER, at=minutes(5)))
    (row,) = pit_reports.hold_rows(run.state, "day")
    assert (row["recorded_win_minor"], row["recorded_drop_minor"], row["handle_minor"]) == (700, 5_000, 9_000)


def test_money_is_counted_and_moved_by_two_people() -> None:
    """Different people, both of the pit or the cage, one of them a supervisor or above."""
    run = run_pit()
    run.do(msg.TakeDrop(by=SUPERVISOR, at=minutes(1), table="T1", box="B1"))
    commands = [
        msg.FillTable(table="T1", amount=1, **TWO),
        msg.CreditTable(table="T1", amount=1, **TWO),
        count("opening", 1),
        msg.CountDrop(box="B1", counted=1, **TWO),
    ]
    refusals: list[tuple[Actor, Actor | None, RefusalCode]] = [
        (CASHIER, None, RefusalCode.SECOND_PERSON_MISSING),
        (SUPERVISOR, SUPERVISOR, RefusalCode.SECOND_PERSON_IS_FIRST),
        (CASHIER, DEALER, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (SUPERVISOR, AUDITOR, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (ROOT, SUPERVISOR, RefusalCode.ROLE_NOT_ALLOWED),
    ]
    for command in commands:
        for by, second, code in refusals:
            assert run.refused(msgspec.structs.replace(command, by=by, second=second)) is code


def test_acts_need_a_day_and_a_shift() -> None:
    """In their order."""
    run = run_pit(day=False)
    fill = msg.FillTable(table="T1", amount=1, **TWO)
    assert run.refused(fill) is RefusalCode.DAY_NOT_OPEN
    shift = msg.StartShift(by=PIT_MANAGER, at=minutes(0), shift="day")
    assert run.refused(shift) is RefusalCode.DAY_NOT_OPEN
    assert run.refused(msg.CloseDay(by=SHIFT_MANAGER, at=minutes(0))) is RefusalCode.DAY_NOT_OPEN
    opening = msg.OpenDay(by=SHIFT_MANAGER, at=minutes(0), day=MONDAY)
    run.do(opening)
    assert run.refused(opening) is RefusalCode.DAY_OPEN
    assert run.refused(fill) is RefusalCode.SHIFT_NOT_OPEN
    run.do(shift)
    assert run.refused(shift) is RefusalCode.NOTHING_CHANGES
    run.do(fill)


def test_a_day_is_opened_once() -> None:
    """Days go forward."""
    run = run_pit()
    run.do(msg.CloseDay(by=SHIFT_MANAGER, at=minutes(1)))
    assert (
        run.refused(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(2), day=MONDAY)) is RefusalCode.SETTING_INVALID
    )
    run.do(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(2), day=TUESDAY))


@pytest.mark.parametrize(
    "command",
    [
        msg.OpenDay(by=PIT_MANAGER, at=minutes(0), day=TUESDAY),
        msg.CloseDay(by=PIT_MANAGER, at=minutes(0)),
        msg.StartShift(by=SUPERVISOR, at=minutes(0), shift="night"),
        msg.SeatDealer(by=CASHIER, at=minutes(0), table="T1", dealer="dora"),
        msg.TakeDrop(by=DEALER, at=minutes(0), table="T1", box="B1"),
        msg.PutInDice(by=DEALER, at=minutes(0), table="T1", dice_set="D1"),
        msg.InspectDice(by=DEALER, at=minutes(0), table="T1", dice_set="D1", passed=True),
        msg.TakeOutDice(by=DEALER, at=minutes(0), table="T1", dice_set="D1", why="rotation"),
        msg.InspectShaker(by=DEALER, at=minutes(0), table="T1", passed=True),
        msg.RecordFigures(by=SUPERVISOR, at=minutes(0), table="T1", drop=0, handle=0, win=0),
    ],
)
def test_each_act_has_its_position(command: Any) -> None:
    """One position too low is too low."""
    assert run_pit().refused(command) is RefusalCode.ROLE_NOT_ALLOWED


@pytest.mark.parametrize(
    "command",
    [
        msg.FillTable(table="T1", amount=0, **TWO),
        msg.CreditTable(table="T1", amount=-5, **TWO),
        count("opening", -1),
        count("closing", 2**53),
    ],
)
def test_amounts_make_sense(command: Any) -> None:
    """Nothing is brought that is nothing, and no count is below zero."""
    assert run_pit().refused(command) is RefusalCode.AMOUNT_INVALID


def test_an_empty_tray_and_an_empty_box_can_be_counted() -> None:
    """Nothing is an amount where people count."""
    run = run_pit()
    run.do(count("opening", 0))
    drop(run, "B1", 0)
    run.do(count("closing", 0))
    row = pit_reports.hold_rows(run.state, "shift")[0]
    assert (row["win_minor"], row["hold"]) == (0, None)


def test_a_drop_box_is_taken_and_counted_once() -> None:
    """A box that nobody took cannot be counted."""
    run = run_pit()
    take = msg.TakeDrop(by=SUPERVISOR, at=minutes(1), table="T1", box="B1")
    run.do(take)
    assert run.refused(take) is RefusalCode.NAME_INVALID
    counted = msg.CountDrop(box="B1", counted=10, **TWO)
    run.do(counted)
    assert run.refused(counted) is RefusalCode.NAME_INVALID


def test_a_hand_over_names_both_dealers() -> None:
    """The log says who dealt when."""
    run = run_pit()
    seat = msg.SeatDealer(by=DEALER, at=minutes(1), table="T1", dealer="dora")
    run.do(seat)
    assert run.refused(seat) is RefusalCode.NOTHING_CHANGES
    run.do(msg.SeatDealer(by=OTHER_DEALER, at=minutes(61), table="T1", dealer="dan"))
    rows = pit_reports.dealer_rows(run.state)
    assert [(row["dealer"], row["before"]) for row in rows] == [("dora", None), ("dan", "dora")]
    assert run.state.table("T1").dealer == "dan"


def test_a_set_of_dice_is_in_one_place() -> None:
    """And a tumbler holds one set."""
    run = run_pit()
    put = msg.PutInDice(by=SUPERVISOR, at=minutes(1), table="T1", dice_set="D1")
    run.do(put)
    assert run.state.dice_set("T1") == "D1"
    assert run.refused(msgspec.structs.replace(put, table="T2")) is RefusalCode.DICE_SET_IN_USE
    assert run.refused(msgspec.structs.replace(put, dice_set="D2")) is RefusalCode.DICE_SET_IN_USE
    out = msg.TakeOutDice(by=SUPERVISOR, at=minutes(2), table="T1", dice_set="D1", why="rotation")
    assert run.refused(msgspec.structs.replace(out, dice_set="D2")) is RefusalCode.DICE_SET_MISSING
    run.do(out)
    run.do(msgspec.structs.replace(put, table="T2"))
    assert (run.state.dice_set("T1"), run.state.dice_set("T2")) == (None, "D1")


@pytest.mark.parametrize("why", ["damaged", "inspection"])
def test_bad_dice_never_come_back(why: Any) -> None:
    """Taken out as damaged, or after an inspection that they failed."""
    run = run_pit()
    put = msg.PutInDice(by=SUPERVISOR, at=minutes(1), table="T1", dice_set="D1")
    run.do(put)
    run.do(msg.TakeOutDice(by=SUPERVISOR, at=minutes(2), table="T1", dice_set="D1", why=why))
    assert run.refused(put) is RefusalCode.DICE_SET_FAILED
    assert [row["what"] for row in pit_reports.dice_rows(run.state)] == ["DicePutIn", "DiceTakenOut"]


def test_a_table_starts_when_all_that_the_house_asks_for_is_there() -> None:
    """One thing after the other; a house that asks for nothing is not held up."""
    run = run_pit(day=False)

    def why() -> RefusalCode | None:
        refusal = run.state.may_start("T1", ALL)
        return refusal.code if refusal else None

    assert run.state.may_start("T1", PitPolicy()) is None
    assert why() is RefusalCode.DAY_NOT_OPEN
    run.do(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(0), day=MONDAY))
    assert why() is RefusalCode.DEALER_MISSING
    run.do(msg.SeatDealer(by=DEALER, at=minutes(0), table="T1", dealer="dora"))
    assert why() is RefusalCode.INSPECTION_MISSING
    run.do(msg.InspectShaker(by=SUPERVISOR, at=minutes(0), table="T1", passed=True))
    assert why() is RefusalCode.DICE_SET_MISSING
    run.do(msg.PutInDice(by=SUPERVISOR, at=minutes(0), table="T1", dice_set="D1"))
    assert why() is None
    run.do(msg.InspectDice(by=SUPERVISOR, at=minutes(0), table="T1", dice_set="D1", passed=False))
    assert why() is RefusalCode.DICE_SET_FAILED
    assert run.state.may_start("T1", PitPolicy()).code is RefusalCode.DICE_SET_FAILED


def test_tumblers_are_inspected_on_each_day() -> None:
    """Yesterday's inspection is not today's; one that failed stops the table in any house."""
    run = run_pit()
    inspect = msg.InspectShaker(by=SUPERVISOR, at=minutes(1), table="T1", passed=True, note="clean")
    run.do(inspect)
    assert run.state.uninspected() == []
    run.do(msg.CloseDay(by=SHIFT_MANAGER, at=minutes(2)))
    assert run.refused(inspect) is RefusalCode.DAY_NOT_OPEN
    run.do(msg.OpenDay(by=SHIFT_MANAGER, at=minutes(3), day=TUESDAY))
    assert run.state.uninspected() == ["T1"]
    run.do(msgspec.structs.replace(inspect, passed=False, note="seal broken"))
    assert run.state.may_start("T1", PitPolicy()).code is RefusalCode.INSPECTION_MISSING
    assert [(row["day"], row["passed"]) for row in pit_reports.shaker_rows(run.state)] == [
        (MONDAY, True),
        (TUESDAY, False),
    ]
    assert len(pit_reports.shaker_rows(run.state, TUESDAY)) == 1
    assert pit_desk().stream == "pit"


def seen(**more: Any) -> msg.AcknowledgeAlarm:
    fields: dict[str, Any] = {"table": "T1", "alarm": "held", "about": "", "mark": "7", **more}
    return msg.AcknowledgeAlarm(by=SUPERVISOR, at=minutes(5), **fields)


def test_an_alarm_is_acknowledged_once_and_a_later_one_anew() -> None:
    """By whom and when is on the record, gaming day or not; each table, kind and subject is its own."""
    run = run_pit(day=False)
    run.do(seen())
    known = run.state.acknowledged["T1", "held", ""]
    assert (known.by, known.at, known.mark) == (SUPERVISOR, minutes(5), "7")
    assert run.refused(seen()) is RefusalCode.NOTHING_CHANGES
    run.do(seen(table="T2"))
    run.do(seen(alarm="attendant", about="C1-1"))
    run.do(seen(mark="8"))
    assert run.state.acknowledged["T1", "held", ""].mark == "8"
    assert len(run.state.acknowledged) == 3


def test_acknowledged_alarms_are_kept_in_a_bounded_number() -> None:
    """Old ones go; what is acknowledged again stays."""
    run = run_pit(day=False)
    for number in range(state.LOG_KEPT + 5):
        event = msg.AlarmAcknowledged(
            by=SUPERVISOR, at=minutes(0), table="T1", alarm="attendant", about=str(number), mark=""
        )
        run.state.evolve(event)
    assert len(run.state.acknowledged) == state.LOG_KEPT
    assert ("T1", "attendant", "4") not in run.state.acknowledged
