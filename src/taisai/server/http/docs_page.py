"""The API as a page: made from the OpenAPI file, complete without a network and without a script."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from typing import Any, Final

from taisai.game.explain import catalogue
from taisai.game.refusals import RefusalCode
from taisai.server.access.table import ACCESS
from taisai.server.words.say import server_codes

_METHODS: Final = ("get", "post", "put", "delete")
Schema = Mapping[str, Any]


_STYLE: Final = (
    "body{font:16px/1.45 system-ui,sans-serif;margin:0;background:#fbfaf7;color:#1d2321}"
    "main{max-width:62rem;margin:auto;padding:1.5rem}"
    "h2{margin:2rem 0 .5rem;border-bottom:2px solid #0f5b46;color:#0f5b46}"
    "section{margin:.7rem 0;padding:.7rem 1rem;background:#fff;border:1px solid #e2e0d9;border-radius:.5rem}"
    "h3{margin:0;font-size:1rem}p{margin:.25rem 0}code{font-family:ui-monospace,monospace}"
    "dt{margin-top:.6rem}dd{margin:0 0 0 1.5rem}"
)
# The page has this one style and runs nothing.
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "img-src 'self'; frame-ancestors 'none'"
)


def docs_html(schema: Schema) -> str:
    """Every address with who may use it, what goes in and what comes out; then every problem."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>taisai API</title><style>{_STYLE}</style></head><body><main>",
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
    answers: dict[str, list[str]] = {}
    for status, response in operation.get("responses", {}).items():
        said = _content(response) or escape(response.get("description", ""))
        answers.setdefault(said, []).append(escape(status))
    lines += [f"<p>{', '.join(statuses)}: {said}</p>" for said, statuses in answers.items()]
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
