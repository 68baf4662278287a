"""Reports on tickets for the cage and the auditor: what was issued, what became of it, what is owed."""

from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import QueryParameter

from taisai.floor.streams import CAGE, ticket_stream
from taisai.floor.views.rounds import TICKETS, TicketRow
from taisai.floor.views.ticket_log import LoggedTicket
from taisai.floor.views.ticket_reports import TicketLiability, liability, tickets_of
from taisai.record.journal import micros
from taisai.record.views import catch_up
from taisai.server.http.dependencies import TheHub
from taisai.server.live.hub import Hub

_HIDDEN = "•" * 14


class LoggedTicketView(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket in a report. Its number is never told here."""

    number: str
    where: str
    sequence: int
    amount: int
    status: str
    issued_at: int
    expires_at: int
    ended_at: int | None


class TicketPage(msgspec.Struct, frozen=True, kw_only=True):
    """Tickets, newest first, and where the next page begins."""

    items: list[LoggedTicketView]
    next: int | None


@get("/api/v1/tickets", tags=["cage"])
async def list_tickets(
    hub: TheHub,
    where: Annotated[str, QueryParameter(min_length=1, max_length=96)] = CAGE,
    cursor: Annotated[int | None, QueryParameter(ge=0)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 35,
) -> TicketPage:
    """The tickets that a terminal printed, or the cage sold, newest first."""
    store, found = hub.house.store, []
    async for ticket in tickets_of(store, where, before=cursor):
        found.append(ticket)
        if len(found) > limit:
            break
    shown = found[:limit]
    await catch_up(store, TICKETS)
    rows = await store.view_get(TICKETS.name, [ticket_stream(ticket.ticket) for ticket in shown])
    items = [_view(hub, ticket, rows.get(ticket_stream(ticket.ticket))) for ticket in shown]
    return TicketPage(items=items, next=shown[-1].sequence if len(found) > limit else None)


def _view(hub: Hub, ticket: LoggedTicket, row: bytes | None) -> LoggedTicketView:
    stands = msgspec.json.decode(row, type=TicketRow) if row else None
    status = stands.status if stands else "valid"
    if status == "valid" and micros(hub.house.now()) >= ticket.expires_at:
        status = "expired"
    return LoggedTicketView(
        number=_HIDDEN + ticket.last_four,
        where=ticket.where,
        sequence=ticket.sequence,
        amount=ticket.amount,
        status=status,
        issued_at=ticket.issued_at // 1000,
        expires_at=ticket.expires_at // 1000,
        ended_at=stands.ended_at // 1000 if stands and stands.ended_at else None,
    )


@get("/api/v1/tickets/liability", tags=["cage"])
async def get_liability(hub: TheHub) -> TicketLiability:
    """What the house owes on tickets, by the tickets and by the ledger: the two are one amount."""
    return await liability(hub.house.store, micros(hub.house.now()))


HANDLERS: list[Any] = [list_tickets, get_liability]
