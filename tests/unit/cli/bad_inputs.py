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
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final

from typer.main import get_command

from tests.unit.cli.bad_values import command_line
from tests.unit.cli.verbs import VERBS

SECONDS: Final = 2
MIB: Final = 500
# Who waits for something that never comes, such as a server that started, is ended and counted as a fault.
WAITING: Final = 10
HEAVY: Final = (
    "numpy scipy.stats scipy.sparse.linalg scipy.linalg flint numba matplotlib.figure xlsxwriter "
    "taisai.odds.par.write taisai.odds.simulation taisai.odds.risk taisai.odds.fairness taisai.odds.power "
    "taisai.odds.fairness.plots taisai.odds.simulation.plots taisai.odds.exposure taisai.cli.serving"
)


# Commands that fail at once, each after it has imported what its neighbours need too.
WARM: Final = (
    "odds macau/1 --box x",
    "risk --pay-table tai-sai-v6/2 --bankroll 100 --target 200 --strategy x",
    "audit verify no-such-file",
    "audit export no-such-file --out x.jsonl",
    "backup no-such-file --out x",
    "restore no-such-file no-such-file",
    "ledger balance no-such-file",
    "replay no-such-file",
    "offer match-play macau/1 --coupon 5 --bet x",
    "design stake macau/1 --bankroll 5 --risk 5% --rounds 5 --unit 10",
    "loaded macau/1 --faces x",
    "loaded macau/1 --rolls no-such-file",
    "day macau/1 --player big=5 --comps x",
    "day --record no-such-file",
    "serve --config no-such-file",
    "fairness no-such-file",
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
    files = Path(__file__).parents[1] / "files"
    for name in ("house.toml", "lit.toml"):
        (folder / name).write_bytes((files / name).read_bytes())
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


def warm_up() -> None:
    """Import everything large, and what commands import only when they run, once for all forks."""
    for name in HEAVY.split():
        import_module(name)
    for line in WARM:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()), suppress(SystemExit):
            _command().main(line.split(), prog_name="taisai")
    gc.freeze()  # so that a fork copies no pages that only the collector would touch


def run_all(count: int, seed: int) -> list[Outcome]:
    """Every input in its own fork of one warm process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        with chdir(folder):
            warm_up()
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
