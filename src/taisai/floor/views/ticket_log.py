"""A read model of every ticket in the order in which its place issued it."""

from collections.abc import Iterable, Iterator

import msgspec

from taisai.floor.streams import ticket_of
from taisai.floor.tickets import TicketIssued
from taisai.floor.views.rounds import ticket_events
from taisai.record.journal import Commit, Event, micros
from taisai.record.views import Rows

# The newest stands first: keys count down.
_LAST = 10**10 - 1
_encode = msgspec.json.Encoder(order="deterministic").encode
_decode_issued = msgspec.json.Decoder(TicketIssued).decode


class LoggedTicket(msgspec.Struct, frozen=True):
    """A ticket as the log has it: by its name in the journal, never by its number."""

    ticket: str
    where: str
    sequence: int
    amount: int
    issued_at: int
    expires_at: int
    last_four: str


class TicketLog:
    """The tickets of each place that issues them, newest first."""

    name = "ticket-log"

    def keys(self, commit: Commit) -> Iterable[str]:
        return [log_key(issued.where, issued.sequence) for _, _, issued in _issued(commit)]

    def apply(self, commit: Commit, rows: Rows) -> None:
        for ticket, stored, issued in _issued(commit):
            rows[log_key(issued.where, issued.sequence)] = _encode(
                LoggedTicket(
                    ticket,
                    issued.where,
                    issued.sequence,
                    issued.amount,
                    stored.at,
                    micros(issued.expires_at),
                    issued.last_four,
                )
            )


TICKET_LOG = TicketLog()


def log_key(where: str, sequence: int) -> str:
    """Where a ticket stands in the log."""
    return f"{where}/{_LAST - sequence:010d}"


def _issued(commit: Commit) -> Iterator[tuple[str, Event, TicketIssued]]:
    for stored in ticket_events(commit):
        ticket = ticket_of(stored.stream)
        if ticket and stored.type == "TicketIssued":
            yield ticket, stored, _decode_issued(stored.body)
