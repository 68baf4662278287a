"""Migrations go forward, whole or not at all, and the version is checked at the start."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.adapters import migrations
from taisai.adapters.migrations import pending, scripts
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.ledger import credit, stakes
from taisai.record.journal import Batch
from taisai.record.ports import CommandRepeated
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


def release(monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """A later release with more migrations."""
    known = {store: scripts(store) for store in ("sqlite", "postgres")}
    monkeypatch.setattr(migrations, "scripts", lambda store: [*known[store], *more])


async def test_a_record_is_brought_forward(at: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer release adds what it needs and keeps what is there; the older one then refuses it."""
    store = await at.open()
    await store.append(slip(1))
    with monkeypatch.context() as later:
        release(later, "CREATE TABLE extra (x integer);", "CREATE TABLE more (y integer);")
        store = await at.reopen(store)
        await store.append(slip(2))
        async with store.snapshot() as snapshot:
            assert (await verify(snapshot, KEYS)).events == 2
    known = len(scripts("sqlite"))
    expected = f"schema version {known + 2}; this release knows versions up to {known}"
    with pytest.raises(StoreUnavailable, match=expected):
        await at.reopen(store)


async def test_a_record_of_the_first_schema_is_read_verified_and_continued(
    at: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements of players and of stakes are as before, and what comes is written beside it."""
    first = {store: scripts(store)[:1] for store in ("sqlite", "postgres")}
    placed = Batch((on("table:T1", 3, at=START_AT + 9),), (bet("p1", 50, "T1.4"),), (answer("c4"),))
    with monkeypatch.context() as older:
        older.setattr(migrations, "scripts", lambda store: first[store])
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
    """Both stores have the same number of them."""
    assert len(scripts("sqlite")) == len(scripts("postgres")) >= 1
    assert [number for number, _ in pending("sqlite", 0, "here")] == list(
        range(1, len(scripts("sqlite")) + 1)
    )
    assert pending("sqlite", len(scripts("sqlite")), "here") == []
