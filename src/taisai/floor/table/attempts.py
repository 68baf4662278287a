"""Refused bets: no event, nothing moved; the answer is kept with what was asked and when it came."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase, cell
from taisai.game.decide import act_of
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.journal import micros

if TYPE_CHECKING:
    from taisai.floor.table.state import TableState

# No bet is taken any more: by how much it came too late is part of what is kept.
LATE: Final = frozenset(
    {
        RefusalCode.BETTING_CLOSED,
        RefusalCode.ROLL_DECLARED,
        RefusalCode.ROUND_SETTLED,
        RefusalCode.ROUND_CONCLUDED,
    }
)


_CLOSINGS_KEPT: Final = 12


@dataclass(slots=True)
class BetAttempts:
    """What refused bets are held against: when the last rounds closed, and who tried how often."""

    closed_at: dict[int, datetime] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)

    def follow(self, number: int, event: ev.AnyEvent) -> None:
        """Take up an event of a round."""
        if isinstance(event, ev.BettingOpened):
            self.tries = {}
        elif isinstance(event, ev.BettingClosed):
            self.closed_at[number] = event.at
            while len(self.closed_at) > _CLOSINGS_KEPT:
                del self.closed_at[next(iter(self.closed_at))]

    def recall(self, tried: "BetAttempt") -> None:
        """Take up an attempt of the round in play that the record keeps: the state was made again since."""
        self.tries[tried.player] = max(tried.nth, self.tries.get(tried.player, 0))

    def count(self, player: str) -> int:
        """One more refused bet of a player in this round."""
        self.tries[player] = self.tries.get(player, 0) + 1
        return self.tries[player]


class BetAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for and refused: `at` is the time of receipt in microseconds since 1970 (UTC).

    `nth` counts the refused attempts of this player in this round.
    """

    table: str
    round: int
    at: int
    by: Actor
    player: str
    slip: dict[str, int]
    late_ms: int | None
    nth: int


class KeptRefusal(msgspec.Struct, frozen=True, kw_only=True, tag="Refusal", tag_field="type"):
    """A refusal as the record keeps it: read as the answer it was, or with the attempt beside it."""

    code: RefusalCode
    clause: str
    facts: dict[str, Any] = {}
    v: int = 1
    attempt: BetAttempt | None = None


def kept_refusal(table: "TableState", command: object, refusal: Refusal) -> KeptRefusal | None:
    """What is kept of a refused bet; none for any other act."""
    if not isinstance(command, InRound) or not isinstance(command.command, cmd.PlaceBets):
        return None
    asked = command.command
    number = command.round if command.round is not None else table.number
    attempt = BetAttempt(
        table=table.name,
        round=number,
        at=micros(asked.at),
        by=asked.by,
        player=asked.player,
        slip=asked.slip,
        late_ms=_late_ms(table, number, asked, refusal),
        nth=table.attempts.count(asked.player),
    )
    return KeptRefusal(code=refusal.code, clause=refusal.clause, facts=refusal.facts, attempt=attempt)


def after_deadline(table: "TableState", number: int, asked: cmd.AnyCommand) -> Refusal | None:
    """A bet that came after the deadline is refused as after the closing, though that may not be written yet.

    The closing comes first, but its commit may fail, and what waited behind it finds betting open again.
    """
    window = table.window
    if window is None or window.closes_at is None or window.round != number:
        return None
    state = table.rounds[number]
    if not isinstance(asked, cmd.PlaceBets) or asked.at < window.closes_at or state.held:
        return None
    act = act_of(asked)
    here = cell(state.rulebook, act, Phase.CLOSED)
    return Refusal(
        code=RefusalCode.BETTING_CLOSED,
        clause=here.clause,
        facts={"act": str(act), "phase": str(Phase.CLOSED)},
    )


def _late_ms(table: "TableState", number: int, asked: cmd.PlaceBets, refusal: Refusal) -> int | None:
    closed = table.attempts.closed_at.get(number)
    if closed is None and table.window is not None and table.window.round == number:
        closed = table.window.closes_at
    if refusal.code not in LATE or closed is None:
        return None
    return max(0, micros(asked.at) - micros(closed)) // 1000
