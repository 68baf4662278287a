"""Servers for the tests of this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.server.houses import CLUSTER, LIVE, Serving, serving, settings


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[Serving]:
    """A house with a cluster and a live table, both dealt by hand."""
    async with serving(settings(tmp_path, CLUSTER, LIVE)) as running:
        yield running
