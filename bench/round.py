"""A round of up to 100,000 players settled by columns with limits and pro rata, and the cost of one slip."""

import gc
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.columns import RoundColumns
from taisai.game.evolve import evolve
from taisai.game.explain import explain
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.round import Round
from taisai.game.settlement import payouts, settle_round
from taisai.game.state import RoundState

DEALER = Actor("Dana", Role.DEALER)
AT = datetime(2024, 1, 1, tzinfo=UTC)
ROLL = Roll(4, 5, 6)
BOXES_EACH = 5
FAVOURITES = ["big", "big", "big", "small", "odd", "odd", "even", "any-triple", "single-4", "double-6"]


def limits(players: int) -> Limits:
    """So tight, whatever the number of players, that the boxes which draw a crowd are shared pro rata."""
    favourite = Limit(50, max(10 * players, 100))
    return Limits(
        unit=10,
        default=Limit(50),
        groups=dict.fromkeys(("any-triple", "single", "double"), favourite),
        boxes=dict.fromkeys(("small", "odd", "even"), favourite),
        notice="by-dealer",
        differential={"big-small": 10 * players, "odd-even": 10 * players},
    )


def best_of(times: int, run: Callable[[], object]) -> float:
    """Seconds of work in the fastest run: nothing here waits, so the clock counts only our own time."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def opened(players: int) -> Round:
    game = Round.of("tai-sai-v6/2")
    game.open(by=DEALER, at=AT, table="bench", number=1, limits=limits(players))
    return game


def slip_of(dice: random.Random, boxes: list[str]) -> dict[str, int]:
    """Five boxes, some of them where everyone bets; a few bets below the minimum."""
    chosen = [*dice.choices(FAVOURITES, k=2), *dice.sample(boxes, k=BOXES_EACH)]
    return {box: 10 * dice.randint(4, 60) for box in list(dict.fromkeys(chosen))[:BOXES_EACH]}


def crowd(players: int) -> RoundState:
    """A declared round with so many players, five boxes each."""
    dice, game = random.Random(players), opened(players)
    boxes = [box.id for box in game.state.pay_table.boxes]
    for number in range(players):
        name, slip = f"player {number}", slip_of(dice, boxes)
        evolve(
            game.state,
            ev.BetsPlaced(
                by=Actor(name, Role.PLAYER),
                at=AT,
                clause="3.4",
                player=name,
                version=1,
                slip=slip,
                asked=slip,
            ),
        )
    game.do(cmd.CloseBetting(by=DEALER, at=AT, excess="leave"))
    game.do(cmd.CoverTumbler(by=DEALER, at=AT))
    game.do(cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3))
    game.do(cmd.ExposeDice(by=DEALER, at=AT))
    game.do(cmd.DeclareRoll(by=DEALER, at=AT, roll=ROLL))
    return game.state


def settle_multitudes() -> None:
    """Time per bet as the round grows; the smallest is the baseline."""
    baseline = 0.0
    for players in (200, 2_000, 20_000, 100_000):
        state = crowd(players)
        bets = players * BOXES_EACH
        gc.collect()
        seconds = best_of(max(3, 20_000 // bets), lambda: RoundColumns.of(state).totals(ROLL))  # noqa: B023 - called in this turn
        per_bet = seconds / bets
        baseline = baseline or per_bet
        print(
            f"  {bets:>7,} bets by columns   {seconds * 1e3:8.1f} ms   {per_bet * 1e9:6.0f} ns a bet"
            f"   ratio to 1,000 bets {per_bet / baseline:.2f}"
        )
    columns = RoundColumns.of(state)
    columns.totals(ROLL)
    shared = ", ".join(columns.caps)
    plain = best_of(1, lambda: payouts(settle_round(state, ROLL)))
    print(f"  {bets:>7,} bets one by one   {plain * 1e3:8.1f} ms   ratio to columns {plain / seconds:.1f}")
    asked = iter(range(0, bets, 997))
    one = best_of(50, lambda: explain(columns.result(next(asked), ROLL)))
    print(f"  the reasons for one of them {one * 1e6:6.0f} µs; shared pro rata: {shared}")


def place_slips() -> None:
    """One slip decided and applied, with few and with many players at the table."""
    baseline = 0.0
    for players in (10, 10_000):
        game, dice = opened(players), random.Random(1)
        boxes = [box.id for box in game.state.pay_table.boxes]
        for number in range(players):
            game.do(_placing(f"player {number}", 1, slip_of(dice, boxes)))
        game.events.clear()
        commands = iter(
            [
                _placing(f"player {number % players}", 2 + number // players, slip_of(dice, boxes))
                for number in range(20_000)
            ]
        )
        gc.collect()
        seconds = best_of(200, lambda: [game.do(next(commands)) for _ in range(50)]) / 50  # noqa: B023 - called in this turn
        baseline = baseline or seconds
        print(
            f"  one slip of five boxes among {players:>6,} players   {seconds * 1e6:6.1f} µs"
            f"   ratio to 10 players {seconds / baseline:.2f}"
        )


def _placing(name: str, version: int, slip: dict[str, int]) -> cmd.PlaceBets:
    return cmd.PlaceBets(by=Actor(name, Role.PLAYER), at=AT, player=name, slip=slip, version=version)


def main() -> None:
    settle_multitudes()
    place_slips()
