"""Walk-aways, cut-off terminals, interruptions, corrections and displays."""

import pytest

import taisai
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from taisai.rulebooks.model import Ground
from tests.rules.table import (
    ALL_TEN,
    DEALER,
    ETG,
    LIVE,
    ONE_EACH,
    OPEN,
    SHIFT,
    SUPERVISOR,
    V3,
    V4,
    V6,
    Table,
    at_phase,
    player,
    voided,
)

INTERRUPTION = {V4: "5.4", V6: "5.4", ETG: "5.1"}
ESTABLISHED = {V4: "5.4.1", V6: "5.4.1", ETG: "5.1.1"}
NOTHING = {V4: "5.4.2", V6: "5.4.2", ETG: "5.1.2"}
CORRECTS = {V3: "3.5", OPEN: "3.5", V4: "3.8", V6: "3.8", ETG: "5.5"}
FELT = {V4: "5.9", V6: "5.9"}
DISPLAY = {V4: "5.11", V6: "5.11", ETG: "5.8"}
RULING = {V4: "5.14", V6: "5.14", ETG: "5.10"}


def clause(clauses: dict[str, str], table: Table) -> str:
    """The clause of the table's rulebook, or `house` where it has none."""
    return clauses.get(table.state.rulebook.id, "house")


def with_bets(pay_table: str, **more: object) -> Table:
    table = Table(pay_table, **more)
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"small": 300})
    return table


# --- walking away ------------------------------------------------------------------------------------


@pytest.mark.clause(V4, "5.3")
@pytest.mark.clause(V6, "5.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_who_walks_away_is_settled_like_anyone(pay_table: str) -> None:
    """The bet stays, wins or loses, and says so; without a bet there is nothing to record."""
    table = with_bets(pay_table)
    here = {V4: "5.3", V6: "5.3"}
    (gone,) = table.do(cmd.RecordWalkAway, player="Ann")
    assert (gone.player, gone.cut_off, gone.clause) == ("Ann", False, clause(here, table))
    table.settle("566")
    assert table.paid == {"Ann": 200, "Bob": 0}
    note = table.result("Ann", "big").notes[-1]
    assert (note.message, note.clause) == ("walked_away", clause(here, table))
    assert [note.message for note in table.result("Bob", "small").notes] == ["lost"]
    refusal = table.refused(cmd.RecordWalkAway, player="Zoe")
    assert (refusal.code, refusal.clause) == (RefusalCode.PLAYER_UNKNOWN, clause(here, table))


def test_who_took_every_bet_back_leaves_nothing_behind() -> None:
    """And who bets again is there again."""
    table = with_bets("tai-sai-v6/2")
    table.bet("Ann", {})
    assert table.refused(cmd.RecordWalkAway, player="Ann").code is RefusalCode.PLAYER_UNKNOWN
    table.do(cmd.RecordWalkAway, player="Bob")
    table.bet("Bob", {"small": 200}, by=DEALER, on_request=True)
    assert table.state.slips["Bob"].absent == "walked-away"
    table.bet("Bob", {"small": 100}, by=DEALER)  # chips that he laid himself
    assert table.state.slips["Bob"].absent == ""


# --- electronic terminals cut off ----------------------------------------------------------------------


@pytest.mark.clause(ETG, "5.2", "5.2.1")
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.INTERRUPTED])
def test_the_round_goes_on_when_a_terminal_is_cut_off(phase: Phase) -> None:
    """A bet that had been registered is collected or paid by the pay table."""
    table = at_phase(with_bets("sic-bo-etg-v8/2"), phase, dice="566")
    (cut_off,) = table.do(cmd.RecordCutOff, player="Ann")
    assert (cut_off.cut_off, cut_off.clause) == (True, "5.2")
    if phase is Phase.INTERRUPTED:
        table.do(cmd.ResumeRound)
    if table.phase is not Phase.DECLARED:
        table.declare("566")
    table.do(cmd.SettleBets)
    assert table.paid == {"Ann": 200, "Bob": 0}
    note = table.result("Ann", "big").notes[-1]
    assert (note.message, note.clause) == ("registered", "5.2.1")


@pytest.mark.clause(ETG, "5.2.2")
def test_a_bet_that_was_never_registered_is_not_in_the_round() -> None:
    """It reached the server too late: refused, it never left the player's credit."""
    table = with_bets("sic-bo-etg-v8/2")
    table.close()
    assert table.bet_refused("Cyd", {"big": 100}).code is RefusalCode.BETTING_CLOSED
    refusal = table.refused(cmd.RecordCutOff, player="Cyd")
    assert (refusal.code, refusal.clause) == (RefusalCode.PLAYER_UNKNOWN, "5.2")
    table.settle("566")
    assert "Cyd" not in table.paid


@pytest.mark.clause(ETG, "5.2.1", "5.2.2")
def test_the_same_bet_sent_twice_is_one_bet() -> None:
    """A terminal that heard no answer sends it again; an older or an altered one is refused."""
    table = Table("sic-bo-etg-v8/2")
    table.bet("Ann", {"big": 100}, version=3)
    again = table.command(cmd.PlaceBets, player("Ann"), player="Ann", slip={"big": 100}, version=3)
    assert table.round.ask(again) == []
    assert table.bet_refused("Ann", {"big": 200}, version=3).code is RefusalCode.SLIP_DIFFERS
    stale = table.bet_refused("Ann", {"big": 100}, version=2)
    assert (stale.code, stale.facts) == (RefusalCode.SLIP_STALE, {"version": 2, "registered": 3})
    assert table.state.totals == {"big": 100}


# --- interruption ------------------------------------------------------------------------------------


@pytest.mark.clause(V4, "5.4", "5.4.1")
@pytest.mark.clause(V6, "5.4", "5.4.1")
@pytest.mark.clause(ETG, "5.1", "5.1.1")
@pytest.mark.parametrize("pay_table", ALL_TEN)
@pytest.mark.parametrize("known", [[4], [4, 4], [1, 2, 3]])
def test_an_established_outcome_goes_on_and_is_concluded(pay_table: str, known: list[int]) -> None:
    """Faces read after a valid tumble and the closing decide some box on offer: play goes on."""
    table = with_bets(pay_table)
    table.close()
    table.tumble()
    (interrupted,) = table.do(cmd.InterruptRound, known=known)
    assert (interrupted.established, interrupted.known) == (True, known)
    assert interrupted.clause == clause(ESTABLISHED, table)
    assert table.refused(cmd.DeclareRoll, roll=taisai.Roll(1, 2, 3)).code is RefusalCode.ROUND_INTERRUPTED
    (resumed,) = table.do(cmd.ResumeRound)
    assert resumed.clause == clause(ESTABLISHED, table)
    refusal = table.refused(cmd.DeclareRoll, roll=taisai.Roll(6, 6, 6))
    assert refusal.code is RefusalCode.CONTRADICTS_KNOWN_FACES
    assert refusal.facts == {"known": known, "dice": "6-6-6"}
    rest = [*known, 5, 5][:3]
    table.do(cmd.DeclareRoll, roll=taisai.Roll(*rest))
    table.do(cmd.SettleBets)
    table.do(cmd.ConcludeRound)
    assert table.phase is Phase.CONCLUDED


@pytest.mark.clause(V4, "5.4", "5.4.2")
@pytest.mark.clause(V6, "5.4", "5.4.2")
@pytest.mark.clause(ETG, "5.1", "5.1.2")
@pytest.mark.parametrize("pay_table", ALL_TEN)
@pytest.mark.parametrize("tumbled", [True, False])
@pytest.mark.parametrize("closed", [True, False])
def test_nothing_established_voids(pay_table: str, tumbled: bool, closed: bool) -> None:
    """With no face known nothing can be decided, wherever the round stands."""
    table = with_bets(pay_table)
    if closed:
        table.close()
    if tumbled and (closed or OPEN not in pay_table):
        table.tumble()
    events = table.do(cmd.InterruptRound, known=[])
    assert (events[0].established, events[0].clause) == (False, clause(INTERRUPTION, table))
    void = voided(events)
    assert (void.ground, void.clause) == (Ground.NOTHING_ESTABLISHED, clause(NOTHING, table))
    assert void.returned == {"Ann": 100, "Bob": 300}


@pytest.mark.clause(V4, "5.4", "5.5.3")
@pytest.mark.clause(V6, "5.4", "5.5.3")
@pytest.mark.clause(ETG, "5.1", "5.3.3")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-v4/1", "tai-sai-v6/2", "sic-bo-etg-v8/1"])
@pytest.mark.parametrize("known", [[2], [2, 5], [2, 5, 6]])
def test_faces_read_before_the_closing_void(pay_table: str, known: list[int]) -> None:
    """However much they would establish: concealed dice were seen while bets were open."""
    table = with_bets(pay_table)
    table.tumble()
    void = voided(table.do(cmd.InterruptRound, known=known))
    assert void.ground == Ground.EXPOSED_EARLY
    assert void.clause == table.state.rulebook.void[Ground.EXPOSED_EARLY]


@pytest.mark.clause(V4, "5.4")
@pytest.mark.clause(V6, "5.4")
@pytest.mark.clause(ETG, "5.1")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_known_faces_come_from_dice_that_have_tumbled(pay_table: str) -> None:
    """And are faces of three dice, and agree with what was read before."""
    table = with_bets(pay_table)
    assert table.refused(cmd.InterruptRound, known=[4]).code is RefusalCode.NOT_TUMBLED
    table.close()
    refusal = table.refused(cmd.InterruptRound, known=[4])
    assert (refusal.code, refusal.clause) == (RefusalCode.NOT_TUMBLED, clause(INTERRUPTION, table))
    assert refusal.facts == {"known": [4]}
    table.tumble()
    for wrong in ([0], [7], [1, 2, 3, 4]):
        refusal = table.refused(cmd.InterruptRound, known=wrong)
        assert (refusal.code, refusal.facts) == (RefusalCode.DICE_INVALID, {"known": wrong})
    table.do(cmd.InterruptRound, known=[4])
    for less in ([], [5], [5, 6]):
        refusal = table.refused(cmd.InterruptRound, known=less)
        assert (refusal.code, refusal.facts) == (
            RefusalCode.CONTRADICTS_KNOWN_FACES,
            {"known": [4], "dice": less},
        )
    (again,) = table.do(cmd.InterruptRound, known=[6, 4])
    assert again.known == [6, 4]
    assert table.refused(cmd.InterruptRound, known=[4, 4]).code is RefusalCode.CONTRADICTS_KNOWN_FACES


@pytest.mark.clause(V4, "5.4.1", "5.14")
@pytest.mark.clause(V6, "5.4.1", "5.14")
@pytest.mark.clause(ETG, "5.1.1", "5.10")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_an_established_outcome_that_can_never_be_read_waits_for_a_ruling(pay_table: str) -> None:
    """The dealer cannot go on; a ruling declares the dice, and the round is concluded."""
    table = with_bets(pay_table)
    table.close()
    table.tumble()
    (interrupted,) = table.do(cmd.InterruptRound, known=[4], readable=False)
    assert not interrupted.readable
    assert table.phase is Phase.AWAITING_RULING
    for kind, facts in [(cmd.ResumeRound, {}), (cmd.DeclareRoll, {"roll": taisai.Roll(4, 4, 4)})]:
        assert table.refused(kind, **facts).code is RefusalCode.AWAITING_RULING
    ruling, declared = table.do(cmd.MakeRuling, by=SHIFT, decision="declare", roll=taisai.Roll(4, 5, 6))
    assert ruling.clause == declared.clause == clause(RULING, table)
    table.do(cmd.SettleBets)
    assert table.paid == {"Ann": 200, "Bob": 0}


@pytest.mark.clause(V4, "5.4.1")
@pytest.mark.clause(V6, "5.4.1")
@pytest.mark.clause(ETG, "5.1.1")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [Phase.DECLARED, Phase.SETTLED])
def test_a_declared_result_is_an_established_outcome(pay_table: str, phase: Phase) -> None:
    """An interruption after it holds the round, and it goes on where it stopped."""
    table = at_phase(with_bets(pay_table), phase)
    (interrupted,) = table.do(cmd.InterruptRound, known=[], readable=False)
    assert (interrupted.known, interrupted.established, interrupted.readable) == ([1, 1, 3], True, True)
    assert table.refused(cmd.SettleBets).code is RefusalCode.ROUND_INTERRUPTED
    table.do(cmd.ResumeRound)
    assert table.phase is phase
    assert table.state.known == ()


@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED])
def test_a_suspension_is_no_interruption(pay_table: str, phase: Phase) -> None:
    """After a restart the table is held in its phase, and the dealer resumes; no clause is at work."""
    table = at_phase(with_bets(pay_table), phase)
    (suspended,) = table.do(cmd.SuspendRound, by=Actor("console", Role.SYSTEM))
    assert suspended.clause == "house"
    assert table.bet_refused("Ann", {}).code is RefusalCode.ROUND_INTERRUPTED
    assert table.refused(cmd.SuspendRound).code is RefusalCode.ROUND_INTERRUPTED
    (resumed,) = table.do(cmd.ResumeRound)
    assert (resumed.clause, table.state.standing) == ("house", phase)


# --- a wrong result, a wrong register ------------------------------------------------------------------


@pytest.mark.clause(V3, "3.5")
@pytest.mark.clause(OPEN, "3.5")
@pytest.mark.clause(V4, "3.8", "5.11")
@pytest.mark.clause(V6, "3.8", "5.11")
@pytest.mark.clause(ETG, "5.5")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("phase", [Phase.DECLARED, Phase.SETTLED, Phase.CONCLUDED])
def test_a_wrong_result_is_corrected_to_the_dice(pay_table: str, phase: Phase) -> None:
    """By two people; what was paid is undone, and the round is settled by what the dice show."""
    table = at_phase(with_bets(pay_table), phase, dice="113")
    events = table.do(cmd.CorrectResult, roll=taisai.Roll(5, 6, 6))
    corrected = next(event for event in events if isinstance(event, ev.ResultCorrected))
    assert (corrected.before, corrected.after) == (taisai.Roll(1, 1, 3), taisai.Roll(5, 6, 6))
    assert (corrected.by, corrected.second, corrected.reason) == (DEALER, SUPERVISOR, "seen by both")
    assert corrected.clause == clause(CORRECTS, table)
    names = [type(event).__name__ for event in events]
    if phase is Phase.DECLARED:
        assert names == ["ResultCorrected"]
        table.do(cmd.SettleBets)
    else:
        assert names == ["SettlementReversed", "ResultCorrected", "PayoutsMade", "BetsSettled"]
        assert events[0].payouts == {"Ann": 0, "Bob": 600}
        assert events[0].clause == clause(CORRECTS, table)
    assert table.paid == {"Ann": 200, "Bob": 0}
    assert table.phase is (Phase.CONCLUDED if phase is Phase.CONCLUDED else Phase.SETTLED)
    refusal = table.refused(cmd.CorrectResult, roll=taisai.Roll(6, 5, 6))
    assert (refusal.code, refusal.clause) == (RefusalCode.SAME_RESULT, clause(CORRECTS, table))
    assert refusal.facts == {"dice": "5-6-6"}


@pytest.mark.clause(V4, "5.9")
@pytest.mark.clause(V6, "5.9")
@pytest.mark.parametrize("pay_table", LIVE)
@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.DECLARED, Phase.SETTLED, Phase.CONCLUDED])
def test_the_register_is_corrected_to_the_felt(pay_table: str, phase: Phase) -> None:
    """What lay at the closing decides, before and after settlement, by two people and on the record."""
    table = at_phase(with_bets(pay_table), phase, dice="566")
    events = table.do(cmd.CorrectBets, player="Bob", slip={"big": 300})
    corrected = next(event for event in events if isinstance(event, ev.BetsCorrected))
    assert (corrected.before, corrected.after) == ({"small": 300}, {"big": 300})
    assert (corrected.player, corrected.by, corrected.second) == ("Bob", DEALER, SUPERVISOR)
    assert corrected.reason == "seen by both"
    assert corrected.clause == clause(FELT, table)
    if phase in (Phase.CLOSED, Phase.DECLARED):
        assert events == [corrected]
        if phase is Phase.CLOSED:
            table.declare("566")
        table.do(cmd.SettleBets)
    else:
        assert events[0].payouts == {"Ann": 200, "Bob": 0}
    assert table.paid == {"Ann": 200, "Bob": 600}
    refusal = table.refused(cmd.CorrectBets, player="Bob", slip={"big": 300})
    assert (refusal.code, refusal.clause) == (RefusalCode.NOTHING_CHANGES, clause(FELT, table))
    assert refusal.facts == {"player": "Bob"}
    assert table.refused(cmd.CorrectBets, player="Zoe", slip={}).code is RefusalCode.NOTHING_CHANGES
    assert table.refused(cmd.CorrectBets, player="Bob", slip={"big": -1}).code is RefusalCode.STAKE_INVALID


@pytest.mark.clause(V4, "5.9")
@pytest.mark.clause(V6, "5.9")
@pytest.mark.parametrize("pay_table", LIVE)
def test_chips_that_nobody_registered_are_found_on_the_felt(pay_table: str) -> None:
    """A player unknown to the register until then is settled; one whose chips were not there is not."""
    table = with_bets(pay_table)
    table.conclude("566")
    table.do(cmd.CorrectBets, player="Zoe", slip={"big": 50})
    table.do(cmd.CorrectBets, player="Ann", slip={})
    assert table.paid == {"Bob": 0, "Zoe": 100}


@pytest.mark.clause(ETG, "5.7")
def test_an_electronic_bet_is_settled_as_it_was_entered() -> None:
    """The register is the layout: nothing corrects it, also when the player pressed the wrong box."""
    table = with_bets("sic-bo-etg-v8/3")
    table.conclude("566")
    refusal = table.refused(cmd.CorrectBets, player="Bob", slip={"big": 300})
    assert (refusal.code, refusal.clause) == (RefusalCode.NOT_IN_THIS_RULEBOOK, "5.7")
    assert table.paid == {"Ann": 200, "Bob": 0}


@pytest.mark.clause(V4, "5.8")
@pytest.mark.clause(V6, "5.8")
@pytest.mark.clause(ETG, "5.6")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_an_error_found_later_changes_no_later_round(pay_table: str) -> None:
    """Round 1 is corrected after round 2 has begun and after round 2 is over: round 2 stays as it was."""
    first, second = with_bets(pay_table, number=1), Table(pay_table, number=2)
    first.conclude("113")
    second.bet("Ann", {"small": 100})
    before = second.state.copy()
    first.do(cmd.CorrectResult, roll=taisai.Roll(5, 6, 6))
    assert second.state == before
    second.conclude("113")
    before = second.state.copy()
    first.do(cmd.CorrectResult, roll=taisai.Roll(5, 5, 6))
    assert second.state == before
    assert second.paid == {"Ann": 200}


# --- lamps and displays --------------------------------------------------------------------------------


@pytest.mark.clause(V4, "5.10", "5.11")
@pytest.mark.clause(V6, "5.10", "5.11")
@pytest.mark.clause(ETG, "5.8")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_lamps_and_displays_decide_nothing(pay_table: str) -> None:
    """In every phase a fault is put on the record, and the round goes on as if it had not been."""
    lamps = {V4: "5.10", V6: "5.10"}
    plain, faulty = with_bets(pay_table), with_bets(pay_table)
    for phase in (Phase.CLOSED, Phase.DECLARED, Phase.SETTLED, Phase.CONCLUDED):
        for kind, clauses in (("lamps", lamps), ("display", DISPLAY)):
            (fault,) = faulty.do(cmd.RecordDisplayFault, kind=kind, what="Small is lit on 5-6-6")
            assert (fault.kind, fault.what) == (kind, "Small is lit on 5-6-6")
            assert fault.clause == clause(clauses, faulty)
        for table in (plain, faulty):
            match phase:
                case Phase.CLOSED:
                    table.close()
                case Phase.DECLARED:
                    table.declare("566")
                case Phase.SETTLED:
                    table.do(cmd.SettleBets)
                case Phase.CONCLUDED:
                    table.do(cmd.ConcludeRound)
        assert faulty.state == plain.state
    assert faulty.paid == {"Ann": 200, "Bob": 0}
