"""The decider against a naive model: whatever is asked, in whatever order, both say the same."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.rulebooks.model import Ground
from tests.rules.table import DEALER, MANAGER, SHIFT, SUPERVISOR, player
from tests.unit.naive_house import House
from tests.unit.round_pair import BOXES, HOUSES, PLAYERS, Pair

AMOUNTS = [10, 20, 40, 50, 60, 100, 110, 200, 290, 300, 400, 500, -10, 0, 55]
GOOD_AMOUNTS = [50, 60, 100, 190, 250]
STAFF = [DEALER, SUPERVISOR, MANAGER, SHIFT, Actor("Kim", Role.CASHIER), player("Ann")]
ROLLS = [Roll.parse(dice) for dice in ("113", "566", "333", "124", "666")]
DECISIONS = ["void", "declare", "settle-known", "return-bets", "record"]
KNOWN = [[], [1], [3], [1, 3], [3, 3], [1, 1, 3], [6, 6, 5], [0], [1, 2, 3, 4]]

slips = st.dictionaries(st.sampled_from(BOXES), st.sampled_from(AMOUNTS), max_size=4)
good_slips = st.dictionaries(st.sampled_from(BOXES[:5]), st.sampled_from(GOOD_AMOUNTS), max_size=3)
names = st.sampled_from(PLAYERS)
first_bets = st.lists(st.tuples(names, good_slips), max_size=6)
rolls = st.sampled_from(ROLLS)
staff = st.sampled_from(STAFF)


class RoundMachine(RuleBasedStateMachine):
    """Hypothesis chooses the acts."""

    pair: Pair

    @initialize(house=st.sampled_from(HOUSES), bets=first_bets, acts=st.integers(0, 8), roll=rolls)
    def begin(self, house: House, bets: list[tuple[str, dict[str, int]]], acts: int, roll: Roll) -> None:
        """Open a round with bets and play it for some ordinary acts, so that every phase is reached."""
        self.pair = Pair(house)
        for name, slip in bets:
            self.bet(name, slip)
        for _ in range(acts):
            self.pair.deal(roll)

    @rule(
        name=names,
        slip=slips | good_slips,
        step=st.sampled_from([1, 1, 1, 0, -1]),
        by=st.none() | staff,
        all_or_nothing=st.booleans(),
    )
    def place(
        self, name: str, slip: dict[str, int], step: int, by: Actor | None, all_or_nothing: bool
    ) -> None:
        version = self.pair.naive.asked.get(name, (0, {}))[0] + step
        facts = {"player": name, "slip": slip, "version": version, "all_or_nothing": all_or_nothing}
        self.pair.ask(cmd.PlaceBets, by=by or player(name), **facts)

    @rule(name=names, slip=good_slips)
    def bet(self, name: str, slip: dict[str, int]) -> None:
        self.place(name, slip, 1, None, False)

    @rule(name=names)
    def send_again(self, name: str) -> None:
        version, slip = self.pair.naive.asked.get(name, (0, {}))
        self.pair.ask(cmd.PlaceBets, by=player(name), player=name, slip=slip, version=version)

    @rule(by=staff, excess=st.sampled_from([None, "reject", "leave"]))
    def close(self, by: Actor, excess: str | None) -> None:
        self.pair.ask(cmd.CloseBetting, by=by, excess=excess)

    @rule(roll=rolls)
    def deal(self, roll: Roll) -> None:
        self.pair.deal(roll)

    @rule()
    def cover(self) -> None:
        self.pair.ask(cmd.CoverTumbler)

    @rule(tumbles=st.sampled_from([3, 4, 2, -1]), uncovered=st.booleans(), flat=st.booleans())
    def activate(self, tumbles: int, uncovered: bool, flat: bool) -> None:
        self.pair.ask(cmd.ActivateTumbler, tumbles=tumbles, uncovered=uncovered, flat=flat)

    @rule(flat=st.sampled_from([True, True, False]))
    def expose(self, flat: bool) -> None:
        self.pair.ask(cmd.ExposeDice, flat=flat)

    @rule(roll=rolls)
    def declare(self, roll: Roll) -> None:
        self.pair.ask(cmd.DeclareRoll, roll=roll)

    @rule(players_max=st.none() | st.integers(0, 2))
    def settle(self, players_max: int | None) -> None:
        self.pair.ask(cmd.SettleBets, players_max=players_max)

    @rule()
    def conclude(self) -> None:
        self.pair.ask(cmd.ConcludeRound)

    @precondition(lambda self: self.pair.naive.phase == "betting")
    @rule(on=st.sampled_from(["big", "small", "big-small", "sum-9"]))
    def reject_excess(self, on: str) -> None:
        self.pair.ask(cmd.RejectExcess, on=on)

    @precondition(lambda self: self.pair.naive.phase == "betting")
    @rule(name=names, box=st.sampled_from(BOXES[:5]), then_return=st.booleans())
    def below_minimum(self, name: str, box: str, then_return: bool) -> None:
        self.pair.ask(cmd.AdviseMinimum, player=name, box=box)
        if then_return:
            self.pair.ask(cmd.ReturnBelowMinimum, player=name, box=box)

    @rule(name=names, kind=st.sampled_from([cmd.RecordWalkAway, cmd.RecordCutOff]))
    def leave(self, name: str, kind: type[cmd.Command]) -> None:
        self.pair.ask(kind, player=name)

    @rule(ground=st.sampled_from(list(Ground)), by=staff)
    def void(self, ground: Ground, by: Actor) -> None:
        self.pair.ask(cmd.VoidRound, ground=ground, by=by)

    @rule(rounds=st.sampled_from([[1], [1, 2], [2]]), second=st.none() | staff)
    def damaged(self, rounds: list[int], second: Actor | None) -> None:
        self.pair.ask(cmd.ReportDamagedDice, rounds=rounds, second=second)

    @rule(kind=st.sampled_from([cmd.SuspendRound, cmd.ResumeRound, cmd.ResumeRound]))
    def hold(self, kind: type[cmd.Command]) -> None:
        self.pair.ask(kind)

    @rule(known=st.sampled_from(KNOWN), readable=st.sampled_from([True, True, False]))
    def interrupt(self, known: list[int], readable: bool) -> None:
        self.pair.ask(cmd.InterruptRound, known=known, readable=readable)

    @rule(roll=rolls, by=staff, second=st.none() | staff, reason=st.sampled_from(["seen", " "]))
    def correct_result(self, roll: Roll, by: Actor, second: Actor | None, reason: str) -> None:
        self.pair.ask(cmd.CorrectResult, roll=roll, by=by, second=second, reason=reason)

    @rule(name=names, slip=slips | good_slips)
    def correct_bets(self, name: str, slip: dict[str, int]) -> None:
        self.pair.ask(cmd.CorrectBets, player=name, slip=slip)

    @rule(
        decision=st.sampled_from(DECISIONS),
        roll=st.none() | rolls,
        bets=st.lists(st.builds(cmd.BetRef, names, st.sampled_from(BOXES[:3])), max_size=2),
        by=st.sampled_from([SHIFT, MANAGER]),
    )
    def decree(self, decision: str, roll: Roll | None, bets: list[cmd.BetRef], by: Actor) -> None:
        self.pair.ask(cmd.MakeRuling, decision=decision, roll=roll, bets=bets, by=by)

    @rule(what=st.sampled_from(["lamps", "display"]))
    def display(self, what: str) -> None:
        self.pair.ask(cmd.RecordDisplayFault, kind=what, what="wrong")

    @invariant()
    def what_must_always_hold(self) -> None:
        if hasattr(self, "pair"):
            self.pair.check()

    def teardown(self) -> None:
        if hasattr(self, "pair"):
            self.pair.finish()


TestRoundAgainstTheModel = pytest.mark.slow(RoundMachine.TestCase)
TestRoundAgainstTheModel.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)


# --- long walks, evenly over all acts ------------------------------------------------------------------


def walk(seed: int, house: House, steps: int = 80) -> Counter[tuple[str, str]]:
    """Ask for acts at random; gives how often each was accepted in each phase."""
    dice = random.Random(seed)
    pair = Pair(house)
    done: Counter[tuple[str, str]] = Counter()

    def slip(amounts: list[int]) -> dict[str, int]:
        return {dice.choice(BOXES[:5]): dice.choice(amounts) for _ in range(dice.randint(0, 3))}

    def place(**more: Any) -> dict[str, Any]:
        name = dice.choice(PLAYERS)
        version = pair.naive.asked.get(name, (0, {}))[0] + 1
        return {"by": player(name), "player": name, "slip": slip(GOOD_AMOUNTS), "version": version, **more}

    def one_of(found: Iterable[tuple[str, str]]) -> dict[str, Any]:
        bets = sorted(found)
        who, where = dice.choice(bets) if bets and not rarely() else (name(), box())
        return {"player": who, "box": where}

    def rarely() -> bool:
        return dice.random() < 0.2

    name, box, roll = (
        (lambda: dice.choice(PLAYERS)),
        (lambda: dice.choice(BOXES[:5])),
        lambda: dice.choice(ROLLS),
    )
    acts: list[tuple[float, type[cmd.Command], Callable[[], dict[str, Any]]]] = [
        (6, cmd.PlaceBets, place),
        (3, cmd.PlaceBets, lambda: place(slip=slip(AMOUNTS), all_or_nothing=rarely())),
        (1, cmd.PlaceBets, lambda: place(by=dice.choice(STAFF))),
        (0.5, cmd.CoverTumbler, dict),
        (0.5, cmd.ActivateTumbler, lambda: {"tumbles": dice.choice([2, 3, 5]), "uncovered": rarely()}),
        (0.2, cmd.ExposeDice, lambda: {"flat": dice.random() < 0.8}),
        (2, cmd.SettleBets, lambda: {"players_max": dice.choice([None, 1, 2])}),
        (3, cmd.RejectExcess, lambda: {"on": dice.choice([box(), "big-small"])}),
        (2, cmd.AdviseMinimum, lambda: one_of(below[:2] for below in pair.table.state.below_minimum())),
        (2, cmd.ReturnBelowMinimum, lambda: one_of(pair.naive.told)),
        (1, cmd.RecordWalkAway, lambda: {"player": name()}),
        (1, cmd.RecordCutOff, lambda: {"player": name()}),
        (0.2, cmd.VoidRound, lambda: {"ground": dice.choice(list(Ground))}),
        (0.3, cmd.ReportDamagedDice, lambda: {"rounds": dice.choice([[1], [2]])}),
        (1, cmd.SuspendRound, dict),
        (4, cmd.ResumeRound, dict),
        (2, cmd.InterruptRound, lambda: {"known": dice.choice(KNOWN[1:]), "readable": dice.random() < 0.7}),
        (2, cmd.CorrectResult, lambda: {"roll": roll()}),
        (2, cmd.CorrectBets, lambda: {"player": name(), "slip": slip(GOOD_AMOUNTS)}),
        (1, cmd.MakeRuling, lambda: {"by": SHIFT, "decision": dice.choice(DECISIONS[1:]), "roll": roll(),
                                     "bets": [cmd.BetRef(name(), box())]}),
        (1, cmd.RecordDisplayFault, lambda: {"what": "wrong"}),
    ]  # fmt: skip
    weights = [weight for weight, _, _ in acts]
    pace = dice.choice([0.04, 0.15, 0.4])
    for _ in range(steps):
        phase = pair.naive.phase + ("+held" if pair.naive.held else "")
        if dice.random() < pace:
            pair.deal(roll())
        else:
            chosen = dice.choices(acts, weights, k=3)
            fitting = [act for act in chosen if pair.naive.fits_phase(act[1].__name__)]
            _, kind, facts = (fitting or chosen)[0]
            if pair.ask(kind, **facts()):
                done[kind.__name__, phase] += 1
        pair.check()
    pair.finish()
    return done


IN_PLAY = ("betting", "closed", "declared", "settled")
REACHED = {
    "PlaceBets": ("betting",),
    "RejectExcess": ("betting",),
    "AdviseMinimum": ("betting",),
    "ReturnBelowMinimum": ("betting",),
    "RecordWalkAway": IN_PLAY,
    "RecordCutOff": ("betting", "settled"),
    "SettleBets": ("declared",),
    "VoidRound": IN_PLAY,
    "ReportDamagedDice": ("closed", "settled", "concluded"),
    "SuspendRound": IN_PLAY,
    "ResumeRound": ("betting+held", "closed+held", "declared+held", "settled+held"),
    "InterruptRound": ("closed", "declared", "settled"),
    "CorrectResult": ("declared", "settled", "concluded"),
    "CorrectBets": ("closed", "declared", "settled", "concluded"),
    "MakeRuling": (*IN_PLAY, "concluded", "awaiting"),
}


@pytest.mark.slow
def test_random_walks_through_rounds_agree_with_the_model() -> None:
    """Thousands of acts under every kind of limits; among them all that matter, in each phase."""
    done: Counter[tuple[str, str]] = Counter()
    for number, house in enumerate(HOUSES):
        for seed in range(16):
            done += walk(100 * number + seed, house)
    missing = [(act, phase) for act, phases in REACHED.items() for phase in phases if not done[act, phase]]
    assert missing == []
