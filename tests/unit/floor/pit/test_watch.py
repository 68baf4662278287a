"""What the pit watches: kept up step by step, it is what a fresh look at everything gives."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor, isclose
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from taisai.dice import ROLLS, Roll
from taisai.floor.desks.kind import Acted
from taisai.floor.pit.hold_watch import HouseHold, Subject
from taisai.floor.pit.watch import TableWatch
from taisai.floor.table.messages import BuyIn, InRound, OpenTable, StartRound, TableSettings
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.settlement import settle_round
from taisai.odds.exposure import Exposure
from taisai.odds.sequential import FairnessMonitor
from taisai.odds.theory import BetMade, theory
from tests.unit.cluster_play import AT, correction, damaged, finishing, void
from tests.unit.house import DEALER, SUPERVISOR

PLAYERS = ("ann", "bob", "cat")
LIMITS = Limits(unit=5, default=Limit(5, 400), notice="by-dealer", differential={"big-small": 300})


class Table:
    """A table and the watch that follows it."""

    def __init__(self, pay_table: str = "tai-sai-v6/2", dealer: str | None = None) -> None:
        self.state = TableState("T1")
        self.watch = TableWatch("T1", dealer_at=lambda opened: dealer)
        self.acts = self.versions = 0
        self.ask(OpenTable(by=SUPERVISOR, at=AT, settings=TableSettings(pay_table=pay_table, limits=LIMITS)))
        for player in PLAYERS:
            self.ask(BuyIn(by=DEALER, at=AT, player=player, amount=1_000_000))

    def ask(self, command: Any) -> Acted | Refusal:
        self.acts += 1
        outcome = self.state.act(command, f"T1.{self.acts}")
        if isinstance(outcome, Acted):
            self.watch.follow(self.state, outcome.events)
        return outcome

    def in_round(self, command: cmd.AnyCommand, number: int | None = None) -> Acted | Refusal:
        return self.ask(InRound(by=command.by, at=AT, command=command, round=number))

    def start(self, dice_set: str | None = None) -> None:
        self.ask(StartRound(by=DEALER, at=AT, dice_set=dice_set))

    def bet(self, player: str, slip: dict[str, int]) -> Acted | Refusal:
        self.versions += 1
        by = Actor(player, Role.PLAYER)
        return self.in_round(cmd.PlaceBets(by=by, at=AT, player=player, slip=slip, version=self.versions))

    def finish(self, roll: Roll) -> None:
        for command in finishing(roll):
            assert isinstance(self.in_round(command), Acted)

    def play(self, slip: dict[str, int], roll: Roll) -> None:
        self.start()
        self.bet("ann", slip)
        self.finish(roll)


def settled(state: TableState) -> Iterator[Any]:
    for number, each in state.rounds.items():
        if each.phase in (Phase.SETTLED, Phase.CONCLUDED):
            yield number, each


def test_the_exposure_is_of_the_bets_that_lie() -> None:
    """The worst outcome costs the house what its winners would get, and a changed slip shows at once."""
    table = Table()
    table.start()
    table.bet("ann", {"big": 100})
    table.bet("bob", {"triple-6": 5, "small": 50})
    figures = table.watch.figures()
    assert (figures.staked, figures.players, figures.round) == (155, 2, 1)
    assert (figures.worst, figures.worst_dice) == (100 + 50 - 180 * 5, "6-6-6")
    assert len(figures.by_outcome) == 56
    table.bet("bob", {})
    figures = table.watch.figures()
    assert (figures.staked, figures.players, figures.worst, figures.worst_dice) == (100, 1, -100, "1-4-6")
    assert figures.var95 == 100


def test_nothing_is_at_stake_after_the_settlement() -> None:
    """Nor after a void."""
    table = Table()
    table.play({"big": 100}, Roll(1, 2, 3))
    assert (table.watch.figures().staked, table.watch.figures().worst) == (0, 0)
    table.start()
    table.bet("ann", {"big": 100})
    assert table.watch.figures().staked == 100
    table.in_round(void())
    figures = table.watch.figures()
    assert (figures.staked, figures.rounds, figures.handle) == (0, 1, 100)


def test_hold_stands_against_the_theory_of_the_actual_bets() -> None:
    """Win and expectation are those of the same bets; three rounds are too few for a band."""
    table = Table()
    slips = [{"big": 100}, {"small": 50, "sum-9": 10}, {"any-triple": 20}]
    for slip in slips:
        table.play(slip, Roll(1, 2, 6))
    figures = table.watch.figures()
    bets = [
        BetMade("T1", n, "ann", box, stake) for n, slip in enumerate(slips) for box, stake in slip.items()
    ]
    expected = theory(bets, table.state.rounds[1].pay_table)
    assert (figures.handle, figures.win, figures.rounds) == (180, 100 - 50 - 70 + 20, 3)
    assert isclose(figures.theoretical_win, float(expected.win))
    found = table.watch.holds.of_table()
    assert isclose(found.mean, float(expected.win))
    assert (found.handle_minor, found.win_minor, found.rounds) == (180, 0, 3)
    assert (figures.band, figures.verdict, figures.outside) == (None, "within", False)


def test_a_win_that_the_bets_do_not_explain_is_outside() -> None:
    """Thirty rounds that the house should win half of, all won: table, dealer and player are flagged."""
    table = Table(dealer="dora")
    for _ in range(30):
        table.play({"big": 100}, Roll(1, 2, 3))
    house = HouseHold([table.watch.holds])
    figures = table.watch.figures(house.threshold)
    assert (figures.hold_percent, figures.verdict, figures.outside) == (100.0, "above", True)
    assert figures.band is not None
    low, high = figures.band
    assert -100 < low < 0 < high < 100
    flags = house.flags(table.watch.holds)
    assert {(flag.kind, flag.name, flag.win) for flag in flags} == {
        ("table", "T1", 3_000),
        ("dealer", "dora", 3_000),
        ("player", "ann", 3_000),
    }
    assert house.is_flagged(Subject("table", "T1"))


def test_an_ordinary_evening_flags_nobody() -> None:
    """Rolls as they come: there is a band, and nobody is outside of it."""
    table = Table()
    for number in range(60):
        table.play({"big": 100}, ROLLS[(number * 73) % 216])
    house = HouseHold([table.watch.holds])
    figures = table.watch.figures(house.threshold)
    assert figures.band is not None
    assert (figures.verdict, house.flags(table.watch.holds)) == ("within", [])


def test_bets_that_were_shared_count_as_far_as_they_were_in_play() -> None:
    """Handle and theory are of what counted."""
    table = Table()
    table.start()
    for player in PLAYERS:
        table.bet(player, {"sum-4": 200})
    table.in_round(cmd.CloseBetting(by=DEALER, at=AT, excess="leave"))
    for command in finishing(Roll(1, 1, 3))[1:]:
        assert isinstance(table.in_round(command), Acted)
    figures = table.watch.figures()
    assert figures.handle == 400
    assert isclose(figures.theoretical_win, 400 * (1 - Fraction(3 * 63, 216)))


def test_a_new_day_counts_from_nothing_and_keeps_the_dice() -> None:
    """Hold is of the day; evidence is of the set of dice."""
    table = Table()
    table.play({"big": 100}, Roll(1, 2, 3))
    table.watch.reset()
    figures = table.watch.figures()
    assert (figures.rounds, figures.handle, figures.win, figures.hold_percent, figures.band) == (
        0,
        0,
        0,
        None,
        None,
    )
    assert figures.fairness.rolls == 1


def test_evidence_is_of_the_dice_that_are_in_use() -> None:
    """A new set starts again; loaded dice raise the alarm."""
    table = Table()
    for _ in range(8):
        table.start("D1")
        table.finish(Roll(6, 6, 6))
    fairness = table.watch.figures().fairness
    assert (fairness.rolls, fairness.alarm, fairness.dice_set) == (8, True, "D1")
    table.start("D2")
    fairness = table.watch.figures().fairness
    assert (fairness.rolls, fairness.alarm, fairness.dice_set) == (0, False, "D2")


def test_a_corrected_result_corrects_the_evidence() -> None:
    """It is what it would be had the dice been read rightly."""
    table = Table()
    for roll in (Roll(1, 2, 3), Roll(6, 6, 6), Roll(2, 2, 5)):
        table.play({"big": 100}, roll)
    table.in_round(correction(Roll(2, 2, 2)), 2)
    monitor = FairnessMonitor(ordered=False)
    for roll in (Roll(1, 2, 3), Roll(2, 2, 2), Roll(2, 2, 5)):
        monitor.observe(roll)
    assert isclose(table.watch.figures().fairness.e_value, monitor.evidence)


def test_dice_that_change_late_raise_the_alarm() -> None:
    """A set that was good for long and then shows one face: since when is said."""
    table = Table()
    for number in range(120):
        table.start("D1")
        table.finish(ROLLS[(number * 73) % 216])
    for _ in range(6):
        table.start("D1")
        table.finish(Roll(6, 6, 6))
    fairness = table.watch.figures().fairness
    assert (fairness.alarm, fairness.changed_since) == (True, 121)
    assert fairness.changed_at is not None
    assert fairness.run_length == 1_000_000


def test_rounds_that_the_table_no_longer_holds_can_be_brought() -> None:
    """A restart in the middle of a day counts the whole day."""
    table = Table()
    for _ in range(4):
        table.play({"big": 100}, Roll(1, 2, 3))
    let_go = [table.state.rounds.pop(number) for number in (1, 2)]
    assert TableWatch.of(table.state).handle == 200
    whole = TableWatch.of(table.state, let_go)
    assert whole.figures() == table.watch.figures()


class Watching(RuleBasedStateMachine):
    """Rounds at random: what was kept up is what a fresh look gives."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table()

    boxes = st.sampled_from(["big", "small", "odd", "sum-4", "triple-1", "domino-12", "pair-113"])

    @rule()
    def start(self) -> None:
        self.table.start()

    @rule(
        player=st.sampled_from(PLAYERS), slip=st.dictionaries(boxes, st.integers(1, 80).map(lambda n: 5 * n))
    )
    def bet(self, player: str, slip: dict[str, int]) -> None:
        self.table.bet(player, slip)

    @rule(on=st.sampled_from(["big", "small", "sum-4", "big-small"]))
    def reject(self, on: str) -> None:
        self.table.in_round(cmd.RejectExcess(by=DEALER, at=AT, on=on))

    @rule(roll=st.sampled_from(ROLLS), steps=st.integers(1, 7))
    def go_on(self, roll: Roll, steps: int) -> None:
        for command in finishing(roll)[:steps]:
            self.table.in_round(command)

    @rule()
    def void(self) -> None:
        self.table.in_round(void())

    @rule(roll=st.sampled_from(ROLLS), back=st.integers(0, 3))
    def correct_result(self, roll: Roll, back: int) -> None:
        self.table.in_round(correction(roll), self.table.state.number - back)

    @rule(
        player=st.sampled_from(PLAYERS), stake=st.integers(1, 50).map(lambda n: 5 * n), back=st.integers(0, 2)
    )
    def correct_bets(self, player: str, stake: int, back: int) -> None:
        command = cmd.CorrectBets(
            by=DEALER, second=SUPERVISOR, reason="felt", at=AT, player=player, slip={"small": stake}
        )
        self.table.in_round(command, self.table.state.number - back)

    @rule(back=st.integers(0, 2))
    def report_damage(self, back: int) -> None:
        number = self.table.state.number - back
        self.table.in_round(damaged(number), number)

    @invariant()
    def sums_are_those_of_the_settled_rounds(self) -> None:
        state, watch = self.table.state, self.table.watch
        handle = win = 0
        mean = variance = Fraction(0)
        for _, each in settled(state):
            results = settle_round(each, each.roll)
            stakes: dict[str, int] = {}
            for result in results:
                stakes[result.box] = stakes.get(result.box, 0) + result.effective
            exposure = Exposure(each.pay_table, stakes)
            handle += sum(stakes.values())
            win += sum(result.stake - result.returned for result in results)
            mean, variance = mean + exposure.mean, variance + exposure.variance
        assert (watch.handle, watch.win, watch.rounds) == (handle, win, len(list(settled(state))))
        assert (watch._mean, watch._variance) == (mean, variance)
        found = watch.holds.of_table()
        assert (found.handle_minor, found.win_minor) == (handle, win)
        assert isclose(found.mean, float(mean), abs_tol=1e-6)
        by_player = [each for subject, each in watch.holds.evidence.items() if subject.kind == "player"]
        assert sum(each.win_minor for each in by_player) == win

    @invariant()
    def exposure_is_that_of_the_bets(self) -> None:
        current = self.table.state.current
        at_stake = current and current.phase not in (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)
        stakes = dict(current.totals) if current and at_stake else {}
        figures = self.table.watch.figures()
        assert figures.staked == sum(stakes.values())
        if current and stakes:
            assert figures.worst == floor(Exposure(current.pay_table, stakes).worst.house_net)

    @invariant()
    def a_restart_finds_the_same(self) -> None:
        fresh = TableWatch.of(self.table.state)
        assert fresh.figures().by_outcome == self.table.watch.figures().by_outcome
        assert (fresh.handle, fresh.win) == (self.table.watch.handle, self.table.watch.win)


TestWatching = Watching.TestCase
TestWatching.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
