"""A table's float over whole days, against a table with real chips and money."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from taisai.floor.pit import messages as msg
from taisai.floor.pit import reports as pit_reports
from tests.unit.floor.pit.test_acts import TWO, count, drop, figures, run_pit
from tests.unit.house import PIT_MANAGER, minutes


class Chips(RuleBasedStateMachine):
    """A table with real chips and money, counted truly: the counted win is what the house really won."""

    def __init__(self) -> None:
        super().__init__()
        self.run = run_pit()
        self.tray, self.box, self.boxes, self.shifts = 5_000, 0, 0, 1
        self.changed = self.won = 0
        self.day_won = 0
        self.run.do(count("opening", self.tray))
        self.is_counted = False

    def _moved(self) -> None:
        self.is_counted = False

    @rule(amount=st.integers(1, 500))
    def buy_in(self, amount: int) -> None:
        if amount <= self.tray:
            self.tray -= amount
            self.box += amount
            self.changed += amount
            self._moved()

    @rule(amount=st.integers(-300, 300))
    def settle(self, amount: int) -> None:
        if self.tray + amount >= 0:
            self.tray += amount
            self.won += amount
            self.day_won += amount
            self._moved()

    @rule(amount=st.integers(1, 1_000), is_fill=st.booleans())
    def move(self, amount: int, is_fill: bool) -> None:
        if is_fill or amount <= self.tray:
            kind: Any = msg.FillTable if is_fill else msg.CreditTable
            self.run.do(kind(table="T1", amount=amount, **TWO))
            self.tray += amount if is_fill else -amount
            self._moved()

    @rule()
    def take_and_count_the_box(self) -> None:
        figures(self.run, taken=self.changed, win=self.won)
        self.boxes += 1
        drop(self.run, f"B{self.boxes}", self.box)
        self.box = 0

    @rule()
    def count_the_tray(self) -> None:
        self.take_and_count_the_box()
        figures(self.run, taken=self.changed, win=self.won)
        self.run.do(count("closing", self.tray))
        self.is_counted = True

    @precondition(lambda self: self.is_counted)
    @rule()
    def change_the_shift(self) -> None:
        self.shifts += 1
        self.run.do(msg.StartShift(by=PIT_MANAGER, at=minutes(3), shift=f"shift {self.shifts}"))
        self.run.do(count("opening", self.tray))
        self.changed = self.won = 0
        self.is_counted = False

    @invariant()
    def the_counted_win_is_the_real_one(self) -> None:
        if self.is_counted:
            assert pit_reports.hold_rows(self.run.state, "shift")[-1]["win_minor"] == self.won
            assert pit_reports.hold_rows(self.run.state, "table")[0]["win_minor"] == self.day_won

    @invariant()
    def true_counts_have_no_difference(self) -> None:
        differences = {row["difference_minor"] for row in pit_reports.assertion_rows(self.run.state)}
        assert differences <= {0, None}

    @invariant()
    def a_restart_finds_the_same(self) -> None:
        assert self.run.replayed() == self.run.state


TestChips = Chips.TestCase
TestChips.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
