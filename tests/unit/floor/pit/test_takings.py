"""Takings by shift, day, month and year: what was counted, and whether the win is right."""

from datetime import date

import msgspec
import pytest

from taisai.floor.pit import messages as msg
from taisai.floor.pit.state import PitList
from taisai.floor.pit.takings import held, joined, takings_of
from taisai.odds.evidence.hold import RATES, HoldEvidence, HoldPrices
from taisai.rulebooks.catalogue import pay_table
from tests.unit.house import SHIFT_MANAGER, SYSTEM, minutes

PRICES = HoldPrices(pay_table("tai-sai-v6/1"))
MONDAY = date(2026, 3, 2)


def evidence(rounds: int, win: int, stake: int = 1_000) -> HoldEvidence:
    """So many rounds with one bet on big, each of which brought the house this much."""
    found = HoldEvidence()
    for _ in range(rounds):
        found.add(PRICES.of({"big": stake}), win)
    return found


def shift(pit: PitList, day: date, name: str, table: str, found: HoldEvidence | None) -> None:
    """A table in a shift, whose figures are on the record."""
    if pit.day != day:
        pit.evolve(msg.DayOpened(by=SHIFT_MANAGER, at=minutes(0), day=day))
    if pit.shift != name:
        pit.evolve(msg.ShiftStarted(by=SHIFT_MANAGER, at=minutes(0), shift=name, before=pit.shift))
    figures = msg.FiguresRecorded(
        by=SYSTEM,
        at=minutes(1),
        table=table,
        drop=5_000,
        handle=found.handle_minor if found else 1_000,
        win=found.win_minor if found else 1_000,
        evidence=held(found) if found else None,
    )
    pit.evolve(msgspec.json.decode(msgspec.json.encode(figures), type=msg.FiguresRecorded))


def test_a_day_without_rounds_has_no_lines() -> None:
    """Nothing was counted, nothing is said."""
    assert takings_of(PitList()) == []
    assert held(HoldEvidence()) is None


def test_few_rounds_have_no_band_and_flag_nobody() -> None:
    """Six wins in a row come once in fifty times: that says nothing of a table."""
    pit = PitList()
    shift(pit, MONDAY, "day", "T1", evidence(6, 1_000))
    for line in takings_of(pit):
        assert (line.handle, line.win, line.hold_on_handle) == (6_000, 6_000, 100.0)
        assert (line.band, line.outside) == (None, False)


def test_a_table_that_always_wins_is_outside_of_its_band() -> None:
    """Forty wins in a row; the other table, which won what it should, is not flagged with it."""
    pit = PitList()
    shift(pit, MONDAY, "day", "T1", evidence(40, 1_000))
    fair = evidence(200, 0)
    shift(pit, MONDAY, "day", "T2", fair)
    lines = {(line.span, line.table): line for line in takings_of(pit)}
    assert lines["shift", "T1"].outside
    assert not lines["shift", "T2"].outside
    band = lines["shift", "T2"].band
    assert band is not None
    low, high = band
    assert -100 <= low < 0 < high <= 100


def test_what_several_shifts_say_is_what_their_rounds_say_together() -> None:
    """The record keeps sums of each shift; added up they are those of one long shift, to the last digit."""
    pit = PitList()
    for table in ("T1", "T2"):
        shift(pit, MONDAY, "day", table, evidence(30, 200))
    found = joined(pit.periods.values())
    whole = evidence(60, 200)
    assert found is not None
    assert (found.rounds, found.handle_minor, found.win_minor) == (60, 60_000, 12_000)
    assert found.e_value == pytest.approx(whole.e_value)
    assert found.band(20) == pytest.approx(whole.band(20))


@pytest.mark.parametrize("kept", [None, "other rates"])
def test_a_shift_that_kept_nothing_to_judge_by_is_not_judged(kept: str | None) -> None:
    """Records from before have no evidence; neither has the sum that such a shift is part of."""
    pit = PitList()
    shift(pit, MONDAY, "day", "T1", evidence(40, 1_000))
    shift(pit, MONDAY, "day", "T2", evidence(40, 1_000) if kept else None)
    if kept:
        period = pit.periods[MONDAY, "day", "T2"]
        assert period.recorded
        assert period.recorded.evidence
        assert len(period.recorded.evidence.log_prices) == len(RATES)
        period.recorded.evidence.log_prices.pop()
    lines = {(line.span, line.table): line for line in takings_of(pit)}
    assert lines["shift", "T1"].outside
    for name in (("shift", "T2"), ("day", ""), ("year", "")):
        assert (lines[name].band, lines[name].outside) == (None, False)


def test_day_month_and_year_sum_what_belongs_to_them() -> None:
    """A shift of the month before is in the year alone."""
    pit = PitList()
    shift(pit, date(2026, 2, 27), "night", "T1", evidence(10, 100))
    shift(pit, date(2026, 3, 1), "day", "T1", evidence(10, 100))
    shift(pit, MONDAY, "day", "T1", evidence(10, 100))
    sums = {line.span: (line.of, line.handle) for line in takings_of(pit)}
    assert sums == {
        "shift": ("day", 10_000),
        "day": ("2026-03-02", 10_000),
        "month": ("2026-03", 20_000),
        "year": ("2026", 30_000),
    }
