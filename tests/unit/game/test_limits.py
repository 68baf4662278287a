"""Limits of a table: what may be set, and every fault named."""

import pytest

import taisai
from taisai.game.limits import Limit, Limits, house_limits, limits_faults
from tests.rules.table import ALL_TEN, RULEBOOKS


def faults(pay_table: str, **settings: object) -> list[str]:
    given = {"unit": 10, "default": Limit(50, 1000), **settings}
    rulebook = taisai.rulebook(pay_table.partition("/")[0])
    return limits_faults(Limits(**given), rulebook, taisai.pay_table(pay_table))


@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_house_limits_bind_nothing_and_are_in_order(pay_table: str) -> None:
    """The smallest unit that the table can pay, that unit as minimum, and no maximum."""
    table = taisai.pay_table(pay_table)
    limits = house_limits(table)
    assert limits == Limits(unit=table.unit, default=Limit(table.unit, None))
    assert limits_faults(limits, taisai.rulebook(pay_table.partition("/")[0]), table) == []


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"unit": 0}, ["unit: expected at least 1, got 0"]),
        ({"unit": 0, "default": Limit(0, -1)}, ["unit: expected at least 1, got 0"]),
        ({"default": Limit(0)}, ["default.minimum: expected at least 1, got 0"]),
        ({"default": Limit(50, 40)}, ["default: the maximum 40 is below the minimum 50"]),
        ({"default": Limit(50, 50)}, []),
        ({"default": Limit(50, None)}, []),
        ({"default": Limit(55, 1000)}, ["default.minimum: 55 is no multiple of the chip unit 10"]),
        ({"default": Limit(50, 1005)}, ["default.maximum: 1005 is no multiple of the chip unit 10"]),
        (
            {"groups": {"double": Limit(15, 25)}, "boxes": {"big": Limit(5)}},
            [
                "groups.double.minimum: 15 is no multiple of the chip unit 10",
                "groups.double.maximum: 25 is no multiple of the chip unit 10",
                "boxes.big.minimum: 5 is no multiple of the chip unit 10",
            ],
        ),
        ({"groups": {"doubles": Limit(10)}}, ["groups.doubles: no such group on tai-sai-v6/1"]),
        ({"groups": {"sum-9-12": Limit(10)}, "boxes": {"sum-9": Limit(20)}}, []),
        ({"boxes": {"odd": Limit(10)}}, ["boxes.odd: no such box on tai-sai-v6/1"]),
        (
            {"differential": {"big-small": 0}},
            ["differential.big-small: 0 is no multiple of the chip unit 10 above zero"],
        ),
        (
            {"differential": {"big-small": 105}},
            ["differential.big-small: 105 is no multiple of the chip unit 10 above zero"],
        ),
        ({"differential": {"big-small": 10}}, []),
        (
            {"differential": {"odd-even": 100}},
            ["differential.odd-even: tai-sai-v6/1 does not offer both sides"],
        ),
        ({"differential": {"left-right": 100}}, ["differential.left-right: expected big-small or odd-even"]),
        (
            {"box_totals": {"big": 5000}},
            ["box_totals: in tai-sai-v6 the maximum already bounds all players together"],
        ),
        ({"notice": "by-dealer"}, []),
    ],
)
def test_every_fault_of_a_setting_is_named(settings: dict[str, object], expected: list[str]) -> None:
    """All of them at once, each with its place, what was expected and what came."""
    assert faults("tai-sai-v6/1", **settings) == expected


@pytest.mark.parametrize("rulebook", [name for name in RULEBOOKS if name not in ("tai-sai-v4", "tai-sai-v6")])
def test_where_no_clause_has_a_differential_setting_one_is_a_fault(rulebook: str) -> None:
    """And there excess is noticed at placement only."""
    pay_table = f"{rulebook}/1"
    assert faults(pay_table, differential={"big-small": 100}) == [
        f"differential.big-small: {rulebook} has no differential"
    ]
    assert faults(pay_table, notice="by-dealer") == [f"notice: {rulebook} knows at-placement, not by-dealer"]


def test_a_cluster_may_bound_the_total_of_a_box_or_a_group() -> None:
    """The box's own bound holds before its group's."""
    pay_table = taisai.pay_table("sic-bo-etg-v8/1")
    totals = {"double": 500, "double-6": 900, "big": 5000}
    assert faults(pay_table.id, box_totals=totals) == []
    limits = Limits(unit=10, default=Limit(10), box_totals=totals)
    assert [limits.box_total(pay_table.by_id[box]) for box in ("double-1", "double-6", "big", "odd")] == [
        500,
        900,
        5000,
        None,
    ]
    assert faults(pay_table.id, box_totals={"bigger": 10, "big": 5}) == [
        "box_totals.big: 5 is no multiple of the chip unit 10 above zero",
        "box_totals.bigger: no such box or group on sic-bo-etg-v8/1",
    ]
