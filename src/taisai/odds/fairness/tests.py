"""The tests of recorded rolls against fair dice, and Holm's verdict over all of them.

Counts are tested by chi-square; where some expected count is below five, the p-value comes from the exact
multinomial by seeded Monte Carlo instead, which is valid at any size. Events of one chance are tested by the
exact binomial, runs by their exact distribution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.dice import COMBINATIONS, ROLLS
from taisai.odds.evidence.paths import combination_places
from taisai.odds.extras import needs

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

RESAMPLES: Final = 19_999
EXPECTED_MIN: Final = 5
LAGS: Final = 5
SERIAL_MIN: Final = 100
# All rolls in order of size by chance: 56/216 to the power of this many, less than one in 10^17.
SORTED_MIN: Final = 30

_FACES: Final = np.full(6, 1 / 6)
_TOTALS: Final = np.bincount([roll.total for roll in ROLLS], minlength=19)[3:] / len(ROLLS)
_COMBINATIONS: Final = np.array(list(COMBINATIONS.values())) / len(ROLLS)


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test: what was measured, and how likely something as extreme is with fair dice."""

    __test__ = False  # a name that pytest would otherwise take for a test class

    name: str
    method: str
    statistic: float
    expected: float
    p_value: float

    def as_row(self) -> dict[str, Any]:
        return {
            "test": self.name,
            "method": self.method,
            "statistic": round(self.statistic, 3),
            "expected": round(self.expected, 3),
            "p_value": self.p_value,
        }


def are_sorted(dice: Ints) -> bool:
    """Whether the register holds the dice by size, so that it no longer knows which die is which."""
    return len(dice) >= SORTED_MIN and bool((np.diff(dice, axis=1) >= 0).all())


def run_tests(dice: Ints, *, seed: int = 0, ordered: bool = True) -> list[TestResult]:
    """Every test that the register allows; tests of single dice need to know which die is which."""
    return list(_tests(dice, seed, ordered))


def _tests(dice: Ints, seed: int, ordered: bool) -> Iterator[TestResult]:
    rolls = len(dice)
    yield counts_test("faces", np.bincount(dice.ravel(), minlength=7)[1:], _FACES, seed)
    if ordered:
        for die in range(3):
            yield counts_test(
                f"faces of die {die + 1}", np.bincount(dice[:, die], minlength=7)[1:], _FACES, seed
            )
    yield counts_test("totals", np.bincount(dice.sum(axis=1), minlength=19)[3:], _TOTALS, seed)
    yield counts_test(
        "combinations", np.bincount(combination_places(dice), minlength=56), _COMBINATIONS, seed
    )
    triples = int((dice.max(axis=1) == dice.min(axis=1)).sum())
    yield event_test("triples", triples, rolls, 1 / 36)
    if ordered and rolls > 1:
        repeats = int((dice[1:] == dice[:-1]).sum())
        yield event_test("repeated faces", repeats, 3 * (rolls - 1), 1 / 6)
    if ordered and rolls >= 36 * EXPECTED_MIN:
        yield between_dice_test(dice)
    if rolls >= SERIAL_MIN:
        yield serial_test(dice.sum(axis=1))
    yield from _runs(dice)


def counts_test(name: str, counts: Ints, chances: Floats, seed: int) -> TestResult:
    """Counts in categories against their chances."""
    trials = int(counts.sum())
    freedom = len(chances) - 1
    statistic = float(_chi_square(counts, trials, chances))
    if trials * chances.min() >= EXPECTED_MIN:
        p_value = float(needs("scipy.stats").chi2.sf(statistic, freedom))
        return TestResult(name, "chi-square", statistic, freedom, p_value)
    null = _null_statistics(trials, tuple(chances.tolist()), seed)
    # Ties must count as extreme whatever rounding did to the last digit.
    extreme = len(null) - int(np.searchsorted(null, statistic * (1 - 1e-9)))
    return TestResult(name, "exact multinomial", statistic, freedom, (1 + extreme) / (1 + len(null)))


def _chi_square(counts: Ints, trials: int, chances: Floats) -> Floats:
    expected = trials * chances
    return np.asarray(((counts - expected) ** 2 / expected).sum(axis=-1))


@lru_cache(maxsize=16)
def _null_statistics(trials: int, chances: tuple[float, ...], seed: int) -> Floats:
    """What the statistic does with fair dice, in order of size."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, trials, len(chances)])))
    counts = random.multinomial(trials, chances, size=RESAMPLES)
    return np.sort(_chi_square(counts, trials, np.array(chances)))


def event_test(name: str, happened: int, trials: int, chance: float) -> TestResult:
    """How often one event happened, by the exact binomial, both sides."""
    p_value = needs("scipy.stats").binomtest(happened, trials, chance).pvalue
    return TestResult(name, "exact binomial", happened, trials * chance, float(p_value))


def between_dice_test(dice: Ints) -> TestResult:
    """Whether what one die shows depends on another in the same roll.

    The interactions of the three pairs are uncorrelated, so their chi-squares of 25 degrees add up.
    """
    statistic = 0.0
    for one, other in ((0, 1), (0, 2), (1, 2)):
        table = np.bincount((dice[:, one] - 1) * 6 + dice[:, other] - 1, minlength=36).reshape(6, 6)
        rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
        interaction = table - rows / 6 - columns / 6 + len(dice) / 36
        statistic += float((interaction**2).sum() * 36 / len(dice))
    p_value = float(needs("scipy.stats").chi2.sf(statistic, 75))
    return TestResult("between the dice", "chi-square", statistic, 75, p_value)


def serial_test(totals: Ints) -> TestResult:
    """Whether totals depend on earlier ones: correlations at five lags, taken together (Ljung and Box).

    Dividing by the variance seen, not by the known 35/4, keeps the test honest on short registers.
    """
    rolls = len(totals)
    centred = totals - 10.5
    power = float((centred**2).sum())
    correlations = [float((centred[lag:] * centred[:-lag]).sum()) / power for lag in range(1, LAGS + 1)]
    statistic = rolls * (rolls + 2) * sum(r**2 / (rolls - lag) for lag, r in enumerate(correlations, start=1))
    p_value = float(needs("scipy.stats").chi2.sf(statistic, LAGS))
    return TestResult("serial correlation", "chi-square", statistic, LAGS, p_value)


def _runs(dice: Ints) -> Iterator[TestResult]:
    """Runs of big and small, and of odd and even; triples are neither and are left out."""
    totals = dice.sum(axis=1)[dice.max(axis=1) != dice.min(axis=1)]
    for name, signs in (("runs of big and small", totals > 10), ("runs of odd and even", totals % 2 == 1)):
        result = runs_test(name, signs)
        if result is not None:
            yield result


def runs_test(name: str, signs: npt.NDArray[np.bool_]) -> TestResult | None:
    """The number of runs given how many of each sign there are, exact; nothing to say with one sign only."""
    ones = int(signs.sum())
    zeros = len(signs) - ones
    if not ones or not zeros:
        return None
    runs = 1 + int((signs[1:] != signs[:-1]).sum())
    chances = _runs_distribution(ones, zeros)
    # chances[k] belongs to k + 2 runs, since there are at least two.
    lower, upper = float(chances[: runs - 1].sum()), float(chances[runs - 2 :].sum())
    mean = 1 + 2 * ones * zeros / len(signs)
    return TestResult(name, "exact runs", runs, mean, min(1.0, 2 * min(lower, upper)))


def _runs_distribution(ones: int, zeros: int) -> Floats:
    """The chance of 2, 3, … runs of two signs in random order."""
    log_gamma = needs("scipy.special").gammaln

    def log_ways(items: int, parts: npt.NDArray[Any]) -> Floats:
        """Ways to cut a line of items into so many parts: C(items - 1, parts - 1)."""
        with np.errstate(invalid="ignore"):
            ways = log_gamma(items) - log_gamma(parts) - log_gamma(items - parts + 1)
        return np.where(parts <= items, ways, -np.inf)

    runs = np.arange(2, 2 * min(ones, zeros) + 2)
    fewer, more = runs // 2, (runs + 1) // 2
    logs = np.logaddexp(
        log_ways(ones, more) + log_ways(zeros, fewer), log_ways(ones, fewer) + log_ways(zeros, more)
    )
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: rejecting those below alpha errs anywhere with a chance of at most alpha."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
