"""The proofs of the bets behind a ticket, for the cashier to print: files, and codes that lead to them."""

from typing import Any
from urllib.parse import quote

import msgspec
from litestar import post
from litestar.params import JSONBody

from taisai.floor.proofs.session_receipts import ReceiptPlace, receipts_of_session, session_of_ticket
from taisai.floor.tickets import Ticket
from taisai.game.refusals import RefusalCode, by_house
from taisai.server.http.cage import TicketBody
from taisai.server.http.dependencies import AnyRequest, TheConfig, TheGate, TheHub
from taisai.server.http.guard import client_place, limited
from taisai.server.http.phone import phone_address
from taisai.server.http.problems import refusal_problem
from taisai.server.live.hub import Hub
from taisai.server.live.ticket_view import qr_svg


class PrintedReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """One round: the file at `address`, and a code of `link`, where a phone finds the file and its check."""

    table: str
    round: int
    address: str
    link: str
    qr_svg: str


class TicketReceipts(msgspec.Struct, frozen=True, kw_only=True):
    """The session behind a ticket, its rounds newest first, and how many older ones were left off.

    A ticket that was sold, and one of a house without proofs, has none.
    """

    session: str | None
    receipts: list[PrintedReceipt]
    left_off: int = 0


@post("/api/v1/tickets/receipts", tags=["cage"], status_code=200)
async def get_ticket_receipts(
    request: AnyRequest, hub: TheHub, gate: TheGate, config: TheConfig, data: JSONBody[TicketBody]
) -> TicketReceipts:
    """The receipts of the session that ended with a ticket."""
    await limited(gate.redemptions, client_place(request))
    ticket = await hub.house.tickets.find(hub.house.tickets.read(data.number).name)
    if ticket is None:
        raise refusal_problem(by_house(RefusalCode.TICKET_UNKNOWN), hub.voice)
    session, notarising = await _session(hub, ticket), hub.house.notarising
    if session is None or notarising is None:
        return TicketReceipts(session=session, receipts=[])
    found = await receipts_of_session(hub.house.store, notarising, session)
    host, scheme = request.headers.get("host", ""), request.url.scheme
    base = phone_address(config, host, scheme) or f"{scheme}://{host}/"
    printed = [_printed(base, notarising.origin, place) for place in found.receipts]
    return TicketReceipts(session=session, receipts=printed, left_off=found.left_off)


async def _session(hub: Hub, ticket: Ticket) -> str | None:
    for name in hub.feeds:
        terminal = hub.house.read.table(name).terminals().get(ticket.issued.where)
        if terminal is not None:
            where = ticket.issued.where
            return await session_of_ticket(hub.house.store, where, terminal.sessions, ticket.issued)
    return None


def _printed(base: str, origin: str, place: ReceiptPlace) -> PrintedReceipt:
    parts = (origin, place.table, str(place.round), str(place.place), place.salt, place.leaf)
    link = f"{base}verify#{','.join(quote(part, safe='') for part in parts)}"
    return PrintedReceipt(
        table=place.table, round=place.round, address=place.address, link=link, qr_svg=qr_svg(link)
    )


HANDLERS: list[Any] = [get_ticket_receipts]
