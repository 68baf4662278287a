"""The queue for password hashes: strangers wait in a short line, and nobody known waits behind them."""

import asyncio
import threading

import pytest

from taisai.server.access.hashing import STRANGERS_WAITING_MAX, Hashing, HashingBusy


async def test_strangers_fill_their_line_and_somebody_known_is_served_all_the_same() -> None:
    """One of two places is kept free of strangers, and their line has an end."""
    hashing, gate = Hashing(), threading.Event()
    waiting = [
        asyncio.ensure_future(hashing.run(gate.wait, known=False)) for _ in range(1 + STRANGERS_WAITING_MAX)
    ]
    await asyncio.sleep(0)
    with pytest.raises(HashingBusy):
        await hashing.run(gate.wait, known=False)
    assert await hashing.run(lambda: "in", known=True) == "in"
    gate.set()
    assert all(await asyncio.gather(*waiting))
    assert await hashing.run(lambda: "later", known=False) == "later"


async def test_a_turn_that_nobody_waits_for_any_more_is_handed_on() -> None:
    """Somebody hangs up while waiting, or right when the turn comes; the next is served."""
    hashing, gate = Hashing(), threading.Event()
    first = asyncio.ensure_future(hashing.run(gate.wait, known=False))
    await asyncio.sleep(0)
    gone, next_one = (asyncio.ensure_future(hashing.run(lambda: "done", known=False)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    gate.set()
    assert await first
    assert await next_one == "done"
    assert await hashing.run(lambda: "again", known=False) == "again"
