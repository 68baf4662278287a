"""Settings written as a file."""

import json
from collections.abc import Mapping
from typing import Any


def as_toml(sections: Mapping[str, Any]) -> str:
    """Settings as a file: sections, and tables one after the other; inner ones as sections of their own."""
    lines: list[str] = []
    for name, section in sections.items():
        many = isinstance(section, list)
        for each in section if many else [section]:
            inner = {key: value for key, value in each.items() if isinstance(value, Mapping)}
            plain = {key: value for key, value in each.items() if key not in inner}
            lines += [f"[[{name}]]" if many else f"[{name}]", *map(_pair, plain.items()), ""]
            for key, value in inner.items():
                lines += [f"[{name}.{key}]", *map(_pair, value.items()), ""]
    return "\n".join(lines)


def _pair(item: tuple[str, Any]) -> str:
    return f"{item[0]} = {json.dumps(item[1], ensure_ascii=False)}"
