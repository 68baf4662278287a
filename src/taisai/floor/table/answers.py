"""The answer to an act in a round: what happened, and the slip as it now stands."""

from typing import Any

from taisai.floor.table.messages import Accepted, RoundEvent
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.state import RoundState


def answer_in_round(
    number: int, decision: list[ev.AnyEvent], command: cmd.AnyCommand, state: RoundState
) -> Accepted:
    """What happened, and for a slip how it now stands."""
    names = [type(event).__name__ for event in decision]
    if not isinstance(command, cmd.PlaceBets):
        return Accepted(happened=names, round=number)
    slip = state.slips.get(command.player)
    cuts = [cut for event in decision if isinstance(event, ev.BetsPlaced) for cut in event.cuts]
    return Accepted(
        happened=names,
        round=number,
        slip=slip.slip() if slip else {},
        cuts=cuts,
        slip_version=command.version,
    )


def retold_slip(event: Any) -> Accepted | None:
    """The answer to an accepted slip, from the event that says all of it; none for any other event."""
    placed = event.event if isinstance(event, RoundEvent) else None
    if not isinstance(placed, ev.BetsPlaced):
        return None
    return Accepted(
        happened=["BetsPlaced"],
        round=event.round,
        slip=placed.slip,
        cuts=placed.cuts,
        slip_version=placed.version,
    )
