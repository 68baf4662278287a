"""A mix of bets on one roll: any boxes of one or more pay tables, and what the whole of it nets.

Bets on several pay tables ride on the same three dice, so a round has at most 56 different outcomes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from types import MappingProxyType
from typing import Any

from taisai.dice import ROLLS, Roll, places_in
from taisai.errors import InputError
from taisai.money import check_stake, payable_unit
from taisai.odds.bets.nets import NetAfter, moments, net_after
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, WAYS_TOTAL
from taisai.odds.results.chance import Chance
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import Box, PayTable


@dataclass(frozen=True, slots=True)
class MixBet:
    """One stake on a box of a named pay table."""

    pay_table: str
    box: Box
    stake_minor: int


@dataclass(frozen=True)
class Mix:
    """Bets that are made together, round after round.

    >>> import taisai
    >>> mix = Mix.on(taisai.pay_table("tai-sai-v6/2"), {"big": 100, "sum-9": 20})
    >>> mix.edge
    Fraction(23, 648)
    """

    bets: tuple[MixBet, ...]

    @classmethod
    def on(cls, pay_table: PayTable, stakes: Mapping[str, int]) -> "Mix":
        """The bets of one slip: box ids and stakes in minor units."""
        if not stakes:
            raise InputError("a mix needs at least one bet such as big=100, got none")
        return cls(
            tuple(
                MixBet(pay_table.id, pay_table.box(box_id), check_stake(stake))
                for box_id, stake in stakes.items()
            )
        )

    def also(self, pay_table: PayTable, stakes: Mapping[str, int]) -> "Mix":
        """The same mix with bets on another pay table, decided by the same dice."""
        return Mix(self.bets + Mix.on(pay_table, stakes).bets)

    @property
    def stake_minor(self) -> int:
        """What one round puts at risk."""
        return sum(bet.stake_minor for bet in self.bets)

    @cached_property
    def _whole(self) -> tuple[int, list[int]]:
        """The net on each roll in whole fractions of a minor unit, and how many of them make one."""
        unit = payable_unit(pays for bet in self.bets for pays in bet.box.pays)
        nets = [-unit * self.stake_minor] * len(ROLLS)
        for bet in self.bets:
            paid = 0
            for price in bet.box.prices:
                won = (int(price.pays_to_one * unit) + unit) * bet.stake_minor
                for place in places_in(price.rolls & ~paid):  # a roll is paid at the first price that has it
                    nets[place] += won
                paid |= price.rolls
        return unit, nets

    def net_on(self, roll: Roll) -> Fraction:
        """What the mix nets on a roll; half a minor unit is kept, since this is mathematics, not money."""
        unit, nets = self._whole
        return Fraction(nets[roll.index], unit)

    @cached_property
    def distribution(self) -> Mapping[Fraction, Fraction]:
        """The chance of each net of one round, lowest first; for reading."""
        ways: dict[Fraction, int] = {}
        for outcome, count in zip(OUTCOMES, WAYS, strict=True):
            net = self.net_on(outcome)
            ways[net] = ways.get(net, 0) + count
        return MappingProxyType({net: Fraction(ways[net], WAYS_TOTAL) for net in sorted(ways)})

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        return moments(self.distribution)

    @property
    def mean(self) -> Fraction:
        """The expected net of one round, in minor units."""
        return self._moments[0]

    @property
    def variance(self) -> Fraction:
        return self._moments[1]

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def edge(self) -> Fraction:
        """The house's expected share of what is staked."""
        return -self.mean / self.stake_minor

    @property
    def skewness(self) -> float:
        """0 for bets that cover each other so well that the net never changes."""
        return float(self._moments[2]) / self.standard_deviation**3 if self.variance else 0.0

    @property
    def chance_ahead(self) -> Chance:
        """The chance that one round nets more than nothing."""
        return Chance.of(sum((p for net, p in self.distribution.items() if net > 0), Fraction(0)))

    def after(self, rounds: int, *, exact: bool | None = None) -> NetAfter:
        """The distribution of the net after a number of rounds."""
        return net_after(self.distribution, rounds, exact=exact)

    def loss_per_hour(self, pace: int) -> Fraction:
        """What the house expects to win from this mix in an hour of `pace` rounds."""
        if type(pace) is not int or pace < 1:
            raise InputError(f"a pace is a whole number of rounds an hour above zero, got {pace!r}")
        return -self.mean * pace

    def swing_per_hour(self, pace: int) -> float:
        """The standard deviation of an hour's net at `pace` rounds."""
        return sqrt(self.variance * pace)

    def frame(self) -> Frame:
        """The 56 outcomes with their dice, ways and net."""
        rows: list[dict[str, Any]] = [
            {"dice": str(outcome), "total": outcome.total, "ways": ways, "net": self.net_on(outcome)}
            for outcome, ways in zip(OUTCOMES, WAYS, strict=True)
        ]
        return Frame.from_rows(rows)
