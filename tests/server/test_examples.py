"""The example of a terminal plays against a real server."""

import runpy
from pathlib import Path

import pytest

from tests.server.houses import AUTOMATIC, serving, settings

EXAMPLE = Path(__file__).parents[2] / "examples" / "terminal.py"


async def test_the_terminal_of_the_examples_plays_and_leaves_with_a_ticket(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two rounds, each bet explained."""
    play = runpy.run_path(str(EXAMPLE))["play"]
    async with serving(settings(tmp_path, AUTOMATIC)) as house:
        await play(house.address, "C1", 2)
    said = capsys.readouterr().out
    assert said.count("staked 1500, rolled ") == 2
    assert said.count("Big ") == said.count("Odd ") == 2
    assert "a ticket of " in said
