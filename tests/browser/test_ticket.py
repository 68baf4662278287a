"""A ticket from the terminal to the cashier, and what the counter does with it a second time."""

import pytest
from playwright.async_api import Locator, expect

from tests.browser.floor import Floor
from tests.browser.seats import CashierPage, TerminalPage
from tests.browser.tables import PLAIN, at
from tests.browser.words import money, say

TABLE = at(PLAIN)


async def cash_out(terminal: TerminalPage) -> str:
    """All credit leaves as a ticket; its number, as it is printed."""
    await terminal.act("cash_out").click()
    await terminal.dialog("cash_out").get_by_role("button", name=say("print_ticket")).click()
    ticket = terminal.page.get_by_role("article", name=say("paper_ticket"), exact=True)
    await expect(ticket.get_by_role("img", name=say("paper_code")).locator("svg")).to_be_visible()
    number = await ticket.locator(".number").first.inner_text()
    await terminal.page.get_by_role("button", name=say("ticket_taken")).click()
    return number


async def lay_down(cashier: CashierPage, number: str) -> Locator:
    """Type a number at the counter."""
    await cashier.redeem.get_by_label(say("ticket_number_is"), exact=True).fill(number)
    await expect(cashier.redeem).to_contain_text(say("number_right"))
    return cashier.redeem


@pytest.mark.clause("sic-bo-etg-v8", "1.7")
async def test_a_ticket_is_cashed_out_at_the_terminal_and_paid_once_at_the_cashier(floor: Floor) -> None:
    """The credit leaves as a ticket, the cashier pays it, and the same ticket again is paid already."""
    await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    number = await cash_out(terminal)
    await expect(terminal.meter("credit")).to_have_text(money(0))
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    counter = await lay_down(cashier, number)
    await expect(counter).to_contain_text(say("ticket_valid"))
    await counter.get_by_role("button", name=say("pay_out", amount=money(100_00))).click()
    receipt = cashier.page.get_by_role("dialog", name=say("receipt"))
    await expect(receipt).to_contain_text(money(100_00))
    await receipt.get_by_role("button", name=say("close"), exact=True).last.click()
    counter = await lay_down(cashier, number)
    await expect(counter).to_contain_text(say("ticket_redeemed"))
    await expect(counter.get_by_role("button", name=say("pay_out", amount=money(100_00)))).to_have_count(0)


async def test_a_ticket_that_two_counters_hold_is_paid_by_one(floor: Floor) -> None:
    """Both see it valid; whoever is second is refused on the screen, and sees when and where it was paid."""
    floor.foresee("status of 409")
    await floor.dealer(TABLE)
    number = await cash_out(await TerminalPage.at(floor, TABLE, credit=50_00))
    first, second = await CashierPage.at(floor), await CashierPage.at(floor)
    for counter in (first, second):
        await counter.open_drawer(500_00)  # the second finds it open already, and shows it
        await lay_down(counter, number)
        await expect(counter.redeem).to_contain_text(say("ticket_valid"))
    pay = say("pay_out", amount=money(50_00))
    await first.redeem.get_by_role("button", name=pay).click()
    await expect(first.page.get_by_role("dialog", name=say("receipt"))).to_be_visible()
    await second.redeem.get_by_role("button", name=pay).click()
    await expect(second.redeem).to_contain_text(say("ticket_redeemed"))
    await expect(second.page.get_by_role("region", name=say("last_answer"))).to_contain_text("Refused")
    await expect(second.redeem.get_by_role("button", name=pay)).to_have_count(0)


async def test_a_ticket_sold_by_the_cashier_is_credit_at_a_terminal(floor: Floor) -> None:
    """Cash over the counter becomes a ticket; its number typed at a terminal becomes credit, once."""
    await floor.dealer(TABLE)
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(500_00)
    sell = cashier.page.get_by_role("region", name=say("sell_ticket"))
    await sell.get_by_role("button", name=money(200_00), exact=True).click()
    await sell.get_by_role("button", name=say("sell_for", amount=money(200_00))).click()
    paper = cashier.page.get_by_role("article", name=say("paper_ticket"), exact=True)
    number = await paper.locator(".number").first.inner_text()
    terminal = await TerminalPage.at(floor, TABLE)
    await put_in(terminal, number)
    await expect(terminal.meter("credit")).to_have_text(money(200_00))
    await put_in(terminal, number)
    await expect(terminal.line).to_contain_text("Refused")
    await expect(terminal.meter("credit")).to_have_text(money(200_00))


async def put_in(terminal: TerminalPage, number: str) -> None:
    await terminal.act("buy_in").click()
    dialog = terminal.dialog("buy_in")
    await dialog.get_by_label(say("ticket_number")).fill(number)
    await dialog.get_by_role("button", name=say("put_ticket_in")).click()


async def test_a_drawer_is_closed_with_a_count_and_its_variance(floor: Floor) -> None:
    """The cashier counts first and is told the expected sum afterwards."""
    page = await floor.staff_page("supervisor", "/cashier")
    cashier = CashierPage(page)
    await cashier.open_drawer(300_00)
    await cashier.drawer.get_by_role("button", name=say("drawer_close"), exact=True).click()
    dialog = page.get_by_role("dialog", name=say("drawer_close"))
    await expect(dialog).not_to_contain_text(money(300_00))
    await dialog.get_by_label(say("drawer_or_sum")).fill("295")
    await dialog.get_by_role("button", name=say("drawer_close_with", amount=money(295_00))).click()
    report = page.get_by_role("dialog", name=say("drawer_report"))
    await expect(report).to_contain_text(money(300_00))
    await expect(report).to_contain_text("−$5")
