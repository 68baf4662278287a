"""Documentation that is made from the code: the command line's reference and the README's picture."""

from collections.abc import Callable, Iterator
from pathlib import Path

import typer

import taisai
from taisai.cli.app import app
from taisai.cli.output import Exit
from taisai.rulebooks.felt import felt_svg
from tests.golden.gallery import PICTURES
from tests.unit.command import run

DOCS = Path(__file__).parents[2] / "docs"

EXIT_CODES = {
    Exit.OK: "done",
    Exit.CHECK_FAILED: "what was looked at is not right: a check failed, or the rules refuse the act",
    Exit.BAD_INPUT: "bad input: an unknown name, impossible dice, a stake that is none, a wrong option",
    Exit.BAD_RULEBOOK: "a rule file with faults",
    Exit.STORE: "the store failed or is not there",
    Exit.TAKEN_OVER: "another process has taken the record: start this one again",
    Exit.INTERRUPTED: "interrupted from the keyboard",
}

HEAD = """\
# The command line

Everything the `taisai` command can do; `python -m taisai` is the same. This page is made from the command's
own help by `make golden`.

Data goes to standard output and everything else to standard error. Most verbs take
`--format table|json|csv|md`: `table` is for reading, the others are for programs, and fractions are written
as strings there so that no digit is lost. Colour is for terminals only and `NO_COLOR` turns it off; in a pipe
or a file, tables are as wide as `COLUMNS` says, or 120.

## Exit codes

| code | meaning |
| --- | --- |
"""


def verbs() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every verb of the command, those under another verb too."""

    def below(group: typer.core.TyperGroup, path: str) -> Iterator[tuple[str, typer.core.TyperCommand]]:
        for name, command in group.commands.items():
            if isinstance(command, typer.core.TyperGroup):
                yield from below(command, f"{path}{name} ")
            else:
                yield f"{path}{name}", command

    root = typer.main.get_command(app)
    assert isinstance(root, typer.core.TyperGroup)
    yield from below(root, "")


def cli_reference() -> str:
    """The page with the help of every verb."""
    parts = [HEAD + "".join(f"| {int(code)} | {meaning} |\n" for code, meaning in EXIT_CODES.items())]
    for name in ["", *(name for name, _ in verbs())]:
        help_text = run(*name.split(), "--help", COLUMNS="100").stdout.strip("\n")
        title = f"taisai {name}".strip()
        parts.append(f"## {title}\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


GOLDEN: dict[Path, Callable[[], str]] = {
    **{DOCS / "images" / name: draw for name, draw in PICTURES.items()},
    DOCS / "reference" / "cli.md": cli_reference,
    DOCS / "images" / "felt-tai-sai-v6-2.svg": lambda: felt_svg(taisai.pay_table("tai-sai-v6/2")),
}
