"""Accounts by name. A name says what the account is, whose it is, and whether it may go below zero.

cash                  money in drawers and cages; floats are not counted, so it may be below zero
credit:WHO            what the house holds for a session or a player      never below zero
chips:cash            cash chips in circulation                           never below zero in the whole book
chips:TABLE:COLOUR    a table's chips of one colour, at their value       never below zero
stakes:TABLE:ROUND    bets of a round in play; zero when it is concluded    never below zero
house:TABLE           what a table has won; below zero when it has lost
tickets               tickets issued and not yet redeemed                 never below zero in the whole book
receivable:WHO        what somebody owes after a reversal                 never below zero
unclaimed:WHO         what waits for somebody who has left                never below zero
promo                 credits that the house gave away

An account that is never below zero has one desk that takes from it, so that desk's book can assert it at
every transfer. `tickets` and `chips:cash` are touched by everyone: only a book that holds every transfer can
assert them.
"""

import re
from enum import StrEnum
from functools import lru_cache

import msgspec

from taisai.errors import InputError, UnknownName

_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class Side(StrEnum):
    """The side on which an account grows."""

    DEBIT = "debit"
    CREDIT = "credit"


class Guard(StrEnum):
    """Who can assert that an account is not below zero."""

    NONE = "none"
    OWNER = "owner"
    WHOLE = "whole"


class AccountKind(msgspec.Struct, frozen=True):
    """One kind of account: how many parts follow its name, where it grows, what guards it."""

    name: str
    parts: tuple[str, ...]
    side: Side
    guard: Guard


_KINDS = {
    kind.name: kind
    for kind in (
        AccountKind("cash", (), Side.DEBIT, Guard.NONE),
        AccountKind("credit", ("WHO",), Side.CREDIT, Guard.OWNER),
        AccountKind("chips", ("TABLE", "COLOUR"), Side.CREDIT, Guard.OWNER),
        AccountKind("stakes", ("TABLE", "ROUND"), Side.CREDIT, Guard.OWNER),
        AccountKind("house", ("TABLE",), Side.CREDIT, Guard.NONE),
        AccountKind("tickets", (), Side.CREDIT, Guard.WHOLE),
        AccountKind("receivable", ("WHO",), Side.DEBIT, Guard.OWNER),
        AccountKind("unclaimed", ("WHO",), Side.CREDIT, Guard.OWNER),
        AccountKind("promo", (), Side.DEBIT, Guard.NONE),
    )
}

CASH = "cash"
CASH_CHIPS = "chips:cash"
TICKETS = "tickets"
PROMO = "promo"

# Cash chips are good at every table, so no single desk owns them.
_CASH_CHIPS_KIND = AccountKind(CASH_CHIPS, (), Side.CREDIT, Guard.WHOLE)


# The same names come again and again. More than the players of the largest round are kept: with fewer,
# a round of all of them would find none of its names.
_NAMES_KEPT = 131_072


@lru_cache(maxsize=_NAMES_KEPT)
def account_kind(account: str) -> AccountKind:
    """The kind of an account, or an error that says what its name should look like."""
    if account == CASH_CHIPS:
        return _CASH_CHIPS_KIND
    name, *parts = account.split(":")
    if name not in _KINDS:
        raise UnknownName("account", account, _KINDS)
    kind = _KINDS[name]
    if len(parts) != len(kind.parts) or not all(_PART.fullmatch(part) for part in parts):
        raise InputError(f"expected an account {':'.join((name, *kind.parts))}, got {account!r}")
    return kind


def kinds() -> tuple[AccountKind, ...]:
    """Every kind of account, for documents and reports."""
    return (*_KINDS.values(), _CASH_CHIPS_KIND)


def _named(name: str, *parts: object) -> str:
    account = ":".join((name, *map(str, parts)))
    account_kind(account)
    return account


@lru_cache(maxsize=_NAMES_KEPT)
def credit(who: str) -> str:
    """What the house holds for a session or a player."""
    account = f"credit:{who}"
    account_kind(account)
    return account


@lru_cache(maxsize=_NAMES_KEPT)
def colour_chips(table: str, colour: str) -> str:
    """A table's chips of one colour."""
    return _named("chips", table, colour)


@lru_cache(maxsize=_NAMES_KEPT)
def stakes(table: str, round_number: int) -> str:
    """The bets of one round in play."""
    return _named("stakes", table, round_number)


@lru_cache(maxsize=_NAMES_KEPT)
def house(table: str) -> str:
    """What one table has won for the house."""
    return _named("house", table)


@lru_cache(maxsize=_NAMES_KEPT)
def receivable(who: str) -> str:
    """What somebody owes after a reversal."""
    return _named("receivable", who)


@lru_cache(maxsize=_NAMES_KEPT)
def unclaimed(who: str) -> str:
    """What waits for somebody who has left."""
    return _named("unclaimed", who)


def purse_accounts(who: str) -> tuple[str, str, str]:
    """Everything in somebody's name: what is held for them, what they owe, what waits for them.

    Whoever opens one of them in a book finds out whether the name is one.
    """
    return f"credit:{who}", f"receivable:{who}", f"unclaimed:{who}"


def table_of(account: str) -> str | None:
    """The table that a house, stakes or colour chip account belongs to."""
    kind = account_kind(account)
    return account.split(":")[1] if "TABLE" in kind.parts else None
