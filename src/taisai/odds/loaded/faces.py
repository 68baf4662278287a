"""Dice with given chances of their faces: the chance of each roll, and what boxes and layouts return then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, prod, sqrt
from typing import Any, Final

from taisai.dice import FACES, ROLLS, Roll
from taisai.errors import InputError
from taisai.odds.bets.nets import moments
from taisai.odds.bets.outcomes import OUTCOMES
from taisai.odds.exposure import Exposure
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import Box, PayTable

FAIR: Final = (Fraction(1, 6),) * 6


@dataclass(frozen=True)
class LoadedDice:
    """Three independent dice, each with its own chances of the six faces."""

    dice: tuple[tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...]]

    @classmethod
    def of(cls, chances: Sequence[Fraction]) -> "LoadedDice":
        """From six chances for all dice alike, or eighteen, die by die; each die's sum to one."""
        if len(chances) not in (6, 18):
            raise InputError(f"expected six chances, or eighteen for three dice, got {len(chances)}")
        each = [tuple(chances[start : start + 6]) for start in range(0, len(chances), 6)]
        for die in each:
            if min(die) < 0 or sum(die) != 1:
                said = ", ".join(map(str, die))
                raise InputError(f"the chances of a die are none below 0 and sum to 1, got {said[:120]}")
        first, second, third = each * 3 if len(each) == 1 else each
        return cls((first, second, third))

    @cached_property
    def rolls(self) -> tuple[Fraction, ...]:
        """The chance of each of the 216 rolls."""
        return tuple(
            prod((die[face - 1] for die, face in zip(self.dice, roll, strict=True)), start=Fraction(1))
            for roll in ROLLS
        )

    @cached_property
    def outcomes(self) -> dict[Roll, Fraction]:
        """The chance of each of the 56 combinations."""
        chances = dict.fromkeys(OUTCOMES, Fraction(0))
        for roll, chance in zip(ROLLS, self.rolls, strict=True):
            chances[roll.called()] += chance
        return chances


@dataclass(frozen=True)
class LoadedOdds:
    """What a unit bet on a box brings with these dice; moments are of the net."""

    box: Box
    dice: LoadedDice

    @cached_property
    def distribution(self) -> Mapping[Fraction, Fraction]:
        """The chance of each net result."""
        chances: dict[Fraction, Fraction] = {Fraction(-1): Fraction(1)}
        for price in self.box.prices:
            chance = sum(
                (each for place, each in enumerate(self.dice.rolls) if price.rolls >> place & 1), Fraction(0)
            )
            chances[Fraction(-1)] -= chance
            chances[price.pays_to_one] = chances.get(price.pays_to_one, Fraction(0)) + chance
        return chances

    @property
    def probability(self) -> Fraction:
        """The chance to win at any price."""
        return 1 - self.distribution[Fraction(-1)]

    @cached_property
    def edge(self) -> Fraction:
        return -moments(self.distribution)[0]

    @property
    def returns(self) -> Fraction:
        return 1 - self.edge

    @property
    def standard_deviation(self) -> float:
        return sqrt(moments(self.distribution)[1])


def loaded_frame(pay_table: PayTable, dice: LoadedDice) -> Frame:
    """The PAR of every box with these dice, the fair edge beside it."""
    fair = LoadedDice.of(FAIR)
    rows: list[dict[str, Any]] = []
    for box in pay_table.boxes:
        odds, before = LoadedOdds(box, dice), LoadedOdds(box, fair)
        rows.append(
            {
                "box": box.id,
                "group": box.group,
                "probability": odds.probability,
                "return": odds.returns,
                "edge": odds.edge,
                "fair_edge": before.edge,
                "change": odds.edge - before.edge,
                "standard_deviation": odds.standard_deviation,
            }
        )
    return Frame.from_rows(rows)


@dataclass(frozen=True, slots=True)
class LoadedExposure:
    """A layout's risk with these dice; the worst outcome does not depend on them, its chance does."""

    mean: Fraction
    fair_mean: Fraction
    worst: Fraction
    worst_chance: Fraction
    loss_at_risk: Fraction


def loaded_exposure(
    pay_table: PayTable,
    stakes: Mapping[str, int],
    dice: LoadedDice,
    *,
    level: float | Fraction = Fraction(99, 100),
) -> LoadedExposure:
    """What the house expects of the bets on a layout, and what it loses at the worst with this confidence."""
    if not isfinite(level) or not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, got {level}")
    held = Exposure(pay_table, stakes)
    nets = [(each.house_net, dice.outcomes[each.roll]) for each in held.results]
    reached, at_risk = Fraction(0), -min(net for net, _ in nets)
    for net, chance in sorted(nets, reverse=True):
        reached += chance
        if reached >= level:
            at_risk = -net
            break
    worst = held.worst
    return LoadedExposure(
        mean=sum((net * chance for net, chance in nets), Fraction(0)),
        fair_mean=held.mean,
        worst=worst.house_net,
        worst_chance=sum((chance for net, chance in nets if net == worst.house_net), Fraction(0)),
        loss_at_risk=at_risk,
    )


def one_face(face: int, more: Fraction) -> tuple[Fraction, ...]:
    """Chances with one face more likely by so much, at the cost of all others alike."""
    return tuple(
        chance + more if each == face else chance - more / 5 for each, chance in zip(FACES, FAIR, strict=True)
    )


def opposite_faces(face: int, more: Fraction) -> tuple[Fraction, ...]:
    """Chances of a die that is too short across one pair of faces: both are likelier, by so much together."""
    pair = (face, 7 - face)
    return tuple(Fraction(1, 6) + (more / 2 if each in pair else -more / 4) for each in FACES)
