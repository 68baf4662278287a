"""Reports on tickets: a place's list, and what the house owes by the tickets and by the ledger."""

from taisai.floor import cage
from taisai.floor.views.ticket_reports import TicketLiability, liability, tickets_of
from tests.evening import CASHIER, Script, batches_of, steps
from tests.unit.floor.kept_evening import empty_store, kept_evening


async def test_a_places_tickets_come_newest_first_from_before_a_number() -> None:
    """Page after page; before the first there is nothing, and another place has its own."""
    store = await kept_evening()

    async def found(where: str, before: int | None) -> list[int]:
        return [ticket.sequence async for ticket in tickets_of(store, where, before=before)]

    assert await found("cage", None) == [2, 1]
    assert await found("cage", 2) == [1]
    assert await found("cage", 1) == []
    assert await found("s3", None) == [2]
    assert await found("s", None) == []


async def test_what_was_redeemed_or_void_is_owed_no_more() -> None:
    """After the evening every ticket has ended, and in an empty record there was none."""
    nothing = TicketLiability(tickets=0, outstanding=0, expired=0, ledger=0)
    assert await liability(await kept_evening(), 0) == nothing
    assert await liability(empty_store(), 0) == nothing


async def test_an_expired_ticket_is_owed_until_it_is_ended() -> None:
    """From the microsecond on at which it expires, not before; the ledger agrees."""
    script = Script()
    script.wave(script.ask("cage", "cage-1", cage.OpenDrawer, CASHIER, float_minor=0))
    for amount in (7_000, 500):
        script.wave(script.ticket("cage", "cage-1", cage.SellTicket, CASHIER, amount=amount)[1])
    store = empty_store()
    for batch in await batches_of(steps(script.waves)):
        await store.append(batch)
    first = min([ticket.expires_at async for ticket in tickets_of(store, "cage", before=None)])
    for now, expired in ((first - 1, 0), (first, 7_000), (first * 2, 7_500)):
        owed = await liability(store, now)
        assert owed == TicketLiability(tickets=2, outstanding=7_500, expired=expired, ledger=7_500)
