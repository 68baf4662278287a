"""A house whose power fails while it plays: any of the writes that were not yet synced may be lost."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.sqlite import file as sqlite_file
from taisai.adapters.sqlite.store import SqliteStore, read_snapshot
from tests.crash.disk import Disk, Op, State, states, survivors
from tests.crash.sample import is_tried
from tests.evening import (
    Floor,
    Step,
    check_evening,
    evening,
    expected,
    expected_answers,
    expected_streams,
    whole_streams,
)
from tests.record import SIGNER, START

ROUNDS = 2
# Moments at which the house is opened again and plays on to the end of the evening.
RESUMED_EVERY = 60

Key = tuple[str, str]
Files = dict[str, bytes]


async def recorded(path: Path) -> list[Op]:
    """The evening on a disk that remembers every write, every sync, and every acknowledgement."""
    disk = Disk(f"disk-{path.parent.name}")
    clock = ManualClock(START)
    store = await SqliteStore.open(path, writer="main", signer=SIGNER, clock=clock, vfs=disk.name)
    floor = Floor(store, clock)
    await floor.start()

    def told(step: Step, answer: bytes) -> None:
        disk.acknowledge(" ".join(step.key))

    await floor.play(evening(ROUNDS), told)
    await floor.stop()
    await store.close()
    disk.unregister()
    return disk.ops


def losses(ops: list[Op], chance: random.Random) -> Iterator[tuple[State, Files]]:
    """At every moment one way to lose what was not synced, and many ways just before each sync."""
    for place, state in enumerate(states(ops)):
        is_full = place < len(ops) and ops[place].kind == "sync"
        ways = list(survivors(state, chance, 8 if is_full else 4))
        for files in ways if is_full else [chance.choice(ways)]:
            yield state, files


class House:
    """The record as the power loss left it."""

    def __init__(self, folder: Path, files: Files, state: State) -> None:
        self.path = folder / "record.db"
        self.should = expected(ROUNDS)
        keys = [tuple(name.split(" ")) for name in state.acknowledged]
        self.acknowledged: dict[Key, bytes] = {
            (sender, name): self.should[sender, name].answer for sender, name in keys
        }
        for name, data in files.items():
            (folder / name).write_bytes(data)

    async def examine(self) -> None:
        """It opens, it verifies, and all that was acknowledged is there; nothing is there by half."""
        store = await SqliteStore.open(self.path, writer="main", signer=SIGNER, clock=ManualClock(START))
        await store.close()
        async with read_snapshot(self.path) as snapshot:
            await check_evening(snapshot, self.should, self.acknowledged)

    async def play_on(self) -> None:
        """Everything is asked again: what was done keeps its answer, the rest is done once."""
        clock = ManualClock(START)
        store = await SqliteStore.open(self.path, writer="main", signer=SIGNER, clock=clock)
        floor = Floor(store, clock)
        await floor.start()
        answers = await floor.play(evening(ROUNDS))
        assert answers == expected_answers(ROUNDS)
        await floor.stop()
        await store.close()
        async with read_snapshot(self.path) as snapshot:
            assert await check_evening(snapshot, self.should, answers) == set(self.should)
            assert await whole_streams(snapshot) == expected_streams(self.should)


@pytest.mark.slow
def test_no_loss_of_power_takes_anything_from_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bets, closings, results, settlements, corrections, voids and tickets: whole or never, told or not."""
    monkeypatch.setattr(sqlite_file, "_CHECKPOINT_PAGES", 60)
    ops = asyncio.run(recorded(tmp_path / "record.db"))
    assert sum(op.kind == "sync" and op.file.endswith(".db") for op in ops) >= 2, "no checkpoint on the way"
    seen: set[int] = set()
    for state, files in losses(ops, random.Random(11)):
        case = hash((tuple(sorted(files.items())), len(state.acknowledged)))
        if case in seen:
            continue
        seen.add(case)
        if not is_tried(len(seen)):
            continue
        folder = tmp_path / str(len(seen))
        folder.mkdir()
        house = House(folder, files, state)
        asyncio.run(house.examine())
        if len(seen) % RESUMED_EVERY == 0:
            asyncio.run(house.play_on())
        for file in folder.iterdir():
            file.unlink()
    assert len(seen) >= 500
