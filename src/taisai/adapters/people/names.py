"""Players' names, apart from the record: in an SQLite file of their own, where what is erased is overwritten.

Where processes on several machines run a house, they are in PostgreSQL (`postgres/names.py`).
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import apsw

from taisai.adapters.people.name_keys import NameKeys, is_sealed
from taisai.adapters.sqlite.file import immediate, make_private, translated
from taisai.errors import InputError, InvariantBroken, StoreUnavailable
from taisai.plain_text import check_texts

NAME_LEN_MAX = 200
APPLICATION_ID = 0x54534E4D  # "TSNM", in the file's header
TABLE = "CREATE TABLE IF NOT EXISTS player_names (pseudonym text PRIMARY KEY, name text NOT NULL)"
PUT = """
INSERT INTO player_names (pseudonym, name) VALUES ($1, $2)
ON CONFLICT (pseudonym) DO UPDATE SET name = excluded.name"""
GET = "SELECT name FROM player_names WHERE pseudonym = $1"
ERASE = "DELETE FROM player_names WHERE pseudonym = $1 RETURNING pseudonym"
ALL = "SELECT pseudonym, name FROM player_names"

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


def found(opened: Iterable[tuple[str, str]], part: str, limit: int) -> list[tuple[str, str]]:
    """Those in whose name a part occurs, by their names."""
    wanted = part.casefold()
    those = [(pseudonym, name) for pseudonym, name in opened if wanted in name.casefold()]
    return sorted(those, key=lambda one: (one[1], one[0]))[:limit]


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
        for pseudonym, kept in list(self._db.execute(ALL)):
            if not is_sealed(kept):
                self._db.execute(PUT, (pseudonym, self._keys.seal(pseudonym, kept)))

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
            self._db.execute(TABLE)
            self._db.pragma("application_id", APPLICATION_ID)

    async def put(self, pseudonym: str, name: str) -> None:
        kept = check_name(name)
        await self._run(lambda: self._db.execute(PUT, (pseudonym, self._keys.seal(pseudonym, kept))).get)

    async def get(self, pseudonym: str) -> str | None:
        def read() -> str | None:
            kept = self._db.execute(GET, (pseudonym,)).get
            return None if kept is None else self._keys.open(pseudonym, kept)

        return await self._run(read)

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return await self._run(lambda: found(_opened(self._keys, self._db.execute(ALL)), part, limit))

    async def erase(self, pseudonym: str) -> bool:
        def destroy() -> bool:
            had_key = self._keys.destroy(pseudonym)
            return self._db.execute(ERASE, (pseudonym,)).get is not None or had_key

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


class NamesElsewhere:
    """Of a process that asks another one for names: it has neither the file nor its keys."""

    async def put(self, pseudonym: str, name: str) -> None:
        raise InvariantBroken("a process without names was to keep one")

    async def get(self, pseudonym: str) -> str | None:
        return None

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        return []

    async def erase(self, pseudonym: str) -> bool:
        return False

    async def close(self) -> None:
        """Nothing was opened."""
