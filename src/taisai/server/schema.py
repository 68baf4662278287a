"""The server's types as TypeScript: `python -m taisai.server.schema frontend/src` writes them.

wire.ts is what travels on WebSockets, views.ts what its messages tell of, and http.ts what staff read over
HTTP. What the server sends always carries every field; what a page sends may leave out those with a default.
"""

import sys
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.server import wire
from taisai.server.shells import PageData
from taisai.server.wire import views as wire_views

_HEAD: Final = "// Made by `python -m taisai.server.schema` from taisai/server/{}. Do not edit.\n"
_SCALARS: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_UNIONS: Final[dict[str, Any]] = {
    "FromServer": wire.FromServer,
    "FromTerminal": wire.FromTerminal,
    "FromConsole": wire.FromConsole,
}

Schema = Mapping[str, Any]


def typescript() -> dict[str, str]:
    """Every file by its name: an interface for each message and view, and the unions that travel each way."""
    from taisai.server.http import staff_views as http_views

    roots, parts = msgspec.json.schema_components([*_UNIONS.values(), PageData], ref_template="{name}")
    sent_by_server = set(_reachable([roots[0], roots[-1]], parts))
    views = {name: part for name, part in parts.items() if hasattr(wire_views, name)}
    messages = {name: part for name, part in parts.items() if name not in views}
    _, over_http = msgspec.json.schema_components(http_views.VIEWS, ref_template="{name}")
    staff = {name: part for name, part in over_http.items() if name not in parts}
    unions = [f"export type {name} = {_type(root)};\n" for name, root in zip(_UNIONS, roots, strict=False)]
    return {
        "views.ts": "\n".join([_HEAD.format("wire/views.py"), *_interfaces(views, sent_by_server)]),
        "wire.ts": "\n".join(
            [
                _HEAD.format("wire/__init__.py"),
                _imported(messages, views, "views.ts"),
                'export type * from "./views.ts";\n',
                *_interfaces(messages, sent_by_server),
                *unions,
            ]
        ),
        "http.ts": "\n".join(
            [
                _HEAD.format("http/staff_views.py"),
                _imported(staff, parts, "wire.ts"),
                f"export const AMOUNT_MINOR_MAX = {AMOUNT_MINOR_MAX};\n",
                *_interfaces(staff, staff),
            ]
        ),
    }


def _imported(of: Schema, known: Schema, file: str) -> str:
    """What these types take from another file."""
    names = sorted(set(_references(list(of.values()))) & set(known))
    return f'import type {{ {", ".join(names)} }} from "./{file}";\n'


def _interfaces(parts: Schema, whole: Container[str]) -> list[str]:
    return [_interface(name, part, whole=name in whole) for name, part in parts.items()]


def _reachable(roots: list[Schema], parts: Schema) -> Iterator[str]:
    """The names of all types that these schemas lead to."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        for name in _references(waiting.pop()):
            if name not in seen:
                seen.add(name)
                waiting.append(parts[name])
                yield name


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _references(part)


def _interface(name: str, schema: Schema, *, whole: bool) -> str:
    required = set(schema.get("properties", ()) if whole else schema.get("required", ()))
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    if "enum" in schema:
        return "\n".join([*lines, f"export type {name} = {_type(schema)};\n"])
    lines.append(f"export interface {name} {{")
    for key, value in schema["properties"].items():
        lines.append(f"  readonly {key}{'' if key in required else '?'}: {_type(value)};")
    return "\n".join([*lines, "}\n"])


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if "prefixItems" in schema:
        return f"readonly [{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return (
            f"readonly ({_type(schema['items'])})[]"
            if "anyOf" in schema["items"]
            else f"readonly {_type(schema['items'])}[]"
        )
    if schema.get("type") == "object":
        return f"Readonly<Record<string, {_type(schema.get('additionalProperties', {}))}>>"
    return _SCALARS.get(str(schema.get("type")), "unknown")


if __name__ == "__main__":
    for file, text in typescript().items():
        (Path(sys.argv[1]) / file).write_text(text, encoding="utf-8")
