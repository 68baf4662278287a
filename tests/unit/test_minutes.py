"""A run of the tests says where its time went."""

import re
import sys
from pathlib import Path

import pytest

from tests.unit.command import process

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_tells_the_minutes_of_each_folder(workers: str, tmp_path: Path) -> None:
    """In one process as with workers, whose times come together."""
    (tmp_path / "conftest.py").write_text("from tests.minutes import *\n", encoding="utf-8")
    for folder, tests in (("one", 2), ("two", 1)):
        place = tmp_path / "tests" / folder / "deep"
        place.mkdir(parents=True)
        code = "\n".join(f"def test_{number}():\n    pass" for number in range(tests))
        (place / f"test_{folder}.py").write_text(code, encoding="utf-8")
    arguments = (
        f"-m pytest -q -p xdist -p no:cacheprovider -n {workers} --rootdir {tmp_path} {tmp_path}/tests"
    )
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    done = process([sys.executable, *arguments.split()], env=alone)
    assert done.returncode == 0, done.stdout + done.stderr
    told = re.findall(r"^ +0\.0  (\S.*)$", done.stdout, re.MULTILINE)
    assert sorted(told[:2]) == ["tests/one (2 tests)", "tests/two (1 tests)"]
    assert told[2:] == ["of all workers together"]
