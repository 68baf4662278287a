"""`taisai layout`: the felt of a pay table, in the terminal or as a picture."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from taisai.cli.numbers import count_option
from taisai.cli.odds import PayTableArgument
from taisai.cli.output import Format, FormatOption, err, out, show_rows
from taisai.cli.settle import parse_bets
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.felt import felt_svg
from taisai.rulebooks.felt_canvas import Segment
from taisai.rulebooks.felt_text import felt_lines
from taisai.rulebooks.kinds import Kind
from taisai.rulebooks.model import PayTable

_WIDTH = 100

_COLOURS = {
    Kind.BIG: "bright_red",
    Kind.SMALL: "bright_red",
    Kind.ODD: "bright_blue",
    Kind.EVEN: "bright_blue",
    Kind.ANY_TRIPLE: "bright_magenta",
}


def register(app: typer.Typer) -> None:
    app.command()(layout)


def layout(
    pay_table: PayTableArgument,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file instead.")] = None,
    width: Annotated[
        int | None,
        count_option("Columns to draw on; the terminal's own if left out.", least=20, most=400),
    ] = None,
    dice: Annotated[str | None, typer.Option(help="Show which boxes these dice win: 1,1,3.")] = None,
    bet: Annotated[
        list[str] | None, typer.Option(help="Put a chip on a box: BOX=AMOUNT, as often as wanted.")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Draw the felt of a pay table, every box in its place.

    Other formats than `table` list each box with its place on the felt, in grid units.

    Examples: taisai layout tai-sai-v6/2; taisai layout macau/1 --svg felt.svg;
    taisai layout tai-sai-v6/2 --bet big=100 --bet sum-9=20 --svg bets.svg
    """
    table = find_pay_table(pay_table)
    winning = table.winning_boxes(Roll.parse(dice)) if dice is not None else ()
    stakes = parse_bets(bet) if bet else None
    for box in stakes or ():
        table.box(box)
    if svg is not None:
        chips = {box: f"{amount:,}" for box, amount in (stakes or {}).items()}
        write_picture(svg, felt_svg(table, chips=chips))
    elif form is Format.TABLE:
        console = out()
        columns = width or (console.width if console.is_terminal else _WIDTH)
        for line in felt_lines(table, columns, highlight=winning, stakes=stakes):
            console.print(_coloured(table, line), soft_wrap=True)
    else:
        _show_places(table, form)


def write_picture(path: Path, picture: str) -> None:
    """Write a picture or a page to a file, and say so."""
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    err().print(f"wrote {path}", markup=False)


def _coloured(table: PayTable, line: list[Segment]) -> Text:
    """A line of the drawing; winning boxes stand out, and captions stand back."""
    text = Text()
    for segment in line:
        style = "yellow" if segment.part == "caption" else ""
        if segment.part == "frame":
            style = "bold bright_yellow" if segment.box else "green"
        elif segment.box:
            style = _COLOURS.get(table.box(segment.box).kind, "")
        text.append(segment.text, style)
    text.rstrip()
    return text


def _show_places(table: PayTable, form: Format) -> None:
    felt = table.layout
    rows = [
        {"box": place.box, "x": place.x, "y": place.y, "w": place.w, "h": place.h} for place in felt.places
    ]
    captions = [
        {"group": caption.group, "x": caption.x, "y": caption.y, "w": caption.w, "h": caption.h}
        for caption in felt.captions
    ]
    document = {
        "pay_table": table.id,
        "layout": felt.id,
        "width": felt.width,
        "height": felt.height,
        "boxes": rows,
        "captions": captions,
    }
    show_rows(rows, form, document=document)
