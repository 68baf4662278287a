"""An act in a person's own words, and the same act in full: with what stands in the house at that moment.

Words alone are what an id stands for, so the same message is known again whatever has changed since. What it
means now (whose session is at the terminal, how many credits are there) is added once, when the act is new.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from taisai.floor.approvals.asked import TableAct
from taisai.floor.approvals.messages import RequestApproval
from taisai.floor.cluster.messages import CashOutToTicket, HandPay
from taisai.floor.cluster.state import ClusterState, TerminalState
from taisai.floor.players import messages as msg
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger import credit

if TYPE_CHECKING:
    from taisai.floor.house import House

OfPlayer = msg.SetPlayLimits | msg.ConfirmPlayLimits | msg.ConfirmRealityCheck


def cash_out_in_full(house: "House", command: CashOutToTicket) -> CashOutToTicket:
    """With the house's largest ticket."""
    return msgspec.structs.replace(command, amount_max=house.plan.ticket_max_minor)


def hand_pay_in_full(house: "House", asked: RequestApproval) -> RequestApproval | Refusal | None:
    """The request to pay a session by hand, with the credits that the second person is shown."""
    act = asked.asked
    if not isinstance(act, TableAct) or not isinstance(act.command, HandPay):
        return None
    state: ClusterState = house.table(act.table).state
    terminal = state.terminals.get(act.command.terminal)
    if terminal is None:
        return by_house(RefusalCode.TERMINAL_UNKNOWN)
    if terminal.session is None:
        return by_house(RefusalCode.SESSION_UNKNOWN)
    if act.command.amount is not None:
        return None
    shown = msgspec.structs.replace(act.command, amount=state.book.balance(credit(terminal.session)))
    return msgspec.structs.replace(asked, asked=msgspec.structs.replace(act, command=shown))


async def player_act_in_full(house: "House", command: msg.AnyPlayersCommand) -> Any:
    """An act of the registry that names a terminal, for the player who sits there; or a refusal, or none."""
    match command:
        case msg.BeginPlay() if command.by.role is not Role.SYSTEM and "@" not in command.place:
            terminal = _terminal(house, command.place)
            if terminal is None or terminal.session is None:
                return by_house(RefusalCode.SESSION_UNKNOWN)
            return msgspec.structs.replace(command, place=terminal.session)
        case msg.SetPlayLimits() | msg.ConfirmPlayLimits() | msg.ConfirmRealityCheck():
            terminal = _terminal(house, command.player)
            if terminal is None:
                return None
            if terminal.session is None:
                return by_house(RefusalCode.SESSION_UNKNOWN)
            return await _of_seated(house, terminal.session, command)
        case _:
            return None


async def _of_seated(house: "House", session: str, command: OfPlayer) -> OfPlayer:
    """A session that nobody is registered for is its own player: its limits hold while it lasts."""
    player = await house.seated_player(session)
    own = msgspec.structs.replace(command, by=Actor(player, Role.PLAYER), player=player)
    known = house.players.state.find(player)
    if not isinstance(own, msg.SetPlayLimits) or known is None:
        return own
    # The day's limits are not set at a terminal: those that stand, or wait, are asked for again.
    stand = known.later or known.limits
    limits = msgspec.structs.replace(
        own.limits, loss_day=stand.loss_day, wager_day=stand.wager_day, minutes_day=stand.minutes_day
    )
    return msgspec.structs.replace(own, limits=limits)


def _terminal(house: "House", name: str) -> TerminalState | None:
    """A Player Terminal of any cluster."""
    for table, plan in house.plans.items():
        if plan.kind == "cluster":
            state: ClusterState = house.table(table).state
            if name in state.terminals:
                return state.terminals[name]
    return None
