"""How many rolls it takes to notice loaded dice: by the noncentral chi-square, and by simulation.

A die is biased by x when one face comes up with chance 1/6 + x and the other five share the loss.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.evidence import evidence_over_time, first_alarms
from taisai.odds.extras import needs
from taisai.odds.frame import Frame
from taisai.odds.sequential import WINDOW

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# The battery's tests share alpha; this is how many there are on a long register (Holm's first step).
TESTS: Final = 12
ROLLS_MAX: Final = 10**12
POWER: Final = 0.9


def biased_faces(bias: float) -> Floats:
    """The chances of the six faces of a die that favours the six (or shuns it, for a bias below zero)."""
    if not -1 / 6 <= bias <= 5 / 6 or bias == 0:
        raise InputError(f"a bias changes a face's chance of 1/6: from -0.1667 to 0.8333, not 0; got {bias}")
    return np.array([(5 / 6 - bias) / 5] * 5 + [1 / 6 + bias])


def chi_square_power(
    rolls: int, bias: float, *, dice: int = 1, alpha: float = 0.01, tests: int = TESTS
) -> float:
    """The chance that the better of two tests, all faces or one die's faces, finds `dice` biased dice.

    Alpha is shared between `tests` tests, as Holm's first step does.
    """
    _check(dice=dice, alpha=alpha)
    stats = needs("scipy.stats")
    per_throw = 6 * float(((biased_faces(bias) - 1 / 6) ** 2).sum())
    # Among all 3n dice the mean bias is dice/3 of x; on the biased die's own n throws it is x.
    shift = max(3 * rolls * per_throw * (dice / 3) ** 2, rolls * per_throw)
    return float(stats.ncx2.sf(stats.chi2.isf(alpha / tests, 5), 5, shift))


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
    rolls: int, *, dice: int = 1, alpha: float = 0.01, power: float = POWER, tests: int = TESTS
) -> float | None:
    """The bias that so many rolls find with the chance `power`; None when not even a stuck die is found."""
    _check(power=power)
    low, high = 0.0, 5 / 6
    if chi_square_power(rolls, high, dice=dice, alpha=alpha, tests=tests) < power:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        if chi_square_power(rolls, middle, dice=dice, alpha=alpha, tests=tests) < power:
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
    rolled = roll_biased(bias, shape=(tables, rolls), dice=dice, seed=seed)
    return judge_tables(rolled, alpha=alpha)


def judge_tables(rolled: Ints, *, alpha: float = 0.01, window: int = WINDOW) -> SimulatedPower:
    """Both tests on tables (first axis) of rolls (second) of three dice."""
    tables, rolls = rolled.shape[:2]
    threshold = needs("scipy.stats").chi2.isf(alpha / TESTS, 5)
    faces = np.stack([(rolled == face).sum(axis=1) for face in range(1, 7)], axis=-1)
    by_die = ((faces - rolls / 6) ** 2).sum(axis=-1) / (rolls / 6)
    pooled = ((faces.sum(axis=1) - rolls / 2) ** 2).sum(axis=-1) / (rolls / 2)
    found = (by_die >= threshold).any(axis=1) | (pooled >= threshold)
    alarms = first_alarms(evidence_over_time(rolled, window=window), alpha)
    median = float(np.median(alarms[alarms > 0])) if (alarms > 0).any() else None
    return SimulatedPower(tables, rolls, float(found.mean()), float((alarms > 0).mean()), median)


def roll_biased(bias: float, *, shape: tuple[int, ...], dice: int = 1, seed: int = 0) -> Ints:
    """Rolls of which the first `dice` dice are biased; for trying a test, never for a game."""
    _check(dice=dice)
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
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
