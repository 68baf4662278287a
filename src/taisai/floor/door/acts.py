"""What comes in at the door: a typed command with the desk that it is meant for, and in whose name."""

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import AskedAct
from taisai.floor.approvals.messages import AnyApprovalCommand
from taisai.floor.desks.decider import sender_name
from taisai.floor.players.messages import AnyPlayersCommand
from taisai.game.people import Actor, Role


class PlayersAct(msgspec.Struct, frozen=True):
    """Something asked of the registry of players."""

    command: AnyPlayersCommand


class ApprovalAct(msgspec.Struct, frozen=True):
    """Something asked about an act that waits for a second person."""

    command: AnyApprovalCommand


AnyAct = AskedAct | PlayersAct | ApprovalAct


def sender_of(act: AnyAct, by: Actor) -> str:
    """In whose name an act's id is on the record.

    What a terminal's player asks of the registry has a name of its own, since the terminal's ids are used
    at its table.
    """
    name = sender_name(by)
    return f"{name}:player" if by.role is Role.PLAYER and isinstance(act, PlayersAct) else name


def check_name(act: AnyAct, by: Actor) -> None:
    """Staff act in their own name, a terminal for its player; only the house brings what others asked."""
    asked = act.command.by
    if by.role is Role.SYSTEM or asked == by or (by.role is asked.role is Role.PLAYER):
        return
    raise InvariantBroken(f"{by.name} brought an act of {asked.name}")
