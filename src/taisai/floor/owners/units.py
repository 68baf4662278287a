"""What processes divide among themselves: the office, and each table.

The desks of the office (cage, staff, approvals, players, pit, and the log) speak with one another at nearly
every act, so that one process has them all. A table is for itself.
"""

from collections.abc import Collection
from typing import Final

from taisai.errors import UnknownName
from taisai.floor.plan import HousePlan
from taisai.floor.streams import table_of, table_stream

OFFICE: Final = "office"


def unit_of(stream: str) -> str:
    """The unit that a desk belongs to, by its stream."""
    return OFFICE if table_of(stream) is None else stream


def units_of(plan: HousePlan) -> tuple[str, ...]:
    """All units of a house, in the order in which they are taken."""
    return (OFFICE, *(table_stream(table.name) for table in plan.tables))


def named_units(plan: HousePlan, names: Collection[str]) -> tuple[str, ...]:
    """Units as people name them (`office`, or a table's name), in the house's order; none means all."""
    known = units_of(plan)
    by_name = {OFFICE: OFFICE, **{table_of(unit) or unit: unit for unit in known}}
    for name in names:
        if name not in by_name:
            raise UnknownName("unit", name, by_name)
    asked = {by_name[name] for name in names} or set(known)
    return tuple(unit for unit in known if unit in asked)
