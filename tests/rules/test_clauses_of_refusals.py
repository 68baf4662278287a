"""A refusal names the clause that forbids the act, in the round and on the floor alike."""

from datetime import timedelta

import pytest

from taisai.floor.table.messages import ExtendBetting, InRound, OpenTable, StartRound, TableSettings
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.limits import Limit, Limits
from taisai.game.refusals import Refusal, RefusalCode
from tests.rules.table import CONSOLE, DEALER, ETG, EVENING, ONE_EACH, OPEN, V3, V4, V6, Table, at_phase

LATE = {V3: "5.2", OPEN: "5.2", V4: "5.7", V6: "5.7", ETG: "3.5"}
ONE_ROUND = {V3: "3.1", OPEN: "3.1", V4: "1.7", V6: "1.7", ETG: "1.8"}
THREE_DICE = {V3: "3.5", OPEN: "3.5", V4: "2.2.1", V6: "2.2.1", ETG: "2.2.1"}


def book(pay_table: str) -> str:
    return pay_table.partition("/")[0]


@pytest.mark.clause(V3, "5.2")
@pytest.mark.clause(OPEN, "5.2")
@pytest.mark.clause(V4, "5.7")
@pytest.mark.clause(V6, "5.7")
@pytest.mark.clause(ETG, "3.5")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("held", [cmd.SuspendRound, cmd.InterruptRound])
def test_a_bet_in_a_round_held_after_the_closing_comes_too_late(
    pay_table: str, held: type[cmd.Command]
) -> None:
    """It is the closing that forbids it; while bets were open only the house holds the round."""
    table = Table(pay_table)
    table.close()
    table.tumble()
    table.do(held, **({"known": [4]} if held is cmd.InterruptRound else {}))
    refusal = table.bet_refused("Ann", {"big": 100})
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_INTERRUPTED, LATE[book(pay_table)])
    early = Table(pay_table)
    early.do(cmd.SuspendRound)
    assert early.bet_refused("Ann", {"big": 100}).clause == "house"


@pytest.mark.clause(V4, "2.2.1")
@pytest.mark.clause(V6, "2.2.1")
@pytest.mark.clause(ETG, "2.2.1")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("known", [[0], [7], [1, 2, 3, 4]])
def test_faces_that_three_dice_cannot_show_are_refused_as_such(pay_table: str, known: list[int]) -> None:
    """Three dice with six faces each; v3 and open cover say so with the winning combination."""
    table = Table(pay_table)
    table.close()
    table.tumble()
    refusal = table.refused(cmd.InterruptRound, known=known)
    assert (refusal.code, refusal.clause) == (RefusalCode.DICE_INVALID, THREE_DICE[book(pay_table)])


def at_table(pay_table: str, *acts: cmd.AnyCommand) -> TableState:
    """A table with a round that has come so far."""
    table = TableState("T1")
    unit = table.find_rules(pay_table)[1].unit
    settings = TableSettings(pay_table=pay_table, limits=Limits(unit=unit, default=Limit(unit)))
    for number, command in enumerate((OpenTable(by=CONSOLE, at=EVENING, settings=settings), _start()), 1):
        assert not isinstance(table.act(command, f"T1.{number}"), Refusal)
    for number, command in enumerate(acts, 3):
        inside = InRound(by=command.by, at=command.at, command=command)
        assert not isinstance(table.act(inside, f"T1.{number}"), Refusal)
    return table


def _start() -> StartRound:
    return StartRound(by=DEALER, at=EVENING)


CLOSE = cmd.CloseBetting(by=DEALER, at=EVENING)
SUSPEND = cmd.SuspendRound(by=DEALER, at=EVENING)


@pytest.mark.clause(V3, "3.1")
@pytest.mark.clause(OPEN, "3.1")
@pytest.mark.clause(V4, "1.7")
@pytest.mark.clause(V6, "1.7")
@pytest.mark.clause(ETG, "1.8")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize(
    ("acts", "code"),
    [
        ((), RefusalCode.BETTING_OPEN),
        ((CLOSE,), RefusalCode.BETTING_CLOSED),
        ((SUSPEND,), RefusalCode.ROUND_INTERRUPTED),
    ],
)
def test_no_round_is_opened_while_one_is_in_play(
    pay_table: str, acts: tuple[cmd.AnyCommand, ...], code: RefusalCode
) -> None:
    """The floor says where the round stands, and cites the clause that the round itself would."""
    refusal = at_table(pay_table, *acts).act(_start(), "T1.9")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.clause) == (code, ONE_ROUND[book(pay_table)])
    assert refusal.facts["round"] == 1
    same_round = at_phase(Table(pay_table), Phase.CLOSED)
    assert same_round.refused(cmd.OpenBetting, **same_round.opening()).clause == ONE_ROUND[book(pay_table)]


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_more_time_for_bets_is_refused_as_late_bets_are(pay_table: str) -> None:
    """After the closing no time is added; the clause is that of a bet then."""
    table = at_table(pay_table, CLOSE)
    more = ExtendBetting(by=DEALER, at=EVENING + timedelta(seconds=5), seconds=15)
    refusal = table.act(more, "T1.9")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.clause) == (RefusalCode.BETTING_CLOSED, LATE[book(pay_table)])


@pytest.mark.clause(V4, "3.3", "3.9")
@pytest.mark.clause(V6, "3.3", "3.9")
@pytest.mark.clause(ETG, "3.3", "3.8")
@pytest.mark.parametrize(
    ("pay_table", "shown", "paid"),
    [("tai-sai-v4/1", "3.3", "3.9"), ("tai-sai-v6/2", "3.3", "3.9"), ("sic-bo-etg-v8/2", "3.3", "3.8")],
)
def test_a_table_that_cannot_show_or_pay_its_limits_stays_shut_by_clause(
    pay_table: str, shown: str, paid: str
) -> None:
    """The pit's settings are refused under the clause that a round would be refused under."""
    faulty = Limits(unit=10, default=Limit(50, 40))
    answer = TableState("T1").act(
        OpenTable(by=CONSOLE, at=EVENING, settings=TableSettings(pay_table=pay_table, limits=faulty)), "T1.1"
    )
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.clause) == (RefusalCode.LIMITS_INVALID, shown)
    if pay_table.startswith(ETG):
        odd = Limits(unit=5, default=Limit(5))
        answer = TableState("T1").act(
            OpenTable(by=CONSOLE, at=EVENING, settings=TableSettings(pay_table=pay_table, limits=odd)), "T1.1"
        )
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clause) == (RefusalCode.UNIT_UNPAYABLE, paid)
