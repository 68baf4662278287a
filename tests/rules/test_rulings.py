"""Rulings: what the rules leave open is decided by the shift manager or above (5.14; ETG 5.10)."""

import pytest

import taisai
from taisai.dice import ROLLS
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


@pytest.mark.clause(V4, "5.4.1", "5.14")
@pytest.mark.clause(V6, "5.4.1", "5.14")
@pytest.mark.clause(ETG, "5.1.1", "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize(
    ("known", "won", "lost"),
    [
        # Every box that the faces decide, with what is certain; the others go back.
        ([4], {"single-4": 1}, {"triple-1"}),
        ([4, 4], {"single-4": 2, "double-4": 11}, {"triple-1", "domino-12"}),
        ([4, 6], {"single-4": 1, "domino-46": 6}, {"any-triple", "triple-1", "domino-12"}),
        ([6, 6], {"single-6": 2}, {"small", "triple-1", "domino-12"}),
    ],
)
def test_a_ruling_may_settle_what_the_known_faces_decide(
    pay_table: str, known: list[int], won: dict[str, int], lost: set[str]
) -> None:
    """No dice are invented: what is certain is paid or collected, and every other bet goes back in full."""
    table = Table(pay_table)
    boxes = ["single-4", "single-6", "domino-46", "domino-12", "any-triple", "triple-1", "small", "big"]
    boxes += ["double-4"] if "double-4" in table.state.pay_table else []
    table.bet("Ann", dict.fromkeys(boxes, 100))
    table.close()
    table.tumble()
    refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision="settle-known")
    assert (refusal.code, refusal.clause) == (RefusalCode.BETTING_CLOSED, clause(RULING, table))
    table.do(cmd.InterruptRound, known=known, readable=False)
    ruling, declared = table.do(cmd.MakeRuling, by=SHIFT, decision="settle-known")
    assert (ruling.decision, ruling.roll) == ("settle-known", None)
    assert (declared.known, declared.clause) == (known, clause(RULING, table))
    paid, settled = table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    assert (table.state.roll, settled.roll) == (None, None)
    back = 0
    for result in table.round.results():
        completions = [roll for roll in ROLLS if all(roll.count(face) >= known.count(face) for face in known)]
        outcomes = [table.state.pay_table.box(result.box).pays_on(roll) for roll in completions]
        if all(outcomes):
            brought = 100 + 100 * min(outcomes)
            assert [note.message for note in result.notes] == ["won_on_known"]
        elif not any(outcomes):
            brought = 0
            assert [note.message for note in result.notes] == ["lost_on_known"]
        else:
            brought = 100
            assert [note.message for note in result.notes] == ["undecided_returned"]
        assert (result.returned, result.clauses) == (brought, (clause(RULING, table),))
        back += brought
    assert paid.payouts == {"Ann": back}
    for box, least in won.items():
        if box in boxes:
            assert table.result("Ann", box).award.pays_to_one >= least
    assert {result.box for result in table.round.results() if result.notes[0].message == "lost_on_known"} >= {
        box for box in lost if box in boxes
    }


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_round_settled_on_known_faces_can_be_corrected_held_and_voided(pay_table: str) -> None:
    """A die that is found after all corrects it; an interruption now changes nothing; a ruling voids it."""
    table = Table(pay_table)
    table.bet("Ann", {"single-4": 100, "big": 100})
    table.close()
    table.tumble()
    table.do(cmd.InterruptRound, known=[4], readable=False)
    table.do(cmd.MakeRuling, by=SHIFT, decision="settle-known")
    table.do(cmd.SettleBets)
    assert table.paid == {"Ann": 300}
    (interrupted,) = table.do(cmd.InterruptRound, known=[], readable=False)
    assert (interrupted.known, interrupted.established) == ([4], True)
    table.do(cmd.ResumeRound)
    assert table.phase is Phase.SETTLED
    refusal = table.refused(cmd.CorrectResult, roll=taisai.Roll(5, 6, 6))
    assert refusal.code is RefusalCode.CONTRADICTS_KNOWN_FACES
    undone, corrected, _paid, settled = table.do(cmd.CorrectResult, roll=taisai.Roll(4, 4, 1))
    assert (undone.payouts, corrected.before, corrected.after) == ({"Ann": 300}, None, taisai.Roll(4, 4, 1))
    assert (settled.roll, table.paid) == (taisai.Roll(4, 4, 1), {"Ann": 300})
    table.do(cmd.MakeRuling, by=SHIFT, decision="declare", roll=taisai.Roll(6, 6, 5))
    assert table.paid == {"Ann": 200}
    assert voided(table.do(cmd.MakeRuling, by=SHIFT, decision="void")).returned == {"Ann": 200}


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_ruling_on_a_void_round_is_only_put_on_record(pay_table: str) -> None:
    """A round already void stays so."""
    table = at_phase(with_bets(pay_table), Phase.VOID)
    for decision in ("void", "declare", "settle-known", "return-bets"):
        refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision=decision)
        assert (refusal.code, refusal.facts) == (RefusalCode.ROUND_VOID, {"decision": decision})
    (ruling,) = table.do(cmd.MakeRuling, by=SHIFT, decision="record")
    assert ruling.decision == "record"
