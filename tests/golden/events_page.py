"""docs/reference/events.md: every event with its fields, accounts and reasons, and each act's fields."""

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec

from taisai.floor import cage
from taisai.floor.approvals.messages import AnyApprovalEvent
from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.desks.evidence import IncidentNoted
from taisai.floor.desks.kind import DeskHanded, DeskTaken
from taisai.floor.door.forms import PIT_ACTS, TABLE_ACTS, own_fields
from taisai.floor.pit.messages import AnyPitEvent
from taisai.floor.players.messages import AnyPlayersEvent
from taisai.floor.proofs.log_state import AnyLogEvent
from taisai.floor.staff.messages import AnyStaffEvent
from taisai.floor.table.messages import RoundEvent
from taisai.floor.tickets import AnyTicketEvent
from taisai.game.events import AnyEvent
from taisai.ledger import Reason
from taisai.ledger.accounts import kinds
from taisai.record.anchor import AnyAnchorEvent
from taisai.server.http.act_schemas import example_fields

_INTRODUCTION = """\
# Events, accounts and the fields of acts

Made from the code by `make golden`; do not edit. An event stands in [the journal](journal-format.md) as JSON,
with its `type`; money is whole minor units, times are ISO 8601 with their zone, a roll is three faces. A
field with a default may be missing in records of earlier versions, and then has that value. Events of a round
travel inside `RoundEvent`, which says the round; the journal names the inner one as the type.
"""


def set_apart(union: Any, kind: type) -> list[type]:
    """The kinds of a union but one."""
    return [each for each in union.__args__ if each is not kind]


_STREAMS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("Every desk's stream", "any", (DeskTaken, DeskHanded)),
    ("A round, in its table's stream", "table:TABLE", AnyEvent.__args__),
    (
        "A table or a cluster",
        "table:TABLE",
        tuple(k for k in AnyClusterEvent.__args__ if k is not RoundEvent),
    ),
    ("A ticket", "ticket:NAME", AnyTicketEvent.__args__),
    ("The cage", "cage", cage.AnyCageEvent.__args__),
    ("The staff list", "staff", AnyStaffEvent.__args__),
    ("Players", "players", AnyPlayersEvent.__args__),
    ("The pit", "pit", AnyPitEvent.__args__),
    ("Requests for a second person", "approvals", AnyApprovalEvent.__args__),
    ("Incidents", "incidents", (IncidentNoted,)),
    ("What ties the record to the outside", "anchor", AnyAnchorEvent.__args__),
    ("The log of the house", "log", AnyLogEvent.__args__),
)


def events_page() -> str:
    """The page."""
    return "\n".join([_INTRODUCTION, *_events(), *_accounts(), *_acts()])


def _events() -> Iterator[str]:
    for title, stream, kinds_of in _STREAMS:
        yield f"## {title}\n\nStream `{stream}`.\n"
        for kind in kinds_of:
            yield f"### `{kind.__name__}`\n\n{_summary(kind)}\n"
            yield from _fields(kind, set(kind.__struct_fields__) - {"v"})
            yield ""


def _summary(kind: Any) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _fields(kind: Any, wanted: "set[str] | frozenset[str]") -> Iterator[str]:
    fields = [field for field in msgspec.structs.fields(kind) if field.name in wanted]
    if not fields:
        yield "No fields."
        return
    yield "| field | values | default |"
    yield "| --- | --- | --- |"
    for field in fields:
        default = "" if field.required else f"`{_default(field)}`"
        yield f"| `{field.encode_name}` | {say(msgspec.inspect.type_info(field.type))} | {default} |"


def _default(field: msgspec.structs.FieldInfo) -> str:
    made = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.encode(made).decode().replace("|", "\\|")


def say(of: Any) -> str:
    """A type in a few words, with its values where they are few."""
    match of:
        case msgspec.inspect.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case msgspec.inspect.EnumType(cls=cls):
            return ", ".join(f"`{each.value}`" for each in _members(cls))
        case msgspec.inspect.UnionType(types=types):
            return " or ".join(say(each) for each in types)
        case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.VarTupleType(item_type=item):
            return f"list of {say(item)}"
        case msgspec.inspect.TupleType(item_types=items):
            return f"[{', '.join(say(item) for item in items)}]"
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return f"{say(value)} by {say(key)}"
        case msgspec.inspect.StructType(cls=cls):
            return f"{cls.__name__} ({', '.join(f'`{name}`' for name in cls.__struct_fields__)})"
    words = {"StrType": "text", "IntType": "number", "BoolType": "true or false", "DateTimeType": "time"}
    name = type(of).__name__
    return words.get(name, name.removesuffix("Type").lower())


def _members(kind: type[Enum]) -> list[Any]:
    return list(kind)


def _accounts() -> Iterator[str]:
    yield "## Accounts\n\nA transfer moves an amount from its `debit` to its `credit` account.\n"
    yield "| account | grows on the side of | never below zero, as asserted by |"
    yield "| --- | --- | --- |"
    guards = {"none": "", "owner": "its desk, at every transfer", "whole": "whoever holds every transfer"}
    for kind in kinds():
        yield f"| `{':'.join((kind.name, *kind.parts))}` | {kind.side} | {guards[kind.guard]} |"
    yield "\n## Reasons of transfers\n"
    yield ", ".join(f"`{reason}`" for reason in Reason) + ".\n"


def _acts() -> Iterator[str]:
    yield "## Fields of acts over HTTP\n"
    yield "`POST /api/v1/tables/TABLE/acts` and `POST /api/v1/pit/acts` take `act`, its own `fields`, and at"
    yield "a table the `round` if it is not the one in play. Who acts, when, and who seconds the server says."
    yield ""
    for title, acts in (("At a table", TABLE_ACTS), ("In the pit", PIT_ACTS)):
        yield f"### {title}\n"
        for name, kind in acts.items():
            example = msgspec.json.encode({"act": name, "fields": example_fields(kind)}).decode()
            yield f"#### `{name}`\n\n{_summary(kind)}\n"
            yield from _fields(kind, own_fields(kind))
            yield f"\n`{example}`\n"
