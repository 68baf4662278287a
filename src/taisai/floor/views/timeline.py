"""A round told again from its events, for the command, the API and the pages: one telling for all of them."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import msgspec

from taisai.errors import InputError, UnknownName
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import DiceDrawn, DiceRead, RoundEvent, SupervisorCalled, WindowSet
from taisai.floor.table.player_names import plain_player
from taisai.floor.table.state import FindRules
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.game.acts import Phase
from taisai.game.events import RoundVoided
from taisai.game.round import Round, shipped_rules
from taisai.game.settlement import BetResult, results_of
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, Store
from taisai.record.views import catch_up
from taisai.rulebooks.model import HOUSE

# Nobody is shown these before the dealer has said what the dice are.
Sealed = DiceDrawn | DiceRead | SupervisorCalled
OfRound = RoundEvent | WindowSet | Sealed
# What an event's own facts are not.
_COMMON = frozenset({"type", "v", "by", "at", "clause", "round"})
_ENTRIES_MAX = 8


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One act: when, by whom, under which clause, and its facts, also in a line."""

    at: datetime
    type: str
    clause: str
    by: str
    role: str
    text: str
    facts: dict[str, Any]


class RoundFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A round in a few words. `paid` is all that went to players: payouts, or the stakes of a void round."""

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
    ground: str | None
    staked: int
    paid: int


class RoundTold(RoundFacts, frozen=True, kw_only=True):
    """A whole round, with everything that it was decided by. Bets are those of its end, each with why."""

    closes_at: datetime | None
    steps: list[Step]
    results: list[BetResult]


async def round_in_record(source: CommitSource, table: str, number: int) -> list[OfRound]:
    """The events of one round from a whole record, corrections of later days included."""
    stream = table_stream(table)
    found: list[OfRound] = []
    async for commit in in_order(source):
        for stored in commit.events:
            if stored.stream == stream:
                event = table_event(stored)
                if isinstance(event, OfRound) and event.round == number:
                    found.append(event)
    if not found:
        raise InputError(f"the record has no round {table}/{number}")
    return found


async def round_in_store(store: Store, table: str, number: int) -> list[OfRound]:
    """The same from an open store, which knows where a round stands on its table's stream."""
    await catch_up(store, ROUNDS)
    key = round_key(table, number)
    row = (await store.view_get(ROUNDS.name, [key])).get(key)
    if row is None:
        raise UnknownName(f"round of {table}", str(number), [])
    return [event async for event in _between(store, table, msgspec.json.decode(row, type=RoundRow))]


async def _between(store: Store, table: str, where: RoundRow) -> AsyncIterator[OfRound]:
    """From a round's first event to one after its last: the window is set right after the opening."""
    async for stored in store.events(table_stream(table), after=where.first - 1):
        if stored.version > where.last + 1:
            return
        event = table_event(stored)
        if isinstance(event, OfRound) and event.round == where.round:
            yield event


def tell_round(
    table: str, number: int, happened: list[OfRound], find_rules: FindRules = shipped_rules
) -> RoundTold:
    """Play a round's events again, and say what happened and why."""
    inner = [event.event for event in happened if isinstance(event, RoundEvent)]
    state = Round.rebuild(inner, find_rules).state
    draws = [event for event in happened if isinstance(event, DiceDrawn)]
    windows = [event for event in happened if isinstance(event, WindowSet)]
    void = state.phase is Phase.VOID
    unsealed = void or state.outcome is not None
    given_back = [event.returned for event in inner if isinstance(event, RoundVoided)]
    return RoundTold(
        table=table,
        round=number,
        state=str(state.phase),
        held=state.held,
        pay_table=state.pay_table.id,
        rulebook_digest=state.rulebook.digest,
        pay_table_digest=state.pay_table.digest,
        dice=list(state.roll) if state.roll else None,
        known=list(state.known) if state.settles_known else None,
        dice_source=draws[-1].source if draws else None,
        closes_at=windows[-1].closes_at if windows else None,
        ground=state.ground,
        staked=state.staked(),
        paid=sum((given_back[-1] if void else state.paid).values()),
        steps=[_step(event, table) for event in happened if unsealed or not isinstance(event, Sealed)],
        results=[_of_person(result, table) for result in results_of(state)],
    )


def _of_person(result: BetResult, table: str) -> BetResult:
    return msgspec.structs.replace(result, player=plain_player(result.player, table))


def _step(event: OfRound, table: str) -> Step:
    inner: Any = event.event if isinstance(event, RoundEvent) else event
    facts = {name: value for name, value in msgspec.to_builtins(inner).items() if name not in _COMMON}
    if isinstance(facts.get("player"), str):
        facts["player"] = plain_player(facts["player"], table)
    for taken in facts.get("taken", ()):
        taken["player"] = plain_player(taken["player"], table)
    said = ", ".join(
        f"{name.replace('_', ' ')} {_short(value)}"
        for name, value in facts.items()
        if value not in (None, [], {}, False, "") and not name.endswith("_digest")
    )
    name = type(inner).__name__
    return Step(
        at=inner.at,
        type=name,
        clause=getattr(inner, "clause", HOUSE),
        by=inner.by.name,
        role=str(inner.by.role),
        text=f"{name}: {said}" if said else name,
        facts=facts,
    )


def _short(value: Any) -> str:
    """A fact in a line: long lists and tables are counted, not printed."""
    if isinstance(value, dict | list) and len(value) > _ENTRIES_MAX:
        return f"({len(value)} entries)"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_short(inner)}" for key, inner in value.items() if inner != {}) + ")"
    if isinstance(value, list):
        return "-".join(map(_short, value))
    return str(value)
