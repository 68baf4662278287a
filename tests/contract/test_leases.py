"""Leases by units on a real PostgreSQL: who has what, who may take it, and what is said of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from taisai.adapters.postgres.leases import RecordLease, held
from taisai.errors import StoreUnavailable
from taisai.floor.ports import LEASE_RUN_OUT
from taisai.record.ports import RecordInUse

pytestmark = pytest.mark.slow

UNITS = ("office", "table:C1", "table:T1")
SECONDS = 0.6


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as made:
        yield made


class Processes:
    """Processes of one house, each with its lease."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url, self._stack = url, stack
        self.counts: Counter[str] = Counter()

    async def __call__(self, slot: str, **how: Any) -> RecordLease:
        lease = held(
            self.url,
            slot=slot,
            **{"units": UNITS, "seconds": SECONDS, "share": True, "counted": self._count, **how},
        )
        return await self._stack.enter_async_context(lease)

    def _count(self, what: str) -> None:
        self.counts[what] += 1

    async def sql(self, statement: str, *values: Any) -> None:
        connection = await asyncpg.connect(self.url)
        await connection.execute(statement, *values)
        await connection.close()


@pytest.fixture
def process(postgres_url: str, stack: AsyncExitStack) -> Processes:
    return Processes(postgres_url, stack)


async def until(lease: RecordLease, found: Any) -> None:
    async with asyncio.timeout(30):
        while not found():
            await lease.looked()


async def test_each_unit_has_one_process_and_what_is_given_back_is_free(process: Processes) -> None:
    """Who asks for what another has gets the rest."""
    one, two = await process("desk-01"), await process("desk-02")
    assert await one.take(UNITS[:2]) == {"office", "table:C1"}
    assert await two.take(UNITS) == {"table:T1"}
    assert (one.owned, two.owned) == ({"office", "table:C1"}, {"table:T1"})
    await until(two, lambda: "desk-01" in two.others)
    await one.hand_over("table:C1", "")
    await until(two, lambda: two.free == {"table:C1"})
    assert await two.take(two.free) == {"table:C1"}


async def test_what_is_made_over_goes_to_the_one_who_is_named(process: Processes) -> None:
    """Nobody else can be first, and the successor hears of it at once."""
    one, two, three = [await process(f"desk-0{number}") for number in (1, 2, 3)]
    await one.take(UNITS)
    await until(one, lambda: len(one.others) == 2)
    await one.hand_over("table:T1", "desk-03")
    await until(three, lambda: three.handed)
    assert three.handed == {"table:T1"}
    assert not await two.take(["table:T1"])
    assert await three.take(["table:T1"]) == {"table:T1"}
    assert not three.handed
    await one.hand_over("office", "desk-09")  # who does not live: then it is free
    await until(two, lambda: "office" in two.free)


async def test_one_that_leaves_is_handed_nothing_more(process: Processes) -> None:
    """What another made over at that moment is among what it hands on; what comes later is free."""
    one, two = await process("desk-01"), await process("desk-02")
    await two.take(UNITS)
    await until(two, lambda: "desk-01" in two.others)
    await process.sql(
        "UPDATE leases SET slot = (SELECT slot FROM leases WHERE desk = 'slot:desk-01'), epoch = epoch + 1"
        " WHERE desk = 'office'"
    )
    await one.leave()
    assert one.handed == {"office"}
    await two.hand_over("table:T1", "desk-01")
    await until(two, lambda: not two.others)
    await until(two, lambda: two.free == {"table:T1"})
    await until(one, lambda: not one.lost.is_set())
    assert one.owned == {"office"}
    await one.hand_over("office", "desk-02")
    await until(two, lambda: two.handed)
    assert two.handed == {"office"}


async def test_one_that_leaves_keeps_what_had_run_out_and_says_that_it_ends(process: Processes) -> None:
    """Nobody took it meanwhile, and what was given back before is not had again."""
    one = await process("desk-01")
    await one.take(UNITS)
    await one.hand_over("office", "")
    await process.sql("UPDATE leases SET until = clock_timestamp() WHERE desk = 'table:C1'")
    await one.leave()
    assert (one.owned, one.handed) == ({"table:C1", "table:T1"}, frozenset())
    await one.look()
    said = {row.unit: row.holder for row in one.rows()}
    assert said["table:C1"] == said["slot:desk-01"]
    assert said["table:C1"].endswith(", some units until it has ended")


async def test_one_that_leaves_asks_again_when_its_connection_breaks(process: Processes) -> None:
    """It does not know then whether the others were told; what it has is handed on all the same."""
    one, two = await process("desk-01"), await process("desk-02")
    await one.take(UNITS)
    await until(one, lambda: "desk-02" in one.others)
    renamed = one._renamed

    async def unsure(name: str) -> dict[str, int]:
        one._renamed = renamed  # type: ignore[method-assign] # it fails once
        before = one._holder
        await renamed(name)
        one._holder = before  # as if the answer had been lost
        raise StoreUnavailable("the connection was lost")

    one._renamed = unsure  # type: ignore[method-assign] # it fails once
    await one.leave()
    await one.hand_over("table:T1", "desk-02")
    await until(two, lambda: two.handed == {"table:T1"})


async def test_a_unit_whose_process_fell_silent_is_taken_and_the_old_one_knows(process: Processes) -> None:
    """It loses that unit alone, says so, and goes on with the others."""
    one = await process("desk-01")
    await one.take(UNITS)
    await process.sql(
        "UPDATE leases SET slot = 'another', epoch = epoch + 1, until = clock_timestamp() + '9 s'"
        " WHERE desk = 'table:C1'"
    )
    await until(one, lambda: "table:C1" not in one.owned)
    assert one.faults() == ["another process has taken table:C1"]
    assert one.owned == {"office", "table:T1"}
    assert not one.lost.is_set()
    assert process.counts["taken"] == 1
    one.runs(["office", "table:C1", "table:T1"])
    assert one.faults() == ["another process has taken table:C1"]
    one.runs(one.owned)  # it follows what the other has, and is as sound as any
    assert one.faults() == []


async def test_two_processes_cannot_have_one_name(process: Processes) -> None:
    """A writer is one process; the second is told who has the name and since when."""
    await process("desk-01")
    with pytest.raises(RecordInUse, match=r"in use: slot:desk-01 by desk-01 on .*process .*since 20"):
        await process("desk-01")


async def test_one_that_lost_its_name_cannot_go_on(process: Processes) -> None:
    """Another writes under it."""
    one = await process("desk-01")
    await process.sql("UPDATE leases SET slot = 'another' WHERE desk = 'slot:desk-01'")
    async with asyncio.timeout(30):
        await one.lost.wait()


async def test_the_whole_house_is_had_only_when_nobody_has_a_part(process: Processes) -> None:
    """The second is told who has it; a process that shares finds nothing free while one has all."""
    one = await process("desk-01")
    await one.take(["table:T1"])
    with pytest.raises(RecordInUse, match="in use by desk-01 on"):
        await process("house", share=False)
    assert (await RecordLeaseRows.of(process.url)).keys() >= {"table:T1", "slot:desk-01"}
    await one.hand_over("table:T1", "")
    whole = await process("house", share=False)
    assert whole.owned == set(UNITS)
    assert await one.take(UNITS) == frozenset()


class RecordLeaseRows:
    """What the table says."""

    @staticmethod
    async def of(url: str) -> dict[str, str]:
        connection = await asyncpg.connect(url)
        rows = await connection.fetch("SELECT desk, slot FROM leases WHERE until > clock_timestamp()")
        await connection.close()
        return {row["desk"]: row["slot"] for row in rows}


async def test_an_older_release_and_this_one_see_one_another(process: Processes) -> None:
    """The row by which it held everything is kept up, and counts as everything while it lives."""
    one = await process("desk-01")
    await one.take(["table:T1"])
    assert (await RecordLeaseRows.of(process.url))["house"] == "by units"
    await process.sql(
        "UPDATE leases SET slot = 'an older one', until = clock_timestamp() + '9 s' WHERE desk = 'house'"
    )
    async with asyncio.timeout(30):
        await one.lost.wait()
    with pytest.raises(RecordInUse, match="in use by an older one"):
        await process("desk-02")


async def test_a_lease_of_a_unit_that_the_house_does_not_have_is_said_and_left_alone(
    process: Processes,
) -> None:
    """Another process may know it by other settings."""
    one = await process("desk-01")
    await process.sql(
        "INSERT INTO leases VALUES ('table:X9', 'nobody', clock_timestamp() + '9 s', 1, clock_timestamp())"
    )
    await until(one, one.warnings)
    assert one.warnings() == ["a lease names table:X9, which this house does not have"]
    assert process.counts["unknown unit"] == 1
    assert one.free == set(UNITS)


async def test_a_lease_of_a_slot_that_no_process_has_is_said_until_it_is_over(process: Processes) -> None:
    """Written by hand, or by a clock that was wrong: nobody takes the unit from it before its time."""
    one = await process("desk-01")
    await one.take(UNITS[:1])
    await process.sql(
        "INSERT INTO leases VALUES ('table:T1', 'desk-77', clock_timestamp() + '9 s', 1, clock_timestamp())"
        " ON CONFLICT (desk) DO UPDATE SET slot = excluded.slot, until = excluded.until"
    )
    await until(one, one.warnings)
    assert one.warnings() == ["the lease of table:T1 is held by a slot that no process has"]
    assert process.counts["unknown slot"] == 1
    assert not await one.take(["table:T1"])
    assert one.faults() == []
    await process.sql("UPDATE leases SET until = clock_timestamp() WHERE desk = 'table:T1'")
    await until(one, lambda: not one.warnings())
    assert await one.take(["table:T1"]) == {"table:T1"}
    assert one.owned == {"office", "table:T1"}


async def test_a_clock_that_is_far_from_the_databases_is_said(process: Processes) -> None:
    """By which way and how far; what it has it keeps."""
    one = await process("desk-01", now=lambda: datetime.now(UTC) + timedelta(seconds=2))
    await one.take(UNITS)
    await until(one, one.warnings)
    assert one.warnings()[0].startswith("this machine's clock is +")
    assert process.counts["clocks apart"] == 1
    assert one.owned == set(UNITS)


async def test_what_could_not_be_renewed_in_time_is_named(process: Processes) -> None:
    """Until it is renewed."""
    one = await process("desk-01")
    await one.take(UNITS[1:])
    locking = await asyncpg.connect(process.url)
    async with locking.transaction():
        await locking.execute("LOCK TABLE leases")
        async with asyncio.timeout(30):
            while not one.is_overdue():
                await asyncio.sleep(0.01)
        assert one.faults() == [f"{LEASE_RUN_OUT}: table:C1, table:T1"]
    await locking.close()
    await until(one, lambda: not one.is_overdue())
    assert one.faults() == []
