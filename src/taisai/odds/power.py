"""How many rolls it takes to notice loaded dice: by the noncentral chi-square, and by simulation.

A die is biased by x when one face comes up with chance 1/6 + x and the other five share the loss.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.bounds import check_count
from taisai.odds.cost import Cost, afford
from taisai.odds.evidence.paths import evidence_over_time, first_alarms
from taisai.odds.extras import needs
from taisai.odds.results.frame import Frame
from taisai.odds.sequential import WINDOW

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# The battery's tests share alpha; this is how many there are on a long register (Holm's first step).
TESTS: Final = 12
ROLLS_MAX: Final = 10**12
POWER: Final = 0.9
# Measured: a roll among many that are judged at once.
_ROLL_BYTES, _ROLL_SECONDS = 700.0, 2e-6
_ROLLS_AT_ONCE: Final = 400_000
_POINTS_MAX: Final = 2_001


def biased_faces(bias: float) -> Floats:
    """The chances of the six faces of a die that favours the six (or shuns it, for a bias below zero)."""
    if not -1 / 6 <= bias <= 5 / 6 or bias == 0:
        raise InputError(f"a bias changes a face's chance of 1/6: from -0.1667 to 0.8333, not 0; got {bias}")
    return np.array([(5 / 6 - bias) / 5] * 5 + [1 / 6 + bias])


def chi_square_power(
    rolls: int,
    bias: float,
    *,
    dice: int = 1,
    alpha: float = 0.01,
    tests: int = TESTS,
    ordered: bool = True,
) -> float:
    """The chance, at least, that the verdict finds `dice` biased dice: by the faces of all, or of each die.

    The tests have half of alpha, and share it between `tests` of them as Holm's first step does. The dice are
    independent, so the chance that one of their own tests finds something is exact; the test of all faces is
    taken instead where it alone does better. Dice recorded by size have no tests of their own.
    """
    _check(dice=dice, alpha=alpha)
    favoured = float(biased_faces(bias)[-1])
    each = alpha / 2 / tests
    beyond = float(needs("scipy.stats").chi2.isf(each, 5))
    together = _faces_power([(dice * rolls, favoured), ((3 - dice) * rolls, 1 / 6)], beyond)
    if not ordered:
        return together
    alone = _faces_power([(rolls, favoured)], beyond)
    return max(together, 1 - (1 - alone) ** dice * (1 - each) ** (3 - dice))


def _faces_power(thrown: list[tuple[int, float]], beyond: float) -> float:
    """The chance that the chi-square of throws, some with a favoured face, is beyond a threshold.

    Given how often the favoured face came, the five others are alike, and what they add to the statistic is a
    chi-square of four degrees times their mean; so only that is approximated, and no small bias is assumed.
    """
    total = sum(throws for throws, _ in thrown)
    counts, chances = _favoured_counts([(throws, chance) for throws, chance in thrown if throws])
    apart = 1.2 * (counts - total / 6) ** 2
    left = np.maximum(total - counts, 1e-9) / 5
    found = needs("scipy.stats").chi2.sf((beyond * total / 6 - apart) / left, 4)
    return float((chances * found).sum())


def _favoured_counts(thrown: list[tuple[int, float]]) -> tuple[Floats, Floats]:
    """How often the favoured face comes, and how likely that is: where it is likely, at most some points."""
    mean = sum(throws * chance for throws, chance in thrown)
    spread = sqrt(sum(throws * chance * (1 - chance) for throws, chance in thrown))
    total = sum(throws for throws, _ in thrown)
    low, high = max(0, int(mean - 9 * spread)), min(total, int(mean + 9 * spread) + 1)
    counts = np.unique(np.linspace(low, high, min(high - low + 1, _POINTS_MAX)).astype(np.int64)).astype(
        float
    )
    if len(thrown) == 1:
        throws, chance = thrown[0]
        chances = needs("scipy.stats").binom.pmf(counts, throws, chance)
    else:
        # Two kinds of dice: their sum is as good as normal at any number of rolls that finds anything.
        chances = np.exp(-(((counts - mean) / max(spread, 1e-9)) ** 2) / 2)
    return counts, np.asarray(chances / chances.sum())


def rolls_to_notice(
    bias: float, *, dice: int = 1, alpha: float = 0.01, power: float = POWER, tests: int = TESTS
) -> int:
    """The fewest rolls after which biased dice are found with the chance `power`."""
    _check(power=power)
    high = 1
    while chi_square_power(high, bias, dice=dice, alpha=alpha, tests=tests) < power:
        high *= 2
        if high > ROLLS_MAX:
            raise InputError(f"a bias of {bias} is not noticed within {ROLLS_MAX} rolls")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if chi_square_power(middle, bias, dice=dice, alpha=alpha, tests=tests) < power:
            low = middle
        else:
            high = middle
    return high


def smallest_bias(
    rolls: int,
    *,
    dice: int = 1,
    alpha: float = 0.01,
    power: float = POWER,
    tests: int = TESTS,
    ordered: bool = True,
) -> float | None:
    """The bias that so many rolls find with the chance `power`; None when not even a stuck die is found."""
    _check(power=power)

    def found(bias: float) -> bool:
        return chi_square_power(rolls, bias, dice=dice, alpha=alpha, tests=tests, ordered=ordered) >= power

    low, high = 0.0, 5 / 6
    if not found(high):
        return None
    for _ in range(60):
        middle = (low + high) / 2
        if not found(middle):
            low = middle
        else:
            high = middle
    return high


@dataclass(frozen=True, slots=True)
class SimulatedPower:
    """What simulated tables with biased dice did: the share found, and when the monitor's alarm came."""

    tables: int
    rolls: int
    chi_square: float
    sequential: float
    median_alarm: float | None


def simulate_power(
    bias: float, *, rolls: int, dice: int = 1, alpha: float = 0.01, tables: int = 200, seed: int = 0
) -> SimulatedPower:
    """Play biased dice on many tables; the chi-square test looks once, at the end, the monitor always."""
    check_count("a number of tables", tables)
    at_once = max(1, min(tables, _ROLLS_AT_ONCE // rolls))
    afford(
        f"{tables:,} tables of {rolls:,} rolls",
        Cost(memory_bytes=_ROLL_BYTES * at_once * rolls, seconds=_ROLL_SECONDS * tables * rolls),
        less="ask for fewer --tables or a larger bias",
    )
    streams = np.random.SeedSequence(seed).spawn(-(-tables // at_once))
    found: list[npt.NDArray[np.bool_]] = []
    alarms: list[Ints] = []
    for number, stream in enumerate(streams):
        here = min(at_once, tables - number * at_once)
        rolled = roll_biased(bias, shape=(here, rolls), dice=dice, seed=stream)
        found.append(_faces_found(rolled, alpha / 2))
        alarms.append(first_alarms(evidence_over_time(rolled), alpha / 2))
    return _judged(np.concatenate(found), np.concatenate(alarms), rolls)


def judge_tables(rolled: Ints, *, alpha: float = 0.01, window: int = WINDOW) -> SimulatedPower:
    """Both tests on tables (first axis) of rolls (second) of three dice, with half of alpha each."""
    alarms = first_alarms(evidence_over_time(rolled, window=window), alpha / 2)
    return _judged(_faces_found(rolled, alpha / 2), alarms, rolled.shape[1])


def _judged(found: npt.NDArray[np.bool_], alarms: Ints, rolls: int) -> SimulatedPower:
    median = float(np.median(alarms[alarms > 0])) if (alarms > 0).any() else None
    return SimulatedPower(len(found), rolls, float(found.mean()), float((alarms > 0).mean()), median)


def _faces_found(rolled: Ints, alpha: float) -> npt.NDArray[np.bool_]:
    """Whether the faces of one die, or of all, speak against the dice at each table."""
    rolls = rolled.shape[1]
    threshold = needs("scipy.stats").chi2.isf(alpha / TESTS, 5)
    faces = np.stack([(rolled == face).sum(axis=1) for face in range(1, 7)], axis=-1)
    by_die = ((faces - rolls / 6) ** 2).sum(axis=-1) / (rolls / 6)
    pooled = ((faces.sum(axis=1) - rolls / 2) ** 2).sum(axis=-1) / (rolls / 2)
    return np.asarray((by_die >= threshold).any(axis=1) | (pooled >= threshold))


def roll_biased(
    bias: float, *, shape: tuple[int, ...], dice: int = 1, seed: int | np.random.SeedSequence = 0
) -> Ints:
    """Rolls of which the first `dice` dice are biased; for trying a test, never for a game."""
    _check(dice=dice)
    stream = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    random = np.random.Generator(np.random.PCG64(stream))
    rolled = random.integers(1, 7, size=(*shape, 3))
    rolled[..., :dice] = 1 + random.choice(6, size=(*shape, dice), p=biased_faces(bias))
    return rolled


def power_table(bias: float, *, alpha: float = 0.01) -> Frame:
    """The rolls needed to find one, two or three biased dice, at several chances."""

    def needed(dice: int, power: float) -> int:
        return rolls_to_notice(bias, dice=dice, alpha=alpha, power=power)

    columns: dict[str, list[int]] = {"biased_dice": [1, 2, 3]}
    for power in (0.5, POWER, 0.99):
        columns[f"rolls_for_{power:.0%}"] = [needed(dice, power) for dice in (1, 2, 3)]
    return Frame(columns)


def _check(*, dice: int = 1, alpha: float = 0.01, power: float = POWER) -> None:
    if dice not in (1, 2, 3):
        raise InputError(f"one, two or three dice can be biased, got {dice!r}")
    for name, chance in (("alpha", alpha), ("power", power)):
        if not 0 < chance < 1:
            raise InputError(f"{name} is a chance between 0 and 1, got {chance!r}")
