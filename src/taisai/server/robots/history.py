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
from taisai.floor.house import House
from taisai.game.people import Actor, Role
from taisai.server.robots.dealer import DEALER, RobotDealer

STEP: Final = timedelta(seconds=5)
LENGTH: Final = timedelta(minutes=15)
LAST: Final = timedelta(seconds=90)  # before the end: rounds that were begun are played out
_SUPERVISOR: Final = Actor("robot-supervisor", Role.PIT_SUPERVISOR)
_NAP_SECONDS: Final = 0.002  # what the clock set off comes to its end meanwhile


async def play_history(house: House, clock: ManualClock, until: datetime, *, seed: int = 0) -> int:
    """Play until a moment, and say how many rounds were played.

    At the live tables a simulated dealer deals and simulated players bet. Early on one result is corrected,
    by two people, so that there is something to look into.
    """
    whim = random.Random(seed)  # noqa: S311 - whims of simulated players
    live = [RobotDealer(house, plan.name, whim) for plan in house.plan.tables if plan.kind == "live"]
    for dealer in live:
        await dealer.sit_down()
    corrected = False
    while clock.now() + STEP < until:
        clock.move(clock.now() + STEP)
        await asyncio.sleep(_NAP_SECONDS)
        for dealer in live:
            if until - clock.now() < LAST and not dealer.is_in_play:
                continue  # a start would find the round held
            if await dealer.step() == "StartRound":
                await dealer.bet_for_all()
        if not corrected and live and house.read.table(live[0].table).number > 2:
            corrected = await _correct(house, live[0])
    return sum(house.read.table(dealer.table).number for dealer in live)


async def _correct(house: House, dealer: RobotDealer) -> bool:
    """Ask, and agree as somebody else."""
    asked = await dealer.ask_to_correct()
    if not isinstance(asked, Waiting):
        return False
    agreed = ApproveRequest(by=_SUPERVISOR, at=house.now(), approval=asked.approval)
    await house.do(ApprovalAct(agreed), _SUPERVISOR, uuid4().hex)
    return True


def is_asked_by_robot(house: House) -> bool:
    """Whether a request of the simulated dealer waits for somebody."""
    return any(request.by.name == DEALER.name for request in house.read.waiting())
