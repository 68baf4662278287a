"""Decisions on debts and unclaimed money as the house carries them out: whose drawer, and who was seen."""

from typing import TYPE_CHECKING

import msgspec

from taisai.floor.approvals.asked import AskedAct, TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.cage import MoveDrawer
from taisai.floor.table.messages import CollectOwed, PayUnclaimed
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house

if TYPE_CHECKING:
    from taisai.floor.house import House

Decision = CollectOwed | PayUnclaimed
_DRAWERS = Actor("drawers", Role.SYSTEM)


def before_asking(house: "House", asked: RequestApproval) -> RequestApproval | Refusal | None:
    """The request for a decision, with the drawer that its cash goes through; or what it still lacks.

    A cashier's cash is in a drawer. Whoever has none open stands at the table, whose cash it is then.
    """
    act = asked.asked
    if not isinstance(act, TableAct) or not isinstance(act.command, Decision):
        return None
    command = act.command
    drawers, policy, name = house.cage.state.drawers, house.plan.cage, command.by.name
    if command.by.role is Role.CASHIER and name not in drawers and _moves_cash(command):
        return by_house(RefusalCode.DRAWER_NOT_OPEN, name=name)
    pays = isinstance(command, PayUnclaimed)
    if pays and policy.needs_identity(command.amount) and command.identity is None:
        return by_house(RefusalCode.IDENTITY_MISSING, limit=policy.identify_from_minor)
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
    amount = command.amount if isinstance(command, CollectOwed) else -command.amount
    return MoveDrawer(by=_DRAWERS, at=command.at, drawer=command.drawer, amount=amount, player=command.player)


def _moves_cash(command: Decision) -> bool:
    return isinstance(command, PayUnclaimed) or (not command.waive and command.source == "cash")
