"""A house that other processes run, as one that only looks has it: copies of all desks (`Following`)."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import Any

from taisai.errors import StoreUnavailable, UnknownName
from taisai.floor.approvals.acts import ApprovalsState, approvals_desk
from taisai.floor.cage import CageState
from taisai.floor.desks.copy import Carried, DeskCopy
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.permits import SecondRule
from taisai.floor.pit.acts import PitState, pit_desk
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.players.acts import PlayersState, players_desk
from taisai.floor.ports import Subscriber
from taisai.floor.reading.house import HouseReading
from taisai.floor.staff.acts import StaffState, staff_desk
from taisai.floor.table.notary import Notarising
from taisai.record.patience import patiently
from taisai.record.ports import Clock, Store


class FollowedHouse:
    """Begin with `start` and bring it each commit; end with `stop`."""

    def __init__(
        self, plan: HousePlan, store: Store, clock: Clock, *, notarising: Notarising | None = None
    ) -> None:
        self.plan, self.plans = plan, {each.name: each for each in plan.tables}
        self._store, self._clock, self._notarising = store, clock, notarising
        self.cage: DeskCopy[CageState] = self._copy(cage_desk(store, clock, plan.cage).kind)
        self.staff: DeskCopy[StaffState] = self._copy(staff_desk())
        approvals = approvals_desk(minutes=plan.approval_minutes, rule_of=self._rule_of)
        self.approvals: DeskCopy[ApprovalsState] = self._copy(approvals)
        self.players: DeskCopy[PlayersState] = self._copy(players_desk(plan.players))
        self.pit: DeskCopy[PitState] = self._copy(pit_desk())
        self.tables: dict[str, DeskCopy[Any]] = {each.name: self._table(each) for each in plan.tables}
        self._all: list[DeskCopy[Any]] = [self.cage, self.staff, self.approvals, self.players, self.pit]
        self._all += self.tables.values()
        self._by_stream = {copy.kind.stream: copy for copy in self._all}
        self._subscribers: list[Subscriber] = []
        self.read = HouseReading(self)

    def _copy(self, kind: Any) -> DeskCopy[Any]:
        return DeskCopy(kind, self._store)

    def _table(self, plan: TablePlan) -> DeskCopy[Any]:
        store, clock, notarising = self._store, self._clock, self._notarising
        if plan.kind == "cluster":
            desk: Any = cluster_desk(
                plan.name, store, clock, terminals_max=plan.terminals_max, notarising=notarising
            )
        else:
            desk = table_desk(plan.name, store, clock, notarising=notarising)
        copy = self._copy(desk.kind)
        copy.published = partial(self._published, plan.name)
        return copy

    def _rule_of(self, act: str) -> SecondRule | None:
        return self.staff.state.rule_of(act)

    async def start(self) -> None:
        """Every copy as the record has it."""
        for copy in self._all:
            await patiently(f"the copy of {copy.kind.name} cannot be made", copy.start)

    async def stop(self) -> None:
        """Follow no longer."""
        await asyncio.gather(*(copy.stop() for copy in self._all))

    def hear(self, carried: Carried) -> None:
        """A commit of some desk; what is for no desk of this house, such as a ticket's, is nobody's here."""
        copy = self._by_stream.get(carried.stream)
        if copy is not None:
            copy.hear(carried)

    def stands_at(self, stream: str, version: int) -> None:
        """Where an owner says that a stream stands."""
        copy = self._by_stream.get(stream)
        if copy is not None:
            copy.stands_at(version)

    @property
    def streams(self) -> Collection[str]:
        """The names of all desks' streams."""
        return self._by_stream.keys()

    # Following

    def now(self) -> datetime:
        return self._clock.now()

    @property
    def is_awake(self) -> bool:
        """Whether every copy is there."""
        return all(copy.has_state for copy in self._all)

    async def awake(self) -> None:
        """Wait for the copies that are being made again."""
        await asyncio.gather(*(copy.ready() for copy in self._all))
        if not self.is_awake:
            raise StoreUnavailable("the record cannot be read, and no table be shown")

    def follow(self, subscriber: Subscriber) -> None:
        """Tell somebody of every commit of a table from here on."""
        self._subscribers.append(subscriber)

    def follow_staff(self, call: Callable[[list[Any], int], None]) -> None:
        """Tell somebody of every commit of the staff list."""
        self.staff.published = call

    def _published(self, table: str, events: list[Any], version: int) -> None:
        with ExitStack() as everyone:  # what one of them raises keeps nobody else from hearing it
            for subscriber in reversed(self._subscribers):
                everyone.callback(subscriber, table, events, version)

    # Questions

    def table(self, name: str) -> DeskCopy[Any]:
        try:
            return self.tables[name]
        except KeyError:
            raise UnknownName("table", name, self.tables) from None

    def desks(self) -> Sequence[DeskCopy[Any]]:
        """Every copy."""
        return self._all
