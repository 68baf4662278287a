"""Players' names in PostgreSQL, for a house that processes on several machines run: each finds all of them.

Each is sealed with a key of its own, in another table, which may be in another database. PostgreSQL frees
what is erased at once, but its log and its backups keep what they have until they are recycled: a house that
promises more has the keys in a database that no backup covers.
"""

import asyncio
import os
from pathlib import Path
from typing import Any, Final

from taisai.adapters.people.name_keys import opened, sealed
from taisai.adapters.people.names import ALL, ERASE, GET, PUT, TABLE, SqliteNames, check_name, found
from taisai.adapters.postgres import session
from taisai.adapters.sealing import KEY_LEN

_KEY_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS player_name_keys (pseudonym text PRIMARY KEY, key bytea NOT NULL)"
)
# The first key of a pseudonym stays, whoever comes at the same moment.
_KEY_PUT: Final = """
INSERT INTO player_name_keys (pseudonym, key) VALUES ($1, $2)
ON CONFLICT (pseudonym) DO UPDATE SET pseudonym = excluded.pseudonym RETURNING key"""
_KEY_GET: Final = "SELECT key FROM player_name_keys WHERE pseudonym = $1"
_KEY_ALL: Final = "SELECT pseudonym, key FROM player_name_keys"
_KEY_DESTROY: Final = "DELETE FROM player_name_keys WHERE pseudonym = $1 RETURNING pseudonym"
_MAKING: Final = 0x7461697361690002  # "taisai" and a number, among the server's advisory locks
_EVERYBODY: Final = 10**9


class _Table:
    """One table, made when it is first used; statements on it one at a time."""

    def __init__(self, url: str, making: str) -> None:
        self._url, self._making, self._where = url, making, session.say(url)
        self._turn = asyncio.Lock()
        self._connection: Any = None

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        async with self._turn:
            with session.translated(self._where):
                if self._connection is None or self._connection.is_closed():
                    self._connection = await session.connect_primary(self._url)
                    async with self._connection.transaction():
                        await self._connection.execute("SELECT pg_advisory_xact_lock($1)", _MAKING)
                        await self._connection.execute(self._making)
                rows: list[Any] = await self._connection.fetch(statement, *values)
                return rows

    async def close(self) -> None:
        async with self._turn:
            if self._connection is not None:
                await self._connection.close()
                self._connection = None


class PostgresNames:
    """Names behind one address, their keys behind the same or another."""

    def __init__(self, url: str, keys_url: str = "") -> None:
        self._names, self._keys = _Table(url, TABLE), _Table(keys_url or url, _KEY_TABLE)

    async def put(self, pseudonym: str, name: str) -> None:
        plain = check_name(name)
        [(key,)] = await self._keys.fetch(_KEY_PUT, pseudonym, os.urandom(KEY_LEN))
        await self._names.fetch(PUT, pseudonym, sealed(key, pseudonym, plain))

    async def get(self, pseudonym: str) -> str | None:
        rows = await self._names.fetch(GET, pseudonym)
        keys = await self._keys.fetch(_KEY_GET, pseudonym)
        return opened(keys[0][0] if keys else None, pseudonym, rows[0][0]) if rows else None

    async def find(self, part: str, *, limit: int = 50) -> list[tuple[str, str]]:
        keys = {row[0]: row[1] for row in await self._keys.fetch(_KEY_ALL)}
        rows = [(row[0], opened(keys.get(row[0]), *row)) for row in await self._names.fetch(ALL)]
        return found([(pseudonym, name) for pseudonym, name in rows if name is not None], part, limit)

    async def erase(self, pseudonym: str) -> bool:
        destroyed = await self._keys.fetch(_KEY_DESTROY, pseudonym)
        erased = await self._names.fetch(ERASE, pseudonym)
        await self._keys.fetch("VACUUM player_name_keys")
        await self._names.fetch("VACUUM player_names")
        return bool(erased or destroyed)

    async def move_in(self, file: Path) -> int:
        """Take over the names that a house kept in a file while it was one process; how many there were.

        Each is erased there once it is here, and with it its key: erasing a name later leaves no copy behind.
        """
        if not file.exists():
            return 0
        kept = SqliteNames(file)
        try:
            everybody = await kept.find("", limit=_EVERYBODY)
            for pseudonym, name in everybody:
                if not await self._names.fetch(GET, pseudonym):
                    await self.put(pseudonym, name)
                await kept.erase(pseudonym)
        finally:
            await kept.close()
        return len(everybody)

    async def close(self) -> None:
        await self._names.close()
        await self._keys.close()
