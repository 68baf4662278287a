"""A mapping that lies on the disk when it grows, for work that is thrown away afterwards."""

from collections.abc import ItemsView, Iterator, MutableMapping
from typing import Any

import apsw

_CACHE_KIB = 8_192
_HOT_MAX = 10_000
_MARKS = 1 << 22


class _ItemsByKey(ItemsView[str, bytes | None]):
    """All that a mapping holds, read in one go."""

    _mapping: "Scratch"

    def __iter__(self) -> Iterator[tuple[str, bytes | None]]:
        return self._mapping.pairs()


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
        # A mark for each key that ever cooled, at a place that several may share: where there is none, the
        # key was never written, and most rows are asked for once before they are.
        self._marks = bytearray(_MARKS)

    def _cool(self) -> None:
        self._db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", self._hot.items())
        for key in self._hot:
            self._marks[hash(key) % _MARKS] = 1
        self._hot.clear()

    def __getitem__(self, key: str) -> bytes | None:
        if key in self._hot:
            return self._hot[key]
        if not self._marks[hash(key) % _MARKS]:
            raise KeyError(key)
        for (value,) in self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)):
            return value  # type: ignore[no-any-return] # apsw gives any
        raise KeyError(key)

    def get(self, key: str, default: Any = None) -> Any:
        """As of any mapping, without an error on the way for a key that is not there."""
        if key in self._hot:
            return self._hot[key]
        return super().get(key, default) if self._marks[hash(key) % _MARKS] else default

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

    def items(self) -> ItemsView[str, bytes | None]:
        """Keys and values by key."""
        return _ItemsByKey(self)

    def pairs(self) -> Iterator[tuple[str, bytes | None]]:
        self._cool()
        for key, value in self._db.execute("SELECT key, value FROM kept ORDER BY key"):
            yield str(key), value

    def __len__(self) -> int:
        self._cool()
        return int(self._db.execute("SELECT count(*) FROM kept").get)
