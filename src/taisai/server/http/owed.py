"""The register of debts and of unclaimed money: what is open, a day's report, and decisions by two people."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from taisai.errors import InputError
from taisai.floor.door.forms import do_at_table
from taisai.floor.identity import Identity
from taisai.floor.table.player_names import plain_player
from taisai.floor.views.owed import OwedDay, OwedMovement, OwedRow, owed_day, owed_movements, owed_rows
from taisai.server.http.acts import ActAnswer, act_response
from taisai.server.http.dependencies import TheHub, TheKey, ThePerson
from taisai.server.live.hub import Hub


class OwedEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of one debt, or of one amount that waits: since when, and from which round and clause."""

    at: int
    round: int | None
    cause: str
    clause: str
    amount: int
    left: int


class OwedView(msgspec.Struct, frozen=True, kw_only=True):
    """What a player or a session owes (`receivable`), or what waits for them (`unclaimed`), at one table."""

    kind: Literal["receivable", "unclaimed"]
    table: str
    player: str
    total: int
    since: int
    days: int
    needs_identity: bool
    entries: list[OwedEntryView]


class OwedMovementView(msgspec.Struct, frozen=True, kw_only=True):
    """One change of what is owed or waits; below zero when it was paid, waived or handed over."""

    at: int
    kind: Literal["receivable", "unclaimed"]
    table: str
    player: str
    round: int | None
    amount: int
    what: str
    cause: str
    clause: str
    by: str
    second: str
    reason: str


class OwedDayView(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day's report: sums by table, and every movement."""

    day: str
    sums: list[OwedDay]
    movements: list[OwedMovementView]


class OwedDecision(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is to be done with a debt or with money that waits; a second person agrees."""

    decision: Literal["collect", "waive", "pay-out"]
    table: str
    player: str
    amount: int
    reason: str
    source: Literal["cash", "credit"] = "cash"
    identity: Identity | None = None


@get("/api/v1/owed", tags=["cage"])
async def list_owed(hub: TheHub) -> list[OwedView]:
    """Everything that players owe and that waits for them, live tables and clusters alike."""
    return [_view(hub, row) async for row in owed_rows(hub.house.store)]


def _view(hub: Hub, row: OwedRow) -> OwedView:
    now = round(hub.house.now().timestamp() * 1_000_000)
    return OwedView(
        kind=row.kind,
        table=row.table,
        player=plain_player(row.who, row.table),
        total=row.total,
        since=row.since // 1000,
        days=max(0, now - row.since) // 86_400_000_000,
        needs_identity=row.kind == "unclaimed" and hub.house.plan.cage.needs_identity(row.total),
        entries=[
            OwedEntryView(
                at=entry.at // 1000,
                round=entry.round,
                cause=entry.cause,
                clause=entry.clause,
                amount=entry.amount,
                left=entry.left,
            )
            for entry in row.entries
        ],
    )


@get("/api/v1/owed/day", tags=["cage"])
async def get_owed_day(
    hub: TheHub, day: Annotated[str | None, QueryParameter(max_length=10)] = None
) -> OwedDayView:
    """What arose and how it ended on a gaming day: today's, or one as YYYY-MM-DD."""
    clock = hub.house.plan.players.day
    wanted = _day(day) if day is not None else clock.day_of(hub.house.now())
    since = datetime.combine(wanted, clock.begins, clock.tz)
    until = datetime.combine(wanted + timedelta(days=1), clock.begins, clock.tz)
    store = hub.house.store
    return OwedDayView(
        day=wanted.isoformat(),
        sums=await owed_day(store, since, until),
        movements=[_movement(moved) async for moved in owed_movements(store, since, until)],
    )


def _day(raw: str) -> date:
    try:
        return date.fromisoformat(raw)
    except ValueError:
        raise InputError(f"expected a day such as 2026-05-04, got {raw!r}") from None


def _movement(moved: OwedMovement) -> OwedMovementView:
    return OwedMovementView(
        at=moved.at // 1000,
        kind=moved.kind,
        table=moved.table,
        player=plain_player(moved.who, moved.table),
        round=moved.round,
        amount=moved.amount,
        what=moved.what,
        cause=moved.cause,
        clause=moved.clause,
        by=moved.by,
        second=moved.second,
        reason=moved.reason,
    )


@post("/api/v1/owed/decisions", tags=["cage"], status_code=202)
async def decide_owed(
    key: TheKey, hub: TheHub, person: ThePerson, data: JSONBody[OwedDecision]
) -> Response[ActAnswer]:
    """Ask to collect or waive a debt, or to pay out what waits; a second person agrees, and it is done."""
    hub.feed(data.table)
    fields: dict[str, Any] = {"player": data.player, "amount": data.amount, "reason": data.reason}
    if data.identity is not None:
        fields["identity"] = msgspec.to_builtins(data.identity)
    if data.decision == "pay-out":
        act = "PayUnclaimed"
    else:
        act, fields = "CollectOwed", {**fields, "waive": data.decision == "waive", "source": data.source}
    answer = await do_at_table(hub.house, data.table, act, fields, by=person.actor, key=key)
    return act_response(hub, answer)


HANDLERS: list[Any] = [list_owed, get_owed_day, decide_owed]
