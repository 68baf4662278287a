"""The house: all of its desks on one record, and whoever wants to hear what they published."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, overload
from uuid import uuid4

import msgspec

from taisai.errors import InputError, StoreError, StoreUnavailable, TaisaiError, UnknownName
from taisai.floor.approvals.acts import ApprovalsState, approvals_desk
from taisai.floor.approvals.asked import CageAct, PitAct, StaffAct, TableAct
from taisai.floor.cage import CageAnswer, CageState
from taisai.floor.contacts import Contacts
from taisai.floor.desks.decider import SYSTEM, Done
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import DeskStopped, Fenced
from taisai.floor.desks.evidence import Incidents, Safe
from taisai.floor.door.acts import AnyAct, PlayersAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.door.cash_chips import CashChips
from taisai.floor.door.door import Door
from taisai.floor.door.rules_of_tables import not_in_force, say_what_is_named_otherwise
from taisai.floor.door.second import carry_out_what_is_left, expire_requests
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.permits import SecondRule
from taisai.floor.pit.acts import PitPolicy, PitState, pit_desk
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.players.acts import PlayersState, players_desk
from taisai.floor.players.live_names import LiveNames
from taisai.floor.players.messages import AnyPlayersCommand, BeginPlay, RegisterPlayer
from taisai.floor.players.plays import PlayCounts
from taisai.floor.ports import LEASE_RUN_OUT, Asked, Ownership, Subscriber, Undisputed
from taisai.floor.proofs.cosigning import Cosigning
from taisai.floor.proofs.log_keeping import LogKeeping
from taisai.floor.proofs.proving import TableProving
from taisai.floor.proofs.receipts import Receipts
from taisai.floor.reading.house import HouseReading
from taisai.floor.staff.acts import StaffState, staff_desk
from taisai.floor.table.dealing import Dealing, Timer
from taisai.floor.table.messages import (
    Accepted,
    AnyTableCommand,
    InRound,
    OpenTable,
    RoundEvent,
    StartRound,
)
from taisai.floor.table.notary import Notarising
from taisai.floor.table.state import TableState
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.floor.ticket_office import TicketOffice
from taisai.floor.tickets import TicketKey
from taisai.floor.views.attempts import REFUSED_BETS
from taisai.floor.views.rounds import ROUNDS
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.events import BetsPlaced, RoundConcluded
from taisai.game.people import Actor
from taisai.game.refusals import Refusal
from taisai.proof.dice import SECRET_BYTES
from taisai.proof.notes import SignedNote
from taisai.record.patience import patiently
from taisai.record.ports import Store
from taisai.record.views import BALANCES, catch_up

log = logging.getLogger("taisai.house")

# How long after a round its read models are brought up to date: results go out first.
FOLLOW_SECONDS = 2.0
_IN_PLAY = (Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED)


@dataclass
class House:
    """Begin with `start`, end with `stop`. Between them every desk has one writer: this process."""

    plan: HousePlan
    store: Store
    timer: Timer
    ticket_key: TicketKey
    tumbler: SimulatedTumbler | None = None
    pit_policy: PitPolicy = field(default_factory=PitPolicy)
    tables: dict[str, Desk[Any]] = field(default_factory=dict)
    dealings: dict[str, Dealing] = field(default_factory=dict)
    subscribers: list[Subscriber] = field(default_factory=list)
    safe: Safe | None = None
    notarising: Notarising | None = None
    log_keeping: LogKeeping | None = None
    live_names: LiveNames | None = None
    request_key: bytes = b""  # so that nobody with the record can try out what was asked
    ownership: Ownership = field(default_factory=Undisputed)

    def __post_init__(self) -> None:
        self.cage: Desk[CageState] = cage_desk(self.store, self.timer, self.plan.cage)
        self.staff: Desk[StaffState] = Desk(staff_desk(), self.store, self.timer)
        approvals = approvals_desk(minutes=self.plan.approval_minutes, rule_of=self._rule_of)
        self.approvals: Desk[ApprovalsState] = Desk(approvals, self.store, self.timer)
        self.players: Desk[PlayersState] = Desk(players_desk(self.plan.players), self.store, self.timer)
        self.pit: Desk[PitState] = Desk(pit_desk(), self.store, self.timer)
        self.tickets = TicketOffice(
            self.ticket_key,
            self.store,
            days=self.plan.ticket_days,
            is_being_voided=lambda name: self.approvals.state.is_being_voided(name, self.now()),
        )
        self.pit.published = self._pit_changed
        self.plans = {plan.name: plan for plan in self.plan.tables}
        if len(self.plans) != len(self.plan.tables):
            raise InputError("two tables of the house have one name")
        if not self.plan.play_money and any(plan.automatic for plan in self.plan.tables):
            raise InputError("a simulated tumbler deals for play money alone")
        self.cash_chips = CashChips(self.store, self.tables)
        self.incidents = Incidents(self.store, self.safe)
        self.plays = PlayCounts(self.players, self.store, self._counts, self.now)
        for desk in self._desks():
            self._watch(desk)
        self.registrar = self.log_keeping.registrar(self.store, self.timer) if self.log_keeping else None
        self._all = [*self._desks(), *([self.registrar.desk] if self.registrar else ())]
        self.cosigning: Cosigning | None = None
        if self.log_keeping and self.registrar:
            self.cosigning = self.log_keeping.cosigning(self.registrar)
        self.receipts = (
            Receipts(self.store, self.registrar, self.notarising, self.tables)
            if self.registrar and self.notarising
            else None
        )
        self._door = Door(self)
        self.presence = Contacts(self)
        self.read = HouseReading(self)
        self._following: asyncio.Task[None] | None = None

    def _rule_of(self, act: str) -> SecondRule | None:
        return self.staff.state.rule_of(act)

    def now(self) -> datetime:
        return self.timer.now()

    async def start(self) -> None:
        """Rebuild every desk from the journal; what was in play comes back suspended."""
        await patiently("the incidents cannot be read", self.incidents.start)
        await patiently("the tickets cannot be read", self.tickets.start)
        for desk in self._desks():
            await patiently(f"the desk of {desk.kind.name} cannot start", desk.start)
        for plan in self.plan.tables:
            await self._start_table(plan)
        if self.live_names is not None:
            # Once the tables are ours: until then another process may have written of somebody new.
            names = partial(self.live_names.start, self)
            await patiently("the names of players cannot be read", names)
        say_what_is_named_otherwise(self)
        await self._start_log()

    async def _start_log(self) -> None:
        """The log catches up with the tables before they go on, and tells them of its checkpoints."""
        if self.registrar is None:
            return
        await patiently("the log cannot start", self.registrar.desk.start)
        self._watch(self.registrar.desk)
        numbers = {name: desk.state.number for name, desk in self.tables.items()}
        await patiently("the log cannot catch up", partial(self.registrar.start, numbers))
        self.registrar.signed.append(self._log_signed)
        if self.cosigning is not None:
            self.registrar.signed.append(self.cosigning.signed)
        self.registrar.begin()

    def _log_signed(self, note: SignedNote) -> None:
        """A table that deals itself may wait for its closing to be in the log."""
        for dealing in self.dealings.values():
            dealing.look_again()

    def _watch(self, desk: Desk[Any]) -> None:
        """Hear of a desk's incidents, and of its end; commands are known by the house's own digests."""
        desk.known_by(self.request_key)
        desk.met = self.incidents.note
        desk.ended = self._ended

    def _ended(self, why: DeskStopped) -> None:
        if isinstance(why, Fenced):
            self.ownership.lost.set()

    async def awake(self) -> None:
        """Wait for the states that are being made again, so that whoever reads them meets no error.

        While the store is away there is nothing to wait for: who needs a state is then told so. A house whose
        lease has run out may have been taken over, and tells nobody anything.
        """
        if self.ownership.is_overdue():
            raise StoreUnavailable(LEASE_RUN_OUT)
        asleep = [desk for desk in self._all if not (desk.has_state or desk.stopped)]
        if asleep:
            await asyncio.gather(*(desk.ready() for desk in asleep), return_exceptions=True)

    @property
    def is_awake(self) -> bool:
        """Whether no desk is without its state, and the record ours; asked for every act, so it is cheap."""
        for desk in self._all:
            if not desk.has_state:
                return False
        return not self.ownership.is_overdue()

    def desks(self) -> list[Desk[Any]]:
        """Every desk of the house."""
        return list(self._all)

    def _desks(self) -> list[Desk[Any]]:
        """The desks that are not a table's."""
        return [self.cage, self.staff, self.approvals, self.players, self.pit]

    async def _start_table(self, plan: TablePlan) -> None:
        desk: Desk[Any]
        if plan.kind == "cluster":
            desk = cluster_desk(
                plan.name,
                self.store,
                self.timer,
                terminals_max=plan.terminals_max,
                notarising=self.notarising,
            )
        else:
            desk = table_desk(plan.name, self.store, self.timer, notarising=self.notarising)
        self._watch(desk)
        await patiently(f"the table {plan.name} cannot start", desk.start)
        desk.published = partial(self._published, plan.name)
        desk.rebuilt = partial(self._rebuilt, plan.name)
        self.tables[plan.name] = desk
        self._all.append(desk)
        tumbler = self.tumbler if plan.automatic else None
        self.dealings[plan.name] = Dealing(
            desk,
            self.timer,
            do=partial(self._dealt, plan.name),
            may_start=partial(self._lets_start, plan.name),
            tumbler=tumbler,
            pace=plan.pace,
            proving=TableProving(self.store, desk, self.registrar, self.log_keeping),
        )
        await patiently(f"the table {plan.name} cannot go on", partial(self._settle_in, plan, desk))

    async def _dealt(self, table: str, command: AnyTableCommand, sender: Actor, key: str) -> Answer:
        """What the clock or the automatic dealer of a table does comes in by the door too."""
        return await self.do(TableAct(table, command), sender, key)

    def _lets_start(self, table: str) -> bool:
        return self.may_start(table) is None

    async def _settle_in(self, plan: TablePlan, desk: Desk[Any]) -> None:
        await desk.ready()
        state: TableState = desk.state
        if state.settings is None:
            opened = OpenTable(by=SYSTEM, at=self.now(), settings=plan.settings)
            await self.do(TableAct(plan.name, opened), SYSTEM, uuid4().hex)
        current = state.current
        if current and current.phase in _IN_PLAY and not current.held:
            held = cmd.SuspendRound(by=SYSTEM, at=self.now())
            suspended = InRound(by=SYSTEM, at=held.at, command=held)
            await self.do(TableAct(plan.name, suspended), SYSTEM, uuid4().hex)
        await self.plays.settle_in(plan.name, desk.state)

    async def _counts(self, command: AnyPlayersCommand, key: str) -> None:
        """What follows from the tables for their players comes in by the door too."""
        await self.do(PlayersAct(command), SYSTEM, key)

    async def void_rounds_in_play(self, by: Actor, second: Actor, reason: str) -> list[str]:
        """Two people rule that every round in play is void; returns the tables where there was one."""
        voided = []
        for name, desk in self.tables.items():
            current = desk.state.current
            if current is None or current.phase not in _IN_PLAY:
                continue
            ruling = cmd.MakeRuling(by=by, at=self.now(), second=second, reason=reason, decision="void")
            ruled = InRound(by=by, at=ruling.at, command=ruling)
            answer = await self.do(TableAct(name, ruled), SYSTEM, uuid4().hex)
            if isinstance(answer, Refusal):
                raise InputError(f"the round at {name} cannot be made void: {answer.code}")
            voided.append(name)
        return voided

    def begin_dealing(self) -> None:
        """From here on betting closes at its deadlines and automatic tables deal."""
        for dealing in self.dealings.values():
            dealing.start()

    async def resume(self) -> None:
        """Do what the process before this one left: what was agreed, and terminals that never come back."""
        await patiently("the terminals cannot be looked at", self.presence.look_for_lost)
        await patiently("what was agreed cannot be done", partial(carry_out_what_is_left, self))

    async def expire_requests(self) -> None:
        """Close the requests that nobody decided in time."""
        await expire_requests(self)

    async def close_betting(self, table: str) -> None:
        """The players of a table without a clock want the dice."""
        await self.dealings[table].close()

    async def stop(self) -> None:
        """Finish what waits at every desk."""
        await self.presence.stop()
        await asyncio.gather(*(dealing.stop() for dealing in self.dealings.values()))
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self.plays.stop()
        if self.registrar is not None:
            await self.registrar.stop()
        if self.cosigning is not None:
            await self.cosigning.stop()
        await asyncio.gather(*(desk.stop() for desk in self.desks()))
        await self.incidents.stop()
        if self.live_names is not None:
            self.live_names.stop()

    def table(self, name: str) -> Desk[Any]:
        try:
            return self.tables[name]
        except KeyError:
            raise UnknownName("table", name, self.tables) from None

    @overload
    async def do(self, act: TableAct, by: Actor, key: str) -> Accepted | Waiting | Refusal: ...
    @overload
    async def do(self, act: CageAct, by: Actor, key: str) -> CageAnswer | Waiting | Refusal: ...
    @overload
    async def do(self, act: PitAct | StaffAct, by: Actor, key: str) -> Done | Waiting | Refusal: ...
    @overload
    async def do(self, act: PlayersAct, by: Actor, key: str) -> Done | Refusal: ...
    @overload
    async def do(self, act: AnyAct, by: Actor, key: str) -> Answer: ...
    async def do(self, act: AnyAct, by: Actor, key: str) -> Answer:
        """The one door: whatever anybody asks of a desk of this house comes in here."""
        return await self._door.do(act, by, key)

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        """Several acts at once, answered in their order; what one of them meets is its own answer."""
        return await asyncio.gather(*map(self._done, asked))

    async def _done(self, asked: Asked) -> Answer | TaisaiError:
        try:
            return await self._door.do(asked.act, asked.by, asked.key)
        except TaisaiError as error:
            return error

    def may_start(self, table: str) -> Refusal | None:
        """Why the pit lets a table start no round now, or none."""
        plan = self.plans[table]
        refusal = not_in_force(self, table)
        return refusal or self.pit.state.may_start(table, self.pit_policy, automatic=plan.automatic)

    def with_dice(self, table: str, command: StartRound) -> StartRound:
        """The round as asked for, with the dice in the tumbler or the secret that they follow from."""
        dice_set = self.pit.state.dice_set(table) or command.dice_set
        command = msgspec.structs.replace(command, dice_set=dice_set)
        if self.notarising is None or self.tumbler is None or not self.plans[table].automatic:
            return command
        number = self.table(table).state.number + 1
        secret = self.tumbler.entropy.random_bytes(SECRET_BYTES)
        commitment, sealed = self.notarising.sealed(table, number, secret)
        return msgspec.structs.replace(command, number=number, commitment=commitment, sealed=sealed)

    def _pit_changed(self, events: list[Any], version: int) -> None:
        """A table that deals itself may wait for the day to be opened."""
        for dealing in self.dealings.values():
            dealing.look_again()

    def _published(self, table: str, events: list[Any], version: int) -> None:
        with ExitStack() as everyone:  # what one of them raises keeps nobody else from hearing it
            everyone.callback(self._follow_up, table, events)
            if self.tables[table].state.uses_chips:
                everyone.callback(self.cash_chips.written, table)
            if self.registrar is not None:
                everyone.callback(self.registrar.heard, table, events, version)
            for subscriber in reversed(self.subscribers):
                everyone.callback(subscriber, table, events, version)

    def _follow_up(self, table: str, events: list[Any]) -> None:
        """What the house itself does when a table has moved on."""
        if not all(map(_is_bet, events)):
            self.dealings[table].changed()
            self.plays.published(table, self.tables[table].state, events)
            if any(map(_is_end, events)) and (self._following is None or self._following.done()):
                self._following = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        """Keep balances and rounds near the journal: the next start or correction finds them there."""
        await asyncio.sleep(FOLLOW_SECONDS)
        try:
            for view in (BALANCES, ROUNDS, REFUSED_BETS):
                await catch_up(self.store, view)
        except StoreError as error:
            log.warning("the read models of %s could not follow the journal: %s", self.plan.name, error)

    async def seated_player(self, session: str) -> str:
        """The player at a terminal's session: a registered one, or else the session itself."""
        known = self.players.state.find(session)
        if known is not None:
            return known.name
        registered = RegisterPlayer(by=SYSTEM, at=self.now(), player=session)
        await self.do(PlayersAct(registered), SYSTEM, f"registered.{session}")
        began = BeginPlay(by=SYSTEM, at=self.now(), player=session, place=session)
        await self.do(PlayersAct(began), SYSTEM, f"began.{session}")
        return session

    def follow(self, subscriber: Subscriber) -> None:
        """Tell somebody of every commit of a table from here on."""
        self.subscribers.append(subscriber)

    def follow_staff(self, call: Callable[[list[Any], int], None]) -> None:
        """Tell somebody of every commit of the staff list."""
        self.staff.published = call

    def _rebuilt(self, table: str, version: int) -> None:
        """The state is another one: its book begins anew, and what is due may have changed."""
        self.cash_chips.forget()
        self.dealings[table].changed()


def _is_end(event: Any) -> bool:
    return isinstance(event, RoundEvent) and isinstance(event.event, RoundConcluded)


def _is_bet(event: Any) -> bool:
    """Slips are most of what a table publishes, and none of them changes what is due."""
    return isinstance(event, RoundEvent) and isinstance(event.event, BetsPlaced)
