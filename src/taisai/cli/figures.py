"""Figures on the screen and in reports: amounts, shares and chances as people read them."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.output import Format, err, show_rows

if TYPE_CHECKING:
    from taisai.odds.results.chance import Chance

ReportOption = Annotated[
    Path | None, typer.Option("--report", help="Also write a report with pictures to FILE.html.")
]


def percent(value: "Fraction | float | Chance", digits: int = 4) -> str:
    """A share of one."""
    return f"{100 * float(value):.{digits}f} %"


def amount_of(value: "Fraction | float | Chance") -> str:
    """An amount in minor units; two digits more where it is not whole."""
    exact = value if isinstance(value, Fraction) else getattr(value, "exact", None)
    if isinstance(exact, Fraction) and exact.denominator == 1:
        return f"{int(exact):,}"
    return f"{float(value):,.2f}"


def exactly(value: Fraction) -> dict[str, Any]:
    """A fraction for programs: its text, and the float beside it."""
    from taisai.odds.results.chance import Chance

    return Chance.of(value).as_json()


def check_report(report: Path | None) -> None:
    """A wrong file name is said before a long run, not after it."""
    if report is not None:
        from taisai.odds.report.html import check_page_path

        check_page_path(report)


def show_figures(
    figures: Mapping[str, str] | Sequence[tuple[str, str]],
    form: Format,
    *,
    title: str,
    document: object,
    report: Path | None = None,
    page: "Callable[[list[tuple[str, object]]], str] | None" = None,
) -> None:
    """Figures as a table or a document, and as a page where one is asked for."""
    pairs = list(figures.items()) if isinstance(figures, Mapping) else list(figures)
    rows = [{"figure": name, "value": value} for name, value in pairs]
    show_rows(rows, form, title=title, document=document)
    if report is not None and page is not None:
        from taisai.odds.report.html import write_page

        err().print(f"wrote {write_page(page(list(pairs)), report)}", markup=False)
