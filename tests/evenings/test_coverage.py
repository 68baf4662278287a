"""The list of cells: each reason is about one that exists, and what nobody reached is said."""

from pathlib import Path

from tests.evenings.coverage import ENOUGH, NEVER, cells, report, unreached
from tests.evenings.evening import Verdict
from tests.evenings.in_flight import GROUP_OF
from tests.evenings.plan import LIKES
from tests.evenings.playing import Tally


def test_each_reason_is_about_a_cell_that_exists() -> None:
    """A reason that outlived its cell would excuse the next one of that name."""
    beginnings = {cell[:length] for cell in cells() for length in range(1, len(cell) + 1)}
    assert [row for row in NEVER if row not in beginnings] == []


def test_a_mark_reaches_its_cell_and_no_other() -> None:
    """Also where the mark says more than the cell."""
    cell = ("act", "place bets", "betting", "taken")
    other = ("act", "place bets", "closed", "betting_closed")
    missing = unreached([(*cell, "and more")])
    assert (cell in missing, other in missing) == (False, True)


def test_a_cell_that_is_missing_fails_after_enough_evenings() -> None:
    """Before that it is only said."""
    said, fails = report([], ENOUGH - 1)
    assert "never reached: act / place bets / betting / taken" in said
    assert not fails
    assert report([], ENOUGH)[1]
    assert not report(list(cells()), ENOUGH)[1]


def test_every_act_of_everybody_belongs_to_something_that_can_be_in_flight() -> None:
    """A new act that nobody put into a group would end an evening at the first fault."""
    done = {act for likes in LIKES.values() for act in likes}
    assert done == set(GROUP_OF)


def test_what_several_runs_reached_adds_up(tmp_path: Path) -> None:
    """Evenings and marks, kept in a file between them."""
    kept = tmp_path / "marks.json"
    for number in (1, 2):
        tally = Tally()
        tally.add(Verdict(seed=number, marks=[["event", f"E{number}"]]))
        tally.add_up(kept)
    assert tally.played == 2
    assert set(tally.marks) == {("event", "E1"), ("event", "E2")}
