"""`import taisai` and the plain verbs stay light: no NumPy, nothing heavy before it is asked for."""

import sys

import pytest

from tests.unit.command import process

HEAVY = (
    "numpy",
    "scipy",
    "matplotlib",
    "numba",
    "flint",
    "pyarrow",
    "xlsxwriter",
    "gymnasium",
    "apsw",
    "asyncpg",
    "cryptography",
    "yoyo",
)


def modules_after(code: str) -> set[str]:
    result = process([sys.executable, "-c", f"{code}\nimport sys\nprint('modules:', *sys.modules)"])
    assert result.returncode == 0, result.stderr
    return set(result.stdout.rpartition("modules:")[2].split())


def test_importing_taisai_imports_nothing_else_of_it() -> None:
    """The public names are fetched when they are first used."""
    assert {name for name in modules_after("import taisai") if name.startswith("taisai")} == {"taisai"}


@pytest.mark.parametrize(
    "code",
    [
        "import taisai",
        "import taisai; taisai.settle(taisai.pay_table('tai-sai-v6/2'), taisai.Roll(1, 1, 3), {'big': 100})",
        "import taisai; taisai.box_odds(taisai.pay_table('sic-bo-etg-v8/2').box('sum-8')).edge",
    ],
)
def test_rules_odds_and_settlement_need_no_heavy_library(code: str) -> None:
    """A program that settles a bet does not wait for NumPy."""
    assert not modules_after(code) & set(HEAVY)


@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "--version",
        "rules",
        "odds tai-sai-v6/2",
        "settle tai-sai-v6/2 --dice 1,1,3",
        "layout macau/1",
        "compare macau/1 australia/1",
    ],
)
def test_the_plain_verbs_need_no_heavy_library(arguments: str) -> None:
    """Help and the everyday verbs start at once."""
    code = f"""
import sys
from taisai.cli.app import main
sys.argv = ["taisai", *{arguments.split()!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert not modules_after(code) & set(HEAVY)
