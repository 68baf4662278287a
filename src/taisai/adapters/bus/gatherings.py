"""Who is at the terminals of each table, over the bus: its owner says it at every change, and again."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus import questions as q
from taisai.adapters.bus.enquiries import BusEnquiries
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.listening import listen
from taisai.floor.ports import NOBODY, Floor, SeenGathering
from taisai.floor.streams import table_stream

# Changes that come together are said together: a thousand terminals come back at once after an outage.
GATHER_SECONDS: Final = 0.02
SAY_SECONDS: Final = 1.0


class GatheringsTold:
    """An owner's side."""

    def __init__(self, link: BusLink, house: Floor) -> None:
        self._link, self._house = link, house
        self._tables: dict[str, None] = {}
        self._changed: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Tell of the tables that are ours, at each change and again and again."""
        self._house.gatherings.follow(self._soon)
        self._tasks = [asyncio.create_task(self._say()), asyncio.create_task(self._say_again())]

    def begin(self, tables: Iterable[str]) -> None:
        """These are ours from now on."""
        self._tables.update(dict.fromkeys(tables))

    def end(self, tables: Iterable[str]) -> None:
        """These are ours no longer."""
        for table in tables:
            self._tables.pop(table, None)

    async def stop(self) -> None:
        """Tell no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _soon(self, table: str) -> None:
        if table in self._tables:
            self._changed[table] = None
            self._wake.set()

    async def _say(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wake.clear()
            changed, self._changed = self._changed, {}
            for table in changed:
                here = self._house.gatherings.of(table)
                gathered = msg.Gathered(
                    table,
                    frozenset(here.connected),
                    dict(here.attendants),
                    here.waiting_round,
                    frozenset(here.ready),
                    here.waits_for,
                    here.rolls_at,
                )
                await self._link.say(msg.subject("gathered", table), msg.pack(gathered))

    async def _say_again(self) -> None:
        while True:
            for table in self._tables:
                self._soon(table)
            await asyncio.sleep(SAY_SECONDS)


class GatheringsHeard:
    """A gateway's side: what was said last of each table."""

    def __init__(self, link: BusLink, enquiries: BusEnquiries) -> None:
        self._link, self._enquiries = link, enquiries
        self._last: dict[str, msg.Gathered] = {}
        self._calls: list[Callable[[str], None]] = []

    async def start(self) -> None:
        """Hear of all tables."""
        wanted = "who is at a table"
        await listen(self._link, "ts.gathered.*", msg.Gathered, self._heard, wanted=wanted)

    def of(self, table: str) -> SeenGathering:
        """Who is there, as far as it was said."""
        return self._last.get(table, NOBODY)

    def follow(self, call: Callable[[str], None]) -> None:
        """Tell somebody of each change."""
        self._calls.append(call)

    async def wants_dice(self, table: str, terminal: str, number: int, *, ready: bool) -> bool:
        """A terminal wants the dice of a round, or no longer."""
        about = q.DiceWanted(table, terminal, number, ready)
        return await self._enquiries.ask(table_stream(table), q.DICE_WANTED, about)

    async def call(self, table: str, terminal: str, *, wanted: bool) -> None:
        """A terminal calls for somebody, or no longer."""
        about = q.AttendantCalled(table, terminal, wanted)
        await self._enquiries.ask(table_stream(table), q.ATTENDANT_CALLED, about)

    def _heard(self, gathered: msg.Gathered, _: Msg) -> None:
        if self._last.get(gathered.table) != gathered:
            self._last[gathered.table] = gathered
            for call in self._calls:
                call(gathered.table)
