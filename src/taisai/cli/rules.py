"""`taisai rules`: what the rulebooks say, clause by clause, in our own words."""

from typing import Annotated

import typer

from taisai.cli.output import Format, FormatOption, out, show_rows
from taisai.rulebooks.catalogue import rulebook as find_rulebook
from taisai.rulebooks.catalogue import shipped_rulebooks
from taisai.rulebooks.model import Rulebook


def register(app: typer.Typer) -> None:
    app.command()(rules)


def rules(
    rulebook: Annotated[str | None, typer.Argument(help="A rulebook, for example tai-sai-v6.")] = None,
    clause: Annotated[str | None, typer.Option(help="One clause and those under it: 5.1.1.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the rulebooks, or the clauses of one.

    Examples: taisai rules; taisai rules tai-sai-v6; taisai rules tai-sai-v6 --clause 5.1
    """
    if rulebook is None:
        show_rows([_summary(find_rulebook(name)) for name in shipped_rulebooks()], form, title="Rulebooks")
        return
    book = find_rulebook(rulebook)
    if clause is not None:
        book.clause(clause)  # an unknown number is an error that suggests the nearest
    chosen = [
        {"clause": number, "text": text}
        for number, text in book.clauses.items()
        if clause is None or number == clause or number.startswith(f"{clause}.")
    ]
    if form is Format.TABLE and clause is None:
        _show_identity(book)
    document = {"rulebook": book.id, "digest": book.digest, "clauses": chosen}
    show_rows(chosen, form, title=f"{book.title}, version {book.version}", document=document)


def _summary(book: Rulebook) -> dict[str, object]:
    return {
        "rulebook": book.id,
        "title": book.title,
        "effective": str(book.effective) if book.effective else None,
        "clauses": len(book.clauses),
        "pay_tables": [f"{table.id} ({len(table.boxes)} boxes)" for table in book.pay_tables],
        "approved": book.approved,
    }


def _show_identity(book: Rulebook) -> None:
    console = out()
    console.print(f"[bold]{book.source}[/]")
    facts = {
        "effective": str(book.effective) if book.effective else "undated",
        "tumbler": f"{book.procedure.cover}, at least {book.procedure.tumbles_min} tumbles",
        "opens with": book.procedure.say_open,
        "closes with": book.procedure.say_close,
        "electronic": "yes" if book.electronic else "no",
        "colour chips": "yes" if book.colour_chips else "no",
        "differential": "yes" if book.limits.differential else "no",
        "pro rata": "yes" if book.limits.pro_rata else "no",
        "void grounds": ", ".join(f"{ground} ({number})" for ground, number in book.void.items()),
        "pay tables": ", ".join(f"{table.id}: {len(table.boxes)} boxes" for table in book.pay_tables),
        "digest": book.digest,
    }
    for name, value in facts.items():
        console.print(f"  {name:<13} {value}")
