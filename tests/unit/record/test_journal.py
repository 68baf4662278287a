"""The journal's forms: what is hashed, in which order it is read, and what is refused."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.adapters.memory import MemoryDisk
from taisai.errors import InputError
from taisai.ledger import Transfer
from taisai.record.chain import checked, tip_of
from taisai.record.checks import check_batch, check_writer
from taisai.record.group_commit import Known, Planner
from taisai.record.journal import (
    Answer,
    Batch,
    Commit,
    Event,
    Span,
    Tip,
    answers_digest,
    commit_digest,
    digest,
    event_digest,
    micros,
    moment,
    read_after,
    say_after,
    spans_digest,
    stream_genesis,
    transfers_digest,
)
from taisai.record.order import in_order
from taisai.record.ports import RecordCorrupt
from taisai.record.verify import RecordFault, Verifier
from tests.record import KEYS, SIGNER, START, Place, answer, on, slip


def test_the_digests_are_those_of_the_documented_format() -> None:
    """Changing what is hashed would make every record that was ever written unverifiable."""
    genesis = stream_genesis("table:T1")
    event = event_digest(genesis, 1, 1_714_852_800_000_000, "BetsPlaced", b'{"n":1}')
    spans = spans_digest([Span("table:T1", 1, 1, event)])
    transfers = transfers_digest(
        [
            Transfer("t.1", "cash", "credit:p", 500, "buy_in", 1_714_852_800_000_000, "T1"),
            Transfer("t.2", "credit:p", "cash", 5, "reversal", 1_714_852_800_000_001, "T1", "t.1"),
        ]
    )
    answers = answers_digest([Answer("t1", "c1", bytes(32), b'{"ok":true}')])
    assert [value.hex() for value in (genesis, event, spans, transfers, answers)] == GOLDEN
    commit = Commit("main", 1, 7, {"b": 2, "a": 1}, "key", b"", b"", (), (), (), ())
    assert commit_digest(commit, None).hex() == GOLDEN_COMMIT
    before = Tip("main", 0, 0, "key", b"d" * 32, b"s" * 64)
    assert commit_digest(commit, before).hex() == GOLDEN_NEXT


# Made with hashlib alone, from docs/reference/journal-format.md.
GOLDEN = [
    "690892c0a4c3364c7051fcf68877b75c100b8bfb523431d9e4915f808545f454",
    "8862ab353e7214e965bd707216daf64ebf557846c69a972c6b80202f8db5f9b5",
    "32ebd868a58a0a76982fbb2a1acb149c0aad32d1c85231806eca52d37203f7de",
    "1e4bb613b983678d36c3e045b7be2bb338cc1d7ee2ed95f7cc9624ef790de8e8",
    "4850e93f847c2e4a6fdaa44b23a953ff170e731cea85607879e6daefe4f66bc7",
]
GOLDEN_COMMIT = "86dfb4e1b798c7e1b33cb01e692cdc4b62f8fc79918633f8f00f165792db1084"
GOLDEN_NEXT = "342f7d61f22a68a4524fa538c3ad15c905fb02c7f2893eaf4da22e3a74e165aa"


@given(st.lists(st.binary(max_size=8), max_size=4), st.lists(st.binary(max_size=8), max_size=4))
def test_no_two_lists_of_fields_are_hashed_alike(first: list[bytes], second: list[bytes]) -> None:
    """The lengths keep the fields apart."""
    assert (digest(*first) == digest(*second)) is (first == second)


@given(st.datetimes(timezones=st.just(UTC)))
def test_times_come_back_as_they_were(when: datetime) -> None:
    """Microseconds are exact."""
    assert moment(micros(when)) == when


def test_a_time_has_its_zone() -> None:
    """And is the same in each."""
    with pytest.raises(InputError, match="zone"):
        micros(datetime(2024, 1, 1))  # noqa: DTZ001 - that is the point
    elsewhere = timezone(timedelta(hours=8))
    assert micros(START) == micros(START.astimezone(elsewhere))


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9._-]{0,8}", fullmatch=True), st.integers(0, 2**40)))
def test_what_a_commit_follows_is_read_as_it_was_said(after: dict[str, int]) -> None:
    """One text for one meaning."""
    assert read_after(say_after(after)) == after


class _Source:
    """Commits in memory, some of which may be missing."""

    def __init__(self, *commits: Commit) -> None:
        self._commits = commits

    async def tips(self) -> dict[str, Tip]:
        return {commit.writer: tip_of(commit) for commit in self._commits}

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        own = [commit for commit in self._commits if commit.writer == writer and commit.number > after]
        return own[:limit]


def made(writer: str, number: int, **after: int) -> Commit:
    return Commit(writer, number, number, after, "key", b"", b"")


async def _order(source: _Source) -> list[str]:
    return [f"{commit.writer}{commit.number}" async for commit in in_order(source)]


async def test_causes_come_before_effects() -> None:
    """However the writers are named and however they waited for each other."""
    source = _Source(made("a", 1, b=2), made("a", 2), made("b", 1), made("b", 2, c=1), made("c", 1))
    order = await _order(source)
    assert order.index("c1") < order.index("b2") < order.index("a1") < order.index("a2")


async def test_reading_goes_on_after_a_position() -> None:
    """Only what is new."""
    source = _Source(made("a", 1), made("a", 2), made("b", 1, a=2))
    assert [c.number async for c in in_order(source, after={"a": 1})] == [2, 1]


@pytest.mark.parametrize(
    ("commits", "said"),
    [
        ([made("a", 1), made("a", 3)], "a/2 is missing"),
        ([made("a", 2)], "a/1 is missing"),
        ([made("a", 1, b=4), made("b", 1)], "a/1 follows b/4, which is missing"),
        ([made("a", 1, b=1), made("b", 1, a=1)], "follows"),
    ],
)
async def test_a_gap_in_the_chains_is_said(commits: list[Commit], said: str) -> None:
    """A commit that is missing, or that nothing can come before."""
    with pytest.raises(RecordCorrupt, match=said):
        await _order(_Source(*commits))


def planner() -> Planner:
    return Planner("main", SIGNER, Place(MemoryDisk()).clock)


def test_a_plan_that_the_store_did_not_take_changes_nothing() -> None:
    """The same group can be planned again; only an accepted plan moves the chain."""
    own = planner()
    first = own.plan([slip(1)], Known())
    again = own.plan([slip(1)], Known())
    assert first.commit == again.commit
    own.accept(first)
    second = own.plan([slip(2)], Known()).commit
    assert second is not None
    assert second.number == 2


def test_news_of_other_writers_is_told_until_it_is_durable() -> None:
    """Once, in the next commit that stands."""
    own = planner()
    own.observe("other", 4)
    own.observe("other", 3)
    own.observe("main", 9)
    lost = own.plan([slip(1)], Known()).commit
    kept = own.plan([slip(1)], Known())
    assert lost is not None
    assert kept.commit is not None
    assert lost.after == kept.commit.after == {"other": 4}
    own.accept(kept)
    after = own.plan([slip(2)], Known()).commit
    assert after is not None
    assert after.after == {}


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


def test_names_are_plain() -> None:
    """They must read alike in every store, file and log."""
    for wrong in ("", "a b", "é", "x" * 65, "-a"):
        with pytest.raises(InputError):
            check_writer(wrong)
    with pytest.raises(InputError, match="SHA-256"):
        check_batch(Batch(answers=(msgspec.structs.replace(answer("c"), request=b"short"),)))
