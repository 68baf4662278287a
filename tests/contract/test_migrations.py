"""Migrations go forward, whole or not at all, and the version is checked at the start."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from taisai.adapters import migrations, sql
from taisai.adapters.migrations import pending, scripts
from taisai.adapters.sqlite import journal as sqlite_journal
from taisai.adapters.sqlite.store import read_snapshot
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.ledger import credit, stakes
from taisai.record.journal import Batch, Commit
from taisai.record.ports import CommandRepeated, StreamMoved
from taisai.record.verify import verify
from tests.record import KEYS, START_AT, Place, answer, bet, on, place, slip


@pytest.fixture(params=["sqlite", "postgres"])
def medium(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "sqlite":
        return tmp_path / "record.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def at(medium: Path | str) -> AsyncIterator[Place]:
    async with place(medium) as found:
        yield found


def rows_alone(db: apsw.Connection, commit: Commit) -> None:
    """Events and answers as releases wrote them before there were packs."""
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", sql.event_rows(commit))
    db.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", sql.answer_rows(commit))


def earlier(monkeypatch: pytest.MonkeyPatch, schema: int) -> None:
    """The release that wrote records of an earlier schema."""
    known = {store: scripts(store)[:schema] for store in ("sqlite", "postgres")}
    monkeypatch.setattr(migrations, "scripts", lambda store: known[store])
    monkeypatch.setattr(sqlite_journal, "insert_said", rows_alone)


def release(monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """A later release with more migrations."""
    known = {store: scripts(store) for store in ("sqlite", "postgres")}
    monkeypatch.setattr(migrations, "scripts", lambda store: [*known[store], *more])


async def test_a_record_is_brought_forward(
    at: Place, medium: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer release adds what it needs and keeps what is there; the older one then refuses it."""
    store = await at.open()
    await store.append(slip(1))
    with monkeypatch.context() as later:
        release(later, "CREATE TABLE extra (x integer);", "CREATE TABLE more (y integer);")
        store = await at.reopen(store)
        await store.append(slip(2))
        async with store.snapshot() as snapshot:
            assert (await verify(snapshot, KEYS)).events == 2
    known = len(scripts("postgres" if isinstance(medium, str) else "sqlite"))
    expected = f"schema version {known + 2}; this release knows versions up to {known}"
    with pytest.raises(StoreUnavailable, match=expected):
        await at.reopen(store)


async def test_a_record_of_the_first_schema_is_read_verified_and_continued(
    at: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements of players and of stakes are as before, and what comes is written beside it."""
    placed = Batch((on("table:T1", 3, at=START_AT + 9),), (bet("p1", 50, "T1.4"),), (answer("c4"),))
    with monkeypatch.context() as older:
        earlier(older, 1)
        store = await at.open()
        for number in (1, 2, 3):
            await store.append(slip(number))
        await store.append(placed)
        before = [[t async for t in store.transfers(name)] for name in (credit("p1"), stakes("T1", 1))]
    store = await at.reopen(store)
    assert [[t async for t in store.transfers(name)] for name in (credit("p1"), stakes("T1", 1))] == before
    assert [len(found) for found in before] == [2, 1]
    await store.append(
        Batch((on("table:T1", 4, at=START_AT + 9),), (bet("p1", 20, "T1.5"),), (answer("c5"),))
    )
    with pytest.raises(CommandRepeated):
        await store.append(Batch((on("table:T1", 5, at=START_AT + 9),), (), (answer("c4"),)))
    assert [t.id async for t in store.transfers(stakes("T1", 1))] == ["T1.4", "T1.5"]
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).events == 5


@pytest.mark.parametrize("medium", ["sqlite"], indirect=True)
@pytest.mark.parametrize("schema", [1, 3])
async def test_rows_and_packs_are_one_record(
    at: Place, medium: Path, monkeypatch: pytest.MonkeyPatch, schema: int
) -> None:
    """What an earlier release wrote in rows goes on in packs, in rows again, and in packs: read as one."""
    with monkeypatch.context() as older:
        earlier(older, schema)
        store = await at.open()
        for number in range(1, 41):
            await store.append(slip(number))
        async with read_snapshot(medium) as snapshot:
            assert (await verify(snapshot, KEYS)).events == 40  # as it is, without being brought forward
    store = await at.reopen(store)
    for group in (range(41, 61), range(61, 62), range(62, 82)):
        await asyncio.gather(*(store.append(slip(number)) for number in group))
    store = await at.reopen(store)
    head = await store.head("table:T1")
    assert head is not None
    versions = [event.version async for event in store.events("table:T1")]
    assert versions == list(range(1, head.version + 1))
    for after in (0, 5, 40, 45, 60, 61, 70):
        found = [event.version async for event in store.events("table:T1", after=after)]
        assert found == versions[after:]
    assert [head.stream async for head in store.heads("table:")] == ["table:T1"]
    for number in (3, 50, 61, 70):  # in a row of before, in a pack, in a row of now, in a pack again
        known = await store.answers([("t1", f"table:T1/c{number}"), ("t1", "nobody")])
        assert list(known) == [("t1", f"table:T1/c{number}")]
        with pytest.raises(CommandRepeated):
            await store.append(slip(number, version=head.version))
    with pytest.raises(StreamMoved):
        await store.append(Batch((on("table:T1", 0, 30),), (), tuple(answer(f"n{n}") for n in range(9))))
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).events == head.version


async def test_a_migration_that_fails_leaves_no_half(at: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file is undone as a whole, and the record still opens with the release that wrote it."""
    store = await at.open()
    await store.append(slip(1))
    with monkeypatch.context() as later:
        release(later, "CREATE TABLE extra (x integer); INSERT INTO nowhere VALUES (1);")
        with pytest.raises(InvariantBroken):
            await at.reopen(store)
    store = await at.open()
    await store.append(slip(2))
    with monkeypatch.context() as repaired:
        release(repaired, "CREATE TABLE extra (x integer);")
        store = await at.reopen(store)


def test_the_files_are_numbered_without_a_gap() -> None:
    """Each store has its own, and goes forward by itself."""
    for store in ("sqlite", "postgres"):
        known = len(scripts(store))
        assert [number for number, _ in pending(store, 0, "here")] == list(range(1, known + 1))
        assert known >= 3
        assert pending(store, known, "here") == []
