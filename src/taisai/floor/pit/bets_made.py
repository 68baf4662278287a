"""Every bet that counted, from the record: who, on what, in which round; void rounds left out."""

from collections import Counter, OrderedDict
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


@dataclass(slots=True)
class BetsMade:
    """The settled rounds of a record, and how many were left out because their rules are not at hand."""

    rounds: list[RoundBets]
    left_out: Counter[str]  # settled rounds by their pay table


async def recorded_bets(
    source: CommitSource, table: str | None = None, find_rules: FindRules = shipped_rules
) -> BetsMade:
    """Every settled round with its bets, as they stand after all corrections."""
    settled: dict[tuple[str, int], RoundBets] = {}
    at_hand: OrderedDict[tuple[str, int], RoundState] = OrderedDict()
    unknown: dict[tuple[str, int], str] = {}
    left_out: dict[tuple[str, int], str] = {}
    async for commit in in_order(source):
        for name, _, wrapped in table_events(commit):
            if not isinstance(wrapped, RoundEvent) or (table is not None and name != table):
                continue
            key, event = (name, wrapped.round), wrapped.event
            if isinstance(event, ev.BettingOpened):
                opened = _opened(event, find_rules)
                if opened is None:
                    unknown[key] = event.pay_table
                    continue
                at_hand[key] = opened
                while len(at_hand) > _AT_HAND:
                    at_hand.popitem(last=False)
            state = at_hand.get(key)
            if state is not None:
                evolve(state, event)
            if isinstance(event, ev.BetsSettled | ev.RoundConcluded | ev.BetsCorrected):
                if state is not None:
                    counted = {player: stakes for player, stakes in counted_stakes(state).items() if stakes}
                    settled[key] = RoundBets(name, wrapped.round, state.pay_table.id, counted)
                elif key in unknown:
                    left_out[key] = unknown[key]
            elif isinstance(event, ev.RoundVoided) and (state is not None or key in unknown):
                settled.pop(key, None)
                left_out.pop(key, None)
    return BetsMade([each for each in settled.values() if each.stakes], Counter(left_out.values()))


def _opened(event: ev.BettingOpened, find_rules: FindRules) -> RoundState | None:
    """A round under the very rules that it was opened with, or None: others say nothing of what counted."""
    try:
        state = RoundState(*find_rules(event.pay_table))
    except TaisaiError:
        return None
    digests = (event.pay_table_digest, event.rulebook_digest)
    return state if digests == (state.pay_table.digest, state.rulebook.digest) else None
