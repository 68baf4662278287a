"""What a PAR sheet says of one box beyond its odds: volatility, break-even, sessions, settling."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Final

from taisai.odds.bets.nets import net_after
from taisai.odds.exact import OF, BoxOdds

LEVELS: Final = (90, 95, 99)
SETTLED_WITHIN: Final = Fraction(1, 200)
SESSION_ROUNDS: Final = (100, 500, 1000)


def two_sided_z(level: float) -> float:
    """The standard score that holds the central `level` of a normal distribution."""
    return NormalDist().inv_cdf((1 + level) / 2)


Z: Final = {level: two_sided_z(level / 100) for level in LEVELS}


@dataclass(frozen=True)
class BoxMeasures:
    """One box's odds and all that follows from them for a unit bet."""

    odds: BoxOdds

    @property
    def one_in(self) -> Fraction:
        """The box wins once in this many rounds."""
        return Fraction(OF, self.odds.ways)

    @property
    def average_pays(self) -> Fraction:
        """The odds to one that a win pays on average: the price itself where there is only one."""
        paid = sum(
            (price.pays_to_one * price.rolls.bit_count() for price in self.odds.box.prices), Fraction(0)
        )
        return paid / self.odds.ways

    @property
    def break_even(self) -> Fraction:
        """The average odds to one at which neither side would have an edge."""
        return Fraction(OF - self.odds.ways, self.odds.ways)

    @property
    def highest_pays(self) -> Fraction:
        return max(self.odds.box.pays)

    @cached_property
    def kurtosis(self) -> Fraction:
        """The full kurtosis: 3 for a normal distribution."""
        return self.odds.excess_kurtosis + 3

    def volatility_index(self, level: int) -> float:
        """z times the standard deviation: the half-width of the band of one round's net, were it normal."""
        return Z[level] * self.odds.standard_deviation

    @cached_property
    def rounds_to_settle(self) -> int:
        """Rounds after which the return lies within ±0.5 % of its mean with 95 % chance."""
        return ceil(Z[95] ** 2 * float(self.odds.variance) / float(SETTLED_WITHIN**2))

    def return_band(self, rounds: int, level: int = 95) -> float:
        """The half-width of the band around the return after a number of rounds."""
        return self.volatility_index(level) / sqrt(rounds)

    @cached_property
    def sessions(self) -> list[dict[str, Any]]:
        """After 100, 500 and 1,000 rounds: the exact chance to be ahead, and quantiles in stakes."""
        rows = []
        for rounds in SESSION_ROUNDS:
            after = net_after(self.odds.distribution, rounds)
            rows.append(
                {
                    "rounds": rounds,
                    "ahead": after.chance_ahead.approx,
                    "even": after.chance_even.approx,
                    "low_5": after.quantile(Fraction(5, 100)),
                    "median": after.quantile(Fraction(1, 2)),
                    "high_95": after.quantile(Fraction(95, 100)),
                }
            )
        return rows
