"""The interface described for machines: OpenAPI from the handlers, AsyncAPI from the wire's messages."""

import inspect
from typing import Any, Final

import msgspec
from litestar import Litestar

from taisai import __version__
from taisai.floor.roads import DiceColumn, RoadCell
from taisai.server import wire
from taisai.server.http.act_schemas import with_acts, with_arrays, with_waiting
from taisai.server.http.api_docs.examples import message_example, with_examples

_REFERENCE: Final = "#/components/schemas/{name}"
_TERMINAL: Final = wire.FromTerminal.__args__
_CONSOLE: Final = wire.FromConsole.__args__
_TO_TERMINAL: Final = (
    wire.Snapshot,
    wire.RoundChanged,
    wire.TableChanged,
    wire.SlipRegistered,
    wire.SlipProven,
    wire.Refused,
    wire.Settled,
    wire.CreditChanged,
    wire.TicketPaper,
    wire.SessionChanged,
    wire.Readiness,
    wire.TerminalService,
    wire.Acknowledged,
    wire.Pong,
    wire.Bye,
)
_TO_CONSOLE: Final = (
    wire.Snapshot,
    wire.RoundChanged,
    wire.TableChanged,
    wire.ConsoleView,
    wire.Acknowledged,
    wire.NeedsApproval,
    wire.Refused,
    wire.Pong,
    wire.Bye,
)
_TO_DISPLAY: Final = (wire.Snapshot, wire.RoundChanged, wire.TableChanged, wire.StillHere)


def openapi_bytes(app: Litestar) -> bytes:
    """The OpenAPI file, the same for the same program."""
    return _written(openapi(app))


def openapi(app: Litestar) -> dict[str, Any]:
    """The HTTP interface as its handlers say it, with the shape of every act and an example of everything."""
    document = with_waiting(with_acts(app.openapi_schema.to_schema()))
    plain: dict[str, Any] = msgspec.to_builtins(with_arrays(document, RoadCell, DiceColumn))
    return with_examples(plain)


def asyncapi() -> dict[str, Any]:
    """The messages that travel over WebSockets and event streams, and which way."""
    used = list(dict.fromkeys([*_TERMINAL, *_CONSOLE, *_TO_TERMINAL, *_TO_CONSOLE, *_TO_DISPLAY]))
    _, parts = msgspec.json.schema_components(used, ref_template=_REFERENCE)
    channels = {
        "terminal": _channel("/ws/terminal", "A Player Terminal.", [*_TERMINAL, *_TO_TERMINAL]),
        "console": _channel(
            "/ws/console", "A Game Console; the cookie of a login is needed.", [*_CONSOLE, *_TO_CONSOLE]
        ),
        "display": _channel(
            "/api/v1/tables/{table}/events",
            "Server-sent events for displays: snapshot, round, table, ping.",
            _TO_DISPLAY,
        ),
    }
    channels["display"]["parameters"] = {"table": {"description": "The name of a table."}}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "taisai",
            "version": __version__,
            "description": "Messages between the server and terminals, consoles and displays. Each is one "
            "JSON text; `type` names it. Money is whole minor units, times are epoch milliseconds.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": {
            **_operations("terminal", _TERMINAL, "receive"),
            **_operations("terminal", _TO_TERMINAL, "send"),
            **_operations("console", _CONSOLE, "receive"),
            **_operations("console", _TO_CONSOLE, "send"),
            **_operations("display", _TO_DISPLAY, "send"),
        },
        "components": {
            "messages": {kind.__name__: _message(kind, parts) for kind in used},
            "schemas": parts,
        },
    }


def asyncapi_bytes() -> bytes:
    """The AsyncAPI file."""
    return _written(asyncapi())


def _channel(address: str, description: str, kinds: Any) -> dict[str, Any]:
    messages = {
        kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in dict.fromkeys(kinds)
    }
    return {"address": address, "description": description, "messages": messages}


def _operations(channel: str, kinds: Any, action: str) -> dict[str, Any]:
    return {
        f"{channel}.{action}.{kind.__name__}": {
            "action": action,
            "channel": {"$ref": f"#/channels/{channel}"},
            "messages": [{"$ref": f"#/channels/{channel}/messages/{kind.__name__}"}],
        }
        for kind in kinds
    }


def _message(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": kind.__name__,
        "summary": (inspect.getdoc(kind) or "").splitlines()[0],
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        "examples": [{"payload": message_example(parts, kind.__name__)}],
    }


def _written(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
