"""What interfaces ask of the floor, and nothing else.

Four small ports: an act is asked for (`Asking`), tables are followed (`Following`), terminals come and go
(`Presence`), and somebody owns the desks (`Ownership`). Today the house in the same process is behind all of
them; where a desk is owned by another process its ports are answered over a bus, by the same contract.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol, overload

import msgspec

from taisai.errors import TaisaiError
from taisai.floor.approvals.asked import CageAct, PitAct, StaffAct, TableAct
from taisai.floor.cage import CageAnswer
from taisai.floor.desks.decider import Done
from taisai.floor.desks.evidence import Incidents
from taisai.floor.door.acts import AnyAct, PlayersAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.players.live_names import LiveNames
from taisai.floor.proofs.receipts import Receipts
from taisai.floor.proofs.registrar import Registrar
from taisai.floor.reading.house import HouseReading
from taisai.floor.table.dealing import Timer
from taisai.floor.table.messages import Accepted
from taisai.floor.table.notary import Notarising
from taisai.floor.ticket_office import TicketOffice
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.record.ports import Store

LEASE_RUN_OUT: Final = "the lease on the record has run out"

# In whose name the house itself speaks of terminals.
HUB: Final = Actor("hub", Role.SYSTEM)

# The table's name, what happened, and the version that its stream stands at now.
Subscriber = Callable[[str, list[Any], int], None]


class Asked(msgspec.Struct, frozen=True):
    """An act with who sends it and under which id: all that a desk's owner has to know of it."""

    act: AnyAct
    by: Actor
    key: str


class Asking(Protocol):
    """Acts come in here, and are answered when the answer is durable. The same id again, the same answer."""

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

    async def do_many(self, asked: Sequence[Asked]) -> list[Answer | TaisaiError]:
        """Several acts at once, answered in their order; what one of them meets is its own answer."""
        ...


class Following(Protocol):
    """Tables as they stand, and every commit of theirs, once and in order, after it is durable."""

    @property
    def read(self) -> HouseReading: ...

    @property
    def is_awake(self) -> bool: ...

    async def awake(self) -> None: ...

    def follow(self, subscriber: Subscriber) -> None:
        """Be told of every commit of a table from here on; `read` has it already when it is told."""
        ...

    def follow_staff(self, call: Callable[[list[Any], int], None]) -> None: ...


class Contact(msgspec.Struct, frozen=True):
    """One connection of a terminal: at which gateway, in which life of that gateway, and which of them."""

    table: str
    terminal: str
    gateway: str
    epoch: int
    number: int


class Presence(Protocol):
    """Which terminals are there is decided by the owner of their table, whichever gateway they come by."""

    def joined(self, contact: Contact) -> None:
        """A terminal came; a connection that it had before, at whichever gateway, is told to go."""
        ...

    def left(self, contact: Contact) -> None:
        """A connection ended; if no other takes its place soon, the terminal is cut off."""
        ...

    def on_replaced(self, call: Callable[[Contact], None]) -> None:
        """Be told of each connection whose place another one has taken."""
        ...


class Ownership(Protocol):
    """Whether this process is the one that writes."""

    @property
    def lost(self) -> asyncio.Event:
        """Set once another process has taken what was ours."""
        ...

    @property
    def runs_out(self) -> bool:
        """Whether it has to be renewed."""
        ...

    def is_overdue(self) -> bool:
        """Whether it could not be renewed in time: then nobody is told anything."""
        ...

    async def acquire(self) -> None:
        """Have it, or raise `RecordInUse` with who has it."""
        ...

    async def release(self) -> None:
        """Give it back, so that the next process need not wait."""
        ...


class Undisputed:
    """Of a record that no other process can reach, such as one in memory."""

    runs_out = False

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def is_overdue(self) -> bool:
        return False

    async def acquire(self) -> None:
        pass

    async def release(self) -> None:
        pass


class TableClock(Protocol):
    """What closes the betting of one table in time, and deals where nobody else does."""

    def start(self) -> None: ...

    async def stop(self) -> None: ...

    def is_busy(self) -> bool: ...


class Floor(Asking, Following, Protocol):
    """The floor as the server has it: the ports, the record to read from, and what the house is set up as."""

    plan: HousePlan
    plans: dict[str, TablePlan]
    store: Store
    timer: Timer
    tickets: TicketOffice
    notarising: Notarising | None
    live_names: LiveNames | None
    registrar: Registrar | None
    receipts: Receipts | None
    incidents: Incidents
    ownership: Ownership

    @property
    def presence(self) -> Presence: ...

    @property
    def dealings(self) -> Mapping[str, TableClock]: ...

    def now(self) -> datetime: ...

    def seated_player(self, session: str) -> Awaitable[str]: ...

    def close_betting(self, table: str) -> Awaitable[None]:
        """The players of a table without a clock want the dice."""
        ...

    async def resume(self) -> None:
        """Do what the process before this one left: what was agreed, and terminals that never come back."""
        ...

    async def expire_requests(self) -> None: ...

    def begin_dealing(self) -> None: ...
