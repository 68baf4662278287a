"""SQL that both stores understand, and how its rows are read and written.

Parameters are `$1`, `$2`, … and first appear in that order, which is what SQLite needs to bind them by place.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from taisai.ledger import Transfer
from taisai.record.journal import (
    Answer,
    Commit,
    Event,
    Head,
    Span,
    Tip,
    answers_digest,
    read_after,
    say_after,
)
from taisai.record.ports import RecordCorrupt

Row = tuple[Any, ...]
# The events and the answers of some commits, by their numbers.
SaidBy = tuple[dict[int, list[Event]], dict[int, list[Answer]]]

# Each writer's last commit, by skipping from writer to writer along the primary key.
TIPS = """
WITH RECURSIVE w(writer) AS (
  SELECT min(writer) FROM commits
  UNION ALL
  SELECT (SELECT min(writer) FROM commits WHERE commits.writer > w.writer) FROM w WHERE w.writer IS NOT NULL
)
SELECT c.writer, c.number, c.at, c.key_id, c.digest, c.signature
FROM w JOIN commits c ON c.writer = w.writer
  AND c.number = (SELECT max(number) FROM commits WHERE commits.writer = w.writer)
WHERE w.writer IS NOT NULL"""

# One writer's commits after $2 and up to $3, in parts.
COMMITS = """
SELECT c.writer, c.number, c.at, c.follows, c.key_id, c.digest, c.signature, k.answers
FROM commits c LEFT JOIN cut_commits k ON k.writer = c.writer AND k.number = c.number
WHERE c.writer = $1 AND c.number > $2 AND c.number <= $3 ORDER BY c.number"""
# The same from a store that no release with archives has opened for writing.
COMMITS_UNCUT = """
SELECT writer, number, at, follows, key_id, digest, signature, NULL
FROM commits WHERE writer = $1 AND number > $2 AND number <= $3 ORDER BY number"""
SPANS = """
SELECT number, stream, first_version, last_version, digest
FROM spans WHERE writer = $1 AND number > $2 AND number <= $3 ORDER BY number, stream"""
COMMIT_EVENTS = """
SELECT s.number, e.stream, e.version, e.at, e.type, e.body, e.digest
FROM spans s CROSS JOIN events e
WHERE s.writer = $1 AND s.number > $2 AND s.number <= $3
  AND e.stream = s.stream AND e.version BETWEEN s.first_version AND s.last_version
ORDER BY s.number, e.stream, e.version"""
TRANSFERS = """
SELECT number, n, id, debit, credit, amount_minor, reason, at, ref, reverses
FROM transfers WHERE writer = $1 AND number > $2 AND number <= $3 ORDER BY number, n"""
ANSWERS = """
SELECT number, n, sender, id, request, answer
FROM answers WHERE writer = $1 AND number > $2 AND number <= $3 ORDER BY number, n"""

# What has left for archives.
NOTE_CUT = "INSERT INTO cuts VALUES ($1, $2)"
NOTE_ANSWERS = "INSERT INTO cut_commits VALUES ($1, $2, $3)"
LET_ANSWERS_GO = "UPDATE answers SET answer = $1 WHERE writer = $2 AND number > $3 AND number <= $4"

# A page of an account's transfers by time, after the one that the last page ended with. The indexes leave out
# the stakes of rounds, so a query says that it does not want them, or does without.
_STATEMENT = """
SELECT id, debit, credit, amount_minor, reason, at, ref, reverses, writer, number, n
FROM transfers WHERE debit = $1{} AND (at, writer, number, n) > ($2, $3, $4, $5)
UNION ALL
SELECT id, debit, credit, amount_minor, reason, at, ref, reverses, writer, number, n
FROM transfers WHERE credit = $1{} AND (at, writer, number, n) > ($2, $3, $4, $5)
ORDER BY at, writer, number, n LIMIT $6"""
STATEMENT = _STATEMENT.format(
    " AND substr(debit, 1, 7) <> 'stakes:'", " AND substr(credit, 1, 7) <> 'stakes:'"
)
STATEMENT_OF_STAKES = _STATEMENT.format("", "")

# Debits and credits by account in the commits that moved a stream after $2 and up to $3.
MOVED = """
WITH moved AS (
  SELECT t.debit, t.credit, t.amount_minor
  FROM spans s JOIN transfers t ON t.number = s.number AND t.writer = s.writer
  WHERE s.stream = $1 AND s.last_version > $2 AND s.last_version <= $3
)
SELECT account, CAST(sum(debits) AS bigint), CAST(sum(credits) AS bigint) FROM (
  SELECT debit AS account, amount_minor AS debits, 0 AS credits FROM moved
  UNION ALL
  SELECT credit, 0, amount_minor FROM moved
) AS sides GROUP BY account"""

EVENTS = """
SELECT stream, version, at, type, body, digest FROM events
WHERE stream = $1 AND version >= $2 ORDER BY version LIMIT $3"""
HEAD = "SELECT stream, version, at, digest FROM events WHERE stream = $1 ORDER BY version DESC LIMIT 1"
# The streams from one name up to another, by skipping along the primary key.
HEADS = """
WITH RECURSIVE s(stream) AS (
  SELECT min(stream) FROM events WHERE stream >= $1 AND stream < $2
  UNION ALL
  SELECT (SELECT min(stream) FROM events WHERE events.stream > s.stream AND events.stream < $2)
  FROM s WHERE s.stream IS NOT NULL
)
SELECT e.stream, e.version, e.at, e.digest
FROM s JOIN events e ON e.stream = s.stream
  AND e.version = (SELECT max(version) FROM events WHERE events.stream = s.stream)
WHERE s.stream IS NOT NULL ORDER BY e.stream"""

VIEW_POSITIONS = "SELECT writer, number FROM view_positions WHERE view = $1"
VIEW_ROWS = """
SELECT key, value FROM view_rows
WHERE view = $1 AND key > $2 AND key >= $3 AND key < $4 ORDER BY key LIMIT $5"""

COUNTS = """
SELECT (SELECT count(*) FROM commits), (SELECT count(*) FROM spans), (SELECT count(*) FROM events),
       (SELECT count(*) FROM transfers), (SELECT count(*) FROM answers)"""

# The first command that its sender and id do not lead to: none where they are a unique key themselves.
MISLED = "SELECT '' WHERE 1 = 0"

# The first row of each kind that no commit holds.
STRAYS = (
    """SELECT 'span of ' || stream || ' in ' || writer || '/' || number FROM spans r
       WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.writer = r.writer AND c.number = r.number)
       LIMIT 1""",
    """SELECT 'transfer ' || id || ' in ' || writer || '/' || number FROM transfers r
       WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.writer = r.writer AND c.number = r.number)
       LIMIT 1""",
    """SELECT 'answer ' || sender || ' ' || id || ' in ' || writer || '/' || number FROM answers r
       WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.writer = r.writer AND c.number = r.number)
       LIMIT 1""",
    """SELECT e.stream || ' version ' || e.version FROM events e WHERE NOT EXISTS (
         SELECT 1 FROM spans s WHERE s.stream = e.stream
           AND s.last_version >= e.version AND s.first_version <= e.version) LIMIT 1""",
)

NAMES_END = "\U0010ffff"  # after every name, also after one that only a forger would choose
EVENTS_A_PAGE = 512
ROWS_A_PAGE = 1_000

T = TypeVar("T")


def read_tips(rows: Iterable[Row]) -> dict[str, Tip]:
    """Rows of TIPS by writer."""
    return {row[0]: Tip(*row) for row in rows}


def read_commits(
    commits: Iterable[Row],
    spans: Iterable[Row],
    transfers: Iterable[Row],
    said: SaidBy,
) -> list[Commit]:
    """Commits from the rows of their parts, which come in the order of the commits."""
    spans_of = _by_number(spans, Span)
    transfers_of = _by_place(transfers, Transfer)
    events_of, answers_of = said
    return [
        Commit(
            writer,
            number,
            at,
            _follows(writer, number, follows),
            key,
            digest,
            signature,
            tuple(spans_of.get(number, ())),
            tuple(events_of.get(number, ())),
            tuple(transfers_of.get(number, ())),
            tuple(answers_of.get(number, ())),
            sealed,
        )
        for writer, number, at, follows, key, digest, signature, sealed in commits
    ]


def read_said(events: Iterable[Row], answers: Iterable[Row]) -> SaidBy:
    """Rows of COMMIT_EVENTS and ANSWERS by commit."""
    return _by_number(events, Event), _by_place(answers, Answer)


def _by_number(rows: Iterable[Row], make: Callable[..., T]) -> dict[int, list[T]]:
    found: dict[int, list[T]] = defaultdict(list)
    for number, group in groupby(rows, itemgetter(0)):
        found[number] += [make(*row[1:]) for row in group]
    return found


def _by_place(rows: Iterable[Row], make: Callable[..., T]) -> dict[int, list[T]]:
    """As `_by_number`, where each row also says its place in its commit."""
    found: dict[int, list[T]] = defaultdict(list)
    for number, group in groupby(rows, itemgetter(0)):
        parts, made = list(group), found[number]
        for place, row in enumerate(parts, len(made)):
            if row[1] != place:
                raise RecordCorrupt(f"part {place} of commit {number} is missing: {row[2:4]}")
        made += [make(*row[2:]) for row in parts]
    return found


def _follows(writer: str, number: int, raw: str) -> dict[str, int]:
    try:
        after = read_after(raw)
    except ValueError:
        after = {}
    if say_after(after) != raw:
        raise RecordCorrupt(f"commit {writer}/{number}: cannot read what it follows: {raw!r}")
    return after


def sealed_rows(writer: str, answers: Iterable[Row]) -> list[Row]:
    """What stays of the answers of these commits once their bodies have left, from rows of ANSWERS."""
    found = _by_place(answers, Answer)
    return [(writer, number, answers_digest(each)) for number, each in found.items()]


def left_rows(commit: Commit) -> list[Row]:
    """How far the bodies of a commit's events are in an archive, by stream."""
    last = {event.stream: event.version for event in commit.events if not event.body}
    return list(last.items())


def read_heads(rows: Iterable[Row]) -> list[Head]:
    """Rows of HEAD or HEADS."""
    return [Head(*row) for row in rows]


def commit_row(commit: Commit) -> Row:
    """A commit's own row."""
    return (
        commit.writer,
        commit.number,
        commit.at,
        say_after(commit.after),
        commit.key,
        commit.digest,
        commit.signature,
    )


def span_rows(commit: Commit) -> list[Row]:
    """The rows of a commit's spans."""
    writer, number = commit.writer, commit.number
    return [(writer, number, span.stream, span.first, span.last, span.digest) for span in commit.spans]


def event_rows(commit: Commit) -> list[Row]:
    """The rows of a commit's events."""
    return [(e.stream, e.version, e.at, e.type, e.body, e.digest) for e in commit.events]


def transfer_rows(commit: Commit) -> list[Row]:
    """The rows of a commit's transfers."""
    writer, number = commit.writer, commit.number
    return [
        (writer, number, n, t.id, t.debit, t.credit, t.amount_minor, t.reason, t.at, t.ref, t.reverses)
        for n, t in enumerate(commit.transfers)
    ]


def answer_rows(commit: Commit) -> list[Row]:
    """The rows of a commit's answers."""
    writer, number = commit.writer, commit.number
    return [(writer, number, n, a.sender, a.id, a.request, a.answer) for n, a in enumerate(commit.answers)]
