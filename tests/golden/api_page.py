"""docs/reference/api.md, made from the server's own routes, table of access, messages and metrics."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from prometheus_client.metrics import MetricWrapperBase

from taisai.game.people import Role
from taisai.server.access import table as access
from taisai.server.http.descriptions import asyncapi_bytes
from taisai.server.ops.metrics import METRICS
from tests.server.houses import the_app

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"

# Names for sets of positions that are often meant.
NAMED = {
    access.STAFF: "staff",
    access.PIT: "pit",
    access.SUPERVISORS: "supervisors",
    access.CAGE: "cage",
    access.AUDIT: "audit",
    access.WATCH: "watch",
    access.ADMINISTRATION: "administrator",
}

HEAD = """\
# The interface

Every address of the server, made from the server itself by `make golden`. [openapi.json](openapi.json)
(OpenAPI 3.1) has the bodies and answers of the HTTP addresses, [asyncapi.json](asyncapi.json) (AsyncAPI 3)
the messages of the WebSockets and of the server-sent events; a running house shows the same at `/docs`,
without a network. [integrator](../guides/integrator.md) says how they are used.

## Who may

| name | positions |
| --- | --- |
"""


def who(handler: str) -> str:
    """Who may use an address, in few words."""
    roles = access.ACCESS[handler]
    if roles is None:
        return "anyone"
    best, name = frozenset[Role](), ""
    for known, called in NAMED.items():
        if known <= roles and len(known) > len(best):
            best, name = known, called
    return ", ".join([*([name] if name else []), *sorted(str(role) for role in roles - best)])


def rows(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """A table's row for each operation, under its tag."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            keyed = any(
                parameter.get("name", "").lower() == "idempotency-key"
                for parameter in operation.get("parameters", ())
            )
            query = [
                f"`{parameter['name']}`"
                for parameter in operation.get("parameters", ())
                if parameter.get("in") == "query"
            ]
            said = operation.get("description") or operation.get("summary", "")
            more = f" Query: {', '.join(query)}." if query else ""
            cells = [
                f"`{method.upper()} {path}`",
                " ".join(said.split()) + more,
                who(operation["operationId"]),
                "yes" if keyed else "",
            ]
            yield operation["tags"][0], "| " + " | ".join(cells) + " |"


def api_page() -> str:
    """The page."""
    text = HEAD
    for roles, name in NAMED.items():
        text += f"| {name} | {', '.join(sorted(str(role) for role in roles))} |\n"
    tags: dict[str, list[str]] = {}
    for tag, row in rows(the_app()[0].openapi_schema.to_schema()):
        tags.setdefault(tag, []).append(row)
    for tag, lines in tags.items():
        text += f"\n## HTTP: {tag}\n\n| address | what it does | who | key |\n| --- | --- | --- | --- |\n"
        text += "".join(f"{line}\n" for line in lines)
    text += "\n`key`: it moves money or decides something, and needs an `Idempotency-Key`.\n"
    return text + _messages() + _metrics()


def _messages() -> str:
    """WebSockets and server-sent events with their messages, as the AsyncAPI file has them."""
    document = json.loads(asyncapi_bytes())
    text = "\n## Messages\n\n| channel | messages |\n| --- | --- |\n"
    for name, channel in document["channels"].items():
        names = ", ".join(f"`{message}`" for message in channel["messages"])
        text += f"| `{channel.get('address', name)}` | {names} |\n"
    return text


def _metrics() -> str:
    text = "\n## Metrics\n\n`GET /metrics`, for Prometheus. "
    text += "No label names a player, a terminal, a round or a ticket.\n\n"
    text += "| metric | kind | labels | what it counts |\n| --- | --- | --- | --- |\n"
    wrapped = [metric for metric in vars(METRICS).values() if isinstance(metric, MetricWrapperBase)]
    labelled = {metric._name: metric._labelnames for metric in wrapped}
    for metric in METRICS.registry.collect():
        labels = ", ".join(f"`{label}`" for label in labelled.get(metric.name, ()))
        name = metric.name + ("_total" if metric.type == "counter" else "")
        text += f"| `{name}` | {metric.type} | {labels} | {metric.documentation} |\n"
    return text


GOLDEN: dict[Path, Callable[[], str]] = {REFERENCE / "api.md": api_page}
