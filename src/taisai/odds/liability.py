"""Table limits and what they can cost: the worst case under given maxima, and maxima under a worst case.

The worst case is every winning box filled to its maximum and nothing on the losers. Maxima are per box; they
are set for groups of boxes (all of one kind and price) or for single boxes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from taisai.dice import Roll
from taisai.errors import InputError, UnknownName
from taisai.odds.bets.outcomes import OUTCOMES, WAYS
from taisai.odds.results.frame import Frame
from taisai.rulebooks.model import Box, BoxGroup, PayTable


@dataclass(frozen=True, slots=True)
class Liability:
    """The most that one outcome can cost the house."""

    roll: Roll
    ways: int
    house_pays: Fraction


@dataclass(frozen=True)
class Liabilities:
    """The most that each of the 56 outcomes can cost under a table's maxima."""

    maxima: Mapping[str, int]
    outcomes: tuple[Liability, ...]

    @property
    def worst(self) -> Liability:
        """The outcome that can cost most, the first of several."""
        return max(self.outcomes, key=lambda liability: liability.house_pays)

    def frame(self) -> Frame:
        return Frame(
            {
                "dice": [str(each.roll) for each in self.outcomes],
                "ways": [each.ways for each in self.outcomes],
                "house_pays": [each.house_pays for each in self.outcomes],
            }
        )


def box_maxima(pay_table: PayTable, limits: Mapping[str, int], *, default: int = 0) -> dict[str, int]:
    """The maximum of each box from limits on groups and boxes; a box's own limit beats its group's."""
    groups = {group.id: group for group in pay_table.groups}
    maxima = {box.id: default for box in pay_table.boxes}
    for name, amount in limits.items():
        if name not in groups and name not in maxima:
            raise UnknownName(f"box or group on {pay_table.id}", name, {*groups, *maxima})
        if type(amount) is not int or amount < 0:
            raise InputError(f"a maximum on {name} is a whole number, zero or above, got {amount!r}")
    for name, amount in limits.items():
        if name in groups:
            maxima.update(dict.fromkeys(groups[name].boxes, amount))
    maxima.update(
        {name: amount for name, amount in limits.items() if name in pay_table and name not in groups}
    )
    return maxima


def liabilities(pay_table: PayTable, maxima: Mapping[str, int]) -> Liabilities:
    """What each outcome can cost when every box may hold its maximum."""
    outcomes = []
    for roll, ways in zip(OUTCOMES, WAYS, strict=True):
        cost = Fraction(0)
        for box in pay_table.boxes:
            pays_to_one = box.pays_on(roll)
            if pays_to_one is not None:
                cost += pays_to_one * maxima.get(box.id, 0)
        outcomes.append(Liability(roll, ways, cost))
    return Liabilities(dict(maxima), tuple(outcomes))


def limits_under(
    pay_table: PayTable,
    bound_minor: int,
    *,
    unit: int | None = None,
    shares: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """A maximum for each group, such that no outcome can cost the house more than the bound.

    All groups' liabilities grow together until an outcome reaches the bound; the groups that win there stop
    and the others go on. `shares` weighs the groups (equal if left out); maxima are rounded down to `unit`,
    by default the smallest in which the table's odds pay whole minor units.
    """
    unit = pay_table.unit if unit is None else unit
    if type(bound_minor) is not int or bound_minor < 1:
        raise InputError(f"a bound is a whole number of minor units above zero, got {bound_minor!r}")
    if type(unit) is not int or unit < 1:
        raise InputError(f"a chip unit is a whole number of minor units above zero, got {unit!r}")
    weights = {group.id: Fraction((shares or {}).get(group.id, 1)) for group in pay_table.groups}
    costs = _group_costs(pay_table, weights)
    level: dict[str, Fraction] = {}
    growing = {name for name, weight in weights.items() if weight > 0}
    while growing:
        reach = _next_stop(costs, level, growing, bound_minor)
        stopping = {
            name
            for row in costs
            if _cost(row, level, growing, reach) == bound_minor
            for name in growing & row.keys()
        }
        level.update(dict.fromkeys(stopping, reach))
        growing -= stopping
    return {
        group.id: int(level.get(group.id, Fraction(0)) * weights[group.id] / max(group.pays)) // unit * unit
        for group in pay_table.groups
    }


def _group_costs(pay_table: PayTable, weights: Mapping[str, Fraction]) -> list[dict[str, Fraction]]:
    """For each outcome, what the groups that win there cost when each box's largest prize is its weight."""
    by_id: Mapping[str, Box] = pay_table.by_id
    rows = []
    for roll in OUTCOMES:
        row = {group.id: _winning_share(group, by_id, roll) * weights[group.id] for group in pay_table.groups}
        rows.append({name: cost for name, cost in row.items() if cost > 0})
    return rows


def _winning_share(group: BoxGroup, by_id: Mapping[str, Box], roll: Roll) -> Fraction:
    paid = sum((by_id[box_id].pays_on(roll) or Fraction(0) for box_id in group.boxes), Fraction(0))
    return paid / max(group.pays)


def _cost(
    row: Mapping[str, Fraction], level: Mapping[str, Fraction], growing: set[str], reach: Fraction
) -> Fraction:
    return sum(
        (cost * (reach if name in growing else level[name]) for name, cost in row.items()), Fraction(0)
    )


def _next_stop(
    costs: list[dict[str, Fraction]], level: Mapping[str, Fraction], growing: set[str], bound_minor: int
) -> Fraction:
    """How far the growing groups come before the next outcome reaches the bound."""
    stops = []
    for row in costs:
        speed = sum((cost for name, cost in row.items() if name in growing), Fraction(0))
        if speed:
            stops.append((bound_minor - _cost(row, level, growing, Fraction(0))) / speed)
    return min(stops)
