"""One operation for people: who may, what goes in, what comes out, how it is asked for and tried."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from taisai.server.access.table import ACCESS
from taisai.server.http.api_docs.fields import as_json, block, entry, prose, row, said, table, type_link
from taisai.server.http.api_docs.snippets import curl, first_example, needs_key, python

Schema = Mapping[str, Any]


def operation_html(path: str, method: str, operation: Schema) -> str:
    """The operation, folded under its address and its first sentence."""
    name = str(operation["operationId"])
    roles = ACCESS.get(name, frozenset())
    staff = roles is not None
    summary, _, rest = str(operation["description"]).partition("\n")
    head = (
        f"<b class='{method}'>{method.upper()}</b> <code>{escape(path)}</code> <span>{prose(summary)}</span>"
    )
    lines = [
        f"<p>{prose(rest.strip())}</p>" if rest.strip() else "",
        f"<p>Who: {escape('anyone' if roles is None else ', '.join(sorted(roles)))}.</p>",
        *_asked(operation),
        block(f"curl: {name}", curl(path, method, operation, staff=staff)),
        block(f"Python: {name}", python(path, method, operation)),
        f"<div class='try' data-try='{escape(_for_trying(path, method, operation, staff=staff))}'></div>",
        *_answers(operation),
    ]
    return entry(head, anchor=f"op-{escape(name)}", inside="".join(lines))


def _asked(operation: Schema) -> Iterator[str]:
    """Parameters and body."""
    rows = [
        row(
            parameter["name"],
            parameter["schema"],
            needed=bool(parameter.get("required")) or parameter["name"] == "Idempotency-Key",
            more=escape(f"in the {parameter['in']}"),
        )
        for parameter in operation.get("parameters", ())
    ]
    if rows:
        yield table("parameter", rows)
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        name, named = operation["operationId"], content.get("examples")
        yield f"<p>Takes {said(content['schema'])} ({escape(media)})</p>"
        if named is None:
            yield block(f"Example of the body: {name}", as_json(content["example"]))
        else:
            lines = [json.dumps(one["value"], ensure_ascii=False) for one in named.values()]
            yield block(f"Examples of the body, one a line: {name}", "\n".join(lines))


def _answers(operation: Schema) -> Iterator[str]:
    """What comes back: successes with an example, problems in one line."""
    problems, name = [], operation["operationId"]
    for status, response in sorted(operation["responses"].items()):
        if status >= "300":
            problems.append(status)
            continue
        contents = response.get("content", {}) if status != "204" else {}
        kinds = [f"{said(one['schema'])} ({escape(media)})" for media, one in contents.items()]
        yield f"<p>Answers <b>{escape(status)}</b>: {', '.join(kinds) or 'nothing'}</p>"
        for content in contents.values():
            example = content["example"]
            text = example if isinstance(example, str) else as_json(example)
            yield block(f"Example of {status}: {name}", text)
    if problems:
        yield f"<p>Or a {type_link('ProblemView')}: {', '.join(problems)}. "
        yield "<a href='#problems'>Every code</a></p>"


def _for_trying(path: str, method: str, operation: Schema, *, staff: bool) -> str:
    """What the script needs to send this request."""
    bodies = {}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        named = content.get("examples", {"": {"value": content.get("example")}})
        bodies = {name: as_json(one["value"]) for name, one in named.items()}
    parameters = [
        {
            "name": parameter["name"],
            "in": parameter["in"],
            "needed": bool(parameter.get("required")),
            "example": str(parameter["example"]) if parameter.get("required") else "",
        }
        for parameter in operation.get("parameters", ())
        if parameter["in"] != "header"
    ]
    told = {
        "name": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "staff": staff,
        "key": needs_key(operation),
        "stream": operation["operationId"] == "follow_table",
        "parameters": parameters,
        "bodies": bodies,
        "first": as_json(first_example(operation)) if bodies else "",
    }
    return json.dumps(told, ensure_ascii=False)
