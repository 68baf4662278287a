"""Every act of the HTTP interface has a shape of its own in OpenAPI, and an example that is taken."""

from typing import Any

import msgspec
import pytest

from taisai.floor.door.forms import PIT_ACTS, TABLE_ACTS, own_fields, pit_act, table_command
from taisai.floor.roads import RoadCell
from taisai.game.people import Actor, Role
from taisai.server.describe import described
from tests.unit.house import START

BY = Actor("sue", Role.PIT_SUPERVISOR)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(described())
    return found


def test_the_example_of_every_act_is_taken(document: dict[str, Any]) -> None:
    """By the same reading that takes what people send; its shape has the act's own fields and no others."""
    schemas = document["components"]["schemas"]
    for act, kind in TABLE_ACTS.items():
        shape = schemas[f"TableAct{act}"]
        assert table_command(act, shape["example"]["fields"], by=BY, at=START) is not None
        _assert_shape(shape["properties"], act, kind)
    for act, kind in PIT_ACTS.items():
        shape = schemas[f"PitAct{act}"]
        assert pit_act(act, shape["example"]["fields"], by=BY, at=START) is not None
        _assert_shape(shape["properties"], act, kind)


def _assert_shape(properties: dict[str, Any], act: str, kind: type) -> None:
    assert properties["act"] == {"const": act}
    assert set(properties["fields"]["properties"]) == own_fields(kind)
    assert properties["fields"]["additionalProperties"] is False


def test_nothing_of_an_act_is_open_and_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    """The body of both addresses is one of the acts, by name."""
    schemas = document["components"]["schemas"]
    for path, acts in (("/api/v1/tables/{table}/acts", TABLE_ACTS), ("/api/v1/pit/acts", PIT_ACTS)):
        body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert set(body["discriminator"]["mapping"]) == set(acts)
    assert "ActBody" not in schemas
    text = msgspec.json.encode(document).decode()
    assert {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]} <= set(schemas)


def test_what_travels_as_an_array_is_said_to_be_one(document: dict[str, Any]) -> None:
    """A stranger's tester found that the document called the roads' cells objects."""
    schemas = document["components"]["schemas"]
    assert schemas["RoadCell"]["type"] == schemas["DiceColumn"]["type"] == "array"
    assert len(schemas["RoadCell"]["prefixItems"]) == len(RoadCell.__struct_fields__)
