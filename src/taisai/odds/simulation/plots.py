"""Pictures of a simulation: the fan of bankrolls over time, where players ended, and when they stopped."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from taisai.odds.results.figures import INK, MUTED, WARNING, new_figure, save_figure
from taisai.odds.simulation_result import Ending, Simulation

_BANDS: Final = ((0.01, 0.99), (0.05, 0.95), (0.25, 0.75))
_BINS: Final = 60
_POINTS_MAX: Final = 2_000


def plot_simulation(run: Simulation, path: str | Path) -> Path:
    """Draw the run into an .svg or .png file."""
    figure = new_figure(10, 7.5)
    grid = figure.add_gridspec(2, 2)
    _fan(figure.add_subplot(grid[0, :]), run)
    _histogram(figure.add_subplot(grid[1, 0] if run.has_bankroll else grid[1, :]), run)
    if run.has_bankroll:
        _endings(figure.add_subplot(grid[1, 1]), run)
    bets = ", ".join(f"{box}={stake}" for box, stake in run.play.bets.items())
    figure.suptitle(
        f"{run.play.pay_table.id}: {bets}, {run.strategy}, {run.players:,} players ({run.engine})"
    )
    return save_figure(figure, path)


def fan_quantiles(run: Simulation) -> dict[float, Any]:
    """The quantiles of the watched players' bankrolls (or nets) at each checkpoint."""
    levels = sorted({level for band in _BANDS for level in band} | {0.5})
    found = np.quantile(run.fan, levels, axis=1, method="inverted_cdf")
    return dict(zip(levels, found, strict=True))


def endings_by_round(run: Simulation, ending: Ending) -> tuple[Any, Any]:
    """Rounds at which players ended so, in order, and the share of all players who had by then."""
    rounds = np.sort(run.seats.rounds[run.endings == ending])
    return rounds, np.arange(1, len(rounds) + 1) / run.players


def _fan(axes: Any, run: Simulation) -> None:
    quantiles = fan_quantiles(run)
    for low, high in _BANDS:
        label = f"{high - low:.0%} of players"
        axes.fill_between(
            run.checkpoints, quantiles[low], quantiles[high], color=INK, alpha=0.22, label=label
        )
    axes.plot(run.checkpoints, quantiles[0.5], color=INK, label="median")
    if run.play.target_minor is not None:
        axes.axhline(run.play.target_minor, color=WARNING, linestyle="--", linewidth=0.8, label="target")
    what = "bankroll" if run.has_bankroll else "net"
    axes.set(
        xlabel="round", ylabel=f"{what}, minor units", title=f"The {what} of {run.fan.shape[1]:,} players"
    )
    axes.legend(fontsize=7, loc="upper left")


def _histogram(axes: Any, run: Simulation) -> None:
    axes.hist(run.net, bins=_BINS, color=INK, alpha=0.85)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.axvline(float(run.net.mean()), color=WARNING, linestyle="--", label="mean")
    axes.set(xlabel="net, minor units", ylabel="players", title="Where players ended", yscale="log")
    axes.legend(fontsize=7)


def _endings(axes: Any, run: Simulation) -> None:
    for ending, colour in ((Ending.RUINED, WARNING), (Ending.TARGET, INK), (Ending.LEFT, MUTED)):
        rounds, shares = endings_by_round(run, ending)
        if len(rounds):
            some = np.unique(np.linspace(0, len(rounds) - 1, min(len(rounds), _POINTS_MAX)).astype(int))
            axes.step(rounds[some], shares[some], where="post", color=colour, label=ending.name.lower())
    axes.set(
        xlabel="round", ylabel="share of players", title="Who has stopped", ylim=(0, 1), xlim=(0, run.rounds)
    )
    if axes.lines:
        axes.legend(fontsize=7)
