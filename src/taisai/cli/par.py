"""`taisai par`: the PAR sheet of a pay table, on the screen or as a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from taisai.cli.numbers import amount, count_option, seed_option, share
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Exit, Format, FormatOption, err, show_rows
from taisai.errors import InputError, brief
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.catalogue import rulebook_of

MaximumOption = Annotated[
    list[str] | None,
    typer.Option(help="Most a box may hold, in minor units: 5000 for all, GROUP=5000 or BOX=5000 for some."),
]

FloorOption = Annotated[
    str, typer.Option(help="Mark boxes that return less than this share: 0.75, 3/4 or 75%.")
]


def register(app: typer.Typer) -> None:
    app.command()(par)


def parse_maxima(texts: list[str] | None) -> tuple[dict[str, int], int | None]:
    """Limits by group or box from `big=5000`, and the one for all the others from `5000`."""
    limits: dict[str, int] = {}
    general: int | None = None
    for text in texts or []:
        name, equals, raw_amount = text.rpartition("=")
        if bool(name) != bool(equals):
            raise InputError(f"expected a maximum such as 5000 or big=5000, got {brief(text)}")
        maximum = amount(raw_amount, what="a maximum such as 5000 or big=5000")
        if not name:
            general = maximum
        elif name in limits:
            raise InputError(f"two maxima for {name}: give one")
        else:
            limits[name] = maximum
    return limits, general


def par(
    pay_table: PayTableArgument,
    file: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to FILE.html, .md, .json or .xlsx.")
    ] = None,
    maximum: MaximumOption = None,
    rounds: Annotated[int, count_option("Rounds of the simulated cross-check.")] = 100_000_000,
    seed: Annotated[int, seed_option("Seed of the cross-check.")] = 1,
    floor: FloorOption = "0.75",
    form: FormatOption = Format.MD,
) -> None:
    """Write a pay table's PAR sheet: exact figures of every box, limits, and a cross-check.

    Examples: taisai par tai-sai-v6/2 --out par.html; taisai par macau/1 --maximum 5000 --maximum big=100000
    """
    from taisai.odds.par.document import par_document
    from taisai.odds.par.sheet import par_sheet
    from taisai.odds.par.write import check_ending, write_par

    if file is not None:
        check_ending(file)
    limits, general = parse_maxima(maximum)
    sheet = par_sheet(
        find_pay_table(pay_table),
        rulebook_of(pay_table),
        maxima=limits,
        default_maximum=1 if general is None else general,
        rounds=rounds,
        seed=seed,
        return_floor=share(floor),
    )
    if file is not None:
        write_par(sheet, file)
        err().print(f"wrote {file}", markup=False)
    elif form is Format.MD:
        from taisai.odds.par.markdown import par_markdown

        typer.echo(par_markdown(sheet), nl=False)
    else:
        show_rows(
            [_row(row) for row in sheet.frame()],
            form,
            title=f"{pay_table}: PAR sheet",
            document=par_document(sheet) if form is Format.JSON else None,
        )
    if not sheet.check.passes:
        err().print("[bold red]the cross-check fails[/]: see the sheet")
        raise typer.Exit(Exit.CHECK_FAILED)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Floats with the digits that a reader needs."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}
