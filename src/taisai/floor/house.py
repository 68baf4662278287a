"""The house: its desks on one record, those of this process and copies of others, and who follows them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, overload

import msgspec

from taisai.errors import InputError, StoreError, StoreUnavailable, TaisaiError
from taisai.floor.approvals.asked import CageAct, PitAct, StaffAct, TableAct
from taisai.floor.cage import CageAnswer
from taisai.floor.contacts import Contacts
from taisai.floor.desks.copy import AnyDesk
from taisai.floor.desks.decider import SYSTEM, Done
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import DeskStopped, Fenced
from taisai.floor.desks.evidence import IncidentNoted, Incidents, Safe
from taisai.floor.door.acts import AnyAct, PlayersAct, desk_of
from taisai.floor.door.allotments import Allotments
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.door.cash_chips import CashChips
from taisai.floor.door.dice_in_play import DiceTurns
from taisai.floor.door.door import Door
from taisai.floor.door.rules_of_tables import not_in_force, say_what_is_named_otherwise
from taisai.floor.door.second import carry_out_what_is_left, expire_requests
from taisai.floor.events import is_bet, is_round_end
from taisai.floor.gathering import HouseGatherings
from taisai.floor.keeping import HouseKeeping
from taisai.floor.owners.house_desks import HasDesks, HouseDesks
from taisai.floor.owners.taking import LogView, Taking
from taisai.floor.owners.units import OFFICE, unit_of
from taisai.floor.pit.acts import PitPolicy
from taisai.floor.plan import HousePlan
from taisai.floor.players.live_names import LiveNames
from taisai.floor.players.messages import AnyPlayersCommand
from taisai.floor.players.plays import PlayCounts
from taisai.floor.ports import LEASE_RUN_OUT, Asked, Asking, Ownership, Subscriber, Undisputed
from taisai.floor.proofs.cosigning import Cosigning
from taisai.floor.proofs.log_keeping import LogKeeping
from taisai.floor.proofs.receipts import Receipts
from taisai.floor.proofs.registrar import Registrar
from taisai.floor.proofs.showing import HouseProofs
from taisai.floor.reading.house import HouseReading
from taisai.floor.seated import seated_player
from taisai.floor.staff.presence import StaffPresence
from taisai.floor.streams import LOG, PIT, STAFF, table_stream
from taisai.floor.table.dealing import Dealing, Timer
from taisai.floor.table.messages import Accepted, AnyTableCommand, StartRound
from taisai.floor.table.notary import Notarising
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.floor.ticket_office import TicketOffice
from taisai.floor.tickets import TicketKey
from taisai.floor.views.attempts import REFUSED_BETS
from taisai.floor.views.rounds import ROUNDS
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


@dataclass
class House(HasDesks):
    """Begin with `start`, end with `stop`. Between them what it owns has one writer: this process."""

    plan: HousePlan
    store: Store
    timer: Timer
    ticket_key: TicketKey
    tumbler: SimulatedTumbler | None = None
    pit_policy: PitPolicy = field(default_factory=PitPolicy)
    dealings: dict[str, Dealing] = field(default_factory=dict)
    subscribers: list[Subscriber] = field(default_factory=list)
    safe: Safe | None = None
    notarising: Notarising | None = None
    log_keeping: LogKeeping | None = None
    live_names: LiveNames | None = None
    request_key: bytes = b""  # so that nobody with the record can try out what was asked
    ownership: Ownership = field(default_factory=Undisputed)
    staff_presence: StaffPresence = field(default_factory=StaffPresence)
    units: Collection[str] | None = None  # that this process begins with; none means all
    elsewhere: Asking | None = None  # whoever runs the others

    def __post_init__(self) -> None:
        self.plans = {plan.name: plan for plan in self.plan.tables}
        if len(self.plans) != len(self.plan.tables):
            raise InputError("two tables of the house have one name")
        if not self.plan.play_money and any(plan.automatic for plan in self.plan.tables):
            raise InputError("a simulated tumbler deals for play money alone")
        self.desks_here = HouseDesks(
            self.plan,
            self.store,
            self.timer,
            notarising=self.notarising,
            with_log=self.log_keeping is not None,
        )
        self.tables = self.desks_here.tables
        # What is in here this process runs; a table is in once it has begun.
        self.owned: set[str] = {OFFICE} if self.units is None or OFFICE in self.units else set()
        self.deals = False
        self.tickets = TicketOffice(
            self.ticket_key,
            self.store,
            days=self.plan.ticket_days,
            is_being_voided=lambda name: self.approvals.state.is_being_voided(name, self.now()),
        )
        self._staff_told: Callable[[list[Any], int], None] | None = None
        self.cash_chips = CashChips(self.store, self.tables)
        self.allotments = Allotments(self)
        self.dice_turns = DiceTurns(self)
        self.incidents = Incidents(self.store, self.safe)
        self.plays = PlayCounts(self.desks_here, self.store, self._counts, self.now)
        self.registrar: Registrar | None = None
        self.cosigning: Cosigning | None = None
        self.receipts: Receipts | None = None
        self.proofs: HouseProofs | None = None
        self.keeping = HouseKeeping(self.now)
        self.gatherings = HouseGatherings(self)
        self.log_view = LogView(self) if self.log_keeping else None
        if OFFICE in self.owned:
            for stream in self.desks_here.streams_in(OFFICE):
                if stream != LOG:
                    desk = self.desks_here.new_desk(stream)
                    self.watch(desk)
                    desk.published = self.follower_of(stream)
                    self.desks_here.put(desk)
            self.make_registrar()
        self._door = Door(self)
        self._taking = Taking(self)
        self.presence = Contacts(self)
        self.read = HouseReading(self)
        self._following: asyncio.Task[None] | None = None

    # The desks

    def desks(self) -> list[AnyDesk[Any]]:
        """Every desk of the house, or the copy of it."""
        return list(self.desks_here.all())

    @property
    def decides(self) -> bool:
        """Whether this process has the office: then it ends idle sessions and old requests."""
        return OFFICE in self.owned

    def owns(self, act: AnyAct) -> bool:
        """Whether an act's desk is run by this process."""
        return self.elsewhere is None or unit_of(desk_of(act)) in self.owned

    @property
    def is_whole(self) -> bool:
        """Whether no other process runs a desk of this house."""
        return self.elsewhere is None or len(self.owned) > len(self.plans)

    def now(self) -> datetime:
        return self.timer.now()

    async def start(self) -> None:
        """Rebuild every desk from the journal; what was in play comes back suspended, unless handed over."""
        await patiently("the incidents cannot be read", self.incidents.start)
        await patiently("the tickets cannot be read", self.tickets.start)
        await self._taking.copy_the_rest(self.units)
        if OFFICE in self.owned:
            await self._taking.start_office()
        for name in self.plans:
            if self.units is None or table_stream(name) in self.units:
                await self._taking.start_table(name)
        if self.live_names is not None:
            # Once the tables are ours: until then another process may have written of somebody new.
            names = partial(self.live_names.start, self)
            await patiently("the names of players cannot be read", names)
        say_what_is_named_otherwise(self)
        await self._taking.start_log()

    async def take(self, unit: str) -> None:
        """Run a unit's desks from here on; what its last writer left undone is done."""
        await self._taking.take(unit)

    async def give_up(self, unit: str, to: str = "", *, lost: bool = False) -> None:
        """Run a unit no longer, and follow it: handed over to another process, or lost to it."""
        await self._taking.give_up(unit, to, lost=lost)

    def make_registrar(self) -> None:
        """Whoever runs the office keeps the log."""
        if self.log_keeping is None:
            return
        self.registrar = self.log_keeping.registrar(self.store, self.timer)
        self.watch(self.registrar.desk)
        self.desks_here.put(self.registrar.desk)
        self.cosigning = self.log_keeping.cosigning(self.registrar)
        if self.notarising:
            self.receipts = Receipts(self.store, self.notarising, self.tables, self.registrar)
            self.proofs = HouseProofs(self.receipts)

    async def end_registrar(self) -> None:
        """Enter and sign what was heard, then keep the log no longer."""
        registrar, self.registrar, self.receipts, self.proofs = self.registrar, None, None, None
        cosigning, self.cosigning = self.cosigning, None
        if registrar is not None:
            await registrar.stop()
        if cosigning is not None:
            await cosigning.stop()

    def log_signed(self, note: SignedNote) -> None:
        """A table that deals itself may wait for its closing to be in the log."""
        self.look_again()

    def look_again(self) -> None:
        """A table that deals itself may wait for the day to be opened, or for the log."""
        for dealing in self.dealings.values():
            dealing.look_again()

    def follower_of(self, stream: str) -> Callable[[list[Any], int], None] | None:
        """Who is told of the commits of a desk of the office, wherever it is run."""
        if stream in (PIT, LOG):
            return lambda happened, version: self.look_again()
        return self._staff_told if stream == STAFF else None

    def watch(self, desk: Desk[Any]) -> None:
        """Hear of a desk's incidents, and of its end; commands are known by the house's own digests."""
        desk.known_by(self.request_key)
        desk.met = self.incidents.note
        desk.ended = partial(self._ended, unit_of(desk.kind.stream))

    def _ended(self, unit: str, why: DeskStopped) -> None:
        if isinstance(why, Fenced):
            self.ownership.taken(unit)

    def faults(self) -> list[str]:
        """What keeps this process from writing, beside its desks."""
        return self.ownership.faults()

    def is_stale(self, table: str) -> bool:
        """Whether a table may have moved on elsewhere."""
        return self.ownership.is_overdue()

    async def latest_incidents(self) -> list[IncidentNoted]:
        """The latest bugs of ours that commands ran into."""
        return list(self.incidents.latest)

    async def awake(self) -> None:
        """Wait for the states that are being made again, so that whoever reads them meets no error.

        While the store is away there is nothing to wait for: who needs a state is then told so. A house whose
        lease has run out may have been taken over, and tells nobody anything.
        """
        if self.ownership.is_overdue():
            raise StoreUnavailable(LEASE_RUN_OUT)
        asleep = [desk for desk in self.desks_here.all() if not (desk.has_state or desk.stopped)]
        if asleep:
            await asyncio.gather(*(desk.ready() for desk in asleep), return_exceptions=True)

    @property
    def is_awake(self) -> bool:
        """Whether no desk is without its state, and the record ours; asked for every act, so it is cheap."""
        for desk in self.desks_here.all():
            if not desk.has_state:
                return False
        return not self.ownership.is_overdue()

    async def dealt(self, table: str, command: AnyTableCommand, sender: Actor, key: str) -> Answer:
        """What the clock or the automatic dealer of a table does comes in by the door too."""
        return await self.do(TableAct(table, command), sender, key)

    def lets_start(self, table: str) -> bool:
        return self.may_start(table) is None

    async def _counts(self, command: AnyPlayersCommand, key: str) -> None:
        """What follows from the tables for their players comes in by the door too."""
        await self.do(PlayersAct(command), SYSTEM, key)

    async def void_rounds_in_play(self, by: Actor, second: Actor, reason: str) -> list[str]:
        """Two people rule that every round in play is void; returns the tables where there was one."""
        return await self._taking.void_rounds_in_play(by, second, reason)

    def begin_dealing(self) -> None:
        """From here on betting closes at its deadlines and automatic tables deal."""
        self.deals = True
        for dealing in self.dealings.values():
            dealing.start()

    async def resume(self) -> None:
        """Do what the process before this one left: what was agreed, and terminals that never come back."""
        await patiently(
            "the terminals cannot be looked at", partial(self.presence.look_for_lost, self.dealings)
        )
        if OFFICE in self.owned:
            await patiently("what was agreed cannot be done", partial(carry_out_what_is_left, self))

    async def expire_requests(self) -> None:
        """Close the requests that nobody decided in time."""
        if OFFICE in self.owned:
            await expire_requests(self)

    async def close_betting(self, table: str) -> None:
        """The players of a table without a clock want the dice."""
        await self.dealings[table].close()

    async def stop(self) -> None:
        """Finish what waits at every desk."""
        await self.presence.stop()
        self.gatherings.stop()
        await asyncio.gather(*(dealing.stop() for dealing in self.dealings.values()))
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self.allotments.stop()
        await self.dice_turns.stop()
        await self.plays.stop()
        await self.end_registrar()
        await asyncio.gather(*(desk.stop() for desk in self.desks()))
        await self.incidents.stop()
        if self.live_names is not None:
            self.live_names.stop()

    @overload
    def do(self, act: TableAct, by: Actor, key: str) -> Awaitable[Accepted | Waiting | Refusal]: ...
    @overload
    def do(self, act: CageAct, by: Actor, key: str) -> Awaitable[CageAnswer | Waiting | Refusal]: ...
    @overload
    def do(self, act: PitAct | StaffAct, by: Actor, key: str) -> Awaitable[Done | Waiting | Refusal]: ...
    @overload
    def do(self, act: PlayersAct, by: Actor, key: str) -> Awaitable[Done | Refusal]: ...
    @overload
    def do(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Answer]: ...
    def do(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Any]:
        """The one door: whatever anybody asks of a desk of this house comes in here."""
        others = self.elsewhere
        return self._door.do(act, by, key) if others is None else self._divided(others, act, by, key)

    async def _divided(self, others: Asking, act: AnyAct, by: Actor, key: str) -> Answer:
        """Of a house that several processes run: here, or at whoever runs the desk."""
        if self.owns(act):
            try:
                return await self._door.do(act, by, key)
            except DeskStopped:
                if self.owns(act):
                    raise  # else it was handed over meanwhile, and whoever has it now is asked
        return await others.do(act, by, key)

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        """Several acts at once, answered in their order; what one of them meets is its own answer."""
        return await asyncio.gather(*map(self._done, asked))

    async def _done(self, asked: Asked) -> Answer | TaisaiError:
        try:
            return await self.do(asked.act, asked.by, asked.key)
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

    def published(self, table: str, events: list[Any], version: int) -> None:
        """A table that this process runs has moved on."""
        slips_alone = all(map(is_bet, events))
        with ExitStack() as everyone:  # what one of them raises keeps nobody else from hearing it
            if not slips_alone:
                everyone.callback(self._follow_up, table, events)
            if self.plans[table].automatic:
                everyone.callback(self.gatherings.look, table)
            if self.tables[table].state.uses_chips:
                everyone.callback(self.cash_chips.written, table)
            self._tell(everyone, table, events, version, log=not slips_alone)

    def heard_of(self, table: str, events: list[Any], version: int) -> None:
        """A table that another process runs has moved on."""
        with ExitStack() as everyone:
            everyone.callback(self._follow_views, events)
            self._tell(everyone, table, events, version)

    def _tell(
        self, everyone: ExitStack, table: str, events: list[Any], version: int, *, log: bool = True
    ) -> None:
        if log and self.registrar is not None:  # no slip alone is an entry of the log
            everyone.callback(self.registrar.heard, table, events, version)
        for subscriber in reversed(self.subscribers):
            everyone.callback(subscriber, table, events, version)

    def _follow_up(self, table: str, events: list[Any]) -> None:
        """What the house itself does when a table has moved on by more than slips."""
        if table in self.dealings:
            self.dealings[table].changed()
            self.plays.published(table, self.tables[table].state, events)
            self._follow_views(events)

    def _follow_views(self, events: list[Any]) -> None:
        """Once a round ended, one process, which has the office, brings the read models up to date."""
        is_done = self._following is None or self._following.done()
        if is_done and OFFICE in self.owned and any(map(is_round_end, events)):
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
        return await seated_player(self, session)

    def follow(self, subscriber: Subscriber) -> None:
        """Tell somebody of every commit of a table from here on."""
        self.subscribers.append(subscriber)

    def follow_staff(self, call: Callable[[list[Any], int], None]) -> None:
        """Tell somebody of every commit of the staff list."""
        self._staff_told = self.staff.published = call

    def rebuilt(self, table: str, version: int) -> None:
        """The state is another one: its book begins anew, and what is due may have changed."""
        self.cash_chips.forget()
        if table in self.dealings:
            self.dealings[table].changed()
