"""A pay table with random multipliers: what each box returns, and what bets made together do."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

from taisai.dice import Roll
from taisai.money import check_stake
from taisai.odds.bets.nets import moments
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, WAYS_TOTAL
from taisai.odds.exact import box_odds
from taisai.odds.results.frame import Frame
from taisai.rulebooks.layers import Multiplier
from taisai.rulebooks.model import Box, PayTable


@dataclass(frozen=True)
class LayeredOdds:
    """What a unit bet on a box brings when it may be lit; moments are of the net."""

    box: Box
    multiplier: Multiplier | None

    @classmethod
    def of(cls, pay_table: PayTable, box_id: str) -> "LayeredOdds":
        """A box with the multipliers that its pay table has for it, if any."""
        box = pay_table.box(box_id)
        layers = () if pay_table.layer is None else pay_table.layer.multipliers
        return cls(box, next((each for each in layers if box_id in each.boxes), None))

    def nets_on(self, roll: Roll) -> dict[Fraction, Fraction]:
        """The chance of each net on one roll: one only, where nothing is lit or the box loses."""
        pays = self.box.pays_on(roll)
        if pays is None:
            return {Fraction(-1): Fraction(1)}
        if self.multiplier is None:
            return {pays: Fraction(1)}
        nets = {pays: 1 - self.multiplier.chance}
        for odds, share in self.multiplier.pays:
            nets[odds] = nets.get(odds, Fraction(0)) + self.multiplier.chance * share
        return nets

    @cached_property
    def distribution(self) -> Mapping[Fraction, Fraction]:
        """The chance of each net of a unit bet."""
        chances: dict[Fraction, Fraction] = {}
        for roll, ways in zip(OUTCOMES, WAYS, strict=True):
            for net, chance in self.nets_on(roll).items():
                chances[net] = chances.get(net, Fraction(0)) + chance * Fraction(ways, WAYS_TOTAL)
        return {net: chances[net] for net in sorted(chances)}

    @property
    def returns(self) -> Fraction:
        return 1 + moments(self.distribution)[0]

    @property
    def standard_deviation(self) -> float:
        return sqrt(moments(self.distribution)[1])


def layered_moments(pay_table: PayTable, stakes: Mapping[str, int]) -> tuple[Fraction, Fraction]:
    """The mean and variance of a round's net: one roll for all bets, and each box lit by itself."""
    layered = {name: LayeredOdds.of(pay_table, name) for name in stakes}
    mean = square = Fraction(0)
    for roll, ways in zip(OUTCOMES, WAYS, strict=True):
        expected = spread = Fraction(0)
        for name, stake in stakes.items():
            check_stake(stake)
            nets = layered[name].nets_on(roll)
            middle = sum((net * chance for net, chance in nets.items()), Fraction(0))
            expected += stake * middle
            spread += stake**2 * sum(
                (chance * (net - middle) ** 2 for net, chance in nets.items()), Fraction(0)
            )
        mean += Fraction(ways, WAYS_TOTAL) * expected
        square += Fraction(ways, WAYS_TOTAL) * (expected**2 + spread)
    return mean, square - mean**2


def layered_frame(pay_table: PayTable) -> Frame:
    """The PAR of every box, without and with its multipliers."""
    rows: list[dict[str, Any]] = []
    for box in pay_table.boxes:
        odds = LayeredOdds.of(pay_table, box.id)
        plain = box_odds(box)
        rows.append(
            {
                "box": box.id,
                "lit": Fraction(0) if odds.multiplier is None else odds.multiplier.chance,
                "pays_at_most": max(odds.distribution),
                "return": odds.returns,
                "return_unlit": plain.returns,
                "edge": 1 - odds.returns,
                "standard_deviation": odds.standard_deviation,
                "standard_deviation_unlit": plain.standard_deviation,
            }
        )
    return Frame.from_rows(rows)
