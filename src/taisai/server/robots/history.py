"""Some time of play before a demonstration opens: by the one door, on a clock that somebody else moves."""

import asyncio
import random
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from taisai.adapters.clock import ManualClock
from taisai.floor.approvals.messages import ApproveRequest
from taisai.floor.door.acts import ApprovalAct
from taisai.floor.door.answers import Waiting
from taisai.floor.plan import TablePlan
from taisai.floor.ports import Floor
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.server.robots.dealer import DEALER, RobotDealer
from taisai.server.robots.terminals import RobotTerminals

STEP: Final = timedelta(seconds=5)
LENGTH: Final = timedelta(minutes=15)
LAST: Final = timedelta(seconds=90)  # before the end: rounds that were begun are played out
_SUPERVISOR: Final = Actor("robot-supervisor", Role.PIT_SUPERVISOR)
_NAP_SECONDS: Final = 0.002  # what the clock set off comes to its end meanwhile
_NAPS_MAX: Final = 2_000  # a store or a log that does not answer keeps nobody from opening
_LOG_NAPS: Final = 10  # the log takes its own time, on the same clock
_LEAST: Final = timedelta(milliseconds=100)


async def play_history(house: Floor, clock: ManualClock, until: datetime, *, seed: int = 0) -> int:
    """Play until a moment, and say how many rounds were played.

    At the live tables a simulated dealer deals; automatic tables with a clock deal themselves. Simulated
    players bet at all of them. Early on one result is corrected, by two people, so that there is something to
    look into.
    """
    whim = random.Random(seed)  # noqa: S311 - whims of simulated players
    live = [RobotDealer(house, plan.name, whim) for plan in house.plan.tables if plan.kind == "live"]
    alone = [_Automatic(house, plan.name, whim) for plan in house.plan.tables if _deals_by_the_clock(plan)]
    for dealer in live:
        await dealer.sit_down()
    for table in alone:
        await table.sit_down()
    corrected = False
    while clock.now() + STEP < until:
        await _pass(clock, alone, until)
        for dealer in live:
            if until - clock.now() < LAST and not dealer.is_in_play:
                continue  # a start would find the round held
            if await dealer.step() == "StartRound":
                await dealer.bet_for_all()
        if not corrected and live and house.read.table(live[0].table).number > 2:
            corrected = await _correct(house, live[0])
    for table in alone:
        await table.stop()
    played = [dealer.table for dealer in live] + [table.table for table in alone]
    return sum(house.read.table(name).number for name in played)


def _deals_by_the_clock(plan: TablePlan) -> bool:
    return plan.kind == "cluster" and plan.automatic and plan.settings.timing.betting_seconds is not None


class _Automatic(RobotTerminals):
    """A table that deals itself, and the simulated players at its terminals."""

    _played = 0  # the last round that they bet in

    async def sit_down(self) -> None:
        await super().sit_down()
        self.house.dealings[self.table].start()

    async def stop(self) -> None:
        await self.house.dealings[self.table].stop()

    async def settle_down(self, *, ends: bool) -> None:
        """Wait until nothing is due, and let the players bet; no round begins when the time ends."""
        dealing = self.house.dealings[self.table]
        for nap in range(_NAPS_MAX):
            await asyncio.sleep(_NAP_SECONDS)
            table = self.house.read.table(self.table)
            if table.number != self._played:
                self._played = table.number
                await self.bet_for_all()
            current = table.current
            if ends and (current is None or current.phase in (Phase.CONCLUDED, Phase.VOID)):
                await self.stop()
                return
            waits_for_log = current is not None and current.phase is Phase.CLOSED and nap < _LOG_NAPS
            if not dealing.is_busy() and not waits_for_log:
                return


async def _pass(clock: ManualClock, alone: list[_Automatic], until: datetime) -> None:
    """One step of time, with a halt at every moment that somebody waits for."""
    end = clock.now() + STEP
    while clock.now() < end:
        alarm = clock.next_alarm()
        clock.move(end if alarm is None else min(end, max(alarm, clock.now() + _LEAST)))
        await asyncio.sleep(_NAP_SECONDS)
        ends = until - clock.now() < LAST
        await asyncio.gather(*(table.settle_down(ends=ends) for table in alone))


async def _correct(house: Floor, dealer: RobotDealer) -> bool:
    """Ask, and agree as somebody else."""
    asked = await dealer.ask_to_correct()
    if not isinstance(asked, Waiting):
        return False
    agreed = ApproveRequest(by=_SUPERVISOR, at=house.now(), approval=asked.approval)
    await house.do(ApprovalAct(agreed), _SUPERVISOR, uuid4().hex)
    return True


def is_asked_by_robot(house: Floor) -> bool:
    """Whether a request of the simulated dealer waits for somebody."""
    return any(request.by.name == DEALER.name for request in house.read.waiting())
