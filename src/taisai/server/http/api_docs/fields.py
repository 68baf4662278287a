"""Types for people: their fields as a table, with links to the types that they are made of."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final

Schema = Mapping[str, Any]
_NAMED: Final = re.compile(r"`([^`]+)`")


def prose(text: str) -> str:
    """A sentence as it is written in code: what stands in backticks is a name."""
    return _NAMED.sub(r"<code>\1</code>", escape(text))


def type_link(name: str) -> str:
    """A type's name that leads to its fields."""
    return f"<a href='#type-{escape(name)}'>{escape(name)}</a>"


def said(schema: Schema) -> str:
    """A type in a word, its parts linked."""
    if "$ref" in schema:
        return type_link(str(schema["$ref"]).rpartition("/")[2])
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(map(said, schema[union])))
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        parts = schema.get("prefixItems")
        return f"[{', '.join(map(said, parts))}]" if parts else f"list of {said(schema.get('items') or {})}"
    of = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(of, Mapping):
        return f"map to {said(of)}"
    return escape(str(schema.get("type", "anything")))


def fields(schema: Schema) -> str:
    """The fields of a thing; a word where it has none."""
    if not schema.get("properties"):
        return f"<p>{said(schema)}</p>"
    return table("field", _rows(schema))


def _rows(schema: Schema, before: str = "") -> Iterator[str]:
    needed = schema.get("required", ())
    for name, of in schema["properties"].items():
        whole = f"{before}{name}"
        yield row(whole, of, needed=name in needed)
        if of.get("properties"):
            yield from _rows(of, f"{whole}.")


def row(name: str, of: Schema, *, needed: bool, more: str = "") -> str:
    """One field, with what is known of its values."""
    facts = [more] if more else []
    facts += ["required"] if needed else []
    if "default" in of:
        facts.append(f"default <code>{escape(json.dumps(of['default'], ensure_ascii=False))}</code>")
    for key, words in (("minimum", "at least"), ("maximum", "at most"), ("pattern", "matches")):
        facts += [f"{words} <code>{escape(_short(of[key]))}</code>"] if key in of else []
    facts += [prose(of["description"])] if "description" in of else []
    cells = f"<td>{said(of)}</td><td>{', '.join(facts)}</td>"
    return f"<tr><th scope='row'><code>{escape(name)}</code></th>{cells}</tr>"


def _short(value: Any) -> str:
    """A bound as people write it: Litestar says whole numbers as 1.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def table(first: str, rows: Iterable[str]) -> str:
    """Rows under their heads."""
    heads = "".join(f"<th scope='col'>{word}</th>" for word in (first, "type", "notes"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def entry(head: str, *, anchor: str, inside: str) -> str:
    """What is folded until somebody asks for it. The anchor is inside, so that a link to it unfolds it."""
    body = f"<div class='inside' id='{anchor}'>{inside}</div>"
    return f"<details class='entry'><summary>{head}</summary>{body}</details>"


def block(title: str, text: str, kind: str = "") -> str:
    """A piece of text to copy, with its name. It can be scrolled by keys."""
    label = escape(title)
    return (
        f"<figure class='text {kind}'><figcaption>{label}</figcaption>"
        f"<pre tabindex='0' role='region' aria-label='{label}'><code>{escape(text)}</code></pre></figure>"
    )


def as_json(value: Any) -> str:
    """A value as it is shown."""
    return json.dumps(value, ensure_ascii=False, indent=2)
