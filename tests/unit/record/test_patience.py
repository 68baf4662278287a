"""Trying again while the store is away."""

import asyncio
from itertools import islice

import pytest

from taisai.errors import StoreUnavailable
from taisai.record.patience import patiently, pauses
from taisai.record.ports import RecordCorrupt


class Work:
    """Something that fails with what it is given, and then is done."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.tries = 0

    async def __call__(self) -> str:
        self.tries += 1
        if self.faults:
            raise self.faults.pop(0)
        return "done"


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of which takes time."""
    made: list[float] = []

    async def pause(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", pause)
    return made


def test_pauses_double_up_to_a_second() -> None:
    """Soon at first, then every second for good."""
    assert list(islice(pauses(), 7)) == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


async def test_a_store_that_comes_back_is_not_noticed(waited: list[float]) -> None:
    """Two failures, two pauses, one result; what works at once waits for nothing."""
    work = Work(StoreUnavailable("away"), StoreUnavailable("away"))
    assert await patiently("reading", work) == "done"
    assert (work.tries, waited) == (3, [0.05, 0.1])
    assert await patiently("reading", Work()) == "done"
    assert waited == [0.05, 0.1]


async def test_patience_ends_with_the_last_try(waited: list[float]) -> None:
    """The last failure is told, and nobody waits after it; no try at all is a mistake that is said."""
    work = Work(*(StoreUnavailable(f"away {n}") for n in range(3)))
    with pytest.raises(StoreUnavailable, match="away 1"):
        await patiently("reading", work, tries=2)
    assert (work.tries, waited) == (2, [0.05])
    with pytest.raises(StoreUnavailable, match="expected at least one try"):
        await patiently("reading", work, tries=0)
    assert work.tries == 2


@pytest.mark.parametrize("fault", [RecordCorrupt("altered"), ValueError("wrong")])
async def test_what_will_not_pass_is_raised_at_once(fault: Exception, waited: list[float]) -> None:
    """A record that was altered does not mend itself, nor does a mistake in the work."""
    work = Work(fault)
    with pytest.raises(type(fault), match=str(fault)):
        await patiently("reading", work)
    assert (work.tries, waited) == (1, [])
