"""A cluster: sessions begin with credits and end when they are paid out, at terminals in service."""

import pytest

from taisai.dice import Roll
from taisai.floor.cluster.messages import CreditIn, EnrolTerminal, HandPay, SetService
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.kind import Acted
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH, TICKETS, credit
from tests.unit.cluster_play import AT, Cluster
from tests.unit.house import DEALER, SHIFT_MANAGER, SUPERVISOR, SYSTEM

ONE = "E1-1"


def code_of(outcome: Acted | Refusal | None) -> RefusalCode | None:
    return outcome.code if isinstance(outcome, Refusal) else None


def session_of(cluster: Cluster) -> str | None:
    return cluster.state.terminals[ONE].session


def test_credits_open_one_session_and_their_paying_out_ends_it() -> None:
    """The next credits are another session's, and the ticket has a number in order."""
    cluster = Cluster()
    assert code_of(cluster.cash_out(ONE)) is RefusalCode.SESSION_UNKNOWN
    cluster.cash_in(ONE, 100)
    cluster.cash_in(ONE, 50, "promo")
    assert session_of(cluster) == "E1-1.1"
    assert cluster.state.book.balance(credit("E1-1.1")) == 150
    assert code_of(cluster.cash_out(ONE)) is None
    assert (session_of(cluster), cluster.state.ticket_sequence) == (None, 1)
    assert cluster.state.book.balance(TICKETS) == 150
    assert code_of(cluster.cash_out(ONE)) is RefusalCode.SESSION_UNKNOWN
    cluster.cash_in(ONE, 10)
    assert session_of(cluster) == "E1-1.2"
    assert (cluster.state.has_left("E1-1.1"), cluster.state.has_left("E1-1.2")) == (True, False)


@pytest.mark.parametrize("amount", [0, -5])
def test_no_session_begins_with_nothing(amount: int) -> None:
    """And nobody pays in at a terminal that the cluster does not have."""
    cluster = Cluster()
    assert code_of(cluster.cash_in(ONE, amount)) is RefusalCode.AMOUNT_INVALID
    assert session_of(cluster) is None
    assert code_of(cluster.cash_in("E9-9", 100)) is RefusalCode.TERMINAL_UNKNOWN


def test_a_ticket_is_taken_once() -> None:
    """The same ticket again brings nothing, nor does one that nobody knows."""
    cluster = Cluster()
    assert code_of(cluster.ticket_in(ONE, 300)) is None
    again = CreditIn(by=SYSTEM, at=AT, terminal="E1-2", source="ticket", ticket="in1")
    assert code_of(cluster.ask(again)) is RefusalCode.TICKET_REDEEMED
    unknown = CreditIn(by=SYSTEM, at=AT, terminal="E1-2", source="ticket", ticket="in9")
    assert code_of(cluster.ask(unknown)) is RefusalCode.TICKET_UNKNOWN
    assert cluster.state.book.balance(credit("E1-1.1")) == 300
    assert cluster.state.terminals["E1-2"].session is None


def test_credits_are_not_paid_out_while_bets_are_on_the_felt() -> None:
    """Neither as a ticket nor by hand; after the round they are, with what was won."""
    cluster = Cluster()
    cluster.cash_in(ONE, 100)
    cluster.start()
    cluster.bet(ONE, {"big": 40})
    assert code_of(cluster.cash_out(ONE)) is RefusalCode.BETS_LYING
    assert code_of(cluster.hand_pay(ONE)) is RefusalCode.BETS_LYING
    cluster.finish(Roll(4, 4, 3))
    wrong = HandPay(by=SHIFT_MANAGER, at=AT, terminal=ONE, second=DEALER, reason="by hand", amount=139)
    assert code_of(cluster.ask(wrong)) is RefusalCode.AMOUNT_INVALID
    assert code_of(cluster.hand_pay(ONE)) is None
    assert cluster.state.book.balance(CASH) == 100 - 140


def test_a_terminal_out_of_service_takes_no_money_and_no_bets_but_lets_bets_go() -> None:
    """A printer's fault prints no ticket; the slip may still be withdrawn."""
    cluster = Cluster()
    cluster.cash_in(ONE, 100)
    cluster.start()
    cluster.bet(ONE, {"big": 40})
    cluster.service(ONE, "printer-fault")
    assert code_of(cluster.cash_in(ONE, 10)) is RefusalCode.TERMINAL_OUT_OF_SERVICE
    assert code_of(cluster.bet(ONE, {"big": 50})) is RefusalCode.TERMINAL_OUT_OF_SERVICE
    assert code_of(cluster.bet(ONE, {})) is None
    assert code_of(cluster.cash_out(ONE)) is RefusalCode.TERMINAL_OUT_OF_SERVICE
    assert code_of(cluster.hand_pay(ONE)) is None


def test_what_people_put_out_of_service_only_people_put_back() -> None:
    """The terminal's own word does not end it, and one person's does not either."""
    cluster = Cluster()
    cluster.ask(SetService(by=SUPERVISOR, at=AT, terminal=ONE, service="out-of-service"))
    cluster.service(ONE, "in-service")
    assert cluster.state.terminals[ONE].service == "out-of-service"
    back = SetService(by=SUPERVISOR, at=AT, terminal=ONE, service="in-service")
    assert code_of(cluster.ask(back)) is RefusalCode.SECOND_PERSON_MISSING
    assert cluster.state.terminals[ONE].held


def test_a_cluster_has_so_many_terminals_and_a_new_key_is_no_new_terminal() -> None:
    """At the limit a known one is enrolled again; its session stays."""
    state = ClusterState("E1", terminals_max=1)

    def enrol(terminal: str, key: str) -> RefusalCode | None:
        command = EnrolTerminal(by=SUPERVISOR, at=AT, terminal=terminal, key_digest=key)
        return code_of(state.act(command, f"E1.{key}"))

    assert enrol("a", "1") is None
    state.terminals["a"].session = "a.1"
    assert enrol("b", "2") is RefusalCode.TERMINALS_FULL
    assert enrol("a", "3") is None
    assert {name: (each.key_digest, each.session) for name, each in state.terminals.items()} == {
        "a": ("3", "a.1")
    }
