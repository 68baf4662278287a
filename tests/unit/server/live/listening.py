"""A hub over a small house in memory, and clients that keep what they are told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from taisai.server.live.hub import Hub
from taisai.server.live.outbox import Outbox
from tests.floor.houses import SmallHouse, settle_down


class Listener:
    """A client that takes everything at once."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.outbox = Outbox(self._take)
        self.outbox.start()

    async def _take(self, said: bytes) -> None:
        self.heard.append(msgspec.json.decode(said))

    def types(self) -> list[str]:
        return [message["type"] for message in self.heard]

    def last(self, type_: str) -> dict[str, Any]:
        return [message for message in self.heard if message["type"] == type_][-1]

    def why_broken(self) -> str | None:
        return self.outbox.broken.result() if self.outbox.broken.done() else None


@asynccontextmanager
async def hub_of(small: SmallHouse, *, dealing: bool = True, **more: Any) -> AsyncIterator[Hub]:
    """A hub that follows every table of a house."""
    async with small.open(dealing=False) as house:
        hub = Hub(house, **more)
        await hub.start()
        if dealing:
            house.begin_dealing()
            await settle_down()
        try:
            yield hub
        finally:
            await hub.stop()
