"""The scripts in examples/ about fairness, simulation and learning run, and say what they should."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fairness", ["fair dice: nothing stands against the dice", "one loaded die: the dice are suspect"]),
        ("simulation", ["labouchere", "the edge of 1/36 = 0.0278 is still there"]),
        ("learning_environment", ["best in truth: walk away"]),
    ],
)
def test_an_example_runs_from_top_to_bottom(
    name: str, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Cell after cell, as a person would run it."""
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert all(words in printed for words in said)
