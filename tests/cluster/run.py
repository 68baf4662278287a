"""Players at a house on a cluster, while what a seed says fails; and what the checker finds at rest."""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from taisai.client import Visitor
from tests.cluster.checker import Checker, Found
from tests.cluster.engines import Engines
from tests.cluster.members import Cluster
from tests.cluster.people import Player
from tests.cluster.plan import Plan

SHAPE: Final[Mapping[str, str]] = {
    **{f"desk{number}": "desk" for number in (1, 2)},
    **{f"gateway{number}": "gateway" for number in (1, 2)},
}
WAIT_SECONDS: Final = 180.0
FOUND_SECONDS: Final = 30.0


class Outcome(msgspec.Struct, kw_only=True):
    """One seed: what was found, and how long after the last fault everybody was served again."""

    plan: str
    found: Found
    back: float
    waited: float  # the longest that anybody had between two slips, fault and rounds included


class Evening:
    """One house with its players."""

    def __init__(self, cluster: Cluster, players: list[Player]) -> None:
        self.cluster, self.players = cluster, players

    async def suffer(self, plan: Plan) -> Outcome:
        """Play, break, mend, come to rest and check."""
        playing = [asyncio.create_task(player.run()) for player in self.players]
        for player in self.players:
            player.patience = True
        try:
            await self.everybody_bets(monotonic(), "before the first fault")
            for player in self.players:
                player.waited = 0.0
            await plan.carry_out(self.cluster)
            mended = monotonic()
            await self.everybody_bets(mended, str(plan))
            back = max(player.registered_at for player in self.players) - mended
            waited = max(player.waited for player in self.players)
            for player in self.players:
                player.patience = False
            async with asyncio.timeout(WAIT_SECONDS):
                await asyncio.gather(*playing)
                await self._rest()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        found = await self.check()
        return Outcome(plan=str(plan), found=found, back=back, waited=waited)

    async def found_after(self, plan: Plan, text: str) -> list[str]:
        """The same for a house that is broken and may never come to rest, until this was found of it."""
        playing = [asyncio.create_task(player.run()) for player in self.players]
        wrong: list[str] = []
        try:
            await self.everybody_bets(monotonic(), "before the first fault")
            await plan.carry_out(self.cluster)
            with suppress(TimeoutError):
                async with asyncio.timeout(FOUND_SECONDS):
                    while not any(text in each for each in wrong):
                        wrong = (await self.check()).wrong
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        return wrong

    async def check(self) -> Found:
        database = self.cluster.engines.pair.primary.url(self.cluster.database)
        return await Checker().check(database, self.cluster.keys, self.players)

    async def everybody_bets(self, since: float, after: str) -> None:
        """Nobody asks whether the house is ready: the terminals just go on."""
        while not all(player.registered_at > since for player in self.players):
            if monotonic() - since > WAIT_SECONDS:
                away = [
                    f"{player.terminal.address} {player.log[-1:]}"
                    for player in self.players
                    if player.registered_at <= since
                ]
                raise AssertionError(f"{WAIT_SECONDS:g} s after {after} these do not bet: {away[:5]}")
            await asyncio.sleep(0.02)

    async def _rest(self) -> None:
        """Until the last rounds with bets are over, and everyone was told.

        A gateway that catches up tells of a new round before it tells what the one before it brought: a
        round more, and all of it has come.
        """
        for player in self.players:
            last = player.log[-1].round + 1
            terminal = player.terminal
            while terminal.round is None or terminal.round.number <= last or not terminal.connected:
                if not terminal.connected:
                    with suppress(Exception):
                        player.lost()
                        await terminal.open()
                await asyncio.sleep(0.05)
        for player in self.players:
            await player.terminal.cut()  # what is told later is not on the record that is looked at now


@asynccontextmanager
async def evening(
    engines: Engines,
    folder: Path,
    *,
    shape: Mapping[str, str] = SHAPE,
    later: Sequence[str] = (),
    players: int = 8,
    sabotage: str = "",
    release: str = "",
) -> AsyncIterator[Evening]:
    """A house that is open, and players who have sat down."""
    made = Cluster(engines, folder, shape, later=later, sabotage=sabotage, release=release)
    async with made.running() as cluster:
        chance = random.Random(len(shape))
        seated = []
        for number in range(players):
            async with Visitor(cluster.addresses[0], seconds=30) as visitor:
                key = await visitor.demo_terminal("C1" if number % 2 else "C2")
            seated.append(Player(cluster.addresses, key, chance.randrange(10**6)))
        try:
            yield Evening(cluster, seated)
        finally:
            for player in seated:
                with suppress(Exception):
                    await player.terminal.cut()
