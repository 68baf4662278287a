"""In which line of a TOML file a key stands, so that a fault can be pointed at.

The standard library's reader keeps no positions. A file that it has already accepted can be walked with
much less care than a parser needs: only strings, brackets, keys and line ends matter, values are skipped.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<string> \"{3}(?:\\.|[^\\])*?\"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
    | (?P<end>    \n )
    | (?P<mark>   [\[\]{}=,.] )
    | (?P<bare>   [^\s\[\]{}=,."'\#]+ )
    | (?P<blank>  \#[^\n]* | [^\S\n]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r'\\(["\\])')


class _Token(NamedTuple):
    sort: str
    text: str
    line: int


def key_lines(text: str) -> dict[str, int]:
    """Line numbers by key path, items counted from 0: `pay_table[0].boxes[3].on[1]`."""
    return _Walk(text).lines


def line_of(lines: dict[str, int], key: str) -> int | None:
    """The line of a key, or of the nearest table around it that has one."""
    while key:
        if key in lines:
            return lines[key]
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return None


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield _Token(match.lastgroup or "", match[0], line)
        line += match[0].count("\n")
    yield _Token("end", "", line)


class _Walk:
    """One pass over the file's tokens, noting where each key and each item of an array begins."""

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self._tables: Counter[str] = Counter()
        self._tokens = list(_tokens(text))
        self._at = 0
        table = ""
        while self._at < len(self._tokens):
            if self._now.sort == "end":
                self._at += 1
            elif self._now.text == "[":
                table = self._header()
            else:
                self._pair(table)

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, mark: str) -> bool:
        """Step over a mark if it stands here."""
        if self._now.sort == "mark" and self._now.text == mark:
            self._at += 1
            return True
        return False

    def _names(self) -> list[str]:
        """The parts of a key, which dots divide."""
        names = []
        while True:
            token = self._now
            names.append(token.text)
            if token.sort == "string":
                names[-1] = token.text[1:-1]
                if token.text.startswith('"'):
                    names[-1] = _ESCAPE.sub(r"\1", names[-1])
            self._at += 1
            if not self._take("."):
                return names

    def _header(self) -> str:
        """The path of a table header, with the number of each array of tables that it stands in."""
        line = self._now.line
        self._at += 1
        repeated = self._take("[")
        path = ""
        names = self._names()
        for position, name in enumerate(names):
            path = f"{path}.{name}" if path else name
            if repeated and position == len(names) - 1:
                self._tables[path] += 1
            if self._tables[path]:
                path = f"{path}[{self._tables[path] - 1}]"
        self.lines.setdefault(path, line)
        self._at += 2 if repeated else 1
        return path

    def _pair(self, table: str) -> None:
        """A key and its value."""
        line = self._now.line
        path = table
        for name in self._names():
            path = f"{path}.{name}" if path else name
            self.lines.setdefault(path, line)
        self._take("=")
        self._value(path)

    def _value(self, path: str) -> None:
        if self._take("["):
            self._array(path)
        elif self._take("{"):
            self._inline_table(path)
        else:
            while self._now.sort != "end" and self._now.text not in (",", "]", "}"):
                self._at += 1

    def _array(self, path: str) -> None:
        number = 0
        while not self._take("]"):
            if self._now.sort == "end":
                self._at += 1
            elif not self._take(","):
                item = f"{path}[{number}]"
                self.lines.setdefault(item, self._now.line)
                self._value(item)
                number += 1

    def _inline_table(self, path: str) -> None:
        while not self._take("}"):
            if self._now.sort == "end":
                self._at += 1
            elif not self._take(","):
                self._pair(path)
