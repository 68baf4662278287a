"""A state made again from its stream: what followers missed, who wrote it last, and what cannot be read."""

from dataclasses import dataclass
from typing import Any

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import StoreUnavailable
from taisai.floor.desks.checkpoints import Checkpoints, Resumed
from taisai.floor.desks.decider import HouseEvent, MoneylessState
from taisai.floor.desks.kind import DeskKind, DeskTaken, new_event
from taisai.floor.desks.rebuilding import CannotRebuild, Rebuilding
from taisai.record.journal import Batch, StreamEvents
from tests.record import SIGNER, START, START_AT, buy_in, on
from tests.unit.house import SYSTEM


class Counted(HouseEvent, frozen=True, kw_only=True):
    """So many more."""

    count: int


@dataclass
class Counter(MoneylessState):
    """Adds up, and knows nothing below zero."""

    total: int = 0

    def owned_accounts(self) -> list[str]:
        return ["credit:ann"]

    def evolve(self, event: Counted) -> None:
        if event.count < 0:
            raise ValueError("nothing is below zero")
        self.total += event.count


KIND = DeskKind(name="counter", stream="counter", events=Counted, answers=Counted, fresh=Counter)


async def written(*happened: Any) -> MemoryStore:
    """A store with the counter's stream and a hundred for ann."""
    store = MemoryStore(MemoryDisk(), writer="w", signer=SIGNER, clock=ManualClock(START))
    events = tuple(new_event(event, START_AT + number) for number, event in enumerate(happened))
    if events:
        await store.append(Batch((StreamEvents("counter", 0, events),), (buy_in("ann", 100, "counter.1.1"),)))
    return store


def counted(count: int) -> Counted:
    return Counted(by=SYSTEM, at=START, count=count)


COUNTED_BODY = new_event(counted(7), START_AT).body


def rebuilding(store: Any) -> Rebuilding[Counter]:
    return Rebuilding(KIND, store, Checkpoints(KIND, store))


async def test_a_stream_that_nobody_wrote_gives_a_fresh_state() -> None:
    """At version 0, taken by nobody."""
    rebuilt = await rebuilding(await written()).rebuild(told=None)
    assert (rebuilt.state.total, rebuilt.version, rebuilt.at, rebuilt.epoch) == (0, 0, 0, 0)


@pytest.mark.parametrize(("told", "missed"), [(None, []), (0, [5, 7]), (1, [7]), (3, [])])
async def test_followers_are_told_what_they_have_not_heard_and_no_more(
    told: int | None, missed: list[int]
) -> None:
    """The taking of the desk is no news to them; the money comes from the ledger."""
    store = await written(counted(5), DeskTaken(at=START, epoch=4), counted(7))
    rebuilt = await rebuilding(store).rebuild(told=told)
    assert [event.count for event in rebuilt.missed] == missed
    assert (rebuilt.state.total, rebuilt.version, rebuilt.at, rebuilt.epoch) == (12, 3, START_AT + 2, 4)
    assert rebuilt.state.book.balance("credit:ann") == 100


async def test_a_stream_that_does_not_lead_to_a_state_is_a_persons_to_mend() -> None:
    """With the reason in its words, and not as a fault of the store."""
    store = await written(counted(5), counted(-1))
    with pytest.raises(CannotRebuild, match="ValueError: nothing is below zero"):
        await rebuilding(store).rebuild(told=None)


async def test_a_store_that_is_away_is_no_reason_to_give_up() -> None:
    """Its own error comes out, so that the desk tries again."""
    store: Any = await written(counted(5))

    def away(stream: str, **range: int) -> Any:
        raise StoreUnavailable("away")

    store.moved = away
    with pytest.raises(StoreUnavailable, match="away"):
        await rebuilding(store).rebuild(told=None)


async def test_a_rebuild_reads_the_money_of_its_own_commits_and_of_no_other_desk() -> None:
    """However much the rest of the house moves; the balances of the whole house are not asked for."""
    store: Any = await written(counted(5))
    for number in range(20):
        await store.append(
            Batch(
                (on("table:T2", number),), (buy_in("bob", 7, f"T2.{number}"), buy_in("ann", 1, f"x{number}"))
            )
        )
    store.view_positions = None
    rebuilt = await rebuilding(store).rebuild(told=None)
    assert rebuilt.state.book.totals("credit:ann") == (0, 100)


@pytest.mark.parametrize(("kept", "balance"), [({"credit:ann": (5, 60)}, 95), (None, 100)])
async def test_a_checkpoint_says_where_the_accounts_stood_or_the_balances_of_the_house_do(
    kept: dict[str, tuple[int, int]] | None, balance: int
) -> None:
    """What came after it is added; one of 0.1.0 says nothing of balances."""
    store = await written(counted(5))
    await store.append(Batch((on("counter", 1, body=COUNTED_BODY),), (buy_in("ann", 40, "counter.2.1"),)))

    class Resumes(Checkpoints[Counter]):
        async def resume(self) -> Resumed[Counter]:
            return Resumed(Counter(total=5), 1, START_AT, 0, kept)

    rebuilt = await Rebuilding(KIND, store, Resumes(KIND, store)).rebuild(told=None)
    assert (rebuilt.state.total, rebuilt.version) == (12, 2)
    assert rebuilt.state.book.balance("credit:ann") == balance + (0 if kept else 40)
