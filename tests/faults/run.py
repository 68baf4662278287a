"""One fault after the other on a house in use, and how long each of them kept it from going on."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import msgspec

from taisai.client import Refused, Staff, Visitor
from tests.faults.checker import check
from tests.faults.house import POSTGRES, SQLITE, SQLITE_LONG, Fault, FaultyHouse, running
from tests.faults.people import Bettor
from tests.postgres import Server

BETTORS = 4
WAIT_SECONDS = 60
# An hour that passes at once also ends a login.
_PASSING = frozenset({"store_unavailable", "session_ended"})


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """How long after the end of a fault what was possible again, in seconds."""

    fault: str
    login: float
    bet: float
    live: float


class FaultRun:
    """People at an automatic cluster and at a live table, while things fail."""

    def __init__(self, house: FaultyHouse, seed: int) -> None:
        self.house, self.chance = house, random.Random(seed)
        self.bettors: list[Bettor] = []
        self._live_version = 0

    async def play(self, faults: Sequence[Fault]) -> list[Recovery]:
        """Break and mend, fault by fault, and check everything at the end."""
        async with self._people() as playing:
            await self._open_live_table()
            await self._everybody_bets(monotonic())
            found = [await self._suffer(fault) for fault in faults]
            for bettor in self.bettors:
                bettor.patience = False
            await asyncio.gather(*playing)
            await check(self.house, self.bettors)
        return found

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[list[asyncio.Task[None]]]:
        address = self.house.server.address
        async with Visitor(address) as visitor:
            keys = [await visitor.demo_terminal("C1") for _ in range(BETTORS)]
        self.bettors = [Bettor(address, key, self.chance.randrange(10**6)) for key in keys]
        playing = [asyncio.create_task(bettor.run()) for bettor in self.bettors]
        try:
            yield playing
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for bettor in self.bettors:
                with suppress(Exception):
                    await bettor.terminal.close()

    async def _suffer(self, fault: Fault) -> Recovery:
        await asyncio.sleep(self.chance.uniform(0.1, 1.0))  # somewhere in a round
        begun = monotonic()
        restarted = await fault(self.house)
        ended = self.house.mended_at if self.house.mended_at > begun else monotonic()
        name = fault.__name__
        waited = {
            "login": asyncio.create_task(self._log_in(ended)),
            "bet": asyncio.create_task(self._everybody_bets(ended)),
            "live": asyncio.create_task(self._bet_live(ended, restarted)),
        }
        await asyncio.wait(waited.values(), timeout=WAIT_SECONDS)
        late = [what for what, task in waited.items() if not task.done()]
        for what in late:
            waited[what].cancel()
        assert not late, f"{WAIT_SECONDS} s after {name} there is still no {late}: {self._standing(ended)}"
        return Recovery(fault=name, **{what: task.result() for what, task in waited.items()})

    def _standing(self, since: float) -> list[str]:
        """Where those stand who do not bet again."""
        return [
            f"{bettor.terminal.round and bettor.terminal.round.number} {bettor.log[-1]}"
            for bettor in self.bettors
            if bettor.registered_at <= since
        ]

    async def _everybody_bets(self, since: float) -> float:
        """Nobody asks whether the house is ready: the terminals just go on."""
        while not all(bettor.registered_at > since for bettor in self.bettors):
            await asyncio.sleep(0.02)
        return monotonic() - since

    async def _log_in(self, since: float) -> float:
        server = self.house.server
        while True:
            async with Staff(server.address) as person:
                try:
                    await person.log_in("supervisor", server.password("supervisor"))
                except (Refused, httpx.HTTPError):
                    await asyncio.sleep(0.05)
                else:
                    return monotonic() - since

    async def _open_live_table(self) -> None:
        async with self._dealer() as dealer:
            await dealer.act("T1", "BuyIn", player="ann", amount=1_000_000)
            await dealer.act("T1", "StartRound")
        await self._bet_live(monotonic(), restarted=False)

    @asynccontextmanager
    async def _dealer(self) -> AsyncIterator[Staff]:
        async with Staff(self.house.server.address) as dealer:
            await dealer.log_in("dealer", self.house.server.password("dealer"))
            yield dealer

    async def _bet_live(self, since: float, restarted: bool) -> float:
        """A live table stands suspended after a restart, and takes bets when its dealer resumes it."""
        if restarted:
            assert (await self._live_round())["held"] == "suspended"
            async with self._dealer() as dealer:
                with suppress(Refused):  # a resume whose answer was lost is refused the second time
                    await dealer.act("T1", "ResumeRound")
        self._live_version += 1
        amount = 100 * self._live_version
        while True:
            try:
                async with self._dealer() as dealer:
                    await dealer.act(
                        "T1", "PlaceBets", player="ann", slip={"big": amount}, version=self._live_version
                    )
            except (Refused, httpx.HTTPError) as error:
                if isinstance(error, Refused) and error.code not in _PASSING:
                    raise
                await asyncio.sleep(0.05)
            else:
                return monotonic() - since

    async def _live_round(self) -> dict[str, Any]:
        async with Visitor(self.house.server.address) as visitor:
            table = await visitor.get("/tables/T1")
        found: dict[str, Any] = table["table"]["round"] if "table" in table else table["round"]
        return found


async def fault_run(
    folder: Path, postgres: Server | None, *, seed: int, times: int | None = None
) -> list[Recovery]:
    """Every fault of a kind of store in an order that the seed gives; none for `times` is the short run."""
    chance = random.Random(seed)
    faults: list[Fault] = []
    for _ in range(times or 1):
        some = list(POSTGRES if postgres else SQLITE_LONG if times else SQLITE)
        chance.shuffle(some)
        faults += some
    async with running(folder, postgres) as house:
        return await FaultRun(house, seed).play(faults)
