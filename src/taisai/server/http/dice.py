"""Sets of dice: their life, the rounds they were used in, and which of those a damaged set puts in doubt."""

from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath

from taisai.errors import UnknownName
from taisai.floor.pit.dice_sets import DiceSet
from taisai.floor.views.dice_rounds import rounds_of_set
from taisai.server.http.acts import moment_or_none
from taisai.server.http.dependencies import TheHub
from taisai.server.live.table_view import millis


class DiceEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a set of dice, where, when and by whom."""

    at: int
    what: str
    table: str
    by: str
    passed: bool | None
    why: str


class DiceSetView(msgspec.Struct, frozen=True, kw_only=True):
    """A set of dice: where it is, when it last passed an inspection, and all that happened to it."""

    dice_set: str
    table: str | None
    failed: bool
    passed_at: int | None
    entries: list[DiceEntryView]


class DiceRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that was played with a set of dice."""

    table: str
    round: int
    at: int
    state: str
    since_inspection: bool


class DiceRoundsView(msgspec.Struct, frozen=True, kw_only=True):
    """A set of dice with its rounds; `proposed` are those a report of damage would void, by table."""

    dice: DiceSetView
    rounds: list[DiceRoundView]
    proposed: dict[str, list[int]]


@get("/api/v1/dice", tags=["pit"])
async def list_dice(hub: TheHub) -> list[DiceSetView]:
    """Every set of dice with its life."""
    return [_view(each) for each in hub.house.read.dice_sets()]


@get("/api/v1/dice/{dice:str}/rounds", tags=["pit"])
async def get_dice_rounds(hub: TheHub, dice: FromPath[str]) -> DiceRoundsView:
    """The rounds of a set of dice, and those since it last passed an inspection, which damage would void."""
    known = hub.house.read.dice_set(dice)
    rows = [row async for row in rounds_of_set(hub.house.store, dice)]
    if not known.entries and not rows:
        raise UnknownName("set of dice", dice, [each.name for each in hub.house.read.dice_sets()])
    since = millis(known.passed_at) if known.passed_at else 0
    rounds = [
        DiceRoundView(
            table=row.table,
            round=row.round,
            at=row.opened_at // 1000,
            state=row.state,
            since_inspection=row.opened_at // 1000 >= since,
        )
        for row in rows
    ]
    proposed: dict[str, list[int]] = {}
    for each in rounds:
        if each.since_inspection and each.state != "void":
            proposed.setdefault(each.table, []).append(each.round)
    return DiceRoundsView(dice=_view(known), rounds=rounds, proposed=proposed)


def _view(known: DiceSet) -> DiceSetView:
    return DiceSetView(
        dice_set=known.name,
        table=known.table,
        failed=known.failed,
        passed_at=moment_or_none(known.passed_at),
        entries=[
            DiceEntryView(
                at=millis(entry.at),
                what=type(entry).__name__,
                table=entry.table,
                by=entry.by.name,
                passed=getattr(entry, "passed", None),
                why=getattr(entry, "why", getattr(entry, "note", "")),
            )
            for entry in known.entries
        ],
    )


HANDLERS: list[Any] = [list_dice, get_dice_rounds]
