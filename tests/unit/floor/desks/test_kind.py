"""What a desk asks of the state machines of this house, and what the record keeps of a refusal."""

from typing import Any

import msgspec
import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.floor.desks.decider import Done, MoneylessState
from taisai.floor.desks.kind import Acted, DeskKind, DeskState, DeskTaken, event_name, new_event
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.table.messages import RoundEvent
from taisai.game.events import RoundConcluded
from taisai.game.refusals import RefusalCode, by_house
from tests.record import SIGNER, START
from tests.unit.house import DEALER
from tests.unit.house import START as BEGUN

REFUSED = by_house(RefusalCode.DRAWER_NOT_OPEN, name="carl")


def kind_of(kept: Any = None) -> DeskKind[MoneylessState]:
    return DeskKind("d", "d", Done, Done, MoneylessState, kept=kept)


def test_only_of_a_refusal_the_record_keeps_more_than_is_told() -> None:
    """And only where a kind of desk says what."""
    kind = kind_of(lambda state, command, refusal: (command, refusal.code))
    assert kind.written(MoneylessState(), "bet", REFUSED) == ("bet", RefusalCode.DRAWER_NOT_OPEN)
    assert kind.written(MoneylessState(), "bet", Acted([], [], Done(happened=[]))) is None
    assert kind_of().written(MoneylessState(), "bet", REFUSED) is None


@pytest.mark.parametrize("desk", ["table", "cluster", "cage"])
def test_every_state_machine_has_what_a_desk_asks_of_it(desk: str) -> None:
    """A fresh one each time, with a book of its own in which nothing is yet."""
    clock = ManualClock(START)
    store = MemoryStore(MemoryDisk(), writer="w", signer=SIGNER, clock=clock)
    kinds: dict[str, DeskKind[Any]] = {
        "table": table_desk("T1", store, clock).kind,
        "cluster": cluster_desk("C1", store, clock).kind,
        "cage": cage_desk(store, clock).kind,
    }
    one, other = kinds[desk].fresh(), kinds[desk].fresh()
    asked = [name for name in vars(DeskState) if not name.startswith("_")]
    assert sorted(asked) == ["act", "book", "evolve", "owned_accounts"]
    assert [name for name in asked if not hasattr(one, name)] == []
    assert one is not other
    assert one.book is not other.book
    assert {one.book.balance(account) for account in one.owned_accounts()} <= {0}


def test_a_wrapped_event_stands_under_the_inner_ones_name() -> None:
    """Whoever looks for the end of rounds need not know in what it was wrapped."""
    ended = RoundConcluded(by=DEALER, at=BEGUN, clause="1")
    wrapped = RoundEvent(round=3, event=ended)
    assert event_name(ended) == event_name(wrapped) == "RoundConcluded"
    assert event_name(DeskTaken(at=BEGUN, epoch=2)) == "DeskTaken"


def test_an_entry_keeps_the_whole_event_and_the_time_that_it_is_given() -> None:
    """The journal's time is the desk's to say, whatever the event itself says."""
    taken = DeskTaken(at=BEGUN, epoch=7)
    entry = new_event(taken, 12)
    assert (entry.type, entry.at) == ("DeskTaken", 12)
    assert msgspec.json.decode(entry.body) == {"type": "DeskTaken", "at": "2026-03-02T12:00:00Z", "epoch": 7}
    assert msgspec.json.decode(entry.body, type=DeskTaken) == taken
