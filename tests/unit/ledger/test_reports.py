"""Reports: rows that add up."""

from fractions import Fraction

from taisai.ledger import Book, Reason, Transfer
from taisai.ledger.reports import statement, table_figures, table_report, ticket_liability, trial_balance

DAY = [
    Transfer("1", "cash", "credit:p", 1_000, Reason.BUY_IN, 1, "T1"),
    Transfer("2", "credit:p", "stakes:T1:1", 300, Reason.STAKE, 2, "T1/1"),
    Transfer("3", "stakes:T1:1", "credit:p", 100, Reason.STAKE_WITHDRAWN, 3, "T1/1"),
    Transfer("4", "stakes:T1:1", "house:T1", 200, Reason.STAKE_LOST, 4, "T1/1"),
    Transfer("5", "credit:p", "stakes:T1:2", 100, Reason.STAKE, 5, "T1/2"),
    Transfer("6", "stakes:T1:2", "credit:p", 100, Reason.STAKE_WON, 6, "T1/2"),
    Transfer("7", "house:T1", "credit:p", 150, Reason.WINNINGS, 6, "T1/2"),
    Transfer("8", "promo", "credit:q", 50, Reason.PROMO, 7, "T2"),
    Transfer("9", "credit:p", "tickets", 950, Reason.TICKET_ISSUED, 8, "T1"),
    Transfer("10", "tickets", "cash", 400, Reason.TICKET_REDEEMED, 9),
]


def test_the_trial_balance_adds_up() -> None:
    """The last row's debits and credits are equal."""
    book = Book()
    book.apply(DAY)
    rows = {row["account"]: row for row in trial_balance(book)}
    assert rows["total"]["debits_minor"] == rows["total"]["credits_minor"] == sum(t.amount_minor for t in DAY)
    assert rows["total"]["balance_minor"] == 0
    assert rows["house:T1"]["balance_minor"] == 50
    assert rows["promo"]["balance_minor"] == 50


def test_a_statement_runs_to_the_balance() -> None:
    """Each line has the other account and the balance after it."""
    book = Book()
    book.apply(DAY)
    for account in ("credit:p", "cash", "tickets", "house:T1"):
        rows = statement(account, DAY)
        assert rows[-1]["balance_minor"] == book.balance(account)
    first = statement("credit:p", DAY)[0]
    assert (first["other"], first["in_minor"], first["out_minor"], first["reason"]) == (
        "cash",
        1_000,
        0,
        "buy_in",
    )
    assert statement("cash", DAY)[-1]["out_minor"] == 400


def test_drop_handle_win_and_hold_of_a_table() -> None:
    """Withdrawn stakes are not in the handle; hold is exact."""
    rows = {row["table"]: row for row in table_report(table_figures(DAY))}
    assert rows["T1"] == {
        "table": "T1",
        "drop_minor": 1_000,
        "handle_minor": 300,
        "win_minor": 50,
        "hold": Fraction(1, 20),
        "win_over_handle": Fraction(1, 6),
    }
    assert rows["T2"]["hold"] == 0
    assert rows["T2"]["win_over_handle"] is None


def test_ticket_liability_is_what_is_still_owed() -> None:
    """It equals the tickets account."""
    book = Book()
    book.apply(DAY)
    [row] = ticket_liability(DAY)
    assert row["outstanding_minor"] == book.balance("tickets") == 550
    assert (row["issued_minor"], row["redeemed_minor"], row["adjusted_minor"]) == (950, 400, 0)
