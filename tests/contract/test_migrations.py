"""Migrations go forward, whole or not at all, and the version is checked at the start."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.adapters import migrations
from taisai.adapters.migrations import pending, scripts
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.record.verify import verify
from tests.record import KEYS, Place, place, slip


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
