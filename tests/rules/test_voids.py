"""What voids a round, and that a void gives every bet back."""

import pytest

import taisai
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.awards import Award
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.model import Ground
from tests.rules.table import (
    ALL_TEN,
    COVERED,
    DEALER,
    ETG,
    ONE_EACH,
    OPEN,
    SHIFT,
    SUPERVISOR,
    V3,
    V4,
    V6,
    Table,
    at_phase,
    voided,
)

BETS = {"Ann": {"big": 100, "any-triple": 20}, "Bob": {"small": 300}}
STAKES = {"Ann": 120, "Bob": 300}

# On a void round: the definition of void, and where there is none the clause that made it void.
VOID_TOO_FEW = {V3: "5.1.2", OPEN: "5.1.2", V4: "1.9", V6: "1.9", ETG: "1.10"}
VOID = {V3: "5.1", OPEN: "5.1", V4: "1.9", V6: "1.9", ETG: "1.10"}
TOO_FEW = {V3: "5.1.2", OPEN: "5.1.2", V4: "5.5.1", V6: "5.5.1", ETG: "5.3.1"}
NOT_FLAT = {V3: "5.1.3", OPEN: "5.1.3", V4: "5.5.2", V6: "5.5.2", ETG: "5.3.2"}
EARLY = {V3: "5.1.4", OPEN: "5.1.4", V4: "5.5.3", V6: "5.5.3", ETG: "5.3.3"}
DAMAGED = {V3: "5.1.1", OPEN: "5.1.1", V4: "5.6", V6: "5.6", ETG: "5.4"}
RETURNS = {V3: "house", OPEN: "house", V4: "5.12", V6: "5.12", ETG: "5.9"}


def with_bets(pay_table: str, **more: object) -> Table:
    table = Table(pay_table, **more)
    for name, slip in BETS.items():
        table.bet(name, slip)
    return table


def book(table: Table) -> str:
    return table.state.rulebook.id


def check_void(table: Table, events: list[ev.AnyEvent], ground: Ground, clauses: dict[str, str]) -> None:
    """The round is void on this ground, by this clause, and everyone gets back what they bet."""
    void = voided(events)
    assert (void.ground, void.clause) == (ground, clauses[book(table)])
    assert (void.returned, void.returns_clause) == (STAKES, RETURNS[book(table)])
    assert (table.phase, table.paid) == (Phase.VOID, {})


# --- the void itself ---------------------------------------------------------------------------------


@pytest.mark.clause(V3, "5.1")
@pytest.mark.clause(OPEN, "5.1")
@pytest.mark.clause(V4, "1.9")
@pytest.mark.clause(V6, "1.9")
@pytest.mark.clause(ETG, "1.10")
@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_a_void_round_has_no_result_and_takes_no_more_acts_of_play(pay_table: str) -> None:
    """Not even one that had been declared: no dice, no settlement, no bets, and it stays void."""
    table = with_bets(pay_table)
    table.declare("113")
    table.do(cmd.VoidRound, ground=Ground.TOO_FEW_TUMBLES)
    for kind, facts in [
        (cmd.DeclareRoll, {"roll": taisai.Roll(1, 1, 3)}),
        (cmd.SettleBets, {}),
        (cmd.ConcludeRound, {}),
        (cmd.VoidRound, {"ground": Ground.NOT_FLAT}),
        (cmd.CorrectResult, {"roll": taisai.Roll(1, 1, 4)}),
        (cmd.ReportDamagedDice, {"rounds": [1]}),
        (cmd.ResumeRound, {}),
    ]:
        refusal = table.refused(kind, **facts)
        assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_VOID, VOID_TOO_FEW[book(table)])
    refusal = table.bet_refused("Ann", {})
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_VOID, VOID_TOO_FEW[book(table)])
    refusal = table.refused(cmd.MakeRuling, by=SHIFT, decision="void")
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_VOID, VOID_TOO_FEW[book(table)])
    for result in table.round.results():
        assert (result.effective, result.excess, result.returned) == (0, result.stake, result.stake)
        assert result.award == Award(0, won=False, pays_to_one=None, returned=0)
        assert [note.message for note in result.notes] == ["void", "returned"]


@pytest.mark.clause(V4, "5.12")
@pytest.mark.clause(V6, "5.12")
@pytest.mark.clause(ETG, "5.9")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED])
def test_a_void_returns_every_bet_in_full_from_any_phase(pay_table: str, phase: Phase) -> None:
    """Also after everyone was paid: then the settlement is undone first."""
    table = at_phase(with_bets(pay_table), phase)
    paid = table.paid
    early = Ground.ACTIVATED_EARLY if book(table) == OPEN else Ground.EXPOSED_EARLY
    events = table.do(cmd.VoidRound, ground=early)
    check_void(table, events, early, EARLY)
    reversals = [event for event in events if isinstance(event, ev.SettlementReversed)]
    assert [event.payouts for event in reversals] == ([paid] if paid else [])
    assert all(event.clause == RETURNS[book(table)] for event in reversals)


def test_a_round_without_bets_can_be_void() -> None:
    """Then there is nothing to give back."""
    table = Table()
    assert voided(table.do(cmd.VoidRound, ground=Ground.EXPOSED_EARLY)).returned == {}


# --- by whom --------------------------------------------------------------------------------------------


@pytest.mark.clause(V3, "5.1.4")
@pytest.mark.clause(OPEN, "5.1.4")
@pytest.mark.clause(V4, "5.5.3")
@pytest.mark.clause(V6, "5.5.3")
@pytest.mark.clause(ETG, "5.3.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_before_the_declaration_the_dealer_voids_alone(pay_table: str) -> None:
    """On a fact that the record does not deny, put there by the act itself."""
    table = with_bets(pay_table)
    early = Ground.ACTIVATED_EARLY if book(table) == OPEN else Ground.EXPOSED_EARLY
    events = table.do(cmd.VoidRound, ground=early, second=None, reason="")
    check_void(table, events, early, EARLY)
    assert voided(events).second is None


@pytest.mark.clause(V4, "1.9", "5.5")
@pytest.mark.clause(V6, "1.9", "5.5")
@pytest.mark.clause(ETG, "1.10", "5.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [Phase.DECLARED, Phase.SETTLED])
def test_after_the_declaration_a_void_takes_two_people(pay_table: str, phase: Phase) -> None:
    """Whatever the ground, and both of them are on the record with their reason."""
    table = at_phase(with_bets(pay_table), phase)
    early = Ground.ACTIVATED_EARLY if book(table) == OPEN else Ground.EXPOSED_EARLY
    for ground in (Ground.TOO_FEW_TUMBLES, Ground.NOT_FLAT, early):
        for second, reason, code in (
            (None, "", RefusalCode.SECOND_PERSON_MISSING),
            (DEALER, "seen", RefusalCode.SECOND_PERSON_IS_FIRST),
            (Actor("Eve", Role.DEALER), "seen", RefusalCode.SECOND_PERSON_NOT_ALLOWED),
            (SUPERVISOR, " ", RefusalCode.REASON_MISSING),
        ):
            refusal = table.refused(cmd.VoidRound, ground=ground, second=second, reason=reason)
            assert refusal.code is code
    void = voided(table.do(cmd.VoidRound, ground=early, second=SUPERVISOR, reason="on the film"))
    assert (void.second, void.reason) == (SUPERVISOR, "on the film")


@pytest.mark.clause(V3, "5.1.2", "5.1.3", "5.1.4")
@pytest.mark.clause(OPEN, "5.1.2", "5.1.3", "5.1.4")
@pytest.mark.clause(V4, "5.5.1", "5.5.2", "5.5.3")
@pytest.mark.clause(V6, "5.5.1", "5.5.2", "5.5.3")
@pytest.mark.clause(ETG, "5.3.1", "5.3.2", "5.3.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_what_the_record_denies_is_not_the_dealers_word_alone(pay_table: str) -> None:
    """Three tumbles are recorded, or dice seen after the closing: one person cannot say otherwise."""
    table = with_bets(pay_table)
    table.close()
    table.tumble()
    alone = {"second": None, "reason": ""}
    missing = RefusalCode.SECOND_PERSON_MISSING
    assert table.refused(cmd.VoidRound, ground=Ground.TOO_FEW_TUMBLES, **alone).code is missing
    if book(table) != OPEN:
        table.do(cmd.ExposeDice)
    early = Ground.ACTIVATED_EARLY if book(table) == OPEN else Ground.EXPOSED_EARLY
    for ground in (Ground.TOO_FEW_TUMBLES, Ground.NOT_FLAT, early):
        assert table.refused(cmd.VoidRound, ground=ground, **alone).code is missing
    check_void(table, table.do(cmd.VoidRound, ground=Ground.NOT_FLAT), Ground.NOT_FLAT, NOT_FLAT)


# --- too few tumbles, a die not flat -----------------------------------------------------------------


@pytest.mark.clause(V3, "5.1.2")
@pytest.mark.clause(OPEN, "5.1.2")
@pytest.mark.clause(V4, "5.5", "5.5.1")
@pytest.mark.clause(V6, "5.5", "5.5.1")
@pytest.mark.clause(ETG, "5.3", "5.3.1")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("tumbles", [0, 1, 2])
def test_fewer_than_three_tumbles_void(pay_table: str, tumbles: int) -> None:
    """At once, with the activation on the record."""
    table = with_bets(pay_table)
    table.close()
    events = table.tumble(tumbles)
    assert isinstance(events[0], ev.TumblerActivated)
    check_void(table, events, Ground.TOO_FEW_TUMBLES, TOO_FEW)


@pytest.mark.clause(V4, "5.5.1")
@pytest.mark.clause(V6, "5.5.1")
@pytest.mark.parametrize("pay_table", COVERED)
def test_too_few_tumbles_under_the_cover_void_before_the_closing_too(pay_table: str) -> None:
    """A covered tumble may come early, but it must be valid."""
    table = with_bets(pay_table)
    check_void(table, table.tumble(2), Ground.TOO_FEW_TUMBLES, TOO_FEW)


@pytest.mark.clause(V3, "5.1.3", "3.5")
@pytest.mark.clause(V4, "5.5.2", "3.8")
@pytest.mark.clause(V6, "5.5.2", "3.8")
@pytest.mark.clause(ETG, "5.3.2", "3.7")
@pytest.mark.parametrize("pay_table", COVERED)
def test_a_die_that_is_not_flat_when_the_cover_is_lifted_voids(pay_table: str) -> None:
    """Under the cover nobody can have seen it."""
    table = with_bets(pay_table)
    table.close()
    table.do(cmd.CoverTumbler)
    (tumbled,) = table.do(cmd.ActivateTumbler, tumbles=3, flat=False)
    assert tumbled.flat
    events = table.do(cmd.ExposeDice, flat=False)
    assert isinstance(events[0], ev.DiceExposed)
    check_void(table, events, Ground.NOT_FLAT, NOT_FLAT)


@pytest.mark.clause(OPEN, "5.1.3", "3.5")
@pytest.mark.parametrize("pay_table", ["tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_a_die_that_is_not_flat_in_the_open_tumbler_voids(pay_table: str) -> None:
    """There it is seen at once."""
    table = with_bets(pay_table)
    table.close()
    check_void(table, table.do(cmd.ActivateTumbler, tumbles=3, flat=False), Ground.NOT_FLAT, NOT_FLAT)


@pytest.mark.clause(V3, "5.1.2", "5.1.3")
@pytest.mark.clause(OPEN, "5.1.2", "5.1.3")
@pytest.mark.clause(V4, "5.5.1", "5.5.2")
@pytest.mark.clause(V6, "5.5.1", "5.5.2")
@pytest.mark.clause(ETG, "5.3.1", "5.3.2")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("ground", [Ground.TOO_FEW_TUMBLES, Ground.NOT_FLAT])
def test_what_the_dealer_saw_of_the_tumble_voids_until_the_round_is_concluded(
    pay_table: str, ground: Ground
) -> None:
    """There must have been a tumble; and with the conclusion the ground is gone."""
    clauses = TOO_FEW if ground is Ground.TOO_FEW_TUMBLES else NOT_FLAT
    table = with_bets(pay_table)
    refusal = table.refused(cmd.VoidRound, ground=ground)
    assert (refusal.code, refusal.facts) == (RefusalCode.NOT_TUMBLED, {"ground": ground})
    table.settle("113")
    check_void(table, table.do(cmd.VoidRound, ground=ground), ground, clauses)


@pytest.mark.clause(V4, "5.5")
@pytest.mark.clause(V6, "5.5")
@pytest.mark.clause(ETG, "5.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("ground", list(Ground))
def test_previous_rounds_stand(pay_table: str, ground: Ground) -> None:
    """The dealer's grounds void the current round only: a concluded one keeps outcome and settlement."""
    table = with_bets(pay_table)
    table.conclude("113")
    stands = {V4: "5.5", V6: "5.5", ETG: "5.3"}.get(book(table), "house")
    refusal = table.refused(cmd.VoidRound, ground=ground)
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_CONCLUDED, stands)


@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("ground", [Ground.NOTHING_ESTABLISHED, Ground.DAMAGED_DICE])
def test_grounds_with_an_act_of_their_own_are_not_the_dealers_word(pay_table: str, ground: Ground) -> None:
    """An interruption asks for the known faces, damaged dice for two people."""
    table = with_bets(pay_table)
    refusal = table.refused(cmd.VoidRound, ground=ground)
    instead = "interrupt" if ground is Ground.NOTHING_ESTABLISHED else "report damaged dice"
    assert (refusal.code, refusal.clause) == (RefusalCode.GROUND_NOT_HERE, VOID[book(table)])
    assert refusal.facts == {"ground": ground, "instead": instead}


def test_a_round_that_waits_for_a_ruling_can_still_be_void_by_the_rules() -> None:
    """A ruling is for what the rules do not provide; a die that is not flat they do."""
    table = at_phase(with_bets("tai-sai-v6/2"), Phase.AWAITING_RULING)
    check_void(table, table.do(cmd.VoidRound, ground=Ground.NOT_FLAT), Ground.NOT_FLAT, NOT_FLAT)


# --- too early ---------------------------------------------------------------------------------------


@pytest.mark.clause(V3, "5.1.4")
@pytest.mark.clause(V4, "5.5.3")
@pytest.mark.clause(V6, "5.5.3")
@pytest.mark.clause(ETG, "5.3.3")
@pytest.mark.parametrize("pay_table", COVERED)
@pytest.mark.parametrize("flat", [True, False])
def test_concealed_dice_exposed_before_the_closing_void(pay_table: str, flat: bool) -> None:
    """Whether or not they had tumbled, and however they lie."""
    for tumbled in (True, False):
        table = with_bets(pay_table)
        table.tumble() if tumbled else table.do(cmd.CoverTumbler)
        events = table.do(cmd.ExposeDice, flat=flat)
        assert isinstance(events[0], ev.DiceExposed)
        check_void(table, events, Ground.EXPOSED_EARLY, EARLY)


@pytest.mark.clause(V3, "5.1.4")
@pytest.mark.clause(V4, "5.5.3")
@pytest.mark.clause(V6, "5.5.3")
@pytest.mark.clause(ETG, "5.3.3")
@pytest.mark.parametrize("pay_table", COVERED)
def test_a_tumble_without_the_cover_before_the_closing_voids(pay_table: str) -> None:
    """Everyone saw the dice: that is an exposure."""
    table = with_bets(pay_table)
    events = table.do(cmd.ActivateTumbler, tumbles=3, uncovered=True)
    check_void(table, events, Ground.EXPOSED_EARLY, EARLY)


@pytest.mark.clause(V3, "5.1.4")
@pytest.mark.clause(V4, "5.5.3")
@pytest.mark.clause(V6, "5.5.3")
@pytest.mark.clause(ETG, "5.3.3")
@pytest.mark.parametrize("pay_table", COVERED)
def test_a_tumble_under_the_cover_before_the_closing_stands(pay_table: str) -> None:
    """Bets stay open, and after the closing the cover is lifted."""
    table = with_bets(pay_table)
    table.tumble()
    table.bet("Cyd", {"big": 100})
    table.close()
    table.do(cmd.ExposeDice)
    assert table.phase is Phase.CLOSED
    assert table.refused(cmd.VoidRound, ground=Ground.ACTIVATED_EARLY).code is RefusalCode.GROUND_NOT_HERE


@pytest.mark.clause(OPEN, "5.1.4")
@pytest.mark.parametrize("pay_table", ["tai-sai-open-cover/1", "tai-sai-open-cover/2"])
@pytest.mark.parametrize("tumbles", [2, 3])
def test_activating_the_open_tumbler_before_the_closing_voids(pay_table: str, tumbles: int) -> None:
    """However often it tumbled."""
    table = with_bets(pay_table)
    events = table.do(cmd.ActivateTumbler, tumbles=tumbles)
    assert isinstance(events[0], ev.TumblerActivated)
    check_void(table, events, Ground.ACTIVATED_EARLY, EARLY)
    assert table.refused(cmd.VoidRound, ground=Ground.EXPOSED_EARLY).code is RefusalCode.ROUND_VOID


# --- damaged dice ------------------------------------------------------------------------------------


@pytest.mark.clause(V3, "5.1.1")
@pytest.mark.clause(OPEN, "5.1.1")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_damaged_dice_void_the_game_in_play_only(pay_table: str) -> None:
    """A game that is over stays as it was."""
    for phase in (Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED):
        table = at_phase(with_bets(pay_table), phase)
        events = table.do(cmd.ReportDamagedDice, rounds=[1])
        check_void(table, events, Ground.DAMAGED_DICE, DAMAGED)
    table = with_bets(pay_table)
    table.conclude("113")
    refusal = table.refused(cmd.ReportDamagedDice, rounds=[1])
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_CONCLUDED, "5.1.1")


@pytest.mark.clause(V4, "5.6")
@pytest.mark.clause(V6, "5.6")
@pytest.mark.clause(ETG, "5.4")
@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/3", "sic-bo-etg-v8/1"])
def test_damaged_dice_void_every_affected_round(pay_table: str) -> None:
    """Settled and concluded ones too: the net of their settlement is undone and the bets go back."""
    rounds = [with_bets(pay_table, number=number, dice_set="A") for number in (1, 2, 3)]
    other_set = with_bets(pay_table, number=4, dice_set="B")
    for table in (*rounds[:2], other_set):
        table.conclude("566")
    report = {"rounds": [1, 2, 3, 4], "dice_set": "A"}
    for table in rounds:
        paid = table.paid
        events = table.do(cmd.ReportDamagedDice, **report)
        check_void(table, events, Ground.DAMAGED_DICE, DAMAGED)
        reported = events[0]
        assert isinstance(reported, ev.DamagedDiceReported)
        assert (reported.by, reported.second, reported.rounds) == (DEALER, SUPERVISOR, [1, 2, 3, 4])
        assert (reported.dice_set, reported.reason) == ("A", "seen by both")
        assert [event.payouts for event in events if isinstance(event, ev.SettlementReversed)] == (
            [paid] if paid else []
        )
    refusal = other_set.refused(cmd.ReportDamagedDice, **report)
    assert refusal.code is RefusalCode.ROUND_NOT_AFFECTED
    assert refusal.clause == DAMAGED[book(other_set)]
    assert refusal.facts == {"round": 4, "rounds": [1, 2, 3, 4], "dice_set": "B"}


@pytest.mark.clause(V4, "5.6", "5.8")
@pytest.mark.clause(V6, "5.6", "5.8")
@pytest.mark.clause(ETG, "5.4", "5.6")
@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/3", "sic-bo-etg-v8/1"])
def test_a_round_that_is_not_named_is_not_affected(pay_table: str) -> None:
    """Another round of the table keeps its outcome, whoever reports."""
    table = with_bets(pay_table, number=7)
    table.conclude("566")
    refusal = table.refused(cmd.ReportDamagedDice, rounds=[5, 6], by=SHIFT)
    assert refusal.code is RefusalCode.ROUND_NOT_AFFECTED
    assert table.paid == {"Ann": 200, "Bob": 0}


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_round_whose_set_nobody_recorded_is_affected_when_it_is_named(pay_table: str) -> None:
    """The set narrows the rounds down only where both are known."""
    table = with_bets(pay_table)
    check_void(table, table.do(cmd.ReportDamagedDice, rounds=[1], dice_set="A"), Ground.DAMAGED_DICE, DAMAGED)
    table = with_bets(pay_table, dice_set="A")
    check_void(table, table.do(cmd.ReportDamagedDice, rounds=[1]), Ground.DAMAGED_DICE, DAMAGED)
