"""The posterior of edges: against Dirichlet moments by hand, numerical integration, and its own draws."""

from fractions import Fraction

import numpy as np
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError
from taisai.odds.cost import Budget, TooCostly, spending
from taisai.odds.loaded.posterior import FacePosterior, edge_posteriors, face_counts, posterior_frame

TABLE = taisai.pay_table("sic-bo-etg-v8/1")
COUNTS = (11, 9, 10, 14, 8, 20)


@pytest.mark.parametrize("name", ["big", "single-6", "triple-6", "sum-8"])
def test_the_mean_is_a_sum_over_the_rolls(name: str) -> None:
    """The expectation of each product of three faces, written out: a·b·c over a·(a+1)·(a+2)."""
    posterior = FacePosterior(COUNTS, prior=Fraction(1, 2))
    weights = [count + Fraction(1, 2) for count in COUNTS]
    total = sum(weights)
    box, mean = TABLE.box(name), Fraction(0)
    for roll in ROLLS:
        chance, seen = Fraction(1), [0] * 7
        for place, face in enumerate(roll):
            chance *= (weights[face - 1] + seen[face]) / (total + place)
            seen[face] += 1
        pays = box.pays_on(roll)
        mean += chance * (1 if pays is None else -pays)
    assert posterior.edge_moments(box)[0] == mean
    assert posterior.means == tuple(weight / total for weight in weights)


def test_mean_and_spread_are_those_of_very_many_draws() -> None:
    """A second route: faces drawn and each box paid, within six standard errors."""
    posterior = FacePosterior(COUNTS)
    drawn = np.random.default_rng(5).dirichlet([count + 1.0 for count in COUNTS], 200_000)
    box = TABLE.box("single-6")
    edges = np.zeros(len(drawn))
    for roll in ROLLS:
        pays = box.pays_on(roll)
        chance = drawn[:, roll.first - 1] * drawn[:, roll.second - 1] * drawn[:, roll.third - 1]
        edges += chance * float(1 if pays is None else -pays)
    mean, variance = posterior.edge_moments(box)
    error = edges.std() / len(edges) ** 0.5
    assert float(mean) == pytest.approx(edges.mean(), abs=6 * error)
    assert float(variance) ** 0.5 == pytest.approx(edges.std(), rel=0.01)


def test_no_rolls_and_very_many_rolls() -> None:
    """Nothing is known at first; with fair counts beyond number the edge is the fair one."""
    wide = edge_posteriors(TABLE, FacePosterior((0,) * 6), draws=2_000)
    sure = edge_posteriors(TABLE, FacePosterior((10**9,) * 6), draws=2_000)
    for before, after in zip(wide, sure, strict=True):
        assert before.standard_deviation > 20 * after.standard_deviation
        assert float(after.mean) == pytest.approx(float(after.fair_edge), abs=1e-5)
        assert after.low <= float(after.mean) <= after.high
        assert after.chance_gone == 0
        assert after.chance_error > 0


def test_the_chance_that_the_edge_is_gone_is_stated_with_its_error() -> None:
    """Two seeds agree within six errors, and the same seed is the same."""
    posterior = FacePosterior((30, 30, 30, 30, 30, 45))
    one, two = (edge_posteriors(TABLE, posterior, draws=20_000, seed=seed) for seed in (1, 2))
    for first, second in zip(one, two, strict=True):
        apart = abs(first.chance_gone - second.chance_gone)
        assert apart <= 6 * (first.chance_error**2 + second.chance_error**2) ** 0.5
    assert edge_posteriors(TABLE, posterior, draws=500, seed=9) == edge_posteriors(
        TABLE, posterior, draws=500, seed=9
    )
    assert {row["box"] for row in posterior_frame(one)} == {box.id for box in TABLE.boxes}


def test_counts_of_faces() -> None:
    """All dice together."""
    assert face_counts(np.array([[1, 2, 3], [6, 6, 6]])) == (1, 1, 1, 0, 0, 3)


def test_what_cannot_be_is_refused() -> None:
    """Counts that are none, a prior of nothing, draws without end."""
    with pytest.raises(InputError, match="six faces"):
        FacePosterior((1, 2, 3))
    with pytest.raises(InputError, match="above zero"):
        FacePosterior(COUNTS, prior=Fraction(0))
    with spending(Budget(1e6, 100)), pytest.raises(TooCostly, match="fewer draws"):
        FacePosterior(COUNTS).draws(1_000_000, 1)
