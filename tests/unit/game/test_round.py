"""The round as an object, and its commands and events as messages."""

from datetime import UTC, datetime
from typing import Any, get_args

import msgspec
import pytest

import taisai
from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Act, Phase
from taisai.game.limits import Limit, Limits, house_limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode, Refused
from taisai.game.round import Round, shipped_rules
from taisai.game.settlement import settle_round
from taisai.game.state import Chips
from taisai.rulebooks.model import Ground
from tests.rules.table import ALL_TEN, DEALER, EVENING, SHIFT, SUPERVISOR, Table, limits, player

# --- the object ------------------------------------------------------------------------------------------


def test_a_round_from_opening_to_conclusion_in_a_few_lines() -> None:
    """As the documentation shows it."""
    game = taisai.Round.of("tai-sai-v6/2")
    (opened,) = game.open(by=DEALER, at=EVENING, table="T7", number=12)
    assert (opened.table, opened.number, opened.dice_set) == ("T7", 12, None)
    assert (opened.by, opened.at) == (DEALER, EVENING)
    assert opened.limits == house_limits(taisai.pay_table("tai-sai-v6/2"))
    game.do(cmd.PlaceBets(by=player("Ann"), at=EVENING, player="Ann", slip={"big": 100}, version=1))
    for command in (
        cmd.CloseBetting(by=DEALER, at=EVENING),
        cmd.CoverTumbler(by=DEALER, at=EVENING),
        cmd.ActivateTumbler(by=DEALER, at=EVENING, tumbles=3),
        cmd.ExposeDice(by=DEALER, at=EVENING),
        cmd.DeclareRoll(by=DEALER, at=EVENING, roll=Roll(4, 5, 6)),
        cmd.SettleBets(by=DEALER, at=EVENING),
        cmd.ConcludeRound(by=DEALER, at=EVENING),
    ):
        game.do(command)
    (result,) = game.results()
    assert result.returned == 200
    assert [type(event).__name__ for event in game.events] == [
        "BettingOpened",
        "BetsPlaced",
        "BettingClosed",
        "TumblerCovered",
        "TumblerActivated",
        "DiceExposed",
        "RollDeclared",
        "PayoutsMade",
        "BetsSettled",
        "RoundConcluded",
    ]
    assert (game.state.table, game.state.number) == ("T7", 12)


@pytest.mark.parametrize("pay_table", ALL_TEN)
@pytest.mark.parametrize("before", ["nothing", "cover", "tumble"])
def test_the_rest_of_an_ordinary_round_is_one_call(pay_table: str, before: str) -> None:
    """Whatever of it has been done: from "No more bets" on, under the cover where there is one."""
    game = Round.of(pay_table)
    covered = game.state.rulebook.procedure.cover == "covered"
    game.open(by=DEALER, at=EVENING, table="T1", number=1)
    (placed,) = game.place("Ann", {"big": 100}, at=AT)
    assert (placed.by, placed.player, placed.version, placed.at) == (player("Ann"), "Ann", 1, AT)
    game.place("Ann", {"big": 50}, at=EVENING, version=2)
    if covered and before != "nothing":
        game.do(cmd.CoverTumbler(by=SUPERVISOR, at=EVENING))
        if before == "tumble":
            game.do(cmd.ActivateTumbler(by=SUPERVISOR, at=EVENING, tumbles=4))
    done = len(game.events)
    events = game.deal(Roll(4, 5, 6), by=DEALER, at=AT)
    assert game.state.phase is Phase.CONCLUDED
    assert game.state.paid == {"Ann": 100}
    assert game.state.tumbles == (4 if covered and before == "tumble" else 3)
    assert events == game.events[done:]
    assert {(event.by, event.at) for event in events} == {(DEALER, AT)}
    assert [type(event) for event in events].count(ev.DiceExposed) == covered


def test_limits_and_the_set_of_dice_are_pinned() -> None:
    """They come with the opening and stand in the state."""
    game = Round.of("tai-sai-v6/1")
    shown = Limits(unit=5, default=Limit(10, 500))
    game.open(by=DEALER, at=EVENING, table="T1", number=1, limits=shown, dice_set="A7")
    assert (game.state.limits, game.state.dice_set) == (shown, "A7")


def test_asking_changes_nothing_and_doing_does() -> None:
    """`ask` decides; `do` decides and applies, or raises."""
    table = Table()
    before = table.state.copy()
    command = table.command(cmd.CloseBetting)
    decision = table.round.ask(command)
    assert table.state == before
    assert table.round.do(command) == decision
    assert table.phase is Phase.CLOSED
    with pytest.raises(Refused):
        table.round.do(command)


def test_a_round_without_a_result_has_none() -> None:
    """Before a roll is declared."""
    with pytest.raises(InputError, match=r"^this round has no result$"):
        Table().round.results()


@pytest.mark.parametrize("events", [[], ["BettingClosed"]])
def test_a_record_begins_with_the_opening(events: list[str]) -> None:
    """Anything else cannot be rebuilt."""
    table = Table()
    happened = table.close() if events else []
    with pytest.raises(InputError, match=r"^a round's first event is BettingOpened$"):
        Round.rebuild(happened)


def test_a_round_is_rebuilt_under_rules_that_a_house_brings() -> None:
    """The name in the first event says which; the digests must agree."""
    table = Table("tai-sai-v6/3")
    table.bet("Ann", {"four-6542": 100})
    table.settle("645")
    asked: list[str] = []

    def find(name: str) -> Any:
        asked.append(name)
        return shipped_rules(name)

    rebuilt = Round.rebuild(iter(table.round.events), find)
    assert asked == ["tai-sai-v6/3"]
    assert rebuilt.state == table.state
    assert rebuilt.events == table.round.events


@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_the_legal_acts_are_those_that_can_be_done(pay_table: str) -> None:
    """Before the opening there is only the opening; while bets are open there is much."""
    table = Table(pay_table, opened=False)
    assert table.round.legal_acts() == [Act.OPEN_BETTING]
    table.open()
    assert Act.CLOSE_BETTING in table.round.legal_acts()
    assert Act.DECLARE not in table.round.legal_acts()


def test_chips_that_come_later_leave_the_event_of_the_first_as_it_was() -> None:
    """A slip begins as what its event says, and is one of its own as soon as it is another."""
    table = Table(limits=limits())
    first = table.bet("Ann", {"big": 20, "small": 100})
    table.bet("Ann", {"big": 50, "odd": 30})
    assert first.slip == {"big": 20, "small": 100}
    slip = table.state.slips["Ann"]
    assert (slip.amounts, slip.first) == ({"big": 50, "odd": 30}, {"big": 1, "odd": 4})
    assert slip.chips_on("big") == [Chips(1, 20), Chips(3, 30)]
    assert slip.chips_on("small") == []


def test_a_copy_of_a_state_can_be_changed_by_itself() -> None:
    """Chips, amounts, totals, advice and payouts are its own."""
    table = Table(limits=limits())
    table.bet("Ann", {"big": 20, "small": 100})
    table.do(cmd.AdviseMinimum, player="Ann", box="big")
    table.declare("113")
    table.do(cmd.SettleBets, players_max=1)
    assert table.state.copy() == table.state
    other = table.state.copy()
    other.slips["Ann"].laid, other.slips["Ann"].moments = -1, {"big": 7}
    other.slips["Ann"].later["big"] = [Chips(8, 1)]
    other.slips["Ann"].amounts["big"] = 1
    other.slips["Bob"] = other.slips["Ann"]
    other.totals["big"] = 1
    other.advised.clear()
    other.paid.clear()
    state = table.state
    assert state.slips["Ann"].chips_on("big") == [Chips(1, 20)]
    assert (list(state.slips), state.totals) == (["Ann"], {"big": 20, "small": 100})
    assert (state.advised, state.paid) == ({("Ann", "big")}, {"Ann": 200})


def test_bets_are_listed_in_the_order_of_their_first_surviving_chip() -> None:
    """Taking everything back and betting again loses the place; reducing does not."""
    table = Table()
    table.bet("Ann", {"big": 100})
    table.bet("Bob", {"big": 100})
    table.bet("Ann", {"big": 10})
    assert [(bet.player, bet.stake, bet.order) for bet in table.state.bets()] == [
        ("Ann", 10, 1),
        ("Bob", 100, 2),
    ]
    table.bet("Ann", {})
    table.bet("Ann", {"big": 50})
    assert [(bet.player, bet.order) for bet in table.state.bets()] == [("Bob", 2), ("Ann", 3)]
    assert table.state.stakes_by_player() == {"Ann": 50, "Bob": 100}
    assert list(table.state.stakes_by_player()) == ["Ann", "Bob"]
    assert table.state.staked() == 150


def test_the_first_left_over_unit_goes_to_the_earlier_bet() -> None:
    """And earlier means the first chip that still lies."""
    table = Table(limits=limits(10, 100, notice="by-dealer"))
    table.bet("Ann", {"big": 10})
    table.bet("Bob", {"big": 70})
    table.bet("Ann", {"big": 70})
    table.declare("113")
    assert table.effective() == {("Ann", "big"): 50, ("Bob", "big"): 50}
    table = Table(limits=limits(10, 90, notice="by-dealer"))
    table.bet("Ann", {"big": 10})
    table.bet("Bob", {"big": 70})
    table.bet("Ann", {"big": 70})
    table.declare("113")
    assert table.effective() == {("Ann", "big"): 50, ("Bob", "big"): 40}


def test_what_a_result_says_of_itself() -> None:
    """Excess, what goes back in all, and each clause once."""
    table = Table(limits=limits(50, 100, notice="by-dealer"))
    table.bet("Ann", {"big": 200})
    table.declare("566")
    (result,) = settle_round(table.state, Roll(5, 6, 6))
    assert (result.stake, result.effective, result.excess, result.returned) == (200, 100, 100, 300)
    assert result.clauses == ("5.1.1", "4.1.2")
    assert result.notes[0].facts == {
        "box": "big", "stake": 200, "effective": 100, "limit": 100, "pair": "",
    }  # fmt: skip
    assert result.notes[1].facts == {
        "box": "big", "stake": 100, "dice": "5-6-6", "total": 17, "pays_to_one": "1", "returned": 200,
    }  # fmt: skip


# --- positions ---------------------------------------------------------------------------------------------


def test_positions_stand_in_a_line_and_some_beside_it() -> None:
    """Whoever is above may act below; players, cashiers and administrators are not in the line."""
    line = [Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER]
    for at, role in enumerate(line):
        assert [Actor("Kim", role).is_at_least(least) for least in line] == [
            at >= below for below in range(5)
        ]
        assert Actor("Kim", role).is_pit_employee
    for role in (Role.PLAYER, Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR, Role.SYSTEM):
        assert not any(Actor("Kim", role).is_at_least(least) for least in Role)
        assert not Actor("Kim", role).is_pit_employee
        assert not Actor("Kim", Role.CASINO_MANAGER).is_at_least(role)


# --- messages ----------------------------------------------------------------------------------------------

AT = datetime(2024, 2, 10, 20, 1, 2, 345678, tzinfo=UTC)
TWO: dict[str, Any] = {"second": SUPERVISOR, "reason": "seen"}
OPENING: dict[str, Any] = {
    "table": "T1", "number": 1, "rulebook": "r", "rulebook_digest": "d", "pay_table": "r/1",
    "pay_table_digest": "e", "limits": limits(), "dice_set": "A",
}  # fmt: skip
SLIP: dict[str, Any] = {"player": "Ann", "slip": {"big": 100}, "version": 3}
CHIPS = cmd.ColourChips("red", 20, {"big": 60})

COMMANDS: list[cmd.AnyCommand] = [
    cmd.OpenBetting(by=DEALER, at=AT, **OPENING),
    cmd.PlaceBets(by=player("Ann"), at=AT, **SLIP, all_or_nothing=True, chips=CHIPS),
    cmd.CloseBetting(by=DEALER, at=AT),
    cmd.CoverTumbler(by=DEALER, at=AT),
    cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3, uncovered=True, flat=False),
    cmd.ExposeDice(by=DEALER, at=AT, flat=False),
    cmd.DeclareRoll(by=DEALER, at=AT, roll=Roll(3, 1, 2)),
    cmd.SettleBets(by=DEALER, at=AT, players_max=100),
    cmd.ConcludeRound(by=DEALER, at=AT),
    cmd.RejectExcess(by=DEALER, at=AT, on="big-small"),
    cmd.AdviseMinimum(by=DEALER, at=AT, player="Ann", box="big"),
    cmd.ReturnBelowMinimum(by=DEALER, at=AT, player="Ann", box="big"),
    cmd.RecordWalkAway(by=DEALER, at=AT, player="Ann"),
    cmd.RecordCutOff(by=DEALER, at=AT, player="Ann"),
    cmd.VoidRound(by=DEALER, at=AT, ground=Ground.NOT_FLAT),
    cmd.ReportDamagedDice(by=DEALER, at=AT, rounds=[1, 2], dice_set="A", **TWO),
    cmd.SuspendRound(by=DEALER, at=AT),
    cmd.InterruptRound(by=DEALER, at=AT, known=[4], readable=False),
    cmd.ResumeRound(by=DEALER, at=AT),
    cmd.CorrectResult(by=DEALER, at=AT, roll=Roll(1, 1, 1), **TWO),
    cmd.CorrectBets(by=DEALER, at=AT, player="Ann", slip={"big": 5}, **TWO),
    cmd.RecordDisplayFault(by=DEALER, at=AT, what="dark", kind="lamps"),
    cmd.MakeRuling(
        by=SHIFT, at=AT, decision="declare", bets=[cmd.BetRef("Ann", "big")], roll=Roll(1, 2, 3), **TWO
    ),
]


def test_every_command_is_here() -> None:
    """None is left out of what follows."""
    assert [type(command) for command in COMMANDS] == list(get_args(cmd.AnyCommand))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_command_is_read_as_it_was_sent(command: cmd.AnyCommand) -> None:
    """With its type and version; and a fact that it has no place for is refused, not dropped."""
    sent = msgspec.json.encode(command)
    assert msgspec.json.decode(sent, type=cmd.AnyCommand) == command
    plain = msgspec.json.decode(sent)
    assert (plain["type"], plain["v"]) == (type(command).__name__, 1)
    for wrong in ({"colour": "red"}, {"v": 2}, {"by": "Dana"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**plain, **wrong}, cmd.AnyCommand)


def test_every_event_is_read_as_it_was_written() -> None:
    """All kinds of event, from rounds in which they happened."""
    happened: list[ev.AnyEvent] = []
    for table in eventful_rounds():
        stored = msgspec.json.encode(table.round.events)
        read = msgspec.json.decode(stored, type=list[ev.AnyEvent])
        assert read == table.round.events
        assert Round.rebuild(read).state == table.state
        happened += read
    assert {type(event) for event in happened} == set(get_args(ev.AnyEvent))
    assert all(event.v == 1 and event.clause for event in happened)


def eventful_rounds() -> list[Table]:
    first = Table("tai-sai-v6/2", limits(notice="by-dealer"))
    first.bet("Ann", {"big": 1200, "small": 20})
    first.bet("Bob", {"odd": 20})
    first.do(cmd.RejectExcess, on="big")
    first.do(cmd.AdviseMinimum, player="Bob", box="odd")
    first.do(cmd.ReturnBelowMinimum, player="Bob", box="odd")
    first.do(cmd.SuspendRound)
    first.do(cmd.RecordWalkAway, player="Ann")
    first.do(cmd.ResumeRound)
    first.close()
    first.tumble()
    first.do(cmd.InterruptRound, known=[1])
    first.do(cmd.ResumeRound)
    first.conclude("113")
    first.do(cmd.RecordDisplayFault, what="dark")
    first.do(cmd.CorrectResult, roll=Roll(1, 5, 6))
    first.do(cmd.CorrectBets, player="Bob", slip={"odd": 50})
    first.do(cmd.MakeRuling, by=SHIFT, decision="record")
    first.do(cmd.ReportDamagedDice, rounds=[1])
    second = Table("tai-sai-v3/1", limits(10, None))
    second.bet("Ann", {"big": 100}, chips=CHIPS)
    second.tumble(2)
    third = Table("sic-bo-etg-v8/2")
    third.bet("Ann", {"big": 100})
    third.do(cmd.RecordCutOff, player="Ann")
    third.settle("456")
    fourth = Table()
    fourth.bet("Ann", {"big": 100})
    fourth.close()
    fourth.tumble()
    fourth.do(cmd.InterruptRound, known=[4], readable=False)
    fourth.do(cmd.MakeRuling, by=SHIFT, decision="settle-known")
    fourth.do(cmd.SettleBets)
    return [first, second, third, fourth]


def test_the_same_version_with_other_chips_is_another_slip() -> None:
    """What counts as the same is the amounts and what they lie in."""
    table = Table("tai-sai-v3/1", limits(10, None))
    table.bet("Ann", {"big": 100}, chips=CHIPS, version=1)
    same = table.command(
        cmd.PlaceBets, player("Ann"), player="Ann", slip={"big": 100}, version=1, chips=CHIPS
    )
    assert table.round.ask(same) == []
    for other in (None, cmd.ColourChips("red", 10, {"big": 60})):
        refusal = table.bet_refused("Ann", {"big": 100}, chips=other, version=1)
        assert (refusal.code, refusal.facts) == (RefusalCode.SLIP_DIFFERS, {"version": 1, "registered": 1})


def test_the_first_slip_has_a_version_above_zero() -> None:
    """Version 0 is what a player has who never sent one: nothing."""
    table = Table()
    nothing = table.command(cmd.PlaceBets, player("Ann"), player="Ann", slip={}, version=0)
    assert table.round.ask(nothing) == []
    assert table.bet_refused("Ann", {"big": 10}, version=0).code is RefusalCode.SLIP_DIFFERS
    assert table.bet_refused("Ann", {"big": 10}, version=-1).code is RefusalCode.SLIP_STALE
    assert table.bet("Ann", {"big": 10}, version=1).version == 1


@pytest.mark.parametrize("amount", [0, -10, True, 10.0, "10"])
def test_a_stake_is_a_whole_number_above_zero(amount: Any) -> None:
    """Also when the command was made by hand and no decoder looked at it."""
    table = Table()
    refusal = table.bet_refused("Ann", {"big": amount})
    assert (refusal.code, refusal.facts) == (RefusalCode.STAKE_INVALID, {"box": "big", "stake": amount})
    assert refusal.clause == "3.4"


def test_a_refusal_is_not_an_event() -> None:
    """`decide` answers with one or the other."""
    table = Table()
    assert isinstance(table.round.ask(table.command(cmd.SettleBets)), Refusal)
    assert isinstance(table.round.ask(table.command(cmd.CloseBetting)), list)
