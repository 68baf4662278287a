"""The events of tables and tickets, read from their bytes."""

from datetime import timedelta

import msgspec
import pytest

from taisai.floor.desks.kind import DeskTaken
from taisai.floor.events import table_event, ticket_event, what_is_said
from taisai.floor.table.messages import TableClosed
from taisai.floor.tickets import TicketIssued
from taisai.record.journal import Event
from taisai.record.ports import InArchive, RecordCorrupt
from tests.unit.house import DEALER, START

CLOSED = TableClosed(by=DEALER, at=START, reason="the end of the day")
ISSUED = TicketIssued(
    by=DEALER,
    at=START,
    where="C1",
    amount=500,
    expires_at=START + timedelta(days=1),
    sequence=1,
    last_four="1234",
)


def stored(event: object, stream: str = "table:T1") -> Event:
    body = event if isinstance(event, bytes) else msgspec.json.encode(event)
    return Event(stream, 7, 0, type(event).__name__, body, b"")


def test_what_was_written_is_what_is_read() -> None:
    """A table's own events, the taking of its desk, and a ticket's come back as they were."""
    taken = DeskTaken(at=START, epoch=2)
    assert table_event(stored(CLOSED)) == CLOSED
    assert table_event(stored(taken)) == taken
    assert ticket_event(stored(ISSUED, "ticket:ab")) == ISSUED


@pytest.mark.parametrize("body", [b"{", b'{"type":"NobodyKnows"}', b'{"type":"TableClosed"}', b"[]"])
def test_bytes_that_are_no_event_name_their_place(body: bytes) -> None:
    """A damaged record is told by its stream and version, never passed over."""
    with pytest.raises(RecordCorrupt, match="table:T1 version 7 cannot be read"):
        table_event(stored(body))


def test_a_body_that_is_not_there_is_said_to_be_in_an_archive() -> None:
    """Whether an archive took it is what the audit finds out; nobody reads it as an event."""
    with pytest.raises(InArchive, match="table:T1 version 7"):
        table_event(stored(b""))


def test_a_tables_event_on_a_tickets_stream_is_damage() -> None:
    """Each stream knows its own events and no others."""
    with pytest.raises(RecordCorrupt, match="ticket:ab version 7"):
        ticket_event(stored(CLOSED, "ticket:ab"))
    with pytest.raises(RecordCorrupt, match="table:T1 version 7"):
        table_event(stored(ISSUED))


def test_many_events_are_read_as_each_by_itself_is() -> None:
    """Also where one of them is damaged or has left: it is named, and not its neighbours."""
    good = [stored(CLOSED), stored(DeskTaken(at=START, epoch=2))]
    assert what_is_said(good) == [table_event(each) for each in good]
    bad = Event("table:T1", 8, 0, "TableClosed", b"{", b"")
    with pytest.raises(RecordCorrupt, match="table:T1 version 8 cannot be read"):
        what_is_said([*good, bad])
    with pytest.raises(InArchive, match="table:T1 version 9"):
        what_is_said([*good, Event("table:T1", 9, 0, "TableClosed", b"", b"")])
