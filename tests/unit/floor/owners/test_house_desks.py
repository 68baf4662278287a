"""All desks of a house as one process has them."""

import pytest

from taisai.errors import UnknownName
from taisai.floor.desks.copy import Carried
from tests.floor.houses import SmallHouse, cluster, live, start_round
from tests.floor.split import split_house


async def test_desks_are_found_by_stream_by_table_and_by_unit() -> None:
    """The office has its five desks, and a log where one is kept."""
    async with split_house(
        SmallHouse(live(), cluster(), proofs=True), ["office", "table:T1"], ["table:C1"]
    ) as (
        _,
        (one, two),
    ):
        here = one.desks_here
        assert here.streams_in("office") == ["cage", "staff", "approvals", "players", "pit", "log"]
        assert here.streams_in("table:C1") == ["table:C1"]
        assert [copy.kind.name for copy in here.copies()] == ["C1"]
        assert here.by_stream["table:T1"] is here.table("T1")
        with pytest.raises(UnknownName, match="T1"):
            here.table("T9")
        assert (one.is_whole, two.is_whole) == (False, False)


async def test_what_was_not_heard_is_read_before_something_is_decided_on_it() -> None:
    """A copy that heard nothing stands behind, until it catches up with the record."""
    async with split_house(SmallHouse(live(), cluster()), ["office", "table:T1"], ["table:C1"]) as (
        split,
        (one, two),
    ):
        split.deaf = True
        await start_round(two, "C1")
        assert one.table("C1").state.number == 0
        one.desks_here.hear(Carried("table:T1", 0, (b"{}",)))  # our own desk hears nothing of itself
        one.desks_here.stands_at("table:T1", 99)
        await one.desks_here.catch_up(["table:C1", "table:T1", "nobody"])
        assert one.table("C1").state.number == 1
