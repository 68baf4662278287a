"""What somebody in the pit should look at, table by table, and who has seen it.

Each alarm has a mark that tells it from a later one of its kind: who acknowledges it silences this one alone.
"""

from collections.abc import Iterator

import msgspec

from taisai.floor.pit.hold_watch import HoldFlag, HouseHold
from taisai.floor.pit.messages import AlarmKind
from taisai.floor.pit.watch import FairnessFigures, TableWatch
from taisai.floor.table.player_names import plain_player
from taisai.game.acts import Phase
from taisai.record.journal import micros
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """An alarm that stands."""

    kind: AlarmKind
    about: str = ""
    mark: str = ""


class AlarmView(Alarm, frozen=True, kw_only=True):
    """An alarm, whom or what it is about as people say it, and who has seen it when."""

    name: str
    acknowledged_by: str | None
    acknowledged_at: int | None


async def alarms_at(hub: Hub, table: str) -> list[Alarm]:
    """Every alarm that stands at a table now."""
    watches = {name: await hub.feeds[name].watch.whole() for name in hub.floor}
    watch = watches[table]
    house = HouseHold(each.holds for each in watches.values())
    fairness = watch.figures(house.threshold).fairness
    return standing_alarms(hub, table, watch, fairness, house.flags(watch.holds))


def standing_alarms(
    hub: Hub, table: str, watch: TableWatch, fairness: FairnessFigures, flags: list[HoldFlag]
) -> list[Alarm]:
    """The most pressing first."""
    return [*_of_play(hub, table), *_of_figures(watch, fairness, flags), *_of_people(hub, table)]


def alarm_views(hub: Hub, table: str, alarms: list[Alarm]) -> list[AlarmView]:
    """Alarms as the pit's pages show them."""
    found = []
    for alarm in alarms:
        seen = hub.house.read.acknowledged(table, alarm.kind, alarm.about, alarm.mark)
        found.append(
            AlarmView(
                name=_name(alarm, table),
                kind=alarm.kind,
                about=alarm.about,
                mark=alarm.mark,
                acknowledged_by=seen.by.name if seen else None,
                acknowledged_at=millis(seen.at) if seen else None,
            )
        )
    return found


def _name(alarm: Alarm, table: str) -> str:
    """The record has a player by a pseudonym; who looks after the table knows the name."""
    if alarm.kind != "hold":
        return alarm.about
    return plain_player(alarm.about.partition(":")[2], table)


def _of_play(hub: Hub, table: str) -> Iterator[Alarm]:
    here = hub.house.read.table(table)
    if hub.is_stopped(table):
        yield Alarm(kind="stopped", mark=str(here.version))
    state = here.current
    if state is None:
        return
    mark = f"{state.number}/{micros(state.held_at)}" if state.held_at else str(state.number)
    if state.phase is Phase.AWAITING_RULING:
        yield Alarm(kind="ruling", mark=mark)
    elif state.held:
        yield Alarm(kind="held", mark=mark)


def _of_figures(watch: TableWatch, fairness: FairnessFigures, flags: list[HoldFlag]) -> Iterator[Alarm]:
    if fairness.alarm:
        yield Alarm(kind="dice", about=fairness.dice_set or "", mark=str(fairness.alarm_at))
    for flag in flags:
        mark = f"{watch.since:%Y-%m-%d}/{flag.direction}"
        yield Alarm(kind="hold", about=f"{flag.kind}:{flag.name}", mark=mark)


def _of_people(hub: Hub, table: str) -> Iterator[Alarm]:
    called = hub.house.read.table(table).standing_call()
    if called is not None:
        yield Alarm(kind="reading", about=called.source, mark=f"{called.round}/{millis(called.at)}")
    for terminal, since in sorted(hub.house.gatherings.of(table).attendants.items()):
        yield Alarm(kind="attendant", about=terminal, mark=str(since))
    named = hub.house.read.named_otherwise(table)
    if named is not None:
        yield Alarm(kind="rules", about=named.pay_table, mark=named.pay_table)
