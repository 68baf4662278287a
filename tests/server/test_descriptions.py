"""The generated descriptions of the interface: complete, valid, and not stale."""

import json
from pathlib import Path
from typing import Any

from litestar import Request

from taisai.server import wire
from taisai.server.access.table import ACCESS
from taisai.server.http.descriptions import asyncapi, asyncapi_bytes, openapi_bytes
from tests.server.houses import the_app

REFERENCE = Path("docs/reference")


def test_the_openapi_file_is_what_the_server_serves() -> None:
    """`python -m taisai.server.describe` writes it anew."""
    assert (REFERENCE / "openapi.json").read_bytes() == openapi_bytes(the_app()[0])


def test_the_frameworks_own_document_is_no_other_one() -> None:
    """There is one home: whatever address gives a document, it is the one that is described here."""
    app = the_app()[0]
    (plugin,) = app.openapi_config.render_plugins if app.openapi_config else ()
    request: Request[Any, Any, Any] = Request({"type": "http", "litestar_app": app, "app": app})  # type: ignore[typeddict-item] - nothing else is read
    assert plugin.render(request, {}) == openapi_bytes(app)


def test_the_asyncapi_file_is_what_the_wire_says() -> None:
    """`python -m taisai.server.describe` writes it anew."""
    assert (REFERENCE / "asyncapi.json").read_bytes() == asyncapi_bytes()


def references(node: Any) -> set[str]:
    if isinstance(node, dict):
        found = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return found.union(*map(references, node.values()))
    return set().union(*map(references, node)) if isinstance(node, list) else set()


def resolve(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def test_every_reference_in_both_files_leads_somewhere() -> None:
    """No dangling name."""
    for document in (asyncapi(), json.loads(openapi_bytes(the_app()[0]))):
        for reference in references(document):
            assert resolve(document, reference)


def test_every_message_of_the_wire_travels_on_a_channel() -> None:
    """What can be sent is described, which way and where."""
    described = asyncapi()
    used = {name for channel in described["channels"].values() for name in channel["messages"]}
    known = {
        kind.__name__
        for union in (wire.FromTerminal, wire.FromConsole, wire.FromServer)
        for kind in union.__args__
    }
    assert used == known
    for operation in described["operations"].values():
        assert operation["action"] in ("send", "receive")


def test_operations_have_the_names_of_the_table_of_access_and_a_sentence_each() -> None:
    """Whoever reads the file finds who may use what."""
    schema = json.loads(openapi_bytes(the_app()[0]))
    assert schema["openapi"].startswith("3.1")
    for item in schema["paths"].values():
        for method, operation in item.items():
            if method in ("get", "post", "delete"):
                assert operation["operationId"] in ACCESS
                assert operation["description"].strip()
