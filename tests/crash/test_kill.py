"""SIGKILL at every durable step and at random moments under load, on both stores."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from taisai.record.journal import Batch
from tests.crash.checking import check_whole
from tests.crash.sample import WHOLE, part_of
from tests.crash.workload import commands, life
from tests.record import place

# An odd distance, so that the sample meets every kind of operation.
STEPS = 1 if WHOLE else 5
LEAST = 100 // STEPS


class Killer:
    """A warm process that kills its children, and what is known of the record that they wrote."""

    def __init__(self, process: "subprocess.Popen[str]", where: str) -> None:
        self._process = process
        self._where = where
        self._sent: dict[str, Batch] = {}
        self._acknowledged: set[str] = set()
        self._first = 1
        self.kills = 0

    async def kill(self, *, length: int, **order: Any) -> bool:
        """Let a child write until it is killed, then open the record again and check it.

        False when the child outlived its order.
        """
        self._sent = {**dict(commands(life(self._first, length))), **self._sent}
        answer = self._ask({"where": self._where, "first": self._first, "length": length, **order})
        assert answer["killed"] or answer["status"] == 0, f"the child failed: {answer}"
        self.kills += answer["killed"]
        self._acknowledged.update(answer["acknowledged"])
        await self._check()
        return bool(answer["killed"])

    async def _check(self) -> None:
        """As a new desk finds it."""
        if self._where.startswith("postgresql"):
            await _no_longer_written(self._where)
        async with place(self._where if self._where.startswith("postgresql") else Path(self._where)) as at:
            store = await at.open()
            async with store.snapshot() as snapshot:
                await check_whole(snapshot, self._sent, self._acknowledged)
            head = await store.head("table:T1")
            self._first = head.version + 1 if head else 1

    def _ask(self, order: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


async def _no_longer_written(url: str) -> None:
    """What a child had asked of the server before it died may still be under way."""
    watching = await asyncpg.connect(url)
    try:
        while await watching.fetchval(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE application_name = 'taisai' AND datname = current_database()"
        ):
            await asyncio.sleep(0)
    finally:
        await watching.close()


@pytest.fixture
def warm() -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "tests.crash.warm"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.slow
async def test_a_kill_at_every_write_leaves_the_file_whole(
    tmp_path: Path, warm: "subprocess.Popen[str]"
) -> None:
    """From the creation of the file to the last sync, one kill at each operation on the disk."""
    kills = 0
    step = 1
    while True:
        killer = Killer(warm, str(tmp_path / f"{step}.db"))
        if not await killer.kill(length=6, kill_at=step):
            break
        kills += 1
        # The same file again, so that what the first kill left is written over and killed once more.
        kills += await killer.kill(length=4, kill_at=step // 2 + 4)
        step += STEPS
    assert kills >= LEAST


@pytest.mark.slow
async def test_kills_under_load_leave_the_file_whole(tmp_path: Path, warm: "subprocess.Popen[str]") -> None:
    """One file, killed again and again while many appends wait."""
    chance = random.Random(7)
    killer = Killer(warm, str(tmp_path / "record.db"))
    for _ in range(part_of(40)):
        await killer.kill(length=24, kill_after_acks=chance.randint(1, 12), all_at_once=chance.random() < 0.5)
    assert killer.kills == part_of(40)


@pytest.mark.slow
async def test_kills_leave_the_database_whole(postgres_url: str, warm: "subprocess.Popen[str]") -> None:
    """Before a commit is sent, while the server works on it, before it is acknowledged, and at random."""
    chance = random.Random(9)
    killer = Killer(warm, postgres_url)
    for number in range(part_of(60)):
        await killer.kill(length=8, kill_at=1 + number % 6, seed=number)
    for _ in range(part_of(20)):
        await killer.kill(length=24, kill_after_acks=chance.randint(1, 12), all_at_once=chance.random() < 0.5)
    assert killer.kills == part_of(60) + part_of(20)
