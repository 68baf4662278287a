"""The PAR sheet of a pay table as data: all that its written forms (HTML, Markdown, JSON, workbook) show."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai import __version__
from taisai.dice import COMBINATIONS, ROLLS
from taisai.errors import InputError
from taisai.odds.bets.outcomes import WAYS_TOTAL, Whole, net_matrix, ways_column
from taisai.odds.exact import box_odds
from taisai.odds.liability import Liabilities, box_maxima, liabilities
from taisai.odds.par.crosscheck import ROUNDS, CrossCheck, cross_check
from taisai.odds.par.measures import LEVELS, BoxMeasures
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import BoxGroup, PayTable, Rulebook

RETURN_FLOOR: Final = Fraction(3, 4)


@dataclass(frozen=True, slots=True)
class Line:
    """Boxes of one group with the same distribution, and their measures."""

    id: str
    group: BoxGroup
    boxes: tuple[str, ...]
    measures: BoxMeasures


@dataclass(frozen=True)
class ParSheet:
    """Everything that follows exactly from a pay table, and a simulation that agrees with it."""

    pay_table: PayTable
    rulebook: Rulebook
    maxima: Mapping[str, int]
    default_maximum: int
    check: CrossCheck
    return_floor: Fraction

    @property
    def version(self) -> str:
        return __version__

    @cached_property
    def boxes(self) -> dict[str, BoxMeasures]:
        """The measures of each box, in the order of the pay table."""
        return {box.id: BoxMeasures(box_odds(box)) for box in self.pay_table.boxes}

    @cached_property
    def lines(self) -> list[Line]:
        """The boxes that are alike in everything but their numbers, together: what summaries show."""
        lines = []
        for group in self.pay_table.groups:
            alike: dict[tuple[Any, ...], list[str]] = {}
            for name in group.boxes:
                alike.setdefault(tuple(self.boxes[name].odds.distribution.items()), []).append(name)
            for names in alike.values():
                label = group.id if len(alike) == 1 else names[0]
                lines.append(Line(label, group, tuple(names), self.boxes[names[0]]))
        return lines

    @cached_property
    def totals(self) -> dict[int, int]:
        """The ways of each total."""
        ways = dict.fromkeys(range(3, 19), 0)
        for roll in ROLLS:
            ways[roll.total] += 1
        return ways

    @cached_property
    def patterns(self) -> dict[str, tuple[int, int]]:
        """How many combinations and rolls are triples, have a pair, or are all different."""
        names = {1: "three of a kind", 3: "exactly two alike", 6: "all different"}
        return {
            name: (sum(ways == each for ways in COMBINATIONS.values()), each * _count(each))
            for each, name in names.items()
        }

    @cached_property
    def _covariance_whole(self) -> tuple[Whole, int]:
        """Covariances as whole numbers over one denominator."""
        nets, unit = net_matrix(self.pay_table)
        ways = ways_column()
        sums = nets @ ways
        products = (nets * ways) @ nets.T
        return WAYS_TOTAL * products - np.outer(sums, sums), (WAYS_TOTAL * unit) ** 2

    def covariance(self, first: str, second: str) -> Fraction:
        """The covariance of the nets of unit bets on two boxes, exact."""
        whole, denominator = self._covariance_whole
        index = self.pay_table.index
        for name in (first, second):
            self.pay_table.box(name)
        return Fraction(int(whole[index[first], index[second]]), denominator)

    @cached_property
    def covariances(self) -> npt.NDArray[np.float64]:
        whole, denominator = self._covariance_whole
        return np.asarray(whole / denominator, dtype=np.float64)

    @cached_property
    def correlations(self) -> npt.NDArray[np.float64]:
        """The correlation of every two boxes, in the order of the pay table."""
        whole, _ = self._covariance_whole
        spread = np.sqrt(np.diag(whole).astype(np.float64))
        return np.asarray(whole / np.outer(spread, spread), dtype=np.float64)

    def strongest_correlations(self, count: int = 8) -> list[tuple[str, str, float]]:
        """The pairs of boxes that move together or against each other most."""
        table = self.correlations
        rows, columns = np.triu_indices(len(table), k=1)
        values = table[rows, columns]
        order = np.argsort(-np.abs(values), kind="stable")[:count]
        names = [box.id for box in self.pay_table.boxes]
        return [(names[rows[i]], names[columns[i]], float(values[i])) for i in order]

    @cached_property
    def liability(self) -> Liabilities:
        """What each outcome can cost under the maxima given."""
        return liabilities(self.pay_table, self.maxima)

    @property
    def below_floor(self) -> list[str]:
        """The boxes that return less than the floor."""
        return [name for name, box in self.boxes.items() if box.odds.returns < self.return_floor]

    def frame(self) -> Frame:
        """One row per box, with floats beside what is irrational and fractions where they are exact."""
        rows: list[dict[str, Any]] = []
        for name, box in self.boxes.items():
            odds = box.odds
            row: dict[str, Any] = {
                "box": name,
                "group": odds.box.group,
                "ways": odds.ways,
                "probability": odds.probability,
                "one_in": box.one_in,
                "average_pays": box.average_pays,
                "break_even": box.break_even,
                "return": odds.returns,
                "edge": odds.edge,
                "variance": odds.variance,
                "standard_deviation": odds.standard_deviation,
                "skewness": odds.skewness,
                "kurtosis": float(box.kurtosis),
                "rounds_to_settle": box.rounds_to_settle,
            }
            row.update({f"volatility_{level}": box.volatility_index(level) for level in LEVELS})
            rows.append(row)
        return Frame.from_rows(rows)


def _count(ways: int) -> int:
    return sum(each == ways for each in COMBINATIONS.values())


def par_sheet(
    pay_table: PayTable,
    rulebook: Rulebook,
    *,
    maxima: Mapping[str, int] | None = None,
    default_maximum: int = 1,
    rounds: int = ROUNDS,
    seed: int = 1,
    return_floor: Fraction = RETURN_FLOOR,
) -> ParSheet:
    """The PAR sheet of one pay table; `maxima` are per group or box, `default_maximum` is for the rest."""
    if all(table.digest != pay_table.digest for table in rulebook.pay_tables):
        raise InputError(f"{pay_table.id} is no pay table of {rulebook.id}")
    if type(default_maximum) is not int or default_maximum < 0:
        raise InputError(f"a maximum is a whole number, zero or above, got {default_maximum!r}")
    if not 0 <= return_floor <= 1:
        raise InputError(f"expected a floor of the return between 0 and 1, got {return_floor}")
    return ParSheet(
        pay_table=pay_table,
        rulebook=rulebook,
        maxima=box_maxima(pay_table, maxima or {}, default=default_maximum),
        default_maximum=default_maximum,
        check=cross_check(pay_table, rounds=rounds, seed=seed),
        return_floor=return_floor,
    )
