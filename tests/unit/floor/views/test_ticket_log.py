"""The log of tickets: each place's own, newest first, and never by their numbers."""

import msgspec

from taisai.floor.views.ticket_log import TICKET_LOG, LoggedTicket, log_key
from taisai.record.views import catch_up
from tests.unit.floor.kept_evening import kept_evening


def test_a_newer_ticket_stands_before_an_older_one() -> None:
    """As text, over any number of digits, and beside other places."""
    assert log_key("cage", 10) < log_key("cage", 9) < log_key("cage", 1)
    assert log_key("cage", 1) == "cage/9999999998"
    assert len(log_key("cage", 10**10 - 1)) == len(log_key("cage", 0))


async def test_every_ticket_is_logged_once_at_the_place_that_issued_it() -> None:
    """By its name in the journal; what ended it changes nothing here."""
    store = await kept_evening()
    await catch_up(store, TICKET_LOG)
    await catch_up(store, TICKET_LOG)
    rows = [msgspec.json.decode(row, type=LoggedTicket) async for _, row in store.view_rows(TICKET_LOG.name)]
    assert [(row.where, row.sequence, row.amount) for row in rows] == [
        ("cage", 2, 7_200),
        ("cage", 1, 7_000),
        ("s1", 1, 9_200),
        ("s3", 2, 7_200),
    ]
    assert {len(row.ticket) for row in rows} == {64}
    assert {len(row.last_four) for row in rows} == {4}
    assert {row.expires_at - row.issued_at for row in rows} == {182 * 86_400 * 1_000_000}
