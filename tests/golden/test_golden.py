"""Golden files are what the code writes today."""

from pathlib import Path

import pytest

import taisai
from tests.golden.regenerate import ROOT, golden, orphans

FILES = golden()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_golden_file_is_up_to_date(path: Path) -> None:
    """A change of what is written shows itself as a diff of the committed file: `make golden` makes it."""
    assert path.exists(), "not committed yet: run `make golden`"
    assert path.read_text(encoding="utf-8") == FILES[path](), "stale: run `make golden` and review the diff"


def test_no_golden_file_is_left_over() -> None:
    """A file that nothing writes proves nothing."""
    assert orphans() == []


def test_every_shipped_pay_table_has_a_census() -> None:
    """Thirteen pay tables, thirteen files, a line for each box and one for the source."""
    tables = [table for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables]
    censuses = {path.name: path for path in FILES if path.suffix == ".census"}
    assert len(censuses) == len(tables) == 13
    for table in tables:
        lines = censuses[f"{table.id.replace('/', '-')}.census"].read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"# {table.id}")
        assert [line.split()[0] for line in lines[1:]] == [box.id for box in table.boxes]
