"""`taisai simulate` and `taisai fairness`: what they print, write and refuse."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from taisai.cli.app import app
from taisai.cli.long_runs import EXPECTED, costs_told, time_left
from taisai.cli.simulate import progress_bar
from taisai.odds.cost import Budget, Cost, afford, spending
from taisai.odds.power import roll_biased
from taisai.odds.simulation.run import Progress
from tests.unit.command import run

SIMULATE = ["simulate", "tai-sai-v6/2", "--bet", "big=100", "--rounds", "200", "--seed", "1"]
PATHS = [*SIMULATE, "--players", "400", "--bankroll", "2000", "--target", "4000"]


def register(path: Path, dice: np.ndarray) -> str:
    path.write_text("\n".join(",".join(map(str, roll)) for roll in dice.tolist()) + "\n", encoding="utf-8")
    return str(path)


def test_simulate_prints_json_that_can_be_repeated() -> None:
    """Engine, seed and digest are in it, and asking again gives the same document."""
    first = run(*PATHS, "--strategy", "martingale", "--format", "json")
    assert first.exit_code == 0
    document = json.loads(first.stdout)
    assert document["schema"] == "taisai.simulation/1"
    assert document["seed"] == 1
    assert document["exact_edge"]["exact"] == "1/36"
    assert (
        document["ruined"]["players"] + document["target"]["players"] + document["played"]["players"] == 400
    )
    again = run(*PATHS, "--strategy", "martingale", "--format", "json", "--threads", "1")
    assert json.loads(again.stdout) == document


@pytest.mark.parametrize("form", ["table", "csv", "md"])
def test_simulate_prints_tables(form: str) -> None:
    """The same figures for people."""
    result = run(*PATHS, "--format", form)
    assert result.exit_code == 0
    assert "share ruined" in result.stdout
    assert "xoshiro256++" in result.stdout


def test_simulate_without_a_bankroll_counts() -> None:
    """Totals only: quick for any number of rounds, and no shares of the ruined."""
    result = run(*SIMULATE[:-4], "--rounds", "1000000000", "--seed", "1")
    assert result.exit_code == 0
    assert "multinomial counts" in result.stdout
    assert "share ruined" not in result.stdout


def test_simulate_writes_players_and_a_picture(tmp_path: Path) -> None:
    """--out and --plot name their files on standard error and leave standard output to the data."""
    out, plot = tmp_path / "players.parquet", tmp_path / "run.svg"
    result = run(*PATHS, "--out", str(out), "--plot", str(plot), "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["players"] == 400
    assert "players.parquet" in result.stderr
    assert pyarrow.parquet.read_table(out).num_rows == 400
    assert plot.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([*SIMULATE, "--bankroll", "-1"], "error: '--bankroll': expected a whole number from 1 to"),
        ([*SIMULATE, "--bankroll", "1000", "--strategy", "x"], "error: unknown strategy 'x'"),
        ([*SIMULATE, "--out", "players.txt"], "error: expected a file ending in .parquet, .csv, .json"),
        ([*SIMULATE, "--out", "no/such/players.csv"], "error: cannot write no/such/players.csv"),
        ([*SIMULATE, "--plot", "run.pdf"], "error: expected a plot file ending in .svg or .png"),
        (["simulate", "tai-sai-v6/2", "--bet", "big"], "error: expected a bet such as big=100, got 'big'"),
        (["fairness"], "error: expected a file of rolls, or --bias"),
        (["fairness", "no-such-file.csv"], "error: cannot read no-such-file.csv: No such file or directory"),
        (["fairness", "--bias", "3"], "error: a bias changes a face's chance"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], complaint: str) -> None:
    """Whatever is wrong, it is said before any long work, and nothing goes to standard output."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(complaint)
    assert result.stderr.count("\n") == 1


def test_a_bar_shows_rate_and_share_where_someone_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal standard error has the bar; elsewhere nothing is written there."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as show:
        assert show is not None
        show(Progress(settled=250, total=1000, played=200))
    assert "25%" in terminal.getvalue()
    assert "million player-rounds/s" in terminal.getvalue()
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress_bar() as show:
        assert show is None


def test_the_time_left_is_known_from_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the estimate at first, by what was seen from a tenth on, and by both in between."""
    monkeypatch.setattr(EXPECTED, "seconds", 40.0)
    assert time_left(0.0, 1.0) == 39.0
    assert time_left(0.5, 10.0) == 10.0
    between = time_left(0.05, 1.0)
    assert between is not None
    assert 19.0 < between < 39.0
    monkeypatch.setattr(EXPECTED, "seconds", None)
    assert time_left(0.0, 1.0) is None
    assert time_left(0.25, 1.0) == 3.0


def test_a_bar_says_how_long_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost that was told is on the terminal with the first look."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with costs_told(), spending(Budget(1e9, 1000.0)):
        afford("a long run", Cost(seconds=250.0), less="ask for less")
        with progress_bar() as show:
            assert show is not None
            show(Progress(settled=0, total=1000, played=0))
    assert "about 4 minutes left" in terminal.getvalue()


def test_an_interrupted_command_prints_what_it_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ctrl-C: the figures so far, the file so far, and exit code 130."""

    @contextmanager
    def pressing() -> Iterator[Any]:
        def press(progress: Progress) -> None:
            if progress.settled:
                raise KeyboardInterrupt

        yield press

    monkeypatch.setattr("taisai.cli.simulate.progress_bar", pressing)
    out = tmp_path / "players.csv"
    result = run(*PATHS, "--rounds", "1000000", "--bankroll", "100000000", "--target", "200000000",
                 "--out", str(out), "--format", "json")  # fmt: skip
    assert result.exit_code == 130
    assert "interrupted: every player has reached at least round" in result.stderr
    document = json.loads(result.stdout)
    assert document["interrupted"]
    assert document["rounds_done"] < 1_000_000
    assert len(out.read_text(encoding="utf-8").splitlines()) == 401


def test_fairness_passes_fair_rolls(tmp_path: Path) -> None:
    """Exit code 0, a verdict in words, and the power of the register."""
    file = register(tmp_path / "rolls.csv", np.random.default_rng(1).integers(1, 7, size=(1000, 3)))
    result = run("fairness", file)
    assert result.exit_code == 0
    assert "verdict: nothing stands against the dice at 0.99 confidence" in result.stdout
    assert "a face of one die that is 0.069 too likely" in result.stdout


def test_fairness_finds_loaded_dice_and_draws_them(tmp_path: Path) -> None:
    """Exit code 1; JSON carries every test and the roll of the alarm; the picture is written."""
    file = register(tmp_path / "rolls.csv", roll_biased(0.1, shape=(1500,), dice=2, seed=1))
    plot = tmp_path / "dice.png"
    result = run("fairness", file, "--format", "json", "--plot", str(plot))
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["fair"] is False
    assert document["sequential"]["alarm_at"] < 1500
    assert "faces of die 2" in document["verdict"]
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_fairness_says_that_sorted_dice_are_sorted(tmp_path: Path) -> None:
    """Tests of single dice are left out, and standard error says why; --unordered says it is known."""
    dice = np.sort(np.random.default_rng(2).integers(1, 7, size=(900, 3)), axis=1)
    file = register(tmp_path / "rolls.txt", dice)
    result = run("fairness", file, "--format", "csv")
    assert result.exit_code == 0
    assert "faces of die 1" not in result.stdout
    assert "recorded by size" in result.stderr
    assert run("fairness", file, "--format", "csv", "--unordered").stderr == ""


def test_fairness_watches_for_a_change(tmp_path: Path) -> None:
    """Good dice are passed over; bad ones are named with where it began, and the exit code is 1."""
    rng = np.random.default_rng(8)
    good = rng.integers(1, 7, size=(300, 3)).tolist()
    file = tmp_path / "rolls.csv"
    file.write_text("\n".join(",".join(map(str, dice)) for dice in good), encoding="utf-8")
    result = run("fairness", str(file), "--watch")
    assert result.exit_code == 0
    assert "300 rolls, 0 alarm(s)" in result.stdout
    lines = "\n".join(",".join(map(str, dice)) for dice in [*good, *[[6, 6, 6]] * 5])
    result = CliRunner().invoke(app, ["fairness", "-", "--watch", "--format", "json"], input=lines)
    assert result.exit_code == 1
    (alarm,) = json.loads(result.stdout)["alarms"]
    assert 300 < alarm["since_roll"] <= alarm["at_roll"] <= 305
    wrong = CliRunner().invoke(app, ["fairness", "-", "--watch"], input="1,2,3\n1,2\n")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)


def test_fairness_reads_standard_input_and_names_the_line() -> None:
    """`-` is standard input; a bad line is told with its number."""
    result = CliRunner().invoke(app, ["fairness", "-"], input="1,2,3\n4,5\n")
    assert result.exit_code == 2
    assert "error: standard input, line 2: expected three dice such as 1,1,3, got '4,5'" in result.stderr
    empty = CliRunner().invoke(app, ["fairness", "-"], input="")
    assert empty.exit_code == 2
    assert "standard input: expected rolls, one a line such as 1,4,6, got none" in empty.stderr


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are no text are no rolls."""
    file = tmp_path / "rolls.bin"
    file.write_bytes(b"\xff\xfe\x00\x01" * 50)
    result = run("fairness", str(file))
    assert result.exit_code == 2
    assert "expected text, three dice a line" in result.stderr


def test_power_is_answered_without_a_file() -> None:
    """How many rolls notice a bias, for one, two and three loaded dice."""
    result = run("fairness", "--bias", "0.02", "--format", "json")
    assert result.exit_code == 0
    assert [row["rolls_for_90%"] for row in json.loads(result.stdout)["rolls"]] == [11277, 8111, 3760]


def test_power_can_be_checked_by_play() -> None:
    """Loaded tables of the promised length: nine in ten are found, and the monitor's alarms are counted."""
    result = run("fairness", "--bias", "0.15", "--tables", "150", "--format", "json")
    assert result.exit_code == 0
    for row in json.loads(result.stdout)["rolls"]:
        assert row["found_in_play"] == pytest.approx(0.92, abs=0.07)
        assert 0 < row["alarms_in_play"] <= 1
        assert row["median_alarm"] <= row["rolls_for_90%"]
