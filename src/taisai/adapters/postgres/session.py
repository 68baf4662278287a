"""A connection to PostgreSQL: a server that keeps what it says it keeps, our schema, what its errors mean."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import asyncpg

from taisai.adapters.migrations import pending
from taisai.adapters.postgres.replicas import check_replicas
from taisai.errors import InvariantBroken, StoreConflict, StoreUnavailable
from taisai.record.ports import RecordCorrupt

_CONNECT_S = 5.0
COMMAND_S = 60.0
_MIGRATION_LOCK = 0x7461697361690001  # "taisai" and a number, among the server's advisory locks
DURABLE: Final[dict[str, tuple[str, ...]]] = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "remote_apply"),
}
# Plans for arrays of unknown length are as good the first time, and compiling them costs more than it brings.
_SESSION = {"application_name": "taisai", "jit": "off", "plan_cache_mode": "force_generic_plan"}

# The connection or the server went away while it worked: it may or may not have committed.
LOST: tuple[type[BaseException], ...] = (
    OSError,
    TimeoutError,
    asyncio.IncompleteReadError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.StatementCompletionUnknownError,
)
# By the start of SQLSTATE: what another attempt may heal, what only somebody outside can, what is ours.
RETRIED = ("40",)
OUTSIDE = ("08", "25", "28", "3D", "42501", "53", "55", "57", "58", "72", "F0", "HV", "XX")
DAMAGED = ("XX001", "XX002")
OURS = (
    *("01", "02", "03", "09", "0A", "0B", "0F", "0L", "0P", "0Z", "10", "20", "21", "22", "23", "24", "26"),
    *("27", "2B", "2D", "2F", "34", "38", "39", "3B", "3F", "42", "44", "54", "P0"),
)


def translate(error: BaseException, where: str) -> Exception:
    """What an error of the driver means to the floor. What is left over is a mistake of ours."""
    said = f"{where}: {str(error) or type(error).__name__}"
    state = getattr(error, "sqlstate", None) or ""
    if state in DAMAGED:
        return RecordCorrupt(said)
    if isinstance(error, LOST) or state.startswith(OUTSIDE):
        return StoreUnavailable(said)
    if state.startswith(RETRIED):
        return StoreConflict(said)
    if isinstance(error, asyncpg.FatalPostgresError | asyncpg.UnsupportedServerFeatureError):
        return StoreUnavailable(said)
    return InvariantBroken(f"{where}: {type(error).__name__}: {error}")


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Let no error of the driver out."""
    try:
        yield
    except (asyncpg.PostgresError, *LOST) as error:
        raise translate(error, where) from error


def say(url: str) -> str:
    """The server's name without its password."""
    before, at, after = url.rpartition("@")
    scheme, colon, user = before.partition("://")
    return f"{scheme}{colon}{user.split(':')[0]}{at}{after}" if at else url


async def connect(url: str, **how: Any) -> "asyncpg.Connection[Any]":
    """A connection to a server that is durable."""
    connection = await asyncpg.connect(
        url, timeout=_CONNECT_S, command_timeout=COMMAND_S, server_settings=_SESSION, **how
    )
    try:
        await check_durable(connection, say(url))
    except BaseException:
        connection.terminate()
        raise
    return connection


async def connect_primary(url: str, *, replicas_min: int = 0) -> "asyncpg.Connection[Any]":
    """A connection to write on: of several servers in the address, to the one that takes writes."""
    connection = await connect(url, **primary_of(url))
    try:
        await check_replicas(connection, say(url), replicas_min)
    except BaseException:
        connection.terminate()
        raise
    return connection


def primary_of(url: str) -> dict[str, Any]:
    """How a driver is told to look for the primary, unless the address says how itself."""
    return {} if "target_session_attrs" in url else {"target_session_attrs": "primary"}


async def check_durable(connection: "asyncpg.Connection[Any]", where: str) -> None:
    """Refuse a server that could forget what it acknowledged."""
    for setting, wanted in DURABLE.items():
        found = await connection.fetchval("SELECT current_setting($1)", setting)
        if found not in wanted:
            raise StoreUnavailable(f"{where}: expected {setting} = {wanted[0]}, found {found}")


async def migrate(connection: "asyncpg.Connection[Any]", where: str) -> None:
    """Bring the schema forward; several processes may start at once."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATION_LOCK)
        await connection.execute("CREATE TABLE IF NOT EXISTS taisai_schema (version integer PRIMARY KEY)")
        version = await connection.fetchval("SELECT coalesce(max(version), 0) FROM taisai_schema")
        for number, script in pending("postgres", version, where):
            await connection.execute(script)
            await connection.execute("INSERT INTO taisai_schema VALUES ($1)", number)
