"""`taisai fairness`: recorded rolls against fair dice, and how many rolls it takes to notice a bias."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.numbers import count_option, seed_option
from taisai.cli.output import Exit, Format, FormatOption, err, out, show_rows
from taisai.errors import InputError

if TYPE_CHECKING:
    from taisai.dice import Roll
    from taisai.floor.proofs.voided_dice import VoidedDice
    from taisai.odds.fairness import FairnessReport
    from taisai.odds.fairness.rollfile import Dice


def register(app: typer.Typer) -> None:
    app.command()(fairness)


def fairness(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="Rolls, three dice a line; - reads standard input; or a store."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="The chance to call fair dice suspect.")] = 0.01,
    seed: Annotated[int, seed_option("Seeds the Monte Carlo of exact tests.")] = 0,
    unordered: Annotated[bool, typer.Option("--unordered", help="Dice are recorded by size.")] = False,
    bias: Annotated[
        float | None, typer.Option(help="How many rolls notice a face that is this much too likely?")
    ] = None,
    tables: Annotated[
        int,
        count_option("With --bias: check it by playing so many loaded tables.", least=0, most=10_000),
    ] = 0,
    table: Annotated[str | None, typer.Option(help="With a store: only the rounds of this table.")] = None,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Follow the rolls; say when the dice have changed."),
    ] = False,
    run_length: Annotated[
        int,
        count_option(
            "With --watch: fair dice raise the alarm once in so many rolls on average, or less often.",
            least=10,
            most=10**12,
        ),
    ] = 1_000_000,
    plot: Annotated[Path | None, typer.Option(help="Draw into this .svg or .png file.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Test recorded rolls against fair dice.

    Chi-square and exact tests on faces, each die, totals, the 56 combinations and triples; repeats,
    dependence between dice, serial correlation, runs; one verdict over all of them, and evidence that may be
    looked at after every roll. Exit code 1 when the dice are suspect.

    With --watch it asks instead whether the dice have changed, roll by roll, until the rolls end.

    Examples: taisai fairness rolls.csv; tail -f rolls.csv | taisai fairness - --watch;
    taisai fairness - --plot dice.svg; taisai fairness --bias 0.05 --tables 200
    """
    if (file is None) == (bias is None):
        raise InputError(
            "expected a file of rolls, or --bias to ask how many rolls notice it; one of the two"
        )
    if watch and file is not None:
        follow_dice(file, table, run_length=run_length, ordered=not unordered, form=form)
    elif bias is not None:
        _show_power(bias, alpha=alpha, tables=tables, seed=seed, form=form)
    elif file is not None:
        dice, voids = read_dice(file, table), _voided(file, table)
        ordered = False if unordered else None
        _test(dice, voids, alpha=alpha, seed=seed, ordered=ordered, plot=plot, form=form)


def follow_dice(file: str, table: str | None, *, run_length: int, ordered: bool, form: Format) -> None:
    """Each alarm as it comes; after one the watch begins anew. Exit code 1 if there was any."""
    from taisai.cli.fairness_watch import watch_rolls

    alarms = watch_rolls(_rolls_as_they_come(file, table), run_length=run_length, ordered=ordered, form=form)
    if alarms:
        raise typer.Exit(Exit.CHECK_FAILED)


def _rolls_as_they_come(file: str, table: str | None) -> "Iterator[Roll]":
    """One roll after the other; a pipe is read as it is written."""
    from taisai.dice import Roll
    from taisai.odds.fairness.rollfile import each_roll

    if file != "-":
        for dice in read_dice(file, table).tolist():
            yield Roll(*dice)
        return
    with _text_of("standard input"):
        for faces in each_roll(iter(sys.stdin.readline, ""), source="standard input"):
            yield Roll(*faces)


def _show_power(bias: float, *, alpha: float, tables: int, seed: int, form: Format) -> None:
    from taisai.odds.power import power_table, simulate_power

    rows = power_table(bias, alpha=alpha).rows()
    for row in rows if tables else []:
        rolls, dice = row["rolls_for_90%"], row["biased_dice"]
        played = simulate_power(bias, rolls=rolls, dice=dice, alpha=alpha, tables=tables, seed=seed)
        row["found_in_play"] = round(played.chi_square, 4)
        row["alarms_in_play"] = round(played.sequential, 4)
        row["median_alarm"] = played.median_alarm
    document = {
        "schema": "taisai.fairness-power/1",
        "bias": bias,
        "alpha": alpha,
        "seed": seed,
        "rolls": rows,
    }
    title = f"rolls needed to notice a face {bias:+g} off its chance of 1/6, at alpha {alpha:g}"
    show_rows(rows, form, title=title, document=document)


def _test(
    dice: "Dice",
    voids: "list[VoidedDice]",
    *,
    alpha: float,
    seed: int,
    ordered: bool | None,
    plot: Path | None,
    form: Format,
) -> None:
    from taisai.odds.fairness import fairness as judge
    from taisai.odds.results.figures import check_plot_path

    if plot is not None:
        check_plot_path(plot)
    report = judge(dice, alpha=alpha, seed=seed, ordered=ordered)
    rows = report.frame().rows()
    if form in (Format.TABLE, Format.MD):
        rows = [{**row, "p_value": f"{row['p_value']:.3g}", "p_holm": f"{row['p_holm']:.3g}"} for row in rows]
    document = report.document()
    if voids:
        document["voids"] = _sums(voids)
    show_rows(rows, form, title=f"{report.rolls} rolls", document=document)
    if not report.ordered and ordered is None:
        err().print("the dice are recorded by size, so tests of single dice are left out")
    if form is Format.TABLE:
        _say_verdict(report)
        _say_voids(voids)
    if plot is not None:
        from taisai.odds.fairness.plots import plot_fairness

        err().print(f"drawn: {plot_fairness(report, plot)}")
    if not report.is_fair:
        raise typer.Exit(Exit.CHECK_FAILED)


def _say_verdict(report: "FairnessReport") -> None:
    sequential = report.document()["sequential"]
    out().print(f"verdict: {report.verdict}")
    out().print(
        f"sequential test: p at most {sequential['p_value']:.4g} over all {report.rolls} rolls; "
        f"alarm: {'none' if report.alarm_at is None else f'roll {report.alarm_at}'}"
    )
    bias = report.smallest_bias_noticed
    said = "no bias at all" if bias is None else f"a face of one die that is {bias:.3f} too likely"
    out().print(f"this many rolls notice, at least nine times in ten, {said}")


def _sums(voids: "list[VoidedDice]") -> dict[str, int]:
    """What the voids of rounds did, whose dice were determined already, in minor units."""
    return {
        "rounds": len(voids),
        "staked": sum(void.staked for void in voids),
        "unpaid": sum(void.unpaid for void in voids),
        "saved": sum(void.saved for void in voids),
    }


def _say_voids(voids: "list[VoidedDice]") -> None:
    if not voids:
        return
    sums = _sums(voids)
    whose, saved = ("the house", sums["saved"]) if sums["saved"] >= 0 else ("the players", -sums["saved"])
    rounds = "1 round was" if len(voids) == 1 else f"{len(voids)} rounds were"
    out().print(
        f"{rounds} made void after the dice were determined: they would have paid {sums['unpaid']} "
        f"on stakes of {sums['staked']}, so that the voids saved {whose} {saved}"
    )


def _voided(file: str, table: str | None) -> "list[VoidedDice]":
    """What a store tells of rounds that were made void; a file of rolls tells nothing of them."""
    if not _is_store(file):
        return []
    from taisai.adapters.stores import read_store
    from taisai.floor.proofs.voided_dice import voided_dice

    async def read() -> "list[VoidedDice]":
        async with read_store(file) as snapshot:
            return await voided_dice(snapshot, table)

    return asyncio.run(read())


def read_dice(file: str, table: str | None) -> "Dice":
    from taisai.odds.fairness.rollfile import as_dice, parse_rolls

    if _is_store(file):
        return as_dice(asyncio.run(_recorded(file, table)))
    if table is not None:
        raise InputError("--table chooses among the tables of a store, and this is a file of rolls")
    if file == "-":
        with _text_of("standard input"):
            return parse_rolls(sys.stdin, source="standard input")
    with _text_of(file), Path(file).open(encoding="utf-8") as lines:
        return parse_rolls(lines, source=file)


@contextmanager
def _text_of(source: str) -> "Iterator[None]":
    """What cannot be read, or is no text, is said in one line."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{source}: expected text, three dice a line, got other bytes") from None


def _is_store(file: str) -> bool:
    """A PostgreSQL address, or a file that SQLite wrote."""
    from taisai.adapters.stores import is_postgres, sqlite_path

    if is_postgres(file):
        return True
    path = sqlite_path(file) if file != "-" else Path()
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(15) == b"SQLite format 3"


async def _recorded(address: str, table: str | None) -> "list[Roll]":
    from taisai.adapters.stores import read_store
    from taisai.floor.views.rolls import recorded_rolls

    async with read_store(address) as snapshot:
        rolls = await recorded_rolls(snapshot, table)
    if not rolls:
        raise InputError(f"{address} has no results{f' at the table {table}' if table else ''} yet")
    return rolls
