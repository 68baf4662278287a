"""`taisai prorata`: how bets over a box's limit share it."""

from typing import Annotated

import typer

from taisai.cli.numbers import amount, money_option
from taisai.cli.output import Format, FormatOption, show_rows
from taisai.game.apportion import apportion


def register(app: typer.Typer) -> None:
    app.command()(prorata)


def prorata(
    bets: Annotated[list[str], typer.Argument(help="Each player's total on the box, in order.")],
    maximum: Annotated[int, money_option("The most that may count on the box.", least=0)],
    minimum: Annotated[int, money_option("The box's minimum.", least=0)] = 0,
    unit: Annotated[int, money_option("The chip unit.")] = 1,
    form: FormatOption = Format.TABLE,
) -> None:
    """Share a box's limit pro rata among its players (5.1.1, 5.1.2 of tai-sai-v4 and v6).

    Example: taisai prorata --maximum 1000 --minimum 50 --unit 5 300 600 400
    """
    totals = [amount(text, what="a player's total") for text in bets]
    effective = apportion(totals, maximum=maximum, minimum=minimum, unit=unit)
    returned = [bet - counts for bet, counts in zip(totals, effective, strict=True)]
    rows = [
        {"bet": bet, "effective": counts, "returned": back}
        for bet, counts, back in zip(totals, effective, returned, strict=True)
    ]
    show_rows(rows, form, document={"effective": effective, "returned": returned})
