"""The cage: a drawer says what should be in it, and a ticket is paid, printed and voided under its rules."""

from typing import Any

import pytest

from taisai.floor.cage import (
    CageAnswer,
    CageState,
    CloseDrawer,
    MoveDrawer,
    OpenDrawer,
    PrintTicket,
    RedeemTicket,
    SellTicket,
    VoidTicket,
)
from taisai.floor.cluster.messages import NewTicket
from taisai.floor.desks.kind import Acted
from taisai.floor.identity import CagePolicy, Identity
from taisai.floor.tickets import Ticket, TicketIssued
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH, TICKETS
from tests.unit.house import CASHIER, DEALER, SHIFT_MANAGER, SYSTEM, minutes

TWO: dict[str, Any] = {"second": SHIFT_MANAGER, "reason": "torn"}


class Cage:
    """A cage with an open drawer, and one ticket of 500 that it knows by name."""

    def __init__(self, **policy: int) -> None:
        self.state, self.acts = CageState(policy=CagePolicy(**policy)), 0
        self.ask(OpenDrawer, float_minor=1_000)
        issued = TicketIssued(
            by=CASHIER,
            at=minutes(0),
            where="C1-1",
            amount=500,
            expires_at=minutes(60),
            sequence=1,
            last_four="1234",
        )
        self.state.tickets["n"] = Ticket(issued, 1)

    def ask(self, kind: Any, by: Any = CASHIER, at: float = 1, **facts: Any) -> CageAnswer | RefusalCode:
        self.acts += 1
        outcome = self.state.act(kind(by=by, at=minutes(at), **facts), f"cage.{self.acts}")
        if isinstance(outcome, Refusal):
            return outcome.code
        assert isinstance(outcome, Acted)
        assert isinstance(outcome.answer, CageAnswer)
        return outcome.answer

    @property
    def drawer(self) -> int:
        return self.state.drawers[CASHIER.name].expected_minor


def ticket(name: str = "new") -> NewTicket:
    return NewTicket(name=name, last_four="5678", days=1)


def test_a_count_is_held_against_what_should_be_there_and_the_difference_is_kept() -> None:
    """Sold, paid and moved cash all count; nothing is smoothed over."""
    cage = Cage()
    cage.ask(SellTicket, amount=300, ticket=ticket())
    cage.ask(RedeemTicket, ticket="n")
    cage.ask(MoveDrawer, by=SYSTEM, drawer=CASHIER.name, amount=-50, player="ann")
    assert cage.drawer == 1_000 + 300 - 500 - 50
    closed = cage.ask(CloseDrawer, counted_minor=740)
    assert isinstance(closed, CageAnswer)
    assert (closed.amount, closed.variance_minor) == (750, -10)
    assert cage.ask(CloseDrawer, counted_minor=740) is RefusalCode.DRAWER_NOT_OPEN
    assert (cage.state.book.balance(CASH), cage.state.book.balance(TICKETS)) == (-200, -200)


def test_without_an_open_drawer_no_cash_changes_hands() -> None:
    """A second drawer, a float below nothing and a sale for nothing are refused."""
    cage = Cage()
    assert cage.ask(OpenDrawer, float_minor=0) is RefusalCode.DRAWER_OPEN
    assert cage.ask(SellTicket, amount=0, ticket=ticket()) is RefusalCode.AMOUNT_INVALID
    assert cage.ask(CloseDrawer, counted_minor=-1) is RefusalCode.AMOUNT_INVALID
    cage.ask(CloseDrawer, counted_minor=1_000)
    assert cage.ask(OpenDrawer, float_minor=-1) is RefusalCode.AMOUNT_INVALID
    assert cage.ask(RedeemTicket, ticket="n") is RefusalCode.DRAWER_NOT_OPEN
    assert cage.ask(OpenDrawer, by=DEALER, float_minor=0) is RefusalCode.ROLE_NOT_ALLOWED


@pytest.mark.parametrize(
    ("name", "minute", "code"),
    [("n", 60, RefusalCode.TICKET_EXPIRED), ("x", 1, RefusalCode.TICKET_UNKNOWN)],
)
def test_a_ticket_is_paid_once_in_its_time(name: str, minute: float, code: RefusalCode) -> None:
    """Expired or unknown it is not paid, and after it was paid neither."""
    cage = Cage()
    assert cage.ask(RedeemTicket, ticket=name, at=minute) is code
    cage.ask(RedeemTicket, ticket="n")
    assert cage.ask(RedeemTicket, ticket="n") is RefusalCode.TICKET_REDEEMED
    assert cage.drawer == 500


def test_a_large_payment_takes_a_document_and_a_second_person() -> None:
    """At the very amount; limits that are one cent higher ask for neither."""
    cage = Cage(identify_from_minor=500, second_from_minor=500)
    identity = Identity(document="passport", last="1234")
    assert cage.ask(RedeemTicket, ticket="n", **TWO) is RefusalCode.IDENTITY_MISSING
    assert cage.ask(RedeemTicket, ticket="n", identity=identity) is RefusalCode.SECOND_PERSON_MISSING
    assert isinstance(cage.ask(RedeemTicket, ticket="n", identity=identity, **TWO), CageAnswer)
    assert isinstance(
        Cage(identify_from_minor=501, second_from_minor=501).ask(RedeemTicket, ticket="n"), CageAnswer
    )


def test_the_first_copy_is_one_persons_and_every_other_takes_two() -> None:
    """Copies are counted, and a ticket that was paid is printed no more."""
    cage = Cage()
    first = cage.ask(PrintTicket, ticket="n")
    assert isinstance(first, CageAnswer)
    assert first.copy == 1
    assert cage.ask(PrintTicket, ticket="n") is RefusalCode.SECOND_PERSON_MISSING
    second = cage.ask(PrintTicket, ticket="n", **TWO)
    assert isinstance(second, CageAnswer)
    assert second.copy == 2
    cage.ask(RedeemTicket, ticket="n")
    assert cage.ask(PrintTicket, ticket="n", **TWO) is RefusalCode.TICKET_REDEEMED


def test_a_void_ticket_is_paid_by_hand_or_replaced_and_never_both() -> None:
    """Even an expired one; the money of a replaced ticket does not move."""
    paid, replaced = Cage(), Cage()
    assert paid.ask(VoidTicket, ticket="n", second=None, reason="x") is RefusalCode.SECOND_PERSON_MISSING
    assert isinstance(paid.ask(VoidTicket, ticket="n", at=61, **TWO), CageAnswer)
    assert (paid.drawer, paid.state.book.balance(CASH)) == (500, -500)
    assert paid.ask(VoidTicket, ticket="n", **TWO) is RefusalCode.TICKET_VOID
    answer = replaced.ask(VoidTicket, ticket="n", reissue=ticket(), **TWO)
    assert isinstance(answer, CageAnswer)
    assert (answer.amount, answer.sequence) == (500, 1)
    assert (replaced.drawer, replaced.state.book.balance(CASH)) == (1_000, 0)
