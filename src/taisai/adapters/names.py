"""Players' names, apart from the record: in an SQLite file of their own, or in a table of PostgreSQL.

What is erased from the SQLite file is overwritten in it. PostgreSQL frees the row at once, but its log and
its backups keep what they have until they are recycled: a house sets their retention accordingly.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import apsw

from taisai.adapters.name_keys import NameKeys, is_sealed
from taisai.adapters.sqlite_file import immediate, make_private, translated
from taisai.errors import InputError, StoreUnavailable
from taisai.plain_text import check_texts

NAME_LEN_MAX = 200
APPLICATION_ID = 0x54534E4D  # "TSNM", in the file's header
_TABLE = "CREATE TABLE IF NOT EXISTS player_names (pseudonym text PRIMARY KEY, name text NOT NULL)"
_PUT = """
INSERT INTO player_names (pseudonym, name) VALUES ($1, $2)
ON CONFLICT (pseudonym) DO UPDATE SET name = excluded.name"""
_GET = "SELECT name FROM player_names WHERE pseudonym = $1"
_ERASE = "DELETE FROM player_names WHERE pseudonym = $1 RETURNING pseudonym"
_ALL = "SELECT pseudonym, name FROM player_names"
_SCHEMA_LOCK = 0x7461697361690002  # "taisai" and a number, among the server's advisory locks

T = TypeVar("T")


def check_name(name: str) -> str:
    """A name as it is kept, or an error."""
    plain = " ".join(name.split())
    check_texts(plain, "name")
    if not plain or len(plain) > NAME_LEN_MAX:
        raise InputError(f"a name has 1 to {NAME_LEN_MAX} characters, got {len(plain)}")
    return plain


def keys_beside(path: Path) -> Path:
    """Where the keys of a file of names are."""
    return path.with_name(path.stem + "-keys.db")


def _found(opened: Iterable[tuple[str, str]], part: str, limit: int) -> list[tuple[str, str]]:
    wanted = part.casefold()
    found = [(pseudonym, name) for pseudonym, name in opened if wanted in name.casefold()]
    return sorted(found, key=lambda one: (one[1], one[0]))[:limit]


def _opened(keys: NameKeys, rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for pseudonym, kept in rows:
        name = keys.open(pseudonym, kept)
        if name is not None:
            yield pseudonym, name


class SqliteNames:
    """Names in one file, each sealed with its own key. What is erased is zeroed too."""

    def __init__(self, path: Path, keys: Path | None = None) -> None:
        self._path = path
        self._lock = asyncio.Lock()
        make_private(path)
        with translated(path):
            self._db = apsw.Connection(str(path))
            try:
                self._prepare()
                self._keys = NameKeys(keys or keys_beside(path))
                self._seal_what_is_not()
            except BaseException:
                self._db.close(True)
                raise

    def _seal_what_is_not(self) -> None:
        """Names that an older version kept as they are."""
        for pseudonym, kept in list(self._db.execute(_ALL)):
            if not is_sealed(kept):
                self._db.execute(_PUT, (pseudonym, self._keys.seal(pseudonym, kept)))

    def _prepare(self) -> None:
        ours = self._db.pragma("application_id") == APPLICATION_ID
        if not ours and self._db.execute("SELECT count(*) FROM sqlite_schema").get:
            raise StoreUnavailable(f"{self._path} is an SQLite file, but not one of taisai's names")
        self._db.set_busy_timeout(5_000)
        self._db.pragma("journal_mode", "delete")
        self._db.pragma("synchronous", "full")
        self._db.pragma("secure_delete", True)
        self._db.pragma("trusted_schema", False)
        with immediate(self._db):
            self._db.execute(_TABLE)
            self._db.pragma("application_id", APPLICATION_ID)

    async def put(self, pseudonym: str, name: str) -> None:
        kept = check_name(name)
        await self._run(lambda: self._db.execute(_PUT, (pseudonym, self._keys.seal(pseudonym, kept))).get)

    async def get(self, pseudonym: str) -> str | None:
        def read() -> str | None:
            kept = self._db.execute(_GET, (pseudonym,)).get
            return None if kept is None else self._keys.open(pseudonym, kept)

        return await self._run(read)

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return await self._run(lambda: _found(_opened(self._keys, self._db.execute(_ALL)), part, limit))

    async def erase(self, pseudonym: str) -> bool:
        def destroy() -> bool:
            had_key = self._keys.destroy(pseudonym)
            return self._db.execute(_ERASE, (pseudonym,)).get is not None or had_key

        return await self._run(destroy)

    async def close(self) -> None:
        async with self._lock:
            self._db.close(True)
            self._keys.close()

    async def _run(self, act: Callable[[], T]) -> T:
        def translating() -> T:
            with translated(self._path):
                return act()

        async with self._lock:
            return await asyncio.to_thread(translating)


class PostgresNames:
    """Names in a table of a PostgreSQL database, each sealed with its own key, which is in a file here."""

    def __init__(self, url: str, keys: Path) -> None:
        self._url = url
        self._keys = NameKeys(keys)
        self._lock = asyncio.Lock()
        self._connection: Any = None

    async def put(self, pseudonym: str, name: str) -> None:
        await self._fetch(_PUT, pseudonym, self._keys.seal(pseudonym, check_name(name)))

    async def get(self, pseudonym: str) -> str | None:
        rows = await self._fetch(_GET, pseudonym)
        return self._keys.open(pseudonym, rows[0][0]) if rows else None

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        rows = [(row[0], row[1]) for row in await self._fetch(_ALL)]
        return _found(_opened(self._keys, rows), part, limit)

    async def erase(self, pseudonym: str) -> bool:
        had_key = self._keys.destroy(pseudonym)
        erased = await self._fetch(_ERASE, pseudonym)
        await self._fetch("VACUUM player_names")
        return bool(erased) or had_key

    async def close(self) -> None:
        async with self._lock:
            if self._connection is not None:
                await self._connection.close()
                self._connection = None
            self._keys.close()

    async def _fetch(self, statement: str, *values: object) -> list[Any]:
        from taisai.adapters import postgres_session as session

        where = session.say(self._url)
        async with self._lock:
            with session.translated(where):
                if self._connection is None or self._connection.is_closed():
                    self._connection = await session.connect(self._url)
                    await self._make_table()
                rows: list[Any] = await self._connection.fetch(statement, *values)
                return rows

    async def _make_table(self) -> None:
        async with self._connection.transaction():
            await self._connection.execute("SELECT pg_advisory_xact_lock($1)", _SCHEMA_LOCK)
            await self._connection.execute(_TABLE)
            for pseudonym, kept in await self._connection.fetch(_ALL):
                if not is_sealed(kept):
                    await self._connection.execute(_PUT, pseudonym, self._keys.seal(pseudonym, kept))


def open_names(where: str | Path, keys: Path | None = None) -> SqliteNames | PostgresNames:
    """The store of names at a path, or behind a `postgresql://` address, with its file of keys."""
    if isinstance(where, str) and where.startswith(("postgresql://", "postgres://")):
        if keys is None:
            raise InputError("names in PostgreSQL need a file for their keys")
        return PostgresNames(where, keys)
    return SqliteNames(Path(where), keys)
