"""What a player owes after a correction, and what waits for one who has gone: two people decide on it.

A debt is collected in cash or from free credit, or waived; what waits is paid out in cash. Both are the same
at a live table, where the player has a name, and at a cluster, where the player is a terminal's session.
"""

from typing import TYPE_CHECKING

from taisai.floor.desks.kind import Outcome
from taisai.floor.permits import not_by_two
from taisai.floor.table.messages import CollectOwed, OwedSettled, PayUnclaimed, UnclaimedPaid
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import Occasion, numbered
from taisai.ledger.accounts import CASH, credit, house, receivable, unclaimed
from taisai.ledger.settling_up import claim, collect, waive
from taisai.record.journal import micros

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState


def owes(table: "TableState", player: str) -> Refusal | None:
    """Why a player's money is not paid out: they owe, and that is paid or decided first."""
    owed = table.book.balance(receivable(player))
    return table.refuse(RefusalCode.OWED_FIRST, amount=owed) if owed else None


def unclaimed_waits(table: "TableState", player: str) -> Refusal | None:
    """Why a cash-out alone does not bring what waits: it takes two people to say whose it is."""
    waiting = table.book.balance(unclaimed(player))
    return table.refuse(RefusalCode.UNCLAIMED_WAITS, amount=waiting) if waiting else None


def collect_owed(table: "TableState", command: CollectOwed, act_id: str) -> Outcome:
    """Two people collect a debt, or some of it, or give it up."""
    refusal = not_by_two(command, reason=command.reason)
    if refusal or command.second is None:
        return refusal or table.refuse(RefusalCode.SECOND_PERSON_MISSING)
    purse = table.purse(command.player)
    owed, free = table.book.balance(purse.owed), table.book.balance(credit(command.player))
    if not 0 < command.amount <= owed:
        return table.refuse(RefusalCode.AMOUNT_INVALID, amount=command.amount)
    from_credit = command.source == "credit" and not command.waive
    if from_credit and command.amount > free:
        return table.refuse(RefusalCode.FUNDS_INSUFFICIENT, needed=command.amount, available=free)
    occasion = Occasion(table.name, micros(command.at), numbered(act_id))
    if command.waive:
        transfers = waive(table.book, purse, command.amount, house=house(table.name), occasion=occasion)
    else:
        source = credit(command.player) if from_credit else CASH
        transfers = collect(table.book, purse, command.amount, occasion=occasion, source=source)
    event = OwedSettled(
        by=command.by,
        at=command.at,
        player=command.player,
        amount=command.amount,
        waived=command.waive,
        source=command.source,
        drawer=None if command.waive or from_credit else command.drawer,
        second=command.second,
        reason=command.reason,
        identity=command.identity,
    )
    return table.done([event], transfers, amount=command.amount)


def pay_unclaimed(table: "TableState", command: PayUnclaimed, act_id: str) -> Outcome:
    """Two people hand over all that waits in a player's name, if it is what they agreed to."""
    refusal = not_by_two(command, reason=command.reason)
    if refusal or command.second is None:
        return refusal or table.refuse(RefusalCode.SECOND_PERSON_MISSING)
    refusal = owes(table, command.player)
    if refusal:
        return refusal
    purse = table.purse(command.player)
    if command.amount != table.book.balance(purse.waiting) or command.amount <= 0:
        return table.refuse(RefusalCode.AMOUNT_INVALID, amount=command.amount)
    occasion = Occasion(table.name, micros(command.at), numbered(act_id))
    transfers = claim(table.book, purse, to=CASH, occasion=occasion)
    event = UnclaimedPaid(
        by=command.by,
        at=command.at,
        player=command.player,
        amount=command.amount,
        drawer=command.drawer,
        second=command.second,
        reason=command.reason,
        identity=command.identity,
    )
    return table.done([event], transfers, amount=command.amount)
