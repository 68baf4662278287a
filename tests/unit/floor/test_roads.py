"""Roads, against boards drawn by hand and properties that every board has."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.dice import ROLLS, Roll
from taisai.errors import InputError
from taisai.floor.roads import (
    ROWS,
    TRIPLE,
    RoadCell,
    bead_plate,
    big_road,
    derived,
    dice_strip,
    kinds,
    lay_out,
    logical_columns,
    roads,
)

WORDS = {"B": "big", "S": "small", "T": TRIPLE}


def results(letters: str) -> list[str]:
    return [WORDS[letter] for letter in letters]


def depths(letters: str) -> list[int]:
    return [column.depth for column in logical_columns(results(letters))]


def drawn(cells: list[RoadCell]) -> list[str]:
    """A board as lines of letters."""
    letters = {word: letter for letter, word in WORDS.items()} | {"": "·", "red": "R", "blue": "b"}
    width = max((cell.column for cell in cells), default=-1) + 1
    lines = [[" "] * width for _ in range(max((cell.row for cell in cells), default=-1) + 1)]
    for cell in cells:
        lines[cell.row][cell.column] = letters[cell.kind]
    return ["".join(line).rstrip() for line in lines]


some_results = st.lists(st.sampled_from(["big", "small", TRIPLE]), max_size=150)
some_rolls = st.lists(st.sampled_from(ROLLS), max_size=80)


@pytest.mark.parametrize(
    ("roll", "big_small", "odd_even"),
    [
        (Roll(4, 4, 3), "big", "odd"),
        (Roll(1, 3, 6), "small", "even"),
        (Roll(1, 1, 2), "small", "even"),
        (Roll(6, 6, 5), "big", "odd"),
        (Roll(4, 4, 4), TRIPLE, TRIPLE),
        (Roll(1, 1, 1), TRIPLE, TRIPLE),
    ],
)
def test_a_roll_is_of_one_kind_on_each_stream(roll: Roll, big_small: str, odd_even: str) -> None:
    """11 and more is big, a triple is neither."""
    assert kinds([roll], "big-small") == [big_small]
    assert kinds([roll], "odd-even") == [odd_even]


def test_kinds_agree_with_the_boxes_of_the_layout() -> None:
    """A stream shows what the bet of that name would have done, on all 216 rolls."""
    import taisai

    table = taisai.pay_table("tai-sai-v6/2")
    for roll in ROLLS:
        winning = set(table.winning_boxes(roll)) & {"big", "small", "odd", "even"}
        shown = {kind for stream in ("big-small", "odd-even") for kind in kinds([roll], stream)}
        assert winning == shown - {TRIPLE}


def test_the_bead_plate_fills_down_and_then_right() -> None:
    """Eight rounds on six rows."""
    cells = bead_plate(results("BBSSTBSB"))
    assert drawn(cells) == ["BS", "BB", "S", "S", "T", "B"]


def test_the_dice_strip_shows_dice_from_lowest_to_highest_with_their_sum() -> None:
    """One column a round."""
    (column,) = dice_strip([Roll(5, 1, 3)])
    assert (column.column, column.dice, column.total) == (0, (1, 3, 5), 9)


def test_the_big_road_begins_a_column_with_each_change() -> None:
    """Runs go down."""
    assert drawn(big_road(results("BBBSBBSS"))) == ["BSBS", "B BS", "B"]


def test_a_long_run_turns_right_at_the_bottom() -> None:
    """A dragon's tail of two, and the next run begins beside the column, not beside the tail."""
    assert drawn(big_road(results("BBBBBBBBSS"))) == ["BS", "BS", "B", "B", "B", "BBB"]


def test_a_run_turns_right_above_a_tail() -> None:
    """The second run meets the first one's tail in row 6, the third meets the second one's in row 5."""
    board = drawn(big_road(results("B" * 8 + "S" * 7 + "B" * 5)))
    assert board == ["BSB", "BSB", "BSB", "BSBB", "BSSS", "BBB"]


def test_a_run_that_begins_on_a_taken_place_goes_further_right() -> None:
    """On a board of one row every tail lies in the first row."""
    assert drawn(big_road(results("BBSB"), rows=1)) == ["BBSB"]


def test_a_triple_marks_the_result_before_it() -> None:
    """Like a tie: no place of its own, and no end to a run."""
    cells = big_road(results("BTTBS"))
    assert cells == [RoadCell(0, 0, "big", 2), RoadCell(0, 1, "big"), RoadCell(1, 0, "small")]


def test_a_triple_before_any_result_marks_an_empty_place() -> None:
    """Which the first result then takes."""
    assert big_road(results("TT")) == [RoadCell(0, 0, "", 2)]
    assert big_road(results("TTSS")) == [RoadCell(0, 0, "small", 2), RoadCell(0, 1, "small")]


def test_triples_may_have_columns_of_their_own() -> None:
    """A display setting."""
    assert drawn(big_road(results("BTTB"), triples="column")) == ["BTB", " T"]


def test_bbpp_makes_one_red_in_the_first_derived_road() -> None:
    """The vector that everyone tests with; `P` is the other side."""
    assert derived(depths("BBSS"), 1) == ["red"]
    assert derived(depths("BBSS"), 2) == derived(depths("BBSS"), 3) == []


@pytest.mark.parametrize(
    ("letters", "k", "colours"),
    [
        # Columns 1 and 2 are one deep: the first entry is at the head of column 3, which sees 1 and 1 alike.
        ("BSB", 1, "R"),
        # Column 2 has a second place and column 1 has none: blue. Its third place and the place above it
        # both face nothing: red.
        ("BSS", 1, "b"),
        ("BSSS", 1, "bR"),
        # Depths 2, 1, 1: the head of column 3 compares 2 with 1.
        ("BBSB", 1, "b"),
        # Depths 3, 2, 3: place 2 of column 2 has a neighbour (R); head of column 3 compares 2 with 3 (b);
        # place 2 of column 3 has a neighbour (R), place 3 stands just below its end (b).
        ("BBBSSBBB", 1, "RbRb"),
        # The small road looks two columns back: places 2 and 3 of column 3 have neighbours in column 1
        # (R R); the head of column 4 compares columns 3 and 1, both three deep (R).
        ("BBBSBBBS", 2, "RRR"),
        ("BBSBBBS", 2, "Rbb"),
        # The cockroach looks three back: the head of column 5 compares columns 4 and 1.
        ("BBSBSB", 3, "b"),
        ("BSBSB", 3, "R"),
    ],
)
def test_derived_roads_by_hand(letters: str, k: int, colours: str) -> None:
    """Each worked out on paper."""
    assert "".join({"red": "R", "blue": "b"}[colour] for colour in derived(depths(letters), k)) == colours


@given(letters=some_results, rows=st.integers(1, 8), triples=st.sampled_from(["tie", "column"]))
def test_a_board_has_each_result_once_and_no_place_twice(letters: list[str], rows: int, triples: str) -> None:
    """Every result that is not a mark has a place of its own within the rows; marks are all counted."""
    cells = big_road(letters, rows=rows, triples=triples)
    marks = letters.count(TRIPLE) if triples == "tie" else 0
    lonely = bool(letters) and marks == len(letters)
    assert len(cells) == len(letters) - marks + lonely
    assert sum(cell.ties for cell in cells) == marks
    assert len({(cell.column, cell.row) for cell in cells}) == len(cells)
    assert all(0 <= cell.row < rows and cell.column >= 0 for cell in cells)


@given(letters=some_results)
def test_a_run_is_a_connected_line_that_turns_at_most_once(letters: list[str]) -> None:
    """Down from the first row, then to the right for good."""
    columns = logical_columns(letters)
    cells = iter(lay_out(columns))
    for column in columns:
        line = [next(cells) for _ in range(column.depth)]
        assert line[0].row == 0
        steps = [(b.column - a.column, b.row - a.row) for a, b in pairwise(line)]
        turned = steps.index((1, 0)) if (1, 0) in steps else len(steps)
        assert steps == [(0, 1)] * turned + [(1, 0)] * (len(steps) - turned)


@given(letters=some_results, more=some_results)
def test_what_is_drawn_stays_drawn(letters: list[str], more: list[str]) -> None:
    """A new result adds to every road and moves nothing that was there."""
    before, after = ([c.depth for c in logical_columns(each) if c.kind] for each in (letters, letters + more))
    for k in (1, 2, 3):
        colours = derived(before, k)
        assert derived(after, k)[: len(colours)] == colours
    places = [(cell.column, cell.row) for cell in big_road(letters)]
    assert [(cell.column, cell.row) for cell in big_road(letters + more)][: len(places)] == places


@given(depths=st.lists(st.integers(1, 9), max_size=40), k=st.integers(1, 3))
def test_a_derived_road_is_what_the_board_shows(depths: list[int], k: int) -> None:
    """The rule as it is told at the table, on cells instead of depths: red when the cell k columns to the
    left and the one above that are both filled or both empty; at a head, when the two columns compared are
    equally long."""
    filled = {(n, m) for n, depth in enumerate(depths) for m in range(depth)}
    colours = []
    for n, depth in enumerate(depths):
        for m in range(depth):
            if n < k or (n == k and m == 0):
                continue
            if m:
                is_red = ((n - k, m) in filled) == ((n - k, m - 1) in filled)
            else:
                is_red = depths[n - 1] == depths[n - 1 - k]
            colours.append("red" if is_red else "blue")
    assert derived(depths, k) == colours


@given(rolls=some_rolls)
def test_all_boards_of_a_table_come_from_its_rolls(rolls: list[Roll]) -> None:
    """Two streams and the dice; red and blue never touch the streams' own kinds."""
    boards = roads(rolls)
    assert [column.total for column in boards.dice] == [roll.total for roll in rolls]
    for stream, own in ((boards.big_small, {"big", "small"}), (boards.odd_even, {"odd", "even"})):
        assert len(stream.bead) == len(rolls)
        assert {cell.kind for cell in stream.big_road} <= own | {""}
        for road in (stream.big_eye, stream.small_road, stream.cockroach):
            assert {cell.kind for cell in road} <= {"red", "blue"}
            assert all(cell.row < ROWS for cell in road)


def test_impossible_boards_are_refused() -> None:
    """One clear line each."""
    with pytest.raises(InputError, match="at least one row"):
        roads([], rows=0)
    with pytest.raises(InputError, match="big-small or odd-even"):
        kinds([], "red-black")
    with pytest.raises(InputError, match="one column or more"):
        derived([1], 0)
