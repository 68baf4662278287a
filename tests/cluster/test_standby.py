"""A record with a real synchronous standby: what only the primary has is told to nobody."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from taisai.adapters.postgres import journal as postgres_journal
from taisai.adapters.postgres import replicas as postgres_replicas
from taisai.adapters.postgres.store import PostgresStore
from taisai.errors import StoreUnavailable
from taisai.record.journal import Commit
from taisai.record.verify import verify
from tests.postgres import HAS_STANDBY, Server, replicated_servers
from tests.record import KEYS, SIGNER, Place, slip

pytestmark = pytest.mark.slow

_WAITS = "EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%{}%')"
COMMIT_WAITS, BARRIER_WAITS = _WAITS.format("INSERT INTO"), _WAITS.format("emit_message")
WAITS_FOR_STANDBY = "EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')"
CANCEL = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Server, Server]]:
    """A primary and its standby."""
    with replicated_servers() as made:
        yield made


@pytest.fixture
def standby(pair: tuple[Server, Server]) -> Iterator[Server]:
    """The standby, which runs again after each test and confirms what is written."""
    primary, second = pair
    yield second
    if not second.is_running:
        second.start()
    primary.set_for_good("synchronous_standby_names", "*")
    primary.wait_until(HAS_STANDBY)


@pytest.fixture
def primary(pair: tuple[Server, Server], standby: Server) -> Server:
    return pair[0]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the servers take to come back, the commit is not given up."""
    monkeypatch.setattr(postgres_journal, "_GIVE_UP_S", 600.0)


@pytest.fixture
def url(primary: Server, request: pytest.FixtureRequest) -> str:
    """A database of its own for each test."""
    name = f"record_{request.session.items.index(request.node)}"
    primary.sql(f"CREATE DATABASE {name}")
    return primary.url(name)


@asynccontextmanager
async def opened(url: str, *, replicas_min: int = 0) -> AsyncIterator[PostgresStore]:
    clock = Place(url).clock
    store = await PostgresStore.open(
        url, writer="main", signer=SIGNER, clock=clock, replicas_min=replicas_min
    )
    try:
        yield store
    finally:
        await store.close()


async def test_a_commit_whose_wait_was_cancelled_is_told_when_the_standby_has_it_and_not_before(
    primary: Server, standby: Server, url: str, patient: None
) -> None:
    """PostgreSQL answers success with a warning; nobody is told, and nobody reads it from the record."""
    async with opened(url) as store:
        await store.append(slip(1))
        await asyncio.to_thread(standby.stop)
        second = asyncio.create_task(store.append(slip(2)))
        await asyncio.to_thread(primary.wait_until, COMMIT_WAITS)
        await asyncio.to_thread(primary.sql, CANCEL)
        await asyncio.to_thread(primary.wait_until, BARRIER_WAITS)
        reading = asyncio.create_task(store.answers([("t1", "table:T1/c2")]))
        await asyncio.to_thread(primary.wait_until, BARRIER_WAITS)
        assert not second.done()
        assert not reading.done()
        await asyncio.to_thread(standby.start)
        assert (await second).heads[0].version == 2
        assert list(await reading) == [("t1", "table:T1/c2")]


async def test_a_large_group_goes_by_copy_and_is_told_no_sooner(
    primary: Server, standby: Server, url: str, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of slips in one commit: its wait is cancelled, and all of them are there once."""
    copied: list[int] = []
    copy = postgres_journal.copy_rows

    async def watched(connection: Any, commits: Sequence[Commit]) -> None:
        copied.append(sum(len(commit.events) for commit in commits))
        await copy(connection, commits)

    monkeypatch.setattr(postgres_journal, "copy_rows", watched)
    async with opened(url) as store:
        await store.append(slip(1))
        await asyncio.to_thread(standby.stop)
        group = [asyncio.create_task(store.append(slip(number))) for number in range(2, 302)]
        await asyncio.to_thread(primary.wait_until, WAITS_FOR_STANDBY)
        await asyncio.to_thread(primary.sql, CANCEL)
        await asyncio.to_thread(primary.wait_until, BARRIER_WAITS)
        assert not any(each.done() for each in group)
        await asyncio.to_thread(standby.start)
        heads = [(await each).heads[0].version for each in group]
        assert heads == list(range(2, 302))
        assert max(copied) >= 100
        async with store.snapshot() as snapshot:
            assert (await verify(snapshot, KEYS)).events == 301


async def test_a_commit_that_a_restart_of_the_primary_shows_is_told_when_the_standby_has_it(
    primary: Server, standby: Server, url: str, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look finds it there; so would a new process, which does not open before."""
    async with opened(url) as store:
        await store.append(slip(1))
        await asyncio.to_thread(standby.stop)
        second = asyncio.create_task(store.append(slip(2)))
        await asyncio.to_thread(primary.wait_until, COMMIT_WAITS)
        await asyncio.to_thread(primary.stop)
        await asyncio.to_thread(primary.start)
        await asyncio.to_thread(primary.wait_until, BARRIER_WAITS)
        assert not second.done()
        with monkeypatch.context() as hurried:
            hurried.setattr(postgres_replicas, "BARRIER_S", 0.2)
            with pytest.raises(StoreUnavailable, match="no synchronous standby confirms"):
                async with opened(url):
                    pass
        assert not second.done()
        await asyncio.to_thread(standby.start)
        assert (await second).heads[0].version == 2
        async with store.snapshot() as snapshot:
            assert (await verify(snapshot, KEYS)).events == 2


async def test_a_server_with_fewer_standbys_than_asked_for_is_refused_by_the_settings_name(
    primary: Server, standby: Server, url: str
) -> None:
    """One where two are wanted; without the standby itself; and without the setting in the server."""
    async with opened(url, replicas_min=1) as store:
        await store.append(slip(1))
    with pytest.raises(StoreUnavailable, match=r"cluster\.replicas_min.* 2 .*standby_names = '\*'"):
        async with opened(url, replicas_min=2):
            pass
    await asyncio.to_thread(standby.stop)
    with pytest.raises(StoreUnavailable, match=r"cluster\.replicas_min.* has 0 connected"):
        async with opened(url, replicas_min=1):
            pass
    await asyncio.to_thread(primary.set_for_good, "synchronous_standby_names", "")
    await asyncio.to_thread(primary.wait_until, "current_setting('synchronous_standby_names') = ''")
    with pytest.raises(StoreUnavailable, match=r"cluster\.replicas_min.*standby_names = ''"):
        async with opened(url, replicas_min=1):
            pass


async def test_a_store_goes_on_at_the_server_that_was_promoted() -> None:
    """The address names both servers; everything acknowledged is there, and the chain goes on."""
    with replicated_servers() as (primary, standby):
        async with opened(f"{primary.url()},{standby.folder}") as store:
            for number in (1, 2, 3):
                await store.append(slip(number))
            await asyncio.to_thread(primary.kill)
            with pytest.raises(StoreUnavailable):
                await store.append(slip(4))
            await asyncio.to_thread(standby.promote)
            await store.append(slip(4))
            assert [event.version async for event in store.events("table:T1")] == [1, 2, 3, 4]
            async with store.snapshot() as snapshot:
                assert (await verify(snapshot, KEYS)).events == 4
