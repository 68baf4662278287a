"""What the house stands to win or lose on each of the 56 outcomes, from the bets on a layout.

Whole numbers throughout: results are kept in fractions of a minor unit (`pay_table.unit` of them make one),
so half-unit odds are exact. A changed slip moves one row per changed box and nothing is summed again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.dice import Roll
from taisai.errors import InputError, UnknownName
from taisai.odds.bets.outcomes import OUTCOMES, WAYS, WAYS_TOTAL, Whole, net_matrix
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import PayTable

# Every sum that can occur stays within 64 bits as long as no box holds more than its share of this.
_RESULT_MAX: Final = 1 << 62
_FLOAT_EXACT_MAX: Final = 1 << 53


@dataclass(frozen=True, slots=True)
class HouseResult:
    """What the house nets on one outcome, in minor units: below zero it pays."""

    roll: Roll
    ways: int
    house_net: Fraction


class Exposure:
    """The house's position on one layout, kept up as slips change.

    >>> import taisai
    >>> exposure = Exposure(taisai.pay_table("tai-sai-v6/2"), {"big": 1000, "triple-6": 50})
    >>> exposure.worst.roll, exposure.worst.house_net
    (Roll(first=6, second=6, third=6), Fraction(-8000, 1))
    """

    def __init__(self, pay_table: PayTable, stakes: Mapping[str, int] | None = None) -> None:
        self.pay_table = pay_table
        nets, self.unit = net_matrix(pay_table)
        # What the house nets by box and outcome for one minor unit, in 1/unit of a minor unit.
        self._house: Whole = -nets
        self._stakes: Whole = np.zeros(len(pay_table.boxes), dtype=np.int64)
        self._results: Whole = np.zeros(len(OUTCOMES), dtype=np.int64)
        self._stake_max = _RESULT_MAX // (int(np.abs(nets).max()) * len(pay_table.boxes))
        if stakes:
            self.change({}, stakes)

    @classmethod
    def of_columns(
        cls, pay_table: PayTable, box_index: npt.NDArray[np.integer], stake_minor: npt.NDArray[np.integer]
    ) -> "Exposure":
        """From every bet on the layout: `box_index` counts the boxes as `pay_table.index` does."""
        exposure = cls(pay_table)
        if box_index.shape != stake_minor.shape or box_index.ndim != 1:
            raise InputError(
                f"expected two columns of one length, got {box_index.shape} and {stake_minor.shape}"
            )
        if not len(box_index):
            return exposure
        for name, column in (("box_index", box_index), ("stake_minor", stake_minor)):
            if not np.issubdtype(column.dtype, np.integer):
                raise InputError(f"{name} is a column of whole numbers, got {column.dtype}")
        boxes = len(pay_table.boxes)
        low, high = int(box_index.min()), int(box_index.max())
        if low < 0 or high >= boxes:
            raise InputError(f"box_index counts from 0 to {boxes - 1}, got {low if low < 0 else high}")
        if (least := int(stake_minor.min())) <= 0:
            raise InputError(f"a stake is above zero, got {least}")
        exposure._stakes = _sums(box_index, stake_minor, boxes)
        if (most := int(exposure._stakes.max())) > exposure._stake_max:
            raise InputError(f"a box holds {most}: at most {exposure._stake_max} is possible")
        exposure._results = exposure._stakes @ exposure._house
        return exposure

    def change(self, slip_before: Mapping[str, int], slip_after: Mapping[str, int]) -> None:
        """Replace one player's slip: box ids and stakes, before and after."""
        self.change_all([(slip_before, slip_after)])

    def change_all(self, slips: Iterable[tuple[Mapping[str, int], Mapping[str, int]]]) -> None:
        """Replace many players' slips, each as it was before and is after; all of them or none."""
        moved: dict[int, int] = {}
        for before, after in slips:
            for slip, sign in ((before, -1), (after, 1)):
                for box_id, stake in slip.items():
                    if type(stake) is not int or stake < 0:
                        raise InputError(
                            f"a stake on {box_id} is a whole number, zero or above, got {stake!r}"
                        )
                    place = self._place(box_id)
                    moved[place] = moved.get(place, 0) + sign * stake
        for place, by in moved.items():
            there = int(self._stakes[place]) + by
            if not 0 <= there <= self._stake_max:
                box_id = self.pay_table.boxes[place].id
                raise InputError(f"{box_id} would hold {there}: between 0 and {self._stake_max} is possible")
        for place, by in moved.items():
            if by:
                self._stakes[place] += by
                self._results += by * self._house[place]

    def _place(self, box_id: str) -> int:
        place = self.pay_table.index.get(box_id)
        if place is None:
            raise UnknownName(f"box on {self.pay_table.id}", box_id, self.pay_table.by_id)
        return place

    @property
    def stakes(self) -> dict[str, int]:
        """What is on each box that holds anything."""
        return {
            box.id: stake
            for box, stake in zip(self.pay_table.boxes, self._stakes.tolist(), strict=True)
            if stake
        }

    @property
    def handle_minor(self) -> int:
        return int(self._stakes.sum())

    @property
    def results(self) -> list[HouseResult]:
        """What the house nets on each outcome."""
        return [
            HouseResult(roll, ways, Fraction(result, self.unit))
            for roll, ways, result in zip(OUTCOMES, WAYS, self._results.tolist(), strict=True)
        ]

    @property
    def worst(self) -> HouseResult:
        """The outcome that costs the house most, the first of several."""
        return self._at(int(self._results.argmin()))

    @property
    def best(self) -> HouseResult:
        return self._at(int(self._results.argmax()))

    def _at(self, place: int) -> HouseResult:
        return HouseResult(OUTCOMES[place], WAYS[place], Fraction(int(self._results[place]), self.unit))

    @property
    def mean(self) -> Fraction:
        """What the house expects to win from these bets."""
        won = sum(ways * result for ways, result in zip(WAYS, self._results.tolist(), strict=True))
        return Fraction(won, WAYS_TOTAL * self.unit)

    @property
    def variance(self) -> Fraction:
        """The variance of the house's result, exact."""
        squares = sum(ways * result**2 for ways, result in zip(WAYS, self._results.tolist(), strict=True))
        return Fraction(squares, WAYS_TOTAL * self.unit**2) - self.mean**2

    def value_at_risk(self, level: float | Fraction = Fraction(99, 100)) -> Fraction:
        """The smallest loss that is not exceeded with at least this chance; below zero it is a win."""
        if not isfinite(level) or not 0 < level < 1:
            raise InputError(f"a level lies between 0 and 1, got {level}")
        needed, reached = Fraction(level) * WAYS_TOTAL, 0
        losses = sorted(zip((-self._results).tolist(), WAYS, strict=True))
        for loss, ways in losses:
            reached += ways
            if reached >= needed:
                return Fraction(loss, self.unit)
        return Fraction(losses[-1][0], self.unit)

    def expected_shortfall(self, level: float | Fraction = Fraction(99, 100)) -> Fraction:
        """The mean loss over the worst 1 - level of all rolls."""
        if not isfinite(level) or not 0 < level < 1:
            raise InputError(f"a level lies between 0 and 1, got {level}")
        tail = (1 - Fraction(level)) * WAYS_TOTAL
        left, lost = tail, Fraction(0)
        for loss, ways in sorted(zip((-self._results).tolist(), WAYS, strict=True), reverse=True):
            taken = min(Fraction(ways), left)
            lost += taken * loss
            left -= taken
        return lost / tail / self.unit

    def headroom(self, bound_minor: int) -> dict[str, int]:
        """How much more each box may take, alone, before some outcome costs the house more than the bound."""
        if type(bound_minor) is not int or bound_minor < 0:
            raise InputError(f"a bound is a whole number of minor units, zero or above, got {bound_minor!r}")
        left = bound_minor * self.unit + self._results
        room: dict[str, int] = {}
        for box, nets in zip(self.pay_table.boxes, self._house, strict=True):
            pays = nets < 0
            room[box.id] = max(0, int((left[pays] // -nets[pays]).min()))
        return room

    def frame(self) -> Frame:
        """The 56 outcomes with dice, total, ways and the house's net in minor units."""
        rows: list[dict[str, Any]] = [
            {
                "dice": str(result.roll),
                "total": result.roll.total,
                "ways": result.ways,
                "house_net": result.house_net,
            }
            for result in self.results
        ]
        return Frame.from_rows(rows)


def _sums(box_index: npt.NDArray[np.integer], stake_minor: npt.NDArray[np.integer], boxes: int) -> Whole:
    """The sum of the stakes by box, exact."""
    bound = int(stake_minor.max()) * len(stake_minor)
    if bound > _RESULT_MAX:
        raise InputError(f"stakes of up to {int(stake_minor.max())} are too large to sum by columns")
    if bound < _FLOAT_EXACT_MAX:
        # The float sums of bincount are exact here, and it is the fastest way to sum by box.
        return np.bincount(box_index, weights=stake_minor, minlength=boxes).astype(np.int64)
    sums: Whole = np.zeros(boxes, dtype=np.int64)
    np.add.at(sums, box_index, stake_minor)
    return sums
