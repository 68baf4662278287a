"""Two processes for the desks: one has the record, the other stands by and takes it when that is gone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.evenings.process import Server
    from tests.evenings.world import World

_LOOK_SECONDS = 0.2


class Reserve:
    """Whoever runs the house starts each of the two again, until `close`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lives: list[Server | None] = [None, None]

    async def keep(self) -> None:
        """Once the first has the record."""
        self._lives[0] = self._world.network.server
        await asyncio.gather(*(self._keep(number) for number in range(len(self._lives))))

    def close(self) -> None:
        """Nobody takes the record any more."""
        for server in self._lives:
            if server is not None and server.process.alive and server is not self._world.network.server:
                server.kill()

    async def _keep(self, number: int) -> None:
        world = self._world
        while not world.over:
            server = self._lives[number]
            if server is not None and server.process.replaced:
                await asyncio.sleep(world.faults.draw("lease", 0.1, 2))
                world.kill(server.process, "by itself: its lease is gone")
            elif server is not None and server.process.alive:
                await asyncio.sleep(_LOOK_SECONDS)
                continue
            if server is not None:
                await asyncio.sleep(world.faults.draw("restart", 0.3, 3))
            await self._start(number)

    async def _start(self, number: int) -> None:
        world = self._world
        server = self._lives[number] = world.new_server(waits=True)
        world.tell(f"{server.process.name} stands by")
        if await server.start():
            world.tell(f"{server.process.name} stood by, and has the record now")
            world.network.server = server
        elif server.process.alive:
            world.start_failed(server)
