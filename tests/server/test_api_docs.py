"""The interface's page and its examples: everything has one, each is of its type, and what is shown works."""

import json
import re
import shlex
from typing import Any

import jsonschema_rs
import pytest

from taisai.server.http.api_docs.examples import METHODS
from taisai.server.http.api_docs.fields import fields, said
from taisai.server.http.api_docs.page import docs_html
from taisai.server.http.api_docs.snippets import BEGIN_PYTHON, LINES, address, curl, python
from taisai.server.http.descriptions import asyncapi, openapi
from tests.server.houses import Serving, the_app

HTTP = openapi(the_app()[0])
MESSAGES = asyncapi()
OPERATIONS = [
    (path, method, item[method])
    for path, item in HTTP["paths"].items()
    for method in METHODS
    if method in item
]


def faults(document: dict[str, Any], schema: dict[str, Any], example: Any) -> list[str]:
    """What is wrong with an example of a type of a document."""
    check = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    return [str(error)[:200] for error in check.iter_errors(example)]


def test_names_in_sentences_are_set_as_code() -> None:
    """No backtick is left for the reader to wonder about."""
    prose = re.sub(r"<pre.*?</pre>|data-try='[^']*'", "", docs_html(HTTP, MESSAGES), flags=re.DOTALL)
    assert "<code>taisai doctor --quick</code>" in prose
    assert "`" not in prose


def test_every_parameter_body_and_answer_has_an_example_of_its_type() -> None:
    """The examples are what the types say; an act has one by its own name."""
    for path, method, operation in OPERATIONS:
        shown = [(one["schema"], one["example"]) for one in operation.get("parameters", ())]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            named = content.get("examples") or {"": {"value": content["example"]}}
            shown += [(content["schema"], one["value"]) for one in named.values()]
        for status, response in operation["responses"].items():
            if status < "300" and status != "204":
                assert response["content"], (path, method, status)
                shown += [(one["schema"], one["example"]) for one in response["content"].values()]
        for schema, example in shown:
            assert faults(HTTP, schema, example) == [], (path, method, example)


def test_every_message_has_an_example_of_its_type() -> None:
    """As it travels, with its name in `type`."""
    for name, message in MESSAGES["components"]["messages"].items():
        [example] = message["examples"]
        assert faults(MESSAGES, message["payload"], example["payload"]) == [], name
        assert "type" in example["payload"]


def test_an_example_of_another_type_is_noticed() -> None:
    """The check of the two tests above can fail."""
    assert faults(HTTP, {"$ref": "#/components/schemas/LoginBody"}, {"name": 1})


def test_commands_ask_for_their_operation_and_python_is_python() -> None:
    """The curl command has the operation's method, address, body and headers; the code compiles."""
    for path, method, operation in OPERATIONS:
        words = shlex.split(curl(path, method, operation, staff=True))
        asked = address(path, operation)
        assert f"$HOUSE{asked}" in words
        assert "{" not in asked
        told = words[words.index("-X") + 1] if "-X" in words else "POST" if "--json" in words else "GET"
        assert told == method.upper()
        assert ("X-CSRF-Token: $CSRF" in words) == (method != "get")
        if "--json" in words:
            json.loads(words[words.index("--json") + 1])
        compile(f"{BEGIN_PYTHON}\n{python(path, method, operation)}", path, "exec")
    for name, text in LINES.items():
        compile(text, name, "exec")


def test_the_page_has_everything_and_every_link_on_it_leads_somewhere() -> None:
    """Each operation, message, type and problem is a place on the page."""
    page = docs_html(HTTP, MESSAGES)
    places = re.findall(r" id='([^']+)'", page)
    assert len(places) == len(set(places))
    for found in re.findall(r"href='#([^']+)'", page):
        assert found in places, found
    assert {f"op-{operation['operationId']}" for _, _, operation in OPERATIONS} <= set(places)
    for name, channel in MESSAGES["channels"].items():
        assert {f"message-{name}-{each}" for each in channel["messages"]} <= set(places)
    assert "problem-betting_closed" in places


def test_types_that_http_and_messages_share_have_the_same_fields() -> None:
    """The page shows each type once, so two of one name must be one."""
    here, there = HTTP["components"]["schemas"], MESSAGES["components"]["schemas"]
    for name in here.keys() & there.keys():
        assert here[name].get("properties", {}).keys() == there[name].get("properties", {}).keys(), name


def test_a_field_says_its_type_what_it_must_be_and_what_it_is_else() -> None:
    """Text from a description is text, whatever is in it."""
    schema = {
        "properties": {
            "limit": {"type": "integer", "minimum": 1.0, "default": 50, "description": "<b>"},
            "table": {"$ref": "#/components/schemas/TableView"},
        },
        "required": ["table"],
    }
    table = fields(schema)
    assert "at least <code>1</code>" in table
    assert "default <code>50</code>" in table
    assert "&lt;b&gt;" in table
    assert "<a href='#type-TableView'>TableView</a></td><td>required" in table
    assert said({"anyOf": [{"type": "string"}, {"type": "null"}]}) == "string or null"
    assert said({"type": "array", "items": {"enum": ["a"]}}) == "list of <code>&quot;a&quot;</code>"


@pytest.mark.parametrize(
    "name", ["get_house", "list_tables", "get_table", "list_rounds", "get_roads", "get_felt"]
)
async def test_what_anyone_may_ask_works_as_it_is_shown(house: Serving, name: str) -> None:
    """The address of the example is answered with what is described."""
    visitor = await house.visitor()
    path, _, operation = next(one for one in OPERATIONS if one[2]["operationId"] == name)
    answer = await visitor.http.get(address(path, operation))
    assert answer.status_code == 200
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert faults(HTTP, schema, answer.json()) == []
