"""Takings as the pit reads them: today's shifts table by table, the sums of day, month and year, judged.

Counted money goes by drop. What theory speaks of goes by handle and the ledger's own win: each line has the
band in which its hold stays at all times together, once that says something, and all lines that are shown
are judged at once.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

import msgspec
import numpy as np

from taisai.floor.pit.hold_watch import FALSE_FLAGS, percent_band
from taisai.floor.pit.messages import HeldEvidence
from taisai.floor.pit.reports import together
from taisai.floor.pit.state import Period, PeriodKey, PitList
from taisai.odds.evidence.hold import RATES, HoldEvidence, RoundHold, e_bh

Span = Literal["shift", "day", "month", "year"]


class TakingsLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line: a table in a shift, or all tables of a day, a month, a year.

    Percentages are of the drop and of the handle, with one decimal; none where there is nothing to divide by.
    `band` is in per cent of the handle, and `outside` says that the win is not what the bets should bring.
    """

    span: Span
    of: str
    table: str
    handle: int
    drop: int
    win: int
    hold_on_drop: float | None
    hold_on_handle: float | None
    band: tuple[float, float] | None
    outside: bool


def held(evidence: HoldEvidence) -> HeldEvidence | None:
    """Evidence as the record keeps it; none where no round was played."""
    if not evidence.rounds:
        return None
    return HeldEvidence(
        rounds=evidence.rounds,
        handle=evidence.handle_minor,
        win=evidence.win_minor,
        mean=evidence.mean,
        worst=evidence.worst,
        best=evidence.best,
        log_prices=[float(price) for price in evidence.log_prices],
    )


def joined(periods: Iterable[Period]) -> HoldEvidence | None:
    """What several periods say together; none where one that was played kept nothing to judge it by."""
    found = HoldEvidence()
    for period in periods:
        recorded = period.recorded
        if recorded is None or not recorded.handle:
            continue
        kept = recorded.evidence
        if kept is None or len(kept.log_prices) != len(RATES):
            return None
        priced = RoundHold(kept.handle, kept.mean, kept.worst, kept.best, np.array(kept.log_prices))
        found.add(priced, kept.win)
        found.rounds += kept.rounds - 1  # those of a whole shift came at once
    return found


def takings_of(pit: PitList) -> list[TakingsLine]:
    """Every line of the day that is open, or of the last one that was."""
    today = pit.day or max((day for day, _, _ in pit.periods), default=None)
    if today is None:
        return []
    lines = [*_shifts(pit, today), *_sums(pit, today)]
    judged = {place: found for place, (_, periods) in enumerate(lines) if (found := joined(periods))}
    flagged = e_bh({place: found.e_value for place, found in judged.items()}, level=FALSE_FLAGS)
    threshold = max(1, len(judged)) / FALSE_FLAGS
    return [
        _line(
            named,
            periods,
            percent_band(judged.get(place) or HoldEvidence(), threshold),
            outside=place in flagged,
        )
        for place, (named, periods) in enumerate(lines)
    ]


_Named = tuple[Span, str, str]


def _shifts(pit: PitList, today: date) -> list[tuple[_Named, list[Period]]]:
    return [
        (("shift", shift, table), [period])
        for (day, shift, table), period in pit.periods.items()
        if day == today
    ]


def _sums(pit: PitList, today: date) -> list[tuple[_Named, list[Period]]]:
    def since(same: Sequence[str]) -> list[Period]:
        def whole(key: PeriodKey) -> bool:
            return all(getattr(key[0], part) == getattr(today, part) for part in same)

        return [period for key, period in pit.periods.items() if whole(key)]

    return [
        (("day", today.isoformat(), ""), since(("year", "month", "day"))),
        (("month", f"{today:%Y-%m}", ""), since(("year", "month"))),
        (("year", f"{today:%Y}", ""), since(("year",))),
    ]


def _line(
    named: _Named, periods: list[Period], band: tuple[float, float] | None, *, outside: bool
) -> TakingsLine:
    span, of, table = named
    each = [together([period]) for period in periods]
    handle = sum(one.handle or 0 for one in each)
    # What was counted; before that, what the ledger says.
    drop = sum(one.drop or one.recorded_drop or 0 for one in each)
    win = sum((one.recorded_win or 0) if one.win is None else one.win for one in each)
    return TakingsLine(
        span=span,
        of=of,
        table=table,
        handle=handle,
        drop=drop,
        win=win,
        hold_on_drop=_percent(win, drop),
        hold_on_handle=_percent(sum(one.recorded_win or 0 for one in each), handle),
        band=band,
        outside=outside,
    )


def _percent(win: int, of: int) -> float | None:
    return round(100 * win / of, 1) if of else None
