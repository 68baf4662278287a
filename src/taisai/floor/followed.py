"""A house that other processes run, as one that only looks has it: copies of all desks (`Following`)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import Any

from taisai.errors import StoreUnavailable
from taisai.floor.desks.copy import DeskCopy
from taisai.floor.owners.house_desks import HouseDesks
from taisai.floor.plan import HousePlan
from taisai.floor.ports import Subscriber
from taisai.floor.reading.house import HouseReading
from taisai.floor.streams import table_of
from taisai.floor.table.notary import Notarising
from taisai.record.patience import patiently
from taisai.record.ports import Clock, Store


class FollowedHouse(HouseDesks):
    """Begin with `start` and bring it each commit; end with `stop`."""

    def __init__(
        self, plan: HousePlan, store: Store, clock: Clock, *, notarising: Notarising | None = None
    ) -> None:
        super().__init__(plan, store, clock, notarising=notarising)
        self.plan, self.plans = plan, {each.name: each for each in plan.tables}
        self._subscribers: list[Subscriber] = []
        for stream in self.streams:
            copy = self.new_copy(stream)
            if (table := table_of(stream)) is not None:
                copy.published = partial(self._published, table)
            self.put(copy)
        self.read = HouseReading(self)

    async def start(self) -> None:
        """Every copy as the record has it."""
        for copy in self.copies():
            await patiently(f"the copy of {copy.kind.name} cannot be made", copy.start)

    async def stop(self) -> None:
        """Follow no longer."""
        await asyncio.gather(*(copy.stop() for copy in self.copies()))

    def behind(self, versions: Mapping[str, int]) -> list[tuple[DeskCopy[Any], int]]:
        """The copies that do not know yet what an owner knew, with where its streams stood."""
        asked = ((self.by_stream.get(stream), version) for stream, version in versions.items())
        return [(copy, at) for copy, at in asked if isinstance(copy, DeskCopy) and copy.version < at]

    # Following

    def now(self) -> datetime:
        return self._clock.now()

    @property
    def is_awake(self) -> bool:
        """Whether every copy is there."""
        return all(copy.has_state for copy in self.all())

    async def awake(self) -> None:
        """Wait for the copies that are being made again."""
        await asyncio.gather(*(copy.ready() for copy in self.all()))
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

    def desks(self) -> Sequence[DeskCopy[Any]]:
        """Every copy."""
        return self.copies()
