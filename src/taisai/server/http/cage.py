"""The cashier: drawers, and tickets sold, looked up, redeemed and voided."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from taisai.errors import InputError, InvariantBroken
from taisai.floor.approvals.asked import CageAct
from taisai.floor.cage import (
    AnyCageCommand,
    CageAnswer,
    CloseDrawer,
    OpenDrawer,
    PrintTicket,
    RedeemTicket,
    SellTicket,
    VoidTicket,
)
from taisai.floor.identity import Identity
from taisai.floor.ticket_office import TicketNumber
from taisai.floor.tickets import Ticket
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.server import wire
from taisai.server.access.logins import Person
from taisai.server.http.acts import ActAnswer, act_response
from taisai.server.http.dependencies import AnyRequest, TheGate, TheHub, TheKey, ThePerson
from taisai.server.http.guard import client_place, limited
from taisai.server.http.problems import refusal_problem
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis
from taisai.server.live.ticket_view import ticket_view


class FloatBody(msgspec.Struct, forbid_unknown_fields=True):
    """The float that a drawer is opened with, in minor units."""

    float_minor: int = msgspec.field(name="float")


class CountBody(msgspec.Struct, forbid_unknown_fields=True):
    """What was counted, in minor units."""

    counted: int


class DrawerView(msgspec.Struct, frozen=True, kw_only=True):
    """A cashier's drawer: its float and what should be in it now."""

    cashier: str
    float_minor: int = msgspec.field(name="float")
    expected: int


class DrawerCount(msgspec.Struct, frozen=True, kw_only=True):
    """A drawer that was closed: what should have been in it, what was, and the difference."""

    expected: int
    counted: int
    variance: int


class TicketStatusView(msgspec.Struct, frozen=True, kw_only=True):
    """Where a ticket stands, and what paying it takes. Its number is masked until it is redeemed.

    `pending` is a ticket that somebody has asked to be made void: nobody pays it until that is decided.
    """

    number: str
    status: str
    amount: int
    issued_at: int
    expires_at: int
    issuer: str
    sequence: int
    ended_at: int | None
    ended_by: str | None
    ended_where: str | None
    copies: int
    needs_identity: bool
    needs_second: bool


class SaleBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a ticket is sold for, in minor units."""

    amount: int


class TicketBody(msgspec.Struct, forbid_unknown_fields=True):
    """A ticket by its number: whoever has the number has the money, so it is in no address and no log."""

    number: str


class VoidBody(TicketBody, kw_only=True, forbid_unknown_fields=True):
    """Why a ticket is void, and whether another takes its place; if none does, whose it is."""

    reason: str
    reissue: bool = False
    identity: Identity | None = None


class PaymentBody(TicketBody, kw_only=True, forbid_unknown_fields=True):
    """Whose ticket it is, where the amount asks for it."""

    identity: Identity | None = None


class AskPaymentBody(PaymentBody, kw_only=True, forbid_unknown_fields=True):
    """What a second person is told of a payment."""

    reason: str = ""


class ReprintBody(msgspec.Struct, forbid_unknown_fields=True):
    """Why a ticket is printed again."""

    reason: str


class Redeemed(msgspec.Struct, frozen=True, kw_only=True):
    """What is paid out for a ticket."""

    amount: int
    ticket: TicketStatusView


async def _ask(hub: Hub, person: Person, key: str, command: AnyCageCommand) -> CageAnswer:
    answer = await hub.house.do(CageAct(command), person.actor, key)
    if isinstance(answer, Refusal):
        raise refusal_problem(answer, hub.voice)
    if not isinstance(answer, CageAnswer):
        raise InvariantBroken(f"{type(command).__name__} was answered by {type(answer).__name__}")
    return answer


@get("/api/v1/drawers", tags=["cage"])
async def list_drawers(hub: TheHub) -> list[DrawerView]:
    """The drawers that are open."""
    drawers = hub.house.read.drawers()
    return [
        DrawerView(cashier=name, float_minor=drawer.float_minor, expected=drawer.expected_minor)
        for name, drawer in drawers.items()
    ]


@post("/api/v1/drawers", tags=["cage"], status_code=201)
async def open_drawer(key: TheKey, hub: TheHub, person: ThePerson, data: JSONBody[FloatBody]) -> DrawerView:
    """Begin with a float."""
    command = OpenDrawer(by=person.actor, at=hub.house.now(), float_minor=data.float_minor)
    await _ask(hub, person, key, command)
    return DrawerView(cashier=person.actor.name, float_minor=data.float_minor, expected=data.float_minor)


@post("/api/v1/drawers/close", tags=["cage"], status_code=200)
async def close_drawer(key: TheKey, hub: TheHub, person: ThePerson, data: JSONBody[CountBody]) -> DrawerCount:
    """End with a count; the difference is kept."""
    command = CloseDrawer(by=person.actor, at=hub.house.now(), counted_minor=data.counted)
    answer = await _ask(hub, person, key, command)
    return DrawerCount(expected=answer.amount or 0, counted=data.counted, variance=answer.variance_minor or 0)


@post("/api/v1/tickets", tags=["cage"], status_code=201)
async def sell_ticket(
    key: TheKey, hub: TheHub, person: ThePerson, data: JSONBody[SaleBody]
) -> wire.TicketView:
    """Cash for a ticket."""
    if data.amount > (hub.house.plan.ticket_max_minor or AMOUNT_MINOR_MAX):
        refusal = by_house(RefusalCode.AMOUNT_INVALID, amount=data.amount)
        raise refusal_problem(refusal, hub.voice)
    tickets = hub.house.tickets
    number = tickets.for_request(person.actor, key)
    ticket = tickets.to_issue(number)
    command = SellTicket(by=person.actor, at=hub.house.now(), amount=data.amount, ticket=ticket)
    await _ask(hub, person, key, command)
    return await _printed(hub, number)


async def _printed(hub: Hub, number: TicketNumber) -> wire.TicketView:
    ticket = await _find(hub, number)
    return ticket_view(hub.house.plan, number.digits, ticket.issued, duplicate=ticket.copies > 0)


async def _find(hub: Hub, number: TicketNumber) -> Ticket:
    ticket = await hub.house.tickets.find(number.name)
    if ticket is None:
        raise refusal_problem(by_house(RefusalCode.TICKET_UNKNOWN), hub.voice)
    return ticket


@get("/api/v1/tickets/issued/{request_key:str}", tags=["cage"])
async def get_issued(hub: TheHub, person: ThePerson, request_key: FromPath[str]) -> wire.TicketView:
    """The ticket that one's own request of this Idempotency-Key brought; what was printed is a duplicate."""
    return await _printed(hub, hub.house.tickets.for_request(person.actor, request_key))


@post("/api/v1/tickets/issued/{request_key:str}/print", tags=["cage"], status_code=200)
async def print_ticket(
    key: TheKey, hub: TheHub, person: ThePerson, request_key: FromPath[str]
) -> wire.TicketView:
    """Put on the record that one's own ticket is printed, once, and get it as it is printed."""
    number = hub.house.tickets.for_request(person.actor, request_key)
    printing = PrintTicket(by=person.actor, at=hub.house.now(), ticket=number.name)
    answer = await _ask(hub, person, key, printing)
    issued = (await _find(hub, number)).issued
    return ticket_view(hub.house.plan, number.digits, issued, duplicate=(answer.copy or 0) > 1)


@post("/api/v1/tickets/issued/{request_key:str}/reprint", tags=["cage"], status_code=202)
async def reprint_ticket(
    key: TheKey, hub: TheHub, person: ThePerson, request_key: FromPath[str], data: JSONBody[ReprintBody]
) -> Response[ActAnswer]:
    """Ask for a duplicate of one's own ticket; a second person agrees, and it is at /tickets/issued/KEY."""
    number = hub.house.tickets.for_request(person.actor, request_key)
    amount = (await _find(hub, number)).amount
    command = PrintTicket(
        by=person.actor, at=hub.house.now(), ticket=number.name, amount=amount, reason=data.reason
    )
    return act_response(hub, await hub.house.do(CageAct(command), person.actor, key))


@post("/api/v1/tickets/look-up", tags=["cage"], status_code=200)
async def get_ticket(
    request: AnyRequest, hub: TheHub, gate: TheGate, data: JSONBody[TicketBody]
) -> TicketStatusView:
    """Where a ticket stands."""
    await limited(gate.redemptions, client_place(request))
    read = hub.house.tickets.read(data.number)
    return _status(hub, read, await _find(hub, read))


def _status(hub: Hub, number: TicketNumber, ticket: Ticket) -> TicketStatusView:
    ended, policy = ticket.ended, hub.house.plan.cage
    pending = hub.house.tickets.pending(number.name, ticket)
    status = "pending" if pending else str(ticket.status_at(hub.house.now()))
    return TicketStatusView(
        number=number.shown(whole=ended is not None),
        status=status,
        amount=ticket.amount,
        issued_at=millis(ticket.issued.at),
        expires_at=millis(ticket.issued.expires_at),
        issuer=ticket.issued.where,
        sequence=ticket.issued.sequence,
        ended_at=millis(ended.at) if ended else None,
        ended_by=ended.by.name if ended else None,
        ended_where=ended.where if ended else None,
        copies=ticket.copies,
        needs_identity=policy.needs_identity(ticket.amount),
        needs_second=policy.needs_second(ticket.amount),
    )


@post("/api/v1/tickets/redeem", tags=["cage"], status_code=200)
async def redeem_ticket(
    request: AnyRequest,
    key: TheKey,
    hub: TheHub,
    gate: TheGate,
    person: ThePerson,
    data: JSONBody[PaymentBody],
) -> Redeemed:
    """A ticket for cash, exactly once."""
    await limited(gate.redemptions, client_place(request))
    read = hub.house.tickets.read(data.number)
    answer = await _ask(hub, person, key, _payment(hub, person, read, data))
    return Redeemed(amount=answer.amount or 0, ticket=_status(hub, read, await _find(hub, read)))


def _payment(hub: Hub, person: Person, number: TicketNumber, data: PaymentBody) -> RedeemTicket:
    return RedeemTicket(by=person.actor, at=hub.house.now(), ticket=number.name, identity=data.identity)


@post("/api/v1/tickets/payment", tags=["cage"], status_code=202)
async def ask_payment(
    request: AnyRequest,
    key: TheKey,
    hub: TheHub,
    gate: TheGate,
    person: ThePerson,
    data: JSONBody[AskPaymentBody],
) -> Response[ActAnswer]:
    """Ask for a payment that takes a second person; it is made from one's own drawer when they agree."""
    await limited(gate.redemptions, client_place(request))
    read = hub.house.tickets.read(data.number)
    amount = (await _find(hub, read)).amount
    payment = _payment(hub, person, read, data)
    command = msgspec.structs.replace(payment, amount=amount, reason=data.reason)
    return act_response(hub, await hub.house.do(CageAct(command), person.actor, key))


@post("/api/v1/tickets/void", tags=["cage"], status_code=202)
async def void_ticket(
    request: AnyRequest,
    key: TheKey,
    hub: TheHub,
    gate: TheGate,
    person: ThePerson,
    data: JSONBody[VoidBody],
) -> Response[ActAnswer]:
    """Ask for a ticket to be made void; a second person agrees. Its successor is at /tickets/issued/KEY."""
    await limited(gate.redemptions, client_place(request))
    if not data.reason.strip():
        raise InputError("expected a reason")
    tickets = hub.house.tickets
    read = tickets.read(data.number)
    ticket = await _find(hub, read)
    reissue = tickets.to_issue(tickets.for_request(person.actor, key)) if data.reissue else None
    command = VoidTicket(
        by=person.actor,
        at=hub.house.now(),
        ticket=read.name,
        second=None,
        reason=data.reason,
        reissue=reissue,
        amount=ticket.amount,
        identity=data.identity,
    )
    return act_response(hub, await hub.house.do(CageAct(command), person.actor, key))


HANDLERS: list[Any] = [
    list_drawers,
    open_drawer,
    close_drawer,
    sell_ticket,
    get_issued,
    print_ticket,
    reprint_ticket,
    get_ticket,
    redeem_ticket,
    ask_payment,
    void_ticket,
]
