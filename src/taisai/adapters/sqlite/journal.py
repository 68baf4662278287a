"""Writing the record to SQLite: one thread, one connection, many batches in one transaction."""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from taisai.adapters import sql
from taisai.adapters.sqlite.file import OwnerLock, connect, immediate, migrate, translate, translated
from taisai.adapters.sqlite.packs import answer_rows, insert_said, let_answers_go, let_bodies_go
from taisai.adapters.sqlite.packs import rows as read_rows
from taisai.errors import InputError, InvariantBroken, StoreConflict, StoreUnavailable
from taisai.record.group_commit import Known, Plan, Planner
from taisai.record.journal import Answer, Batch, Commit, Committed
from taisai.record.ports import BodiesCut, FateUnknown, Positions

log = logging.getLogger("taisai.store")

_INSERT_COMMIT = "INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_SPAN = "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_TRANSFER = "INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KNOWN_TRANSFERS = "SELECT id FROM transfers WHERE id IN (SELECT value FROM json_each(?))"
_NOTE_LEFT = "INSERT INTO cuts VALUES (?, ?) ON CONFLICT DO NOTHING"
_COMMITS_A_PAGE = 1_024
_PUT_ROW = """
INSERT INTO view_rows VALUES (?, ?, ?) ON CONFLICT (view, key) DO UPDATE SET value = excluded.value"""
_PUT_POSITION = """
INSERT INTO view_positions VALUES (?, ?, ?)
ON CONFLICT (view, writer) DO UPDATE SET number = excluded.number"""


class SqliteJournal:
    """The one writer of a file. Every method runs in the writer's thread."""

    def __init__(self, path: Path, planner: Planner, *, vfs: str | None = None) -> None:
        self._path = path
        self._planner = planner
        self._vfs = vfs
        self._owner: OwnerLock | None = None
        self._db: apsw.Connection | None = None

    def open(self) -> None:
        """Take the file, create or migrate it, and take up the chain."""
        self._owner = OwnerLock(self._path)
        try:
            with translated(self._path):
                self._connect()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._disconnect()
        if self._owner is not None:
            self._owner.release()
            self._owner = None

    def _connect(self) -> apsw.Connection:
        db = connect(self._path, vfs=self._vfs)
        try:
            migrate(db, self._path)
            self._planner.start(sql.read_tips(db.execute(sql.TIPS)))
        except BaseException:
            db.close(True)
            raise
        self._db = db
        return db

    def _disconnect(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with suppress(apsw.Error):
                db.close(True)

    def _connection(self) -> apsw.Connection:
        """The connection, made again if it was lost."""
        if self._owner is None:
            raise StoreUnavailable(f"{self._path} is closed")
        return self._db or self._recover()

    def _recover(self) -> apsw.Connection:
        """Open the file again and move the whole log into it.

        A sync that failed may have left the log's last frames in memory only, where they still look
        committed. Copying them into the file and syncing that makes them durable before anybody is told.
        """
        try:
            with translated(self._path):
                db = self._connect()
                in_log, copied = db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            if in_log != copied:
                raise StoreUnavailable(f"{self._path}: readers hold the log while it is being recovered")
        except BaseException:
            self._disconnect()  # what it would show may not be durable
            raise
        return db

    def commit_group(self, batches: Sequence[Batch]) -> list[Committed | Exception]:
        """Make the batches durable in one transaction; each stands or falls on its own."""
        try:
            db = self._connection()
            plan = self._write_planned(db, batches, careful=False)
            if plan is None:
                plan = self._write_planned(db, batches, careful=True)
        except apsw.Error as error:
            self._disconnect()
            return [translate(error, self._path)] * len(batches)
        except (StoreUnavailable, InvariantBroken) as error:
            return [error] * len(batches)
        if plan is None:
            raise InvariantBroken("unique keys were violated by what was just read")
        return list(plan.outcomes)

    def _write_planned(self, db: apsw.Connection, batches: Sequence[Batch], *, careful: bool) -> Plan | None:
        """Plan and write. Without care nothing is looked up, and any doubt gives none."""
        known = self._look_up(db, batches) if careful else Known()
        self._learn(db, self._planner.unknown(batches))
        plan = self._planner.plan(batches, known)
        if not careful and any(isinstance(outcome, StoreConflict) for outcome in plan.outcomes):
            return None
        if plan.commit is not None:
            try:
                self._write(db, plan.commit)
            except apsw.ConstraintError:
                return None
        self._planner.accept(plan)
        return plan

    def archive(self, batch: Batch, cut: BodiesCut) -> Committed:
        """Write a batch and let bodies go in the same transaction; then give the room back."""
        with translated(self._path):
            db = self._connection()
            known = self._look_up(db, [batch])
            plan = self._planner.plan([batch], known)
            outcome = plan.outcomes[0]
            if isinstance(outcome, StoreConflict) or plan.commit is None:
                raise outcome if isinstance(outcome, StoreConflict) else InvariantBroken("nothing to archive")
            try:
                with immediate(db):
                    insert(db, plan.commit)
                    _let_go(db, cut)
            except BaseException:
                self._disconnect()  # whether it was done, the next connection finds out
                raise
            self._planner.accept(plan)
            try:
                db.execute("VACUUM")  # what was let go stands in free pages no longer
            except apsw.Error as error:  # a full disk, a reader: the cut itself is durable
                log.warning("%s: the room of archived bodies is not given back yet: %s", self._path, error)
        return outcome

    def _write(self, db: apsw.Connection, commit: Commit) -> None:
        db.execute("BEGIN IMMEDIATE")
        try:
            insert(db, commit)
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        try:
            db.execute("COMMIT")
        except apsw.Error as error:
            self._disconnect()
            if not self._has(commit, error):
                raise translate(error, self._path) from error

    def _has(self, commit: Commit, cause: apsw.Error) -> bool:
        """Whether a commit whose end was not seen is in the file."""
        try:
            self._recover()
        except StoreUnavailable as error:
            raise FateUnknown(f"{self._path}: lost while committing ({cause}); {error}") from cause
        tip = self._planner.tip
        return tip is not None and tip.digest == commit.digest

    def _learn(self, db: apsw.Connection, streams: Iterable[str]) -> None:
        for stream in streams:
            for head in sql.read_heads(read_rows(db, sql.HEAD, stream)):
                self._planner.know(head)

    def _look_up(self, db: apsw.Connection, batches: Sequence[Batch]) -> Known:
        """Everything that could stand in the way of these batches, read from the file."""
        streams = [part.stream for batch in batches for part in batch.streams]
        self._planner.forget(streams)
        self._learn(db, streams)
        asked = [(answer.sender, answer.id) for batch in batches for answer in batch.answers]
        answers = {(row[0], row[1]): Answer(*row) for row in answer_rows(db, asked)}
        ids = json.dumps([transfer.id for batch in batches for transfer in batch.transfers])
        return Known(answers, {row[0] for row in db.execute(_KNOWN_TRANSFERS, (ids,))})

    def view_put(
        self, view: str, rows: Mapping[str, bytes | None], before: Positions, after: Positions
    ) -> None:
        with translated(self._path):
            put_view(self._connection(), view, rows, before, after)

    def view_clear(self, view: str) -> None:
        with translated(self._path):
            clear_view(self._connection(), view)

    def restore(self, commits: Sequence[Commit], *, first: bool) -> None:
        """Write commits as they are; the first ones only into an empty file."""
        with translated(self._path):
            db = self._connection()
            if first and self._planner.tip is not None:
                raise InputError(f"expected an empty store to restore into, {self._path} is not")
            with immediate(db):
                for commit in commits:
                    insert(db, commit)
                    _note_left(db, commit)
            self._planner.start(sql.read_tips(db.execute(sql.TIPS)))


def _let_go(db: apsw.Connection, cut: BodiesCut) -> None:
    for stream, (after, last) in cut.streams.items():
        db.execute(sql.NOTE_CUT, (stream, last))
        let_bodies_go(db, stream, after, last, cut)
    for writer, (after, last) in cut.writers.items():
        for start in range(after, last, _COMMITS_A_PAGE):
            page = (writer, start, min(last, start + _COMMITS_A_PAGE))
            rows = sql.sealed_rows(writer, read_rows(db, sql.ANSWERS, *page))
            db.executemany(sql.NOTE_ANSWERS, rows)
            let_answers_go(db, *page)


def _note_left(db: apsw.Connection, commit: Commit) -> None:
    """What of a restored commit is in an archive."""
    if commit.sealed_answers is not None:
        db.execute(sql.NOTE_ANSWERS, (commit.writer, commit.number, commit.sealed_answers))
    db.executemany(_NOTE_LEFT, sql.left_rows(commit))


def insert(db: apsw.Connection, commit: Commit) -> None:
    """All rows of a commit."""
    db.execute(_INSERT_COMMIT, sql.commit_row(commit))
    db.executemany(_INSERT_SPAN, sql.span_rows(commit))
    db.executemany(_INSERT_TRANSFER, sql.transfer_rows(commit))
    insert_said(db, commit)


def put_view(
    db: apsw.Connection, view: str, rows: Mapping[str, bytes | None], before: Positions, after: Positions
) -> None:
    """Rows of a read model and how far it follows, in one transaction."""
    with immediate(db):
        if dict(read_rows(db, sql.VIEW_POSITIONS, view)) != before:
            raise StoreConflict(f"view {view} has moved")
        kept = [(view, key, value) for key, value in rows.items() if value is not None]
        gone = [(view, key) for key, value in rows.items() if value is None]
        db.executemany(_PUT_ROW, kept)
        db.executemany("DELETE FROM view_rows WHERE view = ? AND key = ?", gone)
        db.executemany(_PUT_POSITION, [(view, writer, number) for writer, number in after.items()])


def clear_view(db: apsw.Connection, view: str) -> None:
    """A read model that is to be made again."""
    with immediate(db):
        db.execute("DELETE FROM view_rows WHERE view = ?", (view,))
        db.execute("DELETE FROM view_positions WHERE view = ?", (view,))
