"""A house on the bus: what its owner tells, answers and decides for gateways."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from taisai.adapters.bus import questions as q
from taisai.adapters.bus.asking import Answering
from taisai.adapters.bus.enquiries import Answerer, Enquiries, Question
from taisai.adapters.bus.following import BusTelling, Standing
from taisai.adapters.bus.gatherings import GatheringsTold
from taisai.adapters.bus.link import BusLink
from taisai.adapters.bus.names import NamesTold
from taisai.adapters.bus.presence import BusContacts
from taisai.adapters.bus.staff import BusStaffPresence
from taisai.errors import InputError
from taisai.floor.desks.copy import Carried, DeskCopy
from taisai.floor.house import House
from taisai.floor.owners.units import unit_of
from taisai.floor.plan import HousePlan
from taisai.floor.streams import APPROVALS, CAGE, LOG, PIT, PLAYERS, STAFF, table_of, table_stream
from taisai.record.journal import Batch
from taisai.record.ports import NamesStore

_OFFICE_STREAMS: Final = (CAGE, STAFF, APPROVALS, PLAYERS, PIT, LOG)


class OwnerOnBus:
    """Begin with `start` once the house is open; its store carries each batch here from then on.

    Which desks it answers for may change while it lives: `begin` and `end`.
    """

    def __init__(self, link: BusLink, owner: str, house: House, names: NamesStore | None = None) -> None:
        self._house = house
        self._owned: dict[str, Standing] = {}
        everything = house.desks_here.streams
        self.telling = BusTelling(link, owner, self._owned, house.now, everything)
        self.answering = Answering(link, house, house.ownership, self._standing)
        self._contacts = BusContacts(link, house.presence)
        self._staff = BusStaffPresence(link, house.staff_presence)
        self._gatherings = GatheringsTold(link, house)
        self._named = NamesTold(link)
        self._enquiries = Enquiries(link, house.ownership, HouseAnswers(house, names).by_question())

    async def start(self) -> None:
        """Answer for all desks that the house runs now."""
        await self.telling.start()
        if self._house.live_names is not None:
            self._named.follow(self._house.live_names)
        await self._staff.start()
        await self._contacts.start()
        self._gatherings.start()
        here = self._house.desks_here
        await self.begin([stream for stream in here.streams if unit_of(stream) in self._house.owned])

    async def stop(self) -> None:
        """Take nothing more; what was taken is answered, and what is durable is told."""
        await self.end(list(self._owned))
        await self._contacts.stop()
        await self._gatherings.stop()
        await self._staff.stop()
        await self.telling.stop()

    async def begin(self, streams: Sequence[str]) -> None:
        """From here on this process answers for these desks."""
        tables = [table for stream in streams if (table := table_of(stream)) is not None]
        self._owned.update({stream: partial(self._version, stream) for stream in streams})
        self._gatherings.begin(table for table in tables if self._house.plans[table].kind == "cluster")
        await self._contacts.begin(tables)
        await self._enquiries.begin({unit_of(stream) for stream in streams})
        await self.answering.start(streams)

    async def end(self, streams: Sequence[str]) -> None:
        """Take nothing more for these desks, and answer what was taken."""
        tables = [table for stream in streams if (table := table_of(stream)) is not None]
        await self.answering.end(streams)
        await self._enquiries.end({unit_of(stream) for stream in streams})
        await self._contacts.end(tables)
        self._gatherings.end(tables)
        for stream in streams:
            self._owned.pop(stream, None)

    def carry(self, batch: Batch) -> None:
        """A batch is durable."""
        self.telling.carry(batch)

    def _version(self, stream: str) -> int | None:
        desk = self._house.desks_here.by_stream[stream]
        return None if desk.stopped else desk.version

    def _standing(self) -> dict[str, int]:
        """Where everything stood that this process knew, its own and what it heard of others."""
        return {desk.kind.stream: desk.version for desk in self._house.desks()}


class CopiesHere:
    """What a process that runs some desks hears of the others, once its house is there."""

    def __init__(self, plan: HousePlan, now: Callable[[], datetime]) -> None:
        self.now = now
        self.house: House | None = None
        self.streams: Collection[str] = [
            *_OFFICE_STREAMS,
            *(table_stream(table.name) for table in plan.tables),
        ]

    async def start(self) -> None:
        """The house makes its copies itself."""

    def hear(self, carried: Carried) -> None:
        if self.house is not None:
            self.house.desks_here.hear(carried)

    def stands_at(self, stream: str, version: int) -> None:
        if self.house is not None:
            self.house.desks_here.stands_at(stream, version)

    def behind(self, versions: Mapping[str, int]) -> list[tuple[DeskCopy[Any], int]]:
        """The copies that do not know yet what an owner knew."""
        copies = self.house.desks_here.copies() if self.house is not None else []
        wanted = [(copy, versions.get(copy.kind.stream, 0)) for copy in copies]
        return [(copy, version) for copy, version in wanted if copy.version < version]


class HouseAnswers:
    """What a house knows that gateways ask for."""

    def __init__(self, house: House, names: NamesStore | None) -> None:
        self._house, self._names = house, names

    def by_question(self) -> Mapping[Question[Any], Answerer]:
        """Who answers which question."""
        return {
            q.DICE_WANTED: self._dice_wanted,
            q.ATTENDANT_CALLED: self._attendant_called,
            q.NAME_IN_RECORD: self._name_in_record,
            q.NAME_ERASED: self._name_erased,
            q.NAMES_PAGE: self._names_page,
            q.NAME_PUT: self._name_put,
            q.NAME_GET: self._name_get,
            q.NAME_FIND: self._name_find,
            q.NAME_ERASE: self._name_erase,
            q.LOG_KEYS: self._log_keys,
            q.LOG_FILE: self._log_file,
            q.RECEIPT_OF: self._receipt_of,
            q.TRIES: self._tries,
            q.NOTE: self._note,
            q.NOTED: self._noted,
            q.KEEP: self._keep,
            q.KEPT: self._kept,
        }

    async def _dice_wanted(self, about: q.DiceWanted) -> bool:
        return await self._house.gatherings.wants_dice(
            about.table, about.terminal, about.number, ready=about.ready
        )

    async def _attendant_called(self, about: q.AttendantCalled) -> None:
        await self._house.gatherings.call(about.table, about.terminal, wanted=about.wanted)

    async def _name_in_record(self, about: q.NameInRecord) -> str:
        if self._house.live_names is None:
            raise InputError("this house keeps no names")
        return await self._house.live_names.in_record(self._house, about.typed, about.table)

    async def _name_erased(self, about: q.NameForgotten) -> None:
        if self._house.live_names is not None:
            await self._house.live_names.erased(about.pseudonym)

    async def _names_page(self, about: q.NamesPage) -> list[tuple[str, str]]:
        return self._house.live_names.page(about.after, about.limit) if self._house.live_names else []

    async def _name_put(self, about: q.NamePut) -> None:
        await self._kept_names.put(about.pseudonym, about.name)

    async def _name_get(self, about: q.NameGet) -> str | None:
        return await self._kept_names.get(about.pseudonym)

    async def _name_find(self, about: q.NameFind) -> list[tuple[str, str]]:
        return await self._kept_names.find(about.part, limit=about.limit)

    async def _name_erase(self, about: q.NameErase) -> bool:
        return await self._kept_names.erase(about.pseudonym)

    @property
    def _kept_names(self) -> NamesStore:
        if self._names is None:
            raise InputError("this house keeps no names")
        return self._names

    async def _log_keys(self, about: q.LogKeys) -> list[str]:
        return await self._house.proofs.keys() if self._house.proofs else []

    async def _log_file(self, about: q.LogFile) -> bytes | None:
        return await self._house.proofs.file(about.name) if self._house.proofs else None

    async def _receipt_of(self, about: q.ReceiptOf) -> bytes:
        if self._house.proofs is None:
            raise InputError("this house makes no receipts")
        return await self._house.proofs.receipt(about.table, about.number, about.place, about.salt)

    async def _tries(self, about: q.TryCounted) -> float:
        return await self._house.keeping.tries(
            about.what, about.place, most=about.most, seconds=about.seconds
        )

    async def _note(self, about: q.ToCount) -> None:
        await self._house.keeping.note(about.what, about.place)

    async def _noted(self, about: q.HowOften) -> int:
        return await self._house.keeping.noted(about.what, about.place, seconds=about.seconds)

    async def _keep(self, about: q.ToKeep) -> None:
        await self._house.keeping.keep(about.what, about.key, about.value, seconds=about.seconds)

    async def _kept(self, about: q.WhatIsKept) -> str | None:
        look = self._house.keeping.take if about.take else self._house.keeping.kept
        return await look(about.what, about.key)
