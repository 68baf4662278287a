"""The API as a page: made from the OpenAPI file, complete without a network and without a script."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from taisai.game.explain import catalogue
from taisai.game.refusals import RefusalCode
from taisai.server.access import ACCESS
from taisai.server.say import server_codes

_METHODS: Final = ("get", "post", "put", "delete")
Schema = Mapping[str, Any]


def docs_html(schema: Schema) -> str:
    """Every address with who may use it, what goes in and what comes out; then every problem."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "<title>taisai API</title></head><body><main>",
        f"<h1>taisai API {escape(str(schema['info']['version']))}</h1>",
        "<p><a href='/openapi.json'>openapi.json</a> (OpenAPI 3.1) and "
        "<a href='/asyncapi.json'>asyncapi.json</a> (the messages of /ws/terminal, /ws/console and of the "
        "event streams).</p>",
    ]
    groups: dict[str, list[str]] = {}
    for path, item in schema["paths"].items():
        for method in _METHODS:
            if method in item:
                operation = item[method]
                tag = (operation.get("tags") or ["other"])[0]
                groups.setdefault(tag, []).append(_operation(path, method, operation))
    for tag, operations in groups.items():
        parts += [f"<h2>{escape(tag)}</h2>", *operations]
    parts += ["<h2>Problems</h2>", "<dl>", *_problems(), "</dl>", "</main></body></html>"]
    return "\n".join(parts)


def _operation(path: str, method: str, operation: Schema) -> str:
    roles = ACCESS.get(str(operation.get("operationId")), frozenset())
    who = "anyone" if roles is None else ", ".join(sorted(roles))
    lines = [
        f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>",
        f"<p>{escape(str(operation.get('description') or operation.get('summary') or ''))}</p>",
        f"<p>Who: {escape(who)}</p>",
    ]
    body = operation.get("requestBody")
    if body:
        lines.append(f"<p>Takes: {_content(body)}</p>")
    for parameter in operation.get("parameters", ()):
        name, place = escape(str(parameter["name"])), escape(str(parameter["in"]))
        lines.append(f"<p>Parameter <code>{name}</code> ({place})</p>")
    for status, response in operation.get("responses", {}).items():
        lines.append(
            f"<p>{escape(status)}: {_content(response) or escape(response.get('description', ''))}</p>"
        )
    return "".join([*lines, "</section>"])


def _content(part: Schema) -> str:
    found = []
    for media, content in part.get("content", {}).items():
        found.append(f"<code>{escape(_said(content.get('schema', {})))}</code> ({escape(media)})")
    return ", ".join(found)


def _said(schema: Schema) -> str:
    """A type in a word."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "oneOf" in schema or "anyOf" in schema:
        return " | ".join(_said(part) for part in schema.get("oneOf", schema.get("anyOf", ())))
    if schema.get("type") == "array":
        return f"[{_said(schema.get('items', {}))}]"
    return str(schema.get("type", "anything"))


def _problems() -> Iterator[str]:
    """Every code that a refusal can have, with its sentence."""
    words = catalogue("en")["refusals"]
    told = {str(code): words.get(str(code), "") for code in RefusalCode} | server_codes()
    for code, sentence in told.items():
        yield f"<dt id='problem-{escape(code)}'><code>{escape(code)}</code></dt><dd>{escape(sentence)}</dd>"
