"""`taisai rules`: what the rulebooks say, clause by clause, in our own words."""

from datetime import datetime
from typing import Annotated, Any

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
        summaries = [_summary(find_rulebook(name)) for name in shipped_rulebooks()]
        rows = [{**row, "pay_tables": len(row["pay_tables"])} for row in summaries]
        show_rows(rows, form, title="Rulebooks", document=summaries)
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


def _summary(book: Rulebook) -> dict[str, Any]:
    return {
        "rulebook": book.id,
        "title": book.title,
        "effective": _effective(book),
        "clauses": len(book.clauses),
        "pay_tables": [table.id for table in book.pay_tables],
        "boxes": [len(table.boxes) for table in book.pay_tables],
        "approved": book.approved,
    }


def _effective(book: Rulebook) -> str | None:
    """Date, and time to the minute where the document has one."""
    if isinstance(book.effective, datetime):
        return book.effective.isoformat(" ", "minutes")
    return str(book.effective) if book.effective else None


def _show_identity(book: Rulebook) -> None:
    console = out()
    console.print(f"[bold]{book.source}[/]")
    facts = {
        "effective": _effective(book) or "undated",
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
