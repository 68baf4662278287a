"""The ordinary course of a round, from the first call to the conclusion."""

import msgspec
import pytest

import taisai
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import RefusalCode
from tests.rules.table import (
    ALL_TEN,
    CONSOLE,
    COVERED,
    DEALER,
    ETG,
    MANAGER,
    ONE_EACH,
    OPEN,
    SHIFT,
    SUPERVISOR,
    V3,
    V4,
    V6,
    Table,
    limits,
    player,
    voided,
)

# --- the layout and the dice -------------------------------------------------------------------------


@pytest.mark.clause(V3, "2.1.1")
@pytest.mark.clause(OPEN, "2.1.1")
@pytest.mark.clause(V4, "2.1.1")
@pytest.mark.clause(V6, "2.1.1")
@pytest.mark.clause(ETG, "2.1.1")
@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_bets_lie_only_on_boxes_of_the_layout(pay_table: str) -> None:
    """Every box of the layout takes a bet; a box of no layout, or of another one, is refused."""
    table = Table(pay_table)
    unit = table.state.pay_table.unit
    table.bet("Ann", {box.id: unit for box in table.state.pay_table.boxes})
    every_box = {box.id for other in ALL_TEN for box in taisai.pay_table(other).boxes}
    for box in ["pair-112", "sum-3", *(every_box - set(table.state.pay_table.by_id))]:
        refusal = table.bet_refused("Ann", {"big": unit, box: unit})
        assert (refusal.code, refusal.clause) == (RefusalCode.BOX_UNKNOWN, "2.1.1")
        assert refusal.facts == {"box": box, "pay_table": pay_table}


@pytest.mark.clause(V3, "2.1.1")
@pytest.mark.clause(OPEN, "2.1.1")
@pytest.mark.clause(V4, "2.1.1")
@pytest.mark.clause(V6, "2.1.1")
@pytest.mark.clause(ETG, "2.1.1")
@pytest.mark.parametrize("pay_table", ALL_TEN)
@pytest.mark.parametrize("pinned", ["rulebook", "rulebook_digest", "pay_table", "pay_table_digest"])
def test_a_round_opens_only_under_the_rules_that_the_table_shows(pay_table: str, pinned: str) -> None:
    """The opening names rulebook and pay table; others than the table's own are refused."""
    table = Table(pay_table, opened=False)
    refusal = table.refused(cmd.OpenBetting, **{**table.opening(), pinned: "another"})
    assert (refusal.code, refusal.clause) == (RefusalCode.DIGEST_DIFFERS, "2.1.1")
    assert refusal.facts["asked"] == "another"
    assert refusal.facts["here"] == table.opening()[pinned]
    assert refusal.facts["what"] == pinned.removesuffix("_digest").replace("_", " ")


@pytest.mark.clause(V4, "2.2.1")
@pytest.mark.clause(V6, "2.2.1")
@pytest.mark.clause(ETG, "2.2.1")
@pytest.mark.parametrize("faces", [[1, 2], [1, 2, 3, 4], [0, 1, 2], [1, 2, 7], [1, 2, "3"]])
def test_a_result_is_three_dice_with_six_faces(faces: list[object]) -> None:
    """A result with another number of dice, or a face that no die has, cannot even be asked for."""
    asked = {
        "type": "DeclareRoll",
        "by": {"name": "Dana", "role": "dealer"},
        "at": "2024-02-10T20:00:00Z",
        "roll": faces,
    }
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(asked, cmd.AnyCommand)


# --- opening and closing ------------------------------------------------------------------------------


@pytest.mark.clause(V3, "3.1")
@pytest.mark.clause(OPEN, "3.1")
@pytest.mark.clause(V4, "3.2")
@pytest.mark.clause(V6, "3.2")
@pytest.mark.clause(ETG, "3.2")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_bets_are_taken_from_the_call_on(pay_table: str) -> None:
    """Before 'Place your bets, please' a bet is refused; after it, it is taken."""
    table = Table(pay_table, opened=False)
    opens = "3.1" if "v3" in pay_table or "open" in pay_table else "3.2"
    refusal = table.bet_refused("Ann", {"big": 100})
    assert (refusal.code, refusal.clause) == (RefusalCode.ROUND_NOT_OPEN, opens)
    (opened,) = table.open()
    assert opened.clause == opens
    assert table.bet("Ann", {"big": 100}).slip == {"big": 100}


@pytest.mark.clause(V3, "3.2", "5.2")
@pytest.mark.clause(OPEN, "3.2", "5.2")
@pytest.mark.clause(V4, "3.6", "5.7")
@pytest.mark.clause(V6, "3.6", "5.7")
@pytest.mark.clause(ETG, "3.5")
@pytest.mark.parametrize(
    ("pay_table", "closes", "late"),
    [
        ("tai-sai-v3/1", "3.2", "5.2"),
        ("tai-sai-open-cover/2", "3.2", "5.2"),
        ("tai-sai-v4/1", "3.6", "5.7"),
        ("tai-sai-v6/2", "3.6", "5.7"),
        ("sic-bo-etg-v8/2", "3.5", "3.5"),
    ],
)
def test_after_the_closing_nothing_is_placed_increased_or_withdrawn(
    pay_table: str, closes: str, late: str
) -> None:
    """'No more bets' stands from the closing on, through declaration, settlement and conclusion."""
    table = Table(pay_table)
    table.bet("Ann", {"big": 100, "small": 100})
    (closed,) = table.close()
    assert (closed.clause, closed.players, closed.staked) == (closes, 1, 200)
    changes = {
        "placed": {"big": 100, "small": 100, "any-triple": 100},
        "increased": {"big": 200, "small": 100},
        "reduced": {"big": 50, "small": 100},
        "withdrawn": {"small": 100},
        "all withdrawn": {},
    }
    codes = {
        Phase.CLOSED: RefusalCode.BETTING_CLOSED,
        Phase.DECLARED: RefusalCode.ROLL_DECLARED,
        Phase.SETTLED: RefusalCode.ROUND_SETTLED,
        Phase.CONCLUDED: RefusalCode.ROUND_CONCLUDED,
    }
    for step in (None, "declare", "settle", "conclude"):
        match step:
            case "declare":
                table.declare("113")
            case "settle":
                table.do(cmd.SettleBets)
            case "conclude":
                table.do(cmd.ConcludeRound)
        for slip in changes.values():
            refusal = table.bet_refused("Ann", slip)
            assert (refusal.code, refusal.clause) == (codes[table.phase], late)
            if table.state.rulebook.electronic:
                continue
            refusal = table.bet_refused("Ann", slip, by=DEALER)
            assert (refusal.code, refusal.clause) == (codes[table.phase], late)
    assert table.slip_of("Ann") == {"big": 100, "small": 100}


@pytest.mark.clause(V4, "1.7")
@pytest.mark.clause(V6, "1.7")
@pytest.mark.clause(ETG, "1.8")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_a_round_runs_from_the_call_to_the_settlement_of_all_players(pay_table: str) -> None:
    """It cannot be opened twice, concluded before everyone is settled, or settled in part and concluded."""
    table = Table(pay_table)
    assert table.refused(cmd.OpenBetting, **table.opening()).code is RefusalCode.BETTING_OPEN
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"small": 100})
    table.declare("113")
    assert table.refused(cmd.ConcludeRound).code is RefusalCode.ROLL_DECLARED
    (part,) = table.do(cmd.SettleBets, players_max=1)
    assert part.payouts == {"Ann": 0}
    assert table.refused(cmd.ConcludeRound).code is RefusalCode.ROLL_DECLARED
    rest, settled = table.do(cmd.SettleBets)
    assert rest.payouts == {"Bob": 200}
    assert (settled.players, settled.bets, settled.staked, settled.paid) == (2, 2, 200, 200)
    (concluded,) = table.do(cmd.ConcludeRound)
    assert isinstance(concluded, ev.RoundConcluded)
    assert table.phase is Phase.CONCLUDED


# --- placing -----------------------------------------------------------------------------------------


@pytest.mark.clause(V3, "3.3")
@pytest.mark.clause(OPEN, "3.3")
@pytest.mark.parametrize("pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_bets_are_cash_chips_colour_chips_or_both(pay_table: str) -> None:
    """A slip says how much of each box lies in the player's colour, in whole chips of their value."""
    table = Table(pay_table, limits(10, None))
    red = cmd.ColourChips("red", 20, {"big": 60, "small": 40})
    placed = table.bet("Ann", {"big": 100, "small": 40, "any-triple": 10}, chips=red)
    assert (placed.clause, placed.chips) == ("3.3", red)
    slip = table.state.slips["Ann"]
    assert [slip.coloured(box) for box in ("big", "small", "any-triple")] == [60, 40, 0]
    table.bet("Bob", {"big": 50})
    assert table.state.slips["Bob"].coloured("big") == 0
    for boxes in ({"big": 50}, {"big": 120}, {"sum-9": 20}, {"big": 0}):
        chips = cmd.ColourChips("red", 20, boxes)
        refusal = table.bet_refused("Ann", {"big": 100}, chips=chips)
        assert (refusal.code, refusal.clause) == (RefusalCode.STAKE_NOT_IN_UNITS, "3.3")
    for value in (0, -20, 15):
        chips = cmd.ColourChips("red", value, {"big": 60})
        assert table.bet_refused("Ann", {"big": 60}, chips=chips).code is RefusalCode.STAKE_NOT_IN_UNITS


@pytest.mark.clause(ETG, "1.7", "3.4")
def test_electronic_bets_are_placed_by_the_player_on_a_terminal() -> None:
    """Nobody else can place them: neither staff nor the console, nor another player."""
    table = Table("sic-bo-etg-v8/1")
    assert table.bet("Ann", {"big": 100}).clause == "3.4"
    for staff in (DEALER, SUPERVISOR, SHIFT, CONSOLE):
        refusal = table.bet_refused("Ann", {"big": 200}, by=staff)
        assert (refusal.code, refusal.clause) == (RefusalCode.NOT_IN_THIS_RULEBOOK, "1.7")
    refusal = table.bet_refused("Ann", {"big": 200}, by=player("Bob"))
    assert (refusal.code, refusal.clause) == (RefusalCode.ROLE_NOT_ALLOWED, "3.4")


@pytest.mark.clause(V4, "5.13")
@pytest.mark.clause(V6, "5.13")
@pytest.mark.parametrize(
    "pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/2", "tai-sai-v4/1", "tai-sai-v6/2"]
)
def test_pit_employees_place_bets_on_behalf_of_a_player(pay_table: str) -> None:
    """The record has who placed them and for whom; others who are not the player are refused."""
    table = Table(pay_table)
    clause = "5.13" if "v4" in pay_table or "v6" in pay_table else "house"
    for employee in (DEALER, SUPERVISOR, MANAGER, SHIFT):
        placed = table.bet("Ann", {"big": 100 + 10 * len(employee.name)}, by=employee, on_request=True)
        assert (placed.by, placed.player, placed.how) == (employee, "Ann", "on-request")
        assert (placed.on_behalf, placed.clause) == (True, clause)
    own = table.bet("Ann", {"big": 500})
    assert (own.by, own.how, own.on_behalf) == (player("Ann"), "terminal", False)
    refusal = table.bet_refused("Ann", {"big": 100}, by=player("Bob"))
    assert (refusal.code, refusal.clause) == (RefusalCode.ROLE_NOT_ALLOWED, clause)
    for role in (Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR, Role.SYSTEM):
        for on_request in (False, True):
            refusal = table.bet_refused("Ann", {"big": 100}, by=Actor("Kim", role), on_request=on_request)
            assert refusal.code is RefusalCode.ROLE_NOT_ALLOWED


@pytest.mark.clause(V3, "3.3")
@pytest.mark.clause(OPEN, "3.3")
@pytest.mark.clause(V4, "3.4", "5.9")
@pytest.mark.clause(V6, "3.4", "5.9")
@pytest.mark.parametrize(
    "pay_table", ["tai-sai-v3/1", "tai-sai-open-cover/2", "tai-sai-v4/1", "tai-sai-v6/2"]
)
def test_what_the_player_laid_on_the_felt_is_registered_as_such(pay_table: str) -> None:
    """The ordinary way at a live table: the player's own bet, in the register by a dealer's hand."""
    table = Table(pay_table)
    laid = table.bet("Ann", {"big": 200}, by=DEALER)
    assert (laid.by, laid.player, laid.how, laid.on_behalf) == (DEALER, "Ann", "felt", False)
    assert laid.clause == table.state.rulebook.cite("place") != "house"


@pytest.mark.clause(V4, "5.13", "5.9")
@pytest.mark.clause(V6, "5.13", "5.9")
@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/2"])
def test_a_bet_placed_wrongly_on_behalf_is_settled_where_it_lies(pay_table: str) -> None:
    """That the bets lie as instructed is for the player to check: what lay at the closing counts."""
    table = Table(pay_table)
    table.bet("Ann", {"small": 100}, by=DEALER, on_request=True)  # she had said Big
    table.conclude("566")
    assert table.paid == {"Ann": 0}


# --- the dealer ----------------------------------------------------------------------------------------


@pytest.mark.clause(V4, "1.5")
@pytest.mark.clause(V6, "1.5")
@pytest.mark.clause(ETG, "1.5")
@pytest.mark.parametrize("pay_table", ONE_EACH)
def test_anyone_acting_as_dealer_may_deal(pay_table: str) -> None:
    """A pit supervisor, a pit manager or someone above acts in a dealer's position; others cannot."""
    for who in (DEALER, SUPERVISOR, MANAGER, SHIFT, Actor("Val", Role.CASINO_MANAGER)):
        table = Table(pay_table)
        (closed,) = table.do(cmd.CloseBetting, by=who)
        assert closed.by == who
    table = Table(pay_table)
    clause = "1.5" if table.state.rulebook.cites.get("acting_position") else "house"
    for role in (Role.PLAYER, Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR):
        refusal = table.refused(cmd.CloseBetting, by=Actor("Kim", role))
        assert (refusal.code, refusal.clause) == (RefusalCode.ROLE_NOT_ALLOWED, clause)
        assert refusal.facts == {"act": "close betting", "least": "dealer", "role": str(role)}


@pytest.mark.clause(ETG, "1.3")
def test_the_console_can_run_an_electronic_round_by_itself() -> None:
    """The ordinary acts from opening to conclusion are the console's; irregularities are people's."""
    table = Table("sic-bo-etg-v8/1", opened=False)
    for kind, facts in [
        (cmd.OpenBetting, table.opening()),
        (cmd.CoverTumbler, {}),
        (cmd.CloseBetting, {}),
        (cmd.ActivateTumbler, {"tumbles": 3}),
        (cmd.ExposeDice, {}),
        (cmd.DeclareRoll, {"roll": taisai.Roll(1, 1, 3)}),
        (cmd.SettleBets, {}),
        (cmd.ConcludeRound, {}),
    ]:
        (happened,) = table.do(kind, by=CONSOLE, **facts)
        assert happened.by == CONSOLE
    for kind, facts in [
        (cmd.CorrectResult, {"roll": taisai.Roll(1, 1, 4)}),
        (cmd.ReportDamagedDice, {"rounds": [1]}),
        (cmd.MakeRuling, {"decision": "void"}),
    ]:
        assert table.refused(kind, by=CONSOLE, **facts).code is RefusalCode.ROLE_NOT_ALLOWED


# --- cover, tumble, result ---------------------------------------------------------------------------


@pytest.mark.clause(V3, "3.4")
@pytest.mark.clause(V4, "3.7")
@pytest.mark.clause(V6, "3.7")
@pytest.mark.clause(ETG, "3.6")
@pytest.mark.parametrize("pay_table", COVERED)
@pytest.mark.parametrize("close_first", [True, False])
def test_the_dealer_covers_and_then_tumbles(pay_table: str, close_first: bool) -> None:
    """The cover comes first; a covered tumble is valid before and after the closing, once a round."""
    table = Table(pay_table)
    clause = {"v3": "3.4", "v4": "3.7", "v6": "3.7", "v8": "3.6"}[pay_table[-4:-2]]
    if close_first:
        table.close()
    refusal = table.refused(cmd.ActivateTumbler, tumbles=3)
    assert (refusal.code, refusal.clause) == (RefusalCode.NOT_COVERED, clause)
    (covered,) = table.do(cmd.CoverTumbler)
    assert covered.clause == clause
    assert table.refused(cmd.CoverTumbler).code is RefusalCode.ALREADY_COVERED
    assert table.refused(cmd.ActivateTumbler, tumbles=3, uncovered=True).code is RefusalCode.ALREADY_COVERED
    (tumbled,) = table.do(cmd.ActivateTumbler, tumbles=3)
    assert (tumbled.clause, tumbled.tumbles, tumbled.exposed) == (clause, 3, False)
    refusal = table.refused(cmd.ActivateTumbler, tumbles=3)
    assert (refusal.code, refusal.facts) == (RefusalCode.ALREADY_TUMBLED, {"tumbles": 3})
    assert table.refused(cmd.CoverTumbler).code is RefusalCode.ALREADY_TUMBLED
    assert table.phase is (Phase.CLOSED if close_first else Phase.BETTING)


@pytest.mark.clause(OPEN, "3.4")
@pytest.mark.parametrize("pay_table", ["tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_the_open_tumbler_has_no_cover(pay_table: str) -> None:
    """After the closing it is set off in the open: nothing can be covered and nothing exposed."""
    table = Table(pay_table)
    table.close()
    assert table.refused(cmd.CoverTumbler).code is RefusalCode.NOT_IN_THIS_RULEBOOK
    (tumbled,) = table.do(cmd.ActivateTumbler, tumbles=3)
    assert (tumbled.clause, tumbled.exposed) == ("3.4", True)
    assert table.refused(cmd.ExposeDice).code is RefusalCode.NOT_IN_THIS_RULEBOOK
    table.do(cmd.DeclareRoll, roll=taisai.Roll(1, 1, 3))


@pytest.mark.clause(V3, "3.4")
@pytest.mark.clause(OPEN, "3.4")
@pytest.mark.clause(V4, "3.7")
@pytest.mark.clause(V6, "3.7")
@pytest.mark.clause(ETG, "3.6")
@pytest.mark.parametrize("pay_table", ONE_EACH)
@pytest.mark.parametrize("tumbles", [3, 4, 12])
def test_three_tumbles_or_more_are_valid(pay_table: str, tumbles: int) -> None:
    """Three is the least, in every rulebook; more do no harm."""
    table = Table(pay_table)
    table.close()
    table.tumble(tumbles)
    assert table.phase is Phase.CLOSED
    assert table.state.tumbles == tumbles


def test_a_count_of_tumbles_below_zero_is_no_count() -> None:
    """The console cannot have counted that."""
    table = Table()
    table.do(cmd.CoverTumbler)
    refusal = table.refused(cmd.ActivateTumbler, tumbles=-1)
    assert (refusal.code, refusal.facts) == (RefusalCode.DICE_INVALID, {"tumbles": -1})
    voided(table.do(cmd.ActivateTumbler, tumbles=0))


@pytest.mark.clause(V3, "3.5")
@pytest.mark.clause(V4, "3.8")
@pytest.mark.clause(V6, "3.8")
@pytest.mark.clause(ETG, "3.7")
@pytest.mark.parametrize("pay_table", COVERED)
def test_the_uncovered_dice_are_the_result(pay_table: str) -> None:
    """A result is declared after the closing, from dice that have tumbled and can be seen; once."""
    table = Table(pay_table)
    clause = {"v3": "3.5", "v4": "3.8", "v6": "3.8", "v8": "3.7"}[pay_table[-4:-2]]
    roll = taisai.Roll(6, 2, 5)
    refusal = table.refused(cmd.DeclareRoll, roll=roll)
    assert (refusal.code, refusal.clause) == (RefusalCode.BETTING_OPEN, clause)
    table.close()
    assert table.refused(cmd.DeclareRoll, roll=roll).code is RefusalCode.NOT_TUMBLED
    assert table.refused(cmd.ExposeDice).code is RefusalCode.NOT_COVERED
    table.do(cmd.CoverTumbler)
    assert table.refused(cmd.ExposeDice).code is RefusalCode.NOT_TUMBLED
    table.tumble()
    refusal = table.refused(cmd.DeclareRoll, roll=roll)
    assert (refusal.code, refusal.clause) == (RefusalCode.NOT_EXPOSED, clause)
    (exposed,) = table.do(cmd.ExposeDice)
    assert (exposed.clause, exposed.flat) == (clause, True)
    assert table.refused(cmd.ExposeDice).code is RefusalCode.ALREADY_EXPOSED
    (declared,) = table.do(cmd.DeclareRoll, roll=roll)
    assert (declared.clause, declared.roll) == (clause, roll)
    assert table.refused(cmd.DeclareRoll, roll=roll).code is RefusalCode.ROLL_DECLARED


@pytest.mark.clause(OPEN, "3.5")
@pytest.mark.parametrize("pay_table", ["tai-sai-open-cover/1", "tai-sai-open-cover/2"])
def test_the_dice_in_the_open_tumbler_are_the_result(pay_table: str) -> None:
    """There they lie for all to see, once they have tumbled after the closing."""
    table = Table(pay_table)
    table.bet("Ann", {"sum-13": 10})
    table.close()
    assert table.refused(cmd.DeclareRoll, roll=taisai.Roll(6, 2, 5)).code is RefusalCode.NOT_TUMBLED
    table.tumble()
    (declared,) = table.do(cmd.DeclareRoll, roll=taisai.Roll(6, 2, 5))
    assert declared.clause == "3.5"
    table.do(cmd.SettleBets)
    assert table.paid == {"Ann": 90}


@pytest.mark.parametrize("pay_table", COVERED)
def test_a_tumble_without_the_cover_after_the_closing_needs_no_exposing(pay_table: str) -> None:
    """It was seen by all, and the bets were closed: the dice are the result."""
    table = Table(pay_table)
    table.close()
    (tumbled,) = table.do(cmd.ActivateTumbler, tumbles=3, uncovered=True)
    assert tumbled.exposed
    assert table.refused(cmd.ExposeDice).code is RefusalCode.ALREADY_EXPOSED
    table.do(cmd.DeclareRoll, roll=taisai.Roll(1, 1, 3))


@pytest.mark.clause(V4, "1.8")
@pytest.mark.clause(V6, "1.8")
@pytest.mark.clause(ETG, "1.9")
@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/2", "sic-bo-etg-v8/2"])
def test_the_total_sum_is_the_points_on_the_three_dice(pay_table: str) -> None:
    """For every roll exactly the box of its total wins among the totals; 3 and 18 have no box."""
    table = taisai.pay_table(pay_table)
    for first in range(1, 7):
        for second in range(1, 7):
            for third in range(1, 7):
                won = table.winning_boxes(taisai.Roll(first, second, third))
                sums = [box for box in won if box.startswith("sum-")]
                total = first + second + third
                assert sums == ([f"sum-{total}"] if 4 <= total <= 17 else [])
