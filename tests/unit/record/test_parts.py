"""Where a part of a record begins and ends, with one writer and with several."""

import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.errors import InputError
from taisai.record.parts import (
    commits_of,
    header_of,
    part_lines,
    read_header,
    surveyed,
    until,
    up_to,
    verify_part,
)
from tests.record import KEYS, START_AT, Place, place, slip


async def _two_writers(at: Place) -> None:
    """Each has seen the other; the second's clock is a minute ahead."""
    one, two = await at.open(writer="one"), await at.open(writer="two")
    await one.append(slip(1))
    at.later(60)
    await two.append(slip(1, stream="table:T2"))
    await one.append(slip(2))
    at.later(60)
    await two.append(slip(2, stream="table:T2"))


async def test_a_part_holds_no_effect_without_its_cause() -> None:
    """What follows from a commit after the end is after the end, whatever its clock said."""
    async with place(MemoryDisk()) as at:
        await _two_writers(at)
        store = await at.open(writer="three")
        async with store.snapshot() as snapshot:
            part = await surveyed(snapshot, up_to({}), until(START_AT + 90_000_000))
            found = [(commit.writer, commit.number) async for commit in commits_of(snapshot, part)]
            assert sorted(found) == [("one", 1), ("one", 2), ("two", 1)]
            rest = await surveyed(snapshot, until(START_AT + 90_000_000), up_to({"one": 9, "two": 9}))
            assert rest.after == {"one": 2, "two": 1}
            assert [commit.number async for commit in commits_of(snapshot, rest)] == [2]
            header = header_of(rest, at=START_AT, since=None, until=None, keys=KEYS.raw)
            assert [each[0] for each in header.streams] == ["table:T2"], "only what the part moves"
            lines = [line async for line in part_lines(snapshot, rest, header)]
    assert verify_part(lines, KEYS, where="part", signed=False).commits == 1


def test_a_header_of_something_else_is_said_to_be_that() -> None:
    """One clear line."""
    with pytest.raises(InputError, match=r"here line 1: expected the header of a 'taisai journal part 1'"):
        read_header(b'{"line":"journal"}', "here")
