"""The pit: every table's figures, the gaming day, and single rounds."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, PathParameter

from taisai.floor.door.acts import sender_of
from taisai.floor.door.forms import pit_act
from taisai.floor.pit.hold_watch import HoldFlag, HouseHold, Subject
from taisai.floor.pit.messages import AcknowledgeAlarm
from taisai.floor.pit.takings import TakingsLine
from taisai.floor.pit.watch import FairnessFigures, OutcomeFigure, TableWatch
from taisai.floor.table.messages import SupervisorCalled
from taisai.floor.table.player_names import plain_player
from taisai.floor.views.meters import METERS, read_meters
from taisai.game.refusals import RefusalCode, by_house
from taisai.record.views import catch_up
from taisai.server import wire
from taisai.server.access.logins import Person
from taisai.server.http.acts import ActAnswer, ActBody, act_response, moment_or_none
from taisai.server.http.dependencies import TheHub, TheKey, ThePerson
from taisai.server.http.pit_alarms import AlarmView, alarm_views, alarms_at, standing_alarms
from taisai.server.http.problems import refusal_problem
from taisai.server.http.round_timeline import RoundTimeline, round_timeline
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis


class ExposureView(msgspec.Struct, frozen=True, kw_only=True):
    """What the house stands to lose on the bets on the felt."""

    worst: int
    worst_dice: str
    var95: int
    by_outcome: list[OutcomeFigure]


class DifferingView(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer's dice and a second reading that is not the same; a supervisor has to look."""

    declared: list[int]
    read: list[int]
    source: str


class PitTableView(msgspec.Struct, frozen=True, kw_only=True):
    """One table as the pit watches it.

    `named_rules` is the pay table that the house's settings name where the record has another.
    """

    table: wire.TableView
    automatic: bool
    dealer: str | None
    dice_set: str | None
    players: int
    staked: int
    exposure: ExposureView
    since: int
    handle: int
    win: int
    theoretical_win: float
    hold_percent: float | None
    band: tuple[float, float] | None
    outside: bool
    flags: list[HoldFlag]
    rounds: int
    fairness: FairnessFigures
    connected: int
    attendants: list[str]
    alarms: list[AlarmView]
    differing: DifferingView | None
    stopped: bool
    named_rules: str | None


class PitDayTable(msgspec.Struct, frozen=True, kw_only=True):
    """What the pit knows of a table today."""

    table: str
    dealer: str | None
    dealer_since: int | None
    dice_set: str | None
    dice_since: int | None
    shaker_passed: bool | None


class PitDayView(msgspec.Struct, frozen=True, kw_only=True):
    """The gaming day that is open, its shift, and which day it is by the house's clock."""

    day: str | None
    today: str
    shift: str | None
    tables: list[PitDayTable]
    failed_dice: list[str]
    boxes: dict[str, str]
    uncounted: list[str]


class IncidentView(msgspec.Struct, frozen=True, kw_only=True):
    """A bug of ours that a command ran into: nothing was done, and the number leads to the evidence."""

    number: str
    at: int
    desk: str
    act: str
    error: str


class DealerBody(msgspec.Struct, forbid_unknown_fields=True):
    """Who deals from now on; none when nobody does."""

    name: str | None


class MetersRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one terminal has counted, in minor units and in times."""

    terminal: str
    meters: dict[str, int]


@get("/api/v1/pit", tags=["pit"])
async def get_pit(hub: TheHub) -> list[PitTableView]:
    """Every table: exposure, handle, win and hold against its band, who is flagged, and the dice.

    A band holds at all times together, and is there once it says something. Of those who are flagged in the
    whole house (tables, dealers and players), one in twenty is so though nothing is wrong, on average.
    """
    watches = {name: await hub.feeds[name].watch.whole() for name in hub.floor}
    house = HouseHold(watch.holds for watch in watches.values())
    return [_pit_table(hub, name, watch, house) for name, watch in watches.items()]


def _pit_table(hub: Hub, name: str, watch: TableWatch, house: HouseHold) -> PitTableView:
    feed = hub.feeds[name]
    figures = watch.figures(house.threshold)
    here = hub.house.read.at_pit(name)
    flags = house.flags(watch.holds)
    return PitTableView(
        table=feed.table,
        automatic=feed.plan.automatic,
        dealer=here.dealer,
        dice_set=here.dice_set,
        players=hub.house.read.table(name).seated(),
        staked=figures.staked,
        exposure=ExposureView(
            worst=figures.worst,
            worst_dice=figures.worst_dice,
            var95=figures.var95,
            by_outcome=figures.by_outcome,
        ),
        since=millis(watch.since),
        handle=figures.handle,
        win=figures.win,
        theoretical_win=figures.theoretical_win,
        hold_percent=figures.hold_percent,
        band=figures.band,
        outside=house.is_flagged(Subject("table", name)),
        flags=[msgspec.structs.replace(flag, name=plain_player(flag.name, name)) for flag in flags],
        rounds=figures.rounds,
        fairness=figures.fairness,
        connected=len(feed.gathered.connected),
        attendants=sorted(feed.gathered.attendants),
        alarms=alarm_views(hub, name, standing_alarms(hub, name, watch, figures.fairness, flags)),
        differing=_differing(hub.house.read.table(name).standing_call()),
        stopped=hub.is_stopped(name),
        named_rules=named.pay_table if (named := hub.house.read.named_otherwise(name)) else None,
    )


def _differing(called: SupervisorCalled | None) -> DifferingView | None:
    if called is None:
        return None
    return DifferingView(
        declared=list(called.declared.called()), read=list(called.read.called()), source=called.source
    )


@get("/api/v1/pit/day", tags=["pit"])
async def get_day(hub: TheHub) -> PitDayView:
    """The gaming day: shift, dealers, dice, what is not counted yet."""
    day = hub.house.read.day()
    here = {name: hub.house.read.at_pit(name) for name in hub.floor}
    return PitDayView(
        day=day.day.isoformat() if day.day else None,
        today=hub.house.plan.players.day.day_of(hub.house.now()).isoformat(),
        shift=day.shift,
        tables=[
            PitDayTable(
                table=name,
                dealer=table.dealer,
                dealer_since=moment_or_none(table.dealer_since),
                dice_set=table.dice_set,
                dice_since=moment_or_none(table.dice_since),
                shaker_passed=table.shaker_passed,
            )
            for name, table in here.items()
        ],
        failed_dice=list(day.failed_dice),
        boxes=day.boxes,
        uncounted=day.uncounted,
    )


@get("/api/v1/pit/takings", tags=["pit"])
async def get_takings(hub: TheHub) -> list[TakingsLine]:
    """The day's takings by shift and table, and the sums of day, month and year, each with its band.

    A band holds at all times together, and is there once it says something. Of the lines that are outside,
    one in twenty is so though nothing is wrong, on average.
    """
    return hub.house.read.takings()


@get("/api/v1/pit/hold", tags=["pit"])
async def get_hold(hub: TheHub) -> list[dict[str, Any]]:
    """Drop, win and hold by table and shift, as they were counted."""
    rows = hub.house.read.hold()
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: object) -> Any:
    return value if isinstance(value, int | str | None) else str(value)


@post("/api/v1/pit/acts", tags=["pit"], status_code=200)
async def act_in_pit(
    key: TheKey, hub: TheHub, person: ThePerson, data: JSONBody[ActBody]
) -> Response[ActAnswer]:
    """An act of the pit's day: days and shifts, dealers, fills and credits, counts, dice."""
    return await _in_pit(key, hub, person, data.act, data.fields)


async def _in_pit(
    key: TheKey, hub: Hub, person: Person, act: str, fields: dict[str, Any]
) -> Response[ActAnswer]:
    asked = pit_act(act, fields, by=person.actor, at=hub.house.now())
    if "table" in fields:
        hub.feed(str(fields["table"]))
    if isinstance(asked.command, AcknowledgeAlarm):
        sender = sender_of(asked, person.actor)
        if not await hub.house.store.answers([(sender, key)]):  # sent again it has its answer already
            await _stands(hub, asked.command)
    return act_response(hub, await hub.house.do(asked, person.actor, key))


async def _stands(hub: Hub, asked: AcknowledgeAlarm) -> None:
    """Nobody silences an alarm before there is one."""
    here = await alarms_at(hub, asked.table)
    if (asked.alarm, asked.about, asked.mark) not in ((one.kind, one.about, one.mark) for one in here):
        raise refusal_problem(by_house(RefusalCode.NOTHING_CHANGES), hub.voice)


@post("/api/v1/tables/{table:str}/dealer", tags=["pit"], status_code=200)
async def seat_dealer(
    key: TheKey, hub: TheHub, person: ThePerson, table: FromPath[str], data: JSONBody[DealerBody]
) -> Response[ActAnswer]:
    """Hand a table over to another dealer."""
    return await _in_pit(key, hub, person, "SeatDealer", {"table": table, "dealer": data.name})


@get("/api/v1/tables/{table:str}/rounds/{number:int}", tags=["pit"])
async def get_round(
    hub: TheHub,
    table: FromPath[str],
    number: Annotated[int, PathParameter(ge=1, le=2**53)],
) -> RoundTimeline:
    """A round told again: each act with who and which clause, each bet with what became of it and why."""
    hub.feed(table)
    return await round_timeline(hub, table, number)


@get("/api/v1/tables/{table:str}/meters", tags=["pit"])
async def get_meters(hub: TheHub, table: FromPath[str]) -> list[MetersRow]:
    """The meters of a cluster's terminals."""
    feed = hub.feed(table)
    await catch_up(hub.house.store, METERS)
    rows = await hub.house.store.view_get(METERS.name, list(feed.seats.key_digests))
    return [
        MetersRow(terminal=name, meters=read_meters(rows.get(name)).figures())
        for name in feed.seats.key_digests
    ]


@get("/api/v1/incidents", tags=["pit"])
async def list_incidents(hub: TheHub) -> list[IncidentView]:
    """Bugs of ours that commands ran into, newest first. The house went on; the evidence is sealed."""
    return [
        IncidentView(
            number=noted.number, at=millis(noted.at), desk=noted.desk, act=noted.act, error=noted.error
        )
        for noted in reversed(await hub.house.latest_incidents())
    ]


HANDLERS: list[Any] = [
    get_pit,
    list_incidents,
    get_day,
    get_takings,
    get_hold,
    act_in_pit,
    seat_dealer,
    get_round,
    get_meters,
]
