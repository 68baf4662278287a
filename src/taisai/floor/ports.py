"""What interfaces ask of the floor, and nothing else.

Four small ports: an act is asked for (`Asking`), tables are followed (`Following`), terminals come and go
(`Presence`), and somebody owns the desks (`Ownership`). Today the house in the same process is behind all of
them; where a desk is owned by another process its ports are answered over a bus, by the same contract.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol, overload

import msgspec

from taisai.errors import TaisaiError
from taisai.floor.approvals.asked import CageAct, PitAct, StaffAct, TableAct
from taisai.floor.cage import CageAnswer
from taisai.floor.desks.decider import Done
from taisai.floor.desks.evidence import IncidentNoted
from taisai.floor.door.acts import AnyAct, PlayersAct
from taisai.floor.door.answers import Answer, Waiting
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.reading.house import HouseReading
from taisai.floor.staff.presence import StaffPresence
from taisai.floor.table.dealing import Timer
from taisai.floor.table.messages import Accepted
from taisai.floor.table.notary import Notarising
from taisai.floor.ticket_office import TicketOffice
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.state import RoundState
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
    def do(self, act: TableAct, by: Actor, key: str) -> Awaitable[Accepted | Waiting | Refusal]: ...
    @overload
    def do(self, act: CageAct, by: Actor, key: str) -> Awaitable[CageAnswer | Waiting | Refusal]: ...
    @overload
    def do(self, act: PitAct | StaffAct, by: Actor, key: str) -> Awaitable[Done | Waiting | Refusal]: ...
    @overload
    def do(self, act: PlayersAct, by: Actor, key: str) -> Awaitable[Done | Refusal]: ...
    @overload
    def do(self, act: AnyAct, by: Actor, key: str) -> Awaitable[Answer]: ...

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
    """Which units of the house (`floor/owners/units.py`) this process writes."""

    @property
    def lost(self) -> asyncio.Event:
        """Set once this process cannot go on: another has taken all that was ours, or our name."""
        ...

    @property
    def runs_out(self) -> bool:
        """Whether it has to be renewed."""
        ...

    @property
    def owned(self) -> frozenset[str]:
        """The units that are ours."""
        ...

    def is_overdue(self) -> bool:
        """Whether it could not be renewed in time: then nobody is told anything."""
        ...

    def faults(self) -> list[str]:
        """What keeps this process from answering for its units, each in words."""
        ...

    def warnings(self) -> list[str]:
        """What somebody should look at, though all is answered."""
        ...

    def taken(self, unit: str) -> None:
        """The journal says that another process has a unit of ours."""
        ...

    async def acquire(self) -> None:
        """Have the whole house, or raise `RecordInUse` with who has it."""
        ...

    async def release(self) -> None:
        """Give back all there is, so that the next process need not wait."""
        ...


class Shared(Ownership, Protocol):
    """Ownership of a house that several processes divide among themselves."""

    @property
    def slot(self) -> str:
        """This process's name among them."""
        ...

    @property
    def free(self) -> frozenset[str]:
        """Units that nobody has, as of the last look."""
        ...

    @property
    def handed(self) -> frozenset[str]:
        """Units that another process has made over to us, and that are not begun yet."""
        ...

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the other processes that live and take any unit."""
        ...

    def load_of(self, slot: str) -> int:
        """How many units another process has, as of the last look."""
        ...

    async def looked(self) -> None:
        """Wait for the next look at who has what."""
        ...

    def runs(self, units: Collection[str]) -> None:
        """These are run here, and whatever was taken from us is followed: it is no fault any longer."""
        ...

    async def join(self) -> None:
        """Take this process's name, or raise `RecordInUse` with who has it."""
        ...

    async def take(self, units: Collection[str]) -> frozenset[str]:
        """Have those of them that nobody has."""
        ...

    async def leave(self) -> None:
        """Be handed nothing more, before everything is handed over."""
        ...

    async def hand_over(self, unit: str, to: str) -> None:
        """Make a unit over to another process, or, without a name, to whoever is first."""
        ...


class Undisputed:
    """Of a record that no other process can reach, such as one in memory."""

    runs_out = False
    owned: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def is_overdue(self) -> bool:
        return False

    def faults(self) -> list[str]:
        return []

    def warnings(self) -> list[str]:
        return []

    def taken(self, unit: str) -> None:
        self.lost.set()

    async def acquire(self) -> None:
        pass

    async def release(self) -> None:
        pass


class Proofs(Protocol):
    """What is shown of the house's log, and the trees of a round that was closed."""

    async def keys(self) -> list[str]:
        """The verifier keys of the log: the present one, then those of its names before restores."""
        ...

    async def file(self, name: str) -> bytes | None:
        """A tile, or the checkpoint."""
        ...

    async def receipt(self, table: str, number: int, place: int, salt: str) -> bytes:
        """The receipt of a slip by its place and its salt in hex; `NoReceiptYet` where there is none."""
        ...

    async def closed(self, table: str, number: int) -> RoundState:
        """A round of a table whose bets are closed, with its trees."""
        ...


class Naming(Protocol):
    """Names that are typed at live tables, and who the record has for them."""

    async def in_record(self, house: "Floor", typed: str, table: str) -> str:
        """A player as the record of a table has them; a name that is new gets its pseudonym first."""
        ...

    async def erased(self, pseudonym: str) -> None:
        """Whoever comes under the name later is somebody else to the record."""
        ...


class Keeping(Protocol):
    """What is remembered for a while and no record has, by whoever owns the office."""

    async def tries(self, what: str, place: str, *, most: int, seconds: float) -> float:
        """Count a try from a place; how many seconds to wait if it is one too many, else 0."""
        ...

    async def note(self, what: str, place: str) -> None:
        """Count that something happened."""
        ...

    async def noted(self, what: str, place: str, *, seconds: float) -> int:
        """How often it happened lately."""
        ...

    async def keep(self, what: str, key: str, value: str, *, seconds: float) -> None:
        """Keep something for a while, in the place of what was kept before."""
        ...

    async def kept(self, what: str, key: str) -> str | None:
        """What was kept, if its time has not passed."""
        ...

    async def take(self, what: str, key: str) -> str | None:
        """The same, for one alone: it is gone after this."""
        ...


class SeenGathering(Protocol):
    """Who is at the terminals of a cluster now, as the owner of the table knows it; on no record."""

    @property
    def connected(self) -> Collection[str]:
        """The terminals that are connected, at whichever gateway."""
        ...

    @property
    def attendants(self) -> Mapping[str, int]:
        """Since when each of them has been calling for an attendant, in milliseconds."""
        ...

    @property
    def waiting_round(self) -> int | None:
        """The round that waits for its players to want the dice; none where a clock or a dealer closes."""
        ...

    @property
    def ready(self) -> Collection[str]:
        """The terminals that want them."""
        ...

    @property
    def waits_for(self) -> int:
        """How many with bets do not want them yet."""
        ...

    @property
    def rolls_at(self) -> int | None:
        """When the dice roll at the latest, in milliseconds."""
        ...


class Nobody:
    """Nobody is at a table."""

    connected: Collection[str] = ()
    attendants: Mapping[str, int] = {}
    waiting_round: int | None = None
    ready: Collection[str] = ()
    waits_for = 0
    rolls_at: int | None = None


NOBODY: Final = Nobody()


class Gatherings(Protocol):
    """Who is at the terminals of each table, which the table's owner knows."""

    def of(self, table: str) -> SeenGathering:
        """Who is at the terminals of a table."""
        ...

    def follow(self, call: Callable[[str], None]) -> None:
        """Be told of every table where that has changed."""
        ...

    async def wants_dice(self, table: str, terminal: str, number: int, *, ready: bool) -> bool:
        """A terminal wants the dice of a round, or no longer; False where that is not for it to say."""
        ...

    async def call(self, table: str, terminal: str, *, wanted: bool) -> None:
        """A terminal calls for somebody, or no longer."""
        ...


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
    ownership: Ownership
    staff_presence: StaffPresence

    @property
    def decides(self) -> bool:
        """Whether the desks are here: then idle sessions and old requests are ended here, too."""
        ...

    @property
    def keeping(self) -> Keeping: ...

    @property
    def gatherings(self) -> Gatherings: ...

    @property
    def live_names(self) -> Naming | None: ...

    @property
    def proofs(self) -> Proofs | None: ...

    @property
    def presence(self) -> Presence: ...

    @property
    def dealings(self) -> Mapping[str, TableClock]: ...

    def now(self) -> datetime: ...

    def faults(self) -> list[str]:
        """What keeps this process from bringing acts to the desks."""
        ...

    def is_stale(self, table: str) -> bool:
        """Whether what is known of a table may be old, so that nobody is to be told of it."""
        ...

    async def latest_incidents(self) -> list[IncidentNoted]:
        """The latest bugs of ours that commands ran into, the oldest first."""
        ...

    def seated_player(self, session: str) -> Awaitable[str]: ...

    async def resume(self) -> None:
        """Do what the process before this one left: what was agreed, and terminals that never come back."""
        ...

    async def expire_requests(self) -> None: ...

    def begin_dealing(self) -> None: ...
