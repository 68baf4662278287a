"""Transfers: one debit, one credit, one amount, never edited. A correction is more transfers."""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import count
from operator import eq

import msgspec

from taisai.errors import InputError
from taisai.ledger.accounts import account_kind
from taisai.money import AMOUNT_MINOR_MAX as AMOUNT_MINOR_MAX

_PLAIN = r"[A-Za-z0-9][A-Za-z0-9._@:/-]{0,127}+"
_NAME = re.compile(_PLAIN)
_NAMES = re.compile(rf"{_PLAIN}(?:\n{_PLAIN})*+")


class Reason(StrEnum):
    """Why money moved. Reports group by these words."""

    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    CHIPS_CHANGED = "chips_changed"
    PROMO = "promo"
    STAKE = "stake"
    STAKE_WITHDRAWN = "stake_withdrawn"
    STAKE_RETURNED = "stake_returned"
    STAKE_WON = "stake_won"
    STAKE_LOST = "stake_lost"
    WINNINGS = "winnings"
    TICKET_ISSUED = "ticket_issued"
    TICKET_REDEEMED = "ticket_redeemed"
    REVERSAL = "reversal"
    RECLAIMED = "reclaimed"
    COMPENSATED = "compensated"
    UNCLAIMED = "unclaimed"
    CLAIMED = "claimed"
    COLLECTED = "collected"
    WAIVED = "waived"


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`amount_minor` moves: the account `debit` is debited and the account `credit` credited.

    `ref` says what it belongs to (`TABLE` or `TABLE/ROUND`), `reverses` which transfer it undoes.
    `at` is in microseconds since 1970 (UTC). The fields stand in the order in which the record hashes them.
    """

    id: str
    debit: str
    credit: str
    amount_minor: int
    reason: str
    at: int
    ref: str = ""
    reverses: str | None = None


NextId = Callable[[], str]


def numbered(prefix: str) -> NextId:
    """Ids `prefix.1`, `prefix.2`, …: the same for the same act, so that a repeat is seen as one."""
    numbers = count(1)
    return lambda: f"{prefix}.{next(numbers)}"


def check_amount(transfer: Transfer) -> None:
    """Refuse a transfer that moves nothing, or nowhere: what a book asks of it beside its accounts."""
    amount = transfer.amount_minor
    if type(amount) is not int or not 0 < amount <= AMOUNT_MINOR_MAX:
        raise InputError(f"transfer {transfer.id}: expected from 1 to {AMOUNT_MINOR_MAX}, got {amount!r}")
    if transfer.debit == transfer.credit:
        raise InputError(f"transfer {transfer.id}: debit and credit are both {transfer.debit!r}")


def are_amounts(transfers: Sequence[Transfer]) -> bool:
    """Whether `check_amount` has nothing against any of them."""
    amounts = [each.amount_minor for each in transfers]
    if {*map(type, amounts)} != {int} or not 0 < min(amounts) <= max(amounts) <= AMOUNT_MINOR_MAX:
        return False
    return not any(map(eq, [each.debit for each in transfers], [each.credit for each in transfers]))


def check_transfer(transfer: Transfer) -> None:
    """Refuse a transfer that could not stand on the record, whose names are read in every file format."""
    check_amount(transfer)
    account_kind(transfer.debit)
    account_kind(transfer.credit)
    if not _NAME.fullmatch(transfer.id):
        raise InputError(f"expected a transfer id of letters, digits and . _ @ : / -, got {transfer.id!r}")
    if not (_is_name(transfer.reason) and (not transfer.ref or _is_name(transfer.ref))):
        raise InputError(f"transfer {transfer.id}: bad reason {transfer.reason!r} or ref {transfer.ref!r}")
    if transfer.reverses is not None and not _NAME.fullmatch(transfer.reverses):
        raise InputError(f"transfer {transfer.id}: expected a transfer id, got {transfer.reverses!r}")


def check_transfers(transfers: Sequence[Transfer]) -> None:
    """`check_transfer` for each, in a fraction of the time where all are good: a settlement has very many."""
    if not _are_good(transfers):
        for transfer in transfers:
            check_transfer(transfer)


def _are_good(transfers: Sequence[Transfer]) -> bool:
    """What many share is looked at once, and their ids all together."""
    if not are_amounts(transfers):
        return False
    names = [each.id for each in transfers]
    names += [each.reverses for each in transfers if each.reverses is not None]
    names += {each.reason for each in transfers} | {each.ref for each in transfers if each.ref}
    joined = "\n".join(names)
    if not _NAMES.fullmatch(joined) or joined.count("\n") != len(names) - 1:
        return False
    try:
        for account in {each.debit for each in transfers} | {each.credit for each in transfers}:
            account_kind(account)
    except InputError:
        return False
    return True


@lru_cache(maxsize=16_384)
def _is_name(name: str) -> bool:
    """Plain names read the same in every file format."""
    return _NAME.fullmatch(name) is not None


def reverse(transfers: Iterable[Transfer], *, next_id: NextId, at: int) -> list[Transfer]:
    """The transfers that undo these, last first, each naming the one it undoes."""
    return [
        Transfer(
            next_id(),
            transfer.credit,
            transfer.debit,
            transfer.amount_minor,
            Reason.REVERSAL,
            at,
            transfer.ref,
            transfer.id,
        )
        for transfer in reversed(list(transfers))
    ]
