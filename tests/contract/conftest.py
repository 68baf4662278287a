"""The stores under one contract, each in a fresh place."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.adapters import packs
from taisai.adapters.memory import MemoryDisk
from tests.postgres_fixtures import postgres_server, postgres_url
from tests.record import Place, place

__all__ = ["at", "medium", "postgres_server", "postgres_url"]


@pytest.fixture(params=["memory", "sqlite", "packed", "postgres"])
def medium(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MemoryDisk | Path | str:
    """Somewhere to keep a record, of each kind; `packed` is SQLite with every commit as a pack."""
    if request.param == "memory":
        return MemoryDisk()
    if request.param == "packed":
        monkeypatch.setattr(packs, "PACKED_FROM", 1)
        return tmp_path / "record.db"
    if request.param == "sqlite":
        return tmp_path / "record.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def at(medium: MemoryDisk | Path | str) -> AsyncIterator[Place]:
    """A place for a record, in each kind of store."""
    async with place(medium) as found:
        yield found
