"""`taisai ledger`: balances, statements and reports, straight from the transfers."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from taisai.cli.audit import StoreArgument
from taisai.cli.output import Format, FormatOption, show_rows

T = TypeVar("T")


class Report(StrEnum):
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
    from taisai.ledger import Book
    from taisai.ledger.reports import trial_balance

    book = Book()
    for transfers in _all_transfers(store):
        book.apply(transfers)
    book.assert_whole()
    rows = [row for row in trial_balance(book) if not account or str(row["account"]).startswith(account)]
    show_rows(rows, form, title="Trial balance")


def statement(
    store: StoreArgument,
    account: Annotated[str, typer.Argument(help="For example house:T1.")],
    form: FormatOption = Format.TABLE,
) -> None:
    """One account's transfers, with the balance after each."""
    from taisai.ledger.reports import statement as rows_of

    transfers = [transfer for group in _all_transfers(store) for transfer in group]
    rows = rows_of(account, transfers)
    for row in rows:
        row["at"] = _said(row["at"])
    show_rows(rows, form, title=f"Statement of {account}")


def report(
    store: StoreArgument,
    what: Annotated[Report, typer.Argument(help="tables: win, drop, hold and handle; tickets: liability.")],
    form: FormatOption = Format.TABLE,
) -> None:
    """Win, drop, hold and handle of each table, or what is owed on tickets."""
    from taisai.ledger.reports import table_figures, table_report, ticket_liability

    transfers = (transfer for group in _all_transfers(store) for transfer in group)
    if what is Report.TICKETS:
        show_rows(ticket_liability(transfers), form, title="Tickets")
    else:
        show_rows(table_report(table_figures(transfers)), form, title="Tables")


def _all_transfers(store: str) -> list[tuple[Any, ...]]:
    from taisai.adapters.stores import read_store
    from taisai.floor.journal_order import in_order

    async def read() -> list[tuple[Any, ...]]:
        async with read_store(store) as snapshot:
            return [commit.transfers async for commit in in_order(snapshot)]

    return _run(read)


def _run(act: Callable[[], Awaitable[T]]) -> T:
    async def run() -> T:
        return await act()

    return asyncio.run(run())


def _said(at: Any) -> str:
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="seconds")
