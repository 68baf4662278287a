"""What every command shares: formats, exit codes, and how data and errors reach the terminal.

Data goes to standard output, everything else to standard error.
"""

import csv
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from taisai.errors import InputError, RulebookError, StoreError, TaisaiError
from taisai.plain_text import for_a_sheet


class Exit(IntEnum):
    """Exit codes of the `taisai` command."""

    OK = 0
    CHECK_FAILED = 1
    BAD_INPUT = 2
    BAD_RULEBOOK = 3
    STORE = 5
    TAKEN_OVER = 6
    INTERRUPTED = 130


class Format(StrEnum):
    """How a report is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the result.")]

Row = Mapping[str, Any]


_USAGE_MAX = 300
# How wide tables are where no terminal says it: in a file or a pipe.
_COLUMNS = 120


class _DataConsole(Console):
    """Rich would end the program when the reader has gone; `one_line_errors` knows better."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def out() -> Console:
    """The console for data. Built on demand, so that redirection, COLUMNS and NO_COLOR are seen."""
    on_terminal = sys.stdout.isatty()
    width = None if on_terminal or "COLUMNS" in os.environ else _COLUMNS
    return _DataConsole(file=sys.stdout, highlight=False, soft_wrap=not on_terminal, width=width)


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
        writer.writerows([{name: for_a_sheet(_cell(row[name])) for name in columns} for row in rows])
        sys.stdout.write(buffer.getvalue())
    elif form is Format.MD:
        sys.stdout.write(markdown_table(rows))
    else:
        out().print(_table(rows, columns, title))


def _table(rows: Sequence[Row], columns: Sequence[str], title: str) -> Table:
    """Rows for the terminal. Long cells are folded, never cut; nothing in them is taken for markup."""
    table = Table(title=Text(title) if title else None, title_justify="left", header_style="bold")
    for place, name in enumerate(columns):
        numeric = all(isinstance(row[name], int | float | Fraction) for row in rows)
        heading = Text(name.replace("_", " "))
        # The first column names the row, so it is the last to be folded.
        justify: Literal["right", "left"] = "right" if numeric else "left"
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=place == 0)
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in columns))
    return table


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
        sys.stdout.flush()
    except TaisaiError as error:
        say_error(str(error))
        raise SystemExit(_exit_code(error)) from None
    except KeyboardInterrupt:
        err().print("interrupted")
        raise SystemExit(Exit.INTERRUPTED) from None
    except BrokenPipeError:
        # The reader (head, less) has gone and nothing is wrong on our side. What is still in the buffer has
        # to go somewhere when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(Exit.OK) from None
    except Exception as error:
        # Typer says how a verb is used by exceptions of its own, which have no public name in common.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        if message().startswith("Usage:"):  # no verb at all: the answer is the help
            err().print(Text(message()))
        else:
            say_error(_usage(error, message()))
        raise SystemExit(Exit.BAD_INPUT) from None


def say_error(message: str) -> None:
    """One line on standard error; bytes that are no text are written as escapes."""
    text = message.encode("utf-8", "backslashreplace").decode("utf-8")
    err().print(Text.assemble(("error:", "bold red"), f" {text}"))


def _usage(error: Exception, message: str) -> str:
    """What Typer found wrong, on one line, and where help is."""
    command = getattr(getattr(error, "ctx", None), "command_path", "taisai")
    told = " ".join(message.split()).removeprefix("Invalid value for ").replace("Value error, ", "")
    return f"{told[:_USAGE_MAX].rstrip('.')}; {command} --help says more"


def _exit_code(error: TaisaiError) -> Exit:
    if isinstance(error, RulebookError):
        return Exit.BAD_RULEBOOK
    if isinstance(error, InputError):
        return Exit.BAD_INPUT
    return Exit.STORE if isinstance(error, StoreError) else Exit.CHECK_FAILED
