"""A round told again for the pit and the auditor: its acts in order, its bets with their reasons."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from taisai.errors import UnknownName
from taisai.floor.door.forms import plain_player
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import DiceDrawn, DiceRead, RoundEvent, SupervisorCalled, WindowSet
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game.acts import Phase
from taisai.game.round import Round
from taisai.game.settlement import BetResult, settle_round, void_results
from taisai.record.views import catch_up
from taisai.rulebooks.model import HOUSE
from taisai.server import wire
from taisai.server.live.hub import Hub
from taisai.server.live.sessions import bet_view
from taisai.server.live.table_view import millis

# Nobody is shown these before the dealer has said what the dice are.
Sealed = DiceDrawn | DiceRead | SupervisorCalled
OfRound = RoundEvent | WindowSet | Sealed
_COMMON = frozenset({"type", "v", "by", "at", "clause", "round"})
_WORDS_MAX = 8


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
    dice_source: str | None
    closes_at: int | None
    ground: str | None
    staked: int
    paid: int
    events: list[TimelineEvent]
    bets: list[InspectedBet]


async def round_timeline(hub: Hub, table: str, number: int) -> RoundTimeline:
    """Read a round's events from the journal and play it again."""
    happened = [event async for event in _events(hub, table, number)]
    played = Round.rebuild(event.event for event in happened if isinstance(event, RoundEvent))
    state = played.state
    if state.phase is Phase.VOID:
        results = void_results(state)
    else:
        results = settle_round(state, state.roll) if state.roll else []
    draws = [event for event in happened if isinstance(event, DiceDrawn)]
    windows = [event for event in happened if isinstance(event, WindowSet)]
    unsealed = state.roll is not None or state.phase is Phase.VOID
    closes_at = windows[-1].closes_at if windows else None
    return RoundTimeline(
        table=table,
        round=number,
        state=str(state.phase),
        held=state.held,
        pay_table=state.pay_table.id,
        rulebook_digest=state.rulebook.digest,
        pay_table_digest=state.pay_table.digest,
        dice=list(state.roll) if state.roll else None,
        dice_source=draws[-1].source if draws else None,
        closes_at=millis(closes_at) if closes_at else None,
        ground=state.ground,
        staked=state.staked(),
        paid=sum(state.paid.values()),
        events=[_step(event, table) for event in happened if unsealed or not isinstance(event, Sealed)],
        bets=[_inspected(result, hub, table) for result in results],
    )


def _inspected(result: BetResult, hub: Hub, table: str) -> InspectedBet:
    view = bet_view(result, hub.voice)
    return InspectedBet(player=plain_player(result.player, table), **msgspec.structs.asdict(view))


async def _events(hub: Hub, table: str, number: int) -> AsyncIterator[OfRound]:
    """What stands on the table's stream for one round: between its first and its last event."""
    store = hub.house.store
    await catch_up(store, ROUNDS)
    key = round_key(table, number)
    row = (await store.view_get(ROUNDS.name, [key])).get(key)
    if row is None:
        raise UnknownName(f"round of {table}", str(number), [])
    where = msgspec.json.decode(row, type=RoundRow)
    async for stored in store.events(table_stream(table), after=where.first - 1):
        if stored.version > where.last + 1:
            return
        event = table_event(stored)
        if isinstance(event, OfRound) and event.round == number:
            yield event


def _step(event: OfRound, table: str) -> TimelineEvent:
    inner: Any = event.event if isinstance(event, RoundEvent) else event
    facts = {name: value for name, value in msgspec.to_builtins(inner).items() if name not in _COMMON}
    if isinstance(facts.get("player"), str):
        facts["player"] = plain_player(facts["player"], table)
    for taken in facts.get("taken", ()):
        taken["player"] = plain_player(taken["player"], table)
    said = ", ".join(
        f"{name} {_short(value)}" for name, value in facts.items() if value not in (None, [], {})
    )
    name = type(inner).__name__
    return TimelineEvent(
        at=millis(inner.at),
        type=name,
        clause=getattr(inner, "clause", HOUSE),
        by=inner.by.name,
        role=str(inner.by.role),
        text=f"{name}: {said}" if said else name,
        facts=facts,
    )


def _short(value: Any) -> str:
    if isinstance(value, dict | list) and len(value) > _WORDS_MAX:
        return f"({len(value)} entries)"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_short(inner)}" for key, inner in value.items()) + ")"
    if isinstance(value, list):
        return "-".join(map(_short, value))
    return str(value)
