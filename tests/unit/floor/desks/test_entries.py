"""Events under the names by which the journal knows them."""

import msgspec

from taisai.floor.desks.entries import DeskTaken, event_name, new_event
from taisai.floor.table.messages import RoundEvent
from taisai.game.events import RoundConcluded
from tests.unit.house import DEALER, START


def test_a_wrapped_event_stands_under_the_inner_ones_name() -> None:
    """Whoever looks for the end of rounds need not know in what it was wrapped."""
    ended = RoundConcluded(by=DEALER, at=START, clause="1")
    wrapped = RoundEvent(round=3, event=ended)
    assert event_name(ended) == event_name(wrapped) == "RoundConcluded"
    assert event_name(DeskTaken(at=START, epoch=2)) == "DeskTaken"


def test_an_entry_keeps_the_whole_event_and_the_time_that_it_is_given() -> None:
    """The journal's time is the desk's to say, whatever the event itself says."""
    taken = DeskTaken(at=START, epoch=7)
    entry = new_event(taken, 12)
    assert (entry.type, entry.at) == ("DeskTaken", 12)
    assert msgspec.json.decode(entry.body) == {"type": "DeskTaken", "at": "2026-03-02T12:00:00Z", "epoch": 7}
    assert msgspec.json.decode(entry.body, type=DeskTaken) == taken
