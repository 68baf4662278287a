"""Desks on every store: one writer a table, one redemption a ticket, one answer a command."""

import asyncio
import random
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

from taisai.errors import StoreConflict, StoreUnavailable
from taisai.floor import cage
from taisai.floor.cluster import messages as terminals
from taisai.floor.desks.desk import Desk
from taisai.floor.desks.endings import DeskStopped
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.table import messages as table
from taisai.floor.table.state import TableState
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.ports import Store
from tests.evening import (
    CASHIER,
    DEALER,
    ELECTRONIC,
    LIVE,
    SUPERVISOR,
    SYSTEM,
    Floor,
    check_evening,
    evening,
    expected,
    expected_answers,
    expected_streams,
    sound,
    whole_streams,
)
from tests.record import START, Place


async def two_stores(at: Place) -> tuple[Store, Store]:
    """Two processes on one record; a file has one process, so there it is one store twice."""
    store = await at.open()
    return store, store if isinstance(at.where, Path) else await at.open(writer="second")


async def table_on(store: Store, at: Place) -> Desk[TableState]:
    desk = table_desk("T1", store, at.clock)
    await desk.start()
    return desk


def buy(player: str) -> table.BuyIn:
    return table.BuyIn(by=DEALER, at=START, player=player, amount=100)


async def test_an_evening_is_recorded_alike_in_every_store(at: Place) -> None:
    """Byte by byte what it is in memory, and everything asked again has the same answer."""
    store = await at.open()
    should = expected()
    for _ in range(2):
        floor = Floor(store, at.clock)
        await floor.start()
        assert await floor.play(evening()) == expected_answers()
        await floor.stop()
    async with store.snapshot() as snapshot:
        assert await check_evening(snapshot, should, expected_answers()) == set(should)
        assert await whole_streams(snapshot) == expected_streams(should)


async def test_of_two_desks_on_one_table_the_last_to_take_it_writes(at: Place) -> None:
    """The other one's next act is a conflict: it stops, and nothing of it is on the record."""
    one, other = await two_stores(at)
    first = await table_on(one, at)
    await first.ask("pit", "open", table.OpenTable(by=SUPERVISOR, at=START, settings=LIVE))
    second = await table_on(other, at)
    outcome, answer = await asyncio.gather(
        first.ask("ann", "1", buy("ann")), second.ask("bob", "1", buy("bob")), return_exceptions=True
    )
    assert isinstance(outcome, DeskStopped)
    assert isinstance(answer, table.Accepted)
    assert first.stopped
    assert not second.stopped
    assert set(await one.answers([("ann", "1"), ("bob", "1")])) == {("bob", "1")}
    again = await second.ask("ann", "1", buy("ann"))
    assert again.amount == 100
    await second.stop()


async def test_two_desks_that_fight_for_a_table_never_both_win(at: Place) -> None:
    """Each takes it when it has lost it; every command is done once, by one of them."""
    one, other = await two_stores(at)
    stores, chance = [one, other], random.Random(1)
    desk = await table_on(one, at)
    await desk.ask("pit", "open", table.OpenTable(by=SUPERVISOR, at=START, settings=LIVE))
    desks = [desk, await table_on(other, at)]

    async def client(name: str) -> int:
        done = 0
        for number in range(12):
            while True:
                place = chance.randrange(2)
                try:
                    answer = await desks[place].ask(name, f"c{number}", buy(name))
                except (StoreUnavailable, StoreConflict):
                    await retake(place)
                    continue
                assert answer.amount == 100
                done += 1
                break
        return done

    async def retake(place: int) -> None:
        if desks[place].stopped:
            try:
                desks[place] = await table_on(stores[place], at)
            except StoreConflict:
                return

    players = ["ann", "bob", "cat"]
    assert await asyncio.gather(*map(client, players)) == [12, 12, 12]
    last = await table_on(one, at)
    assert [last.state.book.balance(f"credit:{player}") for player in players] == [1200] * 3
    async with one.snapshot() as snapshot:
        await sound(snapshot)
    await last.stop()


class Redeemers:
    """A cage and a terminal that are handed the same tickets."""

    def __init__(self, one: Store, other: Store, at: Place) -> None:
        self.cage, self.cluster = cage_desk(one, at.clock), cluster_desk("C1", other, at.clock)

    async def start(self) -> None:
        await self.cage.start()
        await self.cluster.start()
        await self.cage.ask("kim", "open", cage.OpenDrawer(by=CASHIER, at=START, float_minor=10**6))
        await self.cluster.ask("pit", "open", table.OpenTable(by=SUPERVISOR, at=START, settings=ELECTRONIC))
        enrol = terminals.EnrolTerminal(by=SUPERVISOR, at=START, terminal="s1", key_digest="0" * 64)
        await self.cluster.ask("pit", "enrol", enrol)

    async def sell(self, name: str) -> None:
        new = terminals.NewTicket(name=name, last_four="1234", expires_at=START + timedelta(days=1))
        await self.cage.ask(
            "kim", f"sell-{name}", cage.SellTicket(by=CASHIER, at=START, amount=70, ticket=new)
        )

    async def race(self, name: str) -> list[Any]:
        """Two at the cage and two at the terminal, at once."""
        paid = cage.RedeemTicket(by=CASHIER, at=START, ticket=name)
        put_in = terminals.CreditIn(by=SYSTEM, at=START, terminal="s1", source="ticket", ticket=name)
        asked = [
            self.cage.ask("kim", f"pay-{name}", paid),
            self.cluster.ask("s1", f"in-{name}", put_in),
            self.cage.ask("kim", f"again-{name}", paid),
            self.cluster.ask("s1", f"more-{name}", put_in),
        ]
        return list(await asyncio.gather(*asked))


async def test_a_ticket_at_the_terminal_and_at_the_cage_is_paid_once(at: Place) -> None:
    """Whoever is first has it; the others are told that it was redeemed, and no desk stops."""
    one, other = await two_stores(at)
    floor = Redeemers(one, other, at)
    await floor.start()
    winners: Counter[str] = Counter()
    for number in range(20):
        await floor.sell(f"t{number}")
        answers = await floor.race(f"t{number}")
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        assert [refusal.code for refusal in refused] == [RefusalCode.TICKET_REDEEMED] * 3
        winners.update(type(answer).__name__ for answer in answers if not isinstance(answer, Refusal))
    assert sum(winners.values()) == 20
    async with one.snapshot() as snapshot:
        await sound(snapshot)
    assert [event.type async for event in one.events("ticket:t7")] == ["TicketIssued", "TicketRedeemed"]
    await floor.cage.stop()
    await floor.cluster.stop()
