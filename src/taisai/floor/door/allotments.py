"""Limits that hold across tables which several processes run: what a table takes it was allotted before.

A player's own limits count what is at stake at all tables, and cash chips are good at all of them; no table
sees what another process does at this moment. So the office grants each table an amount, on its record, and
counts it as used until it comes back. A table refuses nothing for lack of its own before it has asked. Where
one process runs everything it sees everything, and none of this is done.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import msgspec

from taisai.errors import StoreError
from taisai.floor.approvals.asked import PitAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.desks.desk import Desk
from taisai.floor.door.acts import PlayersAct
from taisai.floor.door.play_limits import added, at_stake
from taisai.floor.pit.messages import AllotChips
from taisai.floor.players.messages import AllotPlay, PlayLimits
from taisai.floor.streams import table_stream
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal
from taisai.ledger.accounts import CASH_CHIPS
from taisai.record.views import balances

if TYPE_CHECKING:
    from taisai.floor.house import House


class _Granted(NamedTuple):
    """What a table was allotted for a player, and the limits that it was granted under."""

    epoch: int
    round: int
    amount: int
    limits: PlayLimits


class Allotments:
    """Asks for what this process's tables need, and fills in what the office has to know."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._granted: dict[tuple[str, str], _Granted] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._counting = asyncio.Lock()
        self._returning: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Let what is being given back come back."""
        await asyncio.gather(*self._returning, return_exceptions=True)

    def forget(self) -> None:
        """The house is divided otherwise: what was granted before may have been used by others since."""
        self._granted.clear()

    # Players' own limits, at the table

    def turn_of(self, player: str) -> asyncio.Lock | None:
        """One slip at a time of somebody who has limits: the next is judged on what this one left."""
        desk = self._house.players
        players = desk.state if desk.has_state else None
        found = players.find(player) if players is not None and players.players else None
        if found is None or not _is_limited(found.limits):
            return None
        return self._turns.setdefault(found.name, asyncio.Lock())

    async def over_limit(self, table: str, placing: cmd.PlaceBets) -> Refusal | None:
        """Why a player's exclusion or own limits forbid a slip; for money the office is asked first."""
        house = self._house
        players, desk = house.players.state, house.table(table)
        if not players.players and not players.policy.registered_only:
            return None
        more, found = added(desk.state, placing), players.find(placing.player)
        if more <= 0 or found is None:
            return players.check(placing.player, more, placing.at)
        refusal = players.barred(placing.player, placing.at)
        if refusal is not None or not _is_limited(found.limits) or not isinstance(desk, Desk):
            return refusal
        number, amount = desk.state.number, at_stake(desk.state, table, found) + more
        granted = self._granted.get((table, found.name))
        wanted = _Granted(desk.epoch, number, amount, found.limits)
        if granted is not None and granted._replace(amount=amount) == wanted and granted.amount >= amount:
            return None
        await house.plays.caught_up()  # what was settled before this counts before it
        asked = AllotPlay(
            by=SYSTEM,
            at=placing.at,
            player=found.name,
            table=table,
            round=number,
            epoch=desk.epoch,
            amount=amount,
            more=more,
        )
        answer = await house.do(PlayersAct(asked), SYSTEM, uuid4().hex)
        if isinstance(answer, Refusal):
            return answer
        self._granted[table, found.name] = wanted
        return None

    # The same, at the office

    async def with_felt(self, asked: AllotPlay) -> AllotPlay:
        """With what is seen at stake at other tables; before that refuses it, it is read again."""
        seen = self._with_seen(asked)
        if isinstance(self._house.players.state.decide(seen, ""), Refusal):
            await self._house.desks_here.catch_up(map(table_stream, self._house.plans))
            seen = self._with_seen(asked)
        return seen

    def _with_seen(self, asked: AllotPlay) -> AllotPlay:
        found = self._house.players.state.find(asked.player)
        if found is None:
            return asked
        felt = {
            name: amount
            for name, desk in self._house.tables.items()
            if name != asked.table and (amount := at_stake(desk.state, name, found))
        }
        return msgspec.structs.replace(asked, felt=felt)

    # Cash chips

    async def chips(self, table: str, needed: int, ask: Callable[[Refusal | None], Awaitable[Any]]) -> Any:
        """Do an act that takes cash chips out of circulation, once the office has allotted them."""
        answer = await self._allot_chips(table, needed)
        if isinstance(answer, Refusal):
            return await ask(answer)
        try:
            return await ask(None)
        finally:
            self._give_back(table)

    async def _allot_chips(self, table: str, amount: int) -> Any:
        desk = self._house.table(table)
        epoch = desk.epoch if isinstance(desk, Desk) else 0
        asked = AllotChips(by=SYSTEM, at=self._house.now(), table=table, epoch=epoch, amount=amount)
        return await self._house.do(PitAct(asked), SYSTEM, uuid4().hex)

    def _give_back(self, table: str) -> None:
        """What was taken is on the record now, and what was not comes back; nobody waits for it."""
        task = asyncio.get_running_loop().create_task(self._given_back(table))
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)

    async def _given_back(self, table: str) -> None:
        try:
            await self._allot_chips(table, 0)
        except StoreError:
            return  # the table's next allotment takes its place

    async def count_chips(self, asked: AllotChips, ask: Callable[[AllotChips], Awaitable[Any]]) -> Any:
        """At the office: one at a time, so that nobody gives back between the count and the decision."""
        async with self._counting:
            debits, credits = (await balances(self._house.store, [CASH_CHIPS]))[CASH_CHIPS]
            return await ask(msgspec.structs.replace(asked, out=credits - debits))

    # After a start

    async def settle_in(self, table: str) -> None:
        """What the process before this one was allotted for a table, and nobody needs any more."""
        held = self._house.pit.state.allotted_chips.get(table)
        if held is not None and held.amount and not self._house.is_whole:
            await self._allot_chips(table, 0)


def _is_limited(limits: PlayLimits) -> bool:
    spending = (limits.loss_day, limits.loss_session, limits.wager_day, limits.wager_session)
    return any(limit is not None for limit in spending)
