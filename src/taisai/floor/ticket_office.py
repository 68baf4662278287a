"""Tickets by their numbers: made for a request, read from paper, named for the journal, found, and issued.

Nobody else knows which name belongs to which number.
"""

from collections.abc import Callable
from typing import NamedTuple

from taisai.floor.cluster.messages import NewTicket
from taisai.floor.desks.decider import sender_name
from taisai.floor.opening import load_ticket
from taisai.floor.tickets import Ticket, TicketKey, TicketStatus, masked, parse_number
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.record.anchor import ANCHOR, RestoreDeclared, anchor_event
from taisai.record.ports import Store


class TicketNumber(NamedTuple):
    """A ticket's number, and the name that the journal knows it by."""

    digits: str
    name: str

    def shown(self, *, whole: bool) -> str:
        """The number as screens show it: masked until the ticket has ended."""
        return self.digits if whole else masked(self.digits)


class TicketOffice:
    """The house's ticket numbers."""

    def __init__(
        self, key: TicketKey, store: Store, *, days: int, is_being_voided: Callable[[str], bool]
    ) -> None:
        self._key, self._store, self._days = key, store, days
        self._is_being_voided = is_being_voided
        self.paid_before_restore: dict[str, str] = {}  # the last four digits, by the ticket's name

    async def start(self) -> None:
        """Read which tickets a restored record would pay though they were paid before."""
        async for stored in self._store.events(ANCHOR):
            event = anchor_event(stored)
            if isinstance(event, RestoreDeclared):
                self.paid_before_restore |= {each.ticket: each.last_four for each in event.paid}

    def for_request(self, by: Actor, key: str) -> TicketNumber:
        """The number of the ticket that a request brings: the same one however often it is sent."""
        return self._named(self._key.number(sender_name(by), key))

    def read(self, raw: str) -> TicketNumber:
        """A number as it was typed or scanned, checked."""
        return self._named(parse_number(raw))

    def _named(self, digits: str) -> TicketNumber:
        return TicketNumber(digits, self._key.name(digits))

    def to_issue(self, number: TicketNumber) -> NewTicket:
        """What a command says of the ticket that it asks for."""
        return NewTicket(name=number.name, last_four=number.digits[-4:], days=self._days)

    async def find(self, name: str) -> Ticket | None:
        """A ticket as the journal has it, by its name there."""
        return await load_ticket(self._store, name)

    def pending(self, name: str, ticket: Ticket) -> Refusal | None:
        """Why a ticket that is still good is not paid now: a second person is asked to make it void."""
        if ticket.ended is not None or not self._is_being_voided(name):
            return None
        return by_house(RefusalCode.TICKET_PENDING, last_four=ticket.issued.last_four)

    async def not_payable_yet(self, name: str | None) -> Refusal | None:
        """The same of a ticket that is handed in, and of one that was paid before the record was restored."""
        if name is not None and name in self.paid_before_restore:
            facts = {"last_four": self.paid_before_restore[name], "status": str(TicketStatus.REDEEMED)}
            return by_house(RefusalCode.TICKET_REDEEMED, **facts)
        if name is None or not self._is_being_voided(name):
            return None
        ticket = await self.find(name)
        return self.pending(name, ticket) if ticket else None
