"""The embedded store, where it meets the loop."""

import asyncio
from pathlib import Path

from taisai.adapters.clock import SystemClock
from taisai.adapters.sqlite.store import _TOLD_AT_ONCE, SqliteStore
from taisai.record.journal import Batch
from tests.record import SIGNER, answer, buy_in, on


async def test_large_batches_of_one_commit_are_told_in_turns_of_their_own(tmp_path: Path) -> None:
    """Much follows from each of them, and everybody else has a turn in between; small ones go together."""
    store = await SqliteStore.open(tmp_path / "r.db", writer="w", signer=SIGNER, clock=SystemClock())
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def told(name: str, transfers: int) -> tuple[int, int]:
        moved = tuple(buy_in("ann", 5, f"{name}.{number}") for number in range(transfers))
        committed = await store.append(Batch((on(f"table:{name}", 0),), moved, (answer(name),)))
        return committed.number, turns

    watching = asyncio.ensure_future(others())
    large = await asyncio.gather(*(told(name, _TOLD_AT_ONCE // 2 + 1) for name in ("A", "B", "C")))
    small = await asyncio.gather(*(told(name, 1) for name in ("D", "E", "F")))
    watching.cancel()
    await store.close()
    assert [len({number for number, _ in some}) for some in (large, small)] == [1, 1]  # a commit each
    assert [len({turn for _, turn in some}) for some in (large, small)] == [3, 1]
