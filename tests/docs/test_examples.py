"""The examples run as they stand, from first cell to last."""

import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.unit.command import process

# Notebooks are plain scripts with `# %%` cells; other examples take arguments and have tests of their own.
EXAMPLES = [
    path for path in sorted((ROOT / "examples").glob("*.py")) if "# %%" in path.read_text(encoding="utf-8")
]


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_prints_something(example: Path, tmp_path: Path) -> None:
    """It needs no arguments and no files of its own."""
    done = process([sys.executable, str(example)], cwd=tmp_path, env={"MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr.strip()
