"""The book: double entry, and what can never be."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.errors import InputError, InvariantBroken, UnknownName
from taisai.ledger import Book, Reason, Transfer, account_kind, check_transfers, numbered, reverse, stakes
from taisai.ledger.accounts import Guard, Side, kinds, table_of

ids = numbered("t")


def move(debit: str, credit: str, amount: int, reason: str = Reason.STAKE) -> Transfer:
    return Transfer(ids(), debit, credit, amount, reason, 0, "T1/1")


def test_a_bet_moves_from_credit_to_stakes_and_a_loss_to_the_house() -> None:
    """The whole way of a stake."""
    book = Book()
    book.apply([move("cash", "credit:p", 500), move("credit:p", "stakes:T1:1", 200)])
    assert (book.balance("credit:p"), book.balance("stakes:T1:1"), book.balance("cash")) == (300, 200, 500)
    book.apply([move("stakes:T1:1", "house:T1", 200)])
    book.conclude("T1", 1)
    assert book.balance("house:T1") == 200
    book.assert_whole()


@pytest.mark.parametrize(
    "account",
    ["credit:p", "chips:T1:red", "stakes:T1:1", "unclaimed:p"],
)
def test_what_has_an_owner_never_goes_below_zero(account: str) -> None:
    """Taking more than is there is our bug, not a balance."""
    book = Book()
    book.apply([move("cash", account, 10)])
    with pytest.raises(InvariantBroken, match="below zero: -1"):
        book.apply([move(account, "house:T1", 11)])
    assert book.balance(account) == 10


def test_a_receivable_cannot_be_collected_twice() -> None:
    """What is owed grows on the other side, and is guarded there."""
    book = Book()
    book.apply([move("receivable:p", "house:T1", 10), move("cash", "receivable:p", 10)])
    with pytest.raises(InvariantBroken):
        book.apply([move("cash", "receivable:p", 1)])


def test_the_house_and_the_cash_may_be_below_zero() -> None:
    """A table can lose, and floats are not counted here."""
    book = Book()
    book.apply([move("house:T1", "credit:p", 10), move("credit:p", "cash", 10)])
    assert (book.balance("house:T1"), book.balance("cash")) == (-10, -10)
    book.assert_whole()


def test_tickets_are_asserted_in_the_whole_book_only() -> None:
    """A desk may redeem a ticket that another desk issued."""
    book = Book()
    book.apply([move("tickets", "cash", 10)])
    book.assert_sound()
    with pytest.raises(InvariantBroken, match="tickets"):
        book.assert_whole()


def test_a_batch_that_breaks_an_invariant_changes_nothing() -> None:
    """All of the transfers or none."""
    book = Book()
    book.apply([move("cash", "credit:p", 100)])
    before = list(book)
    with pytest.raises(InvariantBroken):
        book.apply([move("credit:p", "stakes:T1:1", 60), move("credit:p", "stakes:T1:1", 60)])
    assert [row for row in book if row[1] or row[2]] == before


def test_a_concluded_round_has_no_stakes_left() -> None:
    """Its account must be zero."""
    book = Book()
    book.apply([move("cash", "stakes:T1:1", 100)])
    with pytest.raises(InvariantBroken, match="holds 100"):
        book.conclude("T1", 1)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["cash", "credit:a", "credit:b", "stakes:T1:1", "house:T1", "tickets", "promo"]),
            st.sampled_from(["cash", "credit:a", "credit:b", "stakes:T1:1", "house:T1", "tickets", "promo"]),
            st.integers(1, 1_000),
        ).filter(lambda row: row[0] != row[1])
    )
)
def test_no_sequence_of_transfers_makes_or_loses_money(rows: list[tuple[str, str, int]]) -> None:
    """Debits equal credits after every transfer, entered or refused, and reversal brings everything back."""
    book = Book()
    entered: list[Transfer] = []
    for debit, credit, amount in rows:
        transfer = move(debit, credit, amount)
        try:
            book.apply([transfer])
            entered.append(transfer)
        except InvariantBroken:
            pass
        book.assert_sound()
    balances = {account: book.balance(account) for account in book.accounts()}
    for undo in reverse(entered, next_id=numbered("r"), at=1):
        book.apply([undo])
    assert all(book.balance(account) == 0 for account in book.accounts())
    assert len(balances) <= 7


def test_a_reversal_names_what_it_undoes() -> None:
    """New transfers, last first; the old ones stand."""
    first, second = move("cash", "credit:p", 5), move("credit:p", "stakes:T1:1", 5)
    undone = reverse([first, second], next_id=numbered("r"), at=9)
    assert [(t.debit, t.credit, t.reverses, t.reason) for t in undone] == [
        ("stakes:T1:1", "credit:p", second.id, "reversal"),
        ("credit:p", "cash", first.id, "reversal"),
    ]


def test_account_names_are_parsed_and_refused() -> None:
    """A name says what an account is."""
    assert account_kind("chips:cash").guard is Guard.WHOLE
    assert account_kind("receivable:p").side is Side.DEBIT
    assert table_of(stakes("T1", 7)) == table_of("house:T1") == "T1"
    assert table_of("credit:T1") is None
    with pytest.raises(UnknownName, match="did you mean 'credit'"):
        account_kind("credits:p")
    for wrong in (
        "credit",
        "credit:",
        "credit:a:b",
        "cash:x",
        "stakes:T1",
        "credit:a b",
        "credit:é",
        "tickets:1",
    ):
        with pytest.raises(InputError, match="expected an account"):
            account_kind(wrong)
    assert {kind.name for kind in kinds()} >= {"cash", "promo", "chips:cash"}


@pytest.mark.parametrize(
    "wrong",
    [
        Transfer("t", "cash", "cash", 1, "x", 0),
        Transfer("t", "cash", "credit:p", 0, "x", 0),
        Transfer("t", "cash", "credit:p", -1, "x", 0),
        Transfer("t", "cash", "credit:p", True, "x", 0),
        Transfer("t", "cash", "credit:p", 1.5, "x", 0),
        Transfer("no spaces", "cash", "credit:p", 1, "x", 0),
        Transfer("t", "cash", "credit:p", 1, "a reason", 0),
        Transfer("t", "cash", "credit:p", 1, "x", 0, "a ref"),
        Transfer("t", "cash", "credit:p", 1, "x", 0, "", "what\n"),
        Transfer("t", "cash", "nowhere", 1, "x", 0),
    ],
)
def test_a_transfer_that_could_not_stand_is_refused(wrong: Transfer) -> None:
    """Bad input names what was expected."""
    with pytest.raises(InputError):
        check_transfers([wrong])


def test_a_bad_transfer_is_found_among_many_good_ones() -> None:
    """The first fault is told, also of a name that would look like two if all were written in one go."""
    good = [Transfer(f"t.{n}", "cash", "credit:p", 1, "x", 0, "T1/1", f"s.{n}") for n in range(3)]
    check_transfers(good)
    for wrong in ("a b", "t.7\nt.8", "", "x" * 129):
        with pytest.raises(InputError, match="expected a transfer id"):
            check_transfers([*good, msgspec.structs.replace(good[0], id=wrong), *good])
    both = [Transfer("t", "cash", "credit:p", 0, "x", 0), Transfer("u", "cash", "nowhere", 1, "x", 0)]
    with pytest.raises(InputError, match="transfer t"):
        check_transfers([*good, *both])


def test_a_book_takes_over_balances() -> None:
    """A desk starts from a projection, which must itself be sound."""
    book = Book()
    book.open("credit:p", debits_minor=20, credits_minor=100)
    assert book.balance("credit:p") == 80
    with pytest.raises(InvariantBroken):
        book.open("credit:q", debits_minor=1, credits_minor=0)


def test_accounts_of_one_kind_that_are_not_at_zero_are_found() -> None:
    """Whoever owes, and nobody who has paid; other kinds are others."""
    book = Book()
    book.open("receivable:ann", debits_minor=70, credits_minor=20)
    book.open("receivable:ben", debits_minor=30, credits_minor=30)
    book.open("credit:cat", debits_minor=0, credits_minor=10)
    assert book.with_balance("receivable:") == {"receivable:ann": 50}


def test_a_transfer_that_breaks_an_invariant_leaves_nothing_behind() -> None:
    """Entered alone or among others."""
    book = Book()
    book.enter(Transfer("a", "cash", "credit:ann", 50, Reason.BUY_IN, 1))
    before = list(book)
    too_much = Transfer("b", "credit:ann", "cash", 60, Reason.CASH_OUT, 2)
    with pytest.raises(InvariantBroken, match="credit:ann would be below zero: -10"):
        book.enter(too_much)
    with pytest.raises(InvariantBroken):
        book.apply([Transfer("c", "cash", "credit:ann", 5, Reason.BUY_IN, 2), too_much])
    assert list(book) == before
