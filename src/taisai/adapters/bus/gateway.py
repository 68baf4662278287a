"""The floor as a gateway has it: copies of the desks to look at, and the bus to whoever owns them.

A gateway decides nothing and remembers nothing that matters: it may die at any moment, and whoever was
connected to it goes on at another one.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from taisai.adapters.bus import questions as q
from taisai.adapters.bus.asking import BusAsking
from taisai.adapters.bus.enquiries import BusEnquiries
from taisai.adapters.bus.following import CLOCK_SECONDS, BusFollowing
from taisai.adapters.bus.gatherings import GatheringsHeard
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.names import BusNames, BusNaming
from taisai.adapters.bus.presence import BusPresence
from taisai.adapters.bus.staff import BusStaffPresence
from taisai.errors import StoreUnavailable, TaisaiError
from taisai.floor.desks.evidence import IncidentNoted, Incidents
from taisai.floor.door.acts import AnyAct
from taisai.floor.door.answers import Answer
from taisai.floor.followed import FollowedHouse
from taisai.floor.plan import HousePlan
from taisai.floor.ports import Asked, Ownership, Subscriber, TableClock, Undisputed
from taisai.floor.proofs.proven_rounds import ProvenRounds
from taisai.floor.seated import seated_player
from taisai.floor.staff.presence import StaffPresence
from taisai.floor.streams import table_stream
from taisai.floor.table.dealing import Timer
from taisai.floor.table.notary import Notarising
from taisai.floor.ticket_office import TicketOffice
from taisai.floor.tickets import TicketKey
from taisai.game.people import Actor
from taisai.game.state import RoundState
from taisai.record.patience import patiently
from taisai.record.ports import Store

log = logging.getLogger("taisai.gateway")

_NO_CLOCKS: Final[dict[str, TableClock]] = {}


class OwnedElsewhere(Undisputed):
    """This process writes nothing; what it shows may be stale all the same."""

    runs_out = True


class BusProofs:
    """The log is shown by its owner; the trees of a round are made here, for the terminals here."""

    def __init__(self, enquiries: BusEnquiries, rounds: ProvenRounds) -> None:
        self._enquiries, self._rounds = enquiries, rounds

    async def keys(self) -> list[str]:
        return await self._enquiries.ask(q.OFFICE, q.LOG_KEYS, q.LogKeys())

    async def file(self, name: str) -> bytes | None:
        return await self._enquiries.ask(q.OFFICE, q.LOG_FILE, q.LogFile(name))

    async def receipt(self, table: str, number: int, place: int, salt: str) -> bytes:
        return await self._enquiries.ask(q.OFFICE, q.RECEIPT_OF, q.ReceiptOf(table, number, place, salt))

    async def closed(self, table: str, number: int) -> RoundState:
        return await self._rounds.closed(table, number)


class BusKeeping:
    """What is remembered for a while is remembered in one place."""

    def __init__(self, enquiries: BusEnquiries) -> None:
        self._enquiries = enquiries

    async def tries(self, what: str, place: str, *, most: int, seconds: float) -> float:
        return await self._enquiries.ask(q.OFFICE, q.TRIES, q.TryCounted(what, place, most, seconds))

    async def note(self, what: str, place: str) -> None:
        await self._enquiries.ask(q.OFFICE, q.NOTE, q.ToCount(what, place))

    async def noted(self, what: str, place: str, *, seconds: float) -> int:
        return await self._enquiries.ask(q.OFFICE, q.NOTED, q.HowOften(what, place, seconds))

    async def keep(self, what: str, key: str, value: str, *, seconds: float) -> None:
        await self._enquiries.ask(q.OFFICE, q.KEEP, q.ToKeep(what, key, value, seconds))

    async def kept(self, what: str, key: str) -> str | None:
        return await self._enquiries.ask(q.OFFICE, q.KEPT, q.WhatIsKept(what, key))

    async def take(self, what: str, key: str) -> str | None:
        return await self._enquiries.ask(q.OFFICE, q.KEPT, q.WhatIsKept(what, key, take=True))


class GatewayFloor:
    """Begin with `start`, end with `stop`."""

    decides = False

    def __init__(
        self,
        plan: HousePlan,
        store: Store,
        timer: Timer,
        ticket_key: TicketKey,
        link: BusLink,
        name: str,
        *,
        notarising: Notarising | None = None,
    ) -> None:
        self.plan, self.store, self.timer, self.notarising = plan, store, timer, notarising
        self._link = link
        self._followed = FollowedHouse(plan, store, timer, notarising=notarising)
        self._following = BusFollowing(link, self._followed)
        self._asking = BusAsking(link, self._followed.streams, reached=self._following.reached)
        self._enquiries = BusEnquiries(link)
        self.presence = BusPresence(link, name)
        self.gatherings = GatheringsHeard(link, self._enquiries)
        self.plans, self.read = self._followed.plans, self._followed.read
        self.ownership: Ownership = OwnedElsewhere()
        self.staff_presence = StaffPresence()
        self._staff = BusStaffPresence(link, self.staff_presence)
        self.dealings: Mapping[str, TableClock] = _NO_CLOCKS
        self.live_names = BusNaming(link, self._enquiries)
        self.keeping = BusKeeping(self._enquiries)
        self.names = BusNames(self._enquiries)
        rounds = ProvenRounds(store, notarising, self._followed.tables) if notarising else None
        self.proofs = BusProofs(self._enquiries, rounds) if rounds else None
        approvals = self._followed.approvals
        self.tickets = TicketOffice(
            ticket_key,
            store,
            days=plan.ticket_days,
            is_being_voided=lambda name: approvals.state.is_being_voided(name, self.now()),
        )
        self._clocks_were_apart = False

    async def start(self) -> None:
        """Hear the owners, and read what they have written so far."""
        await patiently("the tickets cannot be read", self.tickets.start)
        await self._following.start()
        await self.gatherings.start()
        await self.presence.start()
        await self._staff.start()

    async def stop(self) -> None:
        """Hear and ask nothing more."""
        await self.live_names.stop()
        await self._staff.stop()
        await self.presence.stop()
        await self._asking.close()
        await self._followed.stop()

    # Asking

    async def do(self, act: AnyAct, by: Actor, key: str) -> Any:
        """Ask the owner of the desk; once it is answered, what it brought can be read here."""
        self._check_clock()
        return await self._asking.do(act, by, key)

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        """Several acts at once, answered in their order."""
        self._check_clock()
        return await self._asking.do_many(asked)

    # Following

    def now(self) -> datetime:
        return self.timer.now()

    @property
    def is_awake(self) -> bool:
        return self._link.is_up and self._followed.is_awake

    async def awake(self) -> None:
        """Know all that is durable now; while the bus is away nobody is told anything."""
        if not self._link.is_up:
            raise StoreUnavailable(f"the bus at {self._link.where} is away")
        if not self._followed.is_awake:
            await self._followed.awake()
        await self._following.catch_up()

    def follow(self, subscriber: Subscriber) -> None:
        """Tell somebody of every commit of a table from here on."""
        self._followed.follow(subscriber)

    def follow_staff(self, call: Callable[[list[Any], int], None]) -> None:
        """Tell somebody of every commit of the staff list."""
        self._followed.follow_staff(call)

    def faults(self) -> list[str]:
        """What keeps acts from reaching their desks."""
        if not self._link.is_up:
            return [f"the bus at {self._link.where} is away"]
        found = [f"nobody runs the desk of {stream}" for stream in self._following.quiet()]
        found += self._following.strangers()
        apart = self._following.clocks_apart()
        return [*found, *([_clock_fault(apart)] if abs(apart) > CLOCK_SECONDS else [])]

    def is_stale(self, table: str) -> bool:
        """Whether nobody who owns a table is heard of."""
        return not self._link.is_up or self._following.is_quiet(table_stream(table))

    def _check_clock(self) -> None:
        """A slip is in time or late by the clock of the gateway that it came to: it must be right."""
        apart = self._following.clocks_apart()
        is_apart = abs(apart) > CLOCK_SECONDS
        if is_apart != self._clocks_were_apart:
            self._clocks_were_apart = is_apart
            if is_apart:
                self._link.counted("clocks")
                log.error("%s", _clock_fault(apart))
        if is_apart:
            raise StoreUnavailable(_clock_fault(apart))

    # What owners know

    async def latest_incidents(self) -> list[IncidentNoted]:
        """The latest bugs of ours that commands ran into, as the record has them."""
        incidents = Incidents(self.store)
        await incidents.start()
        return list(incidents.latest)

    async def seated_player(self, session: str) -> str:
        """The player at a terminal's session."""
        return await seated_player(self, session)

    async def resume(self) -> None:
        """What a process before left is for the owners."""

    async def expire_requests(self) -> None:
        """For the owner of the requests."""

    def begin_dealing(self) -> None:
        """For the owners of the tables."""

    @property
    def owners(self) -> Mapping[str, float]:
        """When each owner was last heard of, by the loop's clock."""
        return self._following.heard_at

    async def until_owned(self) -> None:
        """Wait until every desk is run by somebody, and say what is missing meanwhile."""
        said: list[str] = []
        while quiet := self._following.quiet():
            if quiet != said:
                log.warning("waiting for desks: nobody runs %s", ", ".join(quiet))
                said = quiet
            await asyncio.sleep(0.05)
        await self._following.meet(frozenset())
        await self.live_names.start()


def _clock_fault(apart: float) -> str:
    way = "ahead of" if apart > 0 else "behind"
    return f"this machine's clock is {abs(apart):.1f} s {way} that of the desks: set both by the same time"
