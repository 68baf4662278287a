"""Reading a stream with its digests checked on the way."""

import msgspec
import pytest

from taisai.record.chain import checked, tip_of
from taisai.record.group_commit import Known
from taisai.record.journal import Batch
from taisai.record.ports import RecordCorrupt
from tests.record import SIGNER, on, planner, slip


def test_an_event_out_of_its_place_is_seen_while_reading() -> None:
    """Each event is compared with its digest as it is read."""
    own = planner()
    plan = own.plan([Batch((on("table:T1", 0, 3),))], Known())
    assert plan.commit is not None
    events = list(plan.commit.events)
    assert list(checked("table:T1", None, events)) == events
    with pytest.raises(RecordCorrupt, match="version 2 is missing"):
        list(checked("table:T1", None, [events[0], events[2]]))
    with pytest.raises(RecordCorrupt, match="version 1 is not"):
        list(checked("table:T2", None, events))
    other = msgspec.structs.replace(events[1], body=b"{}")
    with pytest.raises(RecordCorrupt, match="version 2 is not"):
        list(checked("table:T1", events[0], [other]))


def test_what_stands_before_the_fault_is_still_read() -> None:
    """A reader gets each event as soon as it is checked, and the fault where it is; no events, no fault."""
    commit = planner().plan([Batch((on("table:T1", 0, 3),))], Known()).commit
    assert commit is not None
    good, _, last = commit.events
    reading = checked("table:T1", None, [good, last])
    assert next(reading) == good
    with pytest.raises(RecordCorrupt, match="table:T1 version 2 is missing"):
        next(reading)
    assert list(checked("table:T1", last, [])) == []


def test_a_commit_as_a_tip_is_what_the_planner_goes_on_from() -> None:
    """The same number, time, key, digest and signature."""
    own = planner()
    plan = own.plan([slip(1)], Known())
    assert plan.commit is not None
    own.accept(plan)
    assert tip_of(plan.commit) == own.tip
    assert (tip_of(plan.commit).number, tip_of(plan.commit).key) == (1, SIGNER.key_id)
