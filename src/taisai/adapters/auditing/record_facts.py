"""A record looked at without touching it: what it is kept by, how its schema stands, where it ends."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec

from taisai.adapters import sql
from taisai.adapters.migrations import scripts
from taisai.adapters.sql_reads import SqlReads
from taisai.adapters.sqlite.packs import rows, said
from taisai.adapters.sqlite.reads import SEAL
from taisai.adapters.stores import is_postgres, sqlite_path
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.floor.desks.evidence import IncidentNoted
from taisai.floor.health import LatestPlay
from taisai.floor.streams import INCIDENTS, TABLES, table_of
from taisai.record.journal import Head, Tip

_SETTINGS: Final = (
    *("server_version", "server_version_num", "fsync", "full_page_writes", "synchronous_commit"),
    *("data_checksums", "synchronous_standby_names"),
)
_RULES: Final = ("TableOpened", "BettingOpened")
_LAST_RULES: Final = """
SELECT stream, body FROM events WHERE stream = $1 AND type = ANY($2::text[]) ORDER BY version DESC LIMIT 1"""
_INCIDENTS: Final = "SELECT body FROM events WHERE stream = $1 ORDER BY version DESC LIMIT $2"
_INCIDENTS_MAX: Final = 1_000
_FAULTS_MAX: Final = 5


class RecordFacts(msgspec.Struct, kw_only=True):
    """What was found. `schema` is none where there is no record yet; `damage` none where nobody looked.

    `unread` is a record whose write-ahead log nobody has taken in since the power failed: reading it needs a
    file that would have to be made first.
    """

    where: str
    known: int
    is_postgres: bool = False
    schema: int | None = None
    settings: dict[str, str] = {}
    damage: list[str] | None = None
    tips: list[Tip] = []
    played: list[LatestPlay] = []
    incidents: list[IncidentNoted] = []  # the newest first
    owner: str = ""
    unread: bool = False
    standbys: int = 0  # that confirm each commit


async def record_facts(address: str, *, thorough: bool = True) -> RecordFacts:
    """Look at a record; raises `StoreUnavailable` where that cannot be done."""
    if is_postgres(address):
        return await _postgres(address)
    return await asyncio.to_thread(_sqlite, sqlite_path(address), thorough)


def _played(rows: "list[tuple[Any, ...]]") -> list[LatestPlay]:
    found = []
    for stream, body in rows:
        read = msgspec.json.decode(bytes(body))
        said = read.get("event", read)
        found.append(
            LatestPlay(
                table=table_of(stream) or stream,
                pay_table=said.get("pay_table") or said["settings"]["pay_table"],
                pay_table_digest=said["pay_table_digest"],
            )
        )
    return found


def _incidents(rows: "list[tuple[Any, ...]]") -> list[IncidentNoted]:
    return [msgspec.json.decode(bytes(body), type=IncidentNoted) for (body,) in rows]


@asynccontextmanager
async def untouched_snapshot(address: str) -> AsyncIterator[SqlReads]:
    """A record to read that leaves no trace of having been read."""
    if is_postgres(address):
        from taisai.adapters.postgres.store import read_snapshot

        async with read_snapshot(address) as snapshot:
            yield snapshot
        return
    from taisai.adapters.sqlite.file import translated

    path = sqlite_path(address)
    log = path.with_name(path.name + "-wal")
    with translated(path), closing(_untouched(path, log.exists() and log.stat().st_size > 0)) as db:
        yield SqlReads(_Untouched(db))


class _Untouched:
    """Queries on a connection that leaves no trace."""

    def __init__(self, db: Any) -> None:
        self._db = db

    async def query(self, text: str, *arguments: object) -> list[sql.Row]:
        return rows(self._db, text, *arguments)

    async def said(self, writer: str, after: int, upto: int) -> sql.SaidBy:
        return said(self._db, writer, after, upto)

    async def answer_rows(self, commands: list[tuple[str, str]]) -> list[sql.Row]:
        raise InvariantBroken("nobody looks at an installation for its answers")

    async def view_values(self, view: str, keys: list[str]) -> list[sql.Row]:
        raise InvariantBroken("nobody looks at an installation for its views")

    async def keeps_cuts(self) -> bool:
        return int(self._db.pragma("user_version")) > 1

    async def seal_rows(self, writer: str, numbers: list[int]) -> list[sql.Row]:
        return [row for number in numbers for row in await self.query(SEAL, writer, number)]


# --- SQLite ----------------------------------------------------------------------------------------------


def _sqlite(path: Path, thorough: bool) -> RecordFacts:
    facts = RecordFacts(where=str(path), known=len(scripts("sqlite")), owner=_owner(path))
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    has_log = log.exists() and log.stat().st_size > 0
    facts.unread = has_log and not index.exists()
    if facts.unread or not path.exists():
        return facts
    from taisai.adapters.sqlite.file import APPLICATION_ID, translated

    with translated(path), closing(_untouched(path, has_log)) as db:
        facts.settings = {"journal_mode": _journal_mode(path)}
        if db.pragma("application_id") != APPLICATION_ID:
            raise StoreUnavailable(f"{path} is an SQLite file, but not one of taisai's")
        facts.schema = int(db.pragma("user_version"))
        if thorough:
            facts.damage = _damage(db)
        if facts.schema == facts.known and not facts.damage:
            _read_sqlite(facts, partial(rows, db))
    return facts


def _damage(db: Any) -> list[str]:
    """What SQLite's own check finds; where it cannot go on, it says nothing of the other pages."""
    import apsw

    try:
        said = [row[0] for row in db.execute(f"PRAGMA integrity_check({_FAULTS_MAX})")]
    except apsw.CorruptError as error:
        return [f"{error}: a page cannot be read"]
    return [] if said == ["ok"] else said


def _journal_mode(path: Path) -> str:
    """As the file's header has it: a connection that must not write does not say."""
    with path.open("rb") as file:
        return "wal" if file.read(20)[18:] == b"\x02\x02" else "rollback journal"


def _untouched(path: Path, has_log: bool) -> Any:
    """A connection that leaves no trace, not even the files that readers of a write-ahead log leave."""
    import apsw

    # Without a log nobody writes it, and all there is stands in the file.
    how = "mode=ro&readonly_shm=1" if has_log else "immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"file:{quote(str(path.resolve()))}?{how}", flags=flags)


def _read_sqlite(facts: RecordFacts, ask: Callable[..., "list[tuple[Any, ...]]"]) -> None:
    facts.tips = list(sql.read_tips(ask(sql.TIPS)).values())
    heads = sql.read_heads(ask(sql.HEADS, TABLES, TABLES + sql.NAMES_END))
    played = (next((row for row in _backwards(ask, head) if row[3] in _RULES), None) for head in heads)
    facts.played = _played([(row[0], row[4]) for row in played if row])
    for head in sql.read_heads(ask(sql.HEAD, INCIDENTS)):
        facts.incidents = _incidents([(row[4],) for row in islice(_backwards(ask, head), _INCIDENTS_MAX)])


def _backwards(ask: Callable[..., "list[tuple[Any, ...]]"], head: Head) -> Iterator[sql.Row]:
    """The rows of a stream's events, the last one first."""
    end = head.version
    while end > 0:
        start = max(1, end - sql.EVENTS_A_PAGE + 1)
        page = ask(sql.EVENTS, head.stream, start, end - start + 1)
        yield from (row for row in reversed(page) if row[1] <= end)
        end = start - 1


def _owner(path: Path) -> str:
    """The process that writes the file, if it is alive."""
    try:
        number = path.with_name(path.name + "-owner").read_text(encoding="ascii").partition(" ")[0].strip()
        alive = number.isdigit() and Path("/proc", number).exists()
    except (OSError, UnicodeDecodeError):
        return ""
    return number if alive else ""


# --- PostgreSQL ------------------------------------------------------------------------------------------


async def _postgres(url: str) -> RecordFacts:
    import asyncpg

    from taisai.adapters.postgres.session import COMMAND_S, say, translated

    facts = RecordFacts(where=say(url), known=len(scripts("postgres")), is_postgres=True)
    with translated(facts.where):
        connection = await asyncpg.connect(url, timeout=5.0, command_timeout=COMMAND_S)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await _read_postgres(facts, connection)
        finally:
            await connection.close()
    return facts


async def _read_postgres(facts: RecordFacts, connection: Any) -> None:
    from taisai.adapters.postgres.replicas import STANDBYS

    for name in _SETTINGS:
        facts.settings[name] = str(await connection.fetchval("SELECT current_setting($1)", name))
    facts.standbys = (await connection.fetchrow(STANDBYS))[1]
    if await connection.fetchval("SELECT to_regclass('taisai_schema')") is None:
        return
    facts.schema = int(await connection.fetchval("SELECT coalesce(max(version), 0) FROM taisai_schema"))
    if facts.schema != facts.known:
        return
    facts.tips = list(sql.read_tips([tuple(row) for row in await connection.fetch(sql.TIPS)]).values())
    names = await connection.fetch(sql.HEADS, TABLES, TABLES + sql.NAMES_END)
    streams = [head.stream for head in sql.read_heads([tuple(row) for row in names])]
    rows = [row for stream in streams for row in await connection.fetch(_LAST_RULES, stream, _RULES)]
    facts.played = _played([tuple(row) for row in rows])
    noted = await connection.fetch(_INCIDENTS, INCIDENTS, _INCIDENTS_MAX)
    facts.incidents = _incidents([tuple(row) for row in noted])
