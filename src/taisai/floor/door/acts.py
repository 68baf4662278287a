"""What comes in at the door: a typed command with the desk that it is meant for, and in whose name."""

import msgspec

from taisai.errors import InvariantBroken
from taisai.floor.approvals.asked import AskedAct, target_of
from taisai.floor.approvals.messages import AnyApprovalCommand
from taisai.floor.desks.decider import sender_name
from taisai.floor.players.messages import AnyPlayersCommand
from taisai.floor.streams import APPROVALS, PLAYERS
from taisai.game.people import Actor, Role


class PlayersAct(msgspec.Struct, frozen=True, tag="players", tag_field="desk"):
    """Something asked of the registry of players."""

    command: AnyPlayersCommand


class ApprovalAct(msgspec.Struct, frozen=True, tag="approvals", tag_field="desk"):
    """Something asked about an act that waits for a second person."""

    command: AnyApprovalCommand


AnyAct = AskedAct | PlayersAct | ApprovalAct


def desk_of(act: AnyAct) -> str:
    """The stream of the desk that an act is for."""
    match act:
        case PlayersAct():
            return PLAYERS
        case ApprovalAct():
            return APPROVALS
        case _:
            return target_of(act)


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
    if (by.role is asked.role is Role.PLAYER) or by.role is Role.SYSTEM or asked == by:
        return
    raise InvariantBroken(f"{by.name} brought an act of {asked.name}")
