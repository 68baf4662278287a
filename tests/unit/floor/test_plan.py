"""What a house is set up as."""

import msgspec
import pytest

from taisai.floor.plan import HousePlan
from tests.floor.houses import cluster, live


def test_a_plan_is_a_value_that_nobody_changes() -> None:
    """Two of the same fields are the same plan, and a table's plan outlives being written and read."""
    plan = HousePlan(name="h", currency="SGD", currency_exponent=2, play_money=True, tables=(live(),))
    assert plan == msgspec.structs.replace(plan)
    with pytest.raises(AttributeError):
        plan.name = "other"  # type: ignore[misc] - that is the point
    table = cluster(automatic=True)
    assert msgspec.convert(msgspec.to_builtins(table), type(table)) == table
