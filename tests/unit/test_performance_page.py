"""The page of figures: what a run could tell, what it could not, and that it says so."""

from pathlib import Path

from bench.installed import server_sizes
from bench.performance import Row, page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "performance.md"


def test_a_figure_is_reached_when_every_pass_is_on_the_right_side() -> None:
    """One that has passes on both sides is one that the run cannot tell."""
    assert Row("a", [1.0, 2.0], 2.0, "x").verdict == "reached"
    assert Row("a", [2.1, 3.0], 2.0, "x").verdict == "not reached"
    assert Row("a", [1.9, 2.1], 2.0, "x").verdict == "this run cannot tell"
    assert Row("a", [0.8, 0.9], 0.8, "of", less=False).verdict == "reached"
    assert Row("a", [0.7, 0.9], 0.8, "of", less=False).verdict == "this run cannot tell"
    assert Row("a", [9.0], None, "x").verdict == ""


def test_a_line_has_the_median_the_spread_and_what_is_to_be_reached() -> None:
    """A single pass has no spread, and a figure that is only told has no bound."""
    told = Row("slips", [3.0, 1.0, 2.0], 2.5, "× an echo").line()
    assert told == "| slips | 2.00 × an echo (1.00 to 3.00) | at most 2.50 | this run cannot tell |"
    assert Row("events", [80_500.0], None, "a second").line() == "| events | 80,500 a second |  |  |"


def test_a_page_says_when_others_used_the_machine() -> None:
    """Whoever reads a figure knows how busy the machine was."""
    rows = [Row("slips", [1.0], 2.0, "x").line()]
    assert "others used it too" in page(rows, 99.0, 0.1)
    assert "others used it too" not in page(rows, 0.1, 0.1)


def test_a_page_says_when_its_run_was_not_through() -> None:
    """What is not there was not measured."""
    assert "ended before it was through" in page([], 0.1, 0.1, whole=False)
    assert "ended before it was through" not in page([], 0.1, 0.1)


def test_what_a_server_installs_leaves_out_what_only_reports_need() -> None:
    """Every distribution that it asks for is counted, and those that those ask for."""
    sizes = server_sizes()
    assert {"litestar", "apsw", "numpy", "msgspec"} <= sizes.keys()
    assert not {"scipy", "matplotlib", "pyarrow", "pytest"} & sizes.keys()
    assert 0 < sum(sizes.values()) < 300


def test_the_page_that_is_here_was_made_by_the_benchmark() -> None:
    """Its words are those of the benchmark now; its figures are those of the day it names."""
    made, kept = page([], 0.0, 0.0), PAGE.read_text(encoding="utf-8")
    for part in made.split("\n\n")[2:]:
        if not part.startswith("|"):
            assert part.strip() in kept
    assert "| slip, 1,000 bare sockets |" in kept
