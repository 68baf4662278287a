"""The one door: every act comes in here, whoever sends it, and meets the same questions in the same order.

Which desk is it for; was the same id answered before (then that is the answer, whatever holds now); may this
be done by this person, here and now; does it take a second person; then the desk decides and answers.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from taisai.errors import StoreUnavailable
from taisai.floor.approvals.asked import AskedAct, CageAct, PitAct, StaffAct, TableAct, act_name, inner
from taisai.floor.approvals.messages import ApproveRequest, RequestApproval
from taisai.floor.cage import RedeemTicket
from taisai.floor.cluster.messages import CashOutToTicket, CreditIn
from taisai.floor.desks.decider import Done, sender_name
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import DeskStopped
from taisai.floor.desks.requests import said_of
from taisai.floor.door.acts import AnyAct, ApprovalAct, PlayersAct, check_name, desk_of, sender_of
from taisai.floor.door.answers import Answer
from taisai.floor.door.damaged_sets import at_all_tables, tables_named
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
    AllotChips,
    ClaimDice,
    CloseDay,
    CountFloat,
    InspectDice,
    PutInDice,
    StartShift,
    TakeDrop,
    TakeOutDice,
)
from taisai.floor.players.messages import AllotPlay
from taisai.floor.streams import APPROVALS, PIT, table_stream
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
from taisai.floor.table.state import TableState
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

    def do(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Answer]:
        """Do an act that `by` sends under an id of their own, once however often it is sent."""
        check_name(act, by)
        command = act.command
        if by.role is not Role.SYSTEM:
            check_texts_of(command, said_of)
        if isinstance(act, TableAct) and isinstance(command, InRound):
            placing = command.command
            if isinstance(placing, cmd.PlaceBets):
                return self._slip(act, placing, by, key)
        return self._do(act, by, key)

    async def _do(self, act: AnyAct, by: Actor, key: str) -> Answer:
        """Whatever is no slip."""
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
                return await self._put_before_another(request_for(act), by, key)
        answer: Answer = await self._ask(act, by, key)
        if isinstance(answer, Refusal):
            if answer.code is RefusalCode.READING_DIFFERS and isinstance(act, TableAct):
                await self._call_supervisor(act, by, key)
            return answer
        if isinstance(act, ApprovalAct) and isinstance(act.command, ApproveRequest):
            return await carry_out_agreed(self._house, act.command.approval)
        return answer

    async def _put_before_another(self, request: ApprovalAct, by: Actor, key: str) -> Answer:
        """Requests are the office's; where that is another process, it is asked."""
        house = self._house
        if house.owns(request):
            return waiting_for(house, await self._ask(request, by, key))
        asked = await house.do(request, by, key)
        await house.desks_here.catch_up([APPROVALS])
        return waiting_for(house, asked) if isinstance(asked, Done | Refusal) else asked

    def _slip(self, act: TableAct, placing: cmd.PlaceBets, by: Actor, key: str) -> Awaitable[Answer]:
        """A slip is almost all there is, so it goes by the shortest way: to wait for there is the desk alone.

        Every table takes slips, no slip takes two people, and whose bets they are is the round's to say: of
        what the permits ask nothing is left. Of somebody who has limits one slip comes at a time: the next is
        judged on what this one left.
        """
        house = self._house
        turn = house.allotments.turn_of(placing.player)
        if turn is not None or not house.is_whole or house.ownership.is_overdue():
            return self._slip_in_turn(turn, act, placing, by, key)
        desk, refusal = self._desk_of(act), None
        try:
            refusal = self._against_bets(desk.state, act.table, placing)
            must_wait = house.dealings[act.table].is_past_deadline(placing.at)
        except StoreUnavailable:
            must_wait = True
        if must_wait:
            return self._slip_in_turn(turn, act, placing, by, key)
        return self._to_desk(desk, act, sender_name(by), key, refusal)

    async def _slip_in_turn(
        self, turn: asyncio.Lock | None, act: TableAct, placing: cmd.PlaceBets, by: Actor, key: str
    ) -> Answer:
        """Where something is to be waited for first: a turn, a state, a closing, or the office."""
        async with turn or nullcontext():
            if not self._house.is_awake:
                await self._house.awake()
            desk = self._desk_of(act)
            refusal = await self._before_bets(desk, act.table, placing)
            answer: Answer = await self._to_desk(desk, act, sender_name(by), key, refusal)
            return answer

    async def _before_bets(self, desk: Desk[Any], table: str, placing: cmd.PlaceBets) -> Refusal | None:
        """Close first what should have closed by now; then what the player's limits and the house say."""
        dealing, again = self._house.dealings[table], False
        while True:
            try:
                refusal = (
                    None if self._house.is_whole else await self._house.allotments.over_limit(table, placing)
                )
                refusal = refusal or self._against_bets(desk.state, table, placing)
                if dealing.is_past_deadline(placing.at):
                    await dealing.close()
                return refusal
            except StoreUnavailable:  # a failed commit threw a state away: wait for it, then look
                if again:
                    raise
                again = True
                await self._house.awake()

    def _ask(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Any]:
        """Ask the desk; dice go and rounds begin one at a time."""
        turns = self._house.dice_turns
        if isinstance(act, TableAct) and isinstance(act.command, StartRound):
            return turns.begin(act.table, partial(self._asked, act, by, key))
        if isinstance(act.command, ClaimDice | TakeOutDice | InspectDice | PutInDice):
            return turns.alone(partial(self._asked, act, by, key))
        return self._asked(act, by, key)

    async def _asked(self, act: AnyAct, by: Actor, key: str, refused: Refusal | None = None) -> Any:
        """Ask the desk; what the house has to say against a new act is the desk's to put on record."""
        desk, sender, command = self._desk_of(act), sender_of(act, by), act.command
        instead: Any = None
        match act:
            case TableAct():
                instead = refused or (None if isinstance(command, InRound) else await self._judged(act))
                return await self._to_desk(desk, act, sender, key, instead)
            case CageAct(command=RedeemTicket() as redeemed):
                instead = await self._house.tickets.not_payable_yet(redeemed.ticket)
            case PitAct(command=AllotChips() as allot):
                return await self._house.allotments.count_chips(
                    allot, lambda counted: desk.ask(sender, key, command, instead=counted)
                )
            case PlayersAct(command=AllotPlay() as allot_play):
                instead = await self._house.allotments.with_felt(allot_play)
            case PitAct():
                await self._figures_first(act)
                await self._house.desks_here.catch_up(tables_named(act))
                instead = dice_in_play(self._house, command)
            case ApprovalAct(command=RequestApproval() as asked):
                await self._house.desks_here.catch_up(tables_named(asked.asked))
                instead = before_asking(self._house, asked) or await before_ticket(self._house, asked.asked)
                instead = instead or before_change(self._house, asked)
                instead = instead or of_this_round(self._house, asked) or on_staff(self._house, asked)
                instead = instead or at_all_tables(self._house, asked)
            case PlayersAct(command=named) if by.role is not Role.SYSTEM:
                first = await desk.answered(sender, key, command)
                if first is not None:  # before somebody else is registered who sits there now
                    return first
                await self._house.desks_here.catch_up(map(table_stream, self._house.plans))
                instead = await player_act_in_full(self._house, named)
            case _:
                pass
        return await desk.ask(sender, key, command, instead=instead)

    def _to_desk(self, desk: Desk[Any], act: TableAct, sender: str, key: str, instead: Any) -> Awaitable[Any]:
        """Ask a table; at a live one, where acts take cash chips, in its turn."""
        if instead is None and self._takes_chips(act):
            return self._in_turn(desk, act, sender, key)
        return desk.ask(sender, key, act.command, instead=instead)

    async def _in_turn(self, desk: Desk[Any], act: TableAct, sender: str, key: str) -> Any:
        await desk.wake()
        return await self._house.cash_chips.ask(
            act.table,
            act.command,
            lambda short: desk.ask(sender, key, act.command, instead=short),
            allotted=None if self._house.is_whole else self._house.allotments.chips,
        )

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
        desks = self._house.desks_here
        found = desks.table(act.table) if isinstance(act, TableAct) else desks.by_stream[desk_of(act)]
        if isinstance(found, Desk):
            return found
        raise DeskStopped(f"the desk of {found.kind.name} is run by another process")

    async def _judged(self, act: TableAct) -> Any:
        """What the house makes of an act before its desk sees it: a refusal, a fuller command, or nothing."""
        house, command = self._house, act.command
        match command:
            case OpenTable():
                return may_open(house, act.table, command)
            case StartRound():
                await house.desks_here.catch_up([PIT])  # the day, and the dice that are in the tumbler now
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

    def _against_bets(self, state: TableState, table: str, placing: cmd.PlaceBets) -> Refusal | None:
        house = self._house
        players, minutes = house.players.state, house.plan.reality_check_minutes
        if (players.players or players.policy.registered_only) and house.is_whole:
            # It sees all tables; else the office has been asked.
            refusal = over_limit(players, house.tables, table, placing, placing.at)
            if refusal is not None:
                return refusal
        return house_check(players, state, placing, minutes=minutes) if minutes else None

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
