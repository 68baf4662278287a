"""A mapping that lies on the disk when it grows, for work that is thrown away afterwards."""

from collections.abc import Iterator, MutableMapping

import apsw

_CACHE_KIB = 32_768


class Scratch(MutableMapping[str, bytes | None]):
    """Keys and values in a temporary file of SQLite's, which is gone when nobody holds it."""

    def __init__(self) -> None:
        self._db = db = apsw.Connection("")
        db.pragma("journal_mode", "off")
        db.pragma("cache_size", -_CACHE_KIB)
        db.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        db.execute("BEGIN")

    def __getitem__(self, key: str) -> bytes | None:
        for (value,) in self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)):
            return value  # type: ignore[no-any-return]
        raise KeyError(key)

    def __setitem__(self, key: str, value: bytes | None) -> None:
        self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, value))

    def __delitem__(self, key: str) -> None:
        self._db.execute("DELETE FROM kept WHERE key = ?", (key,))
        if not self._db.changes():
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        for (key,) in self._db.execute("SELECT key FROM kept ORDER BY key"):
            yield str(key)

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM kept").get)
