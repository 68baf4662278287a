"""The one door: every act comes in here, whoever sends it, and meets the same questions in the same order.

Which desk is it for; was the same id answered before (then that is the answer, whatever holds now); may this
be done by this person, here and now; does it take a second person; then the desk decides and answers.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from taisai.errors import StoreUnavailable
from taisai.floor.approvals.asked import AskedAct, CageAct, PitAct, StaffAct, TableAct, act_name, inner
from taisai.floor.approvals.messages import ApproveRequest, RequestApproval
from taisai.floor.cage import RedeemTicket
from taisai.floor.cluster.messages import CashOutToTicket, CreditIn
from taisai.floor.desks.desk import Desk
from taisai.floor.door.acts import AnyAct, ApprovalAct, PlayersAct, check_name, sender_of
from taisai.floor.door.answers import Answer
from taisai.floor.door.damaged_sets import at_all_tables
from taisai.floor.door.dice_in_play import dice_in_play
from taisai.floor.door.filling import cash_out_in_full, player_act_in_full
from taisai.floor.door.ledger_figures import record_figures
from taisai.floor.door.owed import before_asking, cash_due
from taisai.floor.door.play_limits import house_check, over_limit
from taisai.floor.door.rules_of_tables import before_change, may_open
from taisai.floor.door.second import (
    carry_out_agreed,
    of_this_round,
    on_staff,
    request_for,
    waiting_for,
    waits,
)
from taisai.floor.door.ticket_requests import before_ticket
from taisai.floor.identity import CashPayment
from taisai.floor.permits import ActPlace, Permit, not_permitted, permit_of
from taisai.floor.pit.messages import (
    CloseDay,
    CountFloat,
    InspectDice,
    PutInDice,
    StartShift,
    TakeDrop,
    TakeOutDice,
)
from taisai.floor.table.messages import (
    AtRack,
    BuyIn,
    CallSupervisor,
    CashOut,
    InRound,
    OpenTable,
    StartRound,
    TakeSeat,
)
from taisai.game import commands as cmd
from taisai.game.chips import IssueColour
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.plain_text import check_texts_of
from taisai.record.ports import CommandAltered

if TYPE_CHECKING:
    from taisai.floor.house import House


class Door:
    """Stands before all desks of a house."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._dice = asyncio.Lock()

    async def do(self, act: AnyAct, by: Actor, key: str) -> Answer:
        """Do an act that `by` sends under an id of their own, once however often it is sent."""
        check_name(act, by)
        if by.role is not Role.SYSTEM:
            check_texts_of(act.command)
        if not self._house.is_awake:
            await self._house.awake()
        if isinstance(act, AskedAct):
            command = inner(act)
            permit = permit_of(command)
            if permit.second is not None:
                first = await self._first_answer(act, by, key)
                if first is not None:
                    return first
            missing = self._may_not(act, command, permit) or self._not_theirs(command)
            if missing is not None:
                return await self._refused(act, by, key, missing)
            if permit.second is not None and waits(self._house, act):
                asked = await self._ask(request_for(act), by, key)
                return waiting_for(self._house, asked)
        answer: Answer = await self._ask(act, by, key)
        if isinstance(answer, Refusal):
            if answer.code is RefusalCode.READING_DIFFERS and isinstance(act, TableAct):
                await self._call_supervisor(act, by, key)
            return answer
        if isinstance(act, ApprovalAct) and isinstance(act.command, ApproveRequest):
            return await carry_out_agreed(self._house, act.command.approval)
        return answer

    def _ask(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Any]:
        """Ask the desk. Dice go and rounds begin one at a time: no round begins with dice that leave."""
        alone = isinstance(act.command, StartRound | TakeOutDice | InspectDice | PutInDice)
        return self._asked_alone(act, by, key) if alone else self._asked(act, by, key)

    async def _asked_alone(self, act: AnyAct, by: Actor, key: str) -> Any:
        async with self._dice:
            return await self._asked(act, by, key)

    async def _asked(self, act: AnyAct, by: Actor, key: str) -> Any:
        """Ask the desk; what the house has to say against a new act is the desk's to put on record."""
        desk, sender, command = self._desk_of(act), sender_of(act, by), act.command
        instead: Any = None
        match act:
            case TableAct():
                placing = command.command if isinstance(command, InRound) else None
                if isinstance(placing, cmd.PlaceBets):  # almost all there is, so it goes by the shortest way
                    instead = await self._before_bets(act.table, placing)
                elif placing is None:
                    instead = await self._judged(act)
                if instead is None and self._takes_chips(act):
                    await desk.wake()
                    return await self._house.cash_chips.ask(
                        act.table, command, lambda short: desk.ask(sender, key, command, instead=short)
                    )
            case CageAct(command=RedeemTicket() as redeemed):
                instead = await self._house.tickets.not_payable_yet(redeemed.ticket)
            case PitAct():
                await self._figures_first(act)
                instead = dice_in_play(self._house, command)
            case ApprovalAct(command=RequestApproval() as asked):
                instead = before_asking(self._house, asked) or await before_ticket(self._house, asked.asked)
                instead = instead or before_change(self._house, asked)
                instead = instead or of_this_round(self._house, asked) or on_staff(self._house, asked)
                instead = instead or at_all_tables(self._house, asked)
            case PlayersAct(command=named) if by.role is not Role.SYSTEM:
                first = await desk.answered(sender, key, command)
                if first is not None:  # before somebody else is registered who sits there now
                    return first
                instead = await player_act_in_full(self._house, named)
            case _:
                pass
        return await desk.ask(sender, key, command, instead=instead)

    async def _first_answer(self, act: AskedAct, by: Actor, key: str) -> Answer | None:
        """What was answered to the same id, where what holds now says which of two desks is asked."""
        sender, request = sender_of(act, by), request_for(act)
        first: Answer | None = await self._desk_of(act).answered(sender, key, act.command)
        if first is None and (asked := await self._house.approvals.answered(sender, key, request.command)):
            return waiting_for(self._house, asked)
        return first

    async def _refused(self, act: AnyAct, by: Actor, key: str, refusal: Refusal) -> Answer:
        """Answer with a refusal, unless the id has its answer already."""
        desk = self._desk_of(act)
        answer: Answer = await desk.ask(sender_of(act, by), key, act.command, instead=refusal)
        return answer

    def _may_not(self, act: AskedAct, command: Any, permit: Permit) -> Refusal | None:
        """Why an act does not exist here, or is not for this position, as far as no round decides that."""
        place = self._place(act)
        if place not in permit.at:
            return by_house(RefusalCode.NOT_AT_THIS_TABLE, act=act_name(act), place=str(place))
        if not isinstance(act, TableAct) or command.by.role is Role.SYSTEM:
            return None
        if permit.deals and self._house.plans[act.table].automatic:
            facts = {"least": str(Role.SYSTEM), "role": str(command.by.role)}
            return by_house(RefusalCode.ROLE_NOT_ALLOWED, **facts)
        return None if command is not act.command else not_permitted(command)

    def _not_theirs(self, command: Any) -> Refusal | None:
        """Why an act is not that of the two people who agreed to it, in the positions that they have now."""
        if command.by.role is Role.SYSTEM or getattr(command, "second", None) is None:
            return None
        return self._house.staff.state.not_theirs(command)

    def _place(self, act: AskedAct) -> ActPlace:
        match act:
            case TableAct():
                self._house.table(act.table)
                return ActPlace.LIVE if self._house.plans[act.table].kind == "live" else ActPlace.CLUSTER
            case CageAct():
                return ActPlace.CAGE
            case PitAct():
                return ActPlace.PIT
            case StaffAct():
                return ActPlace.STAFF

    def _desk_of(self, act: AnyAct) -> Desk[Any]:
        house = self._house
        match act:
            case TableAct():
                return house.table(act.table)
            case CageAct():
                return house.cage
            case PitAct():
                return house.pit
            case PlayersAct():
                return house.players
            case StaffAct():
                return house.staff
            case ApprovalAct():
                return house.approvals

    async def _judged(self, act: TableAct) -> Any:
        """What the house makes of an act before its desk sees it: a refusal, a fuller command, or nothing."""
        house, command = self._house, act.command
        match command:
            case OpenTable():
                return may_open(house, act.table, command)
            case StartRound():
                return house.may_start(act.table) or house.with_dice(act.table, command)
            case TakeSeat() | BuyIn() if command.player is not None:
                return house.players.state.excluded(command.player, command.at)
            case AtRack(command=IssueColour() as sale):
                return house.players.state.excluded(sale.player, sale.at)
            case CashOutToTicket():
                return cash_out_in_full(house, command)
            case CashOut():
                due = cash_due(house, act.table, command)
                payment = CashPayment(by=command.by, amount=due, identity=command.identity)
                return payment.lack(house.plan.cage, house.cage.state.drawers)
            case CreditIn():
                return await house.tickets.not_payable_yet(command.ticket)
            case _:
                return None

    async def _before_bets(self, table: str, placing: cmd.PlaceBets) -> Refusal | None:
        """Close first what should have closed by now; then what the player's limits and the house say."""
        dealing, again = self._house.dealings[table], False
        while True:
            try:
                refusal = self._against_bets(table, placing)
                if dealing.is_past_deadline(placing.at):
                    await dealing.close()
                return refusal
            except StoreUnavailable:  # a failed commit threw a state away: wait for it, then look
                if again:
                    raise
                again = True
                await self._house.awake()

    def _against_bets(self, table: str, placing: cmd.PlaceBets) -> Refusal | None:
        house, players = self._house, self._house.players.state
        refusal = over_limit(players, house.tables, table, placing, placing.at)
        if refusal is not None:
            return refusal
        state, minutes = house.tables[table].state, house.plan.reality_check_minutes
        return house_check(players, state, placing, minutes=minutes)

    def _takes_chips(self, act: TableAct) -> bool:
        return self._house.plans[act.table].kind == "live" and isinstance(
            act.command, InRound | CashOut | AtRack
        )

    async def _figures_first(self, act: PitAct) -> None:
        """What the ledger says now is what a count is held against, and a shift that ends has its figures."""
        match act.command:
            case CountFloat() | TakeDrop():
                await record_figures(self._house, act.command.table, uuid4().hex)
            case CloseDay() | StartShift():
                for table in (name for name, plan in self._house.plans.items() if not plan.practice):
                    await record_figures(self._house, table, uuid4().hex)
            case _:
                pass

    async def _call_supervisor(self, act: TableAct, by: Actor, key: str) -> None:
        """The dealer's dice are not those of the second reading: the pit hears of it, and the record."""
        declared = act.command
        if isinstance(declared, InRound) and isinstance(declared.command, cmd.DeclareRoll):
            number = self._house.table(act.table).state.number
            call = CallSupervisor(
                by=declared.by, at=declared.at, round=number, declared=declared.command.roll
            )
            with suppress(CommandAltered):  # asked again in a later round: the pit was called at the time
                await self._ask(TableAct(act.table, call), by, f"{key}.call")
