"""Connections of terminals over the bus (`Presence`): each gateway says which it has, and the owner decides.

What is said is everything that holds at a table and not what changed, again and again: a message that was
lost is made good by the next one, and a gateway that is no longer heard of has lost all of its connections.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.listening import listen
from taisai.floor.ports import Contact, Presence

log = logging.getLogger("taisai.bus")

SAY_SECONDS: Final = 0.5
GONE_SECONDS: Final = 2.0

_Place = tuple[str, str, int]  # the table, the gateway and its life


class BusPresence:
    """A gateway's side: begin with `start`, end with `stop`."""

    def __init__(self, link: BusLink, gateway: str) -> None:
        self._link, self._gateway = link, gateway
        self._here: dict[_Place, dict[Contact, None]] = {}
        self._calls: list[Callable[[Contact], None]] = []
        self._changed: dict[_Place, None] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Hear whose place was taken, and say who is here."""
        own = "*" if self._gateway == "*" else msg.subject(self._gateway).removeprefix("ts.")
        wanted = "a connection whose place was taken"
        await listen(self._link, f"ts.own.*.{own}", msg.Replaced, self._heard, wanted=wanted)
        await self._link.flush()
        self._tasks = [asyncio.create_task(self._say()), asyncio.create_task(self._say_again())]

    async def stop(self) -> None:
        """Say no more: soon all connections here count as ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_replaced(self, call: Callable[[Contact], None]) -> None:
        """Be told of each connection whose place another one has taken."""
        self._calls.append(call)

    def joined(self, contact: Contact) -> None:
        """A terminal came; the owner of its table says which of its connections stays."""
        place = (contact.table, contact.gateway, contact.epoch)
        for other in [each for each in self._here if each[1] == contact.gateway and each[2] < contact.epoch]:
            del self._here[other]  # of an earlier life
        self._here.setdefault(place, {})[contact] = None
        self._soon(place)

    def left(self, contact: Contact) -> None:
        """A connection ended."""
        place = (contact.table, contact.gateway, contact.epoch)
        if contact in self._here.get(place, ()):
            del self._here[place][contact]
            self._soon(place)

    def _soon(self, place: _Place) -> None:
        self._changed[place] = None
        self._wake.set()

    async def _say(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._changed:
                place = next(iter(self._changed))
                del self._changed[place]
                table, gateway, epoch = place
                here = msg.Here(table, gateway, epoch, tuple(self._here.get(place, ())))
                await self._link.say(msg.subject("seat", table), msg.pack(here))

    async def _say_again(self) -> None:
        while True:
            await asyncio.sleep(SAY_SECONDS)
            for place in self._here:
                self._soon(place)

    def _heard(self, message: msg.Replaced, _: Msg) -> None:
        contact = message.contact
        place = (contact.table, contact.gateway, contact.epoch)
        if contact in self._here.get(place, ()):  # it may be told more than once
            self.left(contact)
            for call in self._calls:
                call(contact)


class Deciding(Presence, Protocol):
    """What decides for a table: who is there, and that a gateway is gone."""

    def is_current(self, contact: Contact) -> bool: ...

    def gateway_gone(self, gateway: str) -> None: ...


class BusContacts:
    """An owner's side: what gateways say of its tables comes to the one who decides."""

    def __init__(self, link: BusLink, presence: Deciding) -> None:
        self._link, self._presence = link, presence
        self._known: dict[_Place, dict[Contact, None]] = {}
        self._epochs: dict[str, int] = {}
        self._heard_at: dict[str, float] = {}
        self._to_tell: asyncio.Queue[Contact] = asyncio.Queue()
        self._subscriptions: dict[str, Any] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Tell whose place was taken, and look who is silent."""
        self._presence.on_replaced(self._to_tell.put_nowait)
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._look())]

    async def begin(self, tables: Iterable[str]) -> None:
        """Decide for these tables."""
        for table in tables:
            self._subscriptions[table] = await listen(
                self._link, msg.subject("seat", table), msg.Here, self._heard, wanted="who is at a table"
            )

    async def end(self, tables: Iterable[str]) -> None:
        """Decide no longer for these tables; what was known of them is for another to hear."""
        for table in tables:
            subscription = self._subscriptions.pop(table, None)
            if subscription is not None and self._link.is_up:
                await subscription.unsubscribe()
            for place in [each for each in self._known if each[0] == table]:
                del self._known[place]

    async def stop(self) -> None:
        """Decide nothing more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _heard(self, here: msg.Here, _: Msg) -> None:
        if here.epoch < self._epochs.get(here.gateway, 0):
            for contact in here.contacts:  # said before the gateway died, and heard late
                self._to_tell.put_nowait(contact)
            return
        if here.epoch > self._epochs.get(here.gateway, 0):
            self._gone(here.gateway)
            self._epochs[here.gateway] = here.epoch
        self._heard_at[here.gateway] = asyncio.get_running_loop().time()
        known = self._known.setdefault((here.table, here.gateway, here.epoch), {})
        for contact in here.contacts:
            if contact not in known:
                known[contact] = None
                self._presence.joined(contact)
            elif not self._presence.is_current(contact):  # it was not heard the first time
                self._to_tell.put_nowait(contact)
        still = set(here.contacts)  # thousands, said twice a second
        for contact in [each for each in known if each not in still]:  # in their order, the record has it
            del known[contact]
            self._presence.left(contact)

    def _gone(self, gateway: str) -> None:
        for place in [each for each in self._known if each[1] == gateway]:
            del self._known[place]
        self._heard_at.pop(gateway, None)
        self._presence.gateway_gone(gateway)

    async def _tell(self) -> None:
        while True:
            contact = await self._to_tell.get()
            at = msg.subject("own", contact.table, contact.gateway)
            await self._link.say(at, msg.pack(msg.Replaced(contact)))

    async def _look(self) -> None:
        """A gateway that is silent for so long is dead, or cut off: its terminals come back by another one.

        While the bus itself is away nobody can be heard, and nobody is gone for that.
        """
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SAY_SECONDS)
            if not self._link.is_up:
                self._heard_at = dict.fromkeys(self._heard_at, loop.time())
                continue
            late = loop.time() - GONE_SECONDS
            for gateway in [name for name, at in self._heard_at.items() if at < late]:
                self._link.counted("gateway gone")
                log.warning(
                    "the gateway %s is not heard of any more: its terminals are without contact", gateway
                )
                self._gone(gateway)
