"""The questions that interfaces may ask of a house's desks. They act by the door.

They are answered from the desks of this process, or from copies of those that another process owns.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from taisai.floor.approvals.acts import Request
from taisai.floor.cage import Drawer
from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.pit.dice_sets import DiceSet, dice_set, dice_sets
from taisai.floor.pit.messages import AlarmAcknowledged, AlarmKind
from taisai.floor.pit.reports import hold_rows
from taisai.floor.pit.state import PitTable
from taisai.floor.pit.takings import TakingsLine, takings_of
from taisai.floor.players.acts import Standing
from taisai.floor.reading.people import PlayerReading, StaffReading, player_reading
from taisai.floor.reading.seen import SeenHouse
from taisai.floor.reading.tables import TableReading
from taisai.floor.table.messages import TableSettings
from taisai.record.ports import RecordCorrupt


@dataclass(frozen=True, slots=True)
class PitDay:
    """The gaming day: its shift, dice that failed, drop boxes on their way, floats still to be counted."""

    day: date | None
    shift: str | None
    failed_dice: tuple[str, ...]
    boxes: dict[str, str]
    uncounted: list[str]


class HouseReading:
    """Answers from what desks, or copies of them, have in memory; a caller changes nothing of it."""

    def __init__(self, house: SeenHouse) -> None:
        self._house = house

    # Tables

    def table(self, table: str) -> TableReading:
        """A table with its rounds, its people and its terminals."""
        desk = self._house.table(table)
        return TableReading(desk.state, desk.version)

    def named_otherwise(self, table: str) -> TableSettings | None:
        """What the house's settings name for a table whose record has another rulebook or pay table.

        The record's holds until two people agree to the other.
        """
        state, plan = self.table(table), self._house.plans[table]
        if state.settings is None or plan.practice:
            return None
        known = {state.settings.pay_table, *([state.planned.settings.pay_table] if state.planned else [])}
        return None if plan.settings.pay_table in known else plan.settings

    async def when_ready(self, table: str) -> TableReading:
        """A table as soon as its state is there."""
        await self._house.table(table).ready()
        return self.table(table)

    def is_still(self, seen: TableReading) -> bool:
        """Whether nothing has happened at a table since it was seen."""
        desk = self._house.table(seen.name)
        return desk.has_state and desk.version == seen.version

    def has_stopped(self, table: str) -> bool:
        """Whether the table's desk no longer writes."""
        return self._house.table(table).stopped

    def faults(self) -> list[str]:
        """What keeps desks from taking acts now."""
        found = []
        for desk in self._house.desks():
            name = desk.kind.name
            if isinstance(desk.why_stopped, OperatorNeeded):
                found.append(f"the desk of {name} has stopped: an operator is needed")
            elif desk.stopped:
                found.append(f"the desk of {name} has stopped")
            elif not desk.has_state and isinstance(desk.why_away, RecordCorrupt):
                found.append(f"the record of {name} is damaged: an operator is needed")
            elif not desk.has_state and isinstance(desk.why_away, OperatorNeeded):
                found.append(f"this release cannot read the record of {name}: {desk.why_away}")
            elif not desk.has_state:
                found.append(f"the desk of {name} is being rebuilt")
        return found

    # Approvals

    def waiting(self) -> list[Request]:
        """Everything that waits for a second person."""
        return [replace(request) for request in self._house.approvals.state.waiting(self._house.now())]

    def request(self, approval: str) -> Request | None:
        """A request, for as long as it is among the last ones."""
        request = self._house.approvals.state.find(approval)
        return request and replace(request)

    # Players and staff

    def player(self, place: str) -> PlayerReading | None:
        """A registered player, by pseudonym or by where they sit."""
        found = self._house.players.state.find(place)
        return None if found is None else player_reading(found, self._house.now())

    def standing(self, player: str) -> Standing | None:
        """How a registered player stands now."""
        return self._house.players.state.standing(player, self._house.now())

    def staff(self) -> StaffReading:
        """Who is on the staff list, and whose session lasts."""
        return StaffReading(self._house.staff.state)

    # The cage and the pit

    def drawers(self) -> dict[str, Drawer]:
        """The drawers that are open, by cashier."""
        return dict(self._house.cage.state.drawers)

    def day(self) -> PitDay:
        """The gaming day."""
        pit = self._house.pit.state
        return PitDay(
            day=pit.day,
            shift=pit.shift,
            failed_dice=tuple(sorted(pit.failed_dice)),
            boxes={name: box.table for name, box in pit.boxes.items()},
            uncounted=pit.uncounted(),
        )

    def at_pit(self, table: str) -> PitTable:
        """One table as the pit has it."""
        return replace(self._house.pit.state.table(table))

    @property
    def has_pit(self) -> bool:
        """Whether what the pit has can be read just now."""
        return self._house.pit.has_state

    def dealer_at(self, table: str, moment: datetime) -> str | None:
        """Who had a table at a moment."""
        for each in reversed(self._house.pit.state.hand_overs):
            if each.table == table and each.at <= moment:
                return each.dealer
        return None

    def dice_sets(self) -> list[DiceSet]:
        """Every set of dice, the last one that something happened to first."""
        return dice_sets(self._house.pit.state)

    def dice_set(self, name: str) -> DiceSet:
        """One set of dice; of one that nothing is known of there are no entries."""
        return dice_set(self._house.pit.state, name)

    def acknowledged(self, table: str, alarm: AlarmKind, about: str, mark: str) -> AlarmAcknowledged | None:
        """Who has seen an alarm, if somebody has."""
        seen = self._house.pit.state.acknowledged.get((table, alarm, about))
        return seen if seen is not None and seen.mark == mark else None

    def takings(self) -> list[TakingsLine]:
        """The day's takings, with the sums of day, month and year, each against what theory says."""
        return takings_of(self._house.pit.state)

    def hold(self) -> list[dict[str, Any]]:
        """Drop, win and hold by table and shift."""
        return hold_rows(self._house.pit.state, "shift")
