"""What winning bets are paid and when losing ones are collected, in whole rounds."""

import pytest

import taisai
from taisai.dice import COMBINATIONS, Roll
from taisai.game import commands as cmd
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.kinds import Kind
from tests.exhaustive.naive import TABLES, returned
from tests.rules.table import ALL_TEN, ETG, OPEN, V3, V4, V6, Table, limits

SETTLES = {V3: "4.1", OPEN: "4.1", V4: "3.9", V6: "3.9", ETG: "3.8"}
PAYS = {
    "tai-sai-v3/1": "4.1",
    "tai-sai-open-cover/1": "4.1.1",
    "tai-sai-open-cover/2": "4.1.2",
    "tai-sai-v4/1": "4.1",
    "tai-sai-v6/1": "4.1.1",
    "tai-sai-v6/2": "4.1.2",
    "tai-sai-v6/3": "4.1.3",
    "sic-bo-etg-v8/1": "4.1.1",
    "sic-bo-etg-v8/2": "4.1.2",
    "sic-bo-etg-v8/3": "4.1.3",
}
WITH_TRIPLE_CLAUSE = tuple(
    pay_table for pay_table in ALL_TEN if "v3" not in pay_table and OPEN not in pay_table
)


def settled(pay_table: str, dice: str, stake: int = 10) -> Table:
    """A round in which one player has a bet on every box."""
    table = Table(pay_table)
    table.bet("Ann", {box.id: stake for box in table.state.pay_table.boxes})
    table.settle(dice)
    return table


@pytest.mark.clause(V3, "4.1")
@pytest.mark.clause(OPEN, "4.1.1", "4.1.2")
@pytest.mark.clause(V4, "4.1", "3.9")
@pytest.mark.clause(V6, "4.1.1", "4.1.2", "4.1.3", "3.9")
@pytest.mark.clause(ETG, "4.1.1", "4.1.2", "4.1.3", "3.8")
@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_every_box_of_every_pay_table_is_paid_at_its_odds(pay_table: str) -> None:
    """On all 56 combinations: losing bets are collected, winners get the stake and the odds, by clause."""
    boxes, _, _ = TABLES[pay_table]
    for roll in COMBINATIONS:
        table = settled(pay_table, "".join(map(str, roll)))
        results = table.round.results()
        assert sorted(result.box for result in results) == sorted(boxes)
        for result in results:
            assert result.returned == returned(pay_table, result.box, *roll, stake=10)
            if result.award.won and not roll.is_triple:
                assert result.clauses == (PAYS[pay_table],)
            elif not roll.is_triple:
                assert result.clauses == (SETTLES[pay_table.partition("/")[0]],)
                assert result.notes[0].message == "lost"
        assert table.paid == {"Ann": sum(result.returned for result in results)}


@pytest.mark.clause(V4, "3.9")
@pytest.mark.clause(V6, "3.9")
@pytest.mark.clause(ETG, "3.8")
@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_losers_are_collected_and_winners_paid_in_one_settlement(pay_table: str) -> None:
    """The event says how much was staked and how much went back; a player who lost all is paid 0."""
    table = Table(pay_table)
    table.bet("Ann", {"small": 100})
    table.bet("Bob", {"big": 300})
    payouts, done = table.settle("113")
    assert payouts.payouts == table.paid == {"Ann": 200, "Bob": 0}
    assert done.clause == payouts.clause == SETTLES[table.state.rulebook.id]
    assert (done.staked, done.effective, done.excess, done.paid) == (400, 400, 0, 200)
    assert done.roll == Roll(1, 1, 3)


@pytest.mark.clause(V4, "3.10", "3.10.1", "3.10.2", "3.10.3", "3.10.4", "3.10.5")
@pytest.mark.clause(V6, "3.10", "3.10.1", "3.10.2", "3.10.3", "3.10.4", "3.10.5")
@pytest.mark.clause(ETG, "3.9", "3.9.1", "3.9.2", "3.9.3", "3.9.4", "3.9.5")
@pytest.mark.parametrize("pay_table", WITH_TRIPLE_CLAUSE)
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_on_a_triple_only_the_named_bets_win(pay_table: str, face: int) -> None:
    """The triple, any triple, the double, the single die, and the total if it is 6, 9, 12 or 15."""
    table = settled(pay_table, f"{face}{face}{face}")
    root = "3.9" if ETG in pay_table else "3.10"
    expected = {
        f"triple-{face}": f"{root}.1",
        "any-triple": f"{root}.2",
        f"double-{face}": f"{root}.3",
        f"single-{face}": f"{root}.4",
        f"sum-{3 * face}": f"{root}.5",
    }
    expected = {box: clause for box, clause in expected.items() if box in table.state.pay_table}
    won = {result.box: result.clauses for result in table.round.results() if result.award.won}
    assert won == {box: (clause,) for box, clause in expected.items()}
    assert (f"sum-{3 * face}" in won) == (face in (2, 3, 4, 5))


@pytest.mark.clause(V4, "3.10")
@pytest.mark.clause(V6, "3.10")
@pytest.mark.clause(ETG, "3.9")
@pytest.mark.parametrize("pay_table", WITH_TRIPLE_CLAUSE)
def test_a_bet_that_a_triple_beats_is_told_so(pay_table: str) -> None:
    """Small on 1-1-1 loses to the triple clause; double 5 simply did not come up."""
    table = settled(pay_table, "111")
    root = "3.9" if ETG in pay_table else "3.10"
    for result in table.round.results():
        kind = table.state.pay_table.by_id[result.box].kind
        if kind in (Kind.TRIPLE, Kind.ANY_TRIPLE, Kind.DOUBLE, Kind.SINGLE, Kind.SUM):
            assert result.award.won or result.notes[0].message == "lost"
        else:
            assert (result.notes[0].message, result.notes[0].clause) == ("lost_to_triple", root)


@pytest.mark.clause(V3, "4.1")
@pytest.mark.clause(OPEN, "4.1.1", "4.1.2")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_where_no_clause_speaks_of_triples_the_pay_table_does(pay_table: str) -> None:
    """Small, Big, Odd and Even are 'except triple'; winners name the pay table's clause."""
    table = settled(pay_table, "222")
    for result in table.round.results():
        clause = PAYS[pay_table] if result.award.won else "4.1"
        assert result.clauses == (clause,)
    won = {result.box for result in table.round.results() if result.award.won}
    assert won == {"triple-2", "any-triple", "double-2", "single-2", "sum-6"}


@pytest.mark.clause(V3, "4.1")
def test_the_overall_single_dice_bet_is_not_offered() -> None:
    """Version 3 lists it with N/A: no box has it."""
    table = Table("tai-sai-v3/1")
    assert len(table.state.pay_table.boxes) == 50
    assert table.bet_refused("Ann", {"overall-single": 10}).code is RefusalCode.BOX_UNKNOWN


@pytest.mark.clause(ETG, "4.1.1", "4.1.2")
@pytest.mark.parametrize("pay_table", ["sic-bo-etg-v8/1", "sic-bo-etg-v8/2"])
def test_a_table_that_could_not_pay_its_half_odds_is_refused_at_opening(pay_table: str) -> None:
    """A chip unit of 5 cannot win 8.5 to 1 in whole minor units; 2 can."""
    table = Table(pay_table, limits(50, 1000, unit=5), opened=False)
    refusal = table.refused(cmd.OpenBetting, **table.opening())
    assert (refusal.code, refusal.clause) == (RefusalCode.UNIT_UNPAYABLE, "3.8")
    assert refusal.facts == {"unit": 5, "needed": 2}
    Table(pay_table, limits(50, 1000, unit=2))
    Table("sic-bo-etg-v8/3", limits(50, 1000, unit=5))
    assert taisai.pay_table("sic-bo-etg-v8/3").unit == 1
