"""Files of recorded rolls: what is read, and what is said of a line that cannot be."""

import numpy as np
import pytest

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.odds.fairness.rollfile import as_dice, parse_rolls

ROLLS = [[1, 4, 6], [2, 2, 2], [6, 5, 1]]


@pytest.mark.parametrize(
    "text",
    [
        "1,4,6\n2,2,2\n6,5,1\n",
        "1 4 6\n2 2 2\n6 5 1",
        "146\n222\n651\n",
        "1-4-6\n2-2-2\n6-5-1\n",
        "1; 4; 6\n2;2;2\n6;5;1\n",
        "\ufeffdie1,die2,die3\n1,4,6\n2,2,2\n6,5,1\n",
        "a b c\n1 4 6\n\n# a note\n2\t2\t2\n  6 5 1  \n",
        "first die,second die,third die\n1,4,6\n2,2,2\n6,5,1\n",
        "round,d1,d2,d3,dealer\n1,1,4,6,Lee\n2,2,2,2,Tan\n3,6,5,1,Lee\n",
        '"time","First","Second","Third"\r\n"12:00","1","4","6"\r\n"12:01","2","2","2"\r\n"","6","5","1"\r\n',
    ],
)
def test_rolls_are_read_however_they_are_written(text: str) -> None:
    """Commas, spaces, hyphens or nothing; with a header, blank lines, notes or other columns."""
    assert parse_rolls(text.splitlines(keepends=True)).tolist() == ROLLS


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1,4,6\n1,4\n", "rolls, line 2: expected three dice such as 1,1,3, got '1,4'"),
        ("1,4,6\n\n1,4,7\n", "rolls, line 3: a die shows 1 to 6, not 7"),
        ("1,4,6\n1,4,0\n", "rolls, line 2: a die shows 1 to 6, not 0"),
        ("1,4,6\nlamp,out,now\n", "rolls, line 2: expected three dice"),
        ("d1,d2,d3\nd1,d2,d3\n", "rolls, line 2: expected three dice"),
        ("1.0,4,6\n", "rolls, line 1: expected three dice"),
        ("round,d1,d2,d3\n1,4,6\n", "rolls, line 2: expected a column for each of three dice, got '1,4,6'"),
        ("round,x,y,z\n1,1,4,6\n", "rolls, line 1: expected a header that names three dice"),
        ("", "rolls: expected rolls, one a line such as 1,4,6, got none"),
        ("d1,d2,d3\n", "rolls: expected rolls, one a line such as 1,4,6, got none"),
    ],
)
def test_a_line_that_is_no_roll_is_named_with_its_number(text: str, complaint: str) -> None:
    """One clear error: the source, the line, what was expected and what came."""
    with pytest.raises(InputError) as caught:
        parse_rolls(text.splitlines(keepends=True))
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def test_rolls_and_columns_are_the_same_dice() -> None:
    """A list of Rolls and an array of faces mean the same."""
    assert as_dice([Roll(*faces) for faces in ROLLS]).tolist() == as_dice(np.array(ROLLS)).tolist() == ROLLS


@pytest.mark.parametrize(
    "rolls",
    [np.zeros((4, 3), dtype=int), np.ones((4, 2), dtype=int), np.ones((4, 3)), [], np.ones((0, 3), int)],
)
def test_columns_that_are_no_dice_are_refused(rolls: np.ndarray) -> None:
    """Faces are whole numbers from 1 to 6, three to a row, and there is at least one row."""
    with pytest.raises(InputError):
        as_dice(rolls)
