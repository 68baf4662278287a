"""Hearing one sort of message: what is not understood is counted each time, said once, and stops nothing."""

from typing import Any

import msgspec
import pytest

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.listening import listen


class Heard:
    """A message as the bus brings it."""

    def __init__(self, data: bytes) -> None:
        self.data = data


class Link:
    """A bus that brings what a test says."""

    def __init__(self) -> None:
        self.counts: list[str] = []
        self.call: Any = None

    def counted(self, what: str) -> None:
        self.counts.append(what)

    async def hear(self, subject: str, call: Any) -> None:
        self.call = call

    async def bring(self, *messages: bytes) -> None:
        for data in messages:
            await self.call(Heard(data))


async def test_a_message_that_is_not_understood_is_counted_each_time_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A newer process may say it twice a second for as long as an upgrade takes; what follows is heard."""
    link: Any = Link()
    heard: list[Any] = []
    await listen(link, "ts.who", msg.Stands, lambda said, _: heard.append(said), wanted="where streams stand")
    strange = msgspec.msgpack.encode(msg.Envelope("Wish", 1, msgspec.Raw(b"\x90")))
    stands = msg.Stands("desk-01", {"pit": 7})
    await link.bring(strange, b"", msg.pack(msg.Where(1)), strange, msg.pack(stands))
    assert link.counts == ["not understood"] * 4
    assert heard == [stands]
    said = [record.message for record in caplog.records]
    assert len(said) == 3
    assert "unknown kind of message 'Wish'" in said[0]
    assert "expected where streams stand, got Where" in said[2]
