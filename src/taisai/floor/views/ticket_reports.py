"""Reports on tickets: what a place issued, newest first, and what the house still owes."""

from collections.abc import AsyncIterator

import msgspec

from taisai.floor.views.rounds import TICKETS, TicketRow
from taisai.floor.views.ticket_log import TICKET_LOG, LoggedTicket, log_key
from taisai.ledger.accounts import TICKETS as LIABILITY
from taisai.record.ports import Store
from taisai.record.views import balances, catch_up


async def tickets_of(store: Store, where: str, *, before: int | None) -> AsyncIterator[LoggedTicket]:
    """A place's tickets, newest first, from the one before a sequence number."""
    await catch_up(store, TICKET_LOG)
    after = "" if before is None else log_key(where, before)
    async for _, row in store.view_rows(TICKET_LOG.name, f"{where}/", after=after):
        yield msgspec.json.decode(row, type=LoggedTicket)


class TicketLiability(msgspec.Struct, frozen=True, kw_only=True):
    """What the house owes on tickets: by the tickets themselves, and by the ledger."""

    tickets: int
    outstanding: int
    expired: int
    ledger: int


async def liability(store: Store, now: int) -> TicketLiability:
    """Add up every ticket that is neither redeemed nor void; an expired one is owed until it is ended."""
    await catch_up(store, TICKETS)
    count = outstanding = expired = 0
    async for _, row in store.view_rows(TICKETS.name):
        ticket = msgspec.json.decode(row, type=TicketRow)
        if ticket.status == "valid":
            count, outstanding = count + 1, outstanding + ticket.amount
            expired += ticket.amount if ticket.expires_at <= now else 0
    debits, credits = (await balances(store, [LIABILITY]))[LIABILITY]
    return TicketLiability(tickets=count, outstanding=outstanding, expired=expired, ledger=credits - debits)
