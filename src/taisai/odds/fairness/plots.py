"""A picture of recorded rolls: faces and totals with the bands that fair dice keep to, evidence over time."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from taisai.dice import ROLLS
from taisai.odds.extras import needs
from taisai.odds.fairness.report import FairnessReport
from taisai.odds.results.figures import DICE, INK, MUTED, WARNING, new_figure, save_figure

_TOTAL_CHANCES: Final = np.bincount([roll.total for roll in ROLLS], minlength=19)[3:] / len(ROLLS)
_POINTS_MAX: Final = 2_000


def plot_fairness(report: FairnessReport, path: str | Path) -> Path:
    """Draw the report into an .svg or .png file."""
    figure = new_figure(10, 7.5)
    grid = figure.add_gridspec(2, 2)
    _faces(figure.add_subplot(grid[0, 0]), report)
    _totals(figure.add_subplot(grid[0, 1]), report)
    _evidence(figure.add_subplot(grid[1, :]), report)
    figure.suptitle(f"{report.rolls:,} rolls: {report.verdict}")
    return save_figure(figure, path)


def _band(trials: int, chance: Any, tail: float) -> tuple[Any, Any]:
    binomial = needs("scipy.stats").binom
    return binomial.ppf(tail, trials, chance) / trials, binomial.isf(tail, trials, chance) / trials


def _faces(axes: Any, report: FairnessReport) -> None:
    faces = np.arange(1, 7)
    low, high = _band(3 * report.rolls, 1 / 6, report.alpha / 2)
    axes.axhspan(low, high, color=MUTED, alpha=0.35, label=f"{1 - report.alpha:.4g} band, all dice")
    shares = np.bincount(report.dice.ravel(), minlength=7)[1:] / report.dice.size
    axes.bar(faces, shares, width=0.55, color=INK, alpha=0.8, label="all dice")
    if report.ordered:
        for die, offset in enumerate((-0.18, 0.0, 0.18)):
            own = np.bincount(report.dice[:, die], minlength=7)[1:] / report.rolls
            axes.plot(faces + offset, own, "o", markersize=4, color=DICE[die], label=f"die {die + 1}")
    axes.axhline(1 / 6, color="black", linewidth=0.8)
    axes.set(xlabel="face", ylabel="share", title="Faces", ylim=(0, None))
    axes.legend(fontsize=7, ncols=2, loc="lower center")


def _totals(axes: Any, report: FairnessReport) -> None:
    totals = np.arange(3, 19)
    low, high = _band(report.rolls, _TOTAL_CHANCES, report.alpha / 2)
    shares = np.bincount(report.dice.sum(axis=1), minlength=19)[3:] / report.rolls
    axes.bar(totals, shares, color=INK, alpha=0.8, label="seen")
    middle = (low + high) / 2
    axes.errorbar(
        totals,
        middle,
        yerr=(high - low) / 2,
        fmt="none",
        ecolor="black",
        capsize=3,
        label="band for fair dice",
    )
    axes.set(xlabel="total", ylabel="share", title="Totals", xticks=totals)
    axes.legend(fontsize=7)


def _evidence(axes: Any, report: FairnessReport) -> None:
    places = np.unique(np.linspace(0, report.rolls - 1, min(report.rolls, _POINTS_MAX)).astype(int))
    axes.plot(
        places + 1, report.log_evidence[places] / np.log(10), color=INK, label="evidence against the dice"
    )
    threshold = -np.log10(report.each_alpha)
    axes.axhline(threshold, color=WARNING, linestyle="--", label=f"alarm at {1 / report.each_alpha:g} to 1")
    if report.alarm_at is not None:
        axes.axvline(report.alarm_at, color=WARNING, linewidth=0.8)
    axes.set(xlabel="roll", ylabel="log10 of evidence", title="Evidence over time (may be looked at always)")
    axes.legend(fontsize=7)
