"""Fixtures with a real PostgreSQL; a folder that wants them imports them in its conftest."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest

from tests.postgres import Server, shared_server

_COUNT = pytest.StashKey[list[int]]()


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> Iterator[Server]:
    """A real server, one for all workers."""
    with shared_server(testrun_uid) as server:
        yield server


async def _execute(url: str, text: str) -> None:
    admin = await asyncpg.connect(url)
    try:
        await admin.execute(text)
    finally:
        await admin.close()


@pytest.fixture
def postgres_url(postgres_server: Server, worker_id: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of its own for each test."""
    count = request.config.stash.setdefault(_COUNT, [0])
    count[0] += 1
    name = f"{worker_id}_{count[0]}"
    asyncio.run(_execute(postgres_server.url(), f"CREATE DATABASE {name}"))
    yield postgres_server.url(name)
    asyncio.run(_execute(postgres_server.url(), f"DROP DATABASE {name} WITH (FORCE)"))
