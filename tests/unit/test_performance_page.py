"""The page of figures: what a run could tell, what it could not, and that it says so."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from bench.installed import server_sizes
from bench.performance import GRACE, PARTS, SECONDS, Part, Row, measured, page, repeated, write

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
    told = Row("slips", [3.0, 1.0, 2.0], 2.5, "× an echo").line("now")
    assert (
        told
        == "| slips | 2.00 × an echo (1.00 to 3.00, 3 passes) | at most 2.50 | this run cannot tell | now |"
    )
    assert (
        Row("events", [80_500.0], None, "a second").line() == "| events | 80,500 a second (1 pass) |  |  |  |"
    )
    assert (
        Row("disk", [80.0], 90, "MB", exact=True).line() == "| disk | 80.0 MB | at most 90.0 | reached |  |"
    )


def test_a_page_says_when_others_used_the_machine() -> None:
    """Whoever reads a figure knows how busy the machine was."""
    rows = [Row("slips", [1.0], 2.0, "x").line()]
    assert "others used it too" in page(rows, 99.0, 0.1)
    assert "others used it too" not in page(rows, 0.1, 0.1)


def test_a_page_says_when_its_run_was_not_through() -> None:
    """What is not there was not measured."""
    assert "ended before it was through" in page([], 0.1, 0.1, whole=False)
    assert "ended before it was through" not in page([], 0.1, 0.1)


def _nothing(end: float) -> Iterator[Row]:
    yield from ()


def _lines(program: str, seconds: float) -> list[str]:
    """What a part says, without when it was; each row says that at its end."""
    said = list(measured(Part("slips", _nothing, seconds), [sys.executable, "-c", program]))
    assert all(re.search(r"\| 20\d\d-\d\d-\d\d \d\d:\d\d, \d+\.\d \|$", line) for line in said)
    return [line.rpartition(" | ")[0] + " |" for line in said]


_ONE_ROW = """print('row ["slips",[1.0],2.0,"x",true]', flush=True)"""


def test_a_part_that_fails_says_so_and_keeps_the_rows_that_it_had() -> None:
    """The others go on: nothing is raised."""
    row = "| slips | 1.00 x (1 pass) | at most 2.00 | reached |"
    assert _lines(_ONE_ROW, 600) == [row]
    failed = _lines(f"{_ONE_ROW}; print('failed OSError'); raise SystemExit(1)", 600)
    assert failed == [row, "| slips | not measured, or not all of it: OSError |  |  |"]
    assert "its process ended with 3" in _lines("raise SystemExit(3)", 600)[0]


def test_a_part_that_takes_too_long_is_ended_and_says_so() -> None:
    """It waits for what never comes, and has no time at all."""
    waits = "import signal; signal.pause()"
    assert _lines(waits, 0) == ["| slips | not measured, or not all of it: not through after 0 s |  |  |"]


def test_a_run_is_over_when_its_time_is_and_says_what_it_left_out(tmp_path: Path) -> None:
    """With no time left no part begins, and there is a page all the same."""
    made = tmp_path / "page.md"
    write(str(made), [Part("slips", _nothing, 600), Part("audit", _nothing, 600)], seconds=0)
    text = made.read_text(encoding="utf-8")
    for part in ("slips", "audit"):
        assert f"| {part} | not measured, or not all of it: the time of the whole run was over |" in text
    assert "ended before it was through" not in text


def test_the_parts_of_a_run_have_time_for_all_of_them() -> None:
    """Each may take all of its time, and the last one still begins: a whole run takes 12 minutes at most."""
    assert sum(part.seconds for part in PARTS) <= SECONDS - GRACE <= 12 * 60 - GRACE


def test_fewer_passes_are_made_where_time_is_short_but_one_at_least() -> None:
    """With no time there is one; with enough there are all."""
    assert repeated(lambda: 1, 5, monotonic() - 1) == [1]
    assert repeated(lambda: 1, 5, monotonic() + 600) == [1] * 5


def test_a_part_that_is_told_to_end_keeps_the_passes_that_it_had() -> None:
    """Without any there is nothing to tell."""
    passes = iter([1, 2])

    def measure() -> int:
        try:
            return next(passes)
        except StopIteration:
            raise KeyboardInterrupt from None

    assert repeated(measure, 5, monotonic() + 600) == [1, 2]
    with pytest.raises(KeyboardInterrupt):
        repeated(measure, 5, monotonic() + 600)


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
