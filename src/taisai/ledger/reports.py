"""Reports over transfers, as rows. Each reads the transfers once, in order."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from taisai.ledger.accounts import TICKETS, Side, account_kind
from taisai.ledger.book import Book
from taisai.ledger.transfers import Reason, Transfer

Row = dict[str, object]


def trial_balance(book: Book) -> list[Row]:
    """Every account with its debits, its credits and its balance; the last row adds them up."""
    rows: list[Row] = []
    debits_sum = credits_sum = 0
    for account, debits, credits in book:
        debits_sum, credits_sum = debits_sum + debits, credits_sum + credits
        rows.append(_balance_row(account, debits, credits, balance=book.balance(account)))
    return [*rows, _balance_row("total", debits_sum, credits_sum, balance=debits_sum - credits_sum)]


def _balance_row(account: str, debits: int, credits: int, *, balance: int) -> Row:
    return {"account": account, "debits_minor": debits, "credits_minor": credits, "balance_minor": balance}


def statement(account: str, transfers: Iterable[Transfer], *, opening_minor: int = 0) -> list[Row]:
    """One account's transfers in order, with the balance after each."""
    grows_on_credit = account_kind(account).side is Side.CREDIT
    balance = opening_minor
    rows: list[Row] = []
    for transfer in transfers:
        if account not in (transfer.debit, transfer.credit):
            continue
        rises = (transfer.credit == account) is grows_on_credit
        balance += transfer.amount_minor if rises else -transfer.amount_minor
        rows.append(
            {
                "at": transfer.at,
                "transfer": transfer.id,
                "reason": str(transfer.reason),
                "ref": transfer.ref,
                "other": transfer.debit if transfer.credit == account else transfer.credit,
                "in_minor": transfer.amount_minor if rises else 0,
                "out_minor": 0 if rises else transfer.amount_minor,
                "balance_minor": balance,
            }
        )
    return rows


class TableTakings(msgspec.Struct):
    """One table's figures.

    Drop is the money that was changed at the table (buy-ins and promotional credits). Handle is all that was
    really in play: stakes less what was withdrawn or returned. Win is what `house:TABLE` gained. Hold is win
    over drop.
    """

    drop_minor: int = 0
    handle_minor: int = 0
    win_minor: int = 0

    @property
    def hold(self) -> Fraction | None:
        """Win over drop, exact; none without a drop."""
        return Fraction(self.win_minor, self.drop_minor) if self.drop_minor else None

    @property
    def win_over_handle(self) -> Fraction | None:
        """Win over handle, exact; comparable with the house edge."""
        return Fraction(self.win_minor, self.handle_minor) if self.handle_minor else None


_DROP = frozenset({Reason.BUY_IN, Reason.PROMO})
_OUT_OF_PLAY = frozenset({Reason.STAKE_WITHDRAWN, Reason.STAKE_RETURNED})


def table_figures(transfers: Iterable[Transfer]) -> dict[str, TableTakings]:
    """Drop, handle and win for each table that the transfers name."""
    tables: dict[str, TableTakings] = {}
    for transfer in transfers:
        table = transfer.ref.partition("/")[0]
        if not table:
            continue
        figures = tables.setdefault(table, TableTakings())
        if transfer.reason in _DROP:
            figures.drop_minor += transfer.amount_minor
        elif transfer.reason == Reason.STAKE:
            figures.handle_minor += transfer.amount_minor
        elif transfer.reason in _OUT_OF_PLAY:
            figures.handle_minor -= transfer.amount_minor
        own = f"house:{table}"
        if transfer.credit == own:
            figures.win_minor += transfer.amount_minor
        elif transfer.debit == own:
            figures.win_minor -= transfer.amount_minor
    return tables


def table_report(tables: Mapping[str, TableTakings]) -> list[Row]:
    """Win, drop, hold and handle, a row for each table."""
    return [
        {
            "table": table,
            "drop_minor": figures.drop_minor,
            "handle_minor": figures.handle_minor,
            "win_minor": figures.win_minor,
            "hold": figures.hold,
            "win_over_handle": figures.win_over_handle,
        }
        for table, figures in sorted(tables.items())
    ]


def ticket_liability(transfers: Iterable[Transfer]) -> list[Row]:
    """What was issued and redeemed in tickets, and what is still owed to those who hold them."""
    issued = redeemed = other = 0
    for transfer in transfers:
        if TICKETS not in (transfer.debit, transfer.credit):
            continue
        signed = transfer.amount_minor if transfer.credit == TICKETS else -transfer.amount_minor
        if transfer.reason == Reason.TICKET_ISSUED:
            issued += signed
        elif transfer.reason == Reason.TICKET_REDEEMED:
            redeemed -= signed
        else:
            other += signed
    return [
        {
            "issued_minor": issued,
            "redeemed_minor": redeemed,
            "adjusted_minor": other,
            "outstanding_minor": issued - redeemed + other,
        }
    ]
