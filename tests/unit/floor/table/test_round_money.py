"""A table's money over whole evenings: whatever is asked, every cent is accounted for."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from taisai.dice import ROLLS, Roll
from taisai.floor.audit.rounds import SettlementCheck
from taisai.floor.desks.kind import Acted, new_event
from taisai.floor.table.messages import (
    Accepted,
    AtRack,
    BuyIn,
    CashOut,
    CollectOwed,
    InRound,
    LeaveTable,
    OpenTable,
    PayUnclaimed,
    StartRound,
    TableSettings,
)
from taisai.floor.table.round_money import RoundBooks
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.chips import ChangeBack, IssueColour
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import Book
from taisai.ledger.accounts import CASH_CHIPS, credit, receivable, unclaimed
from taisai.record.journal import Commit, Event

DEALER, SUPERVISOR = Actor("Mei", Role.DEALER), Actor("Sun", Role.PIT_SUPERVISOR)
MANAGER = Actor("Low", Role.SHIFT_MANAGER)
PLAYERS = ("ann", "bob", "cat")
AT = datetime(2024, 5, 4, 20, tzinfo=UTC)


def limits(**more: object) -> Limits:
    return Limits(unit=5, default=Limit(50, 1000), notice="by-dealer", **more)


class Evening:
    """A table and a book of everything, so that the whole can be weighed."""

    def __init__(self, pay_table: str = "tai-sai-v6/2", **settings: object) -> None:
        self.table = TableState("T1")
        self.whole = Book()
        self.auditor = SettlementCheck()
        self.acts = 0
        self.ask(OpenTable(by=SUPERVISOR, at=AT, settings=TableSettings(pay_table=pay_table, **settings)))

    def ask(self, command: object) -> object:
        self.acts += 1
        outcome = self.table.act(command, f"T1.{self.acts}")
        if isinstance(outcome, Refusal):
            return outcome
        self.whole.apply(outcome.transfers)
        self.auditor.feed(self._commit(outcome))
        return outcome.answer

    def _commit(self, acted: Acted) -> Commit:
        """What the auditor would read of it."""
        events = [new_event(event, 0) for event in acted.events]
        stored = [Event("table:T1", self.acts, 0, event.type, event.body, b"") for event in events]
        return Commit("w", self.acts, 0, {}, "", b"", b"", (), tuple(stored), tuple(acted.transfers), ())

    def play(self, *commands: cmd.AnyCommand, number: int | None = None) -> list[object]:
        return [self.ask(InRound(by=c.by, at=AT, command=c, round=number)) for c in commands]

    def bet(self, player: str, slip: dict[str, int], version: int = 1) -> object:
        placing = cmd.PlaceBets(
            by=Actor(player, Role.PLAYER), at=AT, player=player, slip=slip, version=version
        )
        return self.play(placing)[0]

    def finish(self, roll: Roll) -> None:
        for answer in self.play(
            cmd.CloseBetting(by=DEALER, at=AT, excess="leave"),
            cmd.CoverTumbler(by=DEALER, at=AT),
            cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
            cmd.ExposeDice(by=DEALER, at=AT),
            cmd.DeclareRoll(by=DEALER, at=AT, roll=roll),
            cmd.SettleBets(by=DEALER, at=AT),
            cmd.ConcludeRound(by=DEALER, at=AT),
        ):
            assert isinstance(answer, Accepted), answer

    def balance(self, account: str) -> int:
        return self.whole.balance(account)


def evening_with_players(**settings: object) -> Evening:
    evening = Evening(limits=limits(), **settings)
    for player in PLAYERS:
        evening.ask(BuyIn(by=DEALER, at=AT, player=player, amount=2000))
    evening.ask(StartRound(by=DEALER, at=AT))
    return evening


@pytest.mark.clause("tai-sai-v6", "5.1.1")
def test_a_pro_rata_round_moves_exactly_what_counted() -> None:
    """300, 600 and 400 on a box of 1,000 count as 230, 460 and 310; the rest goes back."""
    evening = evening_with_players()
    for player, stake in zip(PLAYERS, (300, 600, 400), strict=True):
        evening.bet(player, {"big": stake})
    evening.finish(Roll(4, 4, 3))
    assert [evening.balance(credit(player)) for player in PLAYERS] == [2230, 2460, 2310]
    assert evening.balance("house:T1") == -1000


def test_a_bet_beyond_the_credits_is_refused_and_changes_nothing() -> None:
    """Credits are checked when the slip is decided, and the refusal says what was free."""
    evening = evening_with_players()
    answer = evening.bet("ann", {"big": 1000, "small": 1005})
    assert isinstance(answer, Refusal)
    assert answer.code is RefusalCode.FUNDS_INSUFFICIENT
    assert answer.facts == {"needed": 2005, "available": 2000}
    assert evening.balance(credit("ann")) == 2000


def test_a_correction_takes_from_free_credit_and_leaves_the_rest_owing() -> None:
    """Who has cashed out owes what the wrong result had paid; two people collect or waive it."""
    evening = evening_with_players()
    evening.bet("ann", {"big": 1000})
    evening.finish(Roll(4, 4, 3))
    evening.ask(CashOut(by=DEALER, at=AT, player="ann"))
    correction = cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="misread", roll=Roll(1, 2, 3))
    evening.play(correction, number=1)
    assert evening.balance(receivable("ann")) == 2000
    assert evening.balance("house:T1") == 1000
    by_two: dict[str, Any] = {
        "by": DEALER,
        "second": MANAGER,
        "at": AT,
        "player": "ann",
        "reason": "at the table",
    }
    evening.ask(CollectOwed(**by_two, amount=500))
    evening.ask(CollectOwed(**by_two, amount=1500, waive=True))
    assert evening.balance(receivable("ann")) == 0


def test_what_is_owed_to_someone_who_left_waits_unclaimed_and_is_reclaimed_first() -> None:
    """A correction pays one who left to unclaimed; the next correction takes it back from there."""
    evening = evening_with_players()
    evening.bet("bob", {"big": 500})
    evening.finish(Roll(1, 2, 3))
    evening.ask(CashOut(by=DEALER, at=AT, player="bob"))
    evening.ask(LeaveTable(by=DEALER, at=AT, player="bob"))
    for roll, waiting in ((Roll(4, 4, 3), 1000), (Roll(1, 2, 4), 0)):
        correct = cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="misread", roll=roll)
        evening.play(correct, number=1)
        assert evening.balance(unclaimed("bob")) == waiting
    assert evening.balance(receivable("bob")) == 0


@pytest.mark.clause("tai-sai-v6", "5.6", "5.12")
def test_damaged_dice_over_settled_rounds_return_every_bet() -> None:
    """Each affected round, settled or not, ends with every player where they began."""
    evening = evening_with_players()
    for number, roll in ((1, Roll(4, 4, 3)), (2, Roll(1, 2, 3))):
        evening.bet("ann", {"big": 300})
        evening.bet("bob", {"small": 200, "sum-6": 50})
        evening.finish(roll)
        assert evening.table.number == number
        evening.ask(StartRound(by=DEALER, at=AT))
    report = cmd.ReportDamagedDice(
        by=DEALER, at=AT, second=SUPERVISOR, reason="a chipped edge", rounds=[1, 2]
    )
    (answer,) = evening.play(report)
    assert isinstance(answer, Accepted)
    assert (answer.rounds, answer.skipped) == ([1, 2], [])
    assert [evening.balance(credit(player)) for player in PLAYERS] == [2000, 2000, 2000]
    assert evening.balance("house:T1") == 0
    again = evening.play(report)[0]
    assert isinstance(again, Refusal)
    assert again.code is RefusalCode.ROUND_VOID


@pytest.mark.clause("tai-sai-v3", "3.3")
def test_colour_chips_come_and_go_at_their_own_table() -> None:
    """A bet in colour comes from the colour's account and a void puts it back there."""
    evening = Evening("tai-sai-v3/1", limits=Limits(unit=5, default=Limit(5)), money="chips")
    sale = IssueColour(by=DEALER, at=AT, colour="red", player="ann", chips=40, value=10)
    evening.ask(AtRack(by=DEALER, at=AT, command=sale))
    evening.ask(StartRound(by=DEALER, at=AT))
    placing = cmd.PlaceBets(
        by=Actor("ann", Role.PLAYER),
        at=AT,
        player="ann",
        slip={"big": 150},
        version=1,
        chips=cmd.ColourChips("red", 10, {"big": 100}),
    )
    evening.play(placing)
    assert evening.balance("chips:T1:red") == 300
    evening.play(cmd.CoverTumbler(by=DEALER, at=AT), cmd.ExposeDice(by=DEALER, at=AT))
    assert evening.balance("chips:T1:red") == 400
    back = ChangeBack(by=DEALER, at=AT, colour="red", player="ann", chips=40)
    evening.ask(AtRack(by=DEALER, at=AT, command=back))
    assert evening.balance("chips:T1:red") == 0


@pytest.mark.clause("tai-sai-v6", "5.3")
def test_a_walk_aways_chips_wait_in_their_name() -> None:
    """Someone who left with cash chips lying is settled like anyone, and what they won waits unclaimed."""
    evening = Evening(limits=limits(), money="chips")
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.bet("ann", {"big": 100})
    evening.play(cmd.RecordWalkAway(by=DEALER, at=AT, player="ann"))
    evening.finish(Roll(4, 4, 3))
    assert evening.balance(unclaimed("ann")) == 200
    refused = evening.ask(CashOut(by=DEALER, at=AT, player="ann"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.facts) == (RefusalCode.UNCLAIMED_WAITS, {"amount": 200})
    evening.ask(PayUnclaimed(by=DEALER, second=SUPERVISOR, at=AT, player="ann", amount=200, reason="back"))
    assert evening.balance(unclaimed("ann")) == 0


def test_a_correction_between_two_parts_of_a_settlement_touches_only_who_was_paid() -> None:
    """Whoever was not paid yet has the stake lying, once; then everyone is paid by the right result."""
    evening = evening_with_players()
    for player in PLAYERS:
        evening.bet(player, {"big": 300})
    evening.play(
        cmd.CloseBetting(by=DEALER, at=AT),
        cmd.CoverTumbler(by=DEALER, at=AT),
        cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
        cmd.ExposeDice(by=DEALER, at=AT),
        cmd.DeclareRoll(by=DEALER, at=AT, roll=Roll(1, 2, 3)),
        cmd.SettleBets(by=DEALER, at=AT, players_max=1),
        cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="film", roll=Roll(4, 4, 3)),
    )
    assert evening.balance("stakes:T1:1") == 900
    assert [evening.balance(credit(player)) for player in PLAYERS] == [1700, 1700, 1700]
    evening.play(cmd.SettleBets(by=DEALER, at=AT), cmd.ConcludeRound(by=DEALER, at=AT))
    assert [evening.balance(credit(player)) for player in PLAYERS] == [2300, 2300, 2300]
    assert evening.balance("house:T1") == -900


@pytest.mark.clause("tai-sai-v6", "5.4.1", "5.14")
def test_a_round_settled_on_known_faces_moves_what_they_decide_and_nothing_else() -> None:
    """Two fours: the double pays, and Small, Big and the total go back; a later film still corrects it."""
    evening = evening_with_players()
    slips = ({"double-4": 100}, {"small": 200, "big": 300}, {"sum-9": 50})
    for player, slip in zip(PLAYERS, slips, strict=True):
        evening.bet(player, slip)
    ruling = cmd.MakeRuling(
        by=MANAGER, at=AT, second=SUPERVISOR, reason="the lamp broke", decision="settle-known"
    )
    evening.play(
        cmd.CloseBetting(by=DEALER, at=AT),
        cmd.CoverTumbler(by=DEALER, at=AT),
        cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
        cmd.InterruptRound(by=DEALER, at=AT, known=[4, 4], readable=False),
        ruling,
        cmd.SettleBets(by=DEALER, at=AT),
        cmd.ConcludeRound(by=DEALER, at=AT),
    )
    assert evening.table.current is not None
    assert evening.table.current.phase is Phase.CONCLUDED
    # Small is not decided by two fours: 4-4-1 and 4-4-2 are below eleven.
    assert [evening.balance(credit(player)) for player in PLAYERS] == [3100, 2000, 2000]
    assert evening.balance("house:T1") == -1100
    film = cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="film", roll=Roll(4, 4, 1))
    assert isinstance(evening.play(film, number=1)[0], Accepted)
    assert [evening.balance(credit(player)) for player in PLAYERS] == [3100, 1900, 2350]
    assert evening.balance("house:T1") == -1100 + 100 - 350
    evening.whole.assert_whole()


@pytest.mark.parametrize("parts", [1, 2])
def test_a_void_between_two_parts_of_a_settlement_returns_every_stake_once(parts: int) -> None:
    """Who was paid gives back the difference, who was not gets the stake."""
    evening = evening_with_players()
    for player, slip in zip(PLAYERS, ({"big": 300}, {"small": 200}, {"odd": 100}), strict=True):
        evening.bet(player, slip)
    evening.play(
        cmd.CloseBetting(by=DEALER, at=AT),
        cmd.CoverTumbler(by=DEALER, at=AT),
        cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
        cmd.ExposeDice(by=DEALER, at=AT),
        cmd.DeclareRoll(by=DEALER, at=AT, roll=Roll(1, 2, 3)),
        cmd.SettleBets(by=DEALER, at=AT, players_max=parts),
        cmd.MakeRuling(by=MANAGER, at=AT, second=SUPERVISOR, reason="so ruled", decision="void"),
    )
    assert evening.table.current is not None
    assert evening.table.current.phase is Phase.VOID
    assert [evening.balance(credit(player)) for player in PLAYERS] == [2000, 2000, 2000]
    assert evening.balance("house:T1") == 0


def test_bets_that_lay_count_even_where_there_is_not_the_money_for_them() -> None:
    """The correction of a register takes what is free and leaves the rest owing, before settlement too."""
    evening = evening_with_players()
    evening.bet("ann", {"big": 300})
    evening.play(cmd.CloseBetting(by=DEALER, at=AT))
    slip = {"big": 1000, "small": 1000, "odd": 500}
    correction = cmd.CorrectBets(
        by=DEALER, at=AT, second=SUPERVISOR, reason="the felt", player="ann", slip=slip
    )
    assert isinstance(evening.play(correction)[0], Accepted)
    assert (evening.balance(credit("ann")), evening.balance(receivable("ann"))) == (0, 500)
    assert evening.balance("stakes:T1:1") == 2500


@pytest.mark.clause("tai-sai-v6", "5.9")
def test_a_bet_found_in_a_settled_round_without_any_is_made_good_in_its_own_money() -> None:
    """The table may use other money by then: no chips are taken for a round that was played with credits."""
    evening = Evening(limits=limits())
    evening.ask(StartRound(by=DEALER, at=AT))
    evening.finish(Roll(1, 2, 3))
    other = TableSettings(pay_table="tai-sai-v6/2", limits=limits(), money="chips")
    evening.ask(OpenTable(by=SUPERVISOR, at=AT, settings=other, second=MANAGER, reason="chips from now on"))
    correction = cmd.CorrectBets(
        by=DEALER, at=AT, second=SUPERVISOR, reason="the felt", player="ann", slip={"big": 100}
    )
    assert isinstance(evening.play(correction, number=1)[0], Accepted)
    assert (evening.balance(receivable("ann")), evening.balance(CASH_CHIPS)) == (100, 0)
    assert evening.balance("house:T1") == 100


class AnyEvening(RuleBasedStateMachine):
    """Random evenings: bets, corrections, voids, leavers. The books always agree with the game."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = evening_with_players()
        self.version = 1

    @rule(
        player=st.sampled_from(PLAYERS),
        boxes=st.dictionaries(
            st.sampled_from(["big", "small", "sum-9", "double-4", "any-triple", "pair-113"]),
            st.integers(1, 60).map(lambda n: 5 * n),
            max_size=4,
        ),
    )
    def bet(self, player: str, boxes: dict[str, int]) -> None:
        self.version += 1
        self.evening.bet(player, boxes, self.version)

    @rule(
        step=st.sampled_from(
            [
                cmd.CloseBetting(by=DEALER, at=AT, excess="reject"),
                cmd.CloseBetting(by=DEALER, at=AT, excess="leave"),
                cmd.CoverTumbler(by=DEALER, at=AT),
                cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
                cmd.ExposeDice(by=DEALER, at=AT),
                cmd.SettleBets(by=DEALER, at=AT, players_max=1),
                cmd.SettleBets(by=DEALER, at=AT),
                cmd.ConcludeRound(by=DEALER, at=AT),
                cmd.RejectExcess(by=DEALER, at=AT, on="big"),
                cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=2),
                cmd.InterruptRound(by=DEALER, at=AT, known=[4]),
                cmd.InterruptRound(by=DEALER, at=AT, known=[4, 4], readable=False),
                cmd.ResumeRound(by=DEALER, at=AT),
            ]
        )
    )
    def deal(self, step: cmd.AnyCommand) -> None:
        self.evening.play(step)

    @rule(roll=st.sampled_from(ROLLS))
    def declare(self, roll: Roll) -> None:
        self.evening.play(cmd.DeclareRoll(by=DEALER, at=AT, roll=roll))

    @precondition(lambda self: self.evening.table.number > 0)
    @rule(back=st.integers(0, 3), roll=st.sampled_from(ROLLS))
    def correct(self, back: int, roll: Roll) -> None:
        number = max(1, self.evening.table.number - back)
        command = cmd.CorrectResult(by=DEALER, at=AT, second=SUPERVISOR, reason="misread", roll=roll)
        self.evening.play(command, number=number)

    @rule(
        back=st.integers(0, 3), player=st.sampled_from(PLAYERS), stake=st.integers(1, 40).map(lambda n: 5 * n)
    )
    def correct_bets(self, back: int, player: str, stake: int) -> None:
        number = max(1, self.evening.table.number - back)
        command = cmd.CorrectBets(
            by=DEALER, at=AT, second=SUPERVISOR, reason="the felt", player=player, slip={"small": stake}
        )
        self.evening.play(command, number=number)

    @rule(back=st.integers(0, 3), decision=st.sampled_from(["void", "record", "settle-known"]))
    def rule_on_it(self, back: int, decision: str) -> None:
        number = max(1, self.evening.table.number - back)
        command = cmd.MakeRuling(by=MANAGER, at=AT, second=SUPERVISOR, reason="so ruled", decision=decision)
        self.evening.play(command, number=number)

    @rule()
    def next_round(self) -> None:
        self.evening.ask(StartRound(by=DEALER, at=AT))

    @rule(player=st.sampled_from(PLAYERS))
    def come_and_go(self, player: str) -> None:
        self.evening.ask(CashOut(by=DEALER, at=AT, player=player))
        self.evening.ask(BuyIn(by=DEALER, at=AT, player=player, amount=1000))

    @invariant()
    def nothing_appears_or_vanishes(self) -> None:
        self.evening.whole.assert_whole()

    @invariant()
    def the_house_has_what_the_rounds_brought(self) -> None:
        won = waived = 0
        for state in self.evening.table.rounds.values():
            if state.phase is not Phase.VOID:
                lying = state.stakes_by_player()
                won += sum(lying.get(player, 0) - paid for player, paid in state.paid.items())
        assert self.evening.balance("house:T1") == won + waived

    @invariant()
    def stakes_are_what_lies(self) -> None:
        for number, state in self.evening.table.rounds.items():
            lying = state.stakes_by_player()
            waiting = sum(stake for player, stake in lying.items() if player not in state.paid)
            is_over = state.phase in (Phase.VOID, Phase.SETTLED, Phase.CONCLUDED)
            assert self.evening.balance(f"stakes:T1:{number}") == (0 if is_over else waiting)


TestAnyEvening = pytest.mark.slow(AnyEvening.TestCase)
AnyEvening.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_a_plain_slip_moves_the_same_by_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Placed, raised, moved to another box, lowered, as it was, and taken back: transfer by transfer."""

    def moved() -> list[Any]:
        evening = Evening("tai-sai-v6/2", limits=limits())
        evening.ask(BuyIn(by=DEALER, at=AT, player="ann", amount=1_000, source="cash"))
        evening.ask(StartRound(by=DEALER, at=AT))
        slips = [{"big": 100}, {"big": 300, "small": 50}, {"small": 350}, {"small": 50}, {"small": 50}, {}]
        for nth, slip in enumerate(slips, 1):
            evening.play(cmd.PlaceBets(by=DEALER, at=AT, player="ann", slip=slip, version=nth))
        return [list(evening.whole), list(evening.table.book), evening.table.rounds[1]]

    shortly = moved()
    monkeypatch.setattr(RoundBooks, "_is_plain", lambda *asked: False)
    assert (shortly, shortly[2].slips["ann"].version) == (moved(), 6)
