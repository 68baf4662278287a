"""Loaded dice against a loop over the 216 rolls."""

from fractions import Fraction

import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError
from taisai.odds.loaded.faces import (
    FAIR,
    LoadedDice,
    LoadedOdds,
    loaded_exposure,
    loaded_frame,
    one_face,
    opposite_faces,
)

TABLE = taisai.pay_table("sic-bo-etg-v8/2")
SKEWED = tuple(Fraction(share, 60) for share in (8, 9, 10, 10, 11, 12))
THREE = (*SKEWED, *FAIR, *reversed(SKEWED))


def test_fair_dice_give_the_fair_odds() -> None:
    """Every box of the largest pay table."""
    dice = LoadedDice.of(FAIR)
    for box in TABLE.boxes:
        assert dict(LoadedOdds(box, dice).distribution) == dict(taisai.box_odds(box).distribution)


@pytest.mark.parametrize("chances", [SKEWED, THREE])
def test_every_box_is_a_sum_over_the_rolls(chances: tuple[Fraction, ...]) -> None:
    """Roll by roll, with each die's own chances."""
    dice = LoadedDice.of(chances)
    first, second, third = dice.dice
    rows = {row["box"]: row for row in loaded_frame(TABLE, dice)}
    for box in TABLE.boxes[::5]:
        wins = mean = Fraction(0)
        for roll in ROLLS:
            chance = first[roll.first - 1] * second[roll.second - 1] * third[roll.third - 1]
            pays = box.pays_on(roll)
            wins += chance * (pays is not None)
            mean += chance * (-1 if pays is None else pays)
        assert (rows[box.id]["probability"], rows[box.id]["edge"]) == (wins, -mean)
    assert sum(dice.outcomes.values()) == sum(dice.rolls) == 1


def test_the_exposure_of_a_layout_is_a_sum_over_the_rolls() -> None:
    """Expected win, chance of the worst, and the loss at risk."""
    stakes = {"big": 1000, "triple-6": 50, "sum-9": 200}
    found = loaded_exposure(TABLE, stakes, LoadedDice.of(SKEWED), level=Fraction(9, 10))
    nets: dict[Fraction, Fraction] = {}
    for roll in ROLLS:
        chance = SKEWED[roll.first - 1] * SKEWED[roll.second - 1] * SKEWED[roll.third - 1]
        net = sum(
            (
                Fraction(stake) if (pays := TABLE.box(box).pays_on(roll)) is None else -stake * pays
                for box, stake in stakes.items()
            ),
            Fraction(0),
        )
        nets[net] = nets.get(net, Fraction(0)) + chance
    assert found.mean == sum(net * chance for net, chance in nets.items())
    assert (found.worst, found.worst_chance) == (min(nets), nets[min(nets)])
    losses = sorted(-net for net in nets)
    kept = [loss for loss in losses if sum(nets[-each] for each in losses if each <= loss) >= Fraction(9, 10)]
    assert found.loss_at_risk == kept[0]
    assert found.fair_mean == sum(
        stake * taisai.box_odds(TABLE.box(box)).edge for box, stake in stakes.items()
    )


def test_biases_keep_their_sum() -> None:
    """What one face gains the others lose."""
    assert sum(one_face(3, Fraction(1, 50))) == sum(opposite_faces(2, Fraction(1, 50))) == 1
    assert one_face(3, Fraction(1, 50))[2] == Fraction(1, 6) + Fraction(1, 50)
    assert opposite_faces(2, Fraction(1, 50))[4] == Fraction(1, 6) + Fraction(1, 100)


def test_what_are_no_chances_is_refused() -> None:
    """Too few, more than one in all, below zero."""
    for wrong in (FAIR[:5], (*FAIR[:5], Fraction(1, 5)), (Fraction(-1, 6), Fraction(1, 2), *FAIR[:4])):
        with pytest.raises(InputError):
            LoadedDice.of(wrong)
    with pytest.raises(InputError, match="a level"):
        loaded_exposure(TABLE, {"big": 1}, LoadedDice.of(FAIR), level=1.0)
