"""Power loss, which a kill does not show: writes that were not synced are lost, in any combination."""

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.sqlite import file as sqlite_file
from taisai.adapters.sqlite import journal as sqlite_journal
from taisai.adapters.sqlite.journal import SqliteJournal
from taisai.adapters.sqlite.store import read_snapshot
from taisai.record.group_commit import Planner
from taisai.record.journal import Committed
from tests.crash.checking import check_whole
from tests.crash.disk import Disk, Op, states, survivors
from tests.crash.sample import is_tried
from tests.crash.workload import bet, commands, life
from tests.record import SIGNER, START

SUBSETS = 12


def journal(path: Path, vfs: str | None = None) -> SqliteJournal:
    opened = SqliteJournal(path, Planner("main", SIGNER, ManualClock(START)), vfs=vfs)
    opened.open()
    return opened


def recorded(folder: Path) -> list[Op]:
    """A short life on a disk that remembers, with every acknowledgement in its place."""
    disk = Disk(f"disk-{folder.name}")
    desk = journal(folder / "record.db", disk.name)
    try:
        for group in life():
            outcomes = desk.commit_group(group)
            assert all(isinstance(outcome, Committed) for outcome in outcomes)
            for batch in group:
                disk.acknowledge(batch.answers[0].id)
    finally:
        desk.close()
        disk.unregister()
    return disk.ops


async def lose_power_everywhere(folder: Path, ops: list[Op]) -> int:
    """At every point, with any subset of the unsynced writes: reopen, check, go on. Returns the cases."""
    sent = dict(commands(life()))
    chance = random.Random(4)
    seen: set[int] = set()
    for state in states(ops):
        for files in survivors(state, chance, SUBSETS):
            case = hash((tuple(sorted(files.items())), len(state.acknowledged)))
            if case in seen:
                continue
            seen.add(case)
            if not is_tried(len(seen)):
                continue
            at = folder / str(len(seen))
            at.mkdir()
            for name, data in files.items():
                (at / name).write_bytes(data)
            desk = journal(at / "record.db")
            try:
                async with read_snapshot(at / "record.db") as snapshot:
                    await check_whole(snapshot, sent, state.acknowledged)
                    head = await snapshot.head("table:T1")
                # It is not only whole but also works.
                assert isinstance(desk.commit_group([bet(head.version + 1 if head else 1)])[0], Committed)
            finally:
                desk.close()
    return len(seen)


@pytest.mark.slow
async def test_no_loss_of_power_loses_what_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is whole after each; the log is so short that it is moved into the file on the way."""
    monkeypatch.setattr(sqlite_file, "_CHECKPOINT_PAGES", 40)
    ops = recorded(tmp_path)
    assert sum(op.kind == "sync" and op.file.endswith(".db") for op in ops) >= 2, "no checkpoint on the way"
    assert await lose_power_everywhere(tmp_path, ops) >= 1_000


@pytest.mark.slow
async def test_a_store_that_does_not_sync_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same disk shows the loss when commits are not synced: the test above can fail."""

    def careless(*arguments: Any, **more: Any) -> apsw.Connection:
        db = sqlite_file.connect(*arguments, **more)
        db.pragma("synchronous", "normal")
        return db

    monkeypatch.setattr(sqlite_journal, "connect", careless)
    ops = recorded(tmp_path)
    with pytest.raises(AssertionError, match="acknowledged command is gone"):
        await lose_power_everywhere(tmp_path, ops)
