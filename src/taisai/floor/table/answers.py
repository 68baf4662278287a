"""The answer to an act in a round: what happened, and the slip as it now stands."""

from taisai.floor.table.messages import Accepted
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
