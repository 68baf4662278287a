"""Follows every ticket through a record: issued once, ended once, and worth what the ledger says."""

import msgspec

from taisai.floor.events import ticket_event
from taisai.floor.streams import ticket_of
from taisai.floor.tickets import TicketIssued, TicketPrinted
from taisai.ledger.accounts import TICKETS
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, Event
from taisai.record.ports import RecordCorrupt
from taisai.record.views import moved_in


class TicketFindings(msgspec.Struct):
    """How many tickets were followed, and what is still owed on them."""

    issued: int = 0
    ended: int = 0
    outstanding_minor: int = 0


class TicketCheck:
    """A `Check` for the verifier. It holds the tickets that are out, and nothing of those that came back."""

    def __init__(self) -> None:
        self.findings = TicketFindings()
        self._out: dict[str, int] = {}

    def feed(self, commit: Commit) -> None:
        """In each commit the tickets account moves by what its tickets are worth."""
        owed = 0
        if any(ticket_of(span.stream) for span in commit.spans):
            owed = sum([self._follow(event) for event in commit.events if ticket_of(event.stream)])
        debits, credits = moved_in(commit).get(TICKETS, (0, 0))[:2]
        moved = credits - debits
        if moved != owed:
            where = f"commit {commit.writer}/{commit.number}"
            raise RecordFault(
                where, f"the books of tickets move by {moved}, the tickets themselves by {owed}"
            )
        self.findings.outstanding_minor += owed

    def finish(self) -> None:
        """Nothing remains to be seen at the end: each ticket was checked when it changed."""

    def _follow(self, stored: Event) -> int:
        """What an event changes in what is owed on tickets."""
        where = f"{stored.stream} version {stored.version}"
        try:
            event = ticket_event(stored)
        except RecordCorrupt as corrupt:
            raise RecordFault(where, str(corrupt)) from None
        if isinstance(event, TicketIssued):
            if stored.version != 1:
                raise RecordFault(where, "a ticket is issued once")
            self.findings.issued += 1
            self._out[stored.stream] = event.amount
            return event.amount
        printed = isinstance(event, TicketPrinted)
        if stored.stream not in self._out:
            raise RecordFault(where, f"it {'prints' if printed else 'ends'} a ticket that is not out")
        if printed:
            return 0
        self.findings.ended += 1
        return -self._out.pop(stored.stream)
