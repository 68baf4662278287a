"""What processes divide among themselves."""

import pytest

from taisai.errors import UnknownName
from taisai.floor.owners.units import OFFICE, named_units, unit_of, units_of
from tests.floor.houses import SmallHouse, cluster, live

PLAN = SmallHouse(live(), cluster()).plan


def test_the_office_is_one_unit_and_each_table_another() -> None:
    """Whatever is no table's stream is of the office."""
    assert units_of(PLAN) == ("office", "table:T1", "table:C1")
    assert [unit_of(stream) for stream in ("cage", "log", "players", "table:C1")] == [OFFICE] * 3 + [
        "table:C1"
    ]


def test_people_name_units_by_their_tables() -> None:
    """Nothing named is everything; a name that the house does not have is said with those it has."""
    assert named_units(PLAN, []) == units_of(PLAN)
    assert named_units(PLAN, ["C1", "office"]) == ("office", "table:C1")
    with pytest.raises(UnknownName, match="C1"):
        named_units(PLAN, ["C9"])
