"""Reads values out of a parsed TOML table and collects every fault instead of stopping at the first."""

from collections.abc import Iterator, Sequence
from datetime import date, time
from difflib import get_close_matches
from typing import Any

from taisai.errors import Fault
from taisai.rulebooks.lines import line_of

_SAID_MAX = 60


def said(value: object) -> str:
    """A value as a fault quotes it, cut where it is too long for one line."""
    text = str(value) if isinstance(value, date | time) else repr(value)
    return text if len(text) <= _SAID_MAX else f"{text[: _SAID_MAX - 1]}…"


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

    def peek(self, name: str) -> Any:
        """What stands there, unread: to compare two keys whose own faults are reported elsewhere."""
        return self._raw.get(name)

    def raw(self, name: str, expected: str, *, required: bool = True) -> Any:
        self._asked.add(name)
        if name not in self._raw and required:
            self.fault(name, f"missing: expected {expected}")
        return self._raw.get(name)

    def _typed(self, name: str, of: type, expected: str, *, required: bool = True) -> Any:
        """A value of one type, or None where it is missing or of another."""
        value = self.raw(name, expected, required=required)
        if value is None or type(value) is of:
            return value
        self.fault(name, f"expected {expected}, got {said(value)}")
        return None

    def text(self, name: str) -> str:
        value = self._typed(name, str, "a string")
        if value is not None and not value.strip():
            self.fault(name, "is empty")
        return value or ""

    def flag(self, name: str) -> bool:
        return bool(self._typed(name, bool, "true or false"))

    def whole(self, name: str, *, least: int) -> int:
        expected = f"a whole number from {least}"
        value = self._typed(name, int, expected)
        if value is not None and value < least:
            self.fault(name, f"expected {expected}, got {value}")
            value = None
        return least if value is None else int(value)

    def choice(self, name: str, choices: Sequence[str]) -> str | None:
        """One of the choices, or None where it is none of them."""
        expected = "one of " + ", ".join(repr(str(choice)) for choice in choices)
        value: str | None = self._typed(name, str, expected)
        if value is not None and value not in choices:
            self.fault(name, f"expected {expected}, got {said(value)}")
            return None
        return value

    def items(self, name: str, expected: str) -> list[Any]:
        """A list with at least one item."""
        value = self._typed(name, list, expected)
        if value == []:
            self.fault(name, f"is empty: expected {expected}")
        return value or []

    def table(self, name: str, *, required: bool = True) -> "Table":
        """The table under a key. One that is not there is one fault, so what it lacks goes unreported."""
        value = self._typed(name, dict, f"a table [{self._header(name)}]", required=required)
        return Table(value or {}, self.key(name), Faults({}) if value is None else self.faults)

    def tables(self, name: str) -> list["Table"]:
        found = []
        for position, row in enumerate(self.items(name, f"[[{self._header(name)}]] tables")):
            key = f"{self.key(name)}[{position}]"
            if isinstance(row, dict):
                found.append(Table(row, key, self.faults))
            else:
                self.faults.add(key, f"expected a table, got {said(row)}")
        return found

    def _header(self, name: str) -> str:
        """A key as a file's header writes it: without the numbers of array tables."""
        parts = [part.partition("[")[0] for part in self.path.split(".") if part]
        return ".".join([*parts, name])

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
