"""A progressive: what its meter adds to a box, the meter at which the bet breaks even, and the long run.

Each stake puts its share on the meter before the dice fall. A hit pays a share of the meter besides the box's
own odds; what is left and a new seed begin the next one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from taisai.errors import InputError
from taisai.odds.bets.nets import moments
from taisai.odds.bounds import check_amount
from taisai.odds.layers.multipliers import LayeredOdds
from taisai.rulebooks.layers import Progressive
from taisai.rulebooks.model import PayTable


@dataclass(frozen=True)
class ProgressiveValue:
    """A bet of one stake on the progressive's box."""

    odds: LayeredOdds
    terms: Progressive
    stake_minor: int

    @classmethod
    def of(cls, pay_table: PayTable, stake_minor: int) -> "ProgressiveValue":
        """The progressive of a pay table that has one."""
        layer = pay_table.layer
        if layer is None or layer.progressive is None:
            raise InputError(f"{pay_table.id} has no progressive")
        terms = layer.progressive
        return cls(LayeredOdds.of(pay_table, terms.box), terms, check_amount("a stake", stake_minor))

    @property
    def hit(self) -> Fraction:
        """The chance that a bet takes the meter."""
        return sum((chance for net, chance in self.odds.distribution.items() if net > 0), Fraction(0))

    def distribution(self, meter_minor: int | Fraction) -> Mapping[Fraction, Fraction]:
        """The net of one bet in minor units while the meter stands so, the bet's own share on it."""
        paid = self.terms.paid_share * meter_minor
        return {
            net * self.stake_minor + (paid if net > 0 else 0): chance
            for net, chance in self.odds.distribution.items()
        }

    def returns(self, meter_minor: int | Fraction) -> Fraction:
        """What a unit brings back on average while the meter stands so."""
        return 1 + moments(self.distribution(meter_minor))[0] / self.stake_minor

    @property
    def break_even_meter(self) -> Fraction:
        """The meter at which neither side has an edge; zero or below where the bet alone has none."""
        return (1 - self.odds.returns) * self.stake_minor / (self.hit * self.terms.paid_share)

    @property
    def mean_meter(self) -> Fraction:
        """What the meter shows when it is hit, on average in the long run."""
        between = self.terms.contribution * self.stake_minor / self.hit
        return (self.terms.seed_minor + between) / self.terms.paid_share

    @property
    def long_run_return(self) -> Fraction:
        """What a unit brings back over very many bets: the box, its own share of stakes, and the seeds."""
        return (
            self.odds.returns + self.terms.contribution + self.hit * self.terms.seed_minor / self.stake_minor
        )

    @property
    def chance_of_break_even(self) -> Fraction | None:
        """How often a meter gets to where it favours the player; None where it is not paid whole."""
        if self.terms.paid_share != 1:
            return None
        missing = self.break_even_meter - self.terms.seed_minor
        if missing <= 0:
            return Fraction(1)
        grows = self.terms.contribution * self.stake_minor
        if not grows:
            return Fraction(0)
        # The bet that brings the meter there takes part in it: only the bets before it must have missed.
        return (1 - self.hit) ** (ceil(missing / grows) - 1)
