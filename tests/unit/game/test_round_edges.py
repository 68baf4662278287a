"""The round right at its boundaries: an amount of one, a limit just reached, a side with nothing on it."""

import pytest

from taisai.game import commands as cmd
from taisai.game.limits import Limit, house_limits
from taisai.game.refusals import RefusalCode
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from tests.rules.table import SHIFT, Table, limits, player

ONE_UNIT = limits(minimum=1, maximum=None, unit=1)


@pytest.mark.parametrize("slip", [{"big": 500, "small": 10}, {"small": 10, "big": 500}], ids=repr)
def test_a_slip_of_all_or_nothing_is_refused_for_its_first_reason_by_precedence(slip: dict[str, int]) -> None:
    """A bet below the minimum comes before a box that is full, whichever stands first on the slip."""
    table = Table("tai-sai-open-cover/2", limits(maximum=1000, boxes={"small": Limit(100, 1000)}))
    table.bet("Ann", {"big": 900})
    assert table.bet_refused("Ben", slip, all_or_nothing=True).code is RefusalCode.BELOW_MINIMUM


def test_an_unchanged_amount_and_one_of_a_single_unit_are_bets_like_any_other() -> None:
    """A difference of one is a difference."""
    table = Table("tai-sai-v3/1", ONE_UNIT)
    table.bet("Ann", {"big": 1})
    table.bet("Ann", {"big": 2, "small": 1})
    assert table.state.slips["Ann"].slip() == {"big": 2, "small": 1}
    assert [chips.amount for chips in table.state.slips["Ann"].chips_on("big")] == [1, 1]
    table.bet("Ann", {"big": 2})
    assert table.state.slips["Ann"].slip() == {"big": 2}
    assert list(table.state.slips["Ann"].first) == ["big"]


def test_colour_chips_of_the_smallest_value_lie_one_by_one() -> None:
    """A chip worth one unit is a chip; one on a box without a stake is none (decision 15)."""
    table = Table("tai-sai-v3/1", ONE_UNIT)
    placed = table.bet("Ann", {"big": 1}, chips=cmd.ColourChips("red", 1, {"big": 1}))
    assert placed.chips == cmd.ColourChips("red", 1, {"big": 1})
    nowhere = cmd.ColourChips("red", 1, {"small": 1})
    assert table.bet_refused("Ann", {"big": 2}, chips=nowhere).code is RefusalCode.STAKE_NOT_IN_UNITS


def test_a_terminals_maximum_says_what_is_still_allowed() -> None:
    """What lies counts as the player's own; what is left must make a bet (ETG 5.1)."""
    shown = limits(minimum=50, maximum=1000, box_totals={"big": 1200})
    table = Table("sic-bo-etg-v8/2", shown)
    table.bet("Ann", {"big": 1000})
    full = table.bet_refused("Ben", {"big": 300})
    assert (full.code, full.facts["allowed"]) == (RefusalCode.BOX_FULL, 200)
    table.bet("Ben", {"big": 150})
    # Ben's own 150 make room for him: 1,200 less Ann's 1,000.
    assert table.bet_refused("Ben", {"big": 210}).facts["allowed"] == 200
    table.bet("Ben", {"big": 200})
    # Nothing is left for Cat: less than the minimum makes no bet, so what lies, nothing, is all there is.
    assert table.bet_refused("Cat", {"big": 50}).facts["allowed"] == 0


@pytest.mark.parametrize(("left", "allowed"), [(40, 0), (50, 50), (60, 60)])
def test_what_is_left_is_allowed_from_the_minimum_on(left: int, allowed: int) -> None:
    """Exactly the minimum is a bet."""
    table = Table("sic-bo-etg-v8/2", limits(minimum=50, maximum=None, box_totals={"big": 1000}))
    table.bet("Ann", {"big": 1000 - left})
    assert table.bet_refused("Ben", {"big": 500}).facts["allowed"] == allowed


def test_at_the_players_maximum_it_is_the_box_that_is_full() -> None:
    """Asking exactly the player's maximum is not above it."""
    table = Table("sic-bo-etg-v8/2", limits(minimum=50, maximum=500, box_totals={"big": 700}))
    table.bet("Ann", {"big": 500})
    assert table.bet_refused("Ben", {"big": 500}).code is RefusalCode.BOX_FULL
    assert table.bet_refused("Ben", {"big": 510}).code is RefusalCode.ABOVE_MAXIMUM


def test_a_bet_of_one_is_below_the_minimum_and_may_be_advised() -> None:
    """However small it is, it lies."""
    table = Table("tai-sai-v6/2", limits(minimum=5, maximum=None, unit=1))
    table.bet("Ann", {"big": 1})
    (advised,) = table.do(cmd.AdviseMinimum, player="Ann", box="big")
    assert (advised.stake, advised.minimum) == (1, 5)


def test_a_differential_without_bets_is_no_breach_and_an_excess_of_one_is() -> None:
    """Two empty sides differ by nothing."""
    shown = limits(minimum=1, maximum=None, unit=1, differential={"big-small": 1, "odd-even": 3})
    table = Table("tai-sai-v6/2", shown)
    assert list(table.state.breaches()) == []
    table.bet("Ann", {"odd": 4, "big": 1})
    assert [(breach.on, breach.excess) for breach in table.state.breaches()] == [("odd-even", 1)]


def test_a_differential_that_holds_does_not_hide_the_next() -> None:
    """Each pair is shared by itself (5.1.2)."""
    shown = limits(
        minimum=10, maximum=None, notice="by-dealer", differential={"big-small": 1000, "odd-even": 100}
    )
    table = Table("tai-sai-v6/2", shown)
    table.bet("Ann", {"big": 500, "odd": 500})
    table.settle("4 5 6")
    effective = {result.box: result.effective for result in table.round.results()}
    assert effective == {"big": 500, "odd": 100}


def test_the_lighter_side_counts_in_whole_chips() -> None:
    """What its own maximum leaves of it is shared in units; the heavier side follows it as placed."""
    shown = limits(
        minimum=50,
        maximum=None,
        unit=50,
        notice="by-dealer",
        boxes={"small": Limit(50, 500)},
        differential={"big-small": 100},
    )
    table = Table("tai-sai-v6/2", shown)
    for name in ("Ann", "Ben", "Cat"):
        table.bet(name, {"small": 200})
    table.bet("Dan", {"big": 2000})
    table.settle("4 5 6")
    results = table.round.results()
    light = sum(result.effective for result in results if result.box == "small")
    assert all(result.effective % 50 == 0 for result in results)
    assert light == 500
    assert [result.effective for result in results if result.box == "big"] == [600 + 100]


def test_a_round_that_is_held_says_how_and_then_is_not() -> None:
    """The words of the state and its moments are those of the record: each hold has its own."""
    table = Table()
    for _ in range(2):
        (held,) = table.do(cmd.SuspendRound)
        assert (table.state.held, table.state.held_at) == ("suspended", held.at)
        table.do(cmd.ResumeRound)
        assert table.state.held == ""
    table.close()
    (held, *_) = table.do(cmd.InterruptRound, known=())
    assert table.state.held_at == held.at


def test_dice_that_are_exposed_are_not_covered() -> None:
    """The cover comes off to read them."""
    table = Table()
    table.close()
    table.tumble()
    assert table.state.covered
    table.do(cmd.ExposeDice)
    assert (table.state.covered, table.state.exposed) == (False, True)


def test_refusals_of_the_tumbler_and_of_a_ruling_say_what_was_there() -> None:
    """The facts that their sentences may speak of."""
    table = Table()
    table.bet("Ann", {"big": 100})
    table.close()
    table.tumble(4)
    assert table.refused(cmd.CoverTumbler).facts == {"tumbles": 4}
    ruling = table.refused(cmd.MakeRuling, by=SHIFT, decision="declare", reason="read by both")
    assert ruling.facts == {"dice": None}


def test_what_is_left_of_a_box_may_be_exactly_a_bet() -> None:
    """The rest of a maximum is taken from the minimum on, and not below it."""
    table = Table("tai-sai-v3/1", limits(minimum=50, maximum=1000))
    table.bet("Ann", {"big": 950, "small": 960})
    placed = table.bet("Ben", {"big": 100, "small": 100, "any-triple": 50})
    assert placed.slip == {"big": 50, "any-triple": 50}


def test_colour_chips_where_there_are_none_are_named() -> None:
    """Version 6 plays for cash chips alone."""
    table = Table("tai-sai-v6/2")
    refusal = table.bet_refused("Ann", {"big": 100}, chips=cmd.ColourChips("red", 20, {"big": 100}))
    assert (refusal.code, refusal.facts) == (RefusalCode.COLOUR_CHIPS_NOT_USED, {"colour": "red"})


def test_who_touches_the_bets_of_another_is_named() -> None:
    """Only the player and pit employees do."""
    table = Table("tai-sai-v6/2")
    refusal = table.bet_refused("Ann", {"big": 100}, by=player("Ben"))
    assert refusal.code is RefusalCode.ROLE_NOT_ALLOWED
    assert refusal.facts == {"act": "place bets", "least": "dealer", "name": "Ben", "player": "Ann"}


def test_a_round_without_limits_of_its_own_has_the_houses() -> None:
    """A state is never without limits."""
    rulebook, pay_table = shipped_rules("tai-sai-v6/2")
    assert RoundState(rulebook, pay_table).limits == house_limits(pay_table)
