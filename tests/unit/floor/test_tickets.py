"""Tickets: numbers that catch a misread digit, and one end for each ticket."""

from datetime import timedelta

import pytest

from taisai.errors import InputError, InvariantBroken
from taisai.floor.tickets import (
    Ticket,
    TicketIssued,
    TicketKey,
    TicketRedeemed,
    TicketStatus,
    masked,
    parse_number,
    ticket_from,
    unredeemable,
)
from taisai.game.refusals import RefusalCode
from taisai.record.journal import micros
from tests.floor.houses import KEY
from tests.unit.house import CASHIER, START

NUMBER = KEY.number("kim", "c1")
EXPIRES = START + timedelta(days=1)
ISSUED = TicketIssued(
    by=CASHIER, at=START, where="cage", amount=500, expires_at=EXPIRES, sequence=1, last_four=NUMBER[-4:]
)
REDEEMED = TicketRedeemed(by=CASHIER, at=START, where="cage")


def found(*events: TicketIssued | TicketRedeemed) -> Ticket:
    ticket = ticket_from(events)
    assert ticket is not None
    return ticket


def test_every_single_wrong_digit_and_every_swap_of_neighbours_is_caught() -> None:
    """The check digits leave no neighbour of a number that reads as another ticket."""
    wrong = {NUMBER[:at] + sign + NUMBER[at + 1 :] for at in range(18) for sign in "0123456789"}
    wrong |= {NUMBER[:at] + NUMBER[at + 1] + NUMBER[at] + NUMBER[at + 2 :] for at in range(17)}
    wrong.discard(NUMBER)
    assert len(wrong) > 160
    for number in wrong:
        with pytest.raises(InputError, match="check digits are wrong"):
            parse_number(number)


def test_a_number_is_read_as_it_was_typed_and_is_nothing_else() -> None:
    """Spaces and dashes are no digits; too few, too many and digits of other scripts are refused."""
    assert parse_number(f"{NUMBER[:4]} {NUMBER[4:10]}-{NUMBER[10:]}") == NUMBER
    for raw in ("", NUMBER[:-1], NUMBER + "0", "٣" * 18, "-" * 18):
        with pytest.raises(InputError, match="a ticket number has 18 digits"):
            parse_number(raw)
    assert masked(NUMBER) == "•" * 14 + NUMBER[-4:]


def test_the_same_command_has_the_same_number_under_one_key_only() -> None:
    """Numbers and names follow from the key; a short key is refused."""
    other = TicketKey(b"o" * 32)
    assert KEY.number("kim", "c1") == NUMBER
    assert len({NUMBER, KEY.number("kim", "c2"), KEY.number("kay", "c1"), other.number("kim", "c1")}) == 4
    assert KEY.name(NUMBER) != other.name(NUMBER)
    assert NUMBER not in KEY.name(NUMBER)
    with pytest.raises(InputError, match="at least 32 bytes, got 31"):
        TicketKey(b"o" * 31)


def test_a_ticket_is_good_until_the_moment_of_its_expiry_and_is_paid_once() -> None:
    """At the very moment it has expired; what was paid stays paid however late it is."""
    ticket = found(ISSUED)
    assert unredeemable(ticket, EXPIRES - timedelta(microseconds=1)) is None
    expired = unredeemable(ticket, EXPIRES)
    assert expired is not None
    assert (expired.code, expired.facts["status"]) == (RefusalCode.TICKET_EXPIRED, "expired")
    ticket.evolve(REDEEMED)
    assert ticket.status_at(EXPIRES) is TicketStatus.REDEEMED
    paid = unredeemable(ticket, START)
    assert paid is not None
    assert paid.code is RefusalCode.TICKET_REDEEMED
    unknown = unredeemable(None, START)
    assert unknown is not None
    assert unknown.code is RefusalCode.TICKET_UNKNOWN


def test_a_stream_that_no_ticket_can_have_is_refused() -> None:
    """It begins with its issue, has one issue, and no events are no ticket."""
    assert ticket_from([]) is None
    with pytest.raises(InvariantBroken, match="first event is its issue"):
        ticket_from([REDEEMED])
    with pytest.raises(InvariantBroken, match="issued once"):
        ticket_from([ISSUED, ISSUED])


def test_a_tickets_time_never_goes_back() -> None:
    """A cashier whose clock is behind adds an event at the time of the last one."""
    ticket = found(ISSUED)
    assert ticket.next_at(START - timedelta(hours=1)) == micros(START)
    assert ticket.next_at(START + timedelta(hours=1)) == micros(START + timedelta(hours=1))
