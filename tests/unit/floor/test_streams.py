"""The names of the journal's streams: made and read back, and no two alike."""

import pytest

from taisai.floor import streams
from taisai.record.checks import check_stream

DESKS = (
    streams.CAGE,
    streams.STAFF,
    streams.PLAYERS,
    streams.PIT,
    streams.APPROVALS,
    streams.INCIDENTS,
)


@pytest.mark.parametrize("name", ["T1", "C1-1", "table", "a.b_c@d"])
def test_a_table_and_a_ticket_are_read_back_from_their_streams(name: str) -> None:
    """Each by its own reader alone, though both may have the same name."""
    table, ticket = streams.table_stream(name), streams.ticket_stream(name)
    assert (streams.table_of(table), streams.ticket_of(table)) == (name, None)
    assert (streams.table_of(ticket), streams.ticket_of(ticket)) == (None, name)


def test_no_desk_and_no_summary_is_taken_for_a_table_or_a_ticket() -> None:
    """A table's summaries stand in a stream of their own."""
    summary = streams.checkpoint_stream(streams.table_stream("T1"))
    assert summary == "checkpoint:table:T1"
    for stream in (*DESKS, summary, "", "table", "Table:T1"):
        assert streams.table_of(stream) is None
        assert streams.ticket_of(stream) is None


def test_every_name_can_be_appended_to() -> None:
    """What is made here, the record takes; and all are different."""
    made = [*DESKS, streams.table_stream("T1"), streams.ticket_stream("T1")]
    made += [streams.checkpoint_stream(each) for each in made]
    for stream in made:
        check_stream(stream)
    assert len(set(made)) == len(made) == 16
