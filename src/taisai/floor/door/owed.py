"""Cash that moves by what two people decide at a table: whose drawer it goes through, and who was seen."""

from typing import TYPE_CHECKING

import msgspec

from taisai.floor.approvals.asked import AskedAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.cage import MoveDrawer
from taisai.floor.cluster.messages import HandPay
from taisai.floor.door.filling import hand_pay_in_full
from taisai.floor.identity import CashPayment
from taisai.floor.table.messages import CashOut, CollectOwed, PayUnclaimed
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger.accounts import credit

if TYPE_CHECKING:
    from taisai.floor.house import House

Decision = CollectOwed | PayUnclaimed | HandPay
_DRAWERS = Actor("drawers", Role.SYSTEM)


def before_asking(house: "House", asked: RequestApproval) -> RequestApproval | Refusal | None:
    """The request for a decision, with the drawer that its cash goes through; or what it still lacks.

    A cashier's cash is in a drawer. Whoever has none open stands at the table, whose cash it is then.
    """
    filled = hand_pay_in_full(house, asked)
    if isinstance(filled, Refusal):
        return filled
    asked = filled or asked
    act = asked.asked
    if not isinstance(act, TableAct) or not isinstance(act.command, Decision):
        return None
    command = act.command
    drawers, policy, name = house.cage.state.drawers, house.plan.cage, command.by.name
    if isinstance(command, CollectOwed):
        # Money that comes in asks nobody for a document, but a cashier's goes into a drawer.
        if command.by.role is Role.CASHIER and name not in drawers and _moves_cash(command):
            return by_house(RefusalCode.DRAWER_NOT_OPEN, name=name)
    else:
        payment = CashPayment(by=command.by, amount=command.amount or 0, identity=command.identity)
        lack = payment.lack(policy, drawers)
        if lack:
            return lack
    drawer = name if name in drawers and _moves_cash(command) else None
    with_drawer = msgspec.structs.replace(command, drawer=drawer)
    return msgspec.structs.replace(asked, asked=msgspec.structs.replace(act, command=with_drawer))


def drawer_move(act: AskedAct) -> MoveDrawer | None:
    """What a decision that was carried out changes in the drawer of whoever asked for it."""
    if not isinstance(act, TableAct) or not isinstance(act.command, Decision):
        return None
    command = act.command
    if command.drawer is None or not _moves_cash(command):
        return None
    amount = command.amount if isinstance(command, CollectOwed) else -(command.amount or 0)
    whose = command.terminal if isinstance(command, HandPay) else command.player
    return MoveDrawer(by=_DRAWERS, at=command.at, drawer=command.drawer, amount=amount, player=whose)


def _moves_cash(command: Decision) -> bool:
    return not isinstance(command, CollectOwed) or (not command.waive and command.source == "cash")


def cash_due(house: "House", table: str, command: CashOut) -> int:
    """What a player who cashes out at a live table would get."""
    return int(house.table(table).state.book.balance(credit(command.player))) + max(command.chips, 0)
