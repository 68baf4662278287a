"""How far a table falls on the way: below where it began, and below its highest point so far.

Both are followed exactly on the lattice of the house's net while that is affordable. The float is what the
table must have at the opening so that it can pay with a given confidence; a drawdown is a fall from a peak.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.bounds import check_count
from taisai.odds.cost import Cost
from taisai.odds.design.survival import check_risk
from taisai.odds.paths.walk import NetWalk, follow

Distribution = Mapping[Fraction, Fraction]

_PRODUCT_SECONDS: Final = 2.5e-9
# So many trials at most find an amount: the steps double, and are halved then.
TRIALS: Final = 40


@dataclass(frozen=True, slots=True)
class Fall:
    """An amount that is enough with the confidence asked for, and the chance that it is not."""

    amount: Fraction
    chance_beyond: float
    error: float


def below_start_cost(house_net: Distribution, rounds: int, depth: Fraction) -> Cost:
    """What following the net down to a depth takes, without making anything of that size."""
    nets = sorted(house_net)
    places = (rounds * max(Fraction(0), nets[-1]) + depth) / fraction_gcd(nets)
    return Cost(seconds=float(places) * len(nets) * rounds * _PRODUCT_SECONDS)


def chance_below_start(house_net: Distribution, rounds: int, amount: Fraction) -> tuple[float, float]:
    """The chance that the table is ever down by more than an amount, and what that may be off by."""
    step = fraction_gcd(list(house_net))
    beyond = -(amount // step + 1) * step
    walk = NetWalk.of(house_net, rounds, low=beyond)
    ended = follow(walk, walk.between(beyond, None), exact=False)
    place = int(beyond / step) - walk.lowest
    return float(ended.weights[: place + 1].sum()), ended.error


def chance_of_drawdown(house_net: Distribution, rounds: int, amount: Fraction) -> tuple[float, float]:
    """The chance that the table ever falls by more than an amount from its highest point so far."""
    step = fraction_gcd(list(house_net))
    moves = [(int(net / step), float(chance)) for net, chance in house_net.items()]
    deepest = int(amount // step)
    here = np.zeros(deepest + 1)
    here[0] = 1.0
    gone = 0.0
    for _ in range(rounds):
        after = np.zeros(deepest + 1)
        for move, chance in moves:
            if move >= 0:
                # Up: the fall is that much less, and a new peak where nothing of it is left.
                after[0] += chance * here[: move + 1].sum()
                if move < deepest:
                    after[1 : deepest + 1 - move] += chance * here[move + 1 :]
            else:
                kept = max(0, deepest + 1 + move)
                after[-move:] += chance * here[:kept]
                gone += chance * float(here[kept:].sum())
        here = after
    return gone, rounds * (len(moves) + 2) * 2.3e-16


def enough(
    chance_beyond: Callable[[Fraction], tuple[float, float]], step: Fraction, risk: Fraction | float
) -> Fall:
    """The smallest multiple of the step that is exceeded with a chance of `risk` at most."""
    bound = float(check_risk(risk))
    high = 1
    while chance_beyond(high * step)[0] > bound:
        high *= 2
    low = high // 2 + 1 if high > 1 else 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if chance_beyond(middle * step)[0] <= bound else (middle + 1, high)
    found, error = chance_beyond(high * step)
    return Fall(high * step, found, error)


def drawdown_cost(house_net: Distribution, rounds: int, depth: Fraction) -> Cost:
    """What following a drawdown to a depth takes."""
    check_count("a number of rounds", rounds)
    places = float(depth / fraction_gcd(list(house_net)))
    return Cost(seconds=places * len(house_net) * rounds * _PRODUCT_SECONDS)
