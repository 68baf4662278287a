"""A mapping that lies on the disk when it grows, for work that is thrown away afterwards."""

from collections.abc import ItemsView, Iterator, MutableMapping
from operator import itemgetter
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

    What was written lately stays at hand: rows of one round change again and again, and then never more. What
    never grows large is never written, since making a file takes longer than reading a small record.
    """

    def __init__(self) -> None:
        self._hot: dict[str, bytes | None] = {}
        self._cold: _File | None = None

    def _cool(self) -> None:
        if self._cold is None:
            self._cold = _File()
        self._cold.take(self._hot)
        self._hot.clear()

    def __getitem__(self, key: str) -> bytes | None:
        if key in self._hot:
            return self._hot[key]
        if self._cold is None:
            raise KeyError(key)
        return self._cold.read(key)

    def get(self, key: str, default: Any = None) -> Any:
        """As of any mapping, without an error on the way for a key that is not there."""
        if key in self._hot:
            return self._hot[key]
        if self._cold is None or not self._cold.marks[hash(key) % _MARKS]:
            return default  # as nearly always, so that no more is called for it
        return super().get(key, default)

    def __setitem__(self, key: str, value: bytes | None) -> None:
        self._hot[key] = value
        if len(self._hot) > _HOT_MAX:
            self._cool()

    def update(self, rows: Any = (), /, **more: bytes | None) -> None:
        """As of any mapping, all of them at once."""
        self._hot.update(rows, **more)
        if len(self._hot) > _HOT_MAX:
            self._cool()

    def __delitem__(self, key: str) -> None:
        was_hot = self._hot.pop(key, self) is not self
        was_cold = self._cold is not None and self._cold.forget(key)
        if not was_hot and not was_cold:
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.pairs())

    def items(self) -> ItemsView[str, bytes | None]:
        """Keys and values by key."""
        return _ItemsByKey(self)

    def pairs(self) -> Iterator[tuple[str, bytes | None]]:
        if self._cold is None:
            return iter(sorted(self._hot.items(), key=itemgetter(0)))
        self._cool()
        return self._cold.pairs()

    def __len__(self) -> int:
        if self._cold is None:
            return len(self._hot)
        self._cool()
        return len(self._cold)


class _File:
    """The part of a mapping that has cooled."""

    def __init__(self) -> None:
        self._db = db = apsw.Connection("")
        db.pragma("journal_mode", "off")
        db.pragma("cache_size", -_CACHE_KIB)
        db.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        db.execute("BEGIN")
        # A mark for each key that ever cooled, at a place that several may share: where there is none, the
        # key was never written, and most rows are asked for once before they are.
        self.marks = bytearray(_MARKS)

    def take(self, rows: dict[str, bytes | None]) -> None:
        self._db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows.items())
        for key in rows:
            self.marks[hash(key) % _MARKS] = 1

    def may_have(self, key: str) -> bool:
        return bool(self.marks[hash(key) % _MARKS])

    def read(self, key: str) -> bytes | None:
        if self.may_have(key):
            for (value,) in self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)):
                return value  # type: ignore[no-any-return] # apsw gives any
        raise KeyError(key)

    def forget(self, key: str) -> bool:
        """Whether it was there."""
        self._db.execute("DELETE FROM kept WHERE key = ?", (key,))
        return bool(self._db.changes())

    def pairs(self) -> Iterator[tuple[str, bytes | None]]:
        for key, value in self._db.execute("SELECT key, value FROM kept ORDER BY key"):
            yield str(key), value

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM kept").get)
