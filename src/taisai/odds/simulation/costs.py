"""What a simulation will take, from its size alone: memory by player, time by player and round."""

from typing import Final

from taisai.odds.cost import Cost
from taisai.odds.simulation.play import Play
from taisai.odds.staking.rules import Flat, Labouchere, StakingRule
from taisai.odds.strategies import LINE_ROOM

LESS: Final = "ask for fewer players or rounds"
# Measured on one core, rounded down: rounds of one player a second.
_COMPILED: Final = {"flat": 3e8, "ladder": 2e8, "line": 4e7}
_ON_COLUMNS: Final = {"flat": 4e7, "ladder": 2e7, "line": 6e6}
_DRAW_SECONDS: Final = 4e-8
# The columns of `Seats`, and the copies that the figures at the end are made from.
_PLAYER_BYTES: Final = 90


def simulation_cost(play: Play, rule: StakingRule | None, *, compiled: bool, threads: int) -> Cost:
    """The memory of all players at once, and the time until the last of them has stopped."""
    kind = "flat" if isinstance(rule, Flat) else "line" if isinstance(rule, Labouchere) else "ladder"
    each = _PLAYER_BYTES
    if isinstance(rule, Labouchere):
        each += 8 * (rule.longest + LINE_ROOM + 2)
    elif not compiled:
        each += 64
    if play.bankroll_minor is None:
        seconds = play.players * len(set(play.nets.tolist())) * _DRAW_SECONDS
        return Cost(memory_bytes=float(play.players * each), seconds=seconds)
    rate = (_COMPILED if compiled else _ON_COLUMNS)[kind] * threads
    seconds = play.players * rounds_in_play(play, play.bankroll_minor) / rate
    return Cost(memory_bytes=float(play.players * each), seconds=seconds)


def rounds_in_play(play: Play, bankroll_minor: int) -> float:
    """At most how many rounds a player lasts on average.

    The edge takes its share of every stake, each stake is at least the slip, and nobody loses more than the
    bankroll (Wald's equation).
    """
    if play.edge <= 0:
        return float(play.rounds)
    return min(float(play.rounds), float(bankroll_minor / (play.edge * play.slip_minor)))
