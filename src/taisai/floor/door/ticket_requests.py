"""What is said at once against a request about a ticket, before a second person is troubled with it."""

from typing import TYPE_CHECKING

from taisai.floor.approvals.asked import AskedAct, CageAct
from taisai.floor.cage import PrintTicket, RedeemTicket, VoidTicket
from taisai.floor.tickets import unredeemable
from taisai.game.refusals import Refusal, RefusalCode, by_house

if TYPE_CHECKING:
    from taisai.floor.house import House


async def before_ticket(house: "House", act: AskedAct) -> Refusal | None:
    """Why a ticket is neither paid, printed again nor made void, whoever agrees; or none."""
    command = act.command
    if not isinstance(act, CageAct) or not isinstance(command, RedeemTicket | PrintTicket | VoidTicket):
        return None
    ticket = await house.tickets.find(command.ticket)
    refusal = unredeemable(ticket, command.at)
    if ticket is None:
        return refusal
    match command:
        case VoidTicket():
            expired = refusal is not None and refusal.code is RefusalCode.TICKET_EXPIRED
            return None if expired else refusal
        case RedeemTicket():
            cage = house.cage.state
            refusal = house.tickets.pending(command.ticket, ticket) or refusal
            refusal = refusal or cage.unpayable(command, ticket.amount, asking=True)
            if refusal is None and command.by.name not in cage.drawers:
                refusal = by_house(RefusalCode.DRAWER_NOT_OPEN, name=command.by.name)
            return refusal
        case PrintTicket():
            return refusal
