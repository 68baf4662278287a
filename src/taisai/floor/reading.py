"""What the rest of the program may see of the desks: named questions, and nothing to write with.

Interfaces ask here and act by the door. Where a desk is owned by another process these are the questions that
a gateway's own read models have to answer.
"""

from typing import TYPE_CHECKING, Any

from taisai.floor.approvals.acts import Request
from taisai.floor.cage import Drawer
from taisai.floor.pit.reports import hold_rows
from taisai.floor.pit.state import PitList, PitTable
from taisai.floor.players.acts import Player, Standing
from taisai.floor.staff.acts import StaffState
from taisai.floor.table.messages import ChangePlanned, SupervisorCalled, TableSettings
from taisai.floor.table.readings import standing_call
from taisai.floor.table.state import TableState

if TYPE_CHECKING:
    from taisai.floor.house import House


class HouseReading:
    """Answers from what the desks of this process have in memory; a caller changes nothing of it."""

    def __init__(self, house: "House") -> None:
        self._house = house

    # Tables

    def table(self, table: str) -> TableState:
        """A table with its round, its bets and its seats, for the console and the feed."""
        state: TableState = self._house.table(table).state
        return state

    def settings(self, table: str) -> TableSettings | None:
        """What a table plays by from its next round on; none before it was opened."""
        return self.table(table).settings

    def planned(self, table: str) -> ChangePlanned | None:
        """What a table plays by from a time on, if that is planned."""
        return self.table(table).planned

    def named_otherwise(self, table: str) -> TableSettings | None:
        """What the house's settings name for a table whose record has another rulebook or pay table.

        The record's holds until two people agree to the other.
        """
        state, plan = self.table(table), self._house.plans[table]
        if state.settings is None or plan.practice:
            return None
        known = {state.settings.pay_table, *([state.planned.settings.pay_table] if state.planned else [])}
        return None if plan.settings.pay_table in known else plan.settings

    def newest_round(self, table: str) -> int:
        """The number of a table's newest round."""
        return self.table(table).number

    def standing_call(self, table: str) -> SupervisorCalled | None:
        """The call for a supervisor that nobody has answered yet."""
        return standing_call(self.table(table))

    # Approvals

    def waiting(self) -> list[Request]:
        """Everything that waits for a second person."""
        return self._house.approvals.state.waiting(self._house.now())

    def request(self, approval: str) -> Request | None:
        """A request, for as long as it is among the last ones."""
        return self._house.approvals.state.find(approval)

    # Players

    def player(self, place: str) -> Player | None:
        """A registered player, by pseudonym or by where they sit."""
        return self._house.players.state.find(place)

    def standing(self, player: str) -> Standing | None:
        """How a registered player stands now."""
        return self._house.players.state.standing(player, self._house.now())

    # The cage and the pit

    def drawers(self) -> dict[str, Drawer]:
        """The drawers that are open, by cashier."""
        return dict(self._house.cage.state.drawers)

    def pit(self) -> PitList:
        """The gaming day with its shifts, dealers, floats and dice."""
        return self._house.pit.state

    def uncounted(self) -> list[str]:
        """Tables whose float is still to be counted today."""
        return self._house.pit.state.uncounted()

    def at_pit(self, table: str) -> PitTable:
        """One table as the pit has it."""
        return self._house.pit.state.table(table)

    def hold(self) -> list[dict[str, Any]]:
        """Drop, win and hold by table and shift."""
        return hold_rows(self._house.pit.state, "shift")

    # Staff

    def staff(self) -> StaffState:
        """Who is on the staff list, and whose session lasts."""
        return self._house.staff.state
