"""Double entry. The ledger knows accounts and transfers, and no dice."""

from taisai.ledger.accounts import (
    CASH,
    CASH_CHIPS,
    PROMO,
    TICKETS,
    account_kind,
    colour_chips,
    credit,
    house,
    receivable,
    stakes,
    table_of,
    unclaimed,
)
from taisai.ledger.book import Book
from taisai.ledger.settling_up import Occasion, Purse, claim, collect, net_gain, settle_up, waive
from taisai.ledger.transfers import Reason, Transfer, check_transfers, numbered, reverse

__all__ = [
    "CASH",
    "CASH_CHIPS",
    "PROMO",
    "TICKETS",
    "Book",
    "Occasion",
    "Purse",
    "Reason",
    "Transfer",
    "account_kind",
    "check_transfers",
    "claim",
    "collect",
    "colour_chips",
    "credit",
    "house",
    "net_gain",
    "numbered",
    "receivable",
    "reverse",
    "settle_up",
    "stakes",
    "table_of",
    "unclaimed",
    "waive",
]
