"""An example for every operation, parameter and message, made from its type."""

import re
from collections.abc import Mapping
from typing import Any, Final

from taisai.server.http.api_docs.values import BY_NAME, BY_OPERATION, BY_TYPE, EMPTY, PARAMETERS, TEXTS

Schema = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "delete")
# Keys of maps, by the name of the field or as in most: a box.
_LANGUAGES: Final = frozenset({"sentences", "names", "titles", "rules", "amount_words", "clauses"})


class Examples:
    """Examples of types, with the components that they refer to.

    A request's example has the fields that must be there, an answer's has all of them.
    """

    def __init__(self, components: Schema, *, whole: bool) -> None:
        self._components, self._whole = components, whole
        self._inside: list[str] = []

    def of(self, schema: Schema, name: str = "") -> Any:
        """A value that this type takes."""
        if "example" in schema:
            return schema["example"]
        if "$ref" in schema:
            return self._named(str(schema["$ref"]).rpartition("/")[2], name)
        known = next((each for each in BY_NAME.get(name, ()) if self.fits(schema, each)), None)
        if known is not None:
            return known
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema:
                return self._one_of(schema, schema[union], name)
        return self._plain(schema, name)

    def _one_of(self, schema: Schema, kinds: list[Schema], name: str) -> Any:
        """The first of the kinds; nothing where nothing is what usually is."""
        real = [each for each in kinds if each.get("type") != "null"]
        leads = real and ("$ref" in real[0] and not self._is_inside(real[0]))
        if len(real) < len(kinds) and not leads:
            return schema.get("default")
        return self.of(real[0], name)

    def _is_inside(self, schema: Schema) -> bool:
        return str(schema["$ref"]).rpartition("/")[2] in self._inside

    def _named(self, kind: str, name: str) -> Any:
        schema = self._components[kind]
        if name in BY_NAME and "properties" in schema and kind not in BY_TYPE:
            known = next((each for each in BY_NAME[name] if self.fits(schema, each)), None)
            if known is not None:
                return known
        if "properties" not in schema:
            return self.of(schema, name)
        self._inside.append(kind)
        try:
            return self._object(schema, kind)
        finally:
            self._inside.pop()

    def _object(self, schema: Schema, kind: str = "") -> dict[str, Any]:
        needed, told = schema.get("required", ()), BY_TYPE.get(kind, {})
        return {
            field: told[field] if field in told else self.of(of, field)
            for field, of in schema["properties"].items()
            if self._whole or field in needed or field in told or field in ("type", "reason")
        }

    def _plain(self, schema: Schema, name: str) -> Any:
        default = schema.get("default")
        match schema.get("type"):
            case "object" if "properties" in schema:
                return self._object(schema)
            case "object":
                return self._map(schema.get("additionalProperties"), name)
            case "array":
                return self._list(schema, name)
            case "integer":
                return default or schema.get("minimum", 1)
            case "number":
                return default or schema.get("minimum", 0.5)
            case "boolean":
                return bool(default)
            case "string":
                return _text(schema, name) if default is None else default
        return default

    def _map(self, of: Any, name: str) -> dict[str, Any]:
        if name in EMPTY or not isinstance(of, Mapping):
            return {}
        keys = ("en", "zh-Hant", "zh-Hans") if name in _LANGUAGES else ("big",)
        return {key: self.of(of, f"{name}[]") for key in keys}

    def _list(self, schema: Schema, name: str) -> list[Any]:
        if "prefixItems" in schema:
            return [self.of(each) for each in schema["prefixItems"]]
        items = schema.get("items")
        if name in EMPTY or not isinstance(items, Mapping) or ("$ref" in items and self._is_inside(items)):
            return []
        return [self.of(items, f"{name}[]")] * schema.get("minItems", 1)

    def fits(self, schema: Schema, value: Any) -> bool:
        """Whether a type takes a value, as far as examples need to know."""
        if "$ref" in schema:
            return self.fits(self._components[str(schema["$ref"]).rpartition("/")[2]], value)
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return any(self.fits(each, value) for each in schema[union])
        if "const" in schema or "enum" in schema:
            return value in schema.get("enum", [schema.get("const")])
        match schema.get("type"), value:
            case "boolean", bool():
                return True
            case (("integer" | "number"), bool()):
                return False
            case ("integer", int()) | ("number", int() | float()):
                return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
            case "string", str():
                pattern = schema.get("pattern")
                return pattern is None or re.search(str(pattern), value) is not None
            case "array", list():
                items = schema.get("items", {})
                return isinstance(items, Mapping) and all(self.fits(items, each) for each in value)
            case "object", dict():
                return self._object_fits(schema, value)
            case None, _:
                return True
        return False

    def _object_fits(self, schema: Schema, value: Mapping[str, Any]) -> bool:
        if "properties" not in schema:
            of = schema.get("additionalProperties", True)
            if not isinstance(of, Mapping):
                return of is not False
            return all(self.fits(of, each) for each in value.values())
        known = schema["properties"]
        right = all(key in known and self.fits(known[key], each) for key, each in value.items())
        return right and all(field in value for field in schema.get("required", ()))


def _text(schema: Schema, name: str) -> str:
    if schema.get("format") == "date-time":
        return "2026-01-01T12:00:00Z"
    return "2026-01-01" if schema.get("format") == "date" else name.removesuffix("[]")


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """An OpenAPI document with an example of each parameter, body and answer."""
    components = document["components"]["schemas"]
    asked, answered = Examples(components, whole=False), Examples(components, whole=True)
    for operation in (one for path in document["paths"].values() for one in path.values()):
        name = operation["operationId"]
        for parameter in operation.get("parameters", ()):
            known = PARAMETERS.get((name, parameter["name"]))
            parameter["example"] = (
                asked.of(parameter["schema"], parameter["name"]) if known is None else known
            )
        for content in operation.get("requestBody", {}).get("content", {}).values():
            _illustrate(content, asked)
        if name in TEXTS:
            media, text = TEXTS[name]
            operation["responses"]["200"]["content"] = {
                media: {"schema": {"type": "string"}, "example": text}
            }
        for status, response in operation["responses"].items():
            for media, content in response.get("content", {}).items():
                if media == "application/json" and content.get("schema") and status != "204":
                    content["example"] = _answer(name, status, content["schema"], answered)
    return document


def _illustrate(content: dict[str, Any], examples: Examples) -> None:
    """One example, or one for each act."""
    schema = content["schema"]
    if "discriminator" in schema:
        named = schema["discriminator"]["mapping"]
        content["examples"] = {name: {"value": examples.of({"$ref": of})} for name, of in named.items()}
    else:
        content["example"] = examples.of(schema)


def _answer(operation: str, status: str, schema: Schema, examples: Examples) -> Any:
    """What an operation answers: what was done, or, where it waits for a second person, for how long."""
    kinds = schema.get("oneOf", [schema])
    answer = examples.of(kinds[-1] if status == "202" else kinds[0])
    if isinstance(answer, dict) and "happened" in answer:
        answer["happened"] = [] if status == "202" else BY_OPERATION.get(operation, answer["happened"])
        if "waiting" in answer:
            answer["waiting"] = answer["waiting"] if status == "202" else []
    return answer


def message_example(components: Schema, name: str) -> Any:
    """A message as it travels."""
    return Examples(components, whole=True).of({"$ref": f"#/components/schemas/{name}"})
