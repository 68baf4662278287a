"""`taisai sign`: the limits of a table as it has to display them, to be read, printed or shown."""

import os
from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.layout import write_picture
from taisai.cli.output import Format, FormatOption, show_rows
from taisai.errors import UnknownName
from taisai.game.explain import LANGUAGES


def register(app: typer.Typer) -> None:
    app.command()(sign)


def sign(
    table: Annotated[str, typer.Argument(help="A table of the house's settings, for example T1.")],
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="The house's settings, a TOML file."),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page that prints on A4 to this file.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(help=f"One or two of {', '.join(LANGUAGES)}."),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Print a table's sign: every limit, by kind and by box where they differ, and the differentials.

    Without --config it is a table of the play-money house. It is made from the settings: what two people
    changed since then in the pit is on the table's display.

    Examples: taisai sign T1; taisai sign T1 -c house.toml --html sign.html
    """
    from taisai.cli.serving import play_money_settings
    from taisai.cli.sign_paper import SignPaper
    from taisai.game.sign import sign_of
    from taisai.rulebooks.catalogue import pay_table, rulebook_of
    from taisai.server.config import load_config
    from taisai.server.words.house_words import load_words
    from taisai.server.words.say import Voice

    path = config or (Path(os.environ["TAISAI_CONFIG"]) if "TAISAI_CONFIG" in os.environ else None)
    settings = load_config(path) if path else play_money_settings({})
    found = next((each for each in settings.table if each.name == table), None)
    if found is None:
        raise UnknownName("table", table, [each.name for each in settings.table])
    plan, words = found.plan(), load_words(settings.house.words)
    chosen = tuple(language or ("en", "zh-Hant"))
    for name in chosen:
        if name not in LANGUAGES:
            raise UnknownName("language", name, LANGUAGES)
    rulebook, layout = rulebook_of(found.pay_table), pay_table(found.pay_table)
    paper = SignPaper(
        plan.title,
        layout,
        sign_of(rulebook, layout, plan.settings.limits),
        Voice(settings.house.currency_exponent, words, settings.house.currency).money,
        tuple(words.table[name] for name in chosen),
    )
    if html is not None:
        write_picture(html, paper.html())
    if svg is not None:
        write_picture(svg, paper.svg())
    if html is None and svg is None:
        rows = [
            {
                "bet": " / ".join(row.names),
                "minimum": row.minimum,
                "maximum": row.maximum,
                "all players": row.total,
            }
            for row in paper.rows()
        ]
        show_rows(rows, form, title=f"{plan.title} ({layout.id})")
