"""`taisai rules`: what the rulebooks say, clause by clause, in our own words."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from taisai.cli.output import Format, FormatOption, out, show_rows
from taisai.errors import InputError
from taisai.rulebooks.catalogue import rulebook as find_rulebook
from taisai.rulebooks.catalogue import shipped_rulebooks
from taisai.rulebooks.in_force import FRONT_PAGE_ZONE, InForce, in_force_at, in_force_since
from taisai.rulebooks.model import Rulebook

_STANDS = {
    InForce.YES: "yes",
    InForce.NOT_APPROVED: "not approved",
    InForce.NOT_YET: "not yet",
    InForce.ENDED: "no longer",
}


def register(app: typer.Typer) -> None:
    app.command()(rules)


def rules(
    rulebook: Annotated[str | None, typer.Argument(help="A rulebook, for example tai-sai-v6.")] = None,
    clause: Annotated[str | None, typer.Option(help="One clause and those under it: 5.1.1.")] = None,
    at: Annotated[
        str | None,
        typer.Option(help="In force when: 2023-10-06 or 2023-10-06T08:00, Singapore's time; else now."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", "-c", help="The house's settings, which say until when it plays by a rulebook."
        ),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the rulebooks and what is in force when, or the clauses of one.

    Examples: taisai rules; taisai rules --at 2013-10-21; taisai rules tai-sai-v6 --clause 5.1
    """
    moment, ends = _moment(at), _ends(config)
    if rulebook is None:
        summaries = [_summary(find_rulebook(name), moment, ends.get(name)) for name in shipped_rulebooks()]
        left_out = {"approved"} if ends else {"approved", "until"}
        rows = [
            {
                name: len(value) if name == "pay_tables" else value
                for name, value in row.items()
                if name not in left_out
            }
            for row in summaries
        ]
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
        _show_identity(book, moment, ends.get(book.id))
    document = {"rulebook": book.id, "digest": book.digest, "clauses": chosen}
    show_rows(chosen, form, title=f"{book.title}, version {book.version}", document=document)


def _moment(at: str | None) -> datetime:
    """The moment that is asked about; without a zone it is Singapore's time, as on the front pages."""
    if at is None:
        return datetime.now(UTC)
    try:
        said = datetime.fromisoformat(at)
    except ValueError:
        raise InputError(
            f"--at: expected a date, or a date and time such as 2023-10-06T08:00, got {at!r}"
        ) from None
    return said if said.tzinfo else said.replace(tzinfo=FRONT_PAGE_ZONE)


def _ends(config: Path | None) -> dict[str, datetime]:
    """When the house lets rulebooks end; none where no settings are named."""
    path = config or (Path(os.environ["TAISAI_CONFIG"]) if "TAISAI_CONFIG" in os.environ else None)
    if path is None:
        return {}
    from taisai.server.config import load_config

    return load_config(path).plan().rulebooks_until


def _summary(book: Rulebook, at: datetime, until: datetime | None) -> dict[str, Any]:
    return {
        "rulebook": book.id,
        "title": book.title,
        "effective": _effective(book),
        "until": _local(until),
        "in_force": _STANDS[in_force_at(book, at, until)],
        "clauses": len(book.clauses),
        "pay_tables": [table.id for table in book.pay_tables],
        "boxes": [len(table.boxes) for table in book.pay_tables],
        "approved": book.approved,
    }


def _local(moment: datetime | None) -> str | None:
    return moment.astimezone(FRONT_PAGE_ZONE).strftime("%Y-%m-%d %H:%M") if moment else None


def _approval(book: Rulebook) -> str:
    """Who approved it, as the document says."""
    if not book.approved:
        return "no"
    found = book.approval
    said = [found.authority, found.reference, str(found.dated) if found.dated else None]
    return ", ".join(filter(None, said)) or "yes; its surviving pages do not say by whom"


def _in_force(book: Rulebook, at: datetime, until: datetime | None) -> str:
    since = in_force_since(book)
    begins = f"from {_local(since)}" if since else "undated, so always"
    ends = f" until {_local(until)}" if until else ""
    return f"{begins}{ends} (Singapore's time); on {_local(at)}: {_STANDS[in_force_at(book, at, until)]}"


def _effective(book: Rulebook) -> str | None:
    """Date, and time to the minute where the document has one."""
    if isinstance(book.effective, datetime):
        return book.effective.isoformat(" ", "minutes")
    return str(book.effective) if book.effective else None


def _show_identity(book: Rulebook, at: datetime, until: datetime | None) -> None:
    console = out()
    console.print(f"[bold]{book.source}[/]")
    facts = {
        "approved": _approval(book),
        "in force": _in_force(book, at, until),
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
