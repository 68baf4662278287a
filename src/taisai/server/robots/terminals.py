"""Simulated players at the terminals of one cluster: they come with the house's credit, and bet."""

import asyncio
import random
from typing import Any, Final
from uuid import uuid4

from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import CreditIn, EnrolTerminal
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.acts import PlayersAct
from taisai.floor.players.messages import ConfirmRealityCheck
from taisai.floor.ports import Floor
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.limits import Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.server.robots.habits import habit_of, slip_by

ROBOTS: Final = Actor("robots", Role.SYSTEM)
PURSE_UNITS: Final = 500
TERMINALS: Final = 6


class RobotTerminals:
    """Terminals of a cluster, each with somebody's habit. They do no more than any player could."""

    def __init__(self, house: Floor, table: str, whim: random.Random) -> None:
        self.house, self.table, self._whim = house, table, whim
        self.names = [f"{table}-robot-{number}" for number in range(1, TERMINALS + 1)]

    async def sit_down(self) -> None:
        """Enrol the terminals that are not there yet."""
        known = self.house.read.table(self.table).terminals()
        for name in self.names:
            if name not in known:
                digest, at = uuid4().hex, self.house.now()
                await self._do(
                    EnrolTerminal(by=SYSTEM, at=at, terminal=name, key_digest=digest, label="robot")
                )

    async def bet_for_all(self) -> None:
        """Whoever has no bets in the round that is open places some."""
        current = self.house.read.table(self.table).current
        if current is None or current.phase is not Phase.BETTING:
            return
        here = self.house.read.table(self.table).terminals().items()
        bare = [name for name, one in here if name in self.names and one.session not in current.slips]
        await asyncio.gather(*map(self.bet_at, bare))  # so that one commit has them all

    async def bet_at(self, terminal: str) -> None:
        """One player's bets in the round that is open; the house gives more to who has little left."""
        current = self.house.read.table(self.table).current
        session = await self._funded(terminal, current.limits) if current else None
        if session is None:
            return
        answer = await self._place(terminal, session)
        if isinstance(answer, Refusal) and answer.code is RefusalCode.REALITY_CHECK_DUE:
            # A reality check says nothing to a robot, which confirms it as players do.
            player = await self.house.seated_player(session)
            confirmed = ConfirmRealityCheck(by=Actor(player, Role.PLAYER), at=self.house.now(), player=player)
            await self.house.do(PlayersAct(confirmed), ROBOTS, uuid4().hex)
            await self._place(terminal, session)

    async def _funded(self, terminal: str, limits: Limits) -> str | None:
        """The session at a terminal, with credit for some bets."""
        table = self.house.read.table(self.table)
        session = table.terminals()[terminal].session
        if session is not None and table.money(session).credit >= 20 * limits.default.minimum:
            return session
        amount, at = PURSE_UNITS * limits.unit, self.house.now()
        await self._do(CreditIn(by=SYSTEM, at=at, terminal=terminal, source="promo", amount=amount))
        return self.house.read.table(self.table).terminals()[terminal].session

    async def _place(self, terminal: str, session: str) -> Any:
        current = self.house.read.table(self.table).current
        if current is None:
            return None
        by, at = Actor(session, Role.PLAYER), self.house.now()
        slip = slip_by(habit_of(int(terminal.rpartition("-")[2])), current, self._whim)
        placing = cmd.PlaceBets(by=by, at=at, player=session, slip=slip, version=1)
        return await self._do(InRound(by=by, at=at, command=placing))

    async def _do(self, command: Any) -> Any:
        return await self.house.do(TableAct(self.table, command), ROBOTS, uuid4().hex)
