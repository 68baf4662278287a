"""Acts at a table outside of its rounds: seats, money bought in and taken out, colour chips, what is owed."""

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from taisai.floor.desks.kind import Outcome
from taisai.floor.permits import not_permitted
from taisai.floor.table.messages import (
    AtRack,
    BuyIn,
    CashOut,
    CloseTable,
    CollectOwed,
    LeaveSeat,
    LeaveTable,
    PayUnclaimed,
    PlayerCashedOut,
    PlayerLeft,
    PlayerPaidIn,
    ReopenTable,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableCommand,
    TableReopened,
    TakeSeat,
)
from taisai.floor.table.owed import collect_owed, owes, pay_unclaimed, unclaimed_waits
from taisai.floor.table.rack import at_rack
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import Occasion, Reason, Transfer, numbered
from taisai.ledger.accounts import CASH, CASH_CHIPS, PROMO, credit
from taisai.ledger.settling_up import repay
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.record.journal import micros

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState


def act_of_people(table: "TableState", command: TableCommand, act_id: str) -> Outcome:
    """Decide and apply an act that is no round's. Money and seats are the pit's to handle."""
    refusal = None if isinstance(command, AtRack) else not_permitted(command)
    return refusal or _act(command, table, act_id)


@singledispatch
def _act(command: Any, table: "TableState", act_id: str) -> Outcome:
    raise TypeError(f"no such command: {type(command).__name__}")


@_act.register(CloseTable)
def _close(command: CloseTable, table: "TableState", act_id: str) -> Outcome:
    if table.closed:
        return table.refuse(RefusalCode.NOTHING_CHANGES)
    return table.done([TableClosed(by=command.by, at=command.at, reason=command.reason)], [])


@_act.register(ReopenTable)
def _reopen(command: ReopenTable, table: "TableState", act_id: str) -> Outcome:
    if not table.closed:
        return table.refuse(RefusalCode.NOTHING_CHANGES)
    return table.done([TableReopened(by=command.by, at=command.at)], [])


@_act.register(TakeSeat)
def _take_seat(command: TakeSeat, table: "TableState", act_id: str) -> Outcome:
    """A seat has one player; a player may have several and is still one player."""
    if not 1 <= command.seat <= table.seats_max:
        return table.refuse(RefusalCode.SEAT_UNKNOWN, seats=table.seats_max)
    guests = table.guests
    player = command.player
    if player is None:
        guests += 1
        player = f"guest-{guests}@{table.name}"
    sits = table.seats.get(command.seat)
    if sits == player:
        return table.done([], [], player=player)
    if sits is not None:
        return table.refuse(RefusalCode.SEAT_TAKEN, seat=command.seat, player=sits)
    event = SeatTaken(by=command.by, at=command.at, player=player, seat=command.seat, guests=guests)
    return table.done([event], [], player=player)


@_act.register(LeaveSeat)
def _leave_seat(command: LeaveSeat, table: "TableState", act_id: str) -> Outcome:
    player = table.seats.get(command.seat)
    if player is None:
        return table.refuse(RefusalCode.NOTHING_CHANGES)
    event = SeatLeft(by=command.by, at=command.at, player=player, seat=command.seat)
    return table.done([event], [], player=player)


@_act.register(LeaveTable)
def _leave(command: LeaveTable, table: "TableState", act_id: str) -> Outcome:
    return table.done([PlayerLeft(by=command.by, at=command.at, player=command.player)], [])


@_act.register(AtRack)
def _at_rack(command: AtRack, table: "TableState", act_id: str) -> Outcome:
    return at_rack(table, command, act_id)


@_act.register(BuyIn)
def _buy_in(command: BuyIn, table: "TableState", act_id: str) -> Outcome:
    if not 0 < command.amount <= AMOUNT_MINOR_MAX:
        return table.refuse(RefusalCode.AMOUNT_INVALID, amount=command.amount)
    source = CASH if command.source == "cash" else PROMO
    to = table.base(command.player)
    reason = Reason.BUY_IN if command.source == "cash" else Reason.PROMO
    occasion = Occasion(table.name, micros(command.at), numbered(act_id))
    made = Transfer(occasion.next_id(), source, to, command.amount, reason, occasion.at, table.name)
    repaid = repay(table.book, table.purse(command.player), command.amount, source=to, occasion=occasion)
    event = PlayerPaidIn(
        by=command.by, at=command.at, player=command.player, amount=command.amount, source=command.source
    )
    return table.done([event], [made, *repaid], amount=command.amount)


@_act.register(CashOut)
def _cash_out(command: CashOut, table: "TableState", act_id: str) -> Outcome:
    """Free credit in cash, and cash chips that the player puts on the table."""
    state = table.current
    if state and table.in_play and command.player in state.stakes_by_player() and not command.chips:
        return table.refuse(RefusalCode.BETS_LYING, round=table.number)
    if not 0 <= command.chips <= AMOUNT_MINOR_MAX or (command.chips and not table.uses_chips):
        return table.refuse(RefusalCode.AMOUNT_INVALID, amount=command.chips)
    refusal = owes(table, command.player) or _unknown(table, command)
    if refusal:
        return refusal
    occasion = Occasion(table.name, micros(command.at), numbered(act_id))
    transfers: list[Transfer] = []
    for account, amount in (
        (credit(command.player), table.book.balance(credit(command.player))),
        (CASH_CHIPS, command.chips),
    ):
        if amount:
            made = Transfer(
                occasion.next_id(), account, CASH, amount, Reason.CASH_OUT, occasion.at, table.name
            )
            transfers.append(made)
    total = sum(transfer.amount_minor for transfer in transfers)
    if not total:
        return unclaimed_waits(table, command.player) or table.refuse(RefusalCode.AMOUNT_INVALID, amount=0)
    event = PlayerCashedOut(
        by=command.by,
        at=command.at,
        player=command.player,
        amount=total,
        identity=command.identity,
        second=command.second,
    )
    return table.done([event], transfers, amount=total)


def _unknown(table: "TableState", command: CashOut) -> Refusal | None:
    """Whoever comes for the credit of somebody who has gone may be anybody: chips are their own proof."""
    slip = table.current.slips.get(command.player) if table.current else None
    gone = table.has_left(command.player) or (slip is not None and slip.absent == "walked-away")
    if not gone or command.identity is not None or not table.book.balance(credit(command.player)):
        return None
    return table.refuse(RefusalCode.PLAYER_GONE, player=command.player)


@_act.register(CollectOwed)
def _collect(command: CollectOwed, table: "TableState", act_id: str) -> Outcome:
    return collect_owed(table, command, act_id)


@_act.register(PayUnclaimed)
def _pay_unclaimed(command: PayUnclaimed, table: "TableState", act_id: str) -> Outcome:
    return pay_unclaimed(table, command, act_id)
