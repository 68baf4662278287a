"""`taisai check`: is a house's own rule file right, and does it pay what the house believes?"""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.numbers import share
from taisai.cli.odds import pays_cell
from taisai.cli.output import Exit, Format, FormatOption, err, show_rows
from taisai.cli.par import FloorOption
from taisai.errors import RulebookError
from taisai.odds.exact import box_odds
from taisai.rulebooks.catalogue import load_rulebook
from taisai.rulebooks.model import Rulebook


def register(app: typer.Typer) -> None:
    app.command()(check)


def check(
    file: Annotated[Path, typer.Argument(help="A rule file; docs/reference/rulebook-format.md says how.")],
    floor: FloorOption = "0.75",
    form: FormatOption = Format.TABLE,
) -> None:
    """Check a rule file: list its faults, or what each box returns.

    Faults are listed all at once, with key and line, and give exit code 3. A box that returns more than 100%
    or less than the floor is warned of; the exit code stays 0.
    """
    floor_return = share(floor)
    try:
        book = load_rulebook(file)
    except RulebookError as error:
        if form is Format.JSON:
            faults = [{"key": f.key, "line": f.line, "message": f.message} for f in error.faults]
            show_rows([], form, document={"file": str(file), "faults": faults})
            raise SystemExit(Exit.BAD_RULEBOOK) from None
        raise
    rows = _rows(book, floor_return, form)
    document = {"file": str(file), "rulebook": book.id, "digest": book.digest, "faults": [], "boxes": rows}
    show_rows(rows, form, title=f"{book.id}: no faults, digest {book.digest}", document=document)
    warned = [row for row in rows if row["warning"]]
    for row in warned:
        err().print(f"[yellow]warning:[/] {row['pay_table']} {row['box']}: {row['warning']}")
    err().print(f"{len(rows)} boxes, no faults, {len(warned)} warning(s)")


def _rows(book: Rulebook, floor_return: Fraction, form: Format) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for table in book.pay_tables:
        for box in table.boxes:
            returns = box_odds(box).returns
            warning = None
            if returns > 1:
                warning = f"returns {_said(returns)}: the house loses on it"
            elif returns < floor_return:
                warning = f"returns {_said(returns)}, below the floor of {_said(floor_return)}"
            rows.append(
                {
                    "pay_table": table.id,
                    "box": box.id,
                    "pays_to_one": pays_cell(box, form),
                    "return": str(returns),
                    "return_%": f"{float(100 * returns):.2f}",
                    "warning": warning,
                }
            )
    return rows


def _said(share: Fraction) -> str:
    return f"{float(100 * share):.1f}%"
