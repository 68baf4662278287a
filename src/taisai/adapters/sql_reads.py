"""Reading the record with SQL that both stores understand."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Protocol

from taisai.adapters import sql
from taisai.ledger import Transfer
from taisai.record.chain import checked
from taisai.record.journal import Answer, Commit, Event, Head, Tip
from taisai.record.ports import Counts

_LONG_AGO = -(2**63)


class QuerySession(Protocol):
    """A way to run queries, and those that the stores ask differently."""

    async def query(self, text: str, *arguments: object) -> list[sql.Row]: ...

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        """The events and answers of a writer's commits after one and up to another."""
        ...

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]: ...

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]: ...

    async def seal_rows(self, writer: str, numbers: list[int]) -> list[sql.Row]: ...

    async def keeps_cuts(self) -> bool:
        """Whether the store's schema knows of archives."""
        ...


class SqlReads:
    """All reads of stores and snapshots. `seen` is told of every tip that was read."""

    def __init__(self, session: QuerySession, seen: Callable[[Tip], None] | None = None) -> None:
        self._session = session
        self._seen = seen
        self._keeps_cuts: bool | None = None

    async def tips(self) -> dict[str, Tip]:
        tips = sql.read_tips(await self._session.query(sql.TIPS))
        if self._seen is not None:
            for tip in tips.values():
                self._seen(tip)
        return tips

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        page = (writer, after, after + limit)
        return sql.read_commits(
            await self._session.query(sql.COMMITS if await self._cut() else sql.COMMITS_UNCUT, *page),
            await self._session.query(sql.SPANS, *page),
            await self._session.query(sql.TRANSFERS, *page),
            await self._session.said(*page),
        )

    async def _cut(self) -> bool:
        if self._keeps_cuts is None:
            self._keeps_cuts = await self._session.keeps_cuts()
        return self._keeps_cuts

    async def seals(self, writer: str, numbers: Sequence[int]) -> dict[int, tuple[bytes, bytes]]:
        rows = await self._session.seal_rows(writer, list(numbers))
        return {number: (digest, signature) for number, digest, signature in rows}

    async def head(self, stream: str) -> Head | None:
        heads = sql.read_heads(await self._session.query(sql.HEAD, stream))
        return heads[0] if heads else None

    async def heads(self, prefix: str = "") -> AsyncIterator[Head]:
        for head in sql.read_heads(await self._session.query(sql.HEADS, prefix, prefix + sql.NAMES_END)):
            yield head

    async def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        before: Event | None = None
        if after:
            # The event before the first one, for its digest.
            found = await self._session.query(sql.EVENTS, stream, after, 1)
            if not found:
                return
            before = Event(*found[0])
        while True:
            start = before.version + 1 if before else 1
            rows = await self._session.query(sql.EVENTS, stream, start, sql.EVENTS_A_PAGE)
            for event in checked(stream, before, [Event(*row) for row in rows]):
                before = event
                yield event
            if len(rows) < sql.EVENTS_A_PAGE:
                return

    async def answers(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        found = [Answer(*row) for row in await self._session.answer_rows(list(commands))]
        return {(answer.sender, answer.id): answer for answer in found}

    async def transfers(self, account: str) -> AsyncIterator[Transfer]:
        last: sql.Row = (_LONG_AGO, "", 0, 0)
        statement = sql.STATEMENT_OF_STAKES if account.startswith("stakes:") else sql.STATEMENT
        while rows := await self._session.query(statement, account, *last, sql.ROWS_A_PAGE):
            for row in rows:
                yield Transfer(*row[:8])
            last = (rows[-1][5], *rows[-1][8:])

    async def moved(self, stream: str, *, after: int, upto: int) -> dict[str, tuple[int, int]]:
        rows = await self._session.query(sql.MOVED, stream, after, upto)
        return {account: (debits, credits) for account, debits, credits in rows}

    async def view_positions(self, view: str) -> dict[str, int]:
        return dict(await self._session.query(sql.VIEW_POSITIONS, view))

    async def view_get(self, view: str, keys: Iterable[str]) -> dict[str, bytes]:
        return dict(await self._session.view_values(view, list(keys)))

    async def view_rows(
        self, view: str, prefix: str = "", *, after: str = ""
    ) -> AsyncIterator[tuple[str, bytes]]:
        last, end = after, prefix + sql.NAMES_END
        while rows := await self._session.query(sql.VIEW_ROWS, view, last, prefix, end, sql.ROWS_A_PAGE):
            for key, value in rows:
                yield key, value
            last = rows[-1][0]

    async def counts(self) -> Counts:
        return Counts(*(await self._session.query(sql.COUNTS))[0])

    async def strays(self) -> list[str]:
        return [row[0] for text in sql.STRAYS for row in await self._session.query(text)]

    async def misled(self) -> list[str]:
        return [row[0] for row in await self._session.query(sql.MISLED)]
