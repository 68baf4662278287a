"""The gateways of a house whose desks have a process of their own: kept running, killed, made to wait."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.evenings.process import Server
    from tests.evenings.world import World


class Gateways:
    """Begin with `open`, end with `close`; whoever runs the house starts each of them again."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._serving: dict[int, Server] = {}
        self._lives = 0
        self._keeping: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Once the desks run; the evening begins when the first gateway serves."""
        loop = self._world.loop
        self._world.network.gateways = []
        for number in range(1, self._world.plan.gateways + 1):
            self._keeping.append(loop.start_in(None, self._keep(number), f"keeps gateway {number}"))
        while not any(gateway.ready for gateway in self._serving.values()):
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        for task in self._keeping:
            task.cancel()
        for gateway in self._serving.values():
            if gateway.ready:
                await gateway.stop()

    async def _keep(self, number: int) -> None:
        world = self._world
        while not world.over:
            serving = self._serving.get(number)
            if serving is not None and serving.ready:
                await asyncio.sleep(0.2)
                continue
            if serving is not None:
                await asyncio.sleep(world.faults.draw("restart of a gateway", 0.3, 3))
            await self._start(number)

    async def _start(self, number: int) -> None:
        world = self._world
        self._lives += 1
        gateway = self._serving[number] = world.new_gateway(number, self._lives)
        world.network.gateways = list(self._serving.values())
        was_calm = world.faults.calm
        if await gateway.start():
            world.tell(f"{gateway.process.name} serves")
        elif gateway.process.alive:
            world.tell(f"{gateway.process.name} did not start: {gateway.failed}")
            if was_calm or "StoreUnavailable" not in gateway.failed:
                world.violate(f"a start of a gateway failed: {gateway.failed}")
            gateway.kill()

    def disturb(self) -> None:
        """What goes wrong where a bus is between those who serve and those who decide."""
        world, faults = self._world, self._world.faults
        ready = [gateway for gateway in self._serving.values() if gateway.ready]
        if ready and faults.strikes("gateway killed"):
            world.kill(ready[int(faults.draw("gateway", 0, len(ready)))].process, "as it is")
        if ready and faults.strikes("gateway hangs"):
            self._hang(ready[int(faults.draw("gateway", 0, len(ready)))])
        if world.network.server is not None and faults.strikes("desks hang"):
            self._hang(world.network.server)
        if world.bus is not None and faults.strikes("bus gone for a while"):
            world.bus.go_away()
        if world.disk.standby is not None and faults.strikes("standby promoted"):
            world.disk.standby.promote()
            gone = faults.draw("promotion", 0.5, 6)
            world.disk.gone_until = faults.last_at = max(world.disk.gone_until, world.loop.time() + gone)

    def _hang(self, server: Server) -> None:
        """Its machine stops it, and lets it go on later as if nothing had been."""
        until = self._world.loop.time() + self._world.faults.draw("hangs", 0.2, 4)
        server.process.hung_until = self._world.faults.last_at = until
        self._world.tell(f"{server.process.name} hangs")
