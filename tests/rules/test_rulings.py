"""Rulings: what the rules leave open is decided by the shift manager or above (5.14; ETG 5.10)."""

import pytest

import taisai
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.rules.table import (
    DEALER,
    ETG,
    MANAGER,
    ONE_EACH,
    SHIFT,
    SUPERVISOR,
    V4,
    V6,
    Table,
    at_phase,
    voided,
)

RULING = {V4: "5.14", V6: "5.14", ETG: "5.10"}


def clause(clauses: dict[str, str], table: Table) -> str:
    """The clause of the table's rulebook, or `house` where it has none."""
    return clauses.get(table.state.rulebook.id, "house")


def with_bets(pay_table: str) -> Table:
    table = Table(pay_table)
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"small": 300})
    return table


@pytest.mark.clause(V4, "5.14")
@pytest.mark.clause(V6, "5.14")
@pytest.mark.clause(ETG, "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_ruling_takes_a_shift_manager_or_above_and_a_second_person(pay_table: str) -> None:
    """Neither pit staff alone nor an administrator can rule; a reason is given and stays on record."""
    table = with_bets(pay_table)
    record = {"decision": "record", "reason": "a chip fell on the line"}
    for first, second in ((SHIFT, DEALER), (DEALER, SHIFT), (MANAGER, Actor("Val", Role.CASINO_MANAGER))):
        (ruling,) = table.do(cmd.MakeRuling, by=first, second=second, **record)
        assert (ruling.by, ruling.second, ruling.reason) == (first, second, record["reason"])
        assert (ruling.decision, ruling.clause) == ("record", clause(RULING, table))
    refusals = [
        (MANAGER, SUPERVISOR, record["reason"], RefusalCode.SECOND_PERSON_NOT_ALLOWED, True),
        (
            SHIFT,
            Actor("Ada", Role.ADMINISTRATOR),
            record["reason"],
            RefusalCode.SECOND_PERSON_NOT_ALLOWED,
            True,
        ),
        (Actor("Ada", Role.ADMINISTRATOR), SHIFT, record["reason"], RefusalCode.ROLE_NOT_ALLOWED, True),
        (SHIFT, None, record["reason"], RefusalCode.SECOND_PERSON_MISSING, False),
        (SHIFT, Actor("Chris", Role.DEALER), record["reason"], RefusalCode.SECOND_PERSON_IS_FIRST, False),
        (SHIFT, DEALER, "  ", RefusalCode.REASON_MISSING, False),
    ]
    for first, second, reason, code, by_clause in refusals:
        refusal = table.refused(cmd.MakeRuling, by=first, second=second, decision="record", reason=reason)
        assert (refusal.code, refusal.clause) == (code, clause(RULING, table) if by_clause else "house")
        assert refusal.facts["least"] == "shift-manager"


@pytest.mark.clause(V4, "5.14")
@pytest.mark.clause(V6, "5.14")
@pytest.mark.clause(ETG, "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.NOT_OPEN, Phase.VOID)])
def test_a_ruling_may_void_the_round(pay_table: str, phase: Phase) -> None:
    """In every phase, by clause, with everything returned."""
    table = at_phase(with_bets(pay_table), phase)
    events = table.do(cmd.MakeRuling, by=SHIFT, decision="void")
    assert isinstance(events[0], ev.RulingMade)
    void = voided(events)
    assert (void.ground, void.clause) == ("ruling", clause(RULING, table))
    assert void.returned == {"Ann": 100, "Bob": 300}
    assert [note.clause for note in table.round.results()[0].notes] == [void.clause, void.returns_clause]


@pytest.mark.clause(V4, "5.14")
@pytest.mark.clause(V6, "5.14")
@pytest.mark.clause(ETG, "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_ruling_may_declare_the_dice(pay_table: str) -> None:
    """After the closing; where a result stands already it is corrected and the round settled again."""
    dice = {"decision": "declare", "roll": taisai.Roll(5, 6, 6)}
    table = with_bets(pay_table)
    assert table.refused(cmd.MakeRuling, by=SHIFT, **dice).code is RefusalCode.BETTING_OPEN
    table.do(cmd.SuspendRound)
    assert table.refused(cmd.MakeRuling, by=SHIFT, **dice).code is RefusalCode.BETTING_OPEN
    table.do(cmd.ResumeRound)
    table.conclude("113")
    refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision="declare", roll=taisai.Roll(3, 1, 1))
    assert (refusal.code, refusal.clause) == (RefusalCode.SAME_RESULT, clause(RULING, table))
    assert table.refused(cmd.MakeRuling, by=SHIFT, decision="declare").code is RefusalCode.DICE_INVALID
    ruling, undone, corrected, _paid, _settled = table.do(cmd.MakeRuling, by=SHIFT, **dice)
    assert (ruling.roll, corrected.after) == (taisai.Roll(5, 6, 6), taisai.Roll(5, 6, 6))
    assert ruling.clause == undone.clause == corrected.clause == clause(RULING, table)
    assert table.paid == {"Ann": 200, "Bob": 0}


@pytest.mark.clause(V4, "5.14")
@pytest.mark.clause(V6, "5.14")
@pytest.mark.clause(ETG, "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize(
    "phase", [Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED, Phase.CONCLUDED]
)
def test_a_ruling_may_return_named_bets(pay_table: str, phase: Phase) -> None:
    """They go back in full and are no longer in the round; a bet that does not lie cannot be returned."""
    table = at_phase(with_bets(pay_table), phase)
    bob = cmd.BetRef("Bob", "small")
    events = table.do(cmd.MakeRuling, by=SHIFT, decision="return-bets", bets=[bob, bob])
    returned = next(event for event in events if isinstance(event, ev.BetsReturned))
    assert returned.taken == [ev.ChipsTaken("Bob", "small", 300)]
    assert returned.clause == events[0].clause == clause(RULING, table)
    assert events[0].bets == [bob, bob]
    assert table.slip_of("Bob") == {}
    if phase in (Phase.SETTLED, Phase.CONCLUDED):
        assert table.paid == {"Ann": 0}
    for bets, code, facts in (
        ([bob], RefusalCode.PLAYER_UNKNOWN, {"player": "Bob", "box": "small"}),
        ([cmd.BetRef("Zoe", "big")], RefusalCode.PLAYER_UNKNOWN, {"player": "Zoe", "box": "big"}),
        ([], RefusalCode.NOTHING_CHANGES, {"decision": "return-bets"}),
    ):
        refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision="return-bets", bets=bets)
        assert (refusal.code, refusal.clause) == (code, clause(RULING, table))
        assert refusal.facts == facts


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_ruling_on_a_void_round_is_only_put_on_record(pay_table: str) -> None:
    """A round already void stays so."""
    table = at_phase(with_bets(pay_table), Phase.VOID)
    for decision in ("void", "declare", "return-bets"):
        refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision=decision)
        assert (refusal.code, refusal.facts) == (RefusalCode.ROUND_VOID, {"decision": decision})
    (ruling,) = table.do(cmd.MakeRuling, by=SHIFT, decision="record")
    assert ruling.decision == "record"
