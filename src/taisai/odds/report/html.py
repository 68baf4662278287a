"""A report as one HTML file: style and pictures inside, no script, nothing fetched; by day and by night."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from taisai.errors import InputError
from taisai.odds.extras import needs
from taisai.odds.report.page import ReportPage
from taisai.odds.report.templates import packaged, template

# Where the pips of each face are, on a die of 26 by 26.
_PIPS: Final = {
    1: ((13, 13),),
    2: ((7, 7), (19, 19)),
    3: ((7, 7), (13, 13), (19, 19)),
    4: ((7, 7), (19, 7), (7, 19), (19, 19)),
    5: ((7, 7), (19, 7), (13, 13), (7, 19), (19, 19)),
    6: ((7, 7), (19, 7), (7, 13), (19, 13), (7, 19), (19, 19)),
}


def page_html(page: ReportPage, drawings: Mapping[str, str]) -> str:
    """The whole file; `drawings` are the pictures that the page names, as SVG."""
    # Drawings are SVG of our own making, and the style is a file of ours: neither is escaped.
    whole = needs("markupsafe").Markup
    text: str = template("page.html").render(
        page=page,
        style=whole(packaged("page.css")),
        drawings={name: whole(drawing) for name, drawing in drawings.items()},
        pips=_PIPS,
    )
    return text


def check_page_path(path: str | Path) -> Path:
    """A file that a report can be written to; asked before a long run, not after it."""
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise InputError(f"expected a report's file ending in .html, got {path.name!r}")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no directory {path.parent}")
    return path


def write_page(page: str, path: str | Path) -> Path:
    """Write a report."""
    path = check_page_path(path)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path
