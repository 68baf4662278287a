"""Commits of all writers in one order: causes first, gaps said."""

import pytest

from taisai.record.chain import tip_of
from taisai.record.journal import Commit, Tip
from taisai.record.order import in_order
from taisai.record.ports import RecordCorrupt


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


async def test_a_source_without_writers_has_no_commits() -> None:
    """Nor has one whose last commit was read before."""
    assert await _order(_Source()) == []
    assert [c.number async for c in in_order(_Source(made("a", 1)), after={"a": 1})] == []


async def test_a_chain_longer_than_a_page_is_read_whole_and_once() -> None:
    """Pages grow while commits are small; none is skipped or read twice where they meet."""
    source = _Source(*(made("a", number) for number in range(1, 101)))
    assert await _order(source) == [f"a{number}" for number in range(1, 101)]
