"""A round told again from its events: each act with who did it and under which clause, each bet with why."""

from typing import Any

import msgspec

from taisai.errors import InputError
from taisai.floor.events import table_event
from taisai.floor.streams import table_stream
from taisai.floor.table.messages import RoundEvent
from taisai.floor.table.state import FindRules
from taisai.game import events as ev
from taisai.game.explain import explain
from taisai.game.round import Round, shipped_rules
from taisai.game.settlement import settle_round
from taisai.record.order import in_order
from taisai.record.ports import CommitSource

# What an event's own fields are, beside those that every event has.
_COMMON = {"type", "v", "by", "at", "clause"}
_LONG = 8


async def read_round(source: CommitSource, table: str, number: int) -> list[ev.AnyEvent]:
    """The events of one round, corrections of later days included."""
    stream = table_stream(table)
    found: list[ev.AnyEvent] = []
    async for commit in in_order(source):
        for stored in commit.events:
            if stored.stream == stream:
                event = table_event(stored)
                if isinstance(event, RoundEvent) and event.round == number:
                    found.append(event.event)
    if not found:
        raise InputError(f"the record has no round {table}/{number}")
    return found


def timeline(
    events: list[ev.AnyEvent], language: str = "en", find_rules: FindRules = shipped_rules
) -> dict[str, Any]:
    """What happened and why, as data that a page or a terminal can show."""
    played = Round.rebuild(events, find_rules)
    state = played.state
    results = settle_round(state, state.roll) if state.roll and state.ground is None else []
    return {
        "table": state.table,
        "round": state.number,
        "pay_table": state.pay_table.id,
        "rulebook_digest": state.rulebook.digest,
        "pay_table_digest": state.pay_table.digest,
        "state": str(state.standing),
        "ground": state.ground,
        "dice": list(state.roll) if state.roll else None,
        "events": [_step(event) for event in events],
        "bets": [
            {
                "player": result.player,
                "box": result.box,
                "stake": result.stake,
                "effective": result.effective,
                "returned": result.returned,
                "won": result.award.won,
                "clauses": list(result.clauses),
                "why": explain(result, language),
            }
            for result in results
        ],
        "returned": state.stakes_by_player() if state.ground is not None else {},
    }


def _step(event: ev.AnyEvent) -> dict[str, Any]:
    fields = {name: value for name, value in msgspec.to_builtins(event).items() if name not in _COMMON}
    said = ", ".join(
        f"{name.replace('_', ' ')} {_short(value)}"
        for name, value in fields.items()
        if value not in (None, [], {}, False) and not name.endswith("_digest")
    )
    name = type(event).__name__
    return {
        "at": event.at.isoformat(timespec="milliseconds"),
        "type": name,
        "by": f"{event.by.name} ({event.by.role})",
        "clause": event.clause,
        "what": f"{name}: {said}" if said else name,
        "facts": fields,
    }


def _short(value: Any) -> str:
    """A fact in a line: long lists and tables are counted, not printed."""
    if isinstance(value, dict):
        if len(value) > _LONG:
            return f"({len(value)} entries)"
        return "(" + ", ".join(f"{key} {_short(inner)}" for key, inner in value.items() if inner != {}) + ")"
    if isinstance(value, list):
        return f"({len(value)} entries)" if len(value) > _LONG else "-".join(map(_short, value))
    return str(value)
