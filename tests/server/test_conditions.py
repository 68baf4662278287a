"""Terminals in every condition over their sockets: cut off in flight, low on credit, broken, guessing."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from taisai.client import Refused, Terminal, fresh_id
from taisai.floor.tickets import check_digits
from taisai.server import wire
from tests.server.houses import CLUSTER, Serving, dealt, serving, settings


async def test_a_slip_in_flight_when_the_line_is_cut_is_a_bet_or_is_not(house: Serving) -> None:
    """ETG 5.2: what was registered is settled and waits; what was not never left the credit."""
    console, chance = await house.console("C1"), random.Random(3)
    key = (await house.terminal(credit=100_000)).key
    credit = 100_000
    for number in range(1, 9):
        terminal = Terminal(house.address, key)
        await terminal.open()
        await console.act("StartRound")
        await terminal.betting(after=number - 1)
        message = wire.Place(id=fresh_id(), round=number, version=1, slip={"small": 1_000})
        await terminal.send(message)
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        await terminal.cut()
        await dealt(console, [4, 5, 6])
        again = Terminal(house.address, key)
        await again.open()
        assert again.session is not None
        registered = again.session.slip_round == number
        credit -= 1_000 if registered else 0
        assert again.credit == credit
        assert (number in again.settled) is registered
        if not registered:
            with pytest.raises(Refused):
                await again.ask(message)
        await again.close()
    state = house.parts.house.table("C1").state
    assert state.book.balance(f"credit:{key.terminal}.1") == credit


async def test_a_terminal_that_lost_contact_is_paid_by_hand(house: Serving) -> None:
    """Standards 23: the credits can be had though the terminal is dead, and it learns of it afterwards."""
    dealer, terminal = await house.person("dealer"), await house.terminal(credit=4_000)
    await terminal.cut()
    path = f"/tables/C1/terminals/{terminal.key.terminal}/hand-pay"
    asked = await dealer.post(path, {"reason": "it is dead"}, key=fresh_id())
    assert (await (await house.person("supervisor")).approve(asked["approval"]))["amount"] == 4_000
    back = Terminal(house.address, terminal.key)
    await house.stack.enter_async_context(back)
    assert (back.session, back.credit) == (None, 0)


async def test_credits_too_few_for_any_bet_are_shown(house: Serving) -> None:
    """To the player, at the console and to whoever looks at the terminals; more credits end it."""
    console, dealer = await house.console("C1"), await house.person("dealer")
    terminal = await house.terminal(credit=99)
    low = Terminal(house.address, terminal.key)
    await house.stack.enter_async_context(low)
    assert low.session is not None
    assert low.session.low_credit
    await console.wait_until(
        lambda: console.view is not None and any(each.low_credit for each in console.view.terminals)
    )
    assert [row["low_credit"] for row in await dealer.get("/tables/C1/terminals")] == [True]
    await low.cash_in(1)
    assert [row["low_credit"] for row in await dealer.get("/tables/C1/terminals")] == [False]
    again = Terminal(house.address, terminal.key)
    await house.stack.enter_async_context(again)
    assert again.session is not None
    assert not again.session.low_credit


async def test_a_printer_fault_stops_tickets_and_calls_for_a_hand_pay(house: Serving) -> None:
    """Reported by the terminal, on the record, in the meters; the attendant pays and clears it."""
    dealer, terminal = await house.person("dealer"), await house.terminal(credit=2_500)
    await terminal.send(wire.Service(state="printer-fault"))
    await terminal.wait_until(
        lambda: terminal.session is not None and terminal.session.service == "printer-fault"
    )
    with pytest.raises(Refused) as refused:
        await terminal.cash_out()
    assert refused.value.code == "terminal_out_of_service"
    where = f"/tables/C1/terminals/{terminal.key.terminal}"
    supervisor = await house.person("supervisor")
    asked = await dealer.post(f"{where}/hand-pay", {"reason": "no paper"}, key=fresh_id())
    assert (await supervisor.approve(asked["approval"]))["amount"] == 2_500
    body = {"service": "in-service", "reason": "a new roll"}
    await supervisor.approve((await dealer.post(f"{where}/service", body, key=fresh_id()))["approval"])
    rows = await supervisor.get("/tables/C1/meters")
    meters = next(row["meters"] for row in rows if row["terminal"] == terminal.key.terminal)
    assert (meters["printer_faults"], meters["hand_pays"], meters["total_out"]) == (1, 2_500, 2_500)
    assert (meters["drop"], meters["total_in"], meters["credit"]) == (2_500, 2_500, 0)


async def test_a_terminal_cannot_undo_what_staff_have_shut(house: Serving) -> None:
    """Its own word is not enough; it may still pay its player out."""
    dealer, terminal = await house.person("dealer"), await house.terminal(credit=2_500)
    where = f"/tables/C1/terminals/{terminal.key.terminal}/service"
    await dealer.post(where, {"service": "out-of-service"}, key=fresh_id())
    await terminal.send(wire.Service(state="in-service"))
    with pytest.raises(Refused) as refused:
        await terminal.cash_in(100)
    assert refused.value.code == "terminal_out_of_service"
    assert (await terminal.cash_out()).amount == 2_500


async def test_to_pay_by_hand_and_to_unlock_take_two_people_and_a_reason(house: Serving) -> None:
    """Whoever asks cannot agree; what was agreed to is what is paid, or nothing; to shut takes one."""
    dealer, supervisor = await house.person("dealer"), await house.person("supervisor")
    terminal = await house.terminal(credit=2_500)
    where = f"/tables/C1/terminals/{terminal.key.terminal}"
    for path, body in (("hand-pay", {"reason": " "}), ("service", {"service": "in-service"})):
        if path == "service":
            await dealer.post(f"{where}/{path}", {"service": "out-of-service"}, key=fresh_id())
        with pytest.raises(Refused) as missing:
            await dealer.post(f"{where}/{path}", body, key=fresh_id())
        assert missing.value.code == "reason_missing"
    unlock = {"service": "in-service", "reason": "the door is shut"}
    asked = await supervisor.post(f"{where}/service", unlock, key=fresh_id())
    with pytest.raises(Refused) as alone:
        await supervisor.approve(asked["approval"])
    assert alone.value.code == "second_person_is_first"
    assert house.hub.feeds["C1"].service_of(terminal.key.terminal) == "out-of-service"
    await dealer.approve(asked["approval"])
    assert house.hub.feeds["C1"].service_of(terminal.key.terminal) == "in-service"
    asked = await dealer.post(f"{where}/hand-pay", {"reason": "no paper"}, key=fresh_id())
    (shown,) = await supervisor.get("/approvals")
    assert shown["fields"]["amount"] == 2_500
    await terminal.cash_in(100)
    with pytest.raises(Refused) as other:
        await supervisor.approve(asked["approval"])
    assert other.value.code == "amount_invalid"
    assert terminal.credit == 2_600


async def test_credits_above_the_largest_ticket_are_paid_by_hand(tmp_path: Path) -> None:
    """The terminal says so with both amounts; so does a cashier's sale."""
    config = settings(tmp_path, CLUSTER, house={"ticket_max_minor": 5_000})
    async with serving(config) as house:
        terminal, cashier = await house.terminal(credit=5_001), await house.person("cashier")
        with pytest.raises(Refused) as refused:
            await terminal.cash_out()
        assert (refused.value.code, refused.value.facts) == (
            "ticket_too_large",
            {"amount": 5_001, "limit": 5_000},
        )
        await cashier.post("/drawers", {"float": 0}, key=fresh_id())
        with pytest.raises(Refused):
            await cashier.post("/tickets", {"amount": 5_001}, key=fresh_id())


async def test_guessing_ticket_numbers_is_slow_at_a_terminal_too(tmp_path: Path) -> None:
    """After so many tries a minute nothing is even looked up, also over a new connection."""
    config = settings(tmp_path, CLUSTER, server={"redeem_tries_per_minute": 3})
    async with serving(config, people={}) as house:
        terminal = await house.terminal()

        async def tried(link: Terminal, body: int) -> str:
            number = f"{body:016d}"
            with pytest.raises(Refused) as refused:
                await link.ticket_in(number + check_digits(number))
            return refused.value.code

        codes = [await tried(terminal, body) for body in range(4)]
        assert codes == ["ticket_unknown"] * 3 + ["too_many"]
        again = Terminal(house.address, terminal.key)
        await house.stack.enter_async_context(again)
        assert await tried(again, 9) == "too_many"
        assert await tried(await house.terminal(), 9) == "ticket_unknown"


async def test_a_demo_that_is_full_takes_no_place_from_a_visitor_who_went(tmp_path: Path) -> None:
    """A terminal stays with whoever has its key, connected or not: the house says that it is full."""
    table = {**CLUSTER, "terminals_max": 2}
    async with serving(settings(tmp_path, table), people={}) as house:
        first, second = await house.terminal(), await house.terminal(credit=100)
        await second.close()
        await first.close()
        with pytest.raises(Refused) as full:
            await house.key()
        assert full.value.code == "terminals_full"
        async with Terminal(house.address, first.key) as again:
            assert again.connected


@pytest.mark.parametrize("message", ["CashIn", "Place", "CashOutAll"])
async def test_a_recording_of_the_line_played_again_does_nothing(house: Serving, message: str) -> None:
    """Every frame that a terminal sent, sent again later with its key: the same answers, no more."""
    console, terminal = await house.console("C1"), await house.terminal()
    await terminal.cash_in(10_000, message_id="in")
    await console.act("StartRound")
    number = (await terminal.betting()).number
    sent: dict[str, Any] = {
        "CashIn": wire.CashIn(id="in", amount=10_000),
        "Place": wire.Place(id="bet", round=number, version=1, slip={"small": 1_000}),
        "CashOutAll": wire.CashOutAll(id="out"),
    }
    await terminal.ask(sent["Place"])
    await dealt(console, [1, 1, 2])
    await terminal.result(number)
    ticket = (await terminal.ask(sent["CashOutAll"])).ticket
    await terminal.cash_in(700)
    before = house.parts.house.table("C1").version
    for _ in range(3):
        await terminal.send(sent[message])
        await terminal.send(wire.Ping(t=1))
        await terminal.receive(wire.Pong)
    assert house.parts.house.table("C1").version == before
    assert (await terminal.ask(sent["CashOutAll"])).ticket.number == ticket.number
    assert house.parts.house.table("C1").state.book.balance(f"credit:{terminal.key.terminal}.2") == 700
