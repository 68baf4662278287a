"""Chains of corrections: each undoes the net of what came before; the end is as if done right at once."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.dice import Roll
from taisai.errors import InvariantBroken
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game import irregularities
from taisai.game.acts import Phase
from taisai.game.evolve import evolve
from taisai.game.refusals import RefusalCode
from taisai.game.round import Round
from taisai.game.settlement import payouts
from taisai.game.settling import settlement_events
from tests.rules.table import DEALER, EVENING, LIVE, ONE_EACH, SHIFT, Table, limits

BIG, SMALL = "566", "113"


def concluded(pay_table: str = "tai-sai-v6/2", *, number: int = 1, dice: str = SMALL) -> Table:
    table = Table(pay_table, limits(maximum=None), number=number, dice_set="A")
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"small": 300})
    table.conclude(dice)
    return table


def money(table: Table) -> dict[str, int]:
    """What each player has gained over the whole round, from its events alone."""
    gained: dict[str, int] = {}

    def move(player: str, amount: int) -> None:
        gained[player] = gained.get(player, 0) + amount

    lying: dict[str, dict[str, int]] = {}
    for event in table.round.events:
        match event:
            case ev.BetsPlaced(player=name, slip=slip) | ev.BetsCorrected(player=name, after=slip):
                move(name, sum(lying.get(name, {}).values()) - sum(slip.values()))
                lying[name] = dict(slip)
            case ev.ExcessRejected(taken=taken) | ev.BetsReturned(taken=taken):
                for chips in taken:
                    move(chips.player, chips.amount)
                    lying[chips.player][chips.box] -= chips.amount
            case ev.PayoutsMade(payouts=paid):
                for name, amount in paid.items():
                    move(name, amount)
            case ev.SettlementReversed(payouts=paid):
                for name, amount in paid.items():
                    move(name, -amount)
            case ev.RoundVoided(returned=returned):
                for name, amount in returned.items():
                    move(name, amount)
    return gained


@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_result_can_be_corrected_again_after_a_correction(pay_table: str) -> None:
    """Each reversal undoes what the last settlement paid, and only that."""
    table = concluded(pay_table)
    paid = [table.paid]
    for dice in (BIG, SMALL, "222"):
        events = table.do(cmd.CorrectResult, roll=Roll.parse(dice))
        assert events[0].payouts == paid[-1]
        paid.append(table.paid)
    assert paid == [
        {"Ann": 0, "Bob": 600},
        {"Ann": 200, "Bob": 0},
        {"Ann": 0, "Bob": 600},
        {"Ann": 0, "Bob": 0},
    ]
    assert money(table) == {"Ann": -100, "Bob": -300}
    before = [event.before for event in table.round.events if isinstance(event, ev.ResultCorrected)]
    after = [event.after for event in table.round.events if isinstance(event, ev.ResultCorrected)]
    assert before[1:] == after[:-1]


@pytest.mark.parametrize("pay_table", LIVE)
def test_bets_and_result_are_corrected_in_turn(pay_table: str) -> None:
    """Whatever the order, the end is the round as it should have been."""
    table = concluded(pay_table)
    table.do(cmd.CorrectBets, player="Bob", slip={"big": 300, "any-triple": 50})
    table.do(cmd.CorrectResult, roll=Roll(2, 2, 2))
    table.do(cmd.CorrectBets, player="Bob", slip={"any-triple": 60})
    table.do(cmd.CorrectBets, player="Ann", slip={})
    assert table.paid == {"Bob": 60 * 32}
    assert money(table) == {"Ann": 0, "Bob": 60 * 31}
    direct = Table(pay_table, limits(maximum=None))
    direct.bet("Bob", {"any-triple": 60})
    direct.conclude("222")
    assert direct.paid == table.paid


@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/3", "sic-bo-etg-v8/2"])
def test_damaged_dice_over_several_rounds_undo_what_earlier_corrections_left(pay_table: str) -> None:
    """Rounds settled, corrected, still open and already void: each ends with everyone where they began."""
    rounds = [concluded(pay_table, number=number) for number in (1, 2, 3)]
    rounds[1].do(cmd.CorrectResult, roll=Roll.parse(BIG))
    rounds[2].do(cmd.MakeRuling, by=SHIFT, decision="void")
    open_round = Table(pay_table, number=4, dice_set="A")
    open_round.bet("Ann", {"big": 50})
    untouched = concluded(pay_table, number=5)
    report = {"rounds": [1, 2, 3, 4], "dice_set": "A"}
    reversed_payouts = []
    for table in (rounds[0], rounds[1], open_round):
        events = table.do(cmd.ReportDamagedDice, **report)
        reversed_payouts += [event.payouts for event in events if isinstance(event, ev.SettlementReversed)]
    assert reversed_payouts == [{"Ann": 0, "Bob": 600}, {"Ann": 200, "Bob": 0}]
    before = rounds[2].state.copy()
    rounds[2].refused(cmd.ReportDamagedDice, **report)
    assert rounds[2].state == before
    for table in (*rounds, open_round):
        assert table.phase is Phase.VOID
        assert set(money(table).values()) == {0}
    untouched.refused(cmd.ReportDamagedDice, **report)
    assert money(untouched) == {"Ann": -100, "Bob": 300}


def test_a_correction_in_the_middle_of_payouts_starts_them_anew() -> None:
    """The part that was paid is undone; the dealer settles when the result is right."""
    table = Table(limits=limits(maximum=None))
    for name in ("Ann", "Bob", "Cyd"):
        table.bet(name, {"big": 100})
    table.declare(BIG)
    table.do(cmd.SettleBets, players_max=2)
    assert table.paid == {"Ann": 200, "Bob": 200}
    undone, _corrected = table.do(cmd.CorrectResult, roll=Roll.parse("456"))
    assert undone.payouts == {"Ann": 200, "Bob": 200}
    assert (table.phase, table.paid) == (Phase.DECLARED, {})
    table.do(cmd.SettleBets)
    assert table.paid == dict.fromkeys(("Ann", "Bob", "Cyd"), 200)
    assert money(table) == dict.fromkeys(("Ann", "Bob", "Cyd"), 100)


def test_a_void_in_the_middle_of_payouts_undoes_them() -> None:
    """Those who were paid and those who were not end alike."""
    table = Table(limits=limits(maximum=None))
    for name in ("Ann", "Bob"):
        table.bet(name, {"big": 100})
    table.declare(BIG)
    table.do(cmd.SettleBets, players_max=1)
    table.do(cmd.ReportDamagedDice, rounds=[1])
    assert money(table) == {"Ann": 0, "Bob": 0}


def test_a_corrected_felt_is_shared_pro_rata_anew() -> None:
    """A bet that turns up on a full box changes what everyone's bet counted for."""
    table = Table(limits=limits(50, 1000))
    table.bet("Ann", {"big": 1000})
    table.conclude(BIG)
    table.do(cmd.CorrectBets, player="Bob", slip={"big": 1000})
    assert table.effective() == {("Ann", "big"): 500, ("Bob", "big"): 500}
    assert table.paid == {"Ann": 500 + 1000, "Bob": 500 + 1000}


def test_a_correction_does_not_overrule_faces_that_were_read() -> None:
    """A ruling may: the reading itself may have been wrong."""
    table = Table()
    table.close()
    table.tumble()
    table.do(cmd.InterruptRound, known=[1])
    table.do(cmd.ResumeRound)
    table.declare("113")
    refusal = table.refused(cmd.CorrectResult, roll=Roll.parse(BIG))
    assert (refusal.code, refusal.clause) == (RefusalCode.CONTRADICTS_KNOWN_FACES, "3.8")
    assert refusal.facts == {"known": [1], "dice": "5-6-6"}
    table.do(cmd.MakeRuling, by=SHIFT, decision="declare", roll=Roll.parse(BIG))
    assert table.state.roll == Roll.parse(BIG)
    (interrupted,) = table.do(cmd.InterruptRound)
    assert interrupted.known == [5, 6, 6]


boxes = st.sampled_from(["big", "small", "even", "double-2"])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("roll"), st.sampled_from([SMALL, BIG, "222", "246"])),
        st.tuples(
            st.just("bets"),
            st.tuples(
                st.sampled_from(["Ann", "Bob", "Cyd"]),
                st.dictionaries(boxes, st.integers(1, 99), max_size=3),
            ),
        ),
    ),
    max_size=8,
)


@given(steps)
@settings(deadline=None)
def test_any_chain_of_corrections_ends_as_if_done_right_at_once(chain: list[tuple[str, object]]) -> None:
    """Paid is what the plain settlement says; money in is money out; the record rebuilds the round."""
    table = concluded()
    for what, to in chain:
        if what == "roll":
            command = table.command(cmd.CorrectResult, roll=Roll.parse(to))
        else:
            name, slip = to
            slip = {box: 10 * units for box, units in slip.items()}
            command = table.command(cmd.CorrectBets, player=name, slip=slip)
        decision = table.round.ask(command)
        if isinstance(decision, list):
            table.round.apply(decision)
    paid, staked = table.paid, table.state.stakes_by_player()
    assert paid == payouts(table.round.results())
    gained = money(table)
    for name in {*gained, *paid, *staked}:
        assert gained.get(name, 0) == paid.get(name, 0) - staked.get(name, 0)
    settlements = [event for event in table.round.events if isinstance(event, ev.BetsSettled)]
    assert settlements[-1].paid == sum(paid.values())
    stored = msgspec.json.encode(table.round.events)
    assert Round.rebuild(msgspec.json.decode(stored, type=list[ev.AnyEvent])).state == table.state


# --- what cannot have happened -----------------------------------------------------------------------


def test_chips_that_do_not_lie_cannot_be_taken() -> None:
    """An event that takes more than there is stops everything."""
    table = Table()
    table.bet("Ann", {"big": 100})
    taken = ev.BetsReturned(by=DEALER, at=EVENING, clause="5.2", taken=[ev.ChipsTaken("Ann", "big", 101)])
    with pytest.raises(InvariantBroken, match="101 taken from Ann on big, which held less"):
        evolve(table.state, taken)


def test_a_decision_that_should_never_have_been_asked_for_stops() -> None:
    """The checks before it are the rule; these are the nets below."""
    table = Table()
    alone = table.command(cmd.ReportDamagedDice, rounds=[1], second=None)
    with pytest.raises(InvariantBroken, match=r"^an act of two people was decided with one$"):
        irregularities.report_damaged_dice(table.state, alone)
    correction = table.command(cmd.CorrectResult, roll=Roll(1, 1, 1))
    with pytest.raises(InvariantBroken, match=r"^only a declared result can be corrected$"):
        irregularities.correct_result(table.state, correction)
    with pytest.raises(InvariantBroken, match=r"^a round is settled only after its roll is declared$"):
        settlement_events(table.state, DEALER, EVENING)


def test_an_event_of_no_known_kind_stops_everything() -> None:
    """Rather than being passed over."""
    with pytest.raises(InvariantBroken, match="unknown type str"):
        evolve(Table().state, "RollDeclared")


def test_events_of_other_rules_do_not_rebuild_a_round() -> None:
    """The digests of the first event are those of the rules at hand, or the replay stops."""
    table = concluded()
    opened = table.round.events[0]
    for field in ("rulebook_digest", "pay_table_digest"):
        other = msgspec.structs.replace(opened, **{field: "another"})
        with pytest.raises(InvariantBroken, match="T1/1 was played under other rules than these"):
            Round.rebuild([other, *table.round.events[1:]])
