"""The SQLite file itself: opening it, its schema, its one owner, and what its errors mean."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw

from taisai.adapters.migrations import pending
from taisai.adapters.packs import command_key
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.record.ports import RecordCorrupt, RecordInUse

APPLICATION_ID = 0x54534149  # "TSAI", in the file's header
_READABLE_FROM = 1  # older schemas that are read as they are; opening for writing brings them forward
PACKS_SINCE = 4  # the schema with packs
_BUSY_MS = 5_000
_CACHE_KIB = 16_384
# A checkpoint writes and syncs the file: not too often, and the log stays near 16 MiB and is then reused.
_CHECKPOINT_PAGES = 4_096

# The file, the disk or the machine failed: stop, and try again when asked again.
OUTSIDE: tuple[type[apsw.Error], ...] = (
    apsw.AuthError,
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.ConnectionClosedError,
    apsw.FullError,
    apsw.IOError,
    apsw.InterruptError,
    apsw.LockedError,
    apsw.NoLFSError,
    apsw.NoMemError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
    apsw.SchemaChangeError,
    apsw.VFSFileClosedError,
    apsw.VFSNotImplementedError,
)
# Stored bytes are not what was stored.
CORRUPT: tuple[type[apsw.Error], ...] = (
    apsw.CorruptError,
    apsw.EmptyError,
    apsw.FormatError,
    apsw.NotADBError,
    apsw.NotFoundError,
)
# A mistake of ours.
OURS: tuple[type[apsw.Error], ...] = (
    apsw.AbortError,
    apsw.BindingsError,
    apsw.ConnectionNotClosedError,
    apsw.ConstraintError,
    apsw.CursorClosedError,
    apsw.ExecTraceAbort,
    apsw.ExecutionCompleteError,
    apsw.ExtensionLoadingError,
    apsw.ForkingViolationError,
    apsw.IncompleteExecutionError,
    apsw.InternalError,
    apsw.InvalidContextError,
    apsw.MismatchError,
    apsw.MisuseError,
    apsw.NoFTS5Error,
    apsw.RangeError,
    apsw.SQLError,
    apsw.ThreadingViolationError,
    apsw.TooBigError,
)


def translate(error: apsw.Error, path: Path) -> Exception:
    """What an error of the driver means to the floor. What is left over is a mistake of ours."""
    if isinstance(error, CORRUPT):
        return RecordCorrupt(f"{path}: {error}")
    if isinstance(error, OUTSIDE):
        return StoreUnavailable(f"{path}: {error}")
    return InvariantBroken(f"{path}: {type(error).__name__}: {error}")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Let no error of the driver out."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error


class OwnerLock:
    """One process writes a file. The lock lies beside it and ends with the process."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + "-owner")
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnavailable(f"{self._path}: {error.strerror}") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            said = os.pread(self._descriptor, 80, 0).decode(errors="replace").split()
            os.close(self._descriptor)
            holder = f"process {said[0]}" if said else "another process"
            since = f", since {said[1]}" if len(said) > 1 else ""
            raise RecordInUse(f"{path} is already being written, by {holder}{since}") from None
        os.ftruncate(self._descriptor, 0)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.pwrite(self._descriptor, f"{os.getpid()} {since}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._descriptor)


def make_private(path: Path) -> None:
    """Make a file that is not there yet for its owner alone; SQLite gives its log the mode of the file."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"{path}: {error.strerror}") from None


def connect(path: Path, *, vfs: str | None = None) -> apsw.Connection:
    """A connection that writes: every commit is in the log and synced when it returns."""
    if vfs is None:
        make_private(path)
    db = apsw.Connection(str(path), vfs=vfs)
    try:
        db.set_busy_timeout(_BUSY_MS)
        mode = db.pragma("journal_mode", "wal")
        if mode != "wal":
            raise StoreUnavailable(f"{path}: cannot use a write-ahead log here (journal mode {mode})")
        db.pragma("synchronous", "full")
        db.pragma("cache_size", -_CACHE_KIB)
        db.pragma("cell_size_check", True)
        db.pragma("trusted_schema", False)
        db.wal_autocheckpoint(_CHECKPOINT_PAGES)
    except BaseException:
        db.close(True)
        raise
    return db


def connect_reader(path: Path, *, vfs: str | None = None) -> apsw.Connection:
    """A connection that only reads."""
    if vfs is None and not path.exists():
        raise StoreUnavailable(f"{path} is not there")
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    try:
        db.set_busy_timeout(_BUSY_MS)
        db.pragma("query_only", True)
        db.pragma("cell_size_check", True)
        db.pragma("trusted_schema", False)
        _check_ours(db, path)
        if pending("sqlite", schema_version(db), str(path)) and schema_version(db) < _READABLE_FROM:
            raise StoreUnavailable(f"{path} has an older schema; open it once for writing to migrate it")
    except BaseException:
        db.close(True)
        raise
    return db


def schema_version(db: apsw.Connection) -> int:
    """The number of the last migration that has run."""
    return int(db.pragma("user_version"))


def migrate(db: apsw.Connection, path: Path) -> None:
    """Bring the schema forward; a file that is somebody else's is refused."""
    _check_ours(db, path)
    db.create_scalar_function("command_key", _command_key, 2, deterministic=True)
    for number, script in pending("sqlite", schema_version(db), str(path)):
        with immediate(db):
            db.execute(script)
            db.pragma("application_id", APPLICATION_ID)
            db.pragma("user_version", number)


def _command_key(*names: object) -> bytes:
    """As an SQL function, for the migration that needs it."""
    sender, command_id = map(str, names)
    return command_key(sender, command_id)


def _check_ours(db: apsw.Connection, path: Path) -> None:
    ours = db.pragma("application_id") == APPLICATION_ID
    if not ours and db.execute("SELECT count(*) FROM sqlite_schema").get:
        raise StoreUnavailable(f"{path} is an SQLite file, but not one of taisai's")


@contextmanager
def immediate(db: apsw.Connection) -> Iterator[None]:
    """A transaction that holds the write lock from its start."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
