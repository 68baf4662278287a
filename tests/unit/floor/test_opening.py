"""Desks of tables, and what they read from the journal before they decide: single rounds and tickets."""

import pytest

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor import opening
from taisai.floor.opening import bring_ticket, load_ticket
from taisai.floor.tickets import Ticket, TicketIssued, TicketRedeemed, TicketStatus
from taisai.floor.views.round_reading import load_round, round_events
from taisai.game.acts import Phase
from tests.unit.floor.kept_evening import empty_store, kept_evening
from tests.unit.house import SYSTEM, minutes

ISSUED = TicketIssued(
    by=SYSTEM, at=minutes(0), where="s9", amount=5, expires_at=minutes(9), sequence=1, last_four="1234"
)


async def test_a_round_is_loaded_as_it_stands_after_everything_that_came_later() -> None:
    """Corrected, or void by dice that were found damaged in the next round."""
    store = await kept_evening()
    first, second = await load_round(store, "T1", 1), await load_round(store, "T1", 2)
    assert (first.phase, first.roll, sum(first.paid.values())) == (Phase.CONCLUDED, Roll(1, 2, 3), 1_300)
    assert (second.phase, second.ground) == (Phase.VOID, "damaged-dice")
    assert {event.round async for event in round_events(store, "T1", 2)} == {2}


async def test_a_round_that_never_was_is_named_and_has_no_events() -> None:
    """At a table that is, and in a record in which nothing is."""
    store = await kept_evening()
    with pytest.raises(InputError, match="the table T1 has no round 4"):
        await load_round(store, "T1", 4)
    assert [event async for event in round_events(empty_store(), "T1", 1)] == []


async def test_a_ticket_that_a_desk_has_ended_stays_ended_whatever_the_journal_says_yet() -> None:
    """One that is valid here is looked up again; one that nobody issued is none."""
    store = await kept_evening()
    stream = next(name for name in store._disk.streams if name.startswith("ticket:"))
    name = stream.removeprefix("ticket:")
    stored = await load_ticket(store, name)
    assert stored is not None
    assert stored.status is TicketStatus.REDEEMED
    held = {name: Ticket(ISSUED)}
    await bring_ticket(store, held, name)
    assert held == {name: stored}
    ended = Ticket(ISSUED)
    ended.evolve(ISSUED)
    ended.evolve(TicketRedeemed(by=SYSTEM, at=minutes(1), where="s9"))
    held = {name: ended}
    await bring_ticket(store, held, name)
    assert held[name] is ended
    assert await load_ticket(store, "0" * 64) is None


async def test_what_is_held_of_tickets_is_bounded_and_the_oldest_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that was asked for is still there."""
    monkeypatch.setattr(opening, "TICKETS_HELD", 2)
    held = {name: Ticket(ISSUED) for name in ("a", "b", "c", "d")}
    await bring_ticket(empty_store(), held, "d")
    assert list(held) == ["c", "d"]
