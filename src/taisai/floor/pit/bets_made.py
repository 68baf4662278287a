"""Every bet that counted, from the record: who, on what, in which round; void rounds left out."""

from collections import OrderedDict
from dataclasses import dataclass, field

from taisai.errors import TaisaiError
from taisai.floor.pit.watch import counted_stakes
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.state import FindRules
from taisai.floor.views.rounds import table_events
from taisai.game import events as ev
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.record.order import in_order
from taisai.record.ports import CommitSource

# Rounds kept at hand for corrections that come later; one that comes later still is left as it was.
_AT_HAND = 5_000


@dataclass(slots=True)
class RoundBets:
    """What counted in one round, by player and box."""

    table: str
    round: int
    pay_table: str
    stakes: dict[str, dict[str, int]] = field(default_factory=dict)


async def recorded_bets(
    source: CommitSource, table: str | None = None, find_rules: FindRules = shipped_rules
) -> list[RoundBets]:
    """Every settled round with its bets, as they stand after all corrections."""
    settled: dict[tuple[str, int], RoundBets] = {}
    at_hand: OrderedDict[tuple[str, int], RoundState] = OrderedDict()
    async for commit in in_order(source):
        for name, _, wrapped in table_events(commit):
            if not isinstance(wrapped, RoundEvent) or (table is not None and name != table):
                continue
            key, event = (name, wrapped.round), wrapped.event
            if isinstance(event, ev.BettingOpened):
                try:
                    at_hand[key] = RoundState(*find_rules(event.pay_table))
                except TaisaiError:
                    continue  # rules that are not at hand say nothing of what counted
                while len(at_hand) > _AT_HAND:
                    at_hand.popitem(last=False)
            state = at_hand.get(key)
            if state is None:
                continue
            evolve(state, event)
            if isinstance(event, ev.BetsSettled | ev.RoundConcluded | ev.BetsCorrected):
                counted = {player: stakes for player, stakes in counted_stakes(state).items() if stakes}
                settled[key] = RoundBets(name, wrapped.round, state.pay_table.id, counted)
            elif isinstance(event, ev.RoundVoided):
                settled.pop(key, None)
    return [each for each in settled.values() if each.stakes]
