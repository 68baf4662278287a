"""A small house that several processes divide, in one process: each with its own store and its own copies."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from taisai.adapters.memory import MemoryStore
from taisai.errors import StoreUnavailable, TaisaiError
from taisai.floor.desks.copy import carried_by
from taisai.floor.door.acts import AnyAct, desk_of
from taisai.floor.door.answers import Answer
from taisai.floor.house import House
from taisai.floor.owners.units import unit_of, units_of
from taisai.floor.ports import Asked
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.game.people import Actor
from taisai.record.carrying import carrying
from taisai.record.journal import Batch
from tests.floor.houses import KEY, SmallHouse, settle_down
from tests.record import SIGNER

_TRIES = 2_000


@dataclass
class Leases:
    """Who has which unit, for all processes of a test."""

    units: Sequence[str]
    held: dict[str, str] = field(default_factory=dict)
    made_over: set[str] = field(default_factory=set)
    alive: dict[str, "MemoryOwnership"] = field(default_factory=dict)

    def tell(self) -> None:
        """Everybody looks."""
        for each in self.alive.values():
            told, each.told = each.told, asyncio.Event()
            told.set()


class MemoryOwnership:
    """One process's share (`Shared`)."""

    runs_out = False

    def __init__(self, leases: Leases, slot: str) -> None:
        self._leases, self.slot = leases, slot
        self.lost, self.told = asyncio.Event(), asyncio.Event()
        self.overdue = False
        self._lost: set[str] = set()

    @property
    def owned(self) -> frozenset[str]:
        return frozenset(unit for unit, slot in self._leases.held.items() if slot == self.slot)

    @property
    def free(self) -> frozenset[str]:
        return frozenset(self._leases.units) - self._leases.held.keys()

    @property
    def handed(self) -> frozenset[str]:
        return self.owned & self._leases.made_over

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(slot for slot in self._leases.alive if slot != self.slot)

    def load_of(self, slot: str) -> int:
        return list(self._leases.held.values()).count(slot)

    def is_overdue(self) -> bool:
        return self.overdue

    def faults(self) -> list[str]:
        return [f"another process has taken {unit}" for unit in sorted(self._lost)]

    def runs(self, units: Collection[str]) -> None:
        self._lost &= set(units)

    def warnings(self) -> list[str]:
        return []

    def taken(self, unit: str) -> None:
        if self._leases.held.get(unit) == self.slot:
            del self._leases.held[unit]
            self._lost.add(unit)
            self._leases.tell()

    async def looked(self) -> None:
        await self.told.wait()

    async def acquire(self) -> None:
        await self.take(self._leases.units)

    async def join(self) -> None:
        self._leases.alive[self.slot] = self
        self._leases.tell()

    async def take(self, units: Collection[str]) -> frozenset[str]:
        got = {unit for unit in units if self._leases.held.setdefault(unit, self.slot) == self.slot}
        self._leases.made_over -= got
        return frozenset(got)

    async def leave(self) -> None:
        self._leases.alive.pop(self.slot, None)

    async def hand_over(self, unit: str, to: str) -> None:
        if self._leases.held.get(unit) == self.slot:
            del self._leases.held[unit]
            if to in self._leases.alive:
                self._leases.held[unit] = to
                self._leases.made_over.add(unit)
        self._leases.tell()

    async def release(self) -> None:
        for unit in self.owned:
            del self._leases.held[unit]
        self._leases.alive.pop(self.slot, None)
        self._leases.tell()


class Elsewhere:
    """Asks whoever runs the act's desk, and again while nobody does (`Asking`)."""

    def __init__(self, split: "SplitHouse", own: str) -> None:
        self._split, self._own = split, own

    async def do(self, act: AnyAct, by: Actor, key: str) -> Any:
        for _ in range(_TRIES):
            for name, house in self._split.houses.items():
                if name != self._own and unit_of(desk_of(act)) in house.owned:
                    return await house.do(act, by, key)
            await asyncio.sleep(0)
        raise StoreUnavailable(f"nobody answers for {desk_of(act)}")

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        return [await self.do(each.act, each.by, each.key) for each in asked]


class SplitHouse:
    """Processes of one house on one record; what each commits the others hear, unless `deaf`."""

    def __init__(self, small: SmallHouse) -> None:
        self.small = small
        self.houses: dict[str, House] = {}
        self.deaf = False
        self.leases = Leases(units_of(small.plan))

    def _carry(self, sender: str, batch: Batch) -> None:
        if self.small.carry is not None:
            self.small.carry(batch)
        if self.deaf:
            return
        for name, house in self.houses.items():
            if name != sender:
                for carried in carried_by(batch, house.desks_here.streams):
                    house.desks_here.hear(carried)

    def make(self, name: str, units: Collection[str] = ()) -> House:
        """A process of this house, not begun yet."""
        small = self.small
        store = MemoryStore(small.disk, writer=name, signer=SIGNER, clock=small.clock)
        ownership = MemoryOwnership(self.leases, name)
        for unit in units:
            self.leases.held[unit] = name
        self.leases.alive[name] = ownership
        return House(
            small.plan,
            carrying(store, lambda batch: self._carry(name, batch)),
            small.clock,
            KEY,
            SimulatedTumbler(small.entropy, "a seed for tests"),
            notarising=small.notarising,
            log_keeping=small.log_keeping,
            ownership=ownership,
            units=units,
            elsewhere=Elsewhere(self, name),
        )

    async def begin(self, name: str, *units: str, dealing: bool = True) -> House:
        """A process with these units."""
        house = self.make(name, units)
        self.houses[name] = house
        await house.start()
        if dealing:
            house.begin_dealing()
        await settle_down()
        return house

    async def kill(self, name: str) -> House:
        """A process dies in mid-air: what it had in hand never comes to an end."""
        house = self.houses.pop(name)
        for dealing in house.dealings.values():
            await dealing.stop()
        await house.presence.stop()
        for unit in [unit for unit, slot in self.leases.held.items() if slot == name]:
            del self.leases.held[unit]
        self.leases.alive.pop(name, None)
        return house

    async def stop(self) -> None:
        for house in self.houses.values():
            await house.stop()


@asynccontextmanager
async def split_house(
    small: SmallHouse, *parts: Sequence[str], dealing: bool = False
) -> AsyncIterator[tuple[SplitHouse, list[House]]]:
    """Processes p1, p2 and so on, with these units each."""
    split = SplitHouse(small)
    made = [
        await split.begin(f"p{number}", *units, dealing=dealing)
        for number, units in enumerate(parts, start=1)
    ]
    try:
        yield split, made
    finally:
        await split.stop()


class DividedHouse(SmallHouse):
    """A small house whose office and tables are each run by a process of their own."""

    @asynccontextmanager
    async def open(self, *, dealing: bool = True) -> AsyncIterator[House]:
        parts = [[unit] for unit in units_of(self.plan)]
        async with split_house(self, *parts, dealing=dealing) as (_, houses):
            yield houses[0]
