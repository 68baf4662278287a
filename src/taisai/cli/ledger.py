"""`taisai ledger`: balances, statements and reports, straight from the transfers."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.audit import StoreArgument
from taisai.cli.output import Format, FormatOption, show_rows

if TYPE_CHECKING:
    from taisai.ledger import Transfer


class LedgerReport(StrEnum):
    """What `taisai ledger report` can say."""

    TABLES = "tables"
    TICKETS = "tickets"


def register(app: typer.Typer) -> None:
    ledger = typer.Typer(help="Balances, statements and reports of a record.", no_args_is_help=True)
    ledger.command()(balance)
    ledger.command()(statement)
    ledger.command()(report)
    app.add_typer(ledger, name="ledger")


def balance(
    store: StoreArgument,
    account: Annotated[str | None, typer.Option(help="Only accounts that begin like this.")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """The trial balance: every account, and debits equal to credits."""
    from taisai.errors import InvariantBroken
    from taisai.ledger import Book
    from taisai.ledger.reports import trial_balance
    from taisai.record.faults import RecordFault

    book = Book()
    try:
        _each_commit(store, book.apply)
        book.assert_whole()
    except InvariantBroken as broken:
        raise RecordFault("ledger", str(broken)) from None
    rows = [row for row in trial_balance(book) if not account or str(row["account"]).startswith(account)]
    show_rows(rows, form, title="Trial balance")


def statement(
    store: StoreArgument,
    account: Annotated[str, typer.Argument(help="For example house:T1.")],
    form: FormatOption = Format.TABLE,
) -> None:
    """One account's transfers, with the balance after each."""
    from taisai.ledger import account_kind
    from taisai.ledger.reports import statement as rows_of

    account_kind(account)
    own: list[Transfer] = []
    _each_commit(store, lambda transfers: own.extend(t for t in transfers if account in (t.debit, t.credit)))
    rows = rows_of(account, own)
    for row in rows:
        row["at"] = _said(row["at"])
    show_rows(rows, form, title=f"Statement of {account}")


def report(
    store: StoreArgument,
    what: Annotated[
        LedgerReport, typer.Argument(help="tables: win, drop, hold and handle; tickets: liability.")
    ],
    form: FormatOption = Format.TABLE,
) -> None:
    """Win, drop, hold and handle of each table, or what is owed on tickets."""
    from taisai.ledger import TICKETS
    from taisai.ledger.reports import TableTakings, table_figures, table_report, ticket_liability

    if what is LedgerReport.TICKETS:
        own: list[Transfer] = []
        _each_commit(
            store, lambda transfers: own.extend(t for t in transfers if TICKETS in (t.debit, t.credit))
        )
        show_rows(ticket_liability(own), form, title="Tickets")
        return
    tables: dict[str, TableTakings] = {}

    def add(transfers: Sequence["Transfer"]) -> None:
        for table, part in table_figures(transfers).items():
            sums = tables.setdefault(table, TableTakings())
            sums.drop_minor += part.drop_minor
            sums.handle_minor += part.handle_minor
            sums.win_minor += part.win_minor

    _each_commit(store, add)
    show_rows(table_report(tables), form, title="Tables")


def _each_commit(store: str, read: Callable[[Sequence["Transfer"]], None]) -> None:
    """Read all transfers, a commit at a time, so that memory does not grow with the record."""
    from taisai.adapters.stores import read_store
    from taisai.record.order import in_order

    async def run() -> None:
        async with read_store(store) as snapshot:
            async for commit in in_order(snapshot):
                read(commit.transfers)

    asyncio.run(run())


def _said(at: Any) -> str:
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="seconds")
