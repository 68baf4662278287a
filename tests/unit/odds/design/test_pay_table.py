"""A whole pay table for a wanted return, against every combination of odds."""

from fractions import Fraction
from itertools import product

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.cost import TooCostly
from taisai.odds.design import pay_table as module
from taisai.odds.design.grid import OddsGrid
from taisai.odds.design.pay_table import handle_shares, pay_table_for

TABLE = taisai.pay_table("tai-sai-v6/2")
WHOLE = OddsGrid(Fraction(1), 1)


def test_the_mix_comes_as_near_as_any_combination_of_odds() -> None:
    """Four groups: every odds within reach of each, all combinations, and none is nearer from below."""
    handle = {"sum-9": 40, "any-triple": 10, "triple-2": 5, "double-4": 25}
    wanted = Fraction(93, 100)
    found = pay_table_for(TABLE, handle, wanted, WHOLE)
    shares = handle_shares(TABLE, handle)
    assert sum(shares.values()) == 1
    ways = {"sum-9-12": 25, "any-triple": 6, "triple": 1, "double": 16}
    near: list[list[Fraction]] = []
    for name, share in shares.items():
        each = sorted(
            (Fraction(ways[name], 216) * (1 + odds) for odds in range(1, 400)),
            key=lambda returns: abs(returns - wanted),
        )
        near.append([share * returns for returns in each if returns < 1][: module.TRIED])
    below = [total for choice in product(*near) if (total := sum(choice, Fraction(0))) <= wanted]
    assert found.returns == max(below)
    assert found.returns_now == sum(
        (share * Fraction(ways[name], 216) * (1 + pays))
        for (name, share), pays in zip(shares.items(), (7, 31, 180, 11), strict=True)
    )


def test_every_group_keeps_an_edge_and_is_on_the_grid() -> None:
    """Also those that nobody in the mix bets on, which lie near the wanted return."""
    found = pay_table_for(TABLE, {"big": 100, "sum-9": 20}, Fraction(96, 100), OddsGrid(Fraction(1, 2), 2))
    assert [each.group.id for each in found.offers] == [group.id for group in TABLE.groups]
    for each in found.offers:
        assert each.proposed.edge > 0
        assert all((pays * 2).denominator == 1 for pays in each.proposed.pays)
    rows = found.frame().rows()
    assert {row["group"]: row["pays"] for row in rows}["small"] == "1"


def test_what_cannot_be_designed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A return that is none, an empty mix, too many sums."""
    with pytest.raises(InputError, match="a wanted return"):
        pay_table_for(TABLE, {"big": 1}, Fraction(1), WHOLE)
    with pytest.raises(InputError, match="at least one bet"):
        pay_table_for(TABLE, {}, Fraction(9, 10), WHOLE)
    monkeypatch.setattr(module, "_SUMS_MAX", 3)
    with pytest.raises(TooCostly, match="fewer boxes"):
        pay_table_for(TABLE, {"big": 1, "sum-9": 1}, Fraction(9, 10), WHOLE)
