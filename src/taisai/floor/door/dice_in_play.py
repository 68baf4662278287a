"""Sets of dice and their rounds: none leaves its tumbler in mid-round, and none is used once damaged.

Dice go and rounds begin one at a time. Where another process runs the pit, a table has its dice claimed there
before it begins a round with them: the pit then knows of the round before its table's record does.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from taisai.errors import StoreError
from taisai.floor.approvals.asked import AskedAct, PitAct, TableAct
from taisai.floor.desks.copy import DeskCopy
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.desks.desk import Desk
from taisai.floor.door.damaged_sets import report_of
from taisai.floor.pit.messages import ClaimDice, InspectDice, TakeOutDice
from taisai.floor.streams import PIT
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode, by_house

if TYPE_CHECKING:
    from taisai.floor.house import House


def dice_in_play(house: "House", command: Any) -> Refusal | None:
    """Why a set of dice is not taken out or looked at now: its round is in play.

    What was damaged is reported, which voids the round; then it is taken out.
    """
    if not isinstance(command, TakeOutDice | InspectDice) or command.by.role is Role.SYSTEM:
        return None
    desk, claim = house.tables.get(command.table), house.pit.state.claimed_dice.get(command.table)
    if desk is None:
        return None
    number: int = desk.state.number
    begins = isinstance(desk, DeskCopy) and claim is not None and claim.round > number
    if not begins and not (desk.state.in_play and desk.state.current.dice_set == command.dice_set):
        return None
    facts = {"dice_set": command.dice_set, "table": command.table, "round": number + begins}
    return by_house(RefusalCode.DICE_IN_PLAY, **facts)


class DiceTurns:
    """Dice go and rounds begin one at a time: no round begins with dice that leave."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._turn = asyncio.Lock()
        self._returning: set[asyncio.Task[Any]] = set()

    async def stop(self) -> None:
        """Let claims that nobody needs come back."""
        await asyncio.gather(*self._returning, return_exceptions=True)

    async def rest(self) -> None:
        """Wait until what has its turn is done."""
        async with self._turn:
            return

    async def alone(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Something happens to a set of dice."""
        async with self._turn:
            return await ask()

    async def begin(self, table: str, ask: Callable[[Refusal | None], Awaitable[Any]]) -> Any:
        """A round begins, with dice that the pit knows of."""
        while True:
            is_here = self._house.decides
            refused = None if is_here else await self._claim(table)
            async with self._turn:
                if is_here and not self._house.decides:
                    continue  # the pit was handed over at this moment
                answer = await ask(refused)
            if not is_here:
                self._let_go_soon(table)
            return answer

    async def _claim(self, table: str) -> Refusal | None:
        """Have the pit know of the next round, if it has dice; whoever has lost the table is refused."""
        await self._house.desks_here.catch_up([PIT])
        desk = self._house.table(table)
        if self._house.pit.state.dice_set(table) is None or not desk.has_state or desk.state.in_play:
            return None
        answer = await self._ask(table, desk.state.number + 1)
        return answer if isinstance(answer, Refusal) else None

    async def _ask(self, table: str, number: int) -> Any:
        desk = self._house.table(table)
        epoch = desk.epoch if isinstance(desk, Desk) else 0
        asked = ClaimDice(by=SYSTEM, at=self._house.now(), table=table, epoch=epoch, round=number)
        return await self._house.do(PitAct(asked), SYSTEM, uuid4().hex)

    def _let_go_soon(self, table: str) -> None:
        """A round that did not begin leaves its dice to whoever wants them; nobody waits for that."""
        desk, claim = self._house.table(table), self._house.pit.state.claimed_dice.get(table)
        if claim is None or not desk.has_state or claim.round > desk.state.number:
            task = asyncio.get_running_loop().create_task(self.settle_in(table))
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)

    async def settle_in(self, table: str) -> None:
        """Give back what was claimed for a round that never began, here or in the process before this one."""
        try:
            await self._house.desks_here.catch_up([PIT])
            desk, claim = self._house.table(table), self._house.pit.state.claimed_dice.get(table)
            if isinstance(desk, Desk) and claim is not None and claim.round > desk.state.number:
                await self._ask(table, 0)
        except StoreError:
            return  # the table's next claim takes its place


def set_aside(house: "House", act: AskedAct) -> InspectDice | None:
    """After a report of damage: the set has failed, so no round begins with it while it is in the tumbler."""
    reported = report_of(act)
    if reported is None or reported.dice_set is None or not isinstance(act, TableAct):
        return None
    pit = house.pit.state
    tables = (name for name in house.plans if pit.dice_set(name) == reported.dice_set)
    if (table := next(tables, None)) is None:
        return None
    return InspectDice(
        by=SYSTEM,
        at=reported.at,
        table=table,
        dice_set=reported.dice_set,
        passed=False,
        note=reported.reason,
    )
