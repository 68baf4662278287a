"""A desk's state in another process: what it hears, and what it has to read."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest

from taisai.adapters.memory import MemoryStore
from taisai.errors import StoreUnavailable
from taisai.floor.desks.copy import Carried, DeskCopy, carried_by
from taisai.floor.desks.desk import Desk
from taisai.record.journal import Batch, Event, NewEvent, StreamEvents
from tests.floor.houses import SmallHouse, bet, cluster, seat, settle_down, start_round
from tests.record import SIGNER


class Followed:
    """A house whose commits are kept, and a copy of its one table."""

    def __init__(self) -> None:
        self.small = SmallHouse(cluster())
        self.commits: list[Carried] = []
        self.small.carry = self._keep
        self.store = MemoryStore(self.small.disk, writer="elsewhere", signer=SIGNER, clock=self.small.clock)
        self.told: list[tuple[list[str], int]] = []

    def _keep(self, batch: Batch) -> None:
        self.commits += carried_by(batch, {"table:C1"})

    def copy(self, house: Any) -> DeskCopy[Any]:
        copy: DeskCopy[Any] = DeskCopy(house.table("C1").kind, self.store)
        copy.published = self._told
        return copy

    def _told(self, happened: list[Any], version: int) -> None:
        self.told.append(([type(event).__name__ for event in happened], version))


async def test_a_copy_is_made_from_the_record_and_kept_up_by_what_it_hears() -> None:
    """Every commit is told once; one that was heard before changes nothing."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        with pytest.raises(StoreUnavailable, match="copy of C1 is being made"):
            _ = copy.state
        await copy.start()
        before = len(followed.commits)
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        await bet(house, "C1", session, {"small": 1_000})
        for carried in followed.commits[before:]:
            copy.hear(carried)
            copy.hear(carried)
        assert copy.version == house.table("C1").version
        assert [version for _, version in followed.told] == [
            each.version for each in followed.commits[before:]
        ]
        assert copy.state.current.slips[session].slip() == {"small": 1_000}
        await copy.stop()


async def test_a_gap_sends_it_to_the_record_and_nothing_is_told_twice() -> None:
    """Also when the last commit is lost, which only the owner's word can tell."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        await copy.start()
        session = await seat(house, "C1", "C1-1", 10_000)
        await start_round(house, "C1")
        copy.hear(followed.commits[-1])
        assert copy.version < house.table("C1").version
        await settle_down()
        assert copy.version == house.table("C1").version
        await bet(house, "C1", session, {"small": 1_000})
        copy.stands_at(house.table("C1").version)
        copy.stands_at(1)
        await settle_down()
        assert copy.version == house.table("C1").version
        versions = [version for _, version in followed.told]
        assert versions == sorted(set(versions))
        assert sum(len(happened) for happened, _ in followed.told) == len(house_events(followed)) - 2
        await copy.stop()


def house_events(followed: Followed) -> list[str]:
    """All events of the table but those before the copy began: its taking and its opening."""
    return [event.type for event in followed.small.disk.streams["table:C1"]]


async def test_followers_hear_how_far_the_stream_is_when_another_process_takes_it() -> None:
    """Their news are numbered by it, and a copy that is made from the record now begins there, too."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        await copy.start()
        before = len(followed.commits)
        other: Desk[Any] = Desk(house.table("C1").kind, house.store, followed.small.clock)
        await other.start()
        for carried in followed.commits[before:] * 2:
            copy.hear(carried)
        assert followed.told == [([], other.version)]
        await other.stop()
        await copy.stop()


async def test_a_commit_that_cannot_be_followed_is_read_from_the_record(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever was wrong with the message, the record is right; a follower's bug is no reason to stop."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        await copy.start()
        await start_round(house, "C1")
        bad = Carried("table:C1", copy.version, (b"{}",) * (house.table("C1").version - copy.version))
        copy.hear(bad)
        assert not copy.has_state
        await copy.ready()
        assert copy.version == house.table("C1").version
        assert "the record is read again" in caplog.text

        def broken(happened: list[Any], version: int) -> None:
            raise ZeroDivisionError

        copy.published = broken
        await seat(house, "C1", "C1-1", 10_000)
        for carried in followed.commits[-2:]:
            copy.hear(carried)
        assert copy.version == house.table("C1").version
        assert "somebody who follows it failed" in caplog.text
        await copy.stop()


async def test_what_is_heard_before_it_begins_is_not_lost() -> None:
    """Whoever listens first and reads then misses nothing between the two."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        starting = asyncio.create_task(copy.start())
        copy.stands_at(house.table("C1").version)
        copy.hear(followed.commits[-1])
        await start_round(house, "C1")
        copy.hear(followed.commits[-1])
        await starting
        await settle_down()
        assert copy.version == house.table("C1").version
        await copy.stop()


async def test_a_copy_is_made_while_the_table_is_busy() -> None:
    """What is heard while the record is read follows on what was read: nobody waits for a still moment."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        session = await seat(house, "C1", "C1-1", 100_000)
        await start_round(house, "C1")
        copy, reading, bets = followed.copy(house), followed.store.events, count(1)

        async def placed() -> Carried:
            number = next(bets)
            await bet(house, "C1", session, {"small": 1_000 * number}, version=number)
            return followed.commits[-1]

        async def busy(stream: str, **how: Any) -> AsyncIterator[Event]:
            """A bet is taken, and told, each time that somebody has read."""
            async for event in reading(stream, **how):
                yield event
            copy.hear(await placed())

        followed.store.events = busy  # type: ignore[method-assign,assignment] # a store that is busy
        await copy.start()
        assert copy.version == house.table("C1").version
        await placed()  # it is lost on the way
        copy.hear(await placed())
        await settle_down()
        assert copy.version == house.table("C1").version
        versions = [version for _, version in followed.told]
        assert versions == sorted(set(versions))
        await copy.stop()


async def test_a_store_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile what is known stays to be shown, and why it is old is known too."""
    monkeypatch.setattr("taisai.floor.desks.copy.pauses", lambda: iter([0.0] * 50))
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        await copy.start()
        reading, tries = followed.store.events, []

        def away(stream: str, *, after: int = 0) -> Any:
            tries.append(stream)
            if len(tries) > 2:
                followed.store.events = reading
            raise StoreUnavailable("the store is away")

        followed.store.events = away
        await start_round(house, "C1")
        copy.stands_at(house.table("C1").version)
        await settle_down()
        assert len(tries) == 3
        assert copy.has_state
        assert copy.why_away is None
        assert copy.version == house.table("C1").version
        await copy.stop()


async def test_what_a_newer_release_wrote_is_named_and_shown_to_nobody() -> None:
    """A process that was left behind in an upgrade says so."""
    followed = Followed()
    async with followed.small.open(dealing=False) as house:
        copy = followed.copy(house)
        await copy.start()
        version = house.table("C1").version
        at = round(followed.small.clock.now().timestamp() * 1_000_000)
        novelty = NewEvent("CoinsThrown", at, b'{"type":"CoinsThrown","at":"2026-05-04T20:00:00Z"}')
        batch = Batch((StreamEvents("table:C1", version, (novelty,)),))
        await followed.store.append(batch)
        for carried in carried_by(batch, {"table:C1"}):
            copy.hear(carried)
        await settle_down()
        assert not copy.has_state
        assert "CoinsThrown" in str(copy.why_away)
        house.desks_here.put(copy)
        assert [fault for fault in house.read.faults() if "CoinsThrown" in fault] == [
            f"this release cannot read the record of C1: {copy.why_away}"
        ]
        await copy.stop()
