"""What is said at once against a request about a ticket, before a second person is troubled with it."""

from typing import TYPE_CHECKING

from taisai.floor.approvals.asked import AskedAct, CageAct
from taisai.floor.cage import PrintTicket, RedeemTicket, VoidTicket
from taisai.floor.tickets import unredeemable
from taisai.game.refusals import Refusal, RefusalCode

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
            refusal = None if refusal and refusal.code is RefusalCode.TICKET_EXPIRED else refusal
            if refusal or command.reissue:
                return refusal
            return house.cage.state.unpayable(command, ticket.amount, asking=True)
        case RedeemTicket():
            refusal = house.tickets.pending(command.ticket, ticket) or refusal
            return refusal or house.cage.state.unpayable(command, ticket.amount, asking=True)
        case PrintTicket():
            return refusal
