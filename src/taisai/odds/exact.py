"""Exact odds of a box over the 216 rolls, as fractions. Nothing is simulated and nothing is rounded."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from types import MappingProxyType

from taisai.dice import ROLLS
from taisai.rulebooks.model import Box

OF = len(ROLLS)


@dataclass(frozen=True)
class BoxOdds:
    """What a unit bet on a box brings. Moments are of the net: the winnings, or minus the stake."""

    box: Box

    @cached_property
    def distribution(self) -> Mapping[Fraction, Fraction]:
        """The chance of each net result of a unit bet, lowest first; for reading."""
        ways = {price.pays_to_one: 0 for price in self.box.prices}
        for price in self.box.prices:
            ways[price.pays_to_one] += price.rolls.bit_count()
        chances = {Fraction(-1): Fraction(OF - self.ways, OF)}
        chances.update({net: Fraction(count, OF) for net, count in sorted(ways.items())})
        return MappingProxyType(chances)

    @property
    def ways(self) -> int:
        """Rolls on which the box wins at any price."""
        return self.box.wins.bit_count()

    @property
    def probability(self) -> Fraction:
        return Fraction(self.ways, OF)

    @cached_property
    def mean(self) -> Fraction:
        """The expected net of a unit bet: minus the house edge."""
        return self.moment(1)

    @property
    def edge(self) -> Fraction:
        return -self.mean

    @property
    def returns(self) -> Fraction:
        """What a unit bet brings back on average, stake included."""
        return 1 + self.mean

    def moment(self, order: int) -> Fraction:
        """The raw moment of the net."""
        return sum((net**order * chance for net, chance in self.distribution.items()), Fraction(0))

    def central_moment(self, order: int) -> Fraction:
        return sum(((net - self.mean) ** order * p for net, p in self.distribution.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        return self.central_moment(2)

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @cached_property
    def _third(self) -> Fraction:
        return self.central_moment(3)

    @property
    def skewness_squared(self) -> Fraction:
        """The square of the skewness is a fraction even where the skewness itself is irrational."""
        return self._third**2 / self.variance**3

    @property
    def skewness(self) -> float:
        sign = 1 if self._third >= 0 else -1
        return sign * sqrt(self.skewness_squared)

    @property
    def excess_kurtosis(self) -> Fraction:
        return self.central_moment(4) / self.variance**2 - 3


def box_odds(box: Box) -> BoxOdds:
    """The exact odds of one box."""
    return BoxOdds(box)
