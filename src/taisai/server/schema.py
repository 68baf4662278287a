"""The server's types as TypeScript: `python -m taisai.server.schema WIRE HTTP` writes both files.

They are frontend/src/wire.ts, what travels on WebSockets, and frontend/src/http.ts, what staff read over
HTTP. What the server sends always carries every field; what a page sends may leave out those with a default.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from taisai.server import wire
from taisai.server.shells import PageData

_HEAD: Final = "// Made by `python -m taisai.server.schema` from taisai/server/wire.py. Do not edit.\n"
_HTTP_HEAD: Final = _HEAD.replace("wire.py", "http_views.py")
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


def typescript() -> str:
    """The whole file: an interface for each message and view, and the unions that travel each way."""
    asked = [*_UNIONS.values(), PageData]
    roots, parts = msgspec.json.schema_components(asked, ref_template="{name}")
    sent_by_server = set(_reachable([roots[0], roots[-1]], parts))
    blocks = [_interface(name, parts[name], whole=name in sent_by_server) for name in parts]
    unions = [f"export type {name} = {_type(root)};\n" for name, root in zip(_UNIONS, roots, strict=False)]
    return "\n".join([_HEAD, *blocks, *unions])


def http_typescript() -> str:
    """What staff pages read over HTTP; the parts that the wire has too are taken from there."""
    from taisai.server import http_views

    _, on_wire = msgspec.json.schema_components([*_UNIONS.values(), PageData], ref_template="{name}")
    _, parts = msgspec.json.schema_components(http_views.VIEWS, ref_template="{name}")
    own = {name: part for name, part in parts.items() if name not in on_wire}
    shared = sorted(set(_references(list(own.values()))) & set(on_wire))
    taken = f'import type {{ {", ".join(shared)} }} from "./wire.ts";\n'
    blocks = [_interface(name, part, whole=True) for name, part in own.items()]
    return "\n".join([_HTTP_HEAD, taken, *blocks])


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
    for path, made in zip(sys.argv[1:], (typescript, http_typescript), strict=False):
        Path(path).write_text(made(), encoding="utf-8")
