"""Odds on a grid, against all odds on it."""

from fractions import Fraction

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.design.grid import OddsGrid, exact_odds, odds_for_edge, returns_at
from taisai.odds.exact import box_odds

TABLE = taisai.pay_table("tai-sai-v6/2")
HALVES = OddsGrid(Fraction(1, 2), 2)


@pytest.mark.parametrize("box", TABLE.boxes[::7], ids=lambda box: box.id)
def test_present_odds_return_what_the_enumeration_says(box: taisai.Box) -> None:
    """The formula of the grid against the 216 rolls."""
    assert returns_at(box, box.pays) == box_odds(box).returns


@pytest.mark.parametrize("name", ["big", "sum-9", "any-triple", "triple-4", "pair-113"])
@pytest.mark.parametrize("edge", [Fraction(1, 100), Fraction(3, 100), Fraction(1, 8)])
def test_the_odds_are_the_highest_that_leave_the_edge(name: str, edge: Fraction) -> None:
    """Every odds on the grid, one by one."""
    box = TABLE.box(name)
    ways = box.wins.bit_count()
    enough = [
        Fraction(halves, 2)
        for halves in range(1, 1000)
        if 1 - Fraction(ways, 216) * (1 + Fraction(halves, 2)) >= edge
    ]
    found, less = odds_for_edge(box, edge, HALVES)
    assert found.pays == (max(enough),)
    assert less is not None
    assert less.pays == (max(enough) + Fraction(1, 2),)
    assert returns_at(box, (exact_odds(box, edge),)) == 1 - edge


def test_three_prices_are_chosen_together() -> None:
    """All rising odds between half and twice the present ones, by hand."""
    box, edge = TABLE.box("single-1"), Fraction(5, 100)
    found, less = odds_for_edge(box, edge, OddsGrid(Fraction(1), 1))
    every = {
        (one, two, three): 1
        - (Fraction(75, 216) * (1 + one) + Fraction(15, 216) * (1 + two) + Fraction(1, 216) * (1 + three))
        for one in range(1, 3)
        for two in range(max(1, one), 5)
        for three in range(max(6, two), 25)
    }
    assert found.edge == min(value for value in every.values() if value >= edge)
    assert every[tuple(map(int, found.pays))] == found.edge  # type: ignore[index]  # three of them
    assert less is not None
    assert less.edge == max(value for value in every.values() if value < edge)


def test_odds_that_cannot_be_paid_are_refused() -> None:
    """Halves on chips of one, no step at all, an edge that no odds leave."""
    with pytest.raises(InputError, match="multiple of 2"):
        OddsGrid(Fraction(1, 2), 1)
    with pytest.raises(InputError, match="a step of odds"):
        OddsGrid(Fraction(0), 1)
    with pytest.raises(InputError, match="an edge lies between"):
        odds_for_edge(TABLE.box("big"), Fraction(1), HALVES)
    with pytest.raises(InputError, match="3 prices"):
        exact_odds(TABLE.box("single-1"), Fraction(1, 20))
