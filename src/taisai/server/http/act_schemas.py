"""The acts of the HTTP interface for OpenAPI: each by its name, with its own fields and an example.

An act's body is one of many shapes, and the one that it is follows from its name. The types of the commands
say the shapes, so nothing is told twice.
"""

from typing import Any, Final

import msgspec

from taisai.floor.door.forms import PIT_ACTS, TABLE_ACTS, own_fields
from taisai.server.http.api_docs.examples import Examples

REFERENCE: Final = "#/components/schemas/{name}"


def act_bodies(acts: dict[str, Any], prefix: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema for the body of any of these acts, and the components that it refers to."""
    kinds = list(acts.values())
    found, parts = msgspec.json.schema_components(
        kinds, ref_template=REFERENCE.format(name=prefix + "{name}")
    )
    components = {f"{prefix}{name}": part for name, part in parts.items()}
    bodies = {}
    for (name, kind), reference in zip(acts.items(), found, strict=True):
        whole = components.pop(reference["$ref"].rpartition("/")[2])
        bodies[f"{prefix}{name}"] = _body(name, kind, whole)
    mapping = {name: REFERENCE.format(name=f"{prefix}{name}") for name in acts}
    shape = {
        "oneOf": [{"$ref": each} for each in mapping.values()],
        "discriminator": {"propertyName": "act", "mapping": mapping},
    }
    return shape, {**components, **bodies}


def _body(name: str, kind: Any, whole: dict[str, Any]) -> dict[str, Any]:
    fields = _fields(kind, whole)
    needed = ["act", "fields"] if fields["required"] else ["act"]
    return {
        "title": name,
        "description": (kind.__doc__ or "").strip().split("\n\n")[0],
        "type": "object",
        "properties": {
            "act": {"const": name},
            "fields": fields,
            "round": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        },
        "required": needed,
        "additionalProperties": False,
        "example": {"act": name, "fields": example_fields(kind)},
    }


def _fields(kind: Any, whole: dict[str, Any]) -> dict[str, Any]:
    """What somebody who asks for an act says; the rest of a command the house knows."""
    known = own_fields(kind)
    return {
        "type": "object",
        "properties": {field: of for field, of in whole["properties"].items() if field in known},
        "required": [field for field in whole.get("required", ()) if field in known],
        "additionalProperties": False,
    }


def example_fields(kind: Any) -> dict[str, Any]:
    """A value for each field that an act must have, and a reason where it takes one."""
    _, parts = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    found: dict[str, Any] = Examples(parts, whole=False).of(_fields(kind, parts[kind.__name__]))
    return found


def with_acts(document: dict[str, Any]) -> dict[str, Any]:
    """An OpenAPI document in which acts have shapes of their own instead of open fields."""
    schemas = document["components"]["schemas"]
    for acts, prefix, path in (
        (TABLE_ACTS, "TableAct", "/api/v1/tables/{table}/acts"),
        (PIT_ACTS, "PitAct", "/api/v1/pit/acts"),
    ):
        shape, components = act_bodies(acts, prefix)
        schemas.update(components)
        content = document["paths"][path]["post"]["requestBody"]["content"]
        content["application/json"]["schema"] = shape
    schemas.pop("ActBody", None)
    return document


def with_arrays(document: dict[str, Any], *kinds: type) -> dict[str, Any]:
    """An OpenAPI document that says of messages that travel as arrays that they are arrays."""
    schemas = document["components"]["schemas"]
    _, parts = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    for name in schemas.keys() & parts.keys() & {kind.__name__ for kind in kinds}:
        schemas[name] = parts[name]
    return document


def with_waiting(document: dict[str, Any]) -> dict[str, Any]:
    """An OpenAPI document that says of acts which may wait for a second person: 200 or 202."""
    answers = (_either("ActDone", "ActWaiting"), _one("Happened"), _one("OneTimePassword"))
    for operation in (one for path in document["paths"].values() for one in path.values()):
        told = operation["responses"]
        for code, other, words in (("200", "202", "It waits."), ("202", "200", "It was done.")):
            content = told.get(code, {}).get("content", {}).get("application/json", {})
            if other not in told and content.get("schema") in answers:
                told[other] = {**told[code], "description": words}
                break
    return document


def _one(name: str) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=name)}


def _either(*names: str) -> dict[str, Any]:
    return {"oneOf": [_one(name) for name in names]}
