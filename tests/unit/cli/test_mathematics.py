"""`taisai par`, `mix`, `risk` and `exposure`, as people run them."""

import json
from pathlib import Path

import pytest

from tests.unit.command import run

RISK_FREE = ["risk", "--pay-table", "tai-sai-v6/2", "--stake", "1"]
RISK = [*RISK_FREE, "--bet", "big"]


def document(*arguments: str) -> dict[str, object]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_risk_prints_the_document_that_is_promised() -> None:
    """Ruin and target with exact fraction and float, and the expected rounds."""
    found = document(*RISK, "--bankroll", "10", "--target", "20")
    assert found["ruin_probability"] == {
        "exact": "4808584372417849/7567131725933474",
        "float": 0.6354566758681166,
    }
    assert found["target_probability"] == {
        "exact": "2758547353515625/7567131725933474",
        "float": 0.36454332413188345,
    }
    assert found["expected_rounds"] == pytest.approx(97.52880662504393)


def test_risk_shows_exact_and_simulated_side_by_side() -> None:
    """A progressive strategy with its agreement, in JSON and as a table."""
    arguments = [*RISK, "--bankroll", "20", "--target", "40", "--strategy", "martingale", "--maximum", "8"]
    found = document(*arguments, "--simulate", "5000", "--seed", "4", "--rounds", "50")
    assert found["simulation"]["agrees"] is True
    assert found["within"]["rounds"] == 50
    shown = run(*arguments, "--simulate", "5000", "--seed", "4")
    assert "agrees" in shown.stdout
    assert "simulated" in shown.stdout


def test_risk_plays_a_strategy_from_a_file(tmp_path: Path) -> None:
    """Any Python callable, made anew for each session; one that overbets is stopped."""
    file = tmp_path / "mine.py"
    file.write_text(
        "def steady():\n    return lambda now: {'big': 1}\n"
        "def greedy():\n    return lambda now: {'big': now.bankroll + 1}\n",
        encoding="utf-8",
    )
    arguments = [*RISK_FREE, "--bankroll", "5", "--target", "10"]
    found = document(*arguments, "--strategy", f"{file}:steady", "--simulate", "500")
    assert found["method"] == "simulation"
    assert found["ruin_probability"]["exact"] is None
    assert "chance of ruin" in run(*arguments, "--strategy", f"{file}:steady", "--simulate", "50").stdout
    for strategy, message in [
        (f"{file}:greedy", "round 1: the strategy bets 6, more than the 5 that it has"),
        (f"{file}:other", "has no callable 'other'"),
        (f"{tmp_path / 'none.py'}:x", "no file"),
    ]:
        result = run(*arguments, "--strategy", strategy, "--simulate", "5")
        assert result.exit_code == 2
        assert message in result.stderr
    file.write_text("1 / 0\n", encoding="utf-8")
    result = run(*arguments, "--strategy", f"{file}:x", "--simulate", "5")
    assert "cannot be run: ZeroDivisionError" in result.stderr
    assert "add --simulate" in run(*arguments, "--strategy", f"{file}:x").stderr


def test_a_strategy_from_a_file_is_held_to_what_was_asked(tmp_path: Path) -> None:
    """--maximum cuts its bets, --rounds ends its sessions, and --bet is refused: it chooses its own boxes."""
    file = tmp_path / "mine.py"
    file.write_text("def bold():\n    return lambda now: {'big': now.bankroll}\n", encoding="utf-8")
    arguments = [*RISK_FREE, "--bankroll", "50", "--target", "100", "--strategy", f"{file}:bold"]
    played = [*arguments, "--simulate", "60", "--seed", "2"]
    bold, held = document(*played), document(*played, "--maximum", "1", "--rounds", "3")
    assert (bold["expected_rounds"], bold["open"]) == (1.0, 0)
    assert (held["expected_rounds"], held["open"], held["rounds"], held["maximum"]) == (3.0, 60, 3, 1)
    refused = run(*played, "--bet", "big")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "chooses its own boxes: leave out --bet big" in refused.stderr


def test_a_strategy_that_hangs_is_ended_by_the_clock(tmp_path: Path) -> None:
    """Code that is not ours has the time that is allowed, wherever it hangs."""
    file = tmp_path / "mine.py"
    file.write_text("def stuck():\n    while True:\n        pass\n", encoding="utf-8")
    arguments = [*RISK_FREE, "--bankroll", "5", "--target", "10", "--strategy", f"{file}:stuck"]
    result = run(*arguments, "--simulate", "5", TAISAI_MATHS_SECONDS="0.2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "takes more than the 0.2 s that are allowed" in result.stderr


def test_ctrl_c_shows_the_sessions_that_are_over(tmp_path: Path) -> None:
    """What is known so far, and exit code 130; a simulated rule keeps its exact figures beside it."""
    file = tmp_path / "mine.py"
    file.write_text(
        "count = 0\ndef mine():\n    global count\n    count += 1\n"
        "    if count > 7:\n        raise KeyboardInterrupt\n    return lambda now: {'big': 1}\n",
        encoding="utf-8",
    )
    arguments = [*RISK_FREE, "--bankroll", "5", "--target", "10", "--strategy", f"{file}:mine"]
    result = run(*arguments, "--simulate", "50", "--format", "json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["sessions"] == 7
    assert result.stderr == "interrupted: 7 of 50 sessions had ended\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*RISK, "--bankroll", "-5", "--target", "10"],
            "'--bankroll': expected a whole number from 1 to 9007199254740991, got '-5'",
        ),
        ([*RISK, "--bankroll", "5", "--target", "4"], "a target lies above the bankroll of 5, got 4"),
        ([*RISK, "--bankroll", "5", "--target", "9", "--strategy", "martin"], "unknown strategy 'martin'"),
        (["mix", "tai-sai-v6/2"], "a mix needs at least one bet"),
        (["mix", "--bet", "big=1"], "on which pay table is 'big=1'?"),
        (["mix", "tai-sai-v6/2", "--bet", "big=1", "--bet", "big=2"], "two bets on big"),
        (["mix", "tai-sai-v6/2", "--bet", "big"], "expected a bet such as big=100"),
        (
            ["mix", "tai-sai-v6/2", "--bet", "big=1", "--rounds", "0"],
            "'--rounds': expected a whole number from 1 to",
        ),
        (
            ["mix", "tai-sai-v6/2", "--bet", "big=1", "--pace", "0"],
            "'--pace': expected a whole number from 1 to",
        ),
        (["exposure", "tai-sai-v6/2"], "expected bets"),
        (["exposure", "tai-sai-v6/2", "--bet", "bog=1"], "unknown box"),
        (["exposure", "tai-sai-v6/2", "--bet", "big=1", "--level", "2"], "a level lies between 0 and 1"),
        (["exposure", "tai-sai-v6/2", "--bets", "none.csv"], "cannot read none.csv"),
        (["exposure", "tai-sai-v6/2", "--maximum", "big=x"], "a maximum such as 5000 or big=5000 is a whole"),
        (["par", "tai-sai-v6/9"], "unknown pay table"),
        (["par", "macau/1", "--out", "x.pdf"], "ends in .html, .md, .json, .xlsx"),
        (["par", "macau/1", "--floor", "half"], "expected a share such as 0.75"),
        (["par", "macau/1", "--maximum", "big=1", "--maximum", "big=2"], "two maxima for big"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], message: str) -> None:
    """Exit code 2, one line on standard error, nothing on standard output."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_mix_says_what_an_hour_costs() -> None:
    """Bets on two tables, quantiles, and the exact loss an hour."""
    bets = ["--bet", "big=100", "--bet", "macau/1:sum-9=20"]
    found = document("mix", "tai-sai-v6/2", *bets, "--rounds", "20", "--pace", "50")
    tables = [bet["pay_table"] for bet in found["bets"]]
    assert tables == ["tai-sai-v6/2", "macau/1"]
    # 50 rounds of 100 at 1/36 and 20 at 41/216.
    assert found["hour"]["expected_loss"]["exact"] == "8875/27"
    assert found["after"]["method"] == "exact"
    assert "expected loss an hour" in run("mix", "tai-sai-v6/2", "--bet", "big=100").stdout
    csv = run("mix", "tai-sai-v6/2", "--bet", "big=1", "--rounds", "2", "--format", "csv").stdout
    assert [line.partition(",")[0] for line in csv.splitlines()] == ["net", "-2.0", "0.0", "2.0"]


def test_exposure_shows_worst_outcomes_first_and_limits(tmp_path: Path) -> None:
    """Bets from the command line and a file together; a bound suggests maxima and headroom."""
    file = tmp_path / "bets.csv"
    file.write_text("player,box,stake\nann,big,600\nbo,big,400\n", encoding="utf-8")
    arguments = ["exposure", "tai-sai-v6/2", "--bets", str(file), "--bet", "triple-6=50"]
    shown = run(*arguments).stdout
    assert "worst: -8,000 on 6-6-6 (1 of 216)" in shown
    assert shown.index("6-6-6 │") < shown.index("1-4-6 │")
    found = document(*arguments, "--bound", "20000", "--unit", "5")
    assert found["worst"] == {"dice": "6-6-6", "ways": 1, "house_net": "-8000"}
    assert found["headroom"]["triple-6"] == 66
    assert all(amount % 5 == 0 for amount in found["suggested_maxima"]["groups"].values())
    assert len(run(*arguments, "--format", "csv").stdout.splitlines()) == 57


def test_exposure_names_the_faulty_line_of_a_file(tmp_path: Path) -> None:
    """A stake that is no number, and columns that are missing."""
    file = tmp_path / "bets.csv"
    file.write_text("box,stake\nbig,100\nsmall,ten\n", encoding="utf-8")
    assert "line 3: a stake is a whole number" in run("exposure", "macau/1", "--bets", str(file)).stderr
    file.write_text("place,amount\nbig,100\n", encoding="utf-8")
    assert "expected the columns box and stake" in run("exposure", "macau/1", "--bets", str(file)).stderr


def test_exposure_answers_for_limits_without_bets() -> None:
    """What the maxima can cost, and what they would have to be."""
    shown = run(
        "exposure", "macau/1", "--maximum", "1000", "--maximum", "big=50000", "--bound", "100000"
    ).stdout
    assert "2-2-2 can cost 199,000" in shown
    assert "maxima under which no outcome costs more than" in shown


@pytest.mark.parametrize("ending", ["html", "md", "json", "xlsx"])
def test_par_writes_the_form_that_the_ending_names(ending: str, tmp_path: Path) -> None:
    """One file, and nothing on standard output."""
    file = tmp_path / f"par.{ending}"
    result = run("par", "macau/1", "--out", str(file), "--rounds", "100000", "--maximum", "100")
    assert (result.exit_code, result.stdout) == (0, "")
    assert file.stat().st_size > 5000


def test_par_prints_markdown_unless_another_form_is_asked_for() -> None:
    """Markdown, JSON, CSV and a table."""
    few = ["par", "macau/1", "--rounds", "100000"]
    assert run(*few).stdout.startswith("# PAR sheet of macau/1\n")
    assert document(*few)["identity"]["pay_table"] == "macau/1"
    csv = run(*few, "--format", "csv").stdout.splitlines()
    assert csv[0].startswith("box,group,ways,probability,one_in")
    assert len(csv) == 55
    assert "volatility 95" in " ".join(run(*few, "--format", "table", COLUMNS="300").stdout.split())
