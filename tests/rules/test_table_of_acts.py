"""The table of acts, cell by cell: every act in every phase of every rulebook."""

from typing import Any

import pytest

import taisai
from taisai.game import commands as cmd
from taisai.game.acts import ACTS, Act, Cell, Phase, cell, table_of_acts
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.model import Ground
from tests.rules.table import (
    ETG,
    ONE_EACH,
    OPEN,
    RULEBOOKS,
    SHIFT,
    V3,
    V4,
    V6,
    Table,
    at_phase,
    limits,
    player,
)

# What follows is typed from the rules, not from the code: phases in which an act is legal, then the clause of
# it in v3, open cover, v4, v6 and ETG. A dash means that the game has no such act; the clause still says why.
RULES = """
open betting                    | not-open                       | 3.1    3.1    3.2    3.2    3.2
place bets                      | betting                        | 3.3    3.3    3.4    3.4    3.4
register bets from the felt     | betting                        | 3.3    3.3    3.4    3.4    -1.7
place bets on behalf            | betting                        | house  house  5.13   5.13   -1.7
close betting                   | betting                        | 3.2    3.2    3.6    3.6    3.5
cover the tumbler               | betting closed                 | 3.4    -house 3.7    3.7    3.6
activate the tumbler            | betting closed                 | 3.4    3.4    3.7    3.7    3.6
expose the dice                 | betting closed                 | 3.5    -3.5   3.8    3.8    3.7
declare the roll                | closed                         | 3.5    3.5    3.8    3.8    3.7
settle                          | declared                       | 4.1    4.1    3.9    3.9    3.8
conclude                        | settled                        | 4.1    4.1    3.9    3.9    3.8
reject excess                   | betting                        | -house -house 5.1    5.1    -house
advise of the minimum           | betting                        | -house -house 5.2    5.2    -house
return a bet below the minimum  | betting                        | -house -house 5.2    5.2    -house
record a walk-away              | in-play interrupted awaiting   | house  house  5.3    5.3    house
record a terminal cut off       | in-play interrupted awaiting   | -house -house -house -house 5.2
void                            | in-play interrupted awaiting   | 5.1    5.1    1.9    1.9    1.10
report damaged dice             | in-play interrupted awaiting + | 5.1.1  5.1.1  5.6    5.6    5.4
suspend                         | in-play                        | house  house  house  house  house
interrupt                       | in-play interrupted            | house  house  5.4    5.4    5.1
resume                          | interrupted                    | house  house  5.4.1  5.4.1  5.1.1
correct the result              | declared settled concluded     | 3.5    3.5    3.8    3.8    5.5
correct the bets                | closed declared settled concluded | house  house  5.9 5.9 -5.7
record a display fault          | opened                         | house  house  5.11   5.11   5.8
rule                            | opened                         | house  house  5.14   5.14   5.10
"""

WORDS = {
    "in-play": {Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED},
    "awaiting": {Phase.AWAITING_RULING},
    "opened": set(Phase) - {Phase.NOT_OPEN},
    "+": {Phase.CONCLUDED},  # but for v3 and open cover, which void only the game in play
}
STANDS = {
    Phase.NOT_OPEN: RefusalCode.ROUND_NOT_OPEN,
    Phase.BETTING: RefusalCode.BETTING_OPEN,
    Phase.CLOSED: RefusalCode.BETTING_CLOSED,
    Phase.DECLARED: RefusalCode.ROLL_DECLARED,
    Phase.SETTLED: RefusalCode.ROUND_SETTLED,
    Phase.CONCLUDED: RefusalCode.ROUND_CONCLUDED,
    Phase.VOID: RefusalCode.ROUND_VOID,
    Phase.INTERRUPTED: RefusalCode.ROUND_INTERRUPTED,
    Phase.AWAITING_RULING: RefusalCode.AWAITING_RULING,
}
# Why bets are not taken: before the call, while the round is held, in a void round, and after the closing.
NO_BETS = {
    V3: ("3.1", "house", "5.1", "5.2"),
    OPEN: ("3.1", "house", "5.1", "5.2"),
    V4: ("3.2", "house", "1.9", "5.7"),
    V6: ("3.2", "house", "1.9", "5.7"),
    ETG: ("3.2", "house", "1.10", "3.5"),
}
EARLIER_STAND = {V3: "house", OPEN: "house", V4: "5.5", V6: "5.5", ETG: "5.3"}
# Why no round is opened while one is in play.
ONE_ROUND = {V3: "3.1", OPEN: "3.1", V4: "1.7", V6: "1.7", ETG: "1.8"}
EARLY = {V3: "5.1.4", OPEN: "5.1.4", V4: "5.5.3", V6: "5.5.3", ETG: "5.3.3"}


def expected() -> dict[tuple[str, Act, Phase], Cell]:
    """The whole table as typed above."""
    cells = {}
    for line in RULES.strip().splitlines():
        name, phases, clauses = (part.strip() for part in line.split("|"))
        act = Act(name)
        legal = set().union(*(WORDS.get(word) or {Phase(word)} for word in phases.split()))
        for rulebook, clause in zip(RULEBOOKS, clauses.split(), strict=True):
            for phase in Phase:
                cells[rulebook, act, phase] = _expected(rulebook, act, phase, clause, phase in legal)
    return cells


def _expected(rulebook: str, act: Act, phase: Phase, clause: str, legal: bool) -> Cell:
    if clause.startswith("-"):
        return Cell(act, phase, clause.removeprefix("-"), refusal=RefusalCode.NOT_IN_THIS_RULEBOOK)
    if act is Act.REPORT_DAMAGED_DICE and phase is Phase.CONCLUDED and rulebook in (V3, OPEN):
        legal = False
    if not legal:
        if act in (Act.PLACE_BETS, Act.REGISTER_BETS, Act.PLACE_ON_BEHALF):
            before, held, void, late = NO_BETS[rulebook]
            special = {Phase.NOT_OPEN: before, Phase.INTERRUPTED: held, Phase.VOID: void}
            clause = special.get(phase, late)
        if act is Act.VOID and phase is Phase.CONCLUDED:
            clause = EARLIER_STAND[rulebook]
        if act is Act.OPEN_BETTING and phase is not Phase.NOT_OPEN:
            clause = ONE_ROUND[rulebook]
        if phase is Phase.VOID:
            clause = NO_BETS[rulebook][2]
        return Cell(act, phase, clause, refusal=STANDS[phase])
    if phase is Phase.BETTING and act is Act.EXPOSE:
        return Cell(act, phase, EARLY[rulebook], voids=Ground.EXPOSED_EARLY)
    if phase is Phase.BETTING and act is Act.ACTIVATE and rulebook == OPEN:
        return Cell(act, phase, EARLY[rulebook], voids=Ground.ACTIVATED_EARLY)
    return Cell(act, phase, clause)


EXPECTED = expected()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_table_is_what_the_rules_say(rulebook: str) -> None:
    """Twenty-five acts in nine phases: code, clause and void of each cell."""
    cells = list(table_of_acts(taisai.rulebook(rulebook)))
    assert len(cells) == len(Act) * len(Phase) == 25 * 9
    for found in cells:
        assert found == EXPECTED[rulebook, found.act, found.phase]
        assert found.legal == (found.refusal is None)


def suitable(table: Table, act: Act, phase: Phase) -> tuple[type[cmd.Command], Actor | None, dict[str, Any]]:
    """A command for the act, after what must come before it in a round that will be in this phase."""
    bets_open = phase is Phase.BETTING
    by_dealer = "by-dealer" in table.state.rulebook.limits.notice
    early = Ground.ACTIVATED_EARLY if table.state.rulebook.id == OPEN else Ground.EXPOSED_EARLY
    match act:
        case Act.OPEN_BETTING:
            return cmd.OpenBetting, None, table.opening()
        case Act.PLACE_BETS:
            return cmd.PlaceBets, player("Bob"), {"player": "Bob", "slip": {"big": 100}, "version": 1}
        case Act.REGISTER_BETS | Act.PLACE_ON_BEHALF:
            facts = {"player": "Bob", "slip": {"big": 100}, "version": 1}
            return cmd.PlaceBets, None, {**facts, "on_request": act is Act.PLACE_ON_BEHALF}
        case Act.ACTIVATE | Act.EXPOSE | Act.DECLARE if phase in (Phase.BETTING, Phase.CLOSED):
            if table.state.rulebook.procedure.cover == "covered":
                table.do(cmd.CoverTumbler)
            if act is not Act.ACTIVATE and not bets_open:
                table.tumble()
            if act is Act.DECLARE and not bets_open and not table.state.exposed:
                table.do(cmd.ExposeDice)
        case Act.REJECT_EXCESS | Act.ADVISE_MINIMUM | Act.RETURN_BELOW_MINIMUM if bets_open and by_dealer:
            table.bet("Zoe", {"big": 9000, "small": 10})
            if act is Act.RETURN_BELOW_MINIMUM:
                table.do(cmd.AdviseMinimum, player="Zoe", box="small")
    return (
        COMMANDS[act],
        SHIFT if act is Act.RULE else None,
        {**FACTS.get(act, {}), **_void_facts(act, early)},
    )


def _void_facts(act: Act, early: Ground) -> dict[str, Any]:
    return {"ground": early} if act is Act.VOID else {}


COMMANDS = {
    Act.OPEN_BETTING: cmd.OpenBetting,
    Act.PLACE_BETS: cmd.PlaceBets,
    Act.REGISTER_BETS: cmd.PlaceBets,
    Act.PLACE_ON_BEHALF: cmd.PlaceBets,
    Act.CLOSE_BETTING: cmd.CloseBetting,
    Act.COVER: cmd.CoverTumbler,
    Act.ACTIVATE: cmd.ActivateTumbler,
    Act.EXPOSE: cmd.ExposeDice,
    Act.DECLARE: cmd.DeclareRoll,
    Act.SETTLE: cmd.SettleBets,
    Act.CONCLUDE: cmd.ConcludeRound,
    Act.REJECT_EXCESS: cmd.RejectExcess,
    Act.ADVISE_MINIMUM: cmd.AdviseMinimum,
    Act.RETURN_BELOW_MINIMUM: cmd.ReturnBelowMinimum,
    Act.RECORD_WALK_AWAY: cmd.RecordWalkAway,
    Act.RECORD_CUT_OFF: cmd.RecordCutOff,
    Act.VOID: cmd.VoidRound,
    Act.REPORT_DAMAGED_DICE: cmd.ReportDamagedDice,
    Act.SUSPEND: cmd.SuspendRound,
    Act.INTERRUPT: cmd.InterruptRound,
    Act.RESUME: cmd.ResumeRound,
    Act.CORRECT_RESULT: cmd.CorrectResult,
    Act.CORRECT_BETS: cmd.CorrectBets,
    Act.RECORD_DISPLAY_FAULT: cmd.RecordDisplayFault,
    Act.RULE: cmd.MakeRuling,
}
FACTS: dict[Act, dict[str, Any]] = {
    Act.ACTIVATE: {"tumbles": 3},
    Act.DECLARE: {"roll": taisai.Roll(1, 1, 3)},
    Act.REJECT_EXCESS: {"on": "big"},
    Act.ADVISE_MINIMUM: {"player": "Zoe", "box": "small"},
    Act.RETURN_BELOW_MINIMUM: {"player": "Zoe", "box": "small"},
    Act.RECORD_WALK_AWAY: {"player": "Ann"},
    Act.RECORD_CUT_OFF: {"player": "Ann"},
    Act.REPORT_DAMAGED_DICE: {"rounds": [1]},
    Act.CORRECT_RESULT: {"roll": taisai.Roll(5, 6, 6)},
    Act.CORRECT_BETS: {"player": "Ann", "slip": {"small": 100}},
    Act.RECORD_DISPLAY_FAULT: {"what": "the lamp of Big is dark"},
    Act.RULE: {"decision": "record"},
}
# Acts whose event names a closer clause than the cell: the ground of a void, an outcome that is established.
CLOSER_CLAUSE = {Act.VOID, Act.INTERRUPT, Act.RESUME}


def table_in(pay_table: str, phase: Phase) -> Table:
    by_dealer = "by-dealer" in taisai.rulebook(pay_table.partition("/")[0]).limits.notice
    shown = limits(notice="by-dealer" if by_dealer else "")
    table = Table(pay_table, shown, opened=False)
    if phase is not Phase.NOT_OPEN:
        table.open()
        table.bet("Ann", {"big": 100})
    return at_phase(table, phase)


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_every_act_does_in_a_round_what_its_cell_says(pay_table: str, phase: Phase) -> None:
    """A legal act succeeds with a suitable command; any other gets exactly the cell's code and clause."""
    rulebook = pay_table.partition("/")[0]
    for act in Act:
        table = table_in(pay_table, phase)
        assert table.state.standing is phase
        here = EXPECTED[rulebook, act, phase]
        kind, by, facts = suitable(table, act, phase) if here.legal else _unprepared(table, act)
        who = {"by": by} if by else {}
        assert (act in table.round.legal_acts()) == here.legal
        if here.refusal:
            refusal = table.refused(kind, **who, **facts)
            clause = here.clause
            if phase is Phase.VOID and clause == "5.1":
                clause = "house"  # no clause of v3 and open cover speaks of the interruption that voided it
            assert (refusal.code, refusal.clause) == (here.refusal, clause)
            assert refusal.facts == {"act": str(act), "phase": str(phase)}
        else:
            events = table.do(kind, **who, **facts)
            if here.voids:
                assert (events[-1].ground, events[-1].clause) == (here.voids, here.clause)
            elif act not in CLOSER_CLAUSE:
                assert events[0].clause == here.clause


def _unprepared(table: Table, act: Act) -> tuple[type[cmd.Command], Actor | None, dict[str, Any]]:
    """The act's command where nothing can make it legal."""
    slip = {"player": "Bob", "slip": {"big": 100}, "version": 1}
    facts = {
        Act.OPEN_BETTING: table.opening(),
        Act.PLACE_BETS: slip,
        Act.REGISTER_BETS: slip,
        Act.PLACE_ON_BEHALF: {**slip, "on_request": True},
        Act.VOID: {"ground": Ground.NOT_FLAT},
    }
    by = {Act.PLACE_BETS: player("Bob"), Act.RULE: SHIFT}.get(act)
    return COMMANDS[act], by, facts.get(act, FACTS.get(act, {}))


@pytest.mark.parametrize("act", list(Act))
def test_every_act_asks_for_the_position_that_its_rule_names(act: Act) -> None:
    """One below it is refused; the console may do the dealer's ordinary acts and no others."""
    rule = ACTS[act]
    pay_table = "sic-bo-etg-v8/2" if act is Act.RECORD_CUT_OFF else "tai-sai-v6/2"
    phase = next(phase for phase in Phase if phase in rule.phases)
    for role in Role:
        if act is Act.PLACE_BETS or (COMMANDS[act] is cmd.PlaceBets and role is Role.PLAYER):
            continue  # a bet by a player is one act, by anyone else the other
        table = table_in(pay_table, phase)
        kind, _, facts = suitable(table, act, phase)
        on_the_floor = role in (
            Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER
        )  # fmt: skip
        second = {"second": Actor("Val", Role.CASINO_MANAGER)} if rule.two_people else {}
        who = Actor("Kim", role)
        if on_the_floor or (role is Role.SYSTEM and rule.by_system):
            table.do(kind, by=who, **second, **facts)
        else:
            refusal = table.refused(kind, by=who, **second, **facts)
            assert refusal.code is RefusalCode.ROLE_NOT_ALLOWED
            assert refusal.facts["role"] == role


ORDINARY = {
    Act.OPEN_BETTING,
    Act.CLOSE_BETTING,
    Act.COVER,
    Act.ACTIVATE,
    Act.EXPOSE,
    Act.DECLARE,
    Act.SETTLE,
    Act.CONCLUDE,
    Act.SUSPEND,
    Act.RESUME,
    Act.RECORD_CUT_OFF,
    Act.RECORD_DISPLAY_FAULT,
}
TWO_PEOPLE = {
    Act.REPORT_DAMAGED_DICE: Role.PIT_SUPERVISOR,
    Act.CORRECT_RESULT: Role.PIT_SUPERVISOR,
    Act.CORRECT_BETS: Role.PIT_SUPERVISOR,
    Act.RULE: Role.SHIFT_MANAGER,
}


def test_the_positions_are_those_of_the_design() -> None:
    """The console deals; damaged dice, corrections and rulings take two people; the rest is the dealer's."""
    for act, rule in ACTS.items():
        assert rule.by_system == (act in ORDINARY)
        assert rule.two_people == (act in TWO_PEOPLE)
        assert rule.least == (Role.PLAYER if act is Act.PLACE_BETS else TWO_PEOPLE.get(act, Role.DEALER))


@pytest.mark.parametrize("act", list(TWO_PEOPLE))
def test_two_people_are_two_and_one_of_them_is_above_a_dealer(act: Act) -> None:
    """Two dealers are not enough, nor one person twice, nor someone who is no pit employee."""
    least = TWO_PEOPLE[act]
    phase = Phase.CONCLUDED
    table = table_in("tai-sai-v6/2", phase)
    kind, _, facts = suitable(table, act, phase)
    above = Actor("Sue", least)
    dealer, other = Actor("Dan", Role.DEALER), Actor("Eve", Role.DEALER)
    cases = [
        (dealer, None, "why", RefusalCode.SECOND_PERSON_MISSING),
        (above, Actor("Sue", Role.DEALER), "why", RefusalCode.SECOND_PERSON_IS_FIRST),
        (above, Actor("sUE", Role.DEALER), "why", RefusalCode.SECOND_PERSON_IS_FIRST),
        (dealer, other, "why", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (above, Actor("Pia", Role.PLAYER), "why", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (above, Actor("Ada", Role.ADMINISTRATOR), "why", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
        (above, dealer, "", RefusalCode.REASON_MISSING),
        (dealer, above, " \t", RefusalCode.REASON_MISSING),
    ]
    for first, second, reason, code in cases:
        refusal = table.refused(kind, by=first, **{**facts, "second": second, "reason": reason})
        assert refusal.code is code
        assert refusal.facts["least"] == least
        if code is RefusalCode.SECOND_PERSON_NOT_ALLOWED:
            assert refusal.facts["role"] == second.role
        asks_position = code is RefusalCode.SECOND_PERSON_NOT_ALLOWED
        position = "5.14" if act is Act.RULE else "1.5"
        assert refusal.clause == (position if asks_position else "house")
    for first, second in ((dealer, above), (above, dealer)):
        other_table = table_in("tai-sai-v6/2", phase)
        other_table.do(kind, by=first, **{**facts, "second": second, "reason": "why"})


def test_a_cell_is_one_of_the_table() -> None:
    """Asking for one cell gives what the whole table has there."""
    for found in table_of_acts(taisai.rulebook(V6)):
        assert cell(taisai.rulebook(V6), found.act, found.phase) == found
