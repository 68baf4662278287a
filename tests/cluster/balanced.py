"""Two gateways and two desks behind one address: each connection goes to the gateway that is next."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from taisai.cli.trial.lines import Cable, laid_to_port
from tests.cluster.roles import RolesHouse, roles_house
from tests.nats import nats_server
from tests.postgres import own_server

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Balanced:
    """What a test that knows one server has of many processes; a load balancer without stickiness."""

    def __init__(self, house: RolesHouse) -> None:
        self._house, self._numbers = house, count()
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def reach_next(self) -> Ends:
        gateways = self._house.gateways
        chosen = gateways[next(self._numbers) % len(gateways)]
        return await asyncio.open_connection("127.0.0.1", chosen.port)

    def password(self, name: str) -> str:
        return self._house.password(name)

    async def kill(self) -> None:
        """Every gateway dies; the desks go on."""
        await asyncio.gather(*(gateway.kill() for gateway in self._house.gateways))

    async def start(self) -> None:
        await asyncio.gather(*(gateway.start() for gateway in self._house.gateways))


@asynccontextmanager
async def balanced_house(
    folder: Path, *tables: dict[str, Any], **sections: dict[str, Any]
) -> AsyncIterator[Balanced]:
    """Two gateways, two desks, a bus and a record, all of them real."""
    with own_server() as record, nats_server() as bus:
        async with roles_house(folder, record.url(), [bus.url], *tables, desks=2, **sections) as house:
            balanced = Balanced(house)
            async with laid_to_port(Cable(balanced.reach_next)) as balanced.port:
                yield balanced
