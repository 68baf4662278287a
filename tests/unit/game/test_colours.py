"""Which part of a slip is in colour chips: whole chips, kept by a correction, told apart at settlement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.dice import ROLLS, Roll
from taisai.errors import InvariantBroken
from taisai.game import commands as cmd
from taisai.game.colours import Shares, coloured_on, kept, shares
from taisai.game.events import BetsCorrected, BetsPlaced
from taisai.game.refusals import RefusalCode
from taisai.game.settling import settled_bets
from taisai.game.state import PlayerSlip
from tests.rules.table import Table, limits

V3 = "tai-sai-v3/1"
RED = cmd.ColourChips("red", 20, {"big": 60, "single-4": 40})


def closed(slip: dict[str, int], chips: cmd.ColourChips | None) -> Table:
    table = Table(V3, limits(10, unit=10))
    table.bet("Ann", slip, chips=chips)
    table.close()
    return table


@pytest.mark.clause("tai-sai-v3", "3.3")
def test_a_box_is_cut_to_whole_chips() -> None:
    """50 are left under the maximum: two red chips of 20 go on, and none is halved."""
    table = Table(V3, limits(10, 100, unit=10))
    table.bet("Bob", {"big": 50})
    placed = table.bet("Ann", {"big": 60}, chips=cmd.ColourChips("red", 20, {"big": 60}))
    assert isinstance(placed, BetsPlaced)
    assert placed.slip == {"big": 40}
    assert table.state.slips["Ann"].coloured("big") == 40


def test_cash_chips_are_cut_before_colour_chips() -> None:
    """Of 60 in red and 20 in cash, 70 leave all the red and half of the cash."""
    table = Table(V3, limits(10, 70, unit=10))
    table.bet("Ann", {"big": 80}, chips=cmd.ColourChips("red", 20, {"big": 60}))
    slip = table.state.slips["Ann"]
    assert (slip.on("big"), slip.coloured("big")) == (70, 60)


@pytest.mark.clause("tai-sai-v3", "3.3")
def test_a_correction_keeps_the_colours_where_nobody_says_otherwise() -> None:
    """All in colour stays so; else as many chips as there were, first where they were."""
    all_red = PlayerSlip(amounts={"big": 60, "single-4": 40}, chips=RED)
    moved = kept(all_red, {"small": 100})
    assert moved == cmd.ColourChips("red", 20, {"small": 100})
    assert kept(all_red, {"big": 150}) == cmd.ColourChips("red", 20, {"big": 140})
    mixed = PlayerSlip(amounts={"big": 100, "single-4": 40}, chips=RED)
    assert kept(mixed, {"big": 40, "odd": 100}) == cmd.ColourChips("red", 20, {"big": 40, "odd": 60})
    assert kept(mixed, {}) == cmd.ColourChips("red", 20, {})
    assert kept(PlayerSlip(amounts={"big": 60}), {"big": 40}) is None


def test_a_correction_may_say_which_part_is_in_colour() -> None:
    """Another part, another colour or none at all; only what changes nothing is refused."""
    table = closed({"big": 100, "single-4": 40}, RED)
    same = table.refused(cmd.CorrectBets, player="Ann", slip={"big": 100, "single-4": 40}, chips=RED)
    assert same.code is RefusalCode.NOTHING_CHANGES
    halved = cmd.ColourChips("red", 20, {"big": 50})
    refused = table.refused(cmd.CorrectBets, player="Ann", slip={"big": 100}, chips=halved)
    assert (refused.code, refused.clause) == (RefusalCode.STAKE_NOT_IN_UNITS, "3.3")
    none = cmd.ColourChips("red", 20, {})
    for chips in (cmd.ColourChips("blue", 20, {"big": 20}), none, RED):
        slip = {"big": 100, "single-4": 40}
        (event,) = table.do(cmd.CorrectBets, player="Ann", slip=slip, chips=chips)
        assert isinstance(event, BetsCorrected)
        assert table.state.slips["Ann"].chips == chips


def test_a_correction_in_colour_is_refused_where_the_rulebook_has_none() -> None:
    """As a bet in colour is."""
    table = Table("tai-sai-v6/1", limits(10, unit=10))
    table.bet("Ann", {"big": 100})
    table.close()
    refused = table.refused(
        cmd.CorrectBets, player="Ann", slip={"big": 60}, chips=cmd.ColourChips("red", 20, {"big": 60})
    )
    assert refused.code is RefusalCode.COLOUR_CHIPS_NOT_USED


def test_stakes_that_count_again_between_two_parts_of_a_settlement_count_in_money() -> None:
    """Who was paid has the chips in hand, or lost them to the rack: they are not on the felt again."""
    table = Table(V3, limits(10, unit=10))
    table.bet("Ann", {"big": 60}, chips=cmd.ColourChips("red", 20, {"big": 60}))
    table.bet("Bob", {"big": 60}, chips=cmd.ColourChips("blue", 20, {"big": 60}))
    table.close()
    table.declare("443")
    table.do(cmd.SettleBets, players_max=1)
    table.do(cmd.CorrectResult, roll=Roll(1, 2, 3))
    ann, bob = table.state.slips["Ann"], table.state.slips["Bob"]
    assert (ann.coloured("big"), bob.coloured("big")) == (0, 60)


@pytest.mark.clause("tai-sai-v3", "3.3")
def test_chips_that_lost_are_not_those_that_come_back() -> None:
    """Red on big lost and cash on small won: the cash comes back with its winnings, the red does not."""
    table = closed({"big": 60, "small": 50}, cmd.ColourChips("red", 20, {"big": 60}))
    table.declare("124")
    slip, results = table.state.slips["Ann"], settled_bets(table.state)
    assert shares(slip, results, 100) == Shares(coloured=0, plain=50, lost=60, winnings=50)
    with pytest.raises(InvariantBroken, match="a payout of 99"):
        shares(slip, results, 99)


@given(
    st.sampled_from(ROLLS),
    st.dictionaries(
        st.sampled_from(["big", "small", "single-4", "sum-9", "double-4", "any-triple"]),
        st.tuples(st.integers(0, 5), st.integers(0, 9)).filter(any),
        min_size=1,
    ),
)
def test_every_chip_and_every_cent_of_a_settlement_is_accounted_for(
    roll: Roll, stakes: dict[str, tuple[int, int]]
) -> None:
    """Chips come back whole, stakes are back or lost, and the payout is what the round pays."""
    slip = {box: 20 * red + 10 * cash for box, (red, cash) in stakes.items()}
    chips = cmd.ColourChips("red", 20, {box: 20 * red for box, (red, _) in stakes.items() if red})
    table = closed(slip, chips)
    table.declare("".join(map(str, roll.faces)))
    results = settled_bets(table.state)
    paid = sum(result.returned for result in results)
    parts = shares(table.state.slips["Ann"], results, paid)
    won = {result.box for result in results if result.award.won}
    assert parts.coloured == sum(20 * red for box, (red, _) in stakes.items() if box in won)
    assert parts.plain == sum(10 * cash for box, (_, cash) in stakes.items() if box in won)
    assert parts.coloured + parts.plain + parts.lost == sum(slip.values())
    assert coloured_on(chips, slip) == sum(chips.boxes.values())
