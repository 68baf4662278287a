"""What recorded rolls say of each box's edge: a Dirichlet prior on the faces, and the posterior in money.

The three dice are taken for alike and independent. A return is a polynomial of third degree in the faces'
chances, so its posterior mean and spread follow exactly from the Dirichlet distribution's moments; quantiles
and the chance that the edge is gone are drawn, and say their error.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm, prod, sqrt
from operator import add
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.dice import FACES, Roll
from taisai.errors import InputError
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, net_on
from taisai.odds.bounds import check_count, check_seed
from taisai.odds.cost import Cost, afford
from taisai.odds.exact import box_odds
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import Box, PayTable

DRAWS: Final = 20_000
DRAWS_MAX: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class EdgePosterior:
    """What is known of one box's edge."""

    box: str
    fair_edge: Fraction
    mean: Fraction
    standard_deviation: float
    low: float
    high: float
    chance_gone: float
    chance_error: float


class FacePosterior:
    """The faces' chances after some rolls."""

    def __init__(self, counts: tuple[int, ...], *, prior: Fraction = Fraction(1)) -> None:
        if len(counts) != len(FACES) or any(type(count) is not int or count < 0 for count in counts):
            raise InputError(f"expected how often each of six faces came, got {counts}")
        if prior <= 0:
            raise InputError(f"a prior weight lies above zero, got {prior}")
        self.counts = counts
        self.weights = tuple(prior + count for count in counts)
        # In whole numbers: each weight times the prior's denominator.
        self._scale = prior.denominator
        self._whole = tuple(int(weight * self._scale) for weight in self.weights)

    @property
    def means(self) -> tuple[Fraction, ...]:
        """The expected chance of each face."""
        return tuple(Fraction(weight, sum(self._whole)) for weight in self._whole)

    def _rising(self, powers: tuple[int, ...]) -> int:
        """The expectation of a product of powers of the faces' chances, times `_below` of their sum."""
        return prod(
            weight + more * self._scale
            for weight, power in zip(self._whole, powers, strict=True)
            for more in range(power)
        )

    def _below(self, power: int) -> int:
        return prod(sum(self._whole) + more * self._scale for more in range(power))

    @cached_property
    def _firsts(self) -> npt.NDArray[np.object_]:
        """The expected chance of each combination, ways apart, over `_below(3)`."""
        return np.array([self._rising(_powers(roll)) for roll in OUTCOMES], dtype=object)

    @cached_property
    def _seconds(self) -> npt.NDArray[np.object_]:
        """The same for every two combinations together, over `_below(6)`."""
        powers = [_powers(roll) for roll in OUTCOMES]
        rising = cache(self._rising)
        return np.array(
            [[rising(tuple(map(add, one, other))) for other in powers] for one in powers], dtype=object
        )

    def edge_moments(self, box: Box) -> tuple[Fraction, Fraction]:
        """The exact posterior mean and variance of a box's edge."""
        scale = lcm(*(pays.denominator for pays in box.pays))
        nets = np.array(
            [int(-net_on(box, roll) * scale) * ways for roll, ways in zip(OUTCOMES, WAYS, strict=True)],
            dtype=object,
        )
        mean = Fraction(int(nets @ self._firsts), self._below(3) * scale)
        square = Fraction(int(nets @ self._seconds @ nets), self._below(6) * scale**2)
        return mean, square - mean**2

    def draws(self, count: int, seed: int) -> npt.NDArray[np.float64]:
        """The chance of each of the 56 combinations, for faces drawn from the posterior."""
        check_count("draws", count, most=DRAWS_MAX)
        afford(
            f"{count:,} draws of the faces",
            Cost(memory_bytes=count * 56 * 8 * 2.5, seconds=count * 3e-6),
            less="ask for fewer draws",
        )
        faces = np.random.default_rng(check_seed(seed)).dirichlet(
            [float(each) for each in self.weights], count
        )
        columns = [
            ways * faces[:, [face - 1 for face in roll]].prod(axis=1)
            for roll, ways in zip(OUTCOMES, WAYS, strict=True)
        ]
        return np.column_stack(columns)


def _powers(roll: Roll) -> tuple[int, ...]:
    return tuple(roll.count(face) for face in FACES)


def edge_posteriors(
    pay_table: PayTable, posterior: FacePosterior, *, draws: int = DRAWS, seed: int = 1, level: float = 0.95
) -> list[EdgePosterior]:
    """Every box's edge after the rolls; boxes alike in their rolls are not: dice may favour one of them."""
    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, got {level}")
    outcomes = posterior.draws(draws, seed)
    found = []
    for box in pay_table.boxes:
        nets = np.array([float(-net_on(box, roll)) for roll in OUTCOMES])
        edges = np.sort(outcomes @ nets)
        mean, variance = posterior.edge_moments(box)
        gone = float(np.searchsorted(edges, 0.0)) / draws
        found.append(
            EdgePosterior(
                box=box.id,
                fair_edge=box_odds(box).edge,
                mean=mean,
                standard_deviation=sqrt(variance),
                low=float(np.quantile(edges, (1 - level) / 2)),
                high=float(np.quantile(edges, (1 + level) / 2)),
                chance_gone=gone,
                # Never said to be smaller than what so many draws could have missed.
                chance_error=max(sqrt(gone * (1 - gone) / draws), 1 / draws),
            )
        )
    return found


def posterior_frame(found: list[EdgePosterior]) -> Frame:
    """One row for each box."""
    rows: list[dict[str, Any]] = [
        {
            "box": each.box,
            "fair_edge": each.fair_edge,
            "edge": float(each.mean),
            "standard_deviation": each.standard_deviation,
            "low": each.low,
            "high": each.high,
            "chance_gone": each.chance_gone,
            "chance_error": each.chance_error,
        }
        for each in found
    ]
    return Frame.from_rows(rows)


def face_counts(rolls: npt.NDArray[np.integer]) -> tuple[int, ...]:
    """How often each face came, over all dice."""
    counted = np.bincount(np.asarray(rolls).ravel(), minlength=7)[1:]
    return tuple(int(count) for count in counted)
