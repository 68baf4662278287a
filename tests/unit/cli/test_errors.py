"""Bad input to the command: one clear line on standard error, a documented exit code, never a traceback."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from taisai.cli import output
from taisai.cli.output import Exit
from taisai.errors import InputError, RulebookError, StoreUnavailable, TaisaiError, WireError
from tests.unit.command import clean_environment, process, run

FILES = Path(__file__).parents[1] / "files"
SETTLE = ["settle", "tai-sai-v6/2", "--dice"]

BAD_INPUT = {
    "unknown rulebook": (
        ["rules", "tai-sai-v7"],
        "unknown rulebook 'tai-sai-v7': did you mean 'tai-sai-v6'?",
    ),
    "unknown clause": (
        ["rules", "tai-sai-v6", "--clause", "9.9"],
        "unknown clause of tai-sai-v6 '9.9': did you mean '5.9'?",
    ),
    "unknown table": (
        ["odds", "tai-sai-v6/4"],
        "unknown pay table 'tai-sai-v6/4': did you mean 'tai-sai-v6/3'?",
    ),
    "unknown table's rulebook": (
        ["odds", "tai-say-v6/1"],
        "unknown rulebook 'tai-say-v6': did you mean 'tai-sai-v6'?",
    ),
    "no table": (["odds", "tai-sai-v6"], "expected a pay table such as 'tai-sai-v6/2', got 'tai-sai-v6'"),
    "a path for a table": (["odds", "../../x/1"], "unknown rulebook '..': "),
    "unknown box": (
        ["odds", "tai-sai-v6/2", "--box", "bigg"],
        "unknown box on tai-sai-v6/2 'bigg': did you mean 'big'?",
    ),
    "unknown box in a bet": (
        [*SETTLE, "1,1,3", "--bet", "pear-113=5"],
        "unknown box on tai-sai-v6/2 'pear-113': did you mean 'pair-113'?",
    ),
    "a box that another table has": (
        ["settle", "tai-sai-v6/1", "--dice", "1,1,3", "--bet", "odd=5"],
        "unknown box on tai-sai-v6/1 'odd': ",
    ),
    "a seventh face": ([*SETTLE, "1,1,7"], "a die shows 1 to 6, not 7"),
    "no face": ([*SETTLE, "0,1,1"], "a die shows 1 to 6, not 0"),
    "two dice": ([*SETTLE, "1,1"], "expected three dice such as 1,1,3, got '1,1'"),
    "no dice": ([*SETTLE, ""], "expected three dice such as 1,1,3, got ''"),
    "words for dice": (
        [*SETTLE, "[red]one[/red]"],
        "expected three dice such as 1,1,3, got '[red]one[/red]'",
    ),
    "zero": ([*SETTLE, "1,1,3", "--bet", "big=0"], "a stake is above zero, got 0"),
    "negative": ([*SETTLE, "1,1,3", "--bet", "big=-5"], "a stake is above zero, got -5"),
    "fractional": (
        [*SETTLE, "1,1,3", "--bet", "big=1.5"],
        "a stake is a whole number of minor units, got '1.5' in 'big=1.5'",
    ),
    "exponent": (
        [*SETTLE, "1,1,3", "--bet", "big=1e3"],
        "a stake is a whole number of minor units, got '1e3' in 'big=1e3'",
    ),
    "grouped": (
        [*SETTLE, "1,1,3", "--bet", "big=1_000"],
        "a stake is a whole number of minor units, got '1_000' in",
    ),
    "endless": (
        [*SETTLE, "1,1,3", "--bet", "big=" + "9" * 5000],
        "a stake is a whole number of minor units, got '99",
    ),
    "no stake": (
        [*SETTLE, "1,1,3", "--bet", "big="],
        "a stake is a whole number of minor units, got '' in 'big='",
    ),
    "no bet": ([*SETTLE, "1,1,3", "--bet", "big"], "expected a bet such as big=100, got 'big'"),
    "no box": ([*SETTLE, "1,1,3", "--bet", "=5"], "expected a bet such as big=100, got '=5'"),
    "the same box twice": (
        [*SETTLE, "1,1,3", "--bet", "big=5", "--bet", "big=6"],
        "two bets on big: give its whole stake once",
    ),
    "odd stake at half-unit odds": (
        ["settle", "sic-bo-etg-v8/2", "--dice", "1,1,6", "--bet", "sum-8=5"],
        "5 at 8½ to 1 is no whole number of minor units",
    ),
    "a floor that is no number": (
        ["check", str(FILES / "house.toml"), "--floor", "low"],
        "expected a share such as 0.75, 3/4 or 75%, got 'low'",
    ),
    "no such file": (
        ["check", "no-such-file.toml"],
        "cannot read no-such-file.toml: No such file or directory",
    ),
    "a folder for a file": (["check", str(FILES)], f"cannot read {FILES}: Is a directory"),
    "nowhere to write": (
        ["layout", "macau/1", "--svg", "no/such/folder/felt.svg"],
        "cannot write no/such/folder/felt.svg: ",
    ),
    "unknown table to compare": (
        ["compare", "macau/1", "macao/1"],
        "unknown rulebook 'macao': did you mean 'macau'?",
    ),
    "unknown layout": (["layout", "macau/2"], "unknown pay table 'macau/2': did you mean 'macau/1'?"),
    "dice for a layout": (["layout", "macau/1", "--dice", "x"], "expected three dice such as 1,1,3, got 'x'"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    """What was expected and what came, on standard error; standard output stays empty."""
    result = run(*arguments)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-verb"],
        ["odds"],
        ["odds", "tai-sai-v6/2", "--no-such-option"],
        ["odds", "tai-sai-v6/2", "--format", "xml"],
        ["settle", "tai-sai-v6/2"],
        ["layout", "tai-sai-v6/2", "--width", "1"],
        ["layout", "tai-sai-v6/2", "--width", "many"],
        ["compare", "tai-sai-v6/2"],
        ["--no-such-option"],
    ],
)
def test_a_command_that_makes_no_sense_is_exit_code_2_too(arguments: list[str]) -> None:
    """Usage errors are one line like ours, and say where help is."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert re.fullmatch(r"error: .+; taisai( [a-z]+)? --help says more\n", result.stderr), result.stderr


def test_no_verb_at_all_shows_the_help() -> None:
    """Whoever types the bare command sees what there is."""
    result = run()
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr.startswith("Usage: taisai")


def test_a_faulty_file_is_exit_code_3_with_every_fault() -> None:
    """Each fault on a line of its own, with key and line of the file."""
    path = FILES / "broken-house.toml"
    result = run("check", str(path))
    faults = (FILES / "broken-house.faults").read_text(encoding="utf-8").splitlines()
    assert (result.exit_code, result.stdout) == (Exit.BAD_RULEBOOK, "")
    assert result.stderr.splitlines() == [
        f"error: {path}: {len(faults)} fault(s)",
        *(f"  {fault}" for fault in faults),
    ]


def test_the_faults_of_a_file_come_as_json_too() -> None:
    """A program gets key, line and message apart."""
    result = run("check", str(FILES / "broken-house.toml"), "--format", "json")
    assert result.exit_code == Exit.BAD_RULEBOOK
    document = json.loads(result.stdout)
    assert document["faults"][2] == {
        "key": "format",
        "line": 2,
        "message": "this version reads format 1, got 2",
    }
    assert len(document["faults"]) == len(
        (FILES / "broken-house.faults").read_text(encoding="utf-8").splitlines()
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("x"), 2),
        (RulebookError("x", []), 3),
        (StoreUnavailable("x"), 5),
        (WireError("x"), 1),
        (TaisaiError("[bold]x[/] and [1, 2]"), 1),
    ],
)
def test_each_error_has_its_exit_code(
    error: TaisaiError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Codes are part of the interface; what an error says is printed as it stands."""
    with pytest.raises(SystemExit) as caught, output.one_line_errors():
        raise error
    assert caught.value.code == code
    assert capsys.readouterr().err == f"error: {error}\n"


def test_ctrl_c_is_one_line_and_its_own_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    """A command that was stopped says so, and leaves no traceback."""
    with pytest.raises(SystemExit) as caught, output.one_line_errors():
        raise KeyboardInterrupt
    assert (caught.value.code, capsys.readouterr().err) == (Exit.INTERRUPTED, "interrupted\n")


def test_a_bug_of_ours_is_not_hidden() -> None:
    """What no one foresaw keeps its traceback: it has to be found."""
    with pytest.raises(ZeroDivisionError), output.one_line_errors():
        _ = 1 / 0


def test_brackets_in_a_cell_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    """A house's own words are never read as markup."""
    output.show_rows([{"a": "[red]x[/] [1]", "b": [1, 2]}], output.Format.TABLE, title="[b]t")
    text = capsys.readouterr().out
    assert "[red]x[/] [1]" in text
    assert "[b]t" in text


def test_no_rows_are_shown_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing found is no error."""
    for form in output.Format:
        output.show_rows([], form)
    assert "[]" in capsys.readouterr().out


def test_json_refuses_what_it_cannot_write() -> None:
    """A type that no one chose a form for is a bug of ours."""
    with pytest.raises(TypeError, match="cannot write complex as JSON"):
        output.show_json(1j)


# --- as its own process -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["taisai"], [sys.executable, "-m", "taisai"]], ids=["taisai", "python -m taisai"]
)
def test_the_command_and_the_module_are_the_same(command: list[str]) -> None:
    """Both print the same help, the same data and the same errors under the name taisai."""
    bad = process([*command, "odds", "tai-sai-v6/2", "--box", "bigg"])
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "error: unknown box on tai-sai-v6/2 'bigg': did you mean 'big'?\n"
    good = process([*command, "odds", "tai-sai-v6/2", "--box", "big", "--format", "csv"])
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == (
        "box,pays_to_one,ways,of,return,edge,edge_%,variance,skewness\n"
        "big,1,105,216,35/36,1/36,2.7778,1295/1296,0.0556\n"
    )
    assert process([*command, "--help"]).stdout.startswith("Usage: taisai [OPTIONS] COMMAND [ARGS]...")


def test_the_version_is_the_packages() -> None:
    """`taisai --version` says which rules engine settled."""
    import taisai

    assert run("--version").stdout == f"taisai {taisai.__version__}\n"
    pyproject = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{taisai.__version__}"\n' in pyproject


def test_a_reader_that_has_gone_is_no_error() -> None:
    """`taisai odds … | head -1` ends quietly, whether the pipe breaks early or late."""
    for arguments in (["odds", "tai-sai-v6/2", "--format", "json"], ["rules"], ["layout", "tai-sai-v6/2"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with subprocess.Popen(
            ["taisai", *arguments],
            stdout=write_end,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        ) as command:
            os.close(write_end)
            _, complaint = command.communicate(timeout=60)
        assert (command.returncode, complaint) == (0, "")


def test_colour_is_for_terminals_and_can_be_refused() -> None:
    """Redirected output has no escape codes; FORCE_COLOR asks for them and NO_COLOR refuses."""
    arguments = ["taisai", "settle", "tai-sai-v6/2", "--dice", "1,1,3"]
    bold_or_colour = re.compile(r"\x1b\[")
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]")
    assert not bold_or_colour.search(process(arguments).stdout)
    assert bold_or_colour.search(process(arguments, env={"FORCE_COLOR": "1"}).stdout)
    felt = ["taisai", "layout", "tai-sai-v6/2"]
    assert colour.search(process(felt, env={"FORCE_COLOR": "1"}).stdout)
    assert not colour.search(process(felt, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout)


def test_tables_fit_the_columns_they_are_given() -> None:
    """COLUMNS decides; without it and without a terminal there is room for 120."""

    def widest(text: str) -> int:
        return max(map(len, text.splitlines()))

    narrow = process(["taisai", "rules"], env={"COLUMNS": "80"})
    wide = process(["taisai", "rules"])
    assert widest(narrow.stdout) <= 80
    assert 80 < widest(wide.stdout) <= 120
