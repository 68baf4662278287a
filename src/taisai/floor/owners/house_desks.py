"""All desks of a house as one process has them: those that it runs itself, and copies of the others."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Any

from taisai.errors import UnknownName
from taisai.floor.approvals.acts import ApprovalsState, approvals_desk
from taisai.floor.cage import CageState
from taisai.floor.desks.copy import AnyDesk, Carried, DeskCopy
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.kind import DeskKind
from taisai.floor.opening import cage_kind, cluster_kind, table_kind
from taisai.floor.owners.units import unit_of
from taisai.floor.permits import SecondRule
from taisai.floor.pit.acts import PitState, pit_desk
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.players.acts import PlayersState, players_desk
from taisai.floor.proofs.log_state import LogState, log_desk
from taisai.floor.staff.acts import StaffState, staff_desk
from taisai.floor.streams import APPROVALS, CAGE, LOG, PIT, PLAYERS, STAFF, table_of
from taisai.floor.table.notary import Notarising
from taisai.record.ports import Clock, Store


def table_kind_of(plan: TablePlan, notarising: Notarising | None) -> DeskKind[Any]:
    """How the desk of a table of this plan works."""
    if plan.kind == "cluster":
        return cluster_kind(plan.name, terminals_max=plan.terminals_max, notarising=notarising)
    return table_kind(plan.name, notarising=notarising)


class HouseDesks:
    """Every desk by its stream; which of them are run here may change, and whoever holds this sees it."""

    def __init__(
        self,
        plan: HousePlan,
        store: Store,
        clock: Clock,
        *,
        notarising: Notarising | None = None,
        with_log: bool = False,
    ) -> None:
        self._store, self._clock, self._notarising = store, clock, notarising
        kinds: list[DeskKind[Any]] = [
            cage_kind(plan.cage),
            staff_desk(),
            approvals_desk(minutes=plan.approval_minutes, rule_of=self._rule_of),
            players_desk(plan.players),
            pit_desk(),
            *([log_desk()] if with_log else ()),
        ]
        self._kinds = {kind.stream: kind for kind in kinds}
        for table in plan.tables:
            kind = table_kind_of(table, notarising)
            self._kinds[kind.stream] = kind
        self.by_stream: dict[str, AnyDesk[Any]] = {}
        self.tables: dict[str, AnyDesk[Any]] = {}

    def _rule_of(self, act: str) -> SecondRule | None:
        return self.staff.state.rule_of(act)

    # Which there are

    @property
    def streams(self) -> Collection[str]:
        """The names of all desks' streams."""
        return self._kinds.keys()

    def streams_in(self, unit: str) -> list[str]:
        """The desks of a unit, in the order in which they start."""
        return [stream for stream in self._kinds if unit_of(stream) == unit]

    @property
    def cage(self) -> AnyDesk[CageState]:
        return self.by_stream[CAGE]

    @property
    def staff(self) -> AnyDesk[StaffState]:
        return self.by_stream[STAFF]

    @property
    def approvals(self) -> AnyDesk[ApprovalsState]:
        return self.by_stream[APPROVALS]

    @property
    def players(self) -> AnyDesk[PlayersState]:
        return self.by_stream[PLAYERS]

    @property
    def pit(self) -> AnyDesk[PitState]:
        return self.by_stream[PIT]

    @property
    def log(self) -> AnyDesk[LogState] | None:
        return self.by_stream.get(LOG)

    def table(self, name: str) -> AnyDesk[Any]:
        try:
            return self.tables[name]
        except KeyError:
            raise UnknownName("table", name, self.tables) from None

    def all(self) -> Collection[AnyDesk[Any]]:
        return self.by_stream.values()

    def copies(self) -> list[DeskCopy[Any]]:
        """Those that other processes run."""
        return [desk for desk in self.by_stream.values() if isinstance(desk, DeskCopy)]

    # Which are ours

    def put(self, desk: AnyDesk[Any]) -> None:
        """This is what this process has of a desk from now on."""
        self.by_stream[desk.kind.stream] = desk
        table = table_of(desk.kind.stream)
        if table is not None:
            self.tables[table] = desk

    def new_desk(self, stream: str) -> Desk[Any]:
        """A desk that is not begun yet."""
        return Desk(self._kinds[stream], self._store, self._clock)

    def new_copy(self, stream: str) -> DeskCopy[Any]:
        """A copy that is not begun yet."""
        return DeskCopy(self._kinds[stream], self._store)

    # What other processes do

    def hear(self, carried: Carried) -> None:
        """A commit of some desk; one of ours we know, and a ticket's is nobody's here."""
        copy = self.by_stream.get(carried.stream)
        if isinstance(copy, DeskCopy):
            copy.hear(carried)

    def stands_at(self, stream: str, version: int) -> None:
        """Where an owner says that a stream stands."""
        copy = self.by_stream.get(stream)
        if isinstance(copy, DeskCopy):
            copy.stands_at(version)

    async def catch_up(self, streams: Iterable[str]) -> None:
        """Know of these all that is on the record: what is decided must not rest on what is heard late."""
        found = map(self.by_stream.get, streams)
        await asyncio.gather(*(each.catch_up() for each in found if isinstance(each, DeskCopy)))


class HasDesks:
    """Whoever has all desks of a house, found by what they are for."""

    desks_here: HouseDesks

    @property
    def cage(self) -> AnyDesk[CageState]:
        return self.desks_here.cage

    @property
    def staff(self) -> AnyDesk[StaffState]:
        return self.desks_here.staff

    @property
    def approvals(self) -> AnyDesk[ApprovalsState]:
        return self.desks_here.approvals

    @property
    def players(self) -> AnyDesk[PlayersState]:
        return self.desks_here.by_stream[PLAYERS]  # asked for with every slip

    @property
    def pit(self) -> AnyDesk[PitState]:
        return self.desks_here.pit

    def table(self, name: str) -> AnyDesk[Any]:
        return self.desks_here.table(name)
