"""The list of cells: each reason is about one that exists, and what nobody reached is said."""

from tests.evenings.coverage import ENOUGH, NEVER, cells, report, unreached


def test_each_reason_is_about_a_cell_that_exists() -> None:
    """A reason that outlived its cell would excuse the next one of that name."""
    beginnings = {cell[:length] for cell in cells() for length in range(1, len(cell) + 1)}
    assert [row for row in NEVER if row not in beginnings] == []


def test_a_mark_reaches_its_cell_and_no_other() -> None:
    """Also where the mark says more than the cell."""
    cell = ("act", "PlaceBets", "betting")
    other = ("act", "PlaceBets", "closed")
    missing = unreached([(*cell, "taken")])
    assert (cell in missing, other in missing) == (False, True)


def test_a_cell_that_is_missing_fails_after_enough_evenings() -> None:
    """Before that it is only said."""
    said, fails = report([], ENOUGH - 1)
    assert "never reached: act / PlaceBets / betting" in said
    assert not fails
    assert report([], ENOUGH)[1]
    assert not report(list(cells()), ENOUGH)[1]
