"""Tickets by their numbers: one place makes, names and finds them."""

import ast
from pathlib import Path

import pytest

from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import InputError
from taisai.floor.ticket_office import TicketOffice
from taisai.floor.tickets import Ticket, TicketIssued, TicketRedeemed
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.floor.houses import KEY, START, SmallHouse
from tests.record import SIGNER

SRC = Path(__file__).parents[3] / "src" / "taisai"
KIM, TERMINAL = Actor("kim", Role.CASHIER), Actor("C1-1", Role.PLAYER)


def office(*voided: str) -> TicketOffice:
    store = MemoryStore(MemoryDisk(), writer="house", signer=SIGNER, clock=SmallHouse().clock)
    return TicketOffice(KEY, store, days=182, is_being_voided=lambda name: name in voided)


def a_ticket() -> Ticket:
    issued = TicketIssued(
        by=KIM, at=START, where="cage", amount=100, expires_at=START, sequence=1, last_four="1234"
    )
    ticket = Ticket(issued)
    ticket.evolve(issued)
    return ticket


async def test_a_request_has_one_number_and_a_number_has_one_name() -> None:
    """The same request again is the same ticket; another sender's is another; paper reads back."""
    tickets = office()
    number = tickets.for_request(KIM, "a")
    assert number == tickets.for_request(KIM, "a")
    assert len({number, tickets.for_request(KIM, "b"), tickets.for_request(TERMINAL, "a")}) == 3
    spaced = " ".join(number.digits[at : at + 4] for at in range(0, 18, 4))
    assert tickets.read(spaced) == number
    assert tickets.to_issue(number).name == number.name
    assert tickets.to_issue(number).last_four == number.digits[-4:]
    assert (number.shown(whole=True), number.shown(whole=False)[:1]) == (number.digits, "•")
    assert await tickets.find(number.name) is None
    with pytest.raises(InputError):
        tickets.read("12")


async def test_a_ticket_that_somebody_wants_void_is_not_paid_meanwhile() -> None:
    """One that has ended is not pending, whatever was asked."""
    ticket = a_ticket()
    refusal = office("n").pending("n", ticket)
    assert refusal is not None
    assert refusal.code is RefusalCode.TICKET_PENDING
    assert office().pending("n", ticket) is None
    ticket.evolve(TicketRedeemed(by=KIM, at=START, where="cage"))
    assert office("n").pending("n", ticket) is None
    assert await office("n").not_payable_yet("n") is None  # no such ticket: the desk says so
    assert await office("n").not_payable_yet(None) is None


def test_numbers_are_named_nowhere_else() -> None:
    """Whoever needs a ticket's name asks the office, which alone holds the key."""
    texts = {str(path.relative_to(SRC)): path.read_text(encoding="utf-8") for path in SRC.rglob("*.py")}
    users = {
        name
        for name, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in ("number", "name")
        if ast.unparse(node.value).endswith((".ticket_key", "self._key"))
    }
    assert users == {"floor/ticket_office.py"}
    loaders = {name for name, text in texts.items() if "load_ticket" in text}
    assert loaders == {"floor/opening.py", "floor/ticket_office.py"}
