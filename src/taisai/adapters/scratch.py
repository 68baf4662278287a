"""A mapping that lies on the disk when it grows, for work that is thrown away afterwards."""

from collections.abc import Iterator, MutableMapping

import apsw

_CACHE_KIB = 8_192
_HOT_MAX = 10_000


class Scratch(MutableMapping[str, bytes | None]):
    """Keys and values in a temporary file of SQLite's, which is gone when nobody holds it.

    What was written lately stays at hand: rows of one round change again and again, and then never more.
    """

    def __init__(self) -> None:
        self._db = db = apsw.Connection("")
        db.pragma("journal_mode", "off")
        db.pragma("cache_size", -_CACHE_KIB)
        db.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        db.execute("BEGIN")
        self._hot: dict[str, bytes | None] = {}

    def _cool(self) -> None:
        self._db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", self._hot.items())
        self._hot.clear()

    def __getitem__(self, key: str) -> bytes | None:
        if key in self._hot:
            return self._hot[key]
        for (value,) in self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)):
            return value  # type: ignore[no-any-return] # apsw gives any
        raise KeyError(key)

    def __setitem__(self, key: str, value: bytes | None) -> None:
        self._hot[key] = value
        if len(self._hot) > _HOT_MAX:
            self._cool()

    def __delitem__(self, key: str) -> None:
        was_hot = self._hot.pop(key, self) is not self
        self._db.execute("DELETE FROM kept WHERE key = ?", (key,))
        if not self._db.changes() and not was_hot:
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        self._cool()
        for (key,) in self._db.execute("SELECT key FROM kept ORDER BY key"):
            yield str(key)

    def __len__(self) -> int:
        self._cool()
        return int(self._db.execute("SELECT count(*) FROM kept").get)
