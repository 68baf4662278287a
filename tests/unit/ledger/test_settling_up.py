"""Reclaiming, compensating, collecting and waiving."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.errors import InputError
from taisai.ledger import (
    Book,
    Occasion,
    Purse,
    Transfer,
    claim,
    collect,
    net_gain,
    numbered,
    settle_up,
    waive,
)

HERE = Purse("p", "credit:p")
GONE = Purse("p", None)


def occasion() -> Occasion:
    return Occasion("T1/3", 9, numbered("act"))


def book_with(*, credit: int = 0, waiting: int = 0, owed: int = 0) -> Book:
    book = Book()
    book.open("credit:p", debits_minor=0, credits_minor=credit)
    book.open("unclaimed:p", debits_minor=0, credits_minor=waiting)
    book.open("receivable:p", debits_minor=owed, credits_minor=0)
    book.open("cash", debits_minor=credit + waiting, credits_minor=owed)
    return book


def settled(book: Book, purse: Purse, due: int) -> list[tuple[str, str, int]]:
    made = settle_up(book, purse, due, house="house:T1", occasion=occasion())
    book.apply(made)
    return [(t.debit, t.credit, t.amount_minor) for t in made]


def test_reclaiming_takes_unclaimed_then_credit_then_makes_a_receivable() -> None:
    """In that order, and no more than is there."""
    book = book_with(credit=100, waiting=30)
    assert settled(book, HERE, -200) == [
        ("unclaimed:p", "house:T1", 30),
        ("credit:p", "house:T1", 100),
        ("receivable:p", "house:T1", 70),
    ]
    assert book.balance("receivable:p") == 70


def test_reclaiming_what_is_there_makes_no_receivable() -> None:
    """Free credit covers it."""
    assert settled(book_with(credit=100), HERE, -40) == [("credit:p", "house:T1", 40)]


def test_stakes_in_play_are_never_taken() -> None:
    """Only what is free; the rest is owed."""
    book = book_with(credit=100)
    book.apply([Transfer("s", "credit:p", "stakes:T1:4", 100, "stake", 0)])
    assert settled(book, HERE, -10) == [("receivable:p", "house:T1", 10)]
    assert book.balance("stakes:T1:4") == 100


def test_what_is_owed_to_somebody_who_left_waits() -> None:
    """It goes to unclaimed, and is handed over later."""
    book = book_with()
    assert settled(book, GONE, 50) == [("house:T1", "unclaimed:p", 50)]
    made = claim(book, HERE, to="credit:p", occasion=occasion())
    book.apply(made)
    assert (book.balance("credit:p"), book.balance("unclaimed:p")) == (50, 0)
    with pytest.raises(InputError, match="nothing waits"):
        claim(book, HERE, to="credit:p", occasion=occasion())


def test_somebody_who_left_owes_what_does_not_wait() -> None:
    """There is no credit to take from."""
    assert settled(book_with(waiting=20), GONE, -50) == [
        ("unclaimed:p", "house:T1", 20),
        ("receivable:p", "house:T1", 30),
    ]


def test_nothing_due_moves_nothing() -> None:
    """A net of zero needs no transfer."""
    assert settled(book_with(), HERE, 0) == []


def test_a_receivable_is_collected_in_part_and_the_rest_waived() -> None:
    """By the shift manager; more than is owed is refused."""
    book = book_with(owed=70)
    book.apply(collect(book, HERE, 50, occasion=occasion()))
    book.apply(waive(book, HERE, 20, house="house:T1", occasion=Occasion("T1/3", 9, numbered("waive"))))
    assert book.balance("receivable:p") == 0
    for act in (
        lambda: collect(book, HERE, 1, occasion=occasion()),
        lambda: waive(book, HERE, 1, house="house:T1", occasion=occasion()),
    ):
        with pytest.raises(InputError, match="receivable:p is 0"):
            act()


def test_the_house_of_a_table_pays_and_takes() -> None:
    """Another account is a mistake."""
    with pytest.raises(InputError, match="house:TABLE"):
        settle_up(book_with(), HERE, 5, house="cash", occasion=occasion())


@given(st.integers(0, 300), st.integers(0, 300), st.integers(-900, 900), st.booleans())
def test_a_player_is_brought_exactly_to_what_is_right(
    credit: int, waiting: int, due: int, here: bool
) -> None:
    """Whatever is there, the net over the player's accounts is what was due, and the books stay sound."""
    book = book_with(credit=credit, waiting=waiting)
    purse = HERE if here else GONE
    made = settle_up(book, purse, due, house="house:T1", occasion=occasion())
    book.apply(made)
    book.assert_whole()
    assert net_gain(made, HERE.accounts()) == due
    assert book.balance("house:T1") == -due
