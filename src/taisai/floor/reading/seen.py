"""What questions about a house are answered from: desks that can be looked at, wherever they are owned."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from taisai.errors import StoreError
from taisai.floor.approvals.acts import ApprovalsState
from taisai.floor.cage import CageState
from taisai.floor.desks.endings import DeskStopped
from taisai.floor.desks.kind import DeskKind
from taisai.floor.pit.acts import PitState
from taisai.floor.plan import TablePlan
from taisai.floor.players.acts import PlayersState
from taisai.floor.staff.acts import StaffState

State = TypeVar("State", covariant=True)


class SeenDesk(Protocol[State]):
    """A desk of this process, or a copy of one that another process owns."""

    @property
    def kind(self) -> DeskKind[Any]: ...
    @property
    def state(self) -> State: ...
    @property
    def has_state(self) -> bool: ...
    @property
    def version(self) -> int: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def why_stopped(self) -> DeskStopped | None: ...
    @property
    def why_away(self) -> StoreError | None: ...

    async def ready(self) -> None:
        """Wait for a state, if there is none just now."""
        ...


class SeenHouse(Protocol):
    """All desks of a house, by what they are for."""

    @property
    def plans(self) -> Mapping[str, TablePlan]: ...
    @property
    def cage(self) -> SeenDesk[CageState]: ...
    @property
    def staff(self) -> SeenDesk[StaffState]: ...
    @property
    def approvals(self) -> SeenDesk[ApprovalsState]: ...
    @property
    def players(self) -> SeenDesk[PlayersState]: ...
    @property
    def pit(self) -> SeenDesk[PitState]: ...

    def table(self, name: str) -> SeenDesk[Any]: ...

    def desks(self) -> Sequence[SeenDesk[Any]]: ...

    def now(self) -> datetime: ...
