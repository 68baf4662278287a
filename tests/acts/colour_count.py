"""Counts colour chips as somebody would who watches the table: sold, on the felt, lost to the rack.

It reads the table's events alone and knows neither the books nor the table's own count.
"""

from collections import Counter

from taisai.floor.events import table_event
from taisai.floor.table.messages import RackEvent, RoundEvent
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.chips import ColourCollected
from taisai.game.evolve import evolve
from taisai.game.round import shipped_rules
from taisai.game.settling import settled_bets
from taisai.game.state import RoundState
from taisai.record.journal import Event

_OVER = (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)


class ColourCount:
    """The colour chips of one table, worth by colour."""

    def __init__(self) -> None:
        self.out: Counter[str] = Counter()
        self._rounds: dict[int, RoundState] = {}
        self._read = 0

    def follow(self, stream: list[Event]) -> None:
        """Read what happened since the last time."""
        for stored in stream[self._read :]:
            event = table_event(stored)
            if isinstance(event, RackEvent) and not isinstance(event.event, ColourCollected):
                self.out[event.event.colour] += event.event.chips * event.event.value
            elif isinstance(event, RoundEvent):
                self._follow_round(event.round, event.event)
        self._read = len(stream)

    def _follow_round(self, number: int, event: ev.AnyEvent) -> None:
        if isinstance(event, ev.BettingOpened):
            self._rounds[number] = RoundState(*shipped_rules(event.pay_table))
        state = self._rounds[number]
        if isinstance(event, ev.PayoutsMade) and state.phase not in _OVER:
            self._lose(state, set(event.payouts))  # what is settled again later is made good in money
        evolve(state, event)

    def _lose(self, state: RoundState, players: set[str]) -> None:
        for result in settled_bets(state):
            slip = state.slips[result.player]
            if result.player in players and slip.chips and not result.returned:
                self.out[slip.chips.colour] -= slip.coloured(result.box)

    def on_felt(self) -> Counter[str]:
        """What is on the felt by colour."""
        felt: Counter[str] = Counter()
        for state in self._rounds.values():
            for player, slip in state.slips.items():
                if slip.chips and state.phase not in _OVER and player not in state.paid:
                    felt[slip.chips.colour] += sum(map(slip.coloured, slip.amounts))
        return felt
