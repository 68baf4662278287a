"""Many transfers at once are entered as they would be one after the other."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from taisai.errors import InputError, InvariantBroken
from taisai.ledger import Book, Transfer
from taisai.ledger.sums import added_up

ACCOUNTS = ["cash", "credit:a", "credit:b", "receivable:a", "stakes:T1:1", "house:T1", "tickets"]
MOVES = st.tuples(st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(0, 30))


def moves(rows: list[tuple[str, str, int]]) -> list[Transfer]:
    return [Transfer(f"m.{n}", *row, "stake", 0) for n, row in enumerate(rows, 1)]


def entered(rows: list[tuple[str, str, int]], *, at_once: bool) -> tuple[str, list[tuple[str, int, int]]]:
    """What is said of them, and what is in the book afterwards."""
    book, made, said = Book(), moves(rows), ""
    book.open("credit:a", debits_minor=0, credits_minor=40)
    try:
        if at_once:
            book.apply(made, added_up(made))
        else:
            for transfer in made:
                book.enter(transfer)
    except (InputError, InvariantBroken) as error:
        said = str(error)
    return said, [row for row in book if row[1] or row[2]]


@given(st.lists(MOVES, min_size=1, max_size=40))
@example([("credit:a", "stakes:T1:1", 30), ("credit:a", "house:T1", 20), ("cash", "credit:a", 90)])
@example([("cash", "credit:b", 20), ("credit:b", "house:T1", 20)])
@example([("receivable:a", "house:T1", 5), ("cash", "receivable:a", 6)])
def test_transfers_are_entered_by_their_sums_as_one_by_one(rows: list[tuple[str, str, int]]) -> None:
    """The same balances, or the same fault, which then leaves nothing behind."""
    said, one_by_one = entered(rows, at_once=False)
    assert entered(rows, at_once=True) == (said, [("credit:a", 0, 40)] if said else one_by_one)


def test_an_account_that_was_below_zero_on_the_way_is_seen_in_the_sums() -> None:
    """What comes back later does not excuse it."""
    made = moves([("credit:b", "house:T1", 5), ("cash", "credit:b", 50)])
    with pytest.raises(InvariantBroken, match="credit:b would be below zero: -5"):
        Book().apply(made, added_up(made))
