"""Adapters let no error of a driver out, and know every error that a driver can raise."""

from pathlib import Path

import apsw
import asyncpg
import pytest

from taisai.adapters.postgres import session as postgres_session
from taisai.adapters.sqlite import file as sqlite_file
from taisai.errors import InvariantBroken, StoreConflict, StoreError, StoreUnavailable
from taisai.record.ports import RecordCorrupt


def classes(module: object, root: type[BaseException]) -> list[type[BaseException]]:
    found = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, root)]
    return sorted(found, key=lambda one: one.__name__)


@pytest.mark.parametrize("kind", [one for one in classes(apsw, apsw.Error) if one is not apsw.Error])
def test_every_error_of_sqlite_is_mapped(kind: type[apsw.Error]) -> None:
    """Each stands in exactly one list, and becomes what that list says."""
    lists = [sqlite_file.OUTSIDE, sqlite_file.CORRUPT, sqlite_file.OURS]
    assert sum(kind in one for one in lists) == 1
    meant = sqlite_file.translate(kind("said"), Path("x.db"))
    expected = StoreUnavailable if kind in sqlite_file.OUTSIDE else RecordCorrupt
    assert type(meant) is (InvariantBroken if kind in sqlite_file.OURS else expected)
    assert "said" in str(meant)


@pytest.mark.parametrize("kind", classes(asyncpg.exceptions, Exception))
def test_every_error_of_postgresql_is_mapped(kind: type[Exception]) -> None:
    """By its SQLSTATE, or by its class when it never came from the server."""
    state = getattr(kind, "sqlstate", None)
    if not state:
        assert isinstance(postgres_session.translate(kind("said"), "db"), StoreError | InvariantBroken)
        return
    ours = state.startswith(postgres_session.OURS) and not state.startswith(postgres_session.OUTSIDE)
    outside = state.startswith(postgres_session.OUTSIDE)
    retried = state.startswith(postgres_session.RETRIED)
    assert [ours, outside, retried].count(True) == 1, f"unmapped: {state} {kind.__name__}"
    meant = postgres_session.translate(kind("said"), "db")
    lost = issubclass(kind, postgres_session.LOST)
    if state in postgres_session.DAMAGED:
        assert type(meant) is RecordCorrupt
    elif outside or lost:
        assert type(meant) is StoreUnavailable
    else:
        assert type(meant) is (StoreConflict if retried else InvariantBroken)


def test_a_server_is_named_without_its_password() -> None:
    """Errors are read by people who should not see it."""
    assert postgres_session.say("postgresql://me:secret@host/db") == "postgresql://me@host/db"
    assert postgres_session.say("postgresql:///db?host=/tmp") == "postgresql:///db?host=/tmp"
