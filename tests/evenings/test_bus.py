"""The bus of the evenings: what it carries, what it loses, and that a house is served through it."""

import asyncio
from typing import Any

import msgspec
import pytest

from taisai.adapters.bus.link import NoAnswer
from tests.evenings.bus import Bus
from tests.evenings.faults import Faults
from tests.evenings.loop import Process, VirtualLoop
from tests.evenings.plan import Plan, draw
from tests.evenings.playing import play_plans
from tests.evenings.streams import Streams

NOTHING: Any = None


def on_bus(work: Any, **faults: float) -> Any:
    """Run something with a bus, and two processes on it."""
    plan = Plan(seed=1, tables=[], people=[], faults={name.replace("_", " "): 1.0 for name in faults})
    loop = VirtualLoop()
    strikes = Faults(plan, Streams(1), lambda what: None)
    strikes.calm = False
    try:
        return loop.run_until_complete(work(Bus(loop, strikes), Process("one"), Process("other")))
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


async def _linked(bus: Bus, *processes: Process) -> list[Any]:
    links = [bus.link_of(process)(NOTHING, process.name) for process in processes]
    for link in links:
        await link.open()
    return links


async def _echo(heard: Any) -> None:
    await heard.respond(b"heard " + heard.data)


def test_a_question_is_answered_by_whoever_hears_its_subject() -> None:
    """One word of a subject may be any."""

    async def work(bus: Bus, one: Process, other: Process) -> bytes:
        asks, answers = await _linked(bus, one, other)
        await answers.hear("ts.ask.*", _echo)
        answer: bytes = await asks.ask("ts.ask.C1", b"it", 1.0)
        return answer

    assert on_bus(work) == b"heard it"


def test_whoever_has_died_is_known_to_be_gone() -> None:
    """So nobody waits for an answer that cannot come, and it is said that nobody has the question."""

    async def work(bus: Bus, one: Process, other: Process) -> None:
        asks, answers = await _linked(bus, one, other)
        await answers.hear("ts.ask.*", _echo)
        other.alive = False
        with pytest.raises(NoAnswer) as raised:
            await asks.ask("ts.ask.C1", b"it", 1.0)
        assert raised.value.untaken

    on_bus(work)


def test_what_the_bus_loses_is_not_answered_in_time() -> None:
    """And whoever asked cannot know whether it was heard."""

    async def work(bus: Bus, one: Process, other: Process) -> None:
        asks, answers = await _linked(bus, one, other)
        await answers.hear("ts.ask.*", _echo)
        with pytest.raises(NoAnswer) as raised:
            await asks.ask("ts.ask.C1", b"it", 1.0)
        assert not raised.value.untaken
        assert bus.loop.time() >= 1.0

    on_bus(work, bus_message_lost=1.0)


def test_a_process_that_hangs_goes_on_with_what_came_meanwhile() -> None:
    """In the order in which it came."""

    async def work(bus: Bus, one: Process, other: Process) -> list[bytes]:
        says, hears = await _linked(bus, one, other)
        heard: list[bytes] = []

        async def note(message: Any) -> None:
            heard.append(message.data)

        async def listen() -> None:
            await hears.hear("ts.pub.*", note)

        await bus.loop.start_in(other, listen(), "listens")
        other.hung_until = 5.0
        for number in range(3):
            await says.say("ts.pub.C1", b"%d" % number)
        await asyncio.sleep(4.0)
        assert heard == []
        await asyncio.sleep(1.5)
        return heard

    assert on_bus(work) == [b"0", b"1", b"2"]


@pytest.mark.slow
def test_an_evening_is_sound_through_two_gateways() -> None:
    """Without a fault of its own: everything that must hold in one process holds over the bus."""
    plan = msgspec.structs.replace(draw(1, clustered=True), faults={}, gateways=2)
    (verdict,) = play_plans([plan], jobs=1)
    assert verdict.violations == []
    assert verdict.figures["acknowledged"] > 10
