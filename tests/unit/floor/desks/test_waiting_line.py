"""The line at a desk: bounded, taken in order and in parts, and empty only when all were served."""

import asyncio

import pytest

from taisai.floor.desks.batch import LineFull, WaitingCommand, WaitingLine


def command(name: str) -> WaitingCommand:
    return WaitingCommand(("t1", name), None, b"", asyncio.get_running_loop().create_future())


def ids(taken: list[WaitingCommand]) -> list[str]:
    return [each.command_id for each in taken]


async def test_commands_are_taken_in_their_order_and_no_more_than_asked_for() -> None:
    """What is left stands first the next time."""
    line = WaitingLine(10)
    for name in "abcde":
        line.join(command(name))
    assert ids(await line.take(2)) == ["a", "b"]
    line.join(command("f"))
    assert ids(await line.take(10)) == ["c", "d", "e", "f"]
    assert line.rest() == []


async def test_whoever_takes_waits_for_the_first_to_come() -> None:
    """Also after a taker was called off."""
    line = WaitingLine(10)
    gone = asyncio.ensure_future(line.take(5))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    taking = asyncio.ensure_future(line.take(5))
    await asyncio.sleep(0)
    line.join(command("a"))
    line.join(command("b"))
    assert ids(await taking) == ["a", "b"]


async def test_a_full_line_takes_nobody_until_somebody_was_taken() -> None:
    """The bound is on those who wait, not on those who are served."""
    line = WaitingLine(2)
    line.join(command("a"))
    line.join(command("b"))
    with pytest.raises(LineFull):
        line.join(command("c"))
    await line.take(1)
    line.join(command("c"))
    assert ids(line.rest()) == ["b", "c"]


async def test_a_line_is_empty_when_the_last_one_was_served() -> None:
    """Neither somebody who waits nor somebody who is served is forgotten at an end."""
    line = WaitingLine(10)
    await line.emptied()
    line.join(command("a"))
    ending = asyncio.ensure_future(line.emptied())
    await asyncio.sleep(0)
    taken = await line.take(1)
    line.join(command("b"))
    line.served(len(taken))
    await asyncio.sleep(0)
    assert not ending.done()
    line.served(len(line.rest()))
    await ending
