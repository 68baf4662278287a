"""Which terminals are there: one connection each, and a loss that lasts goes on the record (ETG 5.2).

The owner of a table decides it, from what the gateways say of their connections: a terminal that comes back
by another gateway within the time was never away.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from taisai.errors import StoreUnavailable, TaisaiError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.ports import HUB, Contact
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.record.patience import pauses

if TYPE_CHECKING:
    from taisai.floor.house import House

log = logging.getLogger("taisai.contacts")

_OVER: Final = (Phase.CONCLUDED, Phase.VOID)
_NOBODY: Final[Mapping[str, Contact]] = {}


class Contacts:
    """The connections of all terminals of a house, by table and terminal."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._here: dict[str, dict[str, Contact]] = {}  # by table and terminal
        self._epochs: dict[str, int] = {}  # the newest life of each gateway
        self._replaced: list[Callable[[Contact], None]] = []
        self._waiting: dict[asyncio.Task[None], str] = {}  # with the table

    def on_replaced(self, call: Callable[[Contact], None]) -> None:
        """Be told of each connection whose place another one has taken."""
        self._replaced.append(call)

    def joined(self, contact: Contact) -> None:
        """A terminal has one connection: a new one takes the place of the old."""
        known = self._epochs.get(contact.gateway, 0)
        if contact.epoch < known:  # said by a gateway before it died, and heard late
            self._let_go(contact)
            return
        if contact.epoch > known:
            self.gateway_gone(contact.gateway)
            self._epochs[contact.gateway] = contact.epoch
        here = self._here.setdefault(contact.table, {})
        before = here.get(contact.terminal)
        here[contact.terminal] = contact
        if before is not None and before != contact:
            self._let_go(before)
        self._house.gatherings.joined(contact.table)

    def left(self, contact: Contact) -> None:
        """A connection ended; if no other takes its place soon, the terminal is cut off."""
        if self.is_current(contact):
            del self._here[contact.table][contact.terminal]
            self._house.gatherings.left(contact.table, contact.terminal)
            self._watch(contact.table, contact.terminal)

    def is_current(self, contact: Contact) -> bool:
        """Whether a connection is the one that its terminal has."""
        return self.at(contact.table).get(contact.terminal) == contact

    def at(self, table: str) -> Mapping[str, Contact]:
        """The connections at a table, by terminal."""
        return self._here.get(table, _NOBODY)

    def gateway_gone(self, gateway: str) -> None:
        """A gateway died, or began anew: all of its connections have ended."""
        everybody = [each for here in self._here.values() for each in here.values()]
        for contact in [each for each in everybody if each.gateway == gateway]:
            self.left(contact)

    def forget(self, table: str) -> None:
        """Another process decides for a table from here on: what gateways say again it hears."""
        self._here.pop(table, None)
        self._house.gatherings.end(table)
        for task in [task for task, of in self._waiting.items() if of == table]:
            task.cancel()

    async def look_for_lost(self, tables: Iterable[str]) -> None:
        """The process before this one lost contact with every terminal; some may never come back."""
        for name in list(tables):
            if self._house.plans[name].kind != "cluster":
                continue
            table = await self._house.read.when_ready(name)
            current = table.current
            for terminal, seat in table.terminals().items():
                slip = current.slips.get(seat.session or "") if current else None
                if slip is not None and not slip.absent and self._without_contact(name, terminal):
                    self._watch(name, terminal)

    async def stop(self) -> None:
        """Wait for nobody any more."""
        tasks = list(self._waiting)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _let_go(self, contact: Contact) -> None:
        for call in self._replaced:
            call(contact)

    def _watch(self, table: str, terminal: str) -> None:
        task = asyncio.get_running_loop().create_task(self._cut_off(table, terminal))
        self._waiting[task] = table
        task.add_done_callback(self._waited)

    def _waited(self, task: asyncio.Task[None]) -> None:
        self._waiting.pop(task, None)
        if not task.cancelled() and (error := task.exception()):
            log.error("a loss of contact could not be recorded: %s", error, exc_info=error)

    async def _cut_off(self, table: str, terminal: str) -> None:
        """Put on the record that a terminal lost contact with bets registered.

        While the store is away it is tried again, for as long as the terminal is away and its bets in play.
        """
        house = self._house
        await asyncio.sleep(house.plan.cut_off_seconds)
        key, lost_at = uuid4().hex, house.now()
        for pause in pauses():
            try:
                found = self._without_contact(table, terminal)
                if found is None:
                    return
                session, number = found
                lost = cmd.RecordCutOff(by=SYSTEM, at=lost_at, player=session)
                asked = InRound(by=SYSTEM, at=lost.at, command=lost, round=number)
                await house.do(TableAct(table, asked), HUB, f"{key}.{number}")
                return
            except TaisaiError as error:
                log.warning("%s: the cut-off of %s is not on the record yet: %s", table, terminal, error)
                if not isinstance(error, StoreUnavailable) or not error.passing:
                    return
            await asyncio.sleep(pause)

    def _without_contact(self, table: str, terminal: str) -> tuple[str, int] | None:
        """The session and the round of a terminal that is not connected while its bets are in play."""
        if terminal in self.at(table):
            return None
        seen = self._house.read.table(table)
        current, session = seen.current, seen.session_at(terminal)
        if current is None or session is None or current.phase in _OVER or not current.rulebook.electronic:
            return None
        slip = current.slips.get(session)
        if slip is None or not slip.total() or session in current.paid:
            return None
        return session, current.number
