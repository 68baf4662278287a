"""How long somebody at a table waits while what serves it changes: killed, told to end, switched over."""

import asyncio
import contextlib
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from tests.cluster.roles import Role, RolesHouse, roles_house
from tests.nats import nats_server
from tests.postgres import own_server
from tests.server.houses import CLUSTER

from bench._child import free_port
from taisai.cli.trial.running import Trial
from taisai.client import Refused, Terminal, Unanswered, Visitor

LEASE_SECONDS: Final = 2.0
TABLES: Final = ("C1", "C2", "C3", "C4")
TIMES: Final = 3
_PASSING: Final = frozenset({"store_unavailable", "internal"})


class Asking:
    """Somebody who puts a coin in as soon as the last one was counted."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.answered_at = 0.0
        self.waited = 0.0
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                if not self._terminal.connected:
                    await self._terminal.open()
                await self._terminal.cash_in(100)
            except Refused as refused:
                if refused.code in _PASSING:
                    continue
                raise
            except (Unanswered, OSError, TimeoutError):
                with contextlib.suppress(Exception):
                    await self._terminal.cut()
                continue
            now = monotonic()
            if self.answered_at:
                self.waited = max(self.waited, now - self.answered_at)
            self.answered_at = now


async def longest(asking: Sequence[Asking], deed: Callable[[], Awaitable[object]]) -> float:
    """The longest that anybody waited for an answer, from the deed until everybody was answered again."""
    for each in asking:
        each.waited = 0.0
    await deed()
    await answered(asking, monotonic())
    return max(each.waited for each in asking)


async def answered(asking: Sequence[Asking], since: float) -> None:
    """Wait until everybody was answered, or somebody was refused."""
    while not all(each.answered_at > since for each in asking):
        for each in asking:
            if each.task.done():
                each.task.result()
        await asyncio.sleep(0.01)


async def at_tables(address: str, tables: Sequence[str]) -> list[Asking]:
    found = []
    for table in tables:
        async with Visitor(address, seconds=60) as visitor:
            key = await visitor.demo_terminal(table)
        found.append(Asking(Terminal(address, key, seconds=20)))
    await answered(found, 0.0)
    return found


async def end(asking: Sequence[Asking]) -> None:
    for each in asking:
        each.task.cancel()
    await asyncio.gather(*(each.task for each in asking), return_exceptions=True)


async def between_desks() -> tuple[list[float], list[float]]:
    """Two desks by turns: told to end, and killed."""
    handed: list[float] = []
    taken: list[float] = []
    tables = [{**CLUSTER, "name": name} for name in TABLES]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-bench-")))
        database = stack.enter_context(own_server()).url()
        nats = [stack.enter_context(nats_server()).url]
        cluster = {"nats": nats, "replicas_min": 0, "lease_seconds": LEASE_SECONDS}
        opened = roles_house(folder, database, nats, *tables, gateways=1, desks=2, cluster=cluster)
        async with opened as house:
            asking = await at_tables(house.gateways[0].address, TABLES)
            for found, how in ((handed, Role.stop), (taken, Role.kill)):
                for number in range(TIMES):
                    found.append(await one_goes(house, asking, house.desks[number % 2], how))
            await end(asking)
    return handed, taken


async def one_goes(
    house: RolesHouse, asking: Sequence[Asking], desk: Role, how: Callable[[Role], Awaitable[object]]
) -> float:
    """A desk that runs all tables goes, and the other takes them."""
    other = next(each for each in house.desks if each is not desk)
    await other.stop()
    await other.start()
    took = await longest(asking, lambda: how(desk))
    await desk.start()
    return took


async def switched_over() -> list[float]:
    """The primary's Patroni is told to end, as before an upgrade of its machine."""
    found = []
    with tempfile.TemporaryDirectory(prefix="taisai-bench-") as folder:
        Path(folder).chmod(0o755)
        trial = Trial(Path(folder), first_port=free_port(), say=lambda line: None)
        async with trial.running():
            gateway = next(one.address for name, one in trial.all.items() if name.startswith("gateway"))
            asking = await at_tables(gateway, ("C3",))
            for _ in range(TIMES):
                primary = await until_whole(trial)
                found.append(await longest(asking, partial(next_primary, trial, primary)))
            await end(asking)
    return found


async def next_primary(trial: Trial, primary: str) -> None:
    """Tell the primary to end, and wait until another one is."""
    await trial.do("stop", primary, 5.0)
    while not any(row["says"] == "primary" and row["name"] != primary for row in await trial.status()):
        await asyncio.sleep(0.1)


async def until_whole(trial: Trial) -> str:
    """The primary's name, when both others follow it."""
    while True:
        said = {row["name"]: row["says"] for row in await trial.status() if row["name"].startswith("pg")}
        if sorted(said.values()) == ["primary", "standby", "standby"]:
            return next(name for name, each in said.items() if each == "primary")
        await asyncio.sleep(0.5)


def main() -> None:
    """Print the shortest of some: what more there was, the machine did beside it."""
    handed, taken = asyncio.run(between_desks())
    switched = asyncio.run(switched_over())
    for what, found, most in (
        ("a desk is told to end (hand-over)", handed, 0.5),
        (f"a desk is killed (takeover, lease {LEASE_SECONDS:g} s)", taken, LEASE_SECONDS + 1),
        ("the primary is told to end (switchover)", switched, 3.0),
    ):
        every = ", ".join(f"{each:.2f}" for each in sorted(found))
        print(
            f"  {what}: {min(found):.2f} s until the next answer (at most {most:g}; all: {every})", flush=True
        )
