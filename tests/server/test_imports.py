"""A server that is up imports nothing on its loop: nobody waits for whoever asks for something first."""

import asyncio
import sys
from asyncio.subprocess import Process
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Staff, Terminal, Visitor, fresh_id
from tests.server.houses import CLUSTER
from tests.server.processes import REPOSITORY, ServerProcess, server_process
from tests.server.watched_child import IMPORTS

PAGES = (
    *(
        "/",
        "/audit",
        "/verify",
        "/docs",
        "/openapi.json",
        "/asyncapi.json",
        "/metrics",
        "/manifest.webmanifest",
    ),
    *("/api/v1/house", "/api/v1/tables", "/api/v1/tables/C1/roads", "/api/v1/rules/sic-bo-etg-v8"),
    "/api/v1/felts/sic-bo-etg-v8/1",
)
# What somebody of each position is the first to look at.
LOOKED_AT = {
    "dealer": ("/tables/C1", "/tables/C1/rounds", "/tables/C1/rounds/1"),
    "pit-manager": (
        "/pit",
        "/pit/day",
        "/pit/hold",
        "/pit/takings",
        "/tables/C1/terminals",
        "/tables/C1/meters",
    ),
    "cashier": ("/tickets", "/tickets/liability", "/owed", "/owed/day", "/drawers"),
    "auditor": ("/audit/refused", "/audit/rounds/C1", "/audit/significant", "/audit/export"),
    "admin": ("/admin/health", "/admin/installation", "/staff", "/staff-policy", "/incidents"),
}


class Watched(ServerProcess):
    """In a process that nothing was imported in before."""

    async def _begin(self) -> Process:
        command = (sys.executable, "-m", "tests.server.watched_child", str(self.folder))
        return await asyncio.create_subprocess_exec(*command, cwd=REPOSITORY)


async def plays(server: ServerProcess) -> None:
    """A round at a terminal, from the first slip to a ticket, settled by columns."""
    async with Visitor(server.address) as visitor:
        key = await visitor.demo_terminal("C1")
    async with staff(server, "dealer") as dealer, Terminal(server.address, key) as terminal:
        await terminal.cash_in(10_000)
        async with dealer.console("C1") as console:
            await console.act("StartRound")
            round_ = await terminal.betting()
            await terminal.place(round_.number, {"big": 500, "sum-11": 300})
            for act, fields in (
                ("CloseBetting", {}),
                ("CoverTumbler", {}),
                ("ActivateTumbler", {"tumbles": 3}),
                ("ExposeDice", {}),
                ("DeclareRoll", {"roll": [2, 3, 6]}),
                ("SettleBets", {}),
                ("ConcludeRound", {}),
            ):
                await console.act(act, **fields)
            await terminal.result(round_.number)
        await terminal.cash_out()


class staff:  # noqa: N801  # reads as the block that it is
    """Somebody who is signed in for a while."""

    def __init__(self, server: ServerProcess, name: str) -> None:
        self._who, self._password = Staff(server.address, seconds=60), server.password(name)
        self._name = name

    async def __aenter__(self) -> Staff:
        await self._who.log_in(self._name, self._password)
        return self._who

    async def __aexit__(self, *error: Any) -> None:
        await self._who.log_out()
        await self._who.http.aclose()


async def looks(server: ServerProcess) -> list[str]:
    """Everybody looks at what is theirs; the addresses that gave no answer."""
    async with Visitor(server.address) as visitor:
        unheard = [page for page in PAGES if (await visitor.http.get(page)).status_code != 200]
    for name, paths in LOOKED_AT.items():
        async with staff(server, name) as who:
            for path in paths:
                answer = await who.http.get(f"/api/v1{path}")
                if answer.status_code != 200:
                    unheard.append(f"{name}: {path} {answer.status_code}")
    return unheard


@pytest.mark.slow
async def test_nothing_is_imported_on_the_loop_of_a_server_that_is_up(tmp_path: Path) -> None:
    """Not by the first round, settled by columns, nor by the first audit, PAR sheet or page."""
    async with server_process(tmp_path, CLUSTER, kind=Watched) as server:
        await plays(server)
        assert await looks(server) == []
        async with staff(server, "auditor") as auditor:
            report = await auditor.post("/audit/verify", key=fresh_id())
            assert report["sound"]
            par = await auditor.http.get("/api/v1/par/sic-bo-etg-v8/1.html")
            assert par.status_code == 200
        await server.stop()
    assert (tmp_path / IMPORTS).read_text(encoding="utf-8").split() == []
