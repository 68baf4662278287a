"""Leases on the units of a house whose record is in PostgreSQL: who writes what, until when.

A row for each unit says it, by the database's clock. One statement renews all rows of a process every quarter
of their time; whoever finds one run out may take it. The journal fences all the same: a lease only says who
tries. `acquire` is for a process that has the whole house, `join` and `take` for those that share one.
"""

import asyncio
import logging
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import asyncpg

from taisai.adapters.postgres.lease_rows import BY_UNITS, CHANNEL, HOUSE, SLOTS, LeaseRow, LeaseRows, Renewed
from taisai.adapters.postgres.replicas import confirmed
from taisai.adapters.postgres.session import LOST, connect_primary, say, translated
from taisai.errors import StoreUnavailable
from taisai.floor.owners.units import OFFICE
from taisai.floor.ports import LEASE_RUN_OUT
from taisai.record.ports import RecordInUse

log = logging.getLogger("taisai.lease")

LEASE_SECONDS: Final = 2.0
CLOCKS_APART_SECONDS: Final = 1.0
_GHOST_LOOKS: Final = 3
# In the name of a process that takes some units alone, or no more since it ends: no other hands it any.
_SOME: Final = ", some units"
_ENDS: Final = _SOME + " until it has ended"


def _nobody(what: str) -> None:
    """Who counts nothing."""


def _machine() -> datetime:
    return datetime.now(UTC)


class RecordLease:
    """One process's hold of a house, whole or in part."""

    runs_out = True

    def __init__(
        self,
        url: str,
        *,
        slot: str,
        units: Collection[str] = (OFFICE,),
        seconds: float = LEASE_SECONDS,
        takes_some: bool = False,
        now: Callable[[], datetime] = _machine,
        counted: Callable[[str], None] = _nobody,
    ) -> None:
        self.lost = asyncio.Event()
        self.slot = slot
        self.apart = timedelta()  # how far our clock is from the database's
        self._url, self._where = url, say(url)
        self._units, self._time = tuple(units), timedelta(seconds=seconds)
        self._patience = max(5.0, seconds)  # for one try; it has long run out by then
        life = uuid4().hex[:8] + (_SOME if takes_some else "")
        self._holder = f"{slot} on {socket.gethostname()}, process {os.getpid()} ({life})"
        self._now, self._counted = now, counted
        self._mine: dict[str, int] = {}  # by unit, and our slot: the epoch in which it is ours
        self._handed: set[str] = set()
        self._renewed = 0.0
        self._is_whole = False
        self._seen: dict[str, LeaseRow] = {}
        self._strangers: set[str] = set()
        self._ghosts: Counter[str] = Counter()
        self._taken: set[str] = set()
        self._wake, self._look = asyncio.Event(), asyncio.Event()
        self._turn = asyncio.Lock()  # one statement at a time on the one connection
        self._connection: asyncpg.Connection[Any] | None = None

    # What is ours

    @property
    def owned(self) -> frozenset[str]:
        """The units that are ours."""
        return frozenset(self._mine) - {self._slot_row}

    @property
    def free(self) -> frozenset[str]:
        """Units that nobody has, as of the last look."""
        had = {unit for unit, row in self._seen.items() if row.is_alive}
        return frozenset(self._units) - had - set(self._mine) if self._seen else frozenset()

    @property
    def handed(self) -> frozenset[str]:
        """Units that another process has made over to us, until somebody `take`s them."""
        return frozenset(self._handed & set(self._mine))

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the other processes that live and take any unit."""
        slots = [row for row in self._seen.values() if row.is_alive and row.unit.startswith(SLOTS)]
        takers = [row for row in slots if row.unit != self._slot_row and _SOME not in row.holder]
        return tuple(row.unit.removeprefix(SLOTS) for row in takers)

    def load_of(self, slot: str) -> int:
        """How many units another process has, as of the last look."""
        held = self._seen.get(SLOTS + slot)
        alive = [row for row in self._seen.values() if row.is_alive and row.unit in self._units]
        return sum(held is not None and row.holder == held.holder for row in alive)

    def rows(self) -> list[LeaseRow]:
        """Who has what, as of the last look; a process that has the whole house does not look."""
        return list(self._seen.values())

    def age(self) -> float:
        """Seconds since it was last renewed."""
        return asyncio.get_running_loop().time() - self._renewed if self._mine else 0.0

    def is_overdue(self) -> bool:
        """Whether it could not be renewed in its time."""
        return bool(self._mine) and self.age() > self._time.total_seconds()

    def faults(self) -> list[str]:
        """What keeps this process from answering for its units, each in words."""
        lost = [f"another process has taken {unit}" for unit in sorted(self._taken)]
        if not self.is_overdue():
            return lost
        mine = "" if self._is_whole else f": {', '.join(sorted(self.owned)) or 'no unit'}"
        return [*lost, LEASE_RUN_OUT + mine]

    def warnings(self) -> list[str]:
        """What somebody should look at, though all is answered."""
        said = [f"a lease names {unit}, which this house does not have" for unit in sorted(self._strangers)]
        ghosts = sorted(unit for unit, looks in self._ghosts.items() if looks >= _GHOST_LOOKS)
        said += [f"the lease of {unit} is held by a slot that no process has" for unit in ghosts]
        if abs(self.apart.total_seconds()) > CLOCKS_APART_SECONDS:
            said.append(f"this machine's clock is {self.apart.total_seconds():+.1f} s from the database's")
        return said

    @property
    def _slot_row(self) -> str:
        return SLOTS + self.slot

    # Having and giving back

    async def acquire(self) -> None:
        """Have the whole house, or say who has it. One that was killed is waited for until its lease ends."""
        self._is_whole = True
        await self._wait_for([*self._units, self._slot_row])

    async def join(self) -> None:
        """Take this process's name among those that share the house; another one must not have it."""
        await self._wait_for([self._slot_row])
        await self.look()

    async def _wait_for(self, units: list[str]) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + 2 * self._time.total_seconds()
        with translated(self._where):
            rows = await self._rows()
            await rows.make()
            while not await self._took(units, whole=True):
                if loop.time() > deadline:
                    held = await self._who(units)
                    await self._end()
                    raise RecordInUse(f"{self._where} {held}")
                await asyncio.sleep(self._time.total_seconds() / 8)

    async def _who(self, units: list[str]) -> str:
        """Who has what we would have, and since when."""
        rows = {row.unit: row for row in await (await self._rows()).look() if row.is_alive}
        if (older := rows.get(HOUSE)) is not None and older.holder != BY_UNITS:
            return f"is in use by {older}"
        held: dict[str, list[str]] = {}
        for unit in units:
            if (row := rows.get(unit)) is not None and row.holder != self._holder:
                held.setdefault(str(row), []).append(unit)
        if len(held) == 1 and self._units and set(units) != {self._slot_row}:
            return f"is in use by {next(iter(held))}"
        said = "; ".join(f"{', '.join(names)} by {who}" for who, names in held.items())
        return f"is in use: {said}" if said else "is in use: it was given back at this moment, try again"

    async def take(self, units: Collection[str]) -> frozenset[str]:
        """Have those of them that nobody has, and begin those that were handed to us."""
        handed = self._handed & set(units) & set(self._mine)
        self._handed -= handed
        self._taken -= set(units)
        wanted = [unit for unit in self._units if unit in units and unit not in self._mine]
        if not wanted:
            return frozenset(handed)
        with translated(self._where):
            return frozenset(handed) | frozenset(await self._took(wanted, whole=False))

    async def _took(self, units: list[str], *, whole: bool) -> Collection[str]:
        async with self._turn:
            rows = await self._rows()
            asked = asyncio.get_running_loop().time()  # it may have been granted at any moment since
            with confirmed(self._connection, self._where):
                taken = await rows.take(units, whole=whole)
        if taken and not self._mine:
            self._renewed = asked
        self._mine |= taken
        return taken

    async def leave(self) -> None:
        """Be handed nothing more: whoever looks at shares must not give back what we are about to hand on."""
        if _SOME in self._holder:
            return
        name = self._holder + _ENDS
        try:
            found = await self._renamed(name)
        except StoreUnavailable:  # whether the others were told is not known: once more
            found = await self._renamed(name)
        for unit in found.keys() & set(self._units) - self._mine.keys():
            self._mine[unit] = found[unit]
            self._handed.add(unit)

    async def _renamed(self, name: str) -> dict[str, int]:
        with translated(self._where):
            async with self._turn:
                rows = await self._rows()
                with confirmed(self._connection, self._where):
                    found = await rows.rename(name)
                self._holder = name
        return found

    async def hand_over(self, unit: str, to: str) -> None:
        """Make a unit over to another process, or, without a name, to whoever is first."""
        epoch = self._mine.pop(unit, None)
        if epoch is None:
            return
        successor = self._seen.get(SLOTS + to) if to else None
        with translated(self._where):
            async with self._turn:
                rows = await self._rows()
                if successor is None or not await rows.hand_over(unit, epoch, successor.holder):
                    await rows.release({unit: epoch})

    async def release(self) -> None:
        """Give all of it back, so that the next process need not wait."""
        mine, self._mine = self._mine, {}
        connection = self._connection
        if mine and connection is not None and not connection.is_closed():
            try:
                async with self._turn:
                    await LeaseRows(connection, self._holder, self._time).release(mine)
            except (asyncpg.PostgresError, *LOST) as error:
                log.debug("the lease runs out by itself: %s", error)
        await self._end()

    # Keeping it

    async def keep(self) -> None:
        """Renew it for as long as this runs; ends when this process cannot go on."""
        pause = quarter = self._time.total_seconds() / 4
        while not self.lost.is_set():
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()
            try:
                await self._renew()
                if not self._is_whole:
                    await self.look()
                pause = quarter
            except (asyncpg.PostgresError, StoreUnavailable, *LOST) as error:
                self._counted("not renewed")
                log.debug("the lease could not be renewed: %s", error)
                self._drop()
                # A server may be promoted at any moment, and until then nobody is answered.
                pause = quarter / 8

    async def _renew(self) -> None:
        if not self._mine:
            return
        async with self._turn:
            rows, asked, before = await self._rows(), asyncio.get_running_loop().time(), self._now()
            mine = dict(self._mine)
            with confirmed(self._connection, self._where):
                found = await rows.renew(mine, self._patience)
        self._compare(before, found.clock, self._now())
        gone = self._gone(found, mine)
        for unit in gone:
            self.taken(unit)
        self._renewed = asked

    def _gone(self, found: Renewed, mine: dict[str, int]) -> list[str]:
        if not found.house:
            log.critical("a process of an older release has taken %s", self._where)
            return list(mine)
        return [unit for unit in mine if unit not in found.units and unit in self._mine]

    def taken(self, unit: str) -> None:
        """Another process has a unit of ours; one that had the whole house, or lost its name, has to end."""
        if self._mine.pop(unit, None) is None and unit in self._taken:
            return
        self._counted("taken")
        log.critical("another process has taken %s of %s", unit, self._where)
        self._taken.add(unit)
        if self._is_whole or unit == self._slot_row:
            self.lost.set()
        self._tell()

    def runs(self, units: Collection[str]) -> None:
        """What was taken from us is a fault until this process runs it no more."""
        self._taken &= {*units, self._slot_row}

    async def look(self) -> None:
        """See who has what: what is free, what was made over to us, and what this house does not know."""
        async with self._turn:
            seen = await (await self._rows()).look()
        self._seen = {row.unit: row for row in seen}
        for row in seen:
            is_ours = row.holder == self._holder and row.is_alive and row.unit in self._units
            if is_ours and row.unit not in self._mine:
                self._mine[row.unit] = row.epoch
                self._handed.add(row.unit)
        self._look_for_ghosts(seen)
        known = {*self._units, HOUSE}
        alive = {row.unit for row in seen if row.is_alive and not row.unit.startswith(SLOTS)}
        for unit in alive - known - self._strangers:
            self._counted("unknown unit")
            log.error("a lease names %s, which this house does not have: %s", unit, self._seen[unit])
        self._strangers = alive - known
        self._tell()

    def _look_for_ghosts(self, seen: list[LeaseRow]) -> None:
        """Units whose holder has no slot: nobody may take them while that lasts, and nobody answers."""
        alive = [row for row in seen if row.is_alive]
        slots = {row.holder for row in alive if row.unit.startswith(SLOTS)} | {self._holder}
        ghosts = {row.unit: row for row in alive if row.unit in self._units and row.holder not in slots}
        # A process that was killed has units for a moment longer than its slot.
        self._ghosts = Counter({unit: self._ghosts[unit] + 1 for unit in ghosts})
        for unit, looks in self._ghosts.items():
            if looks == _GHOST_LOOKS:
                self._counted("unknown slot")
                log.error("%s is held by %s, and no process has such a slot", unit, ghosts[unit])

    async def looked(self) -> None:
        """Wait for the next look at who has what."""
        await self._look.wait()

    def _tell(self) -> None:
        told, self._look = self._look, asyncio.Event()
        told.set()

    def _compare(self, before: datetime, theirs: datetime, after: datetime) -> None:
        """Deadlines go by our clock: one that is far from the database's is wrong, here or there."""
        ours, doubt = before + (after - before) / 2, abs(after - before) / 2
        was = abs(self.apart.total_seconds()) > CLOCKS_APART_SECONDS
        apart = ours - theirs
        self.apart = apart if abs(apart) > doubt else timedelta()
        if abs(self.apart.total_seconds()) > CLOCKS_APART_SECONDS and not was:
            self._counted("clocks apart")
            seconds = self.apart.total_seconds()
            log.error("this machine's clock is %+.1f s from that of %s: set them alike", seconds, self._where)

    # The connection

    async def _rows(self) -> LeaseRows:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect_primary(self._url)
            await self._connection.add_listener(CHANNEL, self._heard)
        return LeaseRows(self._connection, self._holder, self._time)

    def _heard(self, *_: Any) -> None:
        """Somebody gave something back, or made it over to us."""
        if not self._is_whole:
            self._wake.set()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    async def _end(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None or connection.is_closed():
            return
        try:
            await connection.remove_listener(CHANNEL, self._heard)
            await connection.close(timeout=5)
        except (asyncpg.PostgresError, *LOST):
            connection.terminate()


@asynccontextmanager
async def held(
    url: str,
    *,
    slot: str,
    units: Collection[str] = (OFFICE,),
    seconds: float = LEASE_SECONDS,
    share: bool = False,
    takes_some: bool = False,
    now: Callable[[], datetime] = _machine,
    counted: Callable[[str], None] = _nobody,
) -> AsyncIterator[RecordLease]:
    """Hold a house while this is open: all of it, or with `share` a name among those who divide it.

    One that `takes_some` units alone is handed none by others.
    """
    lease = RecordLease(
        url, slot=slot, units=units, seconds=seconds, takes_some=takes_some, now=now, counted=counted
    )
    await (lease.join() if share else lease.acquire())
    keeping = asyncio.create_task(lease.keep(), name="taisai-lease")
    try:
        yield lease
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await lease.release()
