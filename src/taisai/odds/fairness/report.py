"""Are these dice fair? Every test on recorded rolls, one verdict, and the evidence over time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.odds.cost import Cost, afford
from taisai.odds.evidence.paths import Floats, Ints, evidence_over_time, first_alarms
from taisai.odds.fairness.rollfile import as_dice
from taisai.odds.fairness.tests import TestResult, are_sorted, holm, run_tests
from taisai.odds.power import POWER, smallest_bias
from taisai.odds.results.alike import Alike
from taisai.odds.results.frame import Frame

ALPHA: Final = 0.01
# Measured: a roll of a register that is tested whole.
_ROLL_BYTES, _ROLL_SECONDS = 700.0, 3e-6


@dataclass(frozen=True, eq=False)
class FairnessReport(Alike):
    """What recorded rolls say about the dice.

    `alpha` is the chance that fair dice are called suspect. Half of it is for all tests together (Holm), half
    for the sequential test over any length of time.
    """

    dice: Ints = field(repr=False)
    alpha: float
    seed: int
    ordered: bool
    tests: tuple[TestResult, ...]
    adjusted: tuple[float, ...]
    log_evidence: Floats = field(repr=False)

    @property
    def rolls(self) -> int:
        return len(self.dice)

    @property
    def each_alpha(self) -> float:
        """What the tests, and what the sequential test, may spend of `alpha`."""
        return self.alpha / 2

    @property
    def suspect(self) -> tuple[str, ...]:
        """The tests that stand against the dice after Holm's correction."""
        judged = zip(self.tests, self.adjusted, strict=True)
        return tuple(test.name for test, p in judged if p <= self.each_alpha)

    @property
    def alarm_at(self) -> int | None:
        """The roll at which the sequential test raised the alarm."""
        return int(first_alarms(self.log_evidence, self.each_alpha)) or None

    @property
    def is_fair(self) -> bool:
        """Whether nothing stands against the dice; few rolls can hide a lot, see `smallest_bias_noticed`."""
        return not self.suspect and self.alarm_at is None

    @property
    def smallest_bias_noticed(self) -> float | None:
        """The bias of one face of one die that this many rolls show at least nine times in ten."""
        return smallest_bias(self.rolls, alpha=self.alpha, tests=len(self.tests), ordered=self.ordered)

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        if self.is_fair:
            return f"nothing stands against the dice at {1 - self.alpha:.4g} confidence"
        reasons = list(self.suspect)
        if self.alarm_at is not None:
            reasons.append(f"sequential alarm at roll {self.alarm_at}")
        return f"the dice are suspect: {', '.join(reasons)}"

    def frame(self) -> Frame:
        """One row a test."""
        rows = [
            {**test.as_row(), "p_holm": adjusted, "suspect": adjusted <= self.each_alpha}
            for test, adjusted in zip(self.tests, self.adjusted, strict=True)
        ]
        return Frame.from_rows(rows)

    def document(self) -> dict[str, Any]:
        """All of it as plain JSON, with what is needed to repeat it."""
        peak = float(self.log_evidence.max())
        return {
            "schema": "taisai.fairness/1",
            "rolls": self.rolls,
            "alpha": self.alpha,
            "seed": self.seed,
            "ordered": self.ordered,
            "fair": self.is_fair,
            "verdict": self.verdict,
            "tests": self.frame().rows(),
            "sequential": {
                "log_evidence": float(self.log_evidence[-1]),
                "peak_log_evidence": peak,
                "p_value": min(1.0, exp(-max(peak, 0.0))),
                "alarm_log_evidence": -log(self.each_alpha),
                "alarm_at": self.alarm_at,
            },
            "power": {"chance": POWER, "smallest_bias_noticed": self.smallest_bias_noticed},
        }


def fairness(
    rolls: Sequence[Roll] | npt.NDArray[np.integer],
    *,
    alpha: float = ALPHA,
    seed: int = 0,
    ordered: bool | None = None,
) -> FairnessReport:
    """Test recorded rolls against fair dice.

    `ordered=False` says that the dice were written down by size; None finds out from the rolls.

    >>> fairness([Roll(6, 6, 6)] * 20).is_fair
    False
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha is a chance between 0 and 1, got {alpha!r}")
    dice = as_dice(rolls)
    afford(
        f"a register of {len(dice):,} rolls",
        Cost(memory_bytes=_ROLL_BYTES * len(dice), seconds=_ROLL_SECONDS * len(dice)),
        less="test a part of it, or watch it roll by roll (--watch)",
    )
    if ordered is None:
        ordered = not are_sorted(dice)
    tests = tuple(run_tests(dice, seed=seed, ordered=ordered))
    adjusted = tuple(holm([test.p_value for test in tests]))
    return FairnessReport(
        dice, alpha, seed, ordered, tests, adjusted, evidence_over_time(dice, ordered=ordered)
    )
