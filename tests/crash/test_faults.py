"""A full disk, a failing sync, a damaged page, a lost connection: a clear error, and never half an act."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import apsw
import asyncpg
import pytest

from taisai.adapters.sqlite.store import SqliteStore
from taisai.errors import StoreUnavailable
from taisai.record.journal import Committed
from taisai.record.ports import FateUnknown, RecordCorrupt, Store
from tests.crash.checking import check_whole
from tests.crash.disk import Disk
from tests.crash.workload import bet, commands, life
from tests.postgres import own_server
from tests.record import SIGNER, Place, place

SENT = {f"c{n}": bet(n) for n in range(1, 400)}


async def check(store: Store, acknowledged: list[str]) -> None:
    async with store.snapshot() as snapshot:
        await check_whole(snapshot, SENT, acknowledged)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(f"faulty-{tmp_path.name}")
    yield made
    made.fail.clear()
    made.unregister()


@pytest.mark.parametrize(
    ("what", "error"),
    [("write", apsw.FullError), ("write", apsw.IOError), ("sync", apsw.IOError), ("sync", apsw.FullError)],
)
async def test_a_failing_disk_stops_acceptance_and_heals(
    tmp_path: Path, disk: Disk, what: str, error: type[apsw.Error]
) -> None:
    """Nothing is acknowledged while the disk fails; when it works again so does the store, unopened."""
    async with place(tmp_path / "record.db") as at:
        store = await at.open(vfs=disk.name)
        acknowledged = []
        number = 1
        for _ in range(4):
            await store.append(bet(number))
            acknowledged.append(f"c{number}")
            disk.fail = {what: error}
            with pytest.raises(StoreUnavailable):
                await store.append(bet(number + 1))
            with pytest.raises(StoreUnavailable):
                await store.append(bet(number + 1))
            disk.fail.clear()
            # What became of it is found by its command id.
            kept = await _settled(store, number + 1)
            number += 2 if kept else 1
        await check(store, acknowledged)


async def _settled(store: Store, number: int) -> bool:
    """As a desk does after an unknown fate: look its command up, once the store answers again."""
    try:
        await store.append(bet(number))
    except Exception:
        assert await store.answers([("t1", f"c{number}")])
    return True


async def test_a_sync_that_fails_leaves_no_doubt_behind(tmp_path: Path, disk: Disk) -> None:
    """When even reopening fails the fate is unknown, and is said to be."""
    async with place(tmp_path / "record.db") as at:
        store = await at.open(vfs=disk.name)
        await store.append(bet(1))
        disk.fail = {"sync": apsw.IOError}
        with pytest.raises(FateUnknown, match="lost while committing"):
            await store.append(bet(2))
        disk.fail.clear()
        await _settled(store, 2)
        await check(store, ["c1", "c2"])


async def test_a_damaged_page_is_said(tmp_path: Path) -> None:
    """What is read is compared with its digest, or SQLite itself finds the page broken."""
    path = tmp_path / "record.db"
    async with place(path) as at:
        store = await at.open()
        for number in range(1, 40):
            await store.append(bet(number))
    data = bytearray(path.read_bytes())
    damaged = data.count(b"filler")
    assert damaged >= 39
    path.write_bytes(data.replace(b"filler", b"fIller"))
    async with place(path) as at:
        store = await at.open()
        with pytest.raises(RecordCorrupt, match="table:T1 version 1 is not what was recorded"):
            [event async for event in store.events("table:T1")]
    path.write_bytes(bytes(4096) + bytes(data[4096:]))
    with pytest.raises(StoreUnavailable):
        await Place(path).open()


async def test_other_files_are_refused(tmp_path: Path) -> None:
    """A text, another program's database, a store of a newer release, a folder that is not there."""
    (tmp_path / "text.db").write_text("not a database, but long enough to be looked at " * 40)
    other = apsw.Connection(str(tmp_path / "other.db"))
    other.execute("CREATE TABLE something (x)")
    other.close()
    async with place(tmp_path / "newer.db") as at:
        await at.open()
    newer = apsw.Connection(str(tmp_path / "newer.db"))
    newer.pragma("user_version", 99)
    newer.close()
    for name, said in {
        "text.db": "not a database",
        "other.db": "not one of taisai's",
        "newer.db": "schema version 99",
        "missing/x.db": "No such file",
    }.items():
        with pytest.raises(StoreUnavailable, match=said):
            await Place(tmp_path / name).open()


async def test_a_file_has_one_writer(tmp_path: Path) -> None:
    """The second is told who has it; when the first is done it can."""
    async with place(tmp_path / "record.db") as at:
        store = await at.open()
        with pytest.raises(StoreUnavailable, match="already being written, by process"):
            await at.open()
        store = await at.reopen(store)
        await store.append(bet(1))


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """No append is lost in silence."""
    store = await SqliteStore.open(
        tmp_path / "record.db", writer="main", signer=SIGNER, clock=Place(tmp_path).clock
    )
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.append(bet(1))


async def test_a_lost_connection_is_made_again(postgres_url: str) -> None:
    """The server drops the writer's connection while it commits, again and again; each fate is found out."""
    async with place(postgres_url) as at:
        store = await at.open()
        admin = await asyncpg.connect(postgres_url)
        acknowledged = []
        try:
            for number in range(1, 41):
                waiting = asyncio.create_task(store.append(bet(number)))
                await asyncio.sleep(0)
                await admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'taisai' AND datname = current_database()"
                )
                assert isinstance(await waiting, Committed)
                acknowledged.append(f"c{number}")
        finally:
            await admin.close()
        await check(store, acknowledged)


@pytest.mark.slow
async def test_a_server_that_crashes_under_load_comes_back() -> None:
    """Its power is cut and it is started again; the store goes on by itself and has lost nothing."""
    with own_server() as server:
        async with place(server.url()) as at:
            store = await at.open()
            acknowledged: list[str] = []
            enough = asyncio.Event()
            sending = asyncio.create_task(_send_all(store, acknowledged, enough))
            for crash in (True, True, False):
                before = len(acknowledged)
                while len(acknowledged) < before + 20:
                    await asyncio.sleep(0)
                if crash:
                    await asyncio.to_thread(server.stop, "immediate")
                    await asyncio.to_thread(server.start)
            enough.set()
            await sending
            assert len(acknowledged) >= 60
            await check(store, acknowledged)


async def _send_all(store: Store, acknowledged: list[str], enough: asyncio.Event) -> None:
    number = 1
    while not enough.is_set():
        try:
            await store.append(bet(number))
        except StoreUnavailable:
            await asyncio.sleep(0)
            continue
        except Exception:
            # It was durable though nobody was told: its command id says so.
            assert await store.answers([("t1", f"c{number}")])
        acknowledged.append(f"c{number}")
        number += 1


@pytest.mark.slow
async def test_a_server_that_could_forget_is_refused() -> None:
    """fsync, full_page_writes and synchronous_commit must be on."""
    with own_server() as server:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            server.stop()
            server.start(**{setting: "off"})
            with pytest.raises(StoreUnavailable, match=f"expected {setting} = on, found off"):
                await Place(server.url()).open()


async def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    """Without a traceback of the driver."""
    with pytest.raises(StoreUnavailable, match="postgresql://"):
        await Place(f"postgresql://nobody@/none?host={tmp_path}").open()


async def test_a_database_of_a_newer_release_is_refused(postgres_url: str) -> None:
    """The version is checked at the start."""
    async with place(postgres_url) as at:
        await at.open()
    admin = await asyncpg.connect(postgres_url)
    await admin.execute("INSERT INTO taisai_schema VALUES (99)")
    await admin.close()
    with pytest.raises(StoreUnavailable, match="schema version 99"):
        await Place(postgres_url).open()


def test_the_workload_is_what_it_says() -> None:
    """Each command of a life has its own id."""
    names = [name for name, _ in commands(life())]
    assert len(set(names)) == len(names)
