"""What a reversal or a correction owes to a player, or takes back from one.

It is net per player and round. What is taken back comes first from what is unclaimed in the player's name,
then from free credit, never from stakes in play; the rest is a receivable. Credit that comes later pays it
first, or two people collect or waive it. What is owed to somebody who has left waits as unclaimed.
"""

from collections.abc import Iterable

import msgspec

from taisai.errors import InputError
from taisai.ledger.accounts import CASH, account_kind, receivable, unclaimed
from taisai.ledger.book import Book
from taisai.ledger.transfers import NextId, Reason, Transfer


class Purse(msgspec.Struct, frozen=True):
    """Where a player's money goes and comes from: `free` is their credit, where bets are made from credit.

    What is owed to one who has `left` waits for them; what they left behind can still be taken back.
    """

    who: str
    free: str | None
    left: bool = False

    @property
    def waiting(self) -> str:
        """What is unclaimed in the player's name."""
        return unclaimed(self.who)

    @property
    def owed(self) -> str:
        """What the player owes."""
        return receivable(self.who)

    def accounts(self) -> frozenset[str]:
        """Every account that counts as the player's in a net."""
        return frozenset({self.waiting, self.owed} | ({self.free} if self.free else set()))


class Occasion(msgspec.Struct, frozen=True, gc=False):
    """What the transfers of one act share."""

    ref: str
    at: int
    next_id: NextId


def net_gain(transfers: Iterable[Transfer], accounts: frozenset[str]) -> int:
    """What these transfers brought to these accounts, less what they took."""
    gain = 0
    for transfer in transfers:
        if transfer.credit in accounts:
            gain += transfer.amount_minor
        if transfer.debit in accounts:
            gain -= transfer.amount_minor
    return gain


def settle_up(book: Book, purse: Purse, due_minor: int, *, house: str, occasion: Occasion) -> list[Transfer]:
    """Bring a player to what is right: pay `due_minor` when it is above zero, take it back when below."""
    if due_minor >= 0:
        return compensate(book, purse, due_minor, house=house, occasion=occasion)
    return reclaim(book, purse, -due_minor, house=house, occasion=occasion)


def compensate(book: Book, purse: Purse, due_minor: int, *, house: str, occasion: Occasion) -> list[Transfer]:
    """Pay what is due: to free credit, or to unclaimed when the player has left; a debt is paid from it."""
    _check_house(house)
    if due_minor == 0:
        return []
    to = purse.free if purse.free and not purse.left else purse.waiting
    reason = Reason.UNCLAIMED if to == purse.waiting else Reason.COMPENSATED
    paid = _transfer(occasion, house, to, due_minor, reason)
    return [paid, *repay(book, purse, due_minor, source=to, occasion=occasion)]


def repay(
    book: Book, purse: Purse, received_minor: int, *, source: str, occasion: Occasion
) -> list[Transfer]:
    """What came to `source` pays what the player owes before anything else."""
    paid = min(received_minor, book.balance(purse.owed))
    return [_transfer(occasion, source, purse.owed, paid, Reason.COLLECTED)] if paid > 0 else []


def reclaim(book: Book, purse: Purse, amount_minor: int, *, house: str, occasion: Occasion) -> list[Transfer]:
    """Take back what should not have been paid; what cannot be taken becomes a receivable."""
    _check_house(house)
    transfers: list[Transfer] = []
    left = amount_minor
    for source in (purse.waiting, purse.free):
        taken = min(left, book.balance(source)) if source else 0
        if source and taken:
            transfers.append(_transfer(occasion, source, house, taken, Reason.RECLAIMED))
            left -= taken
    if left:
        transfers.append(_transfer(occasion, purse.owed, house, left, Reason.RECLAIMED))
    return transfers


def claim(book: Book, purse: Purse, *, to: str, occasion: Occasion) -> list[Transfer]:
    """Hand over all that waits in the player's name."""
    waiting = book.balance(purse.waiting)
    if waiting == 0:
        raise InputError(f"nothing waits in {purse.waiting}")
    return [_transfer(occasion, purse.waiting, to, waiting, Reason.CLAIMED)]


def collect(
    book: Book, purse: Purse, amount_minor: int, *, occasion: Occasion, source: str = CASH
) -> list[Transfer]:
    """Somebody pays what was owed, in cash or from free credit."""
    _check_owed(book, purse, amount_minor)
    return [_transfer(occasion, source, purse.owed, amount_minor, Reason.COLLECTED)]


def waive(book: Book, purse: Purse, amount_minor: int, *, house: str, occasion: Occasion) -> list[Transfer]:
    """The house gives up what was owed."""
    _check_house(house)
    _check_owed(book, purse, amount_minor)
    return [_transfer(occasion, house, purse.owed, amount_minor, Reason.WAIVED)]


def _transfer(occasion: Occasion, debit: str, credit: str, amount_minor: int, reason: Reason) -> Transfer:
    return Transfer(occasion.next_id(), debit, credit, amount_minor, reason, occasion.at, occasion.ref)


def _check_house(account: str) -> None:
    if account_kind(account).name != "house":
        raise InputError(f"expected an account house:TABLE, got {account!r}")


def _check_owed(book: Book, purse: Purse, amount_minor: int) -> None:
    owed = book.balance(purse.owed)
    if not 0 < amount_minor <= owed:
        raise InputError(f"{purse.owed} is {owed}: expected an amount from 1 to that, got {amount_minor}")
