"""The verifier: the first fault is raised, and says where it is."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.ledger import Transfer
from taisai.record.chain import tip_of
from taisai.record.faults import RecordFault
from taisai.record.group_commit import Known
from taisai.record.journal import Batch, Commit, Event, Tip
from taisai.record.verify import Verifier, ViewCheck, verify
from taisai.record.views import BALANCES, VIEWS, catch_up
from tests.record import KEYS, Place, planner, slip


def commits(count: int) -> list[Commit]:
    """A writer's first commits, a slip in each."""
    own, made = planner(), []
    for number in range(1, count + 1):
        plan = own.plan([slip(number)], Known())
        assert plan.commit is not None
        own.accept(plan)
        made.append(plan.commit)
    return made


def test_an_event_that_is_in_no_span_is_seen() -> None:
    """A verifier counts what a commit holds."""
    own = planner()
    plan = own.plan([slip(1)], Known())
    assert plan.commit is not None
    extra = Event("table:T2", 1, 0, "BetsPlaced", b"{}", bytes(32))
    forged = msgspec.structs.replace(plan.commit, events=(*plan.commit.events, extra))
    with pytest.raises(RecordFault, match="table:T2 version 1: it belongs to no commit"):
        Verifier(KEYS).feed(forged)


def test_money_that_was_never_there_is_a_fault() -> None:
    """A record that was signed can still break the ledger's invariants, and is then found."""
    own = planner()
    spent = Transfer("t.1", "credit:p", "stakes:T1:1", 5, "stake", 0, "T1/1")
    plan = own.plan([Batch(transfers=(spent,))], Known())
    assert plan.commit is not None
    with pytest.raises(RecordFault, match="credit:p would be below zero"):
        Verifier(KEYS).feed(plan.commit)
    redeemed = Transfer("t.2", "tickets", "cash", 5, "ticket_redeemed", 0)
    whole = planner().plan([Batch(transfers=(redeemed,))], Known())
    assert whole.commit is not None
    verifier = Verifier(KEYS)
    verifier.feed(whole.commit)
    with pytest.raises(RecordFault, match="tickets is below zero"):
        verifier.finish()


def test_a_commit_twice_or_one_left_out_is_not_in_its_place() -> None:
    """Numbers of a writer follow one another without a gap."""
    one, two, three = commits(3)
    verifier = Verifier(KEYS)
    verifier.feed(one)
    with pytest.raises(RecordFault, match="commit main/1: expected number 2"):
        verifier.feed(one)
    with pytest.raises(RecordFault, match="commit main/3: expected number 2"):
        verifier.feed(three)
    verifier.feed(two)
    verifier.feed(three)
    found = verifier.finish()
    assert (found.commits, found.events, found.transfers, found.answers) == (3, 3, 3, 3)
    assert (found.streams, found.transferred_minor, found.signatures) == (1, 101 + 102 + 103, 1)


def test_what_a_witness_has_seen_must_be_there() -> None:
    """A tail that was cut off is complete in itself; only the witness shows that there was more."""
    one, two = commits(2)
    whole = Verifier(KEYS, [tip_of(two)])
    for commit in (one, two):
        whole.feed(commit)
    assert whole.finish().witnessed == 1
    cut = Verifier(KEYS, [tip_of(two)])
    cut.feed(one)
    with pytest.raises(RecordFault, match="commit main/2: a witness has seen it"):
        cut.finish()


async def test_a_view_is_compared_row_by_row_and_nothing_is_a_sound_record() -> None:
    """A changed row, and a position beyond the journal, are faults of the view."""
    store = await Place(MemoryDisk()).open()
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS, views=VIEWS)).commits == 0
    await store.append(slip(1))
    await catch_up(store, BALANCES)
    async with store.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS, views=VIEWS)).accounts == 2
    await store.view_put("balances", {"cash": b"[1,0]"}, before={"main": 1}, after={"main": 1})
    async with store.snapshot() as snapshot:
        with pytest.raises(RecordFault, match=r"balances of cash: expected \[101,0\], found \[1,0\]"):
            await verify(snapshot, KEYS, views=VIEWS)
    await store.view_put("balances", {}, before={"main": 1}, after={"main": 2})
    async with store.snapshot() as snapshot:
        with pytest.raises(RecordFault, match="view balances: it claims to have read main/2"):
            await verify(snapshot, KEYS, views=VIEWS)


class Rows:
    """What a store has of a view, and nothing else."""

    def __init__(self, rows: dict[str, bytes]) -> None:
        self._rows = rows

    async def tips(self) -> dict[str, Tip]:
        return {}

    async def view_rows(self, view: str) -> AsyncIterator[tuple[str, bytes]]:
        for key in sorted(self._rows):
            yield key, self._rows[key]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"a": b"1", "b": b"2", "d": b"4"}, None),
        ({"a": b"1", "d": b"4"}, "view of b: expected 2, found no row"),
        ({"a": b"1", "d": b"5"}, "view of d: expected 4, found 5"),
        ({"a": b"1", "b": b"2"}, "view of d: expected 4, found no row"),
        ({"a": b"1", "b": b"2", "c": b"3", "d": b"4"}, "view of c: expected no row, found 3"),
        ({"a": b"1", "b": b"2", "d": b"4", "e": b"5"}, "view of e: expected no row, found 5"),
        ({}, "view of a: expected 1, found no row"),
    ],
)
async def test_rows_that_are_there_are_told_of_before_rows_that_are_not(
    found: dict[str, bytes], said: str | None
) -> None:
    """A row that is wrong comes first, and then the first that is missing, by key."""
    made: dict[str, bytes | None] = {"d": b"4", "b": b"2", "c": None, "a": b"1"}
    check = ViewCheck(Named(), {}, made)
    compared = check.compare(Rows(found))  # type: ignore[arg-type] # a snapshot with nothing but a view
    if said is None:
        await compared
        return
    with pytest.raises(RecordFault) as raised:
        await compared
    assert f"{raised.value.where}: {raised.value.what}" == said


class Named:
    """A view that makes nothing."""

    name = "view"

    def keys(self, commit: Commit) -> list[str]:
        return []

    def apply(self, commit: Commit, rows: object) -> None:
        """Nothing."""
