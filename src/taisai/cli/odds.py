"""`taisai odds` and `taisai compare`: exact odds of every box, and of two pay tables side by side."""

from typing import Annotated, Any

import typer

from taisai.cli.output import Format, FormatOption, show_rows
from taisai.money import say_odds
from taisai.odds.exact import OF, BoxOdds, box_odds
from taisai.rulebooks.catalogue import pay_table as find_pay_table
from taisai.rulebooks.model import Box

PayTableArgument = Annotated[str, typer.Argument(metavar="PAYTABLE", help="For example tai-sai-v6/2.")]


def register(app: typer.Typer) -> None:
    app.command()(odds)
    app.command()(compare)


def odds(
    pay_table: PayTableArgument,
    box: Annotated[list[str] | None, typer.Option(help="Only this box; may be given again.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show the exact odds of every box over the 216 rolls.

    Ways to win, return, edge and variance as fractions, and the skewness.

    Examples: taisai odds tai-sai-v6/2; taisai odds sic-bo-etg-v8/1 --box sum-8 --format json
    """
    table = find_pay_table(pay_table)
    chosen = [table.box(name) for name in box] if box else table.boxes
    reports = [box_odds(each) for each in chosen]
    document = {
        "pay_table": table.id,
        "digest": table.digest,
        "boxes": [odds_document(report) for report in reports],
    }
    rows = [_row(report, form) for report in reports]
    show_rows(rows, form, title=f"{table.id}: exact odds", document=document)


def odds_document(report: BoxOdds) -> dict[str, Any]:
    """A box's odds as JSON: fractions as strings, and decimals beside what is irrational."""
    return {
        "box": report.box.id,
        "kind": str(report.box.kind),
        "group": report.box.group,
        "pays_to_one": [str(pays) for pays in report.box.pays],
        "ways": report.ways,
        "ways_by_price": [price.rolls.bit_count() for price in report.box.prices],
        "of": OF,
        "probability": str(report.probability),
        "return": str(report.returns),
        "edge": str(report.edge),
        "edge_percent": _percent(report),
        "variance": str(report.variance),
        "standard_deviation": round(report.standard_deviation, 6),
        "third_central_moment": str(report.central_moment(3)),
        "skewness": round(report.skewness, 6),
        "skewness_squared": str(report.skewness_squared),
    }


def _percent(report: BoxOdds) -> float:
    return round(float(100 * report.edge), 4)


def pays_cell(box: Box, form: Format) -> object:
    """A box's odds: as a layout prints them for people, as exact fractions for programs."""
    if form in (Format.JSON, Format.CSV):
        return [str(pays) for pays in box.pays]
    return " / ".join(map(say_odds, box.pays))


def _row(report: BoxOdds, form: Format) -> dict[str, object]:
    return {
        "box": report.box.id,
        "pays_to_one": pays_cell(report.box, form),
        "ways": report.ways,
        "of": OF,
        "return": report.returns,
        "edge": report.edge,
        "edge_%": f"{_percent(report):.4f}",
        "variance": report.variance,
        "skewness": f"{report.skewness:.4f}",
    }


def compare(
    first: Annotated[str, typer.Argument(metavar="PAYTABLE")],
    second: Annotated[str, typer.Argument(metavar="PAYTABLE")],
    only_different: Annotated[bool, typer.Option("--different", help="Leave out what is the same.")] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Set two pay tables side by side: what each offers, pays and keeps.

    Example: taisai compare tai-sai-v6/2 sic-bo-etg-v8/2 --different
    """
    left, right = find_pay_table(first), find_pay_table(second)
    rows = []
    for name in dict.fromkeys([*left.by_id, *right.by_id]):
        sides = [table.by_id.get(name) for table in (left, right)]
        reports = [box_odds(box) if box else None for box in sides]
        pays = [pays_cell(box, form) if box else None for box in sides]
        if only_different and pays[0] == pays[1]:
            continue
        edges = [report.edge if report else None for report in reports]
        rows.append(
            {
                "box": name,
                f"{left.id}_pays": pays[0],
                f"{right.id}_pays": pays[1],
                f"{left.id}_edge": edges[0],
                f"{right.id}_edge": edges[1],
                "better_for_player": _better(left.id, right.id, edges),
            }
        )
    show_rows(rows, form, title=f"{left.id} and {right.id}")


def _better(left: str, right: str, edges: list[Any]) -> str:
    if None in edges:
        return f"only {left if edges[1] is None else right}"
    if edges[0] == edges[1]:
        return "same"
    return left if edges[0] < edges[1] else right
