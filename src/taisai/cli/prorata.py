"""`taisai prorata`: how bets over a box's limit share it."""

from typing import Annotated

import typer

from taisai.cli.output import Format, FormatOption, show_rows
from taisai.game.apportion import apportion


def register(app: typer.Typer) -> None:
    app.command()(prorata)


def prorata(
    bets: Annotated[list[int], typer.Argument(help="Each player's total on the box, in order.")],
    maximum: Annotated[int, typer.Option(help="The most that may count on the box.")],
    minimum: Annotated[int, typer.Option(help="The box's minimum.")] = 0,
    unit: Annotated[int, typer.Option(help="The chip unit.")] = 1,
    form: FormatOption = Format.TABLE,
) -> None:
    """Share a box's limit pro rata among its players (5.1.1, 5.1.2 of tai-sai-v4 and v6).

    Example: taisai prorata --maximum 1000 --minimum 50 --unit 5 300 600 400
    """
    effective = apportion(bets, maximum=maximum, minimum=minimum, unit=unit)
    returned = [bet - counts for bet, counts in zip(bets, effective, strict=True)]
    rows = [
        {"bet": bet, "effective": counts, "returned": back}
        for bet, counts, back in zip(bets, effective, returned, strict=True)
    ]
    show_rows(rows, form, document={"effective": effective, "returned": returned})
