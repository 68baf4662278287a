"""`taisai doctor`: looks at an installation and says what is wrong, what was expected and what to do."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from taisai.cli.output import Exit, Format, FormatOption, out, show_rows

if TYPE_CHECKING:
    from taisai.floor.health import Finding

_STYLES = {"ok": "green", "warning": "yellow", "failed": "bold red"}


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="The house's settings, a TOML file.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do not read the whole record for damage.")] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Look at an installation: package, pages, settings, record, keys, clock, disk, TLS, port, witness.

    It changes nothing and makes nothing. Without --config it looks at the play-money house of `taisai serve`.
    Exit code 1 when something failed; warnings alone are 0.
    """
    import msgspec

    from taisai.checkup.machine import look_at_machine
    from taisai.floor.health import Level, worst

    found = [*look_at_machine(), *_house(config, quick=quick)]
    if form is Format.TABLE:
        _show(found)
    else:
        rows = [msgspec.to_builtins(finding) for finding in found]
        show_rows(rows, form, document={"worst": worst(found), "findings": rows})
    if worst(found) is Level.FAILED:
        raise typer.Exit(Exit.CHECK_FAILED)


def _house(path: Path | None, *, quick: bool) -> "list[Finding]":
    from taisai.checkup.house import look_at_house
    from taisai.cli.serving import play_money_settings
    from taisai.errors import InputError
    from taisai.floor.health import failed, ok
    from taisai.server.config import load_config

    named = path or (Path(os.environ["TAISAI_CONFIG"]) if "TAISAI_CONFIG" in os.environ else None)
    try:
        settings = load_config(named) if named else play_money_settings({})
    except InputError as error:
        advice = "mend it by docs/reference/settings.md; nothing else of the house was looked at"
        return [failed("settings", str(error), expected="settings that a house can run with", advice=advice)]
    tables = ", ".join(table.name for table in settings.table)
    money = "play money" if settings.house.play_money else "real money"
    said = f"{named or 'none given: the play-money house'}; {settings.house.name}, {money}, tables {tables}"
    return [ok("settings", said), *look_at_house(settings, thorough=not quick)]


def _show(found: "list[Finding]") -> None:
    """A line for each finding, and below those that are not fine what to do about them."""
    from taisai.floor.health import Level

    console = out()
    for finding in found:
        level = Text(f"{finding.level:<8}", style=_STYLES[finding.level])
        console.print(Text.assemble(level, f" {finding.check:<16} ", finding.found))
        if finding.expected:
            console.print(Text(f"{'':<26}expected: {finding.expected}"))
            console.print(Text(f"{'':<26}do: {finding.advice}"))
    counts = {level: sum(finding.level is level for finding in found) for level in Level}
    console.print(
        Text(f"{counts[Level.OK]} ok, {counts[Level.WARNING]} warnings, {counts[Level.FAILED]} failed")
    )
