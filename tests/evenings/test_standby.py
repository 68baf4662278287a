"""The standby of an evening's record: nobody is told of a commit before it has it; a promotion keeps it."""

import asyncio
from typing import Any

import pytest

from taisai.errors import StoreConflict
from taisai.record.ports import FateUnknown
from tests.evenings.faults import Faults
from tests.evenings.loop import VirtualLoop
from tests.evenings.plan import Plan
from tests.evenings.standby import Standby
from tests.evenings.streams import Streams


class Record:
    """What the standby has, in its order."""

    def __init__(self) -> None:
        self.kept: list[int] = []

    def append(self, number: int) -> Any:
        async def work() -> int:
            if number in self.kept:
                raise StoreConflict(f"{number} is there")
            self.kept.append(number)
            return number

        return work


def with_standby(work: Any, seed: int = 1) -> Any:
    """Run something with a standby that is always slow."""
    plan = Plan(seed=seed, tables=[], people=[], faults={"standby slow": 1.0})
    loop = VirtualLoop()
    faults = Faults(plan, Streams(seed), lambda what: None)
    faults.calm = False
    try:
        return loop.run_until_complete(work(Standby(loop, faults), Record()))
    finally:
        loop.close()


def test_a_commit_is_there_when_the_standby_has_it() -> None:
    """Not before, and one after the other."""

    async def work(standby: Standby, record: Record) -> list[int]:
        first = asyncio.ensure_future(standby.commit(record.append(1)))
        second = asyncio.ensure_future(standby.commit(record.append(2)))
        await asyncio.sleep(0.01)
        assert record.kept == []
        assert not first.done()
        await asyncio.gather(first, second)
        return record.kept

    assert with_standby(work) == [1, 2]


def test_a_commit_arrives_though_whoever_sent_it_is_gone() -> None:
    """As a log is sent by the server, and not by its client."""

    async def work(standby: Standby, record: Record) -> list[int]:
        sent = asyncio.ensure_future(standby.commit(record.append(1)))
        await asyncio.sleep(0.01)
        sent.cancel()
        await standby.commit(record.append(2))
        return record.kept

    assert with_standby(work) == [1, 2]


def test_what_conflicts_is_said_to_whoever_sent_it() -> None:
    """And the next one goes on."""

    async def work(standby: Standby, record: Record) -> list[int]:
        await standby.commit(record.append(1))
        with pytest.raises(StoreConflict):
            await standby.commit(record.append(1))
        await standby.commit(record.append(2))
        return record.kept

    assert with_standby(work) == [1, 2]


def test_after_a_promotion_all_that_was_told_is_there_and_the_fate_of_the_last_is_unknown() -> None:
    """Over some seeds it is kept in some and lost in others, and never found later."""

    async def work(standby: Standby, record: Record) -> tuple[int, ...]:
        await standby.commit(record.append(1))
        sent = asyncio.ensure_future(standby.commit(record.append(2)))
        await asyncio.sleep(0.01)
        standby.promote()
        with pytest.raises(FateUnknown):
            await sent
        found = list(record.kept)
        await standby.commit(record.append(3))
        assert record.kept == [*found, 3]
        return tuple(found)

    assert {with_standby(work, seed) for seed in range(1, 9)} == {(1,), (1, 2)}
