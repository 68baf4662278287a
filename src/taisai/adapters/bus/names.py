"""Players' names over the bus: kept and given in one place, and shown at every gateway."""

import asyncio
import logging
from typing import Final

from nats.aio.msg import Msg

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus import questions as q
from taisai.adapters.bus.enquiries import BusEnquiries
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.listening import listen
from taisai.errors import TaisaiError
from taisai.floor.players.live_names import LiveNames
from taisai.floor.ports import Floor
from taisai.floor.table.player_names import NameBook
from taisai.record.patience import patiently

log = logging.getLogger("taisai.bus")

_PAGE: Final = 2_000
# A message may be lost: so often all names are asked for again.
AGAIN_SECONDS: Final = 30.0


class NamesTold:
    """An owner's side: says each name that is new, and each that was erased."""

    def __init__(self, link: BusLink) -> None:
        self._link = link
        self._tasks: set[asyncio.Task[bool]] = set()

    def follow(self, names: LiveNames) -> None:
        """From here on."""
        names.on_named.append(self._named)

    def _named(self, pseudonym: str, name: str) -> None:
        said = self._link.say(msg.subject("named"), msg.pack(msg.NameSaid(pseudonym, name)))
        task = asyncio.create_task(said)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class BusNaming:
    """A gateway's side: names of live tables are given by their owner, so that nobody gets two pseudonyms."""

    def __init__(self, link: BusLink, enquiries: BusEnquiries) -> None:
        self._link, self._enquiries = link, enquiries
        self._book = NameBook()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Know all names, and hear of those that are new."""
        self._book.open()
        await listen(self._link, msg.subject("named"), msg.NameSaid, self._heard, wanted="a name")
        await patiently("the names of players cannot be read", self._read_all)
        self._task = asyncio.create_task(self._read_again())

    async def stop(self) -> None:
        """Know nobody any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._book.close()

    async def in_record(self, house: Floor, typed: str, table: str) -> str:
        """A player as the record of a table has them."""
        return await self._enquiries.ask(q.OFFICE, q.NAME_IN_RECORD, q.NameInRecord(typed, table))

    async def erased(self, pseudonym: str) -> None:
        """Whoever comes under the name later is somebody else to the record."""
        await self._enquiries.ask(q.OFFICE, q.NAME_ERASED, q.NameForgotten(pseudonym))
        self._book.forget(pseudonym)

    async def _read_all(self) -> None:
        after = ""
        while page := await self._enquiries.ask(q.OFFICE, q.NAMES_PAGE, q.NamesPage(after, _PAGE)):
            for pseudonym, name in page:
                self._book.call(pseudonym, name)
            after = page[-1][0]

    async def _read_again(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            try:
                await self._read_all()
            except TaisaiError as error:
                log.warning("the names of players cannot be read, and are asked for again: %s", error)

    def _heard(self, said: msg.NameSaid, _: Msg) -> None:
        if said.name:
            self._book.call(said.pseudonym, said.name)
        else:
            self._book.forget(said.pseudonym)


class BusNames:
    """The store of names, as a gateway has it: its owner alone has the file and its keys."""

    def __init__(self, enquiries: BusEnquiries) -> None:
        self._enquiries = enquiries

    async def put(self, pseudonym: str, name: str) -> None:
        await self._enquiries.ask(q.OFFICE, q.NAME_PUT, q.NamePut(pseudonym, name))

    async def get(self, pseudonym: str) -> str | None:
        return await self._enquiries.ask(q.OFFICE, q.NAME_GET, q.NameGet(pseudonym))

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return await self._enquiries.ask(q.OFFICE, q.NAME_FIND, q.NameFind(part, limit))

    async def erase(self, pseudonym: str) -> bool:
        return await self._enquiries.ask(q.OFFICE, q.NAME_ERASE, q.NameErase(pseudonym))

    async def close(self) -> None:
        """It is another process's."""
