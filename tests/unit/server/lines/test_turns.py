"""Turns: everybody goes on in order, and nobody else waits until all have."""

import asyncio

from taisai.server.lines.turns import AT_ONCE, turns_of


async def test_a_multitude_goes_on_in_order_and_in_parts() -> None:
    """Between two parts whoever else wants to has a turn."""
    loop = asyncio.get_running_loop()
    turns, went, seen = turns_of(loop), [], []
    waiters = [loop.create_future() for _ in range(2 * AT_ONCE + 1)]
    for number, waiter in enumerate(waiters):
        waiter.add_done_callback(lambda _, number=number: went.append(number))
        turns.wake(waiter)
    while len(went) < len(waiters):
        await asyncio.sleep(0)
        seen.append(len(went))
    assert went == list(range(len(waiters)))
    assert max(later - earlier for earlier, later in zip([0, *seen], seen, strict=False)) <= AT_ONCE


async def test_one_who_has_gone_takes_nobodys_turn() -> None:
    """A connection may end while it waits; those behind it go on, and so does who comes later."""
    loop = asyncio.get_running_loop()
    turns = turns_of(loop)
    gone, stays = loop.create_future(), loop.create_future()
    turns.wake(gone)
    turns.wake(stays)
    gone.cancel()
    await stays
    later = loop.create_future()
    turns.wake(later)
    await later


async def test_a_loop_has_one_order_of_turns() -> None:
    """All lines of a process stand in it."""
    loop = asyncio.get_running_loop()
    assert turns_of(loop) is turns_of(loop)
