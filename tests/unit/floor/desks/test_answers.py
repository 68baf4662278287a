"""What a desk remembers of its answers: so many, as bytes, and for the rest it asks the record."""

import pytest

from taisai.floor.desks import answers
from taisai.record.journal import Answer
from taisai.record.ports import CommandAltered
from tests.unit.floor.desks.test_desk import Fragile, MemoryDisk, buy, opened


async def test_an_answer_that_is_no_longer_in_memory_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many came after it: the same id gets the first answer, and nothing is done twice."""
    monkeypatch.setattr(answers, "ANSWERS_KEPT", 4)
    desk = await opened(Fragile(MemoryDisk()))
    first = await desk.ask("ann", "1", buy("ann", 1_000))
    for number in range(2, 20):
        await desk.ask("ann", str(number), buy("ann", 10))
    assert len(desk._answers._kept) == 4
    assert await desk.ask("ann", "1", buy("ann", 1_000)) == first
    with pytest.raises(CommandAltered):
        await desk.ask("ann", "2", buy("ann", 11))
    await desk.stop()


async def test_what_is_kept_does_not_grow_with_what_was_done() -> None:
    """Only the bytes that the record has, whatever objects the answer was made of."""
    desk = await opened(Fragile(MemoryDisk()))
    await desk.ask("ann", "1", buy())
    kept = desk._answers._kept["ann", "1"]
    assert isinstance(kept, Answer)
    assert len(kept.answer) < 500
    await desk.stop()
