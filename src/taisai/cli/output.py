"""What every command shares: formats, exit codes, and how data and errors reach the terminal.

Data goes to standard output, everything else to standard error.
"""

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from taisai.errors import InputError, RulebookError, StoreError, TaisaiError


class Exit(IntEnum):
    """Exit codes of the `taisai` command."""

    OK = 0
    CHECK_FAILED = 1
    BAD_INPUT = 2
    BAD_RULEBOOK = 3
    STORE = 5
    INTERRUPTED = 130


class Format(StrEnum):
    """How a report is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the result.")]

Row = Mapping[str, Any]


def out() -> Console:
    """The console for data. Built on demand, so that redirection and NO_COLOR are seen."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def err() -> Console:
    return Console(file=sys.stderr, highlight=False, soft_wrap=True)


def show_json(document: object) -> None:
    """One JSON document; fractions are written as strings, so that no digit is lost."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | frozenset | set):
        return list(value)
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def show_rows(rows: Sequence[Row], form: Format, *, title: str = "", document: object = None) -> None:
    """Rows of the same keys in the format asked for; JSON shows `document` where there is one."""
    if form is Format.JSON:
        show_json(list(rows) if document is None else document)
        return
    columns = list(rows[0]) if rows else []
    if form is Format.CSV:
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows([{name: _cell(row[name]) for name in columns} for row in rows])
        sys.stdout.write(buffer.getvalue())
    elif form is Format.MD:
        sys.stdout.write(markdown_table(rows))
    else:
        table = Table(title=title or None, title_justify="left", header_style="bold")
        for name in columns:
            numeric = all(isinstance(row[name], int | float | Fraction) for row in rows)
            table.add_column(name.replace("_", " "), justify="right" if numeric else "left")
        for row in rows:
            table.add_row(*(_cell(row[name]) for name in columns))
        out().print(table)


def markdown_table(rows: Sequence[Row]) -> str:
    """Rows as a Markdown table."""
    if not rows:
        return ""
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += [
        "| " + " | ".join(_cell(row[name]).replace("|", r"\|") for name in columns) + " |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn what went wrong into one clear line and a documented exit code, never a traceback."""
    try:
        yield
    except RulebookError as error:
        err().print(f"[bold red]error:[/] {_escape(str(error))}")
        raise SystemExit(Exit.BAD_RULEBOOK) from None
    except InputError as error:
        err().print(f"[bold red]error:[/] {_escape(str(error))}")
        raise SystemExit(Exit.BAD_INPUT) from None
    except StoreError as error:
        err().print(f"[bold red]error:[/] {_escape(str(error))}")
        raise SystemExit(Exit.STORE) from None
    except TaisaiError as error:
        err().print(f"[bold red]error:[/] {_escape(str(error))}")
        raise SystemExit(Exit.CHECK_FAILED) from None
    except BrokenPipeError:
        # The reader (head, less) has gone; nothing is wrong on our side.
        sys.stderr.close()
        raise SystemExit(Exit.OK) from None
    except KeyboardInterrupt:
        raise SystemExit(Exit.INTERRUPTED) from None


def _escape(text: str) -> str:
    return text.replace("[", r"\[")
