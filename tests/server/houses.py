"""A real server on a real socket in this process, with a record on disk and a cheap password hash."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from litestar import Litestar

from taisai.bootstrap import first_logins, open_parts
from taisai.cli.serving import EVERYONE
from taisai.client import Console, Staff, Terminal, TerminalKey, Visitor
from taisai.floor.players.live_names import player_in_record
from taisai.floor.table.dealing import Timer
from taisai.game.people import Role
from taisai.server.app import create_app
from taisai.server.config import Config, load_config
from taisai.server.live.hub import Hub
from taisai.server.parts import Parts
from taisai.server.running import Server, listen, listen_for_ops, make_server

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

CLUSTER: dict[str, Any] = {
    "name": "C1",
    "kind": "cluster",
    "pay_table": "sic-bo-etg-v8/1",
    "unit": 100,
    "minimum": 100,
    "maximum": 100_000,
}
AUTOMATIC: dict[str, Any] = {
    **CLUSTER,
    "automatic": True,
    "betting_seconds": 1,
    "warn_seconds": 0,
    "tumble_seconds": 0.05,
    "result_seconds": 0.1,
}
LIVE: dict[str, Any] = {
    "name": "T1",
    "kind": "live",
    "pay_table": "tai-sai-v6/2",
    "unit": 100,
    "minimum": 100,
    "maximum": 100_000,
}


def settings(folder: Path, *tables: dict[str, Any], **sections: dict[str, Any]) -> Config:
    """A play-money house whose record lies in a folder."""
    base = {
        "house": {
            "name": "Test house",
            "play_money": True,
            "cut_off_seconds": 0.05,
            **sections.pop("house", {}),
        },
        "server": {
            "database": f"sqlite:///{folder / 'house.db'}",
            "keys": str(folder / "keys"),
            "port": 0,
            "login_tries_per_minute": 10_000,
            "redeem_tries_per_minute": 10_000,
            "visitors_per_minute": 10_000,
            **sections.pop("server", {}),
        },
        "practice": {"tables": 0, **sections.pop("practice", {})},
        "table": list(tables or (CLUSTER,)),
        **sections,
    }
    return load_config(None, {}, base=base)


@dataclass
class Serving:
    """A server that runs, and those who use it."""

    config: Config
    app: Litestar
    server: Server
    address: str
    logins: dict[str, str]
    stack: AsyncExitStack
    staff: dict[str, Staff] = field(default_factory=dict)

    @property
    def hub(self) -> Hub:
        hub: Hub = self.app.state.hub
        return hub

    @property
    def parts(self) -> Parts:
        parts: Parts = self.app.state.parts
        return parts

    async def visitor(self) -> Visitor:
        visitor = Visitor(self.address)
        await self.stack.enter_async_context(visitor)
        return visitor

    async def person(self, name: str) -> Staff:
        """Somebody of the staff, logged in."""
        if name not in self.staff:
            person = Staff(self.address)
            await self.stack.enter_async_context(person)
            await person.log_in(name, self.logins[name])
            self.staff[name] = person
        return self.staff[name]

    async def on_record(self, name: str, table: str = "T1") -> str:
        """Somebody at a live table, as the record has them."""
        return await player_in_record(self.parts.house, name, table)

    async def key(self, table: str = "C1") -> TerminalKey:
        return await (await self.visitor()).demo_terminal(table)

    async def terminal(self, table: str = "C1", credit: int = 0) -> Terminal:
        """A terminal that is connected, with credits if asked for."""
        terminal = Terminal(self.address, await self.key(table))
        await self.stack.enter_async_context(terminal)
        if credit:
            await terminal.cash_in(credit)
        return terminal

    async def console(self, table: str, name: str = "dealer") -> Console:
        console = (await self.person(name)).console(table)
        await self.stack.enter_async_context(console)
        return console


@cache
def the_app() -> tuple[Litestar, list[Callable[[], AbstractAsyncContextManager[Parts]]]]:
    """One application for all servers of this process, being dear to make; and what each start opens."""
    wanted: list[Callable[[], AbstractAsyncContextManager[Parts]]] = []
    return create_app(lambda: wanted.pop()()), wanted


@asynccontextmanager
async def serving(
    config: Config, *, timer: Timer | None = None, people: dict[str, Role] | None = None
) -> AsyncIterator[Serving]:
    """Run a server for a while."""
    opened = listen("127.0.0.1", config.server.port)
    app, wanted = the_app()
    wanted.append(partial(open_parts, config, timer, hasher=CHEAP))
    server = make_server(app, config)
    up = asyncio.Event()
    server.on_started = up.set
    running = asyncio.create_task(server.serve(sockets=[opened, *listen_for_ops(config)]))
    started = asyncio.create_task(up.wait())
    await asyncio.wait({running, started}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        started.cancel()
        running.result()
        raise RuntimeError("the server did not start")
    address = f"http://127.0.0.1:{opened.getsockname()[1]}"
    async with AsyncExitStack() as stack:
        logins = await first_logins(
            app.state.parts, config.staff_policy, EVERYONE if people is None else people, must_change=False
        )
        try:
            yield Serving(config, app, server, address, logins, stack)
        finally:
            try:
                await stack.aclose()
            finally:
                server.should_exit = True
                await running


async def dealt(console: Console, roll: list[int], *, covered: bool = True) -> None:
    """A dealer's acts from the closing to the end of a round."""
    await console.act("CloseBetting")
    if covered:
        await console.act("CoverTumbler")
    await console.act("ActivateTumbler", tumbles=3)
    if covered:
        await console.act("ExposeDice")
    await console.act("DeclareRoll", roll=roll)
    await console.act("SettleBets")
    await console.act("ConcludeRound")
