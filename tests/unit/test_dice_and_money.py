"""The smallest things: three dice, minor units and exact odds."""

from fractions import Fraction

import pytest

import taisai
from taisai.dice import COMBINATIONS, EVERY_ROLL, ROLLS, Roll, holds, rolls_where, rolls_with
from taisai.errors import InputError
from taisai.money import check_stake, parse_odds, payable_unit, say_odds, winnings


def test_there_are_216_rolls_in_56_combinations() -> None:
    """Six triples in one way, thirty doubles in three, twenty others in six."""
    assert len(ROLLS) == len(set(ROLLS)) == 216
    assert [roll.index for roll in ROLLS] == list(range(216))
    assert len(COMBINATIONS) == 56
    assert sorted(COMBINATIONS.values()) == [1] * 6 + [3] * 30 + [6] * 20
    assert EVERY_ROLL.bit_count() == 216


def test_a_roll_says_what_it_shows() -> None:
    """Faces as read, total, triple, and the dealer's call from low to high."""
    roll = Roll(3, 1, 1)
    assert (roll.faces, list(roll), roll.total, roll.is_triple) == ((3, 1, 1), [3, 1, 1], 5, False)
    assert roll.called() == Roll(1, 1, 3)
    assert (roll.count(1), roll.count(6), str(roll)) == (2, 0, "3-1-1")
    assert Roll(4, 4, 4).is_triple


@pytest.mark.parametrize("dice", [(0, 1, 1), (1, 7, 1), (1, 1, -1), (1, 1, 2.0), (1, 1, "3"), (True, 1, 1)])
def test_a_die_shows_one_to_six(dice: tuple[object, ...]) -> None:
    """Neither a seventh face nor anything that is no number is a roll."""
    with pytest.raises(InputError, match="a die shows 1 to 6, not"):
        Roll(*dice)


@pytest.mark.parametrize("text", ["1,1,3", "1 1 3", "113", " 1, 1, 3 "])
def test_dice_are_read_as_people_write_them(text: str) -> None:
    """Commas, spaces or nothing between the faces."""
    assert Roll.parse(text) == Roll(1, 1, 3)


@pytest.mark.parametrize(
    "text", ["", "1,1", "1,1,3,4", "1134", "a,b,c", "1,1,x", "1,1,-3", "1.5,1,1", "１,1,3", "1,1,²"]
)
def test_what_is_not_three_dice_is_refused(text: str) -> None:
    """The error quotes what came and shows what was expected."""
    with pytest.raises(InputError, match="expected three dice such as 1,1,3, got"):
        Roll.parse(text)


def test_a_set_of_rolls_is_bits() -> None:
    """Union, overlap and membership are those of an integer."""
    fives = rolls_where(lambda roll: roll.total == 5)
    assert fives.bit_count() == 6
    assert holds(fives, Roll(1, 1, 3))
    assert not holds(fives, Roll(1, 1, 4))


def test_known_faces_leave_the_rolls_that_show_them() -> None:
    """No die known leaves all, one leaves 91, two alike 16, two different 30, three their permutations."""
    known: list[tuple[tuple[int, ...], int]] = [
        ((), 216),
        ((4,), 91),
        ((4, 4), 16),
        ((4, 5), 30),
        ((1, 2, 3), 6),
        ((4, 4, 4), 1),
    ]
    assert [(faces, rolls_with(faces).bit_count()) for faces, _ in known] == known
    with pytest.raises(InputError, match="at most three dice"):
        rolls_with((1, 2, 3, 4))
    with pytest.raises(InputError, match="a die shows 1 to 6"):
        rolls_with((7,))


@pytest.mark.parametrize(
    ("raw", "odds"),
    [(62, "62"), ("62", "62"), ("8.5", "17/2"), ("17/2", "17/2"), ("0.5", "1/2"), ("6.50", "13/2")],
)
def test_odds_are_read_exactly(raw: object, odds: str) -> None:
    """Whole numbers and strings, never a float."""
    assert parse_odds(raw) == Fraction(odds)


@pytest.mark.parametrize(
    "raw", [8.5, 0, -1, "0", "0.0", "-1", "1e3", "1/0", " 1", "", "8,5", "inf", None, True, [1]]
)
def test_what_are_no_odds_is_refused(raw: object) -> None:
    """A float has already lost digits, and nothing pays nothing."""
    with pytest.raises(InputError, match="expected odds to one such as 62"):
        parse_odds(raw)


@pytest.mark.parametrize(("odds", "said"), [("62", "62"), ("17/2", "8½"), ("1/2", "½"), ("7/3", "7/3")])
def test_odds_are_said_as_a_layout_prints_them(odds: str, said: str) -> None:
    """Halves with their sign, other fractions as they are."""
    assert say_odds(Fraction(odds)) == said


def test_winnings_are_exact_or_an_error() -> None:
    """The message says which stakes the box can pay."""
    assert winnings(100, Fraction(17, 2)) == 850
    assert winnings(10**30 * 2, Fraction(17, 2)) == 17 * 10**30
    with pytest.raises(
        InputError,
        match="5 at 8½ to 1 is no whole number of minor units: stakes on this box are multiples of 2",
    ):
        winnings(5, Fraction(17, 2))


def test_the_payable_unit_is_the_least_that_all_odds_divide() -> None:
    """Halves and thirds together need stakes of six."""
    assert payable_unit([Fraction(1)]) == 1
    assert payable_unit([Fraction(17, 2), Fraction(7, 3), Fraction(12)]) == 6
    assert payable_unit([]) == 1


def test_a_stake_comes_back_unchanged() -> None:
    """What is right is passed through."""
    assert check_stake(5) == 5


def test_the_public_names_are_those_that_are_documented() -> None:
    """`from taisai import *` and dir() show the library, and a misspelt name is an AttributeError."""
    for name in taisai.__all__:
        assert getattr(taisai, name) is not None
        assert name in dir(taisai)
    with pytest.raises(AttributeError, match="has no attribute 'Dice'"):
        taisai.Dice  # noqa: B018 - it raises
