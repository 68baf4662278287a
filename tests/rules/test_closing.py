"""Closing with a breach on the screen: what is shown has been noticed, and is decided on (5.1, 5.1.1)."""

import pytest

from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.people import Actor
from taisai.game.refusals import RefusalCode
from tests.rules.table import CONSOLE, DEALER, ONE_EACH, V4, V6, WITH_PRO_RATA, Table, limits


def breached(pay_table: str) -> Table:
    """Big above its maximum, and too far from Small."""
    shown = limits(maximum=1000, notice="by-dealer", differential={"big-small": 500})
    table = Table(pay_table, shown)
    table.bet("Ann", {"big": 800})
    table.bet("Bob", {"big": 400, "small": 100})
    return table


@pytest.mark.clause(V4, "5.1", "5.1.1")
@pytest.mark.clause(V6, "5.1", "5.1.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_closing_with_a_breach_on_the_screen_asks_what_becomes_of_it(pay_table: str) -> None:
    """What the screen shows has been noticed: nobody closes over it without saying so."""
    table = breached(pay_table)
    refusal = table.refused(cmd.CloseBetting)
    assert (refusal.code, refusal.clause) == (RefusalCode.EXCESS_UNDECIDED, "5.1")
    assert refusal.facts == {"on": "big", "limit": 1000, "excess": 200}
    assert table.phase is Phase.BETTING


@pytest.mark.clause(V4, "5.1")
@pytest.mark.clause(V6, "5.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_noticed_excess_is_rejected_with_the_closing(pay_table: str) -> None:
    """Maximum first, then the differential, the latest chips first; nothing is left to share."""
    table = breached(pay_table)
    maximum, differential, closed = table.do(cmd.CloseBetting, excess="reject")
    assert (maximum.on, maximum.clause, maximum.taken) == ("big", "5.1", [ev.ChipsTaken("Bob", "big", 200)])
    assert differential.on == "big-small"
    assert differential.taken == [ev.ChipsTaken("Bob", "big", 200), ev.ChipsTaken("Ann", "big", 200)]
    assert (closed.excess_by, closed.excess, closed.staked, closed.players) == ("rejected", [], 700, 2)
    table.settle("566")
    assert table.effective() == {("Ann", "big"): 600, ("Bob", "small"): 100}


@pytest.mark.clause(V4, "5.1", "5.1.1")
@pytest.mark.clause(V6, "5.1", "5.1.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
@pytest.mark.parametrize(("by", "excess", "said"), [(DEALER, "leave", "left"), (CONSOLE, None, "clock")])
def test_excess_that_is_left_is_on_the_record_with_who_left_it(
    pay_table: str, by: Actor, excess: str | None, said: str
) -> None:
    """The dealer's decision, or the clock that asks nobody; then the limits are shared pro rata."""
    table = breached(pay_table)
    (closed,) = table.do(cmd.CloseBetting, by=by, excess=excess)
    assert closed.excess_by == said
    assert closed.excess == [
        ev.Excess("big", "big", 1000, 200),
        ev.Excess("big-small", "big", 500, 600),
    ]
    table.settle("566")
    assert table.effective() == {("Ann", "big"): 400, ("Bob", "big"): 200, ("Bob", "small"): 100}


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_closing_without_a_breach_asks_nothing(pay_table: str) -> None:
    """Whatever the answer would have been, there was nothing to reject or to leave."""
    for excess in (None, "reject", "leave"):
        table = Table(pay_table, limits())
        table.bet("Ann", {"big": 500})
        (closed,) = table.do(cmd.CloseBetting, excess=excess)
        assert (closed.excess_by, closed.excess) == ("", [])
