"""Writes a PAR sheet in the form that its file's ending names."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from taisai.errors import InputError
from taisai.odds.par.document import par_document
from taisai.odds.par.html import par_html
from taisai.odds.par.markdown import par_markdown
from taisai.odds.par.sheet import ParSheet
from taisai.odds.par.workbook import par_workbook


def par_json(sheet: ParSheet) -> str:
    """The sheet as JSON text."""
    return json.dumps(par_document(sheet), indent=1, ensure_ascii=False) + "\n"


def _bytes(text: Callable[[ParSheet], str]) -> Callable[[ParSheet], bytes]:
    return lambda sheet: text(sheet).encode("utf-8")


WRITERS: Final[dict[str, Callable[[ParSheet], bytes]]] = {
    ".html": _bytes(par_html),
    ".md": _bytes(par_markdown),
    ".json": _bytes(par_json),
    ".xlsx": par_workbook,
}


def check_ending(path: Path) -> str:
    """The file's ending, if there is a writer for it."""
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise InputError(f"a PAR sheet's file ends in {', '.join(WRITERS)}, got {path.name!r}")
    return ending


def write_par(sheet: ParSheet, path: str | Path) -> Path:
    """Write the sheet as .html, .md, .json or .xlsx."""
    path = Path(path)
    content = WRITERS[check_ending(path)](sheet)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path
