"""Player Terminals: how they are made known, looked after, and their WebSocket."""

import secrets
from typing import Any
from uuid import uuid4

import msgspec
from litestar import Response, get, post, websocket
from litestar.params import FromPath, JSONBody

from taisai.errors import UnknownName
from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import EnrolTerminal, HandPay, SetService
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.identity import Identity
from taisai.floor.ports import HUB
from taisai.game.people import Actor
from taisai.game.refusals import Refusal
from taisai.server import wire
from taisai.server.http.acts import ActAnswer, act_response
from taisai.server.http.dependencies import AnyRequest, TheGate, TheHub, TheKey, ThePerson
from taisai.server.http.guard import client_place, limited
from taisai.server.http.problems import refusal_problem, server_problem
from taisai.server.live.enrolments import MINUTES, Offered
from taisai.server.live.feed import Feed
from taisai.server.live.hub import Hub
from taisai.server.sockets.common import Socket
from taisai.server.sockets.terminal import key_digest, serve_terminal


class DemoTerminalBody(msgspec.Struct, forbid_unknown_fields=True):
    """The table at which a terminal is wanted."""

    table: str


class NewTerminalBody(msgspec.Struct, forbid_unknown_fields=True):
    """A place for a terminal: its table and what people call it."""

    table: str
    label: str = ""


class EnrolmentCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code that a terminal enrols with, once and soon."""

    terminal: str
    code: str
    minutes: int


class EnrolBody(msgspec.Struct, forbid_unknown_fields=True):
    """The code that the supervisor was given."""

    code: str


class EnrolledTerminal(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal's name and the key that it keeps; the key is shown this once."""

    terminal: str
    key: str
    table: str


class ServiceBody(msgspec.Struct, forbid_unknown_fields=True):
    """A terminal's condition; why, when it is put in service again."""

    service: wire.ServiceState
    reason: str = ""


class HandPayBody(msgspec.Struct, forbid_unknown_fields=True):
    """Why a session is paid by hand, and to whom where the amount asks for it."""

    reason: str
    identity: Identity | None = None


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal as staff see it."""

    terminal: str
    connected: bool
    service: str
    attendant: bool
    session: str | None
    credit: int
    staked: int
    low_credit: bool


@post("/api/v1/terminals", tags=["terminals"], status_code=201)
async def new_terminal(hub: TheHub, person: ThePerson, data: JSONBody[NewTerminalBody]) -> EnrolmentCode:
    """Make a place for a terminal; whoever sets it up types the code."""
    feed = hub.feed(data.table)
    if feed.plan.kind != "cluster":
        raise server_problem(409, "not_here")
    terminal = f"{data.table}-{secrets.token_hex(4)}"
    code = await hub.enrolments.offer(Offered(data.table, terminal, data.label, person.actor))
    return EnrolmentCode(terminal=terminal, code=code, minutes=MINUTES)


@post("/api/v1/terminals/enrol", tags=["terminals"], status_code=201)
async def enrol_terminal(
    request: AnyRequest, hub: TheHub, gate: TheGate, data: JSONBody[EnrolBody]
) -> EnrolledTerminal:
    """A terminal's first contact: a code for a key."""
    await limited(gate.logins, client_place(request))
    offered = await hub.enrolments.take(data.code)
    if offered is None:
        raise server_problem(404, "not_found", message="this code is unknown, used or too old")
    return await enrol(hub, offered.table, offered.terminal, offered.label, offered.by)


@post("/api/v1/demo/terminal", tags=["terminals"], status_code=201)
async def demo_terminal(
    request: AnyRequest, hub: TheHub, gate: TheGate, data: JSONBody[DemoTerminalBody]
) -> EnrolledTerminal:
    """A terminal for whoever asks, in houses that play for nothing."""
    await limited(gate.visitors, client_place(request))
    feed = hub.feed(data.table)
    if not hub.house.plan.play_money or feed.plan.kind != "cluster":
        raise server_problem(403, "not_here")
    if feed.plan.practice:
        return await _practise(hub)
    return await enrol(hub, data.table, _free_place(feed), "demo", SYSTEM)


async def _practise(hub: Hub) -> EnrolledTerminal:
    """A seat of the pool, with a fresh key; nothing is made for it."""
    key = secrets.token_urlsafe(32)
    seat = await hub.practice.take(key_digest(key))
    if seat is None:
        raise server_problem(503, "practice_full", seconds=hub.practice_rules.idle_seconds)
    return EnrolledTerminal(terminal=seat.terminal, key=key, table=seat.table)


def _free_place(feed: Feed) -> str:
    """A new terminal. One that another visitor was given stays theirs, whether or not they are connected."""
    if len(feed.seats.key_digests) >= feed.plan.terminals_max:
        raise server_problem(503, "terminals_full")
    return f"{feed.plan.name}-{secrets.token_hex(4)}"


async def enrol(hub: Hub, table: str, terminal: str, label: str, by: Actor) -> EnrolledTerminal:
    """Make a terminal known with a fresh key."""
    key = secrets.token_urlsafe(32)
    command = EnrolTerminal(
        by=by, at=hub.house.now(), terminal=terminal, key_digest=key_digest(key), label=label
    )
    answer = await hub.house.do(TableAct(table, command), HUB, uuid4().hex)
    if isinstance(answer, Refusal):
        raise refusal_problem(answer, hub.voice)
    return EnrolledTerminal(terminal=terminal, key=key, table=table)


@get("/api/v1/tables/{table:str}/terminals", tags=["terminals"])
async def list_terminals(hub: TheHub, table: FromPath[str]) -> list[SeatView]:
    """The terminals of a cluster."""
    feed = hub.feed(table)
    seats, gathered = feed.seats, feed.gathered
    found = []
    for name in seats.key_digests:
        board = seats.boards.get(name)
        found.append(
            SeatView(
                terminal=name,
                connected=name in gathered.connected,
                service=seats.services.get(name, "in-service"),
                attendant=name in gathered.attendants,
                session=board.session if board else None,
                credit=board.credit if board else 0,
                staked=board.on_felt if board else 0,
                low_credit=feed.low_credit(name),
            )
        )
    return found


@post("/api/v1/tables/{table:str}/terminals/{terminal:str}/service", tags=["terminals"], status_code=200)
async def set_service(
    key: TheKey,
    hub: TheHub,
    person: ThePerson,
    table: FromPath[str],
    terminal: FromPath[str],
    data: JSONBody[ServiceBody],
) -> Response[ActAnswer]:
    """Put a terminal out of service; or ask for it to be unlocked, to which a second person agrees."""
    hub.feed(table)
    command = SetService(
        by=person.actor, at=hub.house.now(), terminal=terminal, service=data.service, reason=data.reason
    )
    return act_response(hub, await hub.house.do(TableAct(table, command), person.actor, key))


@post("/api/v1/tables/{table:str}/terminals/{terminal:str}/hand-pay", tags=["terminals"], status_code=202)
async def hand_pay(
    key: TheKey,
    hub: TheHub,
    person: ThePerson,
    table: FromPath[str],
    terminal: FromPath[str],
    data: JSONBody[HandPayBody],
) -> Response[ActAnswer]:
    """Ask for a session's credits to be paid in cash, as when the printer fails; a second person agrees."""
    feed = hub.feed(table)
    if terminal not in feed.seats.key_digests:
        raise UnknownName("terminal", terminal, feed.seats.key_digests)
    command = HandPay(
        by=person.actor,
        at=hub.house.now(),
        terminal=terminal,
        reason=data.reason,
        identity=data.identity,
    )
    return act_response(hub, await hub.house.do(TableAct(table, command), person.actor, key))


@websocket("/ws/terminal")
async def terminal_socket(socket: Socket, hub: TheHub) -> None:
    """The connection of a Player Terminal; docs/reference/asyncapi.json describes its messages."""
    await serve_terminal(socket, hub)


HANDLERS: list[Any] = [
    new_terminal,
    enrol_terminal,
    demo_terminal,
    list_terminals,
    set_service,
    hand_pay,
    terminal_socket,
]
