"""The limits of a table: minimum and maximum of each box, and the differential of each pair of sides.

All amounts are minor units and multiples of the chip unit. A limit is set for every box (`default`), for a
group of boxes at one price (`double`, `sum-4-17`), or for one box; the closest one holds.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from taisai.rulebooks.model import Box, PayTable, Rulebook

# The two sides that a differential stands between.
PAIRS: Final[dict[str, tuple[str, str]]] = {"big-small": ("big", "small"), "odd-even": ("odd", "even")}

# What the heavier side of a pair is measured from: the lighter side as placed (1.3). Rounds of the first
# records took what counted there under its own maximum, and are settled again as they were.
LighterSide = Literal["placed", "counted"]


class Limit(msgspec.Struct, frozen=True):
    """What one box takes. No maximum means that none is set."""

    minimum: int
    maximum: int | None = None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a table displays about amounts, pinned when its round opens."""

    unit: int
    default: Limit
    groups: dict[str, Limit] = {}
    boxes: dict[str, Limit] = {}
    differential: dict[str, int] = {}
    box_totals: dict[str, int] = {}  # electronic tables: all players together, by box or group
    notice: Literal["at-placement", "by-dealer"] = "at-placement"

    def of(self, box: Box) -> Limit:
        """The limit that holds for a box."""
        return self.boxes.get(box.id) or self.groups.get(box.group) or self.default

    def box_total(self, box: Box) -> int | None:
        """How much all players together may have on a box of an electronic table."""
        return self.box_totals.get(box.id, self.box_totals.get(box.group))


def house_limits(pay_table: PayTable) -> Limits:
    """Limits that bound nothing: the smallest unit that the pay table can pay, and no maximum."""
    return Limits(unit=pay_table.unit, default=Limit(pay_table.unit))


def limits_faults(limits: Limits, rulebook: Rulebook, pay_table: PayTable) -> list[str]:
    """Everything that keeps these limits from being used at this table."""
    if limits.unit < 1:
        return [f"unit: expected at least 1, got {limits.unit}"]
    return [
        *_amount_faults(limits),
        *_name_faults(limits, pay_table),
        *_rule_faults(limits, rulebook, pay_table),
    ]


def _amount_faults(limits: Limits) -> Iterator[str]:
    named = {
        "default": limits.default,
        **{f"groups.{name}": limit for name, limit in limits.groups.items()},
        **{f"boxes.{name}": limit for name, limit in limits.boxes.items()},
    }
    for name, limit in named.items():
        if limit.minimum < 1:
            yield f"{name}.minimum: expected at least 1, got {limit.minimum}"
        if limit.maximum is not None and limit.maximum < limit.minimum:
            yield f"{name}: the maximum {limit.maximum} is below the minimum {limit.minimum}"
        for part, amount in (("minimum", limit.minimum), ("maximum", limit.maximum)):
            if amount is not None and amount % limits.unit:
                yield f"{name}.{part}: {amount} is no multiple of the chip unit {limits.unit}"
    totals = {"differential": limits.differential, "box_totals": limits.box_totals}
    for part, amounts in totals.items():
        for name, amount in amounts.items():
            if amount < limits.unit or amount % limits.unit:
                yield f"{part}.{name}: {amount} is no multiple of the chip unit {limits.unit} above zero"


def _name_faults(limits: Limits, pay_table: PayTable) -> Iterator[str]:
    groups = {group.id for group in pay_table.groups}
    for name in limits.groups:
        if name not in groups:
            yield f"groups.{name}: no such group on {pay_table.id}"
    for name in limits.boxes:
        if name not in pay_table:
            yield f"boxes.{name}: no such box on {pay_table.id}"
    for name in limits.box_totals:
        if name not in pay_table and name not in groups:
            yield f"box_totals.{name}: no such box or group on {pay_table.id}"


def _rule_faults(limits: Limits, rulebook: Rulebook, pay_table: PayTable) -> Iterator[str]:
    if limits.notice not in rulebook.limits.notice:
        yield f"notice: {rulebook.id} knows {', '.join(rulebook.limits.notice)}, not {limits.notice}"
    if limits.box_totals and rulebook.limits.maximum != "player":
        yield f"box_totals: in {rulebook.id} the maximum already bounds all players together"
    for name in limits.differential:
        if name not in PAIRS:
            yield f"differential.{name}: expected {' or '.join(PAIRS)}"
        elif not rulebook.limits.differential:
            yield f"differential.{name}: {rulebook.id} has no differential"
        elif any(side not in pay_table for side in PAIRS[name]):
            yield f"differential.{name}: {pay_table.id} does not offer both sides"
