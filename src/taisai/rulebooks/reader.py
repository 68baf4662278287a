"""Reads values out of a parsed TOML table and collects every fault instead of stopping at the first."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from taisai.errors import Fault
from taisai.rulebooks.lines import line_of


class Faults:
    """What is wrong in one file so far, with the line of each key."""

    def __init__(self, lines: dict[str, int]) -> None:
        self.found: list[Fault] = []
        self._lines = lines

    def add(self, key: str, message: str) -> None:
        self.found.append(Fault(key, line_of(self._lines, key), message))


class Table:
    """One TOML table under reading. `close` reports the keys that nobody asked for."""

    def __init__(self, raw: dict[str, Any], path: str, faults: Faults) -> None:
        self.path = path
        self.faults = faults
        self._raw = raw
        self._asked: set[str] = set()

    def key(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def fault(self, name: str, message: str) -> None:
        self.faults.add(self.key(name), message)

    def has(self, name: str) -> bool:
        return name in self._raw

    def raw(self, name: str, expected: str, *, required: bool = True) -> Any:
        self._asked.add(name)
        if name not in self._raw and required:
            self.fault(name, f"missing: expected {expected}")
        return self._raw.get(name)

    def _typed(self, name: str, of: type, expected: str, default: Any) -> Any:
        value = self.raw(name, expected, required=default is None)
        if value is None:
            return default
        if type(value) is of:
            return value
        self.fault(name, f"expected {expected}, got {value!r}")
        return default

    def text(self, name: str, default: str | None = None) -> str:
        value = self._typed(name, str, "a string", default)
        if value == "" and default is None:
            self.fault(name, "is empty")
        return value or ""

    def flag(self, name: str, default: bool | None = None) -> bool:
        return bool(self._typed(name, bool, "true or false", default))

    def whole(self, name: str, *, least: int) -> int:
        value = self._typed(name, int, f"a whole number from {least}", None)
        if value is None:
            return least
        if value < least:
            self.fault(name, f"expected a whole number from {least}, got {value}")
            return least
        return int(value)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        expected = "one of " + ", ".join(map(repr, choices))
        value = self._typed(name, str, expected, None)
        if value is not None and value not in choices:
            self.fault(name, f"expected {expected}, got {value!r}")
            value = None
        return value or choices[0]

    def items(self, name: str, default: Sequence[Any] | None = None) -> list[Any]:
        return list(self._typed(name, list, "a list", default) or ())

    def table(self, name: str, *, required: bool = True) -> "Table":
        value = self._typed(name, dict, "a table", None if required else {})
        return Table(value or {}, self.key(name), self.faults)

    def tables(self, name: str) -> list["Table"]:
        rows = self.items(name, default=None if not self.has(name) else [])
        found = []
        for position, row in enumerate(rows):
            key = f"{self.key(name)}[{position}]"
            if isinstance(row, dict):
                found.append(Table(row, key, self.faults))
            else:
                self.faults.add(key, f"expected a table, got {row!r}")
        return found

    def names(self) -> Iterator[str]:
        """Every key of a table whose keys are free, each counted as asked for."""
        self._asked.update(self._raw)
        yield from self._raw

    def close(self) -> None:
        for name in self._raw:
            if name not in self._asked:
                nearest = get_close_matches(name, self._asked, n=1)
                hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
                self.fault(name, f"unknown key{hint}")
