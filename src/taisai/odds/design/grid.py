"""Odds that can be printed and paid exactly, and the ones among them for a wanted edge."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from taisai.errors import InputError
from taisai.odds.bounds import check_amount
from taisai.odds.exact import OF
from taisai.rulebooks.model import Box

PAYS_MAX: Final = 1_000
# A box with three prices: each may go to twice its present odds, or fall to half.
_PRODUCTS_MAX: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class OddsGrid:
    """Odds to one in equal steps, all of which a chip unit pays in whole minor units."""

    step: Fraction
    unit: int

    def __post_init__(self) -> None:
        check_amount("a chip unit", self.unit)
        if not 0 < self.step <= PAYS_MAX:
            raise InputError(f"a step of odds lies above 0 and up to {PAYS_MAX}, got {self.step}")
        if (self.step * self.unit).denominator != 1:
            raise InputError(
                f"odds in steps of {self.step} cannot be paid on chips of {self.unit} minor units: "
                f"the unit is a multiple of {self.step.denominator}"
            )

    def between(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """All odds on the grid from low to high, above zero."""
        first = max(1, -(-low // self.step))
        return [place * self.step for place in range(int(first), int(high // self.step) + 1)]


@dataclass(frozen=True, slots=True)
class Priced:
    """Odds for a box, and what they return."""

    pays: tuple[Fraction, ...]
    returns: Fraction

    @property
    def edge(self) -> Fraction:
        return 1 - self.returns


def returns_at(box: Box, pays: tuple[Fraction, ...]) -> Fraction:
    """What a unit bet brings back on average, were the box to pay so."""
    ways = [price.rolls.bit_count() for price in box.prices]
    return sum(
        (Fraction(count, OF) * (1 + to_one) for count, to_one in zip(ways, pays, strict=True)), Fraction(0)
    )


def exact_odds(box: Box, edge: Fraction) -> Fraction:
    """The odds of a box with one price that give exactly this edge, printable or not."""
    if len(box.prices) != 1:
        raise InputError(f"{box.id} has {len(box.prices)} prices: no single odds decide its edge")
    return (1 - edge) * OF / box.wins.bit_count() - 1


def choices(box: Box, grid: OddsGrid, returns: Fraction) -> list[Priced]:
    """Odds on the grid, those nearest to a return first; of equals, those that change the box least."""
    if len(box.prices) == 1:
        centre = exact_odds(box, 1 - returns)
        near = grid.between(centre - 4 * grid.step, centre + 4 * grid.step)
        offers: list[tuple[Fraction, ...]] = [(odds,) for odds in near]
    else:
        offers = _rising(box, grid)
    found = [Priced(pays, returns_at(box, pays)) for pays in offers]
    if not found:
        raise InputError(f"no odds on this grid give {box.id} a return near {float(returns):.4f}")
    return sorted(found, key=lambda each: (abs(each.returns - returns), _change(box, each), each.pays))


def _rising(box: Box, grid: OddsGrid) -> list[tuple[Fraction, ...]]:
    """Odds that rise with the number of dice, each from half to twice what it is now."""
    spans = [grid.between(pays / 2, 2 * pays) for pays in box.pays]
    size = 1
    for span in spans:
        size *= len(span)
    if size > _PRODUCTS_MAX:
        raise InputError(f"a step of {grid.step} leaves {size:,} choices for {box.id}: take a larger one")
    return [pays for pays in product(*spans) if list(pays) == sorted(pays)]


def _change(box: Box, offer: Priced) -> Fraction:
    pairs = zip(offer.pays, box.pays, strict=True)
    return sum((abs(new - now) / now for new, now in pairs), Fraction(0))


def odds_for_edge(box: Box, edge: Fraction, grid: OddsGrid) -> tuple[Priced, Priced | None]:
    """The odds with the smallest edge that is at least the wanted one, and the next that is below it."""
    if not 0 <= edge < 1:
        raise InputError(f"an edge lies between 0 and 1, got {edge}")
    offers = choices(box, grid, 1 - edge)
    enough = [each for each in offers if each.edge >= edge]
    less = [each for each in offers if each.edge < edge]
    if not enough:
        raise InputError(f"no odds on this grid leave an edge of {float(edge):.4f} on {box.id}")
    return enough[0], less[0] if less else None
