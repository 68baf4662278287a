"""Reports on the pit's days, as rows: hold, counts, hand-overs, dice, inspections."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

from taisai.floor.pit.state import Period, PitList

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Takings:
    """One or more periods of tables together."""

    opening: int | None
    closing: int | None
    fills: int
    credits: int
    drop: int
    boxes_uncounted: int
    recorded_win: int | None
    recorded_drop: int | None
    handle: int | None
    expected: int | None
    variance: int | None

    @property
    def has_float(self) -> bool:
        """Whether there was anything to count."""
        moved = self.fills or self.credits or self.drop or self.boxes_uncounted
        return self.opening is not None or self.closing is not None or bool(moved)

    @property
    def win(self) -> int | None:
        """Counted win; none while something is not counted."""
        if self.opening is None or self.closing is None or self.boxes_uncounted:
            return None
        return self.drop + self.closing + self.credits - self.opening - self.fills

    @property
    def hold(self) -> Fraction | None:
        """Win over drop, exact."""
        return Fraction(self.win, self.drop) if self.win is not None and self.drop else None

    def row(self, **named: object) -> Row:
        return {
            **named,
            "opening_minor": self.opening,
            "fills_minor": self.fills,
            "credits_minor": self.credits,
            "closing_minor": self.closing,
            "drop_minor": self.drop,
            "boxes_uncounted": self.boxes_uncounted,
            "win_minor": self.win,
            "hold": self.hold,
            "recorded_win_minor": self.recorded_win,
            "recorded_drop_minor": self.recorded_drop,
            "handle_minor": self.handle,
            "expected_win_minor": self.expected,
            "win_variance": self.variance,
        }


def takings(
    pit: PitList, *, day: date | None = None, shift: str | None = None, table: str | None = None
) -> Takings:
    """One table's figures over the shifts of a day, or of one shift. Counts in between cancel out."""
    periods = [
        period
        for key, period in pit.periods.items()
        if (day is None or key[0] == day)
        and (shift is None or key[1] == shift)
        and (table is None or key[2] == table)
    ]
    return together(periods)


def hold_rows(pit: PitList, by: Literal["table", "shift", "day"], day: date | None = None) -> list[Row]:
    """Win, drop and hold: for each day and table, each shift and table, or each day as a whole."""
    keys = [key for key in pit.periods if day is None or key[0] == day]
    if by == "shift":
        return [together([pit.periods[key]]).row(day=key[0], shift=key[1], table=key[2]) for key in keys]
    tables = dict.fromkeys((key[0], key[2]) for key in keys)
    of_tables = {(each, name): takings(pit, day=each, table=name) for each, name in tables}
    if by == "table":
        return [found.row(day=each, table=name) for (each, name), found in of_tables.items()]
    days = dict.fromkeys(each for each, _ in tables)
    return [
        _sum([found for (of, _), found in of_tables.items() if of == each]).row(day=each) for each in days
    ]


def assertion_rows(pit: PitList) -> list[Row]:
    """Every count with what it should have been and the difference."""
    return [
        {
            "at": each.at,
            "table": each.table,
            "what": each.what,
            "counted_minor": each.counted,
            "expected_minor": each.expected,
            "difference_minor": each.difference,
            "by": each.by.name,
            "second": each.second.name,
        }
        for each in pit.assertions
    ]


def dealer_rows(pit: PitList) -> list[Row]:
    """Every hand-over."""
    return [
        {"at": each.at, "table": each.table, "dealer": each.dealer, "before": each.before, "by": each.by.name}
        for each in pit.hand_overs
    ]


def dice_rows(pit: PitList) -> list[Row]:
    """What happened to sets of dice."""
    return [
        {
            "at": each.at,
            "table": each.table,
            "dice_set": each.dice_set,
            "what": type(each).__name__,
            "passed": getattr(each, "passed", None),
            "why": getattr(each, "why", getattr(each, "note", "")),
            "by": each.by.name,
        }
        for each in pit.dice_log
    ]


def shaker_rows(pit: PitList, day: date | None = None) -> list[Row]:
    """The log of the tumblers' daily inspections."""
    return [
        {
            "day": each,
            "at": event.at,
            "table": event.table,
            "passed": event.passed,
            "note": event.note,
            "by": event.by.name,
        }
        for each, event in pit.shaker_log
        if day is None or each == day
    ]


def together(periods: list[Period]) -> Takings:
    """Periods of one table, one after the other, as one."""
    recorded = [period.recorded for period in periods if period.recorded]
    return Takings(
        opening=periods[0].opening if periods else None,
        closing=periods[-1].closing if periods else None,
        fills=sum(period.fills for period in periods),
        credits=sum(period.credits for period in periods),
        drop=sum(period.drop for period in periods),
        boxes_uncounted=sum(period.boxes_uncounted for period in periods),
        recorded_win=sum(each.win for each in recorded) if recorded else None,
        recorded_drop=sum(each.drop for each in recorded) if recorded else None,
        handle=sum(each.handle for each in recorded) if recorded else None,
        expected=_all([each.expected for each in recorded]),
        variance=_all([each.variance for each in recorded]),
    )


def _all(values: list[int | None]) -> int | None:
    """A sum, unless one of them is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _sum(takings: list[Takings]) -> Takings:
    """Several tables beside one another; what is unknown of one is unknown of all.

    An electronic table has no float, so it takes no part in what is counted.
    """

    def total(name: str, of: list[Takings]) -> int | None:
        values = [getattr(each, name) for each in of]
        return None if None in values or not values else sum(values)

    counted = [each for each in takings if each.has_float]
    return Takings(
        opening=total("opening", counted),
        closing=total("closing", counted),
        fills=sum(each.fills for each in takings),
        credits=sum(each.credits for each in takings),
        drop=sum(each.drop for each in takings),
        boxes_uncounted=sum(each.boxes_uncounted for each in takings),
        recorded_win=total("recorded_win", takings),
        recorded_drop=total("recorded_drop", takings),
        handle=total("handle", takings),
        expected=total("expected", takings),
        variance=total("variance", takings),
    )
