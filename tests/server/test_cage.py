"""The cashier over HTTP: drawers, tickets sold, redeemed once wherever that is, voided by two people."""

import asyncio
from typing import Any

import pytest

from taisai.client import Refused, Staff, fresh_id
from taisai.floor.tickets import check_digits
from taisai.ledger.accounts import TICKETS
from tests.server.houses import Serving


async def open_cage(house: Serving, name: str = "cashier", amount: int = 100_000) -> Staff:
    cashier = await house.person(name)
    await cashier.post("/drawers", {"float": amount}, key=fresh_id())
    return cashier


async def sold(cashier: Staff, amount: int = 5_000) -> dict[str, Any]:
    ticket: dict[str, Any] = await cashier.post("/tickets", {"amount": amount}, key=fresh_id())
    return ticket


async def liability(house: Serving) -> int:
    total = 0
    async for transfer in house.parts.house.store.transfers(TICKETS):
        total += transfer.amount_minor if transfer.credit == TICKETS else -transfer.amount_minor
    return total


async def test_a_drawer_from_float_to_variance(house: Serving) -> None:
    """What was sold and paid is expected in it; what was counted differently is kept as the difference."""
    cashier = await open_cage(house)
    ticket = await sold(cashier, 7_000)
    await sold(cashier, 1_000)
    await cashier.post("/tickets/redeem", {"number": ticket["number"]}, key=fresh_id())
    assert await cashier.get("/drawers") == [{"cashier": "cashier", "float": 100_000, "expected": 101_000}]
    closed = await cashier.post("/drawers/close", {"counted": 100_950}, key=fresh_id())
    assert closed == {"expected": 101_000, "counted": 100_950, "variance": -50}


async def test_without_a_drawer_nothing_is_sold(house: Serving) -> None:
    """A cashier begins with a float."""
    cashier = await house.person("cashier")
    with pytest.raises(Refused) as refused:
        await sold(cashier)
    assert refused.value.code == "drawer_not_open"


async def test_a_ticket_is_printed_with_all_that_it_must_show(house: Serving) -> None:
    """Site, issuer, amount in figures and words, sequence, number with its check digits, expiry, code."""
    cashier = await open_cage(house)
    ticket = await sold(cashier, 123_45)
    number = ticket["number"]
    assert number[16:] == check_digits(number[:16])
    assert (
        ticket["amount_words"]["en"] == "one hundred and twenty-three Singapore dollars and forty-five cents"
    )
    assert ticket["amount_words"]["zh-Hant"] == "新加坡幣壹佰貳拾叁元肆角伍分"
    assert ticket["kind"] == "sale"
    assert (ticket["site"], ticket["issuer"], ticket["sequence"]) == ("Test house", "cage", 1)
    assert ticket["expires_at"] - ticket["issued_at"] == 182 * 86_400_000


async def test_a_number_is_masked_until_its_ticket_has_ended(house: Serving) -> None:
    """A screen shows four digits of a ticket that can still be redeemed."""
    cashier = await open_cage(house)
    number = (await sold(cashier))["number"]
    shown = await cashier.post("/tickets/look-up", {"number": number})
    assert (shown["number"], shown["status"]) == ("•" * 14 + number[-4:], "valid")
    paid = await cashier.post("/tickets/redeem", {"number": number}, key=fresh_id())
    assert (paid["ticket"]["number"], paid["ticket"]["status"]) == (number, "redeemed")


@pytest.mark.parametrize("spoil", ["digit", "swap", "short", "letters", "unknown"])
async def test_a_number_that_was_misread_is_found_out(house: Serving, spoil: str) -> None:
    """One wrong digit, two swapped, one missing: refused before anything is looked up."""
    cashier = await open_cage(house)
    number = (await sold(cashier))["number"]
    place = next(place for place in range(15) if number[place] != number[place + 1])
    swapped = number[:place] + number[place + 1] + number[place] + number[place + 2 :]
    bad = {
        "digit": number[:5] + str((int(number[5]) + 1) % 10) + number[6:],
        "swap": swapped,
        "short": number[:-1],
        "letters": "x" * 18,
        "unknown": "0" * 15 + "1" + check_digits("0" * 15 + "1"),
    }[spoil]
    with pytest.raises(Refused) as refused:
        await cashier.post("/tickets/look-up", {"number": bad})
    assert refused.value.code == ("ticket_unknown" if spoil == "unknown" else "input_invalid")
    assert number not in str(refused.value)


async def test_a_ticket_is_redeemed_once_when_everyone_tries_at_the_same_moment(house: Serving) -> None:
    """Two cashiers and five terminals, all at once, ten tickets: each is paid exactly once."""
    first = await open_cage(house)
    second = await open_cage(house, "supervisor")
    terminals = [await house.terminal() for _ in range(5)]
    for _ in range(10):
        number = (await sold(first, 1_000))["number"]
        tries = [
            first.post("/tickets/redeem", {"number": number}, key=fresh_id()),
            second.post("/tickets/redeem", {"number": number}, key=fresh_id()),
            *(terminal.ticket_in(number) for terminal in terminals),
        ]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        lost = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        assert len(won) == 1
        assert {error.code for error in lost} == {"ticket_redeemed"}
        assert len(lost) == len(outcomes) - 1
    assert await liability(house) == 0


async def test_the_same_request_again_pays_once(house: Serving) -> None:
    """A lost answer is asked for again under its key: the same amount, no second payment."""
    cashier = await open_cage(house)
    number = (await sold(cashier))["number"]
    key = fresh_id()
    answers = [await cashier.post("/tickets/redeem", {"number": number}, key=key) for _ in range(3)]
    assert {answer["amount"] for answer in answers} == {5_000}
    assert (await cashier.get("/drawers"))[0]["expected"] == 100_000


async def test_a_sale_asked_for_twice_gives_one_ticket(house: Serving) -> None:
    """The number follows from the request, so a repetition prints the same ticket."""
    cashier = await open_cage(house)
    key = fresh_id()
    first = await cashier.post("/tickets", {"amount": 900}, key=key)
    second = await cashier.post("/tickets", {"amount": 900}, key=key)
    again = await cashier.get(f"/tickets/issued/{key}")
    assert first["number"] == second["number"] == again["number"]
    assert [each["duplicate"] for each in (first, second, again)] == [False, False, False]
    assert await liability(house) == 900


async def test_a_key_with_another_content_is_refused(house: Serving) -> None:
    """One key, one request."""
    cashier = await open_cage(house)
    key = fresh_id()
    await cashier.post("/tickets", {"amount": 900}, key=key)
    answer = await cashier.http.post(
        "/api/v1/tickets", json={"amount": 901}, headers={"Idempotency-Key": key}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "command_altered")


async def test_what_moves_money_needs_a_key(house: Serving) -> None:
    """Without one nothing is done."""
    cashier = await house.person("cashier")
    answer = await cashier.http.post("/api/v1/drawers", json={"float": 1})
    assert (answer.status_code, answer.json()["code"]) == (400, "key_missing")
    assert await cashier.get("/drawers") == []


async def test_a_ticket_is_made_void_and_replaced_by_two_people(house: Serving) -> None:
    """The old number is worth nothing, the new one everything, and the liability is unchanged."""
    cashier = await open_cage(house)
    supervisor = await house.person("supervisor")
    number = (await sold(cashier))["number"]
    key = fresh_id()
    waiting = await cashier.post(
        "/tickets/void", {"number": number, "reason": "torn", "reissue": True}, key=key
    )
    with pytest.raises(Refused) as refused:
        await cashier.approve(waiting["approval"])
    assert refused.value.code == "second_person_is_first"
    await supervisor.approve(waiting["approval"])
    assert (await cashier.post("/tickets/look-up", {"number": number}))["status"] == "void"
    successor = await cashier.get(f"/tickets/issued/{key}")
    assert successor["number"] != number
    assert successor["duplicate"] is False, "this is its first print"
    assert await liability(house) == 5_000
    with pytest.raises(Refused) as void:
        await cashier.post("/tickets/redeem", {"number": number}, key=fresh_id())
    assert void.value.code == "ticket_void"
    paid = await cashier.post("/tickets/redeem", {"number": successor["number"]}, key=fresh_id())
    assert paid["amount"] == 5_000


async def test_a_cashier_pays_what_a_terminal_printed(house: Serving) -> None:
    """From cash-out to cash."""
    cashier = await open_cage(house)
    terminal = await house.terminal(credit=4_200)
    ticket = await terminal.cash_out()
    paid = await cashier.post("/tickets/redeem", {"number": ticket.number}, key=fresh_id())
    assert paid["amount"] == 4_200
    assert (await cashier.get("/drawers"))[0]["expected"] == 100_000 - 4_200


async def test_a_session_is_paid_by_hand_when_the_printer_fails(house: Serving) -> None:
    """Two people pay the credits; the terminal is told that its session is over."""
    dealer = await house.person("dealer")
    terminal = await house.terminal(credit=4_200)
    where = f"/tables/C1/terminals/{terminal.key.terminal}"
    asked = await dealer.post(f"{where}/hand-pay", {"reason": "no paper"}, key=fresh_id())
    assert (await (await house.person("supervisor")).approve(asked["approval"]))["amount"] == 4_200
    await terminal.wait_until(lambda: terminal.session is None)
    meters = await (await house.person("supervisor")).get("/tables/C1/meters")
    mine = next(row["meters"] for row in meters if row["terminal"] == terminal.key.terminal)
    assert (mine["cash_in"], mine["hand_pays"], mine["credit"]) == (4_200, 4_200, 0)


async def test_the_last_tickets_of_each_place_are_listed_in_pages(house: Serving) -> None:
    """Standards 59: newest first, masked, each with what became of it; a terminal's apart from the cage's."""
    cashier = await open_cage(house)
    numbers = [(await sold(cashier, 100 * place))["number"] for place in range(1, 8)]
    await cashier.post("/tickets/redeem", {"number": numbers[3]}, key=fresh_id())
    terminal = await house.terminal(credit=4_200)
    printed = (await terminal.cash_out()).number
    auditor = await house.person("auditor")
    seen, cursor = [], None
    while True:
        page = await auditor.get("/tickets", limit=3, cursor=cursor)
        seen += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    assert [row["amount"] for row in seen] == [700, 600, 500, 400, 300, 200, 100]
    assert [row["sequence"] for row in seen] == [7, 6, 5, 4, 3, 2, 1]
    assert [row["status"] for row in seen].count("redeemed") == 1
    assert seen[3]["status"] == "redeemed"
    own = (await auditor.get("/tickets", where=terminal.key.terminal))["items"]
    assert [(row["number"], row["amount"]) for row in own] == [("•" * 14 + printed[-4:], 4_200)]
    assert not any(number in str([seen, own]) for number in (*numbers, printed))


async def test_what_is_owed_on_tickets_is_what_the_ledger_says(house: Serving) -> None:
    """After every sale, redemption, void and reissue, and while a terminal holds one."""
    cashier, supervisor = await open_cage(house), await house.person("supervisor")

    async def agrees(tickets: int, amount: int) -> None:
        found = await cashier.get("/tickets/liability")
        assert found == {"tickets": tickets, "outstanding": amount, "expired": 0, "ledger": amount}

    await agrees(0, 0)
    first, second = (await sold(cashier, 700))["number"], (await sold(cashier, 300))["number"]
    await agrees(2, 1_000)
    await cashier.post("/tickets/redeem", {"number": first}, key=fresh_id())
    await agrees(1, 300)
    asked = await cashier.post(
        "/tickets/void", {"number": second, "reason": "torn", "reissue": True}, key="new"
    )
    await supervisor.approve(asked["approval"])
    await agrees(1, 300)
    third = (await cashier.get("/tickets/issued/new"))["number"]
    await (await house.terminal()).ticket_in(third)
    await agrees(0, 0)
