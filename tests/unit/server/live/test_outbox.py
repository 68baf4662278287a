"""One connection's way out: a bounded queue that never makes anybody else wait."""

import asyncio

import msgspec

from taisai.server import wire
from taisai.server.live.outbox import OUTBOX_MAX, Outbox, text
from tests.floor.houses import settle_down
from tests.unit.server.live.listening import Listener


async def test_messages_leave_in_the_order_in_which_they_came() -> None:
    """Nothing overtakes, and an answer does not overtake what waits."""
    client = Listener()
    for number in range(3):
        client.outbox.say(wire.StillHere(server_time=number))
    await client.outbox.answer(wire.StillHere(server_time=3))
    await settle_down()
    assert [message["server_time"] for message in client.heard] == [0, 1, 2, 3]
    await client.outbox.finish()


async def test_a_client_that_takes_nothing_is_dropped_when_its_queue_is_full() -> None:
    """So many wait and no more; then everything is forgotten, and nothing further is kept."""
    sent: list[bytes] = []

    async def take(said: bytes) -> None:
        sent.append(said)

    slow = Outbox(take)
    for _ in range(OUTBOX_MAX):
        slow.put(b"news")
    assert not slow.dropped
    slow.put(b"one too many")
    assert slow.dropped
    assert slow.broken.result() == "too slow"
    slow.put(b"later")
    slow.start()
    await settle_down()
    assert sent == []
    await slow.finish()


async def test_a_transport_that_breaks_costs_only_its_own_client() -> None:
    """Whatever it raises, the client is gone; whoever spoke to it hears of no error."""

    async def break_off(said: bytes) -> None:
        raise OSError("no route")

    told, answered = Outbox(break_off), Outbox(break_off)
    told.start()
    told.put(b"news")
    await settle_down()
    assert told.broken.result() == "gone"
    await answered.answer(wire.Bye(reason="over"))
    assert answered.broken.result() == "gone"
    await told.finish()


async def test_what_waits_is_still_told_before_the_end() -> None:
    """A client that is given up after its last word gets it; one that never started ends at once."""
    client = Listener()
    client.outbox.say(wire.Bye(reason="over"))
    client.outbox.drop_after()
    assert client.why_broken() == "told"
    await client.outbox.finish()
    assert client.heard == [{"type": "Bye", "reason": "over"}]
    await asyncio.wait_for(Outbox(client.outbox._send).finish(), 1)


def test_a_frame_is_its_message() -> None:
    """What is sent can be read as the message that was meant."""
    assert msgspec.json.decode(text(wire.Bye(reason="é")), type=wire.Bye) == wire.Bye(reason="é")
