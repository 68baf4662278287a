"""What the counter asks before it pays, and what it pays not at all."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, Request, Route, expect

from taisai.client import Staff, fresh_id
from tests.browser.conftest import visiting
from tests.browser.floor import Floor, cluster
from tests.browser.seats import CashierPage, approve
from tests.browser.tables import IDENTIFY_FROM, PLAIN, SECOND_FROM
from tests.browser.test_cashier_papers import ask_void
from tests.browser.words import money, say
from tests.server.processes import server_process


async def counter(floor: Floor) -> CashierPage:
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    return cashier


async def sold(floor: Floor, amount: int) -> str:
    """A ticket that another window of the same cashier has sold."""
    cashier: Staff = await floor.person("cashier")
    ticket = await cashier.post("/tickets", {"amount": amount}, key=fresh_id())
    return str(ticket["number"])


async def test_a_number_is_masked_as_soon_as_it_is_looked_up(floor: Floor) -> None:
    """Four digits stay in view; what is scanned next begins another number; a paid one is shown whole."""
    cashier = await counter(floor)
    first, second = await sold(floor, 20_00), await sold(floor, 25_00)
    await cashier.lay_down(first)
    await expect(cashier.number).to_have_value(f"•••• •••• •••• ••{first[14:16]} {first[16:]}")
    await cashier.number.press_sequentially(second)
    await expect(cashier.redeem).to_contain_text(money(25_00))
    await expect(cashier.number).to_have_value(f"•••• •••• •••• ••{second[14:16]} {second[16:]}")
    await cashier.button("pay_out", amount=money(25_00)).click()
    receipt = cashier.page.get_by_role("dialog", name=say("receipt"))
    await expect(receipt).to_contain_text(second[:4])
    await expect(receipt).to_contain_text(money(25_00))


async def test_the_ticket_that_is_shown_is_the_one_that_was_scanned_last(floor: Floor) -> None:
    """The first is still being looked up when the second is scanned: its late answer changes nothing."""
    cashier = await counter(floor)
    first, second = await sold(floor, 31_00), await sold(floor, 33_00)
    asked, released = asyncio.Event(), asyncio.Event()

    def is_first(request: Request) -> bool:
        return request.url.endswith("/tickets/look-up") and first in (request.post_data or "")

    async def late(route: Route) -> None:
        if is_first(route.request):
            asked.set()
            await released.wait()
        await route.continue_()

    await cashier.page.route("**/api/v1/tickets/look-up", late)
    await cashier.number.fill(first)
    await asked.wait()
    await cashier.lay_down(second)
    await expect(cashier.redeem).to_contain_text(money(33_00))
    async with cashier.page.expect_response(lambda response: is_first(response.request)):
        released.set()
    await expect(cashier.redeem).to_contain_text(money(33_00))
    await cashier.button("pay_out", amount=money(33_00)).click()
    await expect(cashier.page.get_by_role("dialog", name=say("receipt"))).to_contain_text(money(33_00))


async def test_a_ticket_that_waits_for_its_void_cannot_be_paid(floor: Floor) -> None:
    """It says so, without a button to pay; denied it is good again, approved it is void."""
    cashier = await counter(floor)
    number = await sold(floor, 22_00)
    pay = cashier.button("pay_out", amount=money(22_00))
    pit = await floor.staff_page("supervisor", "/pit")
    await cashier.lay_down(number)
    await expect(pay).to_be_visible()
    await ask_void(cashier, "torn in two")
    await expect(cashier.redeem).to_contain_text(say("ticket_pending"))
    await expect(pay).to_have_count(0)
    await expect(cashier.redeem.get_by_role("button", name=say("ticket_void_ask"))).to_have_count(0)
    request = pit.get_by_role("listitem").filter(has_text="torn in two")
    await expect(request).to_contain_text(money(22_00))
    await request.get_by_role("button", name=say("deny")).click()
    await pit.get_by_role("dialog", name=say("deny")).get_by_role("button", name=say("deny")).click()
    await expect(cashier.answer).to_contain_text(say("void_not_approved"))
    await expect(pay).to_be_visible()
    await ask_void(cashier, "torn in three")
    await approve(pit, "VoidTicket")
    await expect(cashier.answer).to_contain_text(say("void_done"))
    await expect(cashier.redeem).to_contain_text(say("ticket_void"))
    await expect(pay).to_have_count(0)


async def test_a_large_payment_asks_who_is_paid(floor: Floor) -> None:
    """The button is of no use before a document's last characters are there; then it is paid."""
    cashier = await counter(floor)
    await cashier.lay_down(await sold(floor, IDENTIFY_FROM))
    pay = cashier.button("pay_out", amount=money(IDENTIFY_FROM))
    await expect(pay).to_be_disabled()
    await cashier.redeem.get_by_role("radio", name=say("identity_passport")).check()
    await cashier.redeem.get_by_label(say("identity_last")).fill("41K")
    await pay.click()
    await expect(cashier.page.get_by_role("dialog", name=say("receipt"))).to_contain_text(
        money(IDENTIFY_FROM)
    )


async def test_a_larger_payment_waits_for_a_second_person(floor: Floor) -> None:
    """Asked for with an identity and a reason; when the supervisor agrees the receipt comes by itself."""
    cashier = await counter(floor)
    await cashier.lay_down(await sold(floor, SECOND_FROM))
    await cashier.redeem.get_by_label(say("identity_last")).fill("672A")
    await cashier.redeem.get_by_label(say("reason")).fill("a lucky evening")
    await cashier.button("pay_ask", amount=money(SECOND_FROM)).click()
    await expect(cashier.answer).to_contain_text(say("waits_for_second"))
    pit = await floor.staff_page("supervisor", "/pit")
    await expect(pit.get_by_role("listitem").filter(has_text="a lucky evening")).to_contain_text(
        money(SECOND_FROM)
    )
    await approve(pit, "RedeemTicket")
    receipt = cashier.page.get_by_role("dialog", name=say("receipt"))
    await expect(receipt).to_contain_text(money(SECOND_FROM))
    await receipt.get_by_role("button", name=say("close"), exact=True).last.click()
    await expect(cashier.redeem).to_contain_text(say("ticket_redeemed"))


@pytest_asyncio.fixture(loop_scope="session")
async def brief_floor(tmp_path: Path, browser: Browser) -> AsyncIterator[Floor]:
    """A house whose tickets are good for no time at all."""
    house = server_process(tmp_path, cluster("C1", PLAIN), house={"ticket_days": 0})
    async with house as process, visiting(process, browser) as floor:
        yield floor


async def test_an_expired_ticket_is_not_paid(brief_floor: Floor) -> None:
    """The counter says when it expired, and two people may still make another of it."""
    cashier = await counter(brief_floor)
    await cashier.lay_down(await sold(brief_floor, 15_00))
    await expect(cashier.redeem).to_contain_text(say("ticket_expired"))
    await expect(cashier.page.get_by_role("button", name=re.compile("^Pay "))).to_have_count(0)
    await expect(cashier.redeem.get_by_role("button", name=say("ticket_void_ask"))).to_be_visible()
