"""The bias that turns a box, against the edge on both sides of it."""

from fractions import Fraction

import pytest

import taisai
from taisai.odds.loaded.faces import LoadedDice, LoadedOdds
from taisai.odds.loaded.turning import edge_along, kinds_of_bias, turns

TABLE = taisai.pay_table("tai-sai-v6/2")


@pytest.mark.parametrize("name", ["big", "single-6", "domino-34", "sum-10", "triple-2"])
def test_the_edge_is_gone_at_the_turn_and_not_before(name: str) -> None:
    """Asked of the 216 rolls themselves: nothing is left there, and something everywhere nearer to fair."""
    box = TABLE.box(name)
    kinds = {kind.name: kind for kind in kinds_of_bias()}
    found = turns(box)
    assert found
    for turn in found[:3]:
        kind = kinds[turn.kind]
        assert LoadedOdds(box, LoadedDice.of(turn.chances)).edge <= 0
        for part in (Fraction(1, 4), Fraction(1, 2), Fraction(999_999, 1_000_000)):
            assert LoadedOdds(box, LoadedDice.of(kind.chances(turn.bias * part))).edge > 0
    assert [abs(turn.bias) for turn in found] == sorted(abs(turn.bias) for turn in found)


def test_the_polynomial_is_the_edge_everywhere() -> None:
    """At points that it was not made from."""
    box = TABLE.box("pair-113")
    for kind in kinds_of_bias():
        edge = edge_along(box, kind)
        for at in (Fraction(1, 100), Fraction(-1, 50), Fraction(1, 7)):
            exact = LoadedOdds(box, LoadedDice.of(kind.chances(at))).edge
            assert sum(each * at**power for power, each in enumerate(edge)) == exact


@pytest.mark.parametrize("name", ["odd", "even"])
def test_a_box_that_no_such_bias_turns_has_none(name: str) -> None:
    """It loses on every triple, so that no face alone can turn it: asked along every kind of bias."""
    box = TABLE.box(name)
    assert turns(box) == []
    for kind in kinds_of_bias():
        for place in range(21):
            at = kind.least + (kind.most - kind.least) * place / 20
            assert LoadedOdds(box, LoadedDice.of(kind.chances(at))).edge > 0
