"""Minimum, maximum and differential: what is taken, advised, rejected, and shared pro rata."""

import pytest

from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.limits import Limit
from taisai.game.refusals import RefusalCode
from taisai.game.state import Breach
from tests.rules.table import (
    DEALER,
    ETG,
    ONE_EACH,
    V4,
    V6,
    WITH_PRO_RATA,
    WITHOUT_IRREGULARITIES,
    Table,
    limits,
)

BY_DEALER = limits(notice="by-dealer")


# --- shown and kept ----------------------------------------------------------------------------------


@pytest.mark.clause(V4, "3.3")
@pytest.mark.clause(V6, "3.3")
@pytest.mark.clause(ETG, "3.3")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_the_limits_on_display_are_pinned_with_the_opening(pay_table: str) -> None:
    """Whoever reads the round later finds the limits that the table showed."""
    shown = limits(20, 400, groups={"double": Limit(10, 200)}, boxes={"double-6": Limit(30, 90)})
    table = Table(pay_table, shown, opened=False)
    (opened,) = table.open()
    assert opened.limits == shown
    boxes = table.state.pay_table.by_id
    assert shown.of(boxes["big"]) == Limit(20, 400)
    assert shown.of(boxes["double-5"]) == Limit(10, 200)
    assert shown.of(boxes["double-6"]) == Limit(30, 90)


@pytest.mark.clause(V4, "3.3")
@pytest.mark.clause(V6, "3.3")
@pytest.mark.clause(ETG, "3.3")
@pytest.mark.parametrize(
    ("pay_table", "clause"),
    [("tai-sai-v4/1", "3.3"), ("tai-sai-v6/2", "3.3"), ("sic-bo-etg-v8/1", "3.3"), ("tai-sai-v3/1", "house")],
)
def test_limits_that_cannot_be_shown_keep_the_table_shut(pay_table: str, clause: str) -> None:
    """A maximum below the minimum is no limit: every fault is named, and the round does not open."""
    table = Table(pay_table, limits(60, 50), opened=False)
    refusal = table.refused(cmd.OpenBetting, **table.opening())
    assert (refusal.code, refusal.clause) == (RefusalCode.LIMITS_INVALID, clause)
    assert refusal.facts["faults"] == ["default: the maximum 50 is below the minimum 60"]


@pytest.mark.clause(V4, "3.4")
@pytest.mark.clause(V6, "3.4")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_the_player_keeps_a_bet_within_the_limits_and_in_whole_chips(pay_table: str) -> None:
    """An amount that no chips make refuses the slip whole; rebet and double may ask for all or nothing."""
    table = Table(pay_table, limits())
    refusal = table.bet_refused("Ann", {"big": 100, "small": 105})
    assert (refusal.code, refusal.clause) == (RefusalCode.STAKE_NOT_IN_UNITS, "3.4")
    assert refusal.facts == {"box": "small", "stake": 105, "unit": 10}
    refusal = table.bet_refused("Ann", {"big": 100, "small": 1010}, all_or_nothing=True)
    assert (refusal.code, refusal.clause) == (RefusalCode.ABOVE_MAXIMUM, "3.4")
    assert refusal.facts == {"box": "small", "asked": 1010, "limit": 1000, "allowed": 1000, "total": 0}
    assert table.bet("Ann", {"big": 100, "small": 1000}, all_or_nothing=True).cuts == []
    refusal = table.bet_refused("Bob", {"big": 1000, "small": 50}, all_or_nothing=True)
    assert (refusal.code, refusal.clause) == (RefusalCode.BOX_FULL, "3.4")
    assert refusal.facts == {"box": "big", "asked": 1000, "limit": 1000, "allowed": 900, "total": 100}


@pytest.mark.clause(V4, "3.5")
@pytest.mark.clause(V6, "3.5")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/2", *WITH_PRO_RATA])
def test_what_one_player_leaves_under_the_maximum_is_open_to_the_next(pay_table: str) -> None:
    """Nobody can hold a box: the room left, and room that is given up, goes to whoever bets next."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 600})
    assert table.bet("Bob", {"big": 400}).cuts == []
    assert table.bet("Cyd", {"big": 100}).slip == {}
    table.bet("Ann", {"big": 500})
    assert table.bet("Cyd", {"big": 100}).slip == {"big": 100}


@pytest.mark.clause(ETG, "3.3")
def test_an_electronic_bet_outside_the_limits_is_refused_rather_than_cut() -> None:
    """Minimum and maximum hold for one player on one box; a cluster may bound the box's total as well."""
    table = Table("sic-bo-etg-v8/2", limits(box_totals={"big": 1500, "double": 600}))
    refusal = table.bet_refused("Ann", {"big": 40})
    assert (refusal.code, refusal.clause) == (RefusalCode.BELOW_MINIMUM, "3.3")
    assert refusal.facts == {"box": "big", "stake": 40, "minimum": 50}
    refusal = table.bet_refused("Ann", {"big": 1010})
    assert (refusal.code, refusal.clause) == (RefusalCode.ABOVE_MAXIMUM, "3.3")
    assert refusal.facts == {"box": "big", "asked": 1010, "limit": 1000, "total": 0, "allowed": 1000}
    table.bet("Ann", {"big": 1000, "double-1": 600})
    refusal = table.bet_refused("Bob", {"big": 510})
    assert (refusal.code, refusal.clause) == (RefusalCode.BOX_FULL, "3.3")
    assert refusal.facts == {"box": "big", "asked": 510, "limit": 1500, "total": 1000, "allowed": 500}
    assert table.bet("Bob", {"big": 500}).cuts == []
    assert table.bet_refused("Bob", {"double-1": 50}).facts["allowed"] == 0
    assert table.bet("Bob", {"double-2": 600}).slip == {"double-2": 600}


@pytest.mark.parametrize("pay_table", ["sic-bo-etg-v8/1", *WITHOUT_IRREGULARITIES])
def test_below_the_minimum_is_refused_where_no_clause_lets_it_stand(pay_table: str) -> None:
    """That holds for a reduction as well; withdrawing the bet is open."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 100})
    refusal = table.bet_refused("Ann", {"big": 40})
    assert (refusal.code, refusal.clause) == (
        RefusalCode.BELOW_MINIMUM,
        table.state.rulebook.cite("limits_kept"),
    )
    assert table.bet("Ann", {}).slip == {}


# --- excess noticed before the closing ----------------------------------------------------------------


@pytest.mark.clause(V4, "5.1")
@pytest.mark.clause(V6, "5.1")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/2", *WITH_PRO_RATA])
def test_excess_noticed_at_placement_is_cut_to_what_is_left(pay_table: str) -> None:
    """The answer says what was asked, what was taken, and under which limit."""
    table = Table(pay_table, limits())
    clause = "5.1" if pay_table in WITH_PRO_RATA else "house"
    table.bet("Ann", {"big": 700})
    placed = table.bet("Bob", {"big": 500, "small": 100})
    assert placed.slip == {"big": 300, "small": 100}
    assert placed.asked == {"big": 500, "small": 100}
    assert placed.cuts == [ev.Cut(box="big", asked=500, accepted=300, limit=1000, clause=clause)]
    assert list(table.state.breaches()) == []


@pytest.mark.clause(V4, "5.1")
@pytest.mark.clause(V6, "5.1")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/2", *WITH_PRO_RATA])
def test_a_cut_that_would_leave_less_than_the_minimum_refuses_the_increase(pay_table: str) -> None:
    """Forty left under the maximum make no bet of fifty: the box stays as it was, the rest is taken."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 960})
    placed = table.bet("Bob", {"big": 60, "small": 60})
    assert placed.slip == {"small": 60}
    assert [(cut.box, cut.accepted) for cut in placed.cuts] == [("big", 0)]
    # A bet that is there already may still grow by the forty.
    grown = table.bet("Ann", {"big": 1100})
    assert grown.slip == {"big": 1000}


@pytest.mark.clause(V4, "5.1")
@pytest.mark.clause(V6, "5.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_a_small_bet_does_not_grow_to_what_is_still_below_the_minimum(pay_table: str) -> None:
    """Thirty lie, fifteen are left: forty-five would be below fifty, so thirty it stays."""
    table = Table(pay_table, limits(unit=5))
    table.bet("Bob", {"big": 30})
    table.bet("Ann", {"big": 955})
    placed = table.bet("Bob", {"big": 60})
    assert [(cut.asked, cut.accepted) for cut in placed.cuts] == [(60, 30)]
    assert placed.slip == {"big": 30}


@pytest.mark.clause(V4, "5.1")
@pytest.mark.clause(V6, "5.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_excess_noticed_by_the_dealer_is_rejected_latest_chip_first(pay_table: str) -> None:
    """Bets are taken, the console shows the breach, and the rejection goes back through the chips."""
    table = Table(pay_table, BY_DEALER)
    table.bet("Ann", {"big": 500})
    table.bet("Bob", {"big": 400})
    table.bet("Ann", {"big": 700})  # 200 more, at the end
    table.bet("Cyd", {"big": 100})
    assert list(table.state.breaches()) == [Breach("big", "big", 1000, 200)]
    (rejected,) = table.do(cmd.RejectExcess, on="big")
    assert (rejected.clause, rejected.limit) == ("5.1", 1000)
    assert rejected.taken == [ev.ChipsTaken("Cyd", "big", 100), ev.ChipsTaken("Ann", "big", 100)]
    assert [table.slip_of(name) for name in ("Ann", "Bob", "Cyd")] == [{"big": 600}, {"big": 400}, {}]
    refusal = table.refused(cmd.RejectExcess, on="big")
    assert (refusal.code, refusal.clause, refusal.facts) == (RefusalCode.NO_EXCESS, "5.1", {"on": "big"})


@pytest.mark.clause(V4, "5.1", "5.2")
@pytest.mark.clause(V6, "5.1", "5.2")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_what_a_rejection_leaves_below_the_minimum_is_shown_as_such(pay_table: str) -> None:
    """The dealer then advises that player like any other."""
    table = Table(pay_table, BY_DEALER)
    table.bet("Ann", {"big": 980})
    table.bet("Bob", {"big": 100})
    table.do(cmd.RejectExcess, on="big")
    assert list(table.state.below_minimum()) == [("Bob", "big", 20, 50)]
    table.do(cmd.AdviseMinimum, player="Bob", box="big")


@pytest.mark.clause(V4, "1.3", "5.1")
@pytest.mark.clause(V6, "1.3", "5.1")
@pytest.mark.parametrize(
    ("pay_table", "pair", "heavy", "light"),
    [
        ("tai-sai-v4/1", "big-small", "big", "small"),
        ("tai-sai-v6/1", "big-small", "small", "big"),
        ("tai-sai-v6/2", "odd-even", "odd", "even"),
        ("tai-sai-v6/2", "odd-even", "even", "odd"),
        ("tai-sai-v6/3", "big-small", "big", "small"),
    ],
)
def test_the_differential_is_the_gap_between_two_sides_and_can_heal(
    pay_table: str, pair: str, heavy: str, light: str
) -> None:
    """At placement a breach is only shown: someone may bet on the other side, or the dealer calls it."""
    table = Table(pay_table, limits(maximum=9000, differential={pair: 300}))
    table.bet("Ann", {heavy: 500})
    assert list(table.state.breaches()) == [Breach(pair, heavy, 300, 200)]
    table.bet("Ann", {heavy: 300})
    assert list(table.state.breaches()) == []
    table.bet("Ann", {heavy: 500, light: 100})
    assert list(table.state.breaches()) == [Breach(pair, heavy, 300, 100)]
    table.bet("Bob", {light: 100})
    assert list(table.state.breaches()) == []
    table.bet("Bob", {light: 100, heavy: 150})
    (rejected,) = table.do(cmd.RejectExcess, on=pair)
    assert rejected.taken == [ev.ChipsTaken("Bob", heavy, 150)]
    assert list(table.state.breaches()) == []


def test_a_reduction_takes_the_players_own_latest_chips() -> None:
    """An increase joins the end, an unchanged amount keeps its place."""
    table = Table(limits=BY_DEALER)
    table.bet("Ann", {"big": 300})
    table.bet("Bob", {"big": 300})
    table.bet("Ann", {"big": 600})
    table.bet("Ann", {"big": 500, "small": 50})
    assert table.state.slips["Ann"].chips_on("big") == [(1, 300), (3, 200)]
    table.bet("Ann", {"big": 200, "small": 50})
    table.bet("Ann", {"big": 900, "small": 50})
    (rejected,) = table.do(cmd.RejectExcess, on="big")
    assert rejected.taken == [ev.ChipsTaken("Ann", "big", 200)]


# --- pro rata ----------------------------------------------------------------------------------------


@pytest.mark.clause(V4, "5.1.1")
@pytest.mark.clause(V6, "5.1.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_excess_that_was_not_rejected_is_shared_pro_rata(pay_table: str) -> None:
    """Three bets of 1,300 under a maximum of 1,000 count as their shares; the rest goes back."""
    table = Table(pay_table, limits(unit=5, notice="by-dealer"))
    for name, stake in (("Ann", 300), ("Bob", 600), ("Cyd", 400)):
        table.bet(name, {"big": stake})
    table.settle("566")
    assert table.effective() == {("Ann", "big"): 230, ("Bob", "big"): 460, ("Cyd", "big"): 310}
    bob = table.result("Bob", "big")
    assert (bob.excess, bob.award.returned, bob.returned) == (140, 920, 1060)
    assert bob.notes[0].message == "pro_rata"
    assert bob.notes[0].clause == "5.1.1"
    assert table.paid == {"Ann": 530, "Bob": 1060, "Cyd": 710}


@pytest.mark.clause(V4, "5.1.1", "5.1.2")
@pytest.mark.clause(V6, "5.1.1", "5.1.2")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_no_share_is_cut_below_the_minimum_and_small_bets_stand(pay_table: str) -> None:
    """1,000, 60 and 40 under 500 with a minimum of 50 count as 410, 50 and 40."""
    table = Table(pay_table, limits(maximum=500, unit=5, notice="by-dealer"))
    for name, stake in (("Ann", 1000), ("Bob", 60), ("Cyd", 40)):
        table.bet(name, {"big": stake})
    table.settle("111")
    assert table.effective() == {("Ann", "big"): 410, ("Bob", "big"): 50, ("Cyd", "big"): 40}
    assert table.result("Cyd", "big").clauses[0] == "5.1.2"
    assert table.paid == {"Ann": 590, "Bob": 10, "Cyd": 0}


@pytest.mark.clause(V4, "5.1.1")
@pytest.mark.clause(V6, "5.1.1")
@pytest.mark.parametrize(
    ("bets", "differential", "side_limits", "expected"),
    [
        # Big 5,000 against small 1,000 under 3,000 counts as 4,000.
        ({"big": 5000, "small": 1000}, 3000, {}, {"big": 4000, "small": 1000}),
        # Within the limit as placed: nothing is cut for it.
        ({"big": 4000, "small": 1000}, 3000, {}, {"big": 4000, "small": 1000}),
        # The cap is on the lighter side as placed, whatever of it counts under its own maximum.
        ({"big": 9000, "small": 2000}, 3000, {"small": 1500}, {"big": 5000, "small": 1500}),
        ({"big": 5010, "small": 2000}, 3000, {"small": 1500}, {"big": 5000, "small": 1500}),
        # The heavier side's own maximum holds where it is the lower.
        ({"big": 9000, "small": 2000}, 3000, {"big": 4000}, {"big": 4000, "small": 2000}),
        ({"big": 5000, "small": 2000}, 3000, {"small": 1500}, {"big": 5000, "small": 1500}),
        # Small may be the heavier side; nobody need bet on the other.
        ({"small": 5000}, 3000, {}, {"small": 3000}),
    ],
)
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_the_differential_is_shared_pro_rata_on_the_heavier_side(
    pay_table: str,
    bets: dict[str, int],
    differential: int,
    side_limits: dict[str, int],
    expected: dict[str, int],
) -> None:
    """The test is on the bets as placed; the heavier side may exceed the lighter by the limit."""
    boxes = {side: Limit(50, maximum) for side, maximum in side_limits.items()}
    shown = limits(maximum=None, notice="by-dealer", boxes=boxes, differential={"big-small": differential})
    table = Table(pay_table, shown)
    for at, (box, stake) in enumerate(bets.items()):
        table.bet(f"player {at}", {box: stake})
    table.settle("113")
    counted = {result.box: result.effective for result in table.round.results()}
    assert counted == expected


@pytest.mark.clause(V4, "5.1.1", "5.1.2")
@pytest.mark.clause(V6, "5.1.1", "5.1.2")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_the_differential_spares_bets_below_the_minimum_and_nets_nobody(pay_table: str) -> None:
    """A player's two sides are not set off against each other, and the exemption holds here too."""
    table = Table(pay_table, limits(maximum=None, differential={"big-small": 300}))
    table.bet("Ann", {"big": 600, "small": 100})
    table.bet("Bob", {"big": 40})
    table.settle("566")
    assert table.effective() == {("Ann", "big"): 360, ("Ann", "small"): 100, ("Bob", "big"): 40}
    note = table.result("Ann", "big").notes[0]
    assert (note.message, note.clause) == ("differential", "5.1.1")
    assert (note.facts["limit"], note.facts["pair"]) == (300, "big-small")
    assert table.result("Bob", "big").notes[0].message == "exempt"


@pytest.mark.parametrize("pay_table", WITHOUT_IRREGULARITIES)
def test_without_the_clause_nothing_is_shared(pay_table: str) -> None:
    """A felt that was corrected above the maximum counts in full where no rule speaks of pro rata."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 1000})
    table.close()
    table.do(cmd.CorrectBets, player="Bob", slip={"big": 500})
    table.settle("566")
    assert table.effective() == {("Ann", "big"): 1000, ("Bob", "big"): 500}


# --- below the minimum -------------------------------------------------------------------------------


@pytest.mark.clause(V4, "5.2")
@pytest.mark.clause(V6, "5.2")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_a_player_below_the_minimum_is_advised_and_may_increase_or_withdraw(pay_table: str) -> None:
    """It is shown to the dealer; after advice that had no effect the bet may be returned."""
    table = Table(pay_table, limits())
    for name in ("Ann", "Bob", "Cyd"):
        table.bet(name, {"big": 20, "small": 100})
    assert [below[0] for below in table.state.below_minimum()] == ["Ann", "Bob", "Cyd"]
    refusal = table.refused(cmd.ReturnBelowMinimum, player="Ann", box="big")
    assert (refusal.code, refusal.clause) == (RefusalCode.PLAYER_NOT_ADVISED, "5.2")
    for name in ("Ann", "Bob", "Cyd"):
        (advised,) = table.do(cmd.AdviseMinimum, player=name, box="big")
        assert (advised.clause, advised.player, advised.stake, advised.minimum) == ("5.2", name, 20, 50)
    table.bet("Ann", {"big": 50, "small": 100})
    table.bet("Bob", {"small": 100})
    (returned,) = table.do(cmd.ReturnBelowMinimum, player="Cyd", box="big")
    assert (returned.clause, returned.taken) == ("5.2", [ev.ChipsTaken("Cyd", "big", 20)])
    assert table.slip_of("Cyd") == {"small": 100}
    assert list(table.state.below_minimum()) == []
    for name in ("Ann", "Bob"):
        refusal = table.refused(cmd.AdviseMinimum, player=name, box="big")
        assert (refusal.code, refusal.clause) == (RefusalCode.NOT_BELOW_MINIMUM, "5.2")
    assert table.refused(cmd.AdviseMinimum, player="Zoe", box="big").facts["stake"] == 0


@pytest.mark.clause(V4, "5.2")
@pytest.mark.clause(V6, "5.2")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
def test_advice_is_spent_once_the_player_acts_on_it(pay_table: str) -> None:
    """Who acted, though not enough, is told again before the bet can be returned."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 20})
    table.do(cmd.AdviseMinimum, player="Ann", box="big")
    table.bet("Ann", {"big": 40})
    refusal = table.refused(cmd.ReturnBelowMinimum, player="Ann", box="big")
    assert refusal.code is RefusalCode.PLAYER_NOT_ADVISED
    assert refusal.facts == {"player": "Ann", "box": "big"}
    refusal = table.refused(cmd.AdviseMinimum, player="Ann", box="big-ish")
    assert refusal.code is RefusalCode.BOX_UNKNOWN
    assert refusal.facts == {"box": "big-ish", "pay_table": pay_table}


@pytest.mark.clause(V4, "5.2.1")
@pytest.mark.clause(V6, "5.2.1")
@pytest.mark.parametrize("pay_table", WITH_PRO_RATA)
@pytest.mark.parametrize("advised", [True, False])
def test_a_bet_below_the_minimum_that_lies_at_the_closing_stands_in_full(
    pay_table: str, advised: bool
) -> None:
    """Overlooked, or told and left: it wins or loses as it lies."""
    table = Table(pay_table, limits())
    table.bet("Ann", {"big": 20}, by=DEALER)
    if advised:
        table.do(cmd.AdviseMinimum, player="Ann", box="big")
    table.settle("566")
    result = table.result("Ann", "big")
    assert (result.effective, result.returned) == (20, 40)
    assert (result.notes[0].message, result.notes[0].clause) == ("below_minimum_stands", "5.2.1")
