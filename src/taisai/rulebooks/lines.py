"""In which line of a TOML file a key stands, so that a fault can be pointed at.

The standard library's reader keeps no positions. A file that it has already accepted can be walked with
much less care than a parser needs: headers, keys at the start of a line, and the items of arrays.
"""

import re
from collections import Counter

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]#]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?=\s*[.=])""")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')


def key_lines(text: str) -> dict[str, int]:
    """Line numbers by key path, array tables counted from 0: `pay_table[0].boxes[3].pays`."""
    lines: dict[str, int] = {}
    tables: Counter[str] = Counter()
    prefix = ""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        bare = _STRING.sub('""', line).split("#", 1)[0]
        if depth == 0:
            if header := _HEADER.match(line):
                prefix = _enter(header[2], repeated=header[1] == "[[", tables=tables)
                lines.setdefault(prefix, number)
            elif key := _KEY.match(line):
                name = key[1].strip("\"'")
                lines.setdefault(f"{prefix}.{name}" if prefix else name, number)
        if depth or not _HEADER.match(line):
            depth = max(0, depth + bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}"))
    return lines


def _enter(raw_name: str, *, repeated: bool, tables: Counter[str]) -> str:
    """The path of a table header, with the number of each array of tables that it stands in."""
    path = ""
    parts = [part.strip().strip("\"'") for part in raw_name.split(".")]
    for position, part in enumerate(parts):
        path = f"{path}.{part}" if path else part
        is_last = position == len(parts) - 1
        if is_last and repeated:
            tables[path] += 1
        if tables[path]:
            path = f"{path}[{tables[path] - 1}]"
    return path


def line_of(lines: dict[str, int], key: str) -> int | None:
    """The line of a key, or of the nearest table around it that has one."""
    while key:
        if key in lines:
            return lines[key]
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return None
