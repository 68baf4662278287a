"""A simulated dealer at live tables: one act of the course after the other, until a person deals."""

import random
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from taisai.dice import Roll
from taisai.floor.approvals.asked import PitAct, TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.pit.messages import SeatDealer
from taisai.floor.ports import Floor
from taisai.floor.table.messages import BuyIn, InRound, StartRound, TakeSeat
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.server.robots.habits import HABITS, player_at, slip_by
from taisai.server.robots.terminals import PURSE_UNITS, ROBOTS
from taisai.server.sockets.console_view import next_act

DEALER: Final = Actor("robot-dealer", Role.DEALER)
BETTING: Final = timedelta(seconds=24)


class RobotDealer:
    """Deals one live table. `step` does the next act if its time has come."""

    def __init__(self, house: Floor, table: str, whim: random.Random) -> None:
        self.house, self.table, self._whim = house, table, whim

    async def sit_down(self, players: bool = True) -> None:
        """Take the table unless somebody deals there, and let the players take their seats."""
        if self.house.read.at_pit(self.table).dealer is None:
            at = self.house.now()
            seat = SeatDealer(by=DEALER, at=at, table=self.table, dealer=DEALER.name)
            await self.house.do(PitAct(seat), DEALER, uuid4().hex)
        for place, name in enumerate(HABITS if players else (), 1):
            at = self.house.now()
            await self._do(TakeSeat(by=DEALER, at=at, seat=place, player=self.player(name)))

    async def take_up(self) -> None:
        """Go on where the house stopped: a start holds the round until its dealer resumes it."""
        if self.deals and next_act(self.house.read.table(self.table)) == "ResumeRound":
            await self._in_round(cmd.ResumeRound(by=DEALER, at=self.house.now()))

    def player(self, name: str) -> str:
        """A simulated player as this table knows them."""
        return player_at(self.table, name)

    @property
    def deals(self) -> bool:
        """Whether the table is this one's: a person who deals has taken it over."""
        return self.house.read.at_pit(self.table).dealer == DEALER.name

    @property
    def is_in_play(self) -> bool:
        """Whether a round has begun and not ended."""
        return next_act(self.house.read.table(self.table)) not in (None, "StartRound")

    async def step(self) -> str | None:
        """The next act of the course, or none while it is not its time."""
        state = self.house.read.table(self.table)
        act = next_act(state)
        current, at = state.current, self.house.now()
        if not self.deals or act is None or act in ("ResumeRound", "MakeRuling"):
            return None
        if act == "StartRound":
            await self._do(StartRound(by=DEALER, at=at))
        elif act == "CloseBetting":
            if state.window is not None and at - state.window.opens_at < BETTING:
                return None
            await self._in_round(cmd.CloseBetting(by=DEALER, at=at, excess="reject"))
        elif current is not None:
            await self._in_round(self._command(act))
        return act

    def _command(self, act: str) -> cmd.AnyCommand:
        who: dict[str, Any] = {"by": DEALER, "at": self.house.now()}
        if act == "ActivateTumbler":
            return cmd.ActivateTumbler(**who, tumbles=3)
        if act == "DeclareRoll":
            return cmd.DeclareRoll(**who, roll=Roll(*(self._whim.randint(1, 6) for _ in range(3))))
        kind: Any = getattr(cmd, act)
        command: cmd.AnyCommand = kind(**who)
        return command

    async def bet_for_all(self) -> None:
        """The players lay their chips; whoever has none left gets more from the house."""
        current = self.house.read.table(self.table).current
        if current is None or current.phase is not Phase.BETTING:
            return
        for name, habit in HABITS.items():
            if self.player(name) in current.slips or self._whim.random() < 0.2:
                continue
            slip = slip_by(habit, current, self._whim)
            if await self._place(name, slip) is RefusalCode.FUNDS_INSUFFICIENT:
                amount = PURSE_UNITS * current.limits.unit
                at = self.house.now()
                await self._do(
                    BuyIn(by=SYSTEM, at=at, player=self.player(name), amount=amount, source="promo")
                )
                await self._place(name, slip)

    async def _place(self, name: str, slip: dict[str, int]) -> RefusalCode | None:
        at = self.house.now()
        placing = cmd.PlaceBets(by=DEALER, at=at, player=self.player(name), slip=slip, version=1)
        answer = await self._in_round(placing)
        return answer.code if isinstance(answer, Refusal) else None

    async def _in_round(self, command: cmd.AnyCommand, number: int | None = None) -> Any:
        return await self._do(InRound(by=command.by, at=command.at, command=command, round=number))

    async def ask_to_correct(self) -> Any:
        """A request for a second person: a die of the last concluded round was read wrongly."""
        rounds = self.house.read.table(self.table).rounds
        number = max((n for n, each in rounds.items() if each.phase is Phase.CONCLUDED), default=None)
        if number is None or (was := rounds[number].roll) is None:
            return None
        first, second, third = was
        right = Roll(first % 6 + 1, second, third)
        reason = "robot dealer: I read the first die wrongly"
        asked = cmd.CorrectResult(by=DEALER, at=self.house.now(), roll=right, reason=reason)
        return await self._in_round(asked, number)

    async def _do(self, command: Any) -> Any:
        return await self.house.do(TableAct(self.table, command), ROBOTS, uuid4().hex)
