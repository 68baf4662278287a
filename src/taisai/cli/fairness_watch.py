"""`taisai fairness --watch`: rolls as they come, and a line when the dice have changed."""

from collections.abc import Iterable
from typing import Any

from taisai.cli.output import Format, err, out, show_rows
from taisai.dice import Roll
from taisai.odds.evidence.detector import ChangeDetector


def watch_rolls(rolls: Iterable[Roll], *, run_length: int, ordered: bool, form: Format) -> int:
    """Follow the rolls to their end or to Ctrl-C; the number of alarms."""
    detector = ChangeDetector(run_length=run_length, ordered=ordered)
    alarms: list[dict[str, Any]] = []
    try:
        for roll in rolls:
            if detector.observe(roll):
                alarms.append(_alarm(detector))
                if form is Format.TABLE:
                    _say(alarms[-1])
                detector.restart()
    except KeyboardInterrupt:
        err().print("interrupted")
    if form is Format.TABLE:
        out().print(
            f"{detector.rolls} rolls, {len(alarms)} alarm(s), evidence now {detector.statistic:.4g} of "
            f"{run_length}; fair dice raise an alarm once in {run_length} rolls on average, or less often",
            markup=False,
        )
        return len(alarms)
    document = {
        "schema": "taisai.fairness-watch/1",
        "rolls": detector.rolls,
        "run_length": run_length,
        "ordered": ordered,
        "evidence": detector.statistic,
        "alarms": alarms,
    }
    show_rows(alarms, form, document=document)
    return len(alarms)


def _alarm(detector: ChangeDetector) -> dict[str, Any]:
    return {
        "at_roll": detector.alarm_at,
        "since_roll": detector.since,
        "suspicion": detector.suspicion,
        "evidence": detector.statistic,
    }


def _say(alarm: dict[str, Any]) -> None:
    out().print(
        f"roll {alarm['at_roll']}: the dice have changed, since about roll {alarm['since_roll']}: "
        f"{alarm['suspicion']}",
        markup=False,
        style="bold",
    )
