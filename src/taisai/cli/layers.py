"""`taisai layers`: a rule file's random multipliers and progressive, computed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.figures import amount_of, exactly, percent
from taisai.cli.numbers import count_option, money_option
from taisai.cli.output import Format, FormatOption, err, show_rows
from taisai.cli.settle import parse_bets
from taisai.errors import InputError
from taisai.money import say_odds
from taisai.rulebooks.catalogue import load_rulebook

if TYPE_CHECKING:
    from taisai.rulebooks.model import PayTable


def register(app: typer.Typer) -> None:
    app.command()(layers)


def layers(
    file: Annotated[Path, typer.Argument(help="A rule file with multipliers or a progressive.")],
    number: Annotated[int, count_option("Which of its pay tables.")] = 1,
    stake: Annotated[int, money_option("The stake on the progressive's box.")] = 100,
    meter: Annotated[int | None, money_option("What the meter shows now.", least=0)] = None,
    bet: Annotated[
        list[str] | None, typer.Option(help="BOX=STAKE: the mean and spread of these bets together.")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Compute a pay table with random multipliers and a progressive. Nothing can be played or settled by it.

    Example: taisai layers lit.toml --stake 100 --meter 5000
    """
    from taisai.odds.layers.multipliers import layered_frame, layered_moments

    table = load_rulebook(file).pay_table(number)
    if table.layer is None:
        raise InputError(f"{table.id} has neither multipliers nor a progressive: taisai check computes it")
    found = layered_frame(table).rows()
    document: dict[str, Any] = {"pay_table": table.id, "digest": table.digest, "boxes": found}
    facts: list[tuple[str, str]] = []
    if table.layer.progressive is not None:
        facts += _progressive(table, stake, meter, document)
    elif meter is not None:
        raise InputError(f"{table.id} has no progressive: leave out --meter")
    if bet:
        mean, variance = layered_moments(table, parse_bets(bet))
        document["bets"] = {"mean": exactly(mean), "variance": exactly(variance)}
        facts.append(("these bets together", f"mean {amount_of(mean)}, variance {amount_of(variance)}"))
    rows = [
        {
            "box": row["box"],
            "lit": percent(row["lit"], 2),
            "pays_at_most": say_odds(row["pays_at_most"]),
            "return": percent(row["return"]),
            "return_unlit": percent(row["return_unlit"]),
            "standard_deviation": f"{row['standard_deviation']:.3f}",
        }
        for row in found
    ]
    shown = found if form is Format.CSV else rows
    show_rows(shown, form, title=f"{table.id} with its layer", document=document)
    for name, value in facts if form is Format.TABLE else []:
        err().print(f"{name}: {value}", markup=False)


def _progressive(
    table: "PayTable", stake: int, meter: int | None, document: dict[str, Any]
) -> list[tuple[str, str]]:
    from taisai.odds.layers.progressive import ProgressiveValue

    value = ProgressiveValue.of(table, stake)
    reached = value.chance_of_break_even
    document["progressive"] = {
        "box": value.terms.box,
        "stake": stake,
        "hit": exactly(value.hit),
        "break_even_meter": exactly(value.break_even_meter),
        "mean_meter": exactly(value.mean_meter),
        "long_run_return": exactly(value.long_run_return),
        "chance_of_break_even": None if reached is None else float(reached),
        "return_now": None if meter is None else exactly(value.returns(meter)),
    }
    facts = [
        ("the meter breaks even at", amount_of(value.break_even_meter)),
        ("it shows when it is hit, on average", amount_of(value.mean_meter)),
        ("return in the long run", percent(value.long_run_return)),
    ]
    if reached is not None:
        facts.append(("meters that get to the break-even", percent(reached)))
    if meter is not None:
        facts.append((f"return at a meter of {meter:,}", percent(value.returns(meter))))
    return facts
