"""Sessions played out in full, in fractions and with nothing clever: the yardstick of fast code."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import taisai
from taisai.odds.mix import Mix

Distribution = Mapping[Fraction, Fraction]


def nets_of(bets: dict[str, int], pay_table: str = "tai-sai-v6/2") -> Distribution:
    """The net of one round of a slip."""
    return Mix.on(taisai.pay_table(pay_table), bets).distribution


def expected_at_end(
    one_round: Distribution,
    rounds: int,
    worth: Callable[[Fraction], Fraction],
    goes_on: Callable[[Fraction], bool] = lambda net: True,
) -> Fraction:
    """What the end is worth on average, over every sequence of rounds."""
    found = Fraction(0)
    for path in product(one_round.items(), repeat=rounds):
        net = Fraction(0)
        for gained, _ in path:
            if not goes_on(net):
                break
            net += gained
        found += worth(net) * prod(chance for _, chance in path)
    return found


def expected_rounds(one_round: Distribution, rounds: int, goes_on: Callable[[Fraction], bool]) -> Fraction:
    """How many rounds are played on average."""

    def left(net: Fraction, more: int) -> Fraction:
        if not more or not goes_on(net):
            return Fraction(0)
        return 1 + sum(chance * left(net + gained, more - 1) for gained, chance in one_round.items())

    return left(Fraction(0), rounds)


def best_value(
    one_round: Distribution,
    rounds: int,
    worth: Callable[[Fraction], Fraction],
    may_go_on: Callable[[Fraction], bool] = lambda net: True,
) -> Fraction:
    """What play is worth to who always stops when it is best."""

    @cache
    def value(net: Fraction, more: int) -> Fraction:
        stop = worth(net)
        if not more or not may_go_on(net):
            return stop
        go = sum(
            (chance * value(net + gained, more - 1) for gained, chance in one_round.items()), Fraction(0)
        )
        return max(stop, go)

    return value(Fraction(0), rounds)
