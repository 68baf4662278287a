"""Bad inputs over all commands: one line, exit code 2, little work and little memory, whatever is wrong."""

import json
import sys
from pathlib import Path

import pytest

from tests.unit.cli.bad_inputs import bad_inputs
from tests.unit.cli.verbs import VERBS
from tests.unit.command import process

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_generated_bad_inputs_are_one_line_and_exit_code_2() -> None:
    """Two hundred of them, each in a fork of one warm process that may work for two seconds at most."""
    run = process(
        [sys.executable, "-m", "tests.unit.cli.bad_inputs", "--count", "200", "--seed", "20"], cwd=ROOT
    )
    report = json.loads(run.stdout)
    assert (report["run"], report["faulty"]) == (200, []), run.stderr


def test_every_command_is_given_bad_inputs() -> None:
    """The verbs of the generator are those of the command line."""
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    known = {
        line.removeprefix("## taisai ") for line in reference.splitlines() if line.startswith("## taisai ")
    }
    tried = {name for name in known for verb in VERBS if " ".join(verb.start).startswith(name)}
    # A person's password is asked for before anything else there; `witness` and `incident` are like `export`,
    # and `sign` reads its settings as `doctor` does.
    left_out = {"audit witness", "audit incident", "sign"}
    left_out |= {"staff add", "staff change", "staff reset", "staff password"}
    left_out |= {"staff waiting", "staff agree", "staff deny"}
    assert known - tried == left_out


def test_the_same_seed_gives_the_same_inputs() -> None:
    """What failed once can be run again."""
    assert list(bad_inputs(50, 3)) == list(bad_inputs(50, 3))
    assert list(bad_inputs(50, 3)) != list(bad_inputs(50, 4))
