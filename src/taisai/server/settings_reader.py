"""Reads settings into their types and collects every fault instead of stopping at the first.

Faults, lines and quotations are those of rule files: whoever writes either kind of file is told in one way.
"""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from taisai.errors import InputError, UnknownName
from taisai.rulebooks.lines import key_lines
from taisai.rulebooks.reader import Faults, said

S = TypeVar("S", bound=msgspec.Struct)
_PREFIX = "TAISAI_"
# Variables that are not settings of a house.
_OTHERS = frozenset(
    f"{_PREFIX}{name}" for name in ("CONFIG", "SKIP_FRONTEND", "CHROMIUM", "MATHS_SECONDS", "MATHS_MIB")
)
_EXPECTED = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    datetime: "a date and time",
}


def read_file(path: Path) -> tuple[dict[str, Any], dict[str, int]]:
    """What a file of settings says, and the line of each key."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), key_lines(text)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None


def read_settings(raw: dict[str, Any], kind: type[S], faults: Faults) -> S | None:
    """The settings, or nothing where there was a fault."""
    found: S | None = _struct(raw, kind, "", faults)
    return None if faults.found else found


def _struct(raw: Any, kind: type[S], key: str, faults: Faults) -> S | None:
    if not isinstance(raw, dict):
        faults.add(key, f"expected a table, got {said(raw)}")
        return None
    types = get_type_hints(kind)
    before = len(faults.found)
    values: dict[str, Any] = {}
    for name, value in raw.items():
        inside = f"{key}.{name}" if key else name
        if name in types:
            values[name] = _value(value, types[name], inside, faults)
        else:
            nearest = UnknownName("key", name, types).nearest
            faults.add(inside, f"unknown key, did you mean {nearest!r}?" if nearest else "unknown key")
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in raw:
            faults.add(
                f"{key}.{field.name}" if key else field.name, f"missing: expected {_expected(field.type)}"
            )
    return kind(**values) if len(faults.found) == before else None


def _value(raw: Any, kind: Any, key: str, faults: Faults) -> Any:
    """One value: a table, a list or a map of tables, or something plain."""
    inner = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _struct(raw, kind, key, faults)
    if get_origin(kind) is tuple and isinstance(raw, list | tuple):
        return tuple(_value(each, inner[0], f"{key}[{place}]", faults) for place, each in enumerate(raw))
    if get_origin(kind) is dict and isinstance(raw, dict):
        return {name: _value(each, inner[1], f"{key}.{name}", faults) for name, each in raw.items()}
    try:
        return msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError:
        faults.add(key, f"expected {_expected(kind)}, got {said(raw)}")
        return None


def _expected(kind: Any) -> str:
    """A type as a person would ask for it."""
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_expected(each) for each in get_args(kind) if each is not NoneType)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(repr, get_args(kind)))
    if get_origin(kind) is tuple:
        return "a list"
    return _EXPECTED.get(kind, "a table")


def apply_environment(
    raw: dict[str, Any],
    environment: Mapping[str, str],
    sections: Mapping[str, Any],
    faults: Faults,
) -> None:
    """`TAISAI_SERVER_PORT` is the key `port` of `[server]`."""
    known = {
        f"{_PREFIX}{section}_{name}".upper(): (section, name)
        for section, kind in sections.items()
        for name in kind.__struct_fields__
    }
    for variable, value in sorted(environment.items()):
        if not variable.startswith(_PREFIX) or variable in _OTHERS:
            continue
        if variable not in known:
            nearest = UnknownName("setting", variable, map(str.lower, known)).nearest
            hint = f", did you mean {nearest.upper()}?" if nearest else ""
            faults.add(variable, f"unknown setting in the environment{hint}")
            continue
        section, name = known[variable]
        raw.setdefault(section, {})[name] = value
