"""The day of a table, from the net of one of its rounds: exact where it can be, with its error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import Final, Literal

from taisai.errors import InputError
from taisai.odds.bets.nets import NetAfter, fraction_gcd, moments, net_after
from taisai.odds.bounds import check_count
from taisai.odds.cost import TooCostly
from taisai.odds.day.extremes import (
    TRIALS,
    Fall,
    below_start_cost,
    chance_below_start,
    chance_of_drawdown,
    drawdown_cost,
    enough,
)
from taisai.odds.mix import Mix

# What finding a float or a drawdown exactly may take before simulation serves instead.
EXACT_SECONDS: Final = 10.0
LEVELS: Final = (Fraction(1, 100), Fraction(5, 100), Fraction(1, 2), Fraction(95, 100), Fraction(99, 100))


@dataclass(frozen=True, slots=True)
class WinFigures:
    """What the house wins in so many rounds: expected, spread and quantiles, and how they were found."""

    rounds: int
    handle: Fraction
    theo: Fraction
    standard_deviation: float
    chance_of_loss: float
    quantiles: Mapping[Fraction, float]
    method: Literal["exact", "transform", "normal"]
    error: float

    def hold(self, win: float) -> float:
        """A win as a share of the handle."""
        return win / float(self.handle)


@dataclass(frozen=True)
class TableDay:
    """A table whose rounds are alike, or drawn from the same ones: their net for the house, and handle."""

    house_net: Mapping[Fraction, Fraction]
    handle: Fraction
    rounds: int

    @classmethod
    def of(cls, mixes: Iterable[Mix], rounds: int) -> "TableDay":
        """Rounds drawn at random from these, all of them as likely: one mix, or every round of a record."""
        check_count("a number of rounds", rounds)
        nets: dict[Fraction, Fraction] = {}
        handle, count = 0, 0
        for mix in mixes:
            count += 1
            handle += mix.stake_minor
            for net, chance in mix.distribution.items():
                nets[-net] = nets.get(-net, Fraction(0)) + chance
        if not count:
            raise InputError("a day needs at least one round of bets, got none")
        return cls({net: chance / count for net, chance in nets.items()}, Fraction(handle, count), rounds)

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        return moments(self.house_net)

    def win(self, days: int = 1) -> WinFigures:
        """What the table wins in so many days."""
        rounds = check_count("days", days) * self.rounds
        mean, variance = self._moments[:2]
        spread = sqrt(variance * rounds)
        try:
            after: NetAfter | None = net_after(self.house_net, rounds)
        except TooCostly:
            after = None
        if after is None:
            return self._normal(rounds, float(mean * rounds), spread)
        return WinFigures(
            rounds=rounds,
            handle=self.handle * rounds,
            theo=mean * rounds,
            standard_deviation=spread,
            chance_of_loss=after.chance_at_most(-self._step / 2).approx,
            quantiles={level: float(after.quantile(level)) for level in LEVELS},
            method="exact" if after.is_exact else "transform",
            error=after.error,
        )

    def _normal(self, rounds: int, mean: float, spread: float) -> WinFigures:
        """More nets than any list holds: the normal, off by no more than Berry and Esseen say."""
        third = sum(abs(net - self._moments[0]) ** 3 * chance for net, chance in self.house_net.items())
        error = 0.4748 * float(third) / (float(self._moments[1]) ** 1.5 * sqrt(rounds))
        normal = NormalDist(mean, spread)
        return WinFigures(
            rounds=rounds,
            handle=self.handle * rounds,
            theo=self._moments[0] * rounds,
            standard_deviation=spread,
            chance_of_loss=normal.cdf(0),
            quantiles={level: normal.inv_cdf(float(level)) for level in LEVELS},
            method="normal",
            error=error,
        )

    @property
    def _step(self) -> Fraction:
        return fraction_gcd(list(self.house_net))

    @property
    def _depth(self) -> Fraction:
        """A depth that a day hardly reaches: what the search may come to."""
        return Fraction(round(8 * sqrt(self._moments[1] * self.rounds) + 1)) + max(
            Fraction(0), -min(self.house_net)
        )

    def float_needed(self, risk: Fraction = Fraction(1, 1000)) -> Fall | None:
        """The float that pays all day but for this risk; None where finding it would take long."""
        cost = below_start_cost(self.house_net, self.rounds, self._depth)
        if cost.seconds * TRIALS / 2 > EXACT_SECONDS:
            return None
        return enough(
            lambda amount: chance_below_start(self.house_net, self.rounds, amount), self._step, risk
        )

    def drawdown(self, risk: Fraction = Fraction(1, 1000)) -> Fall | None:
        """The fall from a peak that is exceeded with this risk; None where that would take long."""
        cost = drawdown_cost(self.house_net, self.rounds, self._depth)
        if cost.seconds * TRIALS / 2 > EXACT_SECONDS:
            return None
        return enough(
            lambda amount: chance_of_drawdown(self.house_net, self.rounds, amount), self._step, risk
        )
