"""The examples run as they stand, from first cell to last."""

import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.unit.cli import process

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_prints_something(example: Path, tmp_path: Path) -> None:
    """Each is a plain script with `# %%` cells; it needs no arguments and no files of its own."""
    assert "# %%" in example.read_text(encoding="utf-8")
    done = process([sys.executable, str(example)], cwd=tmp_path, env={"MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr.strip()
