"""The same figures by two other routes: a generating function, and a simulation with a stated seed.

The simulation draws how often each of the 216 rolls fell (a multinomial count, exact in distribution and as
quick for a billion rounds as for one), and asks, all together at one stated level: are rolls,
combinations and totals distributed as they should be, and does each box's return lie in its band? Beside that
the product's own dice are counted, and its own engines play every box at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from taisai.dice import FACES, ROLLS, Roll, roll_of_byte
from taisai.errors import InputError
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, WAYS_TOTAL
from taisai.odds.exact import box_odds
from taisai.odds.extras import needs
from taisai.rulebooks.model import Box, PayTable

ROUNDS: Final = 100_000_000
ROUNDS_MIN: Final = 10_000
ROUNDS_MAX: Final = 10**15
LEVEL: Final = Fraction(1, 100)
_DICE_BYTES: Final = 1_000_000
_ENGINE_ROUNDS_MAX: Final = 10**9
_BITS: Final = tuple(1 << outcome.index for outcome in OUTCOMES)


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """One goodness-of-fit test."""

    name: str
    statistic: float
    freedom: int
    p_value: float
    passes: bool


@dataclass(frozen=True, slots=True)
class BoxReturn:
    """A box's simulated return beside its exact one."""

    box: str
    exact: Fraction
    observed: Fraction
    z: float
    passes: bool


@dataclass(frozen=True)
class CrossCheck:
    """What the simulation and the generating function say."""

    rounds: int
    seed: int
    level: Fraction
    threshold: float
    z_max: float
    totals: dict[int, int]
    tests: tuple[ChiSquare, ...]
    returns: tuple[BoxReturn, ...]
    generating_function_agrees: bool

    @cached_property
    def passes(self) -> bool:
        """Whether every route agrees."""
        return (
            self.generating_function_agrees
            and all(test.passes for test in self.tests)
            and all(each.passes for each in self.returns)
        )

    @property
    def worst_z(self) -> float:
        return max(abs(each.z) for each in self.returns)


def generating_function_ways() -> dict[Roll, int]:
    """The ways of each combination as the coefficients of (x1 + … + x6)³: nothing is enumerated."""
    ways = {}
    for outcome in OUTCOMES:
        count = factorial(3)
        for face in FACES:
            count //= factorial(outcome.count(face))
        ways[outcome] = count
    return ways


def generating_function_returns(box: Box, ways_of: dict[Roll, int]) -> Fraction:
    """A box's return from those coefficients and what it pays on each combination."""
    return _paid(box, ways_of) / WAYS_TOTAL


def _paid(box: Box, counts: Mapping[Roll, int]) -> Fraction:
    """What unit bets bring back in all, stakes included; the combinations are in the order of `OUTCOMES`."""
    paid, before = Fraction(0), 0
    for price in box.prices:
        rolls = price.rolls & ~before
        won = sum(count for bit, count in zip(_BITS, counts.values(), strict=True) if rolls & bit)
        paid += won * (1 + price.pays_to_one)
        before |= price.rolls
    return paid


def cross_check(
    pay_table: PayTable, *, rounds: int = ROUNDS, seed: int = 1, level: Fraction = LEVEL
) -> CrossCheck:
    """Simulate, and compare with enumeration and generating function."""
    if type(rounds) is not int or not ROUNDS_MIN <= rounds <= ROUNDS_MAX:
        raise InputError(f"a cross-check takes {ROUNDS_MIN} to {ROUNDS_MAX} rounds, got {rounds!r}")
    if type(seed) is not int or seed < 0:
        raise InputError(f"a seed is a whole number, zero or above, got {seed!r}")
    random = np.random.Generator(np.random.PCG64(seed))
    counts = random.multinomial(rounds, np.full(len(ROLLS), 1 / len(ROLLS))).tolist()
    by_combination, by_total = dict.fromkeys(OUTCOMES, 0), dict.fromkeys(range(3, 19), 0)
    for roll, count in zip(ROLLS, counts, strict=True):
        by_combination[roll.called()] += count
        by_total[roll.total] += count
    # All questions share the level, so that a sound simulation fails any of them no more often than stated.
    own = _own_dice(seed), *_own_engines(pay_table, rounds, seed)
    threshold = float(level) / (3 + len(own) + len(pay_table.boxes))
    z_max = NormalDist().inv_cdf(1 - threshold / 2)
    ways_of_total = [sum(roll.total == total for roll in ROLLS) for total in by_total]
    tests = (
        _chi_square("216 rolls", counts, [1] * len(ROLLS), threshold),
        _chi_square("56 combinations", list(by_combination.values()), list(WAYS), threshold),
        _chi_square("16 totals", list(by_total.values()), ways_of_total, threshold),
        *(_judged(*each, threshold) for each in own),
    )
    returns = tuple(_box_return(box, by_combination, rounds, z_max) for box in pay_table.boxes)
    ways_of = generating_function_ways()
    agrees = all(
        generating_function_returns(box, ways_of) == each.exact
        for box, each in zip(pay_table.boxes, returns, strict=True)
    )
    return CrossCheck(rounds, seed, level, threshold, z_max, by_total, tests, returns, agrees)


def _own_dice(seed: int) -> tuple[str, float, int]:
    """The dice that an automatic table throws: random bytes, each a roll or thrown away."""
    random = np.random.Generator(np.random.PCG64([seed, _DICE_BYTES]))
    fallen = np.bincount(np.frombuffer(random.bytes(_DICE_BYTES), dtype=np.uint8), minlength=256)
    counts = dict.fromkeys(ROLLS, 0)
    for byte, count in enumerate(fallen.tolist()):
        roll = roll_of_byte(byte)
        if roll is not None:
            counts[roll] += count
    return "the tables' own dice", _distance(list(counts.values()), [1] * len(ROLLS)), len(ROLLS) - 1


def _own_engines(pay_table: PayTable, rounds: int, seed: int) -> Iterator[tuple[str, float, int]]:
    """The engines of `taisai simulate` on every box at once: totals, and paths round by round."""
    from taisai.odds.simulation import simulate
    from taisai.odds.simulation.play import PAYS_MAX

    if max(pays for box in pay_table.boxes for pays in box.pays) > PAYS_MAX:
        return  # such odds are nothing that the engines play
    slip = {box.id: pay_table.unit for box in pay_table.boxes}
    for name, options in (
        ("engine of totals", {"rounds": min(rounds, _ENGINE_ROUNDS_MAX)}),
        ("engine of paths", {"rounds": 500, "players": 500, "bankroll": 1 << 40, "engine": "numpy"}),
    ):
        run = simulate(pay_table, slip, seed=seed, threads=1, **options)
        yield name, (run.z_score or 0.0) ** 2, 1


def _chi_square(name: str, counts: list[int], ways: list[int], threshold: float) -> ChiSquare:
    return _judged(name, _distance(counts, ways), len(counts) - 1, threshold)


def _distance(counts: list[int], ways: list[int]) -> float:
    """Chi-square of counts against their ways out of 216."""
    rounds = sum(counts)
    return sum(
        (count - rounds * way / WAYS_TOTAL) ** 2 / (rounds * way / WAYS_TOTAL)
        for count, way in zip(counts, ways, strict=True)
    )


def _judged(name: str, statistic: float, freedom: int, threshold: float) -> ChiSquare:
    # A server makes PAR sheets too, and it has flint but not SciPy.
    arb = needs("flint").arb
    p_value = float(arb(statistic / 2).gamma_upper(arb(freedom) / 2, regularized=1).mid())
    return ChiSquare(name, statistic, freedom, p_value, p_value >= threshold)


def _box_return(box: Box, counts: dict[Roll, int], rounds: int, z_max: float) -> BoxReturn:
    odds = box_odds(box)
    exact, observed = odds.returns, _paid(box, counts) / rounds
    z = float(observed - exact) / (odds.standard_deviation / sqrt(rounds))
    return BoxReturn(box.id, exact, observed, z, abs(z) <= z_max)
