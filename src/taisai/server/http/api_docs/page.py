"""The interface as a page: whole without a network and without a script, which adds search and trying."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from taisai.game.explain import catalogue, numbered
from taisai.game.refusals import RefusalCode
from taisai.server.http.api_docs.examples import METHODS, Examples
from taisai.server.http.api_docs.fields import as_json, block, entry, fields, prose, type_link
from taisai.server.http.api_docs.operations import operation_html
from taisai.server.http.api_docs.snippets import BEGIN_CURL, BEGIN_PYTHON, LINES
from taisai.server.shells import STATIC, NotBuilt, manifest
from taisai.server.words.say import server_codes

Schema = Mapping[str, Any]
Group = list[tuple[str, str, Schema]]


def docs_html(http: Schema, messages: Schema) -> str:
    """Every address and message with its fields, an example and how it is asked for; then every problem."""
    groups = _groups(http)
    types = {**http["components"]["schemas"], **messages["components"]["schemas"]}
    problem = Examples(types, whole=True).of({"$ref": "#/components/schemas/ProblemView"})
    parts = [
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'>{_head()}</head><body>",
        "<a class='skip' href='#content'>Skip to the content</a>",
        _top(str(http["info"]["version"])),
        f"<div class='columns'><nav aria-label='Contents'>{''.join(_contents(groups, messages))}</nav>",
        f"<main id='content'>{_begin(problem)}",
    ]
    for tag, operations in groups.items():
        parts.append(f"<h2 id='{escape(tag)}'>{escape(tag.capitalize())}</h2>")
        parts += [operation_html(path, method, operation) for path, method, operation in operations]
    for name, channel in messages["channels"].items():
        parts += _channel(name, channel, messages)
    parts += ["<h2 id='types'>Types</h2>", *(_type(name, types[name]) for name in sorted(types))]
    parts += ["<h2 id='problems'>Problems</h2><dl>", *_problems(), "</dl></main></div></body></html>"]
    return "\n".join(parts)


def _head() -> str:
    """The names of the built style and script; without them the page is plain, and whole."""
    lines = [
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "<title>The interface of taisai</title>",
    ]
    try:
        built = manifest()["pages"]["docs"]
    except NotBuilt:
        return "".join(lines)
    lines += [
        f"<link rel='icon' href='{STATIC}{manifest()['icon']}'>",
        f"<link rel='stylesheet' href='{STATIC}{built['style']}'>",
        f"<script type='module' src='{STATIC}{built['script']}'></script>",
    ]
    return "".join(lines)


def _top(version: str) -> str:
    return (
        f"<header class='top'><p class='name'><a href='/'>taisai</a> <span>{escape(version)}</span></p>"
        "<div id='search'></div><p class='files'><a href='/openapi.json'>openapi.json</a> "
        "<a href='/asyncapi.json'>asyncapi.json</a></p><div id='who'></div></header>"
    )


def _groups(http: Schema) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for path, item in http["paths"].items():
        for method in METHODS:
            if method in item:
                tag = (item[method].get("tags") or ["other"])[0]
                found.setdefault(tag, []).append((path, method, item[method]))
    return found


def _contents(groups: Mapping[str, Group], messages: Schema) -> Iterator[str]:
    for tag, operations in groups.items():
        yield f"<h2><a href='#{escape(tag)}'>{escape(tag.capitalize())}</a></h2><ul>"
        for path, method, operation in operations:
            word = f"<b class='{method}'>{method.upper()}</b>"
            short = f"<span>{escape(path.removeprefix('/api/v1')).replace('/', '<wbr>/')}</span>"
            yield f"<li><a href='#op-{escape(operation['operationId'])}'>{word} {short}</a></li>"
        yield "</ul>"
    for name, channel in messages["channels"].items():
        yield f"<h2><a href='#line-{name}'>Messages: {escape(name)}</a></h2><ul>"
        for each in channel["messages"]:
            yield f"<li class='message'><a href='#{_anchor(name, each)}'>{escape(each)}</a></li>"
        yield "</ul>"
    yield "<h2><a href='#types'>Types</a></h2><h2><a href='#problems'>Problems</a></h2>"


def _begin(problem: Any) -> str:
    """What holds everywhere, and what is done before the first request."""
    return (
        "<h1>The interface</h1><p>HTTP for questions and acts, a WebSocket for a terminal or a console, "
        "server-sent events for whoever only watches. Money is a whole number of minor units, times are "
        "milliseconds since 1970, odds are exact and to one. Anyone may ask what is public; staff log in, "
        "and every write carries the token of the login in <code>X-CSRF-Token</code>. What moves money or "
        "decides something also needs an <code>Idempotency-Key</code>: sent again under the same key it is "
        "done once, and answered the same.</p>"
        + block("Before the first request: curl", BEGIN_CURL)
        + block("Before the first request: Python", BEGIN_PYTHON)
        + f"<p>What is refused is answered with a {type_link('ProblemView')}: code, clause and sentences.</p>"
        + block("Example of a problem", as_json(problem))
    )


def _anchor(channel: str, message: str) -> str:
    return escape(f"message-{channel}-{message}")


def _channel(name: str, channel: Schema, messages: Schema) -> Iterator[str]:
    """A line with its messages: which way each goes, its fields and an example."""
    known, line = messages["components"]["messages"], escape(channel["address"])
    yield f"<h2 id='line-{name}'>Messages: {escape(name)}</h2>"
    yield f"<p><code>{line}</code>. {prose(channel['description'])}</p>"
    yield block(f"Python: {name}", LINES[name])
    if line.startswith("/ws/"):
        yield f"<div class='line' data-line='{line}' data-name='{name}'></div>"
    for each in channel["messages"]:
        comes = f"{name}.receive.{each}" in messages["operations"]
        way = "<b class='to'>to the server</b>" if comes else "<b class='from'>from the server</b>"
        example = as_json(known[each]["examples"][0]["payload"])
        yield entry(
            f"{way} <code>{escape(each)}</code> <span>{prose(known[each]['summary'])}</span>",
            anchor=_anchor(name, each),
            inside=fields(messages["components"]["schemas"][each]) + block(f"Example of {each}", example),
        )


def _type(name: str, schema: Schema) -> str:
    text = prose(str(schema.get("description", "")).partition("\n")[0])
    head = f"<code>{escape(name)}</code> <span>{text}</span>"
    return entry(head, anchor=f"type-{escape(name)}", inside=fields(schema))


def _problems() -> Iterator[str]:
    """Every code that a refusal can have, with its sentence."""
    words = catalogue("en")["refusals"]
    told = {str(code): words.get(str(code), "") for code in RefusalCode} | server_codes()
    for code, sentence in told.items():
        yield (
            f"<div class='entry problem'><dt id='problem-{escape(code)}'><code>{escape(code)}</code></dt>"
            f"<dd>{escape(numbered(sentence, {}))}</dd></div>"
        )
