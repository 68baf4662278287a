"""The journal's forms: what is hashed, and how times and positions are written."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.errors import InputError
from taisai.ledger import Transfer
from taisai.record.journal import (
    Answer,
    Commit,
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
from tests.record import START


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


def test_an_events_digest_is_that_of_its_fields_whatever_their_length() -> None:
    """Made in one go, and the same as field by field; around the lengths that are looked up too."""
    before = b"\x01" * 32
    for size in (0, 1, 1_023, 1_024, 70_000):
        body = b"x" * size
        by_field = digest(b"taisai event 1", before, b"7", b"-5", b"BetsPlaced", body)
        assert event_digest(before, 7, -5, "BetsPlaced", body) == by_field
