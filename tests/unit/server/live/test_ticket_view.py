"""A ticket as it is printed."""

from datetime import timedelta
from typing import Any

import pytest

from taisai.floor.streams import CAGE
from taisai.floor.tickets import TicketIssued
from taisai.server.live.table_view import millis
from taisai.server.live.ticket_view import qr_svg, ticket_view
from tests.floor.houses import KEY, SmallHouse
from tests.unit.house import DEALER, START

NUMBER = KEY.number("tests", "1")
PLAN = SmallHouse().plan


def issued(**other: Any) -> TicketIssued:
    told: dict[str, Any] = {
        "by": DEALER,
        "at": START,
        "where": "C1-1",
        "amount": 12_345,
        "expires_at": START + timedelta(days=182),
        "sequence": 3,
        "last_four": NUMBER[-4:],
        **other,
    }
    return TicketIssued(**told)


@pytest.mark.parametrize(
    ("where", "replaces", "kind"),
    [
        ("C1-1", False, "cash-out"),
        ("C1-1", True, "cash-out"),
        (CAGE, False, "sale"),
        (CAGE, True, "reissue"),
    ],
)
def test_a_ticket_says_where_it_comes_from(where: str, replaces: bool, kind: str) -> None:
    """A terminal prints what was cashed out; the cage sells tickets or puts one in another's place."""
    assert ticket_view(PLAN, NUMBER, issued(where=where, replaces=replaces)).kind == kind


def test_figures_and_words_say_the_same() -> None:
    """The amount, its moments in milliseconds, and that it is play money, are on the ticket."""
    view = ticket_view(PLAN, NUMBER, issued(), duplicate=True)
    assert (view.number, view.amount, view.sequence, view.issuer) == (NUMBER, 12_345, 3, "C1-1")
    assert view.expires_at - view.issued_at == 182 * 86_400_000
    assert view.issued_at == millis(START)
    assert "one hundred" in str(view.amount_words).lower()
    assert (view.play_money, view.duplicate) == (True, True)
    assert not ticket_view(PLAN, NUMBER, issued()).duplicate


def test_the_code_to_scan_is_the_numbers_own() -> None:
    """The same number gives the same picture, another number another; it has no size of its own."""
    picture = qr_svg(NUMBER)
    assert picture == ticket_view(PLAN, NUMBER, issued()).qr_svg
    assert picture != qr_svg(KEY.number("tests", "2"))
    assert picture.startswith("<svg ")
    head = picture.partition(">")[0]
    assert "viewBox" in head
    assert " width=" not in head
