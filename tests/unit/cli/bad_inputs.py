"""Bad inputs to every command, made at random from a seed, and run one by one in forks of a warm process.

    python -m tests.unit.cli.bad_inputs --count 2000 --seed 1

Each is one line on standard error and exit code 2, within two seconds of work and 500 MiB. What comes out
otherwise is listed, with the arguments that reproduce it. Tests run a share of them.
"""

import argparse
import gc
import json
import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from typer.main import get_command

SECONDS: Final = 2
MIB: Final = 500
# Who waits for something that never comes, such as a server that started, is ended and counted as a fault.
WAITING: Final = 10
# What is not text comes from the system as lone surrogates.
NOT_TEXT: Final = "\udcff\udcfe"
HEAVY: Final = (
    "numpy scipy.stats scipy.sparse.linalg scipy.linalg flint numba matplotlib.figure xlsxwriter "
    "taisai.odds.par.write taisai.odds.simulation taisai.odds.risk taisai.odds.fairness taisai.odds.power "
    "taisai.odds.fairness.plots taisai.odds.simulation.plots taisai.odds.exposure taisai.cli.serving"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run said and took."""

    arguments: list[str]
    code: int
    stdout: str
    stderr: str
    seconds: float
    mib: float

    @property
    def faults(self) -> list[str]:
        """What is wrong with it, if anything."""
        checks = {
            f"exit code {self.code}": self.code == 2,
            "standard output": self.stdout == "",
            "more than one line": self.stderr.count("\n") == 1,
            "no error line": self.stderr.startswith("error: "),
            "a long line": len(self.stderr) <= 700,
            f"{self.mib:.0f} MiB": self.mib <= MIB,
        }
        return [fault for fault, holds in checks.items() if not holds]


Values = Callable[[random.Random], str]


def _digits(rng: random.Random) -> str:
    return rng.choice("123456789") + "0" * rng.choice((19, 40, 400, 5_000))


def _garbage(rng: random.Random) -> str:
    length = rng.randint(1, 12)
    return "x" + "".join(rng.choice("abcxyz!?%,;:[]{}()<>|'\"\\ \t~^é中🎲") for _ in range(length))


NO_NUMBER: Final = (
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "1e3",
    "1e999999999",
    "0x10",
    "1_000",
    "1,000",
    "1/0",
    "½",
    "٣",
)


def whole(rng: random.Random) -> str:
    """No whole number above zero within any bound."""
    return rng.choice(
        [*NO_NUMBER, "-1", "1.5", "--", "-" + _digits(rng), _digits(rng), NOT_TEXT, _garbage(rng)]
    )


def chance(rng: random.Random) -> str:
    """No chance between 0 and 1."""
    return rng.choice(
        ["", "nan", "inf", "-inf", "0", "1", "-0.1", "2", "1e400", "1/2", NOT_TEXT, _garbage(rng)]
    )


def share(rng: random.Random) -> str:
    """No share: beyond 100 %, with an exponent, or no number at all."""
    return rng.choice(
        ["", "1e999999999", "-1", "101", "3/0", "nan", "1e-5", _digits(rng), NOT_TEXT, _garbage(rng)]
    )


def bias(rng: random.Random) -> str:
    """No bias of a die."""
    return rng.choice(["", "0", "nan", "inf", "-0.2", "0.9", "1e400", "1e-300", NOT_TEXT, _garbage(rng)])


def pay_table(rng: random.Random) -> str:
    """No pay table."""
    known = ["tai-sai-v6/4", "tai-sai-v6", "/", "macau/0", "macau/-1", "../x/1", "macau/" + _digits(rng)]
    return rng.choice([*known, "", NOT_TEXT + "/1", "macau/" + NOT_TEXT, _garbage(rng)])


def box(rng: random.Random) -> str:
    """No box."""
    return rng.choice(["bigg", "", "sum-3", "pair-112", "Big", "triple-7", NOT_TEXT, _garbage(rng)])


def bet(rng: random.Random) -> str:
    """No bet."""
    faulty = [f"big={whole(rng)}", f"{box(rng)}=5", "big", "=", "=5", "big=0", "big==5"]
    return rng.choice(faulty)


def maximum(rng: random.Random) -> str:
    """No maximum."""
    return rng.choice([f"big={whole(rng)}", f"{box(rng)}=5", "=5", "big=", whole(rng)])


def dice(rng: random.Random) -> str:
    """No roll."""
    return rng.choice(
        ["1,1", "1,1,7", "0,1,1", "1,1,1,1", "", "1,1," + _digits(rng), NOT_TEXT, _garbage(rng)]
    )


def missing(rng: random.Random) -> str:
    """A file that is not there, a folder, or bytes that are no text."""
    return rng.choice(["no-such-file", ".", "no/such/file.csv", "bytes.csv", "bytes.toml", NOT_TEXT])


def no_store(rng: random.Random) -> str:
    """No record: nothing is there, or a folder is."""
    return rng.choice(["no-such-file", ".", "sqlite:///no/such/file.db", "mysql://x", NOT_TEXT])


def unwritable(rng: random.Random) -> str:
    """Nothing can be written there."""
    return rng.choice(["no/such/folder/x.svg", "no/such/folder/x.csv", "x.pdf", "x", ".", NOT_TEXT])


def no_folder(rng: random.Random) -> str:
    """A folder that is not there, or one in the place of a file."""
    return rng.choice(["no/such/folder/x.svg", "."])


def strategy(rng: random.Random) -> str:
    """A strategy that is not there or misbehaves."""
    names = ("absent", "number", "raises", "exits", "greedy", "odd", "deep", "late", "keys", "huge", "broken")
    return rng.choice([f"mine.py:{rng.choice(names)}", "none.py:x", "wrong.py:x", "bytes.py:x"])


def word(rng: random.Random) -> str:
    """No word that is known."""
    return rng.choice(["", "xml", "tables", NOT_TEXT, _garbage(rng)])


def command_line(rng: random.Random) -> str:
    """No option of any command."""
    return rng.choice(["--no-such-option", "-z", "--format", "---", "--" + NOT_TEXT])


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that works, by its arguments, and what may be wrong with each of them."""

    start: tuple[str, ...]
    good: tuple[tuple[str, str], ...]
    bad: dict[str, Values]


RISK: Final = ("risk", "--pay-table", "tai-sai-v6/2", "--bankroll", "100", "--target", "200")
FILED: Final = (*RISK, "--simulate", "30")
VERBS: Final = (
    Verb(("rules",), (), {"": _garbage, "tai-sai-v6 --clause": _garbage}),
    Verb(("odds",), (), {"": pay_table, "macau/1 --box": box, "macau/1 --format": word}),
    Verb(("compare", "macau/1"), (), {"": pay_table}),
    Verb(("settle", "macau/1"), (("--dice", "1,1,3"), ("--bet", "big=5")), {"--dice": dice, "--bet": bet}),
    Verb(
        ("prorata",),
        (("--maximum", "1000"), ("--minimum", "50"), ("--unit", "5"), ("", "300")),
        {"--maximum": whole, "--minimum": whole, "--unit": whole, "": whole},
    ),
    Verb(("layout", "macau/1"), (), {"--width": whole, "--dice": dice, "--svg": no_folder, "--format": word}),
    Verb(("check",), (("", "house.toml"),), {"": missing, "--floor": share}),
    Verb(
        ("play", "macau/1"),
        (),
        {"--bankroll": whole, "--chip": whole, "--maximum": whole, "--seed": whole, "--language": word},
    ),
    Verb(
        ("par", "macau/1"),
        (),
        {"--rounds": whole, "--seed": whole, "--floor": share, "--maximum": maximum, "--out": unwritable},
    ),
    Verb(("mix", "macau/1"), (("--bet", "big=5"),), {"--bet": bet, "--rounds": whole, "--pace": whole}),
    Verb(
        RISK,
        (),
        {
            "--stake": whole,
            "--bet": box,
            "--strategy": word,
            "--maximum": whole,
            "--rounds": whole,
            "--simulate": whole,
            "--seed": whole,
        },
    ),
    Verb(FILED, (), {"--strategy": strategy}),
    Verb(
        ("exposure", "macau/1"),
        (("--bet", "big=5"),),
        {
            "--bet": bet,
            "--bets": missing,
            "--bound": whole,
            "--unit": whole,
            "--level": chance,
            "--maximum": maximum,
        },
    ),
    Verb(
        ("fairness",),
        (),
        {"": missing, "--bias": bias, "rolls.csv --alpha": chance, "rolls.csv --seed": whole},
    ),
    Verb(("fairness", "--bias", "0.1"), (), {"--tables": whole, "--alpha": chance}),
    Verb(
        ("simulate", "macau/1"),
        (("--bet", "big=5"),),
        {
            "--bet": bet,
            "--rounds": whole,
            "--players": whole,
            "--seed": whole,
            "--strategy": word,
            "--bankroll": whole,
            "--threads": whole,
            "--engine": word,
            "--out": unwritable,
            "--plot": unwritable,
        },
    ),
    Verb(("audit", "verify"), (), {"": no_store}),
    Verb(
        ("audit", "significant", "no-such-file"),
        (),
        {"--win": whole, "--wager": whole, "--transaction": whole},
    ),
    Verb(("audit", "export", "no-such-file"), (), {"--out": unwritable}),
    Verb(("ledger", "balance"), (), {"": no_store}),
    Verb(("ledger", "statement", "no-such-file"), (), {"": _garbage}),
    Verb(("ledger", "report", "no-such-file"), (), {"--by": word}),
    Verb(("replay", "no-such-file"), (), {"--round": _garbage, "--language": word}),
    Verb(("rebuild",), (), {"": no_store}),
    Verb(("backup", "no-such-file"), (), {"--out": unwritable}),
    Verb(("restore", "no-such-file"), (), {"": no_store}),
    Verb(("serve",), (), {"--port": whole, "--config": missing}),
    Verb(("demo",), (), {"--port": whole}),
    Verb(("doctor",), (), {"--format": word}),
    Verb(("staff", "list"), (), {"--format": word}),
)

STRATEGIES: Final = """
number = 5
def raises():
    return lambda now: 1 // 0
def exits():
    raise SystemExit(0)
def greedy():
    return lambda now: {'big': now.bankroll + 1}
def odd():
    return lambda now: 'big'
def deep():
    def again(now):
        return again(now)
    return again
def late():
    return lambda now: {'big': 1} if now.round < 3 else {'bigg': 1}
def keys():
    return lambda now: {1: 1}
def huge():
    return lambda now: {'big': 10 ** 400}
def broken():
    return None
"""


def make_files(folder: Path) -> None:
    """The files that bad inputs name."""
    house = Path(__file__).parents[1] / "files" / "house.toml"
    (folder / "house.toml").write_bytes(house.read_bytes())
    (folder / "rolls.csv").write_text("1,2,3\n4,5,6\n" * 20, encoding="utf-8")
    (folder / "mine.py").write_text(STRATEGIES, encoding="utf-8")
    (folder / "wrong.py").write_text("def x(:\n", encoding="utf-8")
    for name in ("bytes.csv", "bytes.toml", "bytes.py"):
        (folder / name).write_bytes(b"box,stake\n\xff\xfe\x00\x80\n")


def bad_inputs(count: int, seed: int) -> Iterator[list[str]]:
    """Arguments with one thing wrong, every command in its turn."""
    rng = random.Random(seed)
    for number in range(count):
        verb = VERBS[number % len(VERBS)]
        option = rng.choice([*verb.bad, None])
        given = [part for name, value in verb.good if name != option for part in (name, value) if part]
        if option is None:
            yield [*verb.start, *given, command_line(rng)]
        else:
            yield [*verb.start, *given, *option.split(), verb.bad[option](rng)]


def run_forked(arguments: list[str], folder: Path) -> Outcome:
    """One run of the command in a fork of this process, with a bound on its work."""
    said, wrong = folder / "stdout", folder / "stderr"
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _become(arguments, folder, said, wrong)
    _, status, usage = os.wait4(child, 0)
    return Outcome(
        arguments=[
            repr(each)[1:-1] if len(each) < 60 else f"{each[:20]!r}… ({len(each)})" for each in arguments
        ],
        code=os.waitstatus_to_exitcode(status),
        stdout=said.read_text(encoding="utf-8", errors="replace"),
        stderr=wrong.read_text(encoding="utf-8", errors="replace"),
        seconds=usage.ru_utime + usage.ru_stime,
        mib=usage.ru_maxrss / 1024,
    )


@cache
def _command() -> Any:
    """The whole command, put together once."""
    return get_command(import_module("taisai.cli.app").app)


def _become(arguments: list[str], folder: Path, said: Path, wrong: Path) -> None:
    """The child: never returns."""
    code = 70
    try:
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        signal.alarm(WAITING)
        for number, path in ((1, said), (2, wrong)):
            os.dup2(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            _command().main(arguments, prog_name="taisai")
            code = 0
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def run_all(count: int, seed: int) -> list[Outcome]:
    """Every input in its own fork, after everything large has been imported once."""
    for name in HEAVY.split():
        import_module(name)
    _command()
    gc.freeze()  # so that a fork copies no pages that only the collector would touch
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        return [run_forked(arguments, folder) for arguments in bad_inputs(count, seed)]


def main() -> None:
    """Run so many and print what is not as it should be, as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    outcomes = run_all(chosen.count, chosen.seed)
    faulty = [{**asdict(each), "faults": each.faults} for each in outcomes if each.faults]
    report = {
        "run": len(outcomes),
        "seconds_max": max(each.seconds for each in outcomes),
        "mib_max": max(each.mib for each in outcomes),
        "faulty": faulty,
    }
    sys.stdout.write(json.dumps(report, indent=1) + "\n")
    sys.exit(bool(faulty))


if __name__ == "__main__":
    main()
