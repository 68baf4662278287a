"""A round told again for the pit and the auditor: its acts in order, its bets with their reasons."""

from typing import Any

import msgspec

from taisai.floor.table.player_names import plain_player
from taisai.floor.views.attempts import RefusedBet, refused_in_store
from taisai.floor.views.timeline import RoundFacts, Step, round_in_store, tell_round
from taisai.game.refusals import Refusal, RefusalCode
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


class RefusedBetView(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that was asked for and refused: nothing moved, and how late it came where that is why."""

    at: int
    player: str
    by: str
    role: str
    slip: dict[str, int]
    code: str
    clause: str
    late_ms: int | None
    sentences: wire.Sentences


class RoundTimeline(RoundFacts, frozen=True, kw_only=True):
    """A whole round, with everything that it was decided by."""

    closes_at: int | None
    events: list[TimelineEvent]
    bets: list[InspectedBet]
    refused: list[RefusedBetView]


async def round_timeline(hub: Hub, table: str, number: int) -> RoundTimeline:
    """A round as the journal has it."""
    told = tell_round(table, number, await round_in_store(hub.house.store, table, number))
    return RoundTimeline(
        **{name: getattr(told, name) for name in RoundFacts.__struct_fields__},
        closes_at=millis(told.closes_at) if told.closes_at else None,
        events=[_event(step) for step in told.steps],
        bets=[_inspected(result, hub) for result in told.results],
        refused=[_refused(each, hub) for each in await refused_in_store(hub.house.store, table, number)],
    )


def _event(step: Step) -> TimelineEvent:
    return TimelineEvent(**{**msgspec.structs.asdict(step), "at": millis(step.at)})


def _refused(refused: RefusedBet, hub: Hub) -> RefusedBetView:
    tried = refused.attempt
    code = RefusalCode(refused.code)
    said = hub.refused(refused.id, Refusal(code=code, clause=refused.clause, facts=refused.facts))
    return RefusedBetView(
        at=tried.at // 1000,
        player=plain_player(tried.player, tried.table),
        by=tried.by.name,
        role=str(tried.by.role),
        slip=tried.slip,
        code=refused.code,
        clause=refused.clause,
        late_ms=tried.late_ms,
        sentences=said.sentences,
    )


def _inspected(result: BetResult, hub: Hub) -> InspectedBet:
    return InspectedBet(player=result.player, **msgspec.structs.asdict(bet_view(result, hub.voice)))
