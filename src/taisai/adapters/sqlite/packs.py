"""Events and answers in SQLite, where they are rows, packs, or one after the other in the same file.

Queries that both stores ask in SQL and that packs have a part in are answered here; `rows` is the door.
"""

import json
from collections.abc import Callable, Iterable
from itertools import starmap
from operator import itemgetter
from typing import Final

import apsw

from taisai.adapters import sql
from taisai.adapters.packs import Pack, PackTooLarge, command_key, compressed, is_packed, pack_of, read_pack
from taisai.adapters.sqlite.file import PACKS_SINCE, schema_version
from taisai.record.journal import Answer, Commit, Event
from taisai.record.ports import BodiesCut, RecordCorrupt

_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_PACK = "INSERT INTO packs VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_COMMAND = "INSERT INTO commands VALUES (?, ?, ?, ?)"
_REPLACE_SAID = "UPDATE packs SET said = ? WHERE writer = ? AND number = ?"

_PACK = "SELECT p.* FROM packs p WHERE p.writer = ? AND p.number = ?"
_ALL_PACKS = "SELECT p.* FROM packs p"
_PACKS = "SELECT p.* FROM packs p WHERE p.writer = ? AND p.number > ? AND p.number <= ? ORDER BY p.number"
_PACKS_OF_STREAM = """
SELECT s.last_version, p.*
FROM spans s CROSS JOIN packs p ON p.writer = s.writer AND p.number = s.number
WHERE s.stream = ? AND s.last_version >= ? AND s.last_version <= ? ORDER BY s.last_version LIMIT ?"""
_PACKS_A_PAGE = 4
_NO_END = 2**63 - 1
_LAST_SPAN = """
SELECT p.* FROM spans s LEFT JOIN packs p ON p.writer = s.writer AND p.number = s.number
WHERE s.stream = ? ORDER BY s.last_version DESC LIMIT 1"""
_STREAMS = """
WITH RECURSIVE n(stream) AS (
  SELECT min(stream) FROM spans WHERE stream >= ? AND stream < ?
  UNION ALL
  SELECT (SELECT min(stream) FROM spans WHERE spans.stream > n.stream AND spans.stream < ?)
  FROM n WHERE n.stream IS NOT NULL
)
SELECT stream FROM n WHERE stream IS NOT NULL"""

_ANSWER_BY_NAME = "SELECT sender, id, request, answer FROM answers WHERE sender = ? AND id = ?"
_ANSWER_PLACE = "SELECT writer, number, n FROM commands WHERE key = ?"
_ANSWER_ROW = "SELECT sender, id, request, answer FROM answers WHERE writer = ? AND number = ? AND n = ?"

_PACKED_COUNTS = "SELECT coalesce(sum(events), 0), coalesce(sum(answers), 0) FROM packs"
_ANSWERED = "SELECT sender, id, writer, number, n FROM answers"
# How many of these keys, which are in hex and stand at their places, lead to one commit's answers.
_LED = """
SELECT count(*) FROM json_each(?) asked CROSS JOIN commands c
ON c.key = unhex(asked.value) AND c.n = asked.key AND c.writer = ? AND c.number = ?"""

_LET_BODIES_GO = """
UPDATE events SET body = x'' WHERE stream = ? AND version > ? AND version <= ?
  AND type IN (SELECT value FROM json_each(?))"""
_CUT_PACKS = """
SELECT p.* FROM spans s CROSS JOIN packs p ON p.writer = s.writer AND p.number = s.number
WHERE s.stream = ? AND s.last_version > ? AND s.first_version <= ?"""


def rows(db: apsw.Connection, text: str, *arguments: object) -> list[sql.Row]:
    """All rows of a query; what is also in packs comes from there, too."""
    found = _WITH_PACKS.get(text)
    if found is not None and has_packs(db):
        return found(db, *arguments)
    return _ask(db, text, *arguments)


def _ask(db: apsw.Connection, text: str, *arguments: object) -> list[sql.Row]:
    found: list[sql.Row] = db.execute(text, arguments).fetchall()
    return found


def has_packs(db: apsw.Connection) -> bool:
    """Whether the schema has them: a file that nobody has opened for writing since is read as it is."""
    return schema_version(db) >= PACKS_SINCE


def _read(row: sql.Row) -> Pack:
    writer, number, *columns = row
    return read_pack(f"commit {writer}/{number}", *columns)


# --- reading -----------------------------------------------------------------------------------------------


def _events(db: apsw.Connection, stream: str, start: int, limit: int) -> list[sql.Row]:
    """From one version on, at least so many if there are: a pack is read whole or not at all."""
    found: list[sql.Row] = []
    while len(found) < limit:
        first = found[-1][1] + 1 if found else start
        page, is_last = _page(db, stream, first, limit)
        found += page
        if is_last or not page:
            break
    return found


def _page(db: apsw.Connection, stream: str, start: int, limit: int) -> tuple[list[sql.Row], bool]:
    """Rows and packs from a version on, as far as both were looked at, and whether that is all."""
    single = _ask(db, sql.EVENTS, stream, start, limit)
    end = single[-1][1] if len(single) == limit else _NO_END
    packs = _ask(db, _PACKS_OF_STREAM, stream, start, end, _PACKS_A_PAGE)
    if len(packs) == _PACKS_A_PAGE:
        end = packs[-1][0]
    packed = [row for each in packs for row in _read(each[1:]).events(stream)]
    merged = [row for row in (*single, *packed) if start <= row[1] <= end]
    merged.sort(key=itemgetter(1))
    return merged, end == _NO_END


def _head(db: apsw.Connection, stream: str) -> list[sql.Row]:
    """Where a stream stands: in the pack of its last commit, or in its last row."""
    last = _ask(db, _LAST_SPAN, stream)
    if last and last[0][0] is not None:
        stands = list(_read(last[0]).events(stream))
        return [(name, version, at, digest) for name, version, at, _, _, digest in stands[-1:]]
    return _ask(db, sql.HEAD, stream)


def _heads(db: apsw.Connection, first: str, end: str) -> list[sql.Row]:
    streams = _ask(db, _STREAMS, first, end, end)
    return [row for (stream,) in streams for row in _head(db, stream)]


def said(db: apsw.Connection, writer: str, after: int, upto: int) -> sql.SaidBy:
    """Of each commit what is in rows or in its pack: one that has both is read as having both."""
    page = (writer, after, upto)
    events, answers = sql.read_said(_ask(db, sql.COMMIT_EVENTS, *page), _ask(db, sql.ANSWERS, *page))
    for row in _ask(db, _PACKS, *page) if has_packs(db) else ():
        number, pack = row[1], _read(row)
        events[number] += starmap(Event, pack.events())
        answers[number] += starmap(Answer, pack.answers())
    return events, answers


def _commit_answers(db: apsw.Connection, *page: object) -> list[sql.Row]:
    found = _ask(db, sql.ANSWERS, *page)
    for row in _ask(db, _PACKS, *page):
        number = row[1]
        found += [(number, n, *answer) for n, answer in enumerate(_read(row).answers())]
    return found


def answer_rows(db: apsw.Connection, commands: Iterable[tuple[str, str]]) -> list[sql.Row]:
    """What was answered to these (sender, command id), as far as it is known."""
    if not has_packs(db):
        return [row for key in commands for row in db.execute(_ANSWER_BY_NAME, key)]
    found: list[sql.Row] = []
    unpacked: dict[tuple[str, int], list[sql.Row]] = {}
    for sender, name in commands:
        for writer, number, n in _ask(db, _ANSWER_PLACE, command_key(sender, name)):
            single = _ask(db, _ANSWER_ROW, writer, number, n)
            if not single and (writer, number) not in unpacked:
                packs = _ask(db, _PACK, writer, number)
                unpacked[writer, number] = [row for pack in packs for row in _read(pack).answers()]
            answer = single or unpacked[writer, number][n : n + 1]
            if not answer or answer[0][:2] != (sender, name):
                raise RecordCorrupt(
                    f"command {name} of {sender} is not where the record says: {writer}/{number}"
                )
            found += answer
    return found


def _counts(db: apsw.Connection) -> list[sql.Row]:
    commits, spans, events, transfers, answers = _ask(db, sql.COUNTS)[0]
    packed, answered = _ask(db, _PACKED_COUNTS)[0]
    return [(commits, spans, events + packed, transfers, answers + answered)]


def _misled(db: apsw.Connection) -> list[sql.Row]:
    """The first command that is not found where its answer is, or one that nothing was answered to."""
    count = 0
    for sender, name, *place in db.execute(_ANSWERED):
        count += 1
        if not _leads(db, sender, name, *place):
            return [(f"command {name} of {sender}",)]
    for row in db.execute(_ALL_PACKS):
        writer, number, said = row[0], row[1], _read(row).said
        count += len(said.ids)
        keys = [command_key(*names).hex() for names in zip(said.senders, said.ids, strict=True)]
        if db.execute(_LED, (json.dumps(keys), writer, number)).get == len(keys):
            continue
        for n, (sender, name) in enumerate(zip(said.senders, said.ids, strict=True)):
            if not _leads(db, sender, name, writer, number, n):
                return [(f"command {name} of {sender}",)]
    if count != db.execute("SELECT count(*) FROM commands").get:
        return [("a command without an answer",)]
    return []


def _leads(db: apsw.Connection, sender: str, name: str, *place: object) -> bool:
    """Whether whoever asks a command again finds this place."""
    return _ask(db, _ANSWER_PLACE, command_key(sender, name)) == [place]


_WITH_PACKS: Final[dict[str, Callable[..., list[sql.Row]]]] = {
    sql.EVENTS: _events,
    sql.HEAD: _head,
    sql.HEADS: _heads,
    sql.ANSWERS: _commit_answers,
    sql.COUNTS: _counts,
    sql.MISLED: _misled,
}


# --- writing -----------------------------------------------------------------------------------------------


def insert_said(db: apsw.Connection, commit: Commit) -> None:
    """A commit's events and answers, and where each command is answered."""
    writer, number = commit.writer, commit.number
    packed = _packed(commit) if is_packed(commit) else None
    if packed is not None:
        db.execute(_INSERT_PACK, packed)
    else:
        db.executemany(_INSERT_EVENT, sql.event_rows(commit))
        db.executemany(_INSERT_ANSWER, sql.answer_rows(commit))
    if commit.answers:
        places = [(command_key(a.sender, a.id), writer, number, n) for n, a in enumerate(commit.answers)]
        db.executemany(_INSERT_COMMAND, places)


def _packed(commit: Commit) -> sql.Row | None:
    """The row of a commit's pack; none for one that says too much."""
    pack = pack_of(commit)
    try:
        said = compressed(pack.said)
    except PackTooLarge:
        return None
    sizes = (len(commit.events), len(commit.answers))
    return commit.writer, commit.number, *sizes, said, pack.digests, pack.requests


def let_bodies_go(db: apsw.Connection, stream: str, after: int, last: int, cut: BodiesCut) -> None:
    """Of a stream's events of some types, in rows and in packs."""
    types = frozenset(cut.types)

    def has_left(name: str, version: int, kind: str) -> bool:
        return name == stream and after < version <= last and kind in types

    db.execute(_LET_BODIES_GO, (stream, after, last, json.dumps(list(cut.types))))
    for row in _ask(db, _CUT_PACKS, stream, after, last):
        _replace(db, row, _read(row).without_bodies(has_left))


def let_answers_go(db: apsw.Connection, *page: object) -> None:
    """Of a writer's commits, in rows and in packs."""
    db.execute(sql.LET_ANSWERS_GO, (b"", *page))
    for row in _ask(db, _PACKS, *page):
        _replace(db, row, _read(row).without_answers())


def _replace(db: apsw.Connection, row: sql.Row, pack: Pack) -> None:
    db.execute(_REPLACE_SAID, (compressed(pack.said), row[0], row[1]))
