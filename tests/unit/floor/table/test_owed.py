"""What a player owes after a correction, and what waits for one who has gone (decision by two people)."""

from dataclasses import dataclass
from typing import Any

import pytest

from taisai.dice import Roll
from taisai.floor.identity import Identity
from taisai.floor.table.messages import BuyIn, CashOut, CollectOwed, LeaveTable, PayUnclaimed, StartRound
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import credit, receivable, unclaimed
from tests.unit.floor.table.test_round_money import (
    AT,
    DEALER,
    MANAGER,
    SUPERVISOR,
    Evening,
    evening_with_players,
    limits,
)

CASHIER = Actor("Pia", Role.CASHIER)
BIG, SMALL = Roll(4, 4, 3), Roll(1, 2, 3)


def corrected(roll: Roll) -> cmd.CorrectResult:
    return cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="misread", roll=roll)


def indebted(**settings: object) -> Evening:
    """Ann won 1,000 by a misread roll and took everything away: corrected, she owes 2,000."""
    evening = evening_with_players(**settings)
    evening.bet("ann", {"big": 1000})
    evening.finish(BIG)
    evening.ask(CashOut(by=DEALER, at=AT, player="ann"))
    evening.play(corrected(SMALL), number=1)
    assert evening.balance(receivable("ann")) == 2000
    return evening


@dataclass
class Two:
    """The two people of a decision."""

    by: Actor = DEALER
    second: Actor | None = MANAGER
    reason: str = "at the table"


def collect(evening: Evening, amount: int, two: Two | None = None, **more: Any) -> object:
    two = two or Two()
    return evening.ask(
        CollectOwed(
            by=two.by,
            second=two.second,
            reason=two.reason,
            at=AT,
            player="ann",
            amount=amount,
            **more,
        )
    )


def code_of(answer: object) -> RefusalCode | None:
    return answer.code if isinstance(answer, Refusal) else None


@pytest.mark.parametrize("waive", [False, True])
@pytest.mark.parametrize(
    ("two", "code"),
    [
        (Two(MANAGER, None), RefusalCode.SECOND_PERSON_MISSING),
        (Two(MANAGER, Actor("LOW", Role.DEALER)), RefusalCode.SECOND_PERSON_IS_FIRST),
        (Two(DEALER, SUPERVISOR), RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (Two(Actor("root", Role.ADMINISTRATOR), MANAGER), RefusalCode.ROLE_NOT_ALLOWED),
        (Two(CASHIER, MANAGER, " "), RefusalCode.REASON_MISSING),
        (Two(CASHIER, MANAGER), None),
        (Two(DEALER, MANAGER), None),
    ],
)
def test_a_debt_is_decided_by_two_people_one_of_them_a_shift_manager(
    two: Two, code: RefusalCode | None, *, waive: bool
) -> None:
    """Collecting and waiving alike: nobody gives up the house's money alone."""
    evening = indebted()
    assert code_of(collect(evening, 2000, two, waive=waive)) is code
    assert evening.balance(receivable("ann")) == (2000 if code else 0)


def test_who_owes_is_not_paid_out() -> None:
    """A cash-out is refused with the amount, also with chips in hand, until the debt is paid or decided."""
    evening = indebted()
    evening.ask(BuyIn(by=DEALER, at=AT, player="bob", amount=500))
    refused = evening.ask(CashOut(by=DEALER, at=AT, player="ann"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.facts) == (RefusalCode.OWED_FIRST, {"amount": 2000})
    collect(evening, 2000, waive=True)
    evening.ask(BuyIn(by=DEALER, at=AT, player="ann", amount=100))
    assert code_of(evening.ask(CashOut(by=DEALER, at=AT, player="ann"))) is None


def test_credit_that_is_bought_later_pays_the_debt_first() -> None:
    """Of 2,500 bought, 2,000 goes to the debt and 500 is free."""
    evening = indebted()
    evening.ask(BuyIn(by=DEALER, at=AT, player="ann", amount=2500))
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (500, 0)


def playing_on_debt() -> Evening:
    """Ann won by a misread roll and has all 3,000 on the felt when it is corrected: she owes 2,000."""
    evening = evening_with_players()
    evening.bet("ann", {"big": 1000})
    evening.finish(BIG)
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.bet("ann", {"big": 1000, "odd": 1000, "even": 1000})
    evening.play(corrected(SMALL), number=1)
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (0, 2000)
    return evening


@pytest.mark.parametrize(
    ("roll", "free", "owed"),
    [
        (BIG, 2000, 0),  # big and odd won: 2,000 staked comes back, 2,000 won pays the debt
        (Roll(1, 2, 4), 1000, 1000),  # odd alone won
        (Roll(4, 4, 4), 0, 2000),  # a triple: nothing came back
        (None, 3000, 2000),  # void: every stake in full, and the debt stands
    ],
)
def test_stakes_come_back_in_full_and_winnings_pay_the_debt_first(
    roll: Roll | None, free: int, owed: int
) -> None:
    """Bets that lie are never touched; what a round brings beyond them goes to the debt."""
    evening = playing_on_debt()
    if roll is None:
        evening.play(cmd.CoverTumbler(by=DEALER, at=AT), cmd.ExposeDice(by=DEALER, at=AT))
    else:
        evening.finish(roll)
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (free, owed)


def test_a_correction_in_ones_favour_pays_the_debt_first() -> None:
    """The wrong correction undone leaves nothing owed and nothing given twice."""
    evening = indebted()
    evening.play(corrected(BIG), number=1)
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (0, 0)


def test_what_one_who_left_behind_is_taken_before_a_debt_is_made() -> None:
    """Credit that somebody left at the table is still free credit: reclaiming takes it."""
    evening = evening_with_players()
    evening.bet("ann", {"big": 1000})
    evening.finish(BIG)
    evening.ask(LeaveTable(by=DEALER, at=AT, player="ann"))
    evening.play(corrected(SMALL), number=1)
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (1000, 0)


def test_a_debt_is_collected_from_free_credit_only_as_far_as_there_is_some() -> None:
    """From credit means from what is free; more is refused, and nothing moves."""
    evening = indebted()
    assert code_of(collect(evening, 2000, source="credit")) is RefusalCode.FUNDS_INSUFFICIENT
    assert code_of(collect(evening, 2001)) is RefusalCode.AMOUNT_INVALID
    assert evening.balance(receivable("ann")) == 2000


def test_at_a_table_of_chips_winnings_pay_the_debt_and_the_rest_is_chips() -> None:
    """Chips cannot be taken back, so all of it is owed; the next winnings pay it."""
    evening = Evening(limits=limits(), money="chips")
    for player in ("ann", "bob"):
        evening.ask(BuyIn(by=DEALER, at=AT, player=player, amount=2000))
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.bet("ann", {"big": 500})
    evening.finish(BIG)
    evening.play(corrected(SMALL), number=1)
    assert evening.balance(receivable("ann")) == 1000
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.bet("ann", {"big": 700})
    evening.finish(BIG)
    assert evening.balance(receivable("ann")) == 300
    # 4,000 bought and 500 won by the misread roll; all 700 of the second round's went to the debt.
    assert evening.balance("chips:cash") == 4000 + 500 + 700 - 700
    evening.ask(BuyIn(by=DEALER, at=AT, player="ann", amount=500))
    assert (evening.balance(receivable("ann")), evening.balance("chips:cash")) == (0, 4700)


def waiting() -> Evening:
    """Bob left, and a correction says that he had won: 1,000 waits for him."""
    evening = evening_with_players()
    evening.bet("bob", {"big": 500})
    evening.finish(SMALL)
    evening.ask(CashOut(by=DEALER, at=AT, player="bob"))
    evening.ask(LeaveTable(by=DEALER, at=AT, player="bob"))
    evening.play(corrected(BIG), number=1)
    assert evening.balance(unclaimed("bob")) == 1000
    return evening


def pay(evening: Evening, amount: int, two: Two | None = None) -> object:
    two = two or Two(CASHIER, SUPERVISOR)
    return evening.ask(
        PayUnclaimed(
            by=two.by,
            second=two.second,
            reason=two.reason,
            at=AT,
            player="bob",
            amount=amount,
            identity=Identity(document="passport", last="12A"),
        )
    )


@pytest.mark.parametrize(
    ("two", "amount", "code"),
    [
        (Two(SUPERVISOR, None), 1000, RefusalCode.SECOND_PERSON_MISSING),
        (Two(SUPERVISOR, Actor("sun", Role.DEALER)), 1000, RefusalCode.SECOND_PERSON_IS_FIRST),
        (Two(CASHIER, DEALER), 1000, RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (Two(CASHIER, SUPERVISOR, ""), 1000, RefusalCode.REASON_MISSING),
        (Two(CASHIER, SUPERVISOR), 999, RefusalCode.AMOUNT_INVALID),
        (Two(CASHIER, SUPERVISOR), 1000, None),
    ],
)
def test_what_waits_is_paid_out_by_two_people_whole(two: Two, amount: int, code: RefusalCode | None) -> None:
    """All of it and exactly what was agreed to; never twice."""
    evening = waiting()
    assert code_of(pay(evening, amount, two)) is code
    assert evening.balance(unclaimed("bob")) == (1000 if code else 0)
    if code is None:
        assert code_of(pay(evening, amount, two)) is RefusalCode.AMOUNT_INVALID
