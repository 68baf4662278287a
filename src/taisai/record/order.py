"""Commits of all writers in one order in which causes come before effects."""

from collections import deque
from collections.abc import AsyncIterator

from taisai.record.journal import Commit, Tip
from taisai.record.ports import CommitSource, Positions, RecordCorrupt

# How many commits are read at once follows from how large they are, so that memory stays flat.
_COMMITS_MAX = 1_024
_ROWS_WANTED = 10_000


class _Chain:
    """One writer's commits, read a page at a time."""

    def __init__(self, source: CommitSource, tip: Tip, after: int) -> None:
        self._source = source
        self._tip = tip
        self._page: deque[Commit] = deque()
        self._limit = 16
        self.position = after

    async def next(self) -> Commit | None:
        """The next commit, not taken yet."""
        if self.position >= self._tip.number:
            return None
        if not self._page:
            await self._read()
        if not self._page or self._page[0].number != self.position + 1:
            raise RecordCorrupt(f"commit {self._tip.writer}/{self.position + 1} is missing")
        return self._page[0]

    async def _read(self) -> None:
        limit = min(self._limit, self._tip.number - self.position)
        page = await self._source.commits(self._tip.writer, after=self.position, limit=limit)
        self._page.extend(page)
        rows = sum([len(one.events) + len(one.transfers) + len(one.answers) for one in page])
        if rows > _ROWS_WANTED:
            self._limit = max(1, self._limit // 2)
        elif rows < _ROWS_WANTED // 2:
            self._limit = min(_COMMITS_MAX, self._limit * 2)

    def take(self) -> Commit:
        commit = self._page.popleft()
        self.position = commit.number
        return commit


async def in_order(source: CommitSource, *, after: Positions | None = None) -> AsyncIterator[Commit]:
    """Every commit after these positions and up to the tips as they stand now."""
    positions = dict(after or {})
    tips = await source.tips()
    chains = {writer: _Chain(source, tip, positions.get(writer, 0)) for writer, tip in sorted(tips.items())}
    while True:
        moved = False
        waiting: list[Commit] = []
        for writer, chain in chains.items():
            while (commit := await chain.next()) is not None:
                if any(positions.get(other, 0) < number for other, number in commit.after.items()):
                    waiting.append(commit)
                    break
                moved = True
                positions[writer] = commit.number
                yield chain.take()
        if not waiting:
            return
        if not moved:
            stuck = waiting[0]
            missing = next(
                f"{other}/{number}"
                for other, number in stuck.after.items()
                if positions.get(other, 0) < number
            )
            raise RecordCorrupt(f"commit {stuck.writer}/{stuck.number} follows {missing}, which is missing")
