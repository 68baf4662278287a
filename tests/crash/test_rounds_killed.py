"""A house that is killed while it plays: what it acknowledged is on the record once, and nothing by half."""

import asyncio
import os
import random
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec
import pytest

from taisai.adapters.stores import read_store
from tests.crash.rounds_child import Life, Told
from tests.evening import check_evening, evening, expected, expected_streams, whole_streams

Key = tuple[str, str]


# What must have been the last act of a house at least once, in each way to end.
ACTS = set(
    "BuyIn PlaceBets CloseBetting ActivateTumbler DeclareRoll SettleBets ConcludeRound CorrectResult CashOut "
    "CorrectBets ReportDamagedDice CollectOwed CreditIn CashOutToTicket SellTicket RedeemTicket VoidTicket"
    "".split()
)
KILLS_AT_RANDOM = 24
# How many operations of the disk, or turns of the loop, a commit takes at most.
DURING_MAX = {"sqlite": 12, "postgres": 60}


class Kill(NamedTuple):
    """When a house is killed from outside: after so many answers and a moment, however quick it is."""

    answers: int
    seconds: float


class Warm:
    """The process that forks the houses, and the one that listens to them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.rounds_child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout
        self._read = selectors.DefaultSelector()
        self._read.register(self._out, selectors.EVENT_READ)
        self._rest = b""

    def close(self) -> None:
        self._in.close()
        self._out.close()
        self._read.close()
        self._process.wait(10)

    def live(self, life: Life, *, kill_after: Kill | None = None) -> Iterator[Told]:
        """One life: all that is told before it ends, with a kill from outside if that is asked for."""
        self._in.write(msgspec.json.encode(life) + b"\n")
        self._in.flush()
        deadline: float | None = None
        pid = heard = 0
        while True:
            left = None if deadline is None else max(0.0, deadline - monotonic())
            if not self._read.select(left):
                with suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(pid, signal.SIGKILL)
                deadline = None
                continue
            for told in self._heard():
                pid = told.pid if told.what == "ready" else pid
                heard += told.what == "acknowledged"
                if kill_after is not None and heard == kill_after.answers and deadline is None:
                    deadline, kill_after = monotonic() + kill_after.seconds, None
                yield told
                if told.what == "over":
                    return

    def _heard(self) -> list[Told]:
        read = os.read(self._out.fileno(), 65_536)
        assert read, "the warm process has ended"
        *lines, self._rest = (self._rest + read).split(b"\n")
        return [msgspec.json.decode(line, type=Told) for line in lines]


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    process = Warm()
    yield process
    process.close()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A record of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "record.db")
    url: str = request.getfixturevalue("postgres_url")
    return url


class Record:
    """The record of one evening through many deaths, and what its house has acknowledged."""

    def __init__(self, warm: Warm, address: str, rounds: int) -> None:
        self.warm, self.address, self.rounds = warm, address, rounds
        self.waves, self.should = evening(rounds), expected(rounds)
        self.acknowledged: dict[Key, bytes] = {}
        self.held: set[Key] = set()
        self.kills = 0

    def live(self, life: Life, *, kill_after: Kill | None = None) -> list[Key]:
        """One life and the examination after it; returns the commands of the commit it died at."""
        died_at: list[Key] = []
        for told in self.warm.live(life, kill_after=kill_after):
            if told.what == "acknowledged":
                key, answer = told.commands[0], told.answer.encode()
                assert answer == self.should[key].answer, "not the answer that was due"
                assert self.acknowledged.setdefault(key, answer) == answer, "repeated with another answer"
            elif told.what == "dying":
                died_at = told.commands
            elif told.what == "over":
                assert told.pid in (0, -signal.SIGKILL), f"the house failed with {told.pid}"
                self.kills += told.pid != 0
        held = asyncio.run(self._examine())
        assert held >= self.held, "what was there is gone"
        self.held = held
        return died_at

    async def _examine(self) -> set[Key]:
        async with read_store(self.address) as snapshot:
            return await check_evening(snapshot, self.should, self.acknowledged)

    def first_open_wave(self) -> int:
        """The first wave of which not everything was acknowledged."""
        for number, wave in enumerate(self.waves):
            if not all(step.key in self.acknowledged for step in wave):
                return number
        return len(self.waves)

    def finish(self) -> None:
        """Ask everything again, from the first command on: every answer is the same, no stream is longer."""
        self.live(Life(self.address, self.rounds, 0))
        assert set(self.acknowledged) == set(self.should)
        assert asyncio.run(self._streams()) == expected_streams(self.should)

    async def _streams(self) -> dict[str, list[bytes]]:
        async with read_store(self.address) as snapshot:
            return await whole_streams(snapshot)


def _kind(address: str) -> str:
    return "postgres" if address.startswith("postgresql:") else "sqlite"


def _last_waves(record: Record) -> list[int]:
    """The waves to die in: on the file every one, on the server the first with each sort of act."""
    if _kind(record.address) == "sqlite":
        return list(range(len(record.waves)))
    first: dict[str, int] = {}
    for number, wave in enumerate(record.waves):
        for step in wave:
            first.setdefault(step.name, number)
    return sorted(set(first.values()))


@pytest.mark.slow
@pytest.mark.parametrize("end", ["before", "during", "after"])
def test_a_house_killed_at_any_commit_has_lost_nothing(warm: Warm, address: str, end: str) -> None:
    """Before a commit the act never was; after it the act is there, though nobody was told; never a half."""
    record = Record(warm, address, rounds=2)
    chance = random.Random(f"{end} {_kind(address)}")
    names = {step.key: step.name for wave in record.waves for step in wave}
    died_at: set[str] = set()
    last_waves = _last_waves(record)
    for wave in last_waves:
        moment = chance.randrange(DURING_MAX[_kind(address)])
        life = Life(address, 2, max(0, record.first_open_wave() - 1), end, wave, moment)
        commands = record.live(life)
        died_at.update(names[key] for key in commands)
        if end == "before":
            assert not set(commands) & record.held
        elif end == "after":
            assert set(commands) <= record.held
            assert not set(commands) & set(record.acknowledged)
        assert record.held <= {step.key for so_far in record.waves[: wave + 1] for step in so_far}
    record.finish()
    assert died_at >= ACTS
    assert record.kills == len(last_waves)


@pytest.mark.slow
def test_a_house_killed_at_any_moment_has_lost_nothing(warm: Warm, address: str) -> None:
    """Kills from outside while everybody bets; the next house takes up where the last one died."""
    chance = random.Random(_kind(address))
    record = Record(warm, address, rounds=12)
    for _ in range(KILLS_AT_RANDOM):
        life = Life(address, 12, max(0, record.first_open_wave() - 1))
        record.live(life, kill_after=Kill(chance.randrange(18), chance.uniform(0, 0.002)))
    record.finish()
    assert record.kills >= KILLS_AT_RANDOM // 2
