"""`taisai simulate`: many players, many rounds, with any staking rule."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.long_runs import time_left
from taisai.cli.numbers import count_option, money_option, seed_option
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Exit, Format, FormatOption, err, show_rows
from taisai.cli.settle import parse_bets
from taisai.errors import InputError
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.simulation.run import Progress
    from taisai.odds.simulation_result import Simulation

_TABLES = (".parquet", ".csv", ".json")
# With fewer players quantiles only repeat the players themselves.
_QUANTILE_PLAYERS = 20


def register(app: typer.Typer) -> None:
    app.command()(simulate)


def simulate(
    pay_table: PayTableArgument,
    bet: Annotated[list[str], typer.Option(help="BOX=STAKE in minor units; may be given again.")],
    rounds: Annotated[int, count_option("Rounds for each player.")] = 1_000,
    players: Annotated[int, count_option("Independent players.")] = 1,
    seed: Annotated[int | None, seed_option("The same seed gives the same result.")] = None,
    strategy: Annotated[
        str, typer.Option(help="flat, martingale, paroli, dalembert, fibonacci or labouchere.")
    ] = "flat",
    bankroll: Annotated[int | None, money_option("What each player brings, in minor units.")] = None,
    target: Annotated[int | None, money_option("Stop at this bankroll.")] = None,
    maximum: Annotated[int | None, money_option("The table's maximum for the whole slip.")] = None,
    engine: Annotated[str, typer.Option(help="auto, numba or numpy.")] = "auto",
    threads: Annotated[int | None, count_option("Threads; the result does not depend on it.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write every player to this .parquet, .csv or .json.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw into this .svg or .png file.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Simulate players who repeat the same bets.

    Without --bankroll only totals are drawn, at once for any number of rounds. With it every player's path is
    played until the slip can no longer be covered, or the target is reached. Ctrl-C keeps what was done.

    Examples: taisai simulate tai-sai-v6/2 --bet big=100 --rounds 1000000;
    taisai simulate tai-sai-v6/2 --bet big=100 --rounds 5000 --players 100000 --strategy martingale
    --bankroll 50000 --target 100000 --plot martingale.svg
    """
    from taisai.odds.simulation import simulate as run_simulation

    table = find_pay_table(pay_table)
    _check_outputs(out, plot)
    with progress_bar() as progress:
        run = run_simulation(
            table,
            parse_bets(bet),
            rounds=rounds,
            players=players,
            seed=seed,
            strategy=strategy,
            bankroll=bankroll,
            target=target,
            maximum=maximum,
            engine=engine,  # type: ignore[arg-type]  # checked where it is used, with the names there are
            threads=threads,
            progress=progress,
        )
    if run.interrupted:
        done = f"round {run.rounds_done} of {run.rounds}"
        err().print(f"interrupted: every player has reached at least {done}, or stopped before")
    show_rows(_rows(run), form, title=f"{table.id}: {run.engine}", document=run.document())
    if out is not None:
        err().print(f"written: {run.write(out)}")
    if plot is not None:
        from taisai.odds.simulation.plots import plot_simulation

        err().print(f"drawn: {plot_simulation(run, plot)}")
    if run.interrupted:
        raise typer.Exit(Exit.INTERRUPTED)


def _check_outputs(out: Path | None, plot: Path | None) -> None:
    """A wrong file name is said before a long run, not after it."""
    if plot is not None:
        from taisai.odds.results.figures import check_plot_path

        check_plot_path(plot)
    if out is not None:
        if out.suffix.lower() not in _TABLES:
            raise InputError(f"expected a file ending in {', '.join(_TABLES)}, got {out.name!r}")
        if not out.parent.is_dir():
            raise InputError(f"cannot write {out}: there is no directory {out.parent}")


def _rows(run: "Simulation") -> list[dict[str, Any]]:
    document = run.document()
    figures: dict[str, object] = {
        "strategy": run.strategy,
        "engine": run.engine,
        "seed": run.seed,
        "players": run.players,
        "rounds": run.rounds,
        "player-rounds": run.player_rounds,
        "staked": run.total_staked,
        "net": run.total_net,
        "hold": f"{run.hold:.4%}",
        "exact edge": f"{float(run.play.edge):.4%}",
        "standard errors off": "" if run.z_score is None else f"{run.z_score:+.2f}",
    }
    if run.has_bankroll:
        figures["mean rounds"] = f"{document['mean_rounds']:.1f}"
        for ending in ("ruined", "target", "left", "played"):
            share = document[ending]
            interval = f"({share['low_95']:.4f} to {share['high_95']:.4f})"
            figures[f"share {ending}"] = f"{share['share']:.4f} {interval}"
    if run.players >= _QUANTILE_PLAYERS:
        figures |= {f"net, {level:.0%} quantile": net for level, net in run.quantiles().items()}
    return [{"figure": name, "value": value} for name, value in figures.items()]


@contextmanager
def progress_bar() -> Iterator["Callable[[Progress], None] | None"]:
    """A bar with rate and time left on standard error, where someone is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich_progress

    from taisai.odds.cost import say_seconds

    columns = (
        rich_progress.TextColumn("simulating"),
        rich_progress.BarColumn(),
        rich_progress.TaskProgressColumn(),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TextColumn("{task.fields[left]}"),
    )
    with rich_progress.Progress(*columns, console=err(), transient=True) as bar:
        task = bar.add_task("simulate", total=1.0, rate="", left="")

        def show(progress: "Progress") -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{progress.played / elapsed / 1e6:,.1f} million player-rounds/s" if elapsed else ""
            done = progress.settled / progress.total
            left = time_left(done, elapsed)
            said = "" if left is None else f"about {say_seconds(left)} left"
            bar.update(task, completed=done, rate=rate, left=said)

        yield show
