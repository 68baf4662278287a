"""A round told again for the pit and the auditor: its acts in order, its bets with their reasons."""

from typing import Any

import msgspec

from taisai.floor.views.timeline import Step, round_in_store, tell_round
from taisai.game.settlement import BetResult
from taisai.server import wire
from taisai.server.live.hub import Hub
from taisai.server.live.sessions import bet_view
from taisai.server.live.table_view import millis


class TimelineEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One act: when, by whom, under which clause, and its facts in a line."""

    at: int
    type: str
    clause: str
    by: str
    role: str
    text: str
    facts: dict[str, Any]


class InspectedBet(wire.BetView, frozen=True, kw_only=True):
    """A bet and whose it was."""

    player: str


class RoundTimeline(msgspec.Struct, frozen=True, kw_only=True):
    """A whole round, with everything that it was decided by."""

    table: str
    round: int
    state: str
    held: str
    pay_table: str
    rulebook_digest: str
    pay_table_digest: str
    dice: list[int] | None
    known: list[int] | None
    dice_source: str | None
    closes_at: int | None
    ground: str | None
    staked: int
    paid: int
    events: list[TimelineEvent]
    bets: list[InspectedBet]


async def round_timeline(hub: Hub, table: str, number: int) -> RoundTimeline:
    """A round as the journal has it."""
    told = tell_round(table, number, await round_in_store(hub.house.store, table, number))
    return RoundTimeline(
        table=told.table,
        round=told.round,
        state=told.state,
        held=told.held,
        pay_table=told.pay_table,
        rulebook_digest=told.rulebook_digest,
        pay_table_digest=told.pay_table_digest,
        dice=told.dice,
        known=told.known,
        dice_source=told.dice_source,
        closes_at=millis(told.closes_at) if told.closes_at else None,
        ground=told.ground,
        staked=told.staked,
        paid=told.paid,
        events=[_event(step) for step in told.steps],
        bets=[_inspected(result, hub) for result in told.results],
    )


def _event(step: Step) -> TimelineEvent:
    return TimelineEvent(**{**msgspec.structs.asdict(step), "at": millis(step.at)})


def _inspected(result: BetResult, hub: Hub) -> InspectedBet:
    return InspectedBet(player=result.player, **msgspec.structs.asdict(bet_view(result, hub.voice)))
