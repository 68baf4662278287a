"""What a settlement pays a multitude: transfers one after the other, and the sums that the book enters."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.floor.table.messages import BuyIn, InRound, OpenTable, StartRound, TableSettings
from taisai.floor.table.paying import Paid, paid_out
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.ledger import Occasion, numbered
from taisai.ledger.accounts import CASH_CHIPS, credit, house, receivable, stakes
from taisai.ledger.sums import added_up

AT = datetime(2024, 5, 4, 20, tzinfo=UTC)
DEALER, SUPERVISOR = Actor("Mei", Role.DEALER), Actor("Sun", Role.PIT_SUPERVISOR)
STAKES = {"ann": 100, "bob": 250, "cat": 50}
FELT, TILL = stakes("T1", 1), house("T1")


def staked(money: str = "credits") -> TableState:
    """A table at which three people have bet."""
    table = TableState("T1")
    limits = Limits(unit=5, default=Limit(50))
    opened = TableSettings(pay_table="tai-sai-v6/2", limits=limits, money=money)
    commands: list[object] = [OpenTable(by=SUPERVISOR, at=AT, settings=opened)]
    if money == "credits":
        commands += [BuyIn(by=DEALER, at=AT, player=player, amount=1_000) for player in STAKES]
    commands.append(StartRound(by=DEALER, at=AT))
    for player, stake in STAKES.items():
        by = Actor(player, Role.PLAYER) if money == "credits" else DEALER
        bets = cmd.PlaceBets(by=by, at=AT, player=player, slip={"big": stake}, version=1)
        commands.append(InRound(by=by, at=AT, command=bets))
    for number, command in enumerate(commands, 1):
        assert hasattr(table.act(command, f"T1.{number}"), "events")  # and is no refusal
    return table


def pays(table: TableState, payouts: dict[str, int], debts: dict[str, int] | None = None) -> Paid:
    assert table.current is not None
    return paid_out(table.current, table, Occasion("T1/1", 0, numbered("T1.9")), payouts, debts or {})


@pytest.mark.parametrize("money", ["credits", "chips"])
@given(payouts=st.dictionaries(st.sampled_from([*STAKES, "dan"]), st.integers(0, 600)))
def test_the_sums_are_those_of_the_transfers(money: str, payouts: dict[str, int]) -> None:
    """Whoever is paid, in whatever order, and also one who had bet nothing: the book would find the same."""
    paid = pays(staked(money), payouts)
    found = added_up(paid.transfers)
    assert paid.sums is not None
    assert {account: tuple(sums) for account, sums in paid.sums.items() if any(sums)} == {
        account: tuple(sums) for account, sums in found.items()
    }


def test_stakes_go_back_or_to_the_house_and_winnings_come_on_top() -> None:
    """One wins, one gets a part back, one loses all, one gets just the stake; ids count in that order."""
    paid = pays(staked(), {"ann": 300, "bob": 100, "cat": 0})
    moved = [(each.id, each.debit, each.credit, each.amount_minor, each.reason) for each in paid.transfers]
    assert moved == [
        ("T1.9.1", FELT, credit("ann"), 100, "stake_won"),
        ("T1.9.2", TILL, credit("ann"), 200, "winnings"),
        ("T1.9.3", FELT, credit("bob"), 100, "stake_won"),
        ("T1.9.4", FELT, TILL, 150, "stake_lost"),
        ("T1.9.5", FELT, TILL, 50, "stake_lost"),
    ]
    [just_the_stake] = pays(staked(), {"cat": 50}).transfers
    assert (just_the_stake.credit, just_the_stake.amount_minor) == (credit("cat"), 50)


def test_who_owes_is_paid_one_by_one_and_nobody_knows_the_sums() -> None:
    """A debt somewhere is looked for at each player, and the book adds up what comes of it."""
    table = staked()
    assert table.current is not None
    paid = pays(table, {"ann": 0, "bob": 0}, {receivable("cat"): 10})
    assert paid.sums is None
    assert [(each.debit, each.credit, each.amount_minor) for each in paid.transfers] == [
        (FELT, TILL, 100),
        (FELT, TILL, 250),
    ]


def test_cash_chips_of_one_who_walked_away_wait_and_those_of_others_come_back() -> None:
    """The one is special; the other is paid as in any round."""
    table = staked("chips")
    assert table.current is not None
    table.current.slips["ann"].absent = "walked-away"
    paid = pays(table, {"ann": 100, "bob": 250})
    assert paid.sums is None
    assert [(each.credit, each.amount_minor) for each in paid.transfers] == [
        ("unclaimed:ann", 100),
        (CASH_CHIPS, 250),
    ]
