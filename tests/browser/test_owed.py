"""Debts and unclaimed money on the pages: the terminal that owes, the register, decisions by two."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.floor import Floor
from tests.browser.seats import CashierPage, ConsolePage, TerminalPage, approve
from tests.browser.tables import COLOURS, PLAIN, at
from tests.browser.words import money, say


async def decide(page: Page, player: str, decision: str, amount: str | None = None) -> None:
    """Fill in the decision that is open, and ask for a second person."""
    form = page.get_by_role("dialog", name=say("owed_decide", player=player))
    await form.get_by_label(say(f"decision_{decision}")).check()
    if amount is not None:
        await form.get_by_label(say("amount")).fill(amount)
    await form.get_by_label(say("reason")).fill("at the counter")
    await form.get_by_role("button", name=say("ask_second")).click()
    await expect(form).to_have_count(0)


@pytest.mark.clause("sic-bo-etg-v8", "5.5")
async def test_a_terminal_that_owes_says_so_until_it_is_decided(floor: Floor) -> None:
    """Corrected after the money is gone: shown beside the credit and before a note, then paid."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    terminal = await TerminalPage.at(floor, table, credit=20_00)
    await dealer.open()
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.deal(6, 5, 4)
    await expect(terminal.meter("credit")).to_have_text(money(30_00))
    await dealer.open()
    number = (await floor.table(table))["round"]["number"]
    await terminal.is_open()
    await terminal.bet({"small": 10_00, "odd": 10_00, "even": 10_00})
    await terminal.lies("even", 10_00)
    asked = await (await floor.person("dealer")).act(
        table, "CorrectResult", round_=number - 1, roll=[1, 2, 3], reason="misread"
    )
    await (await floor.person("supervisor")).approve(asked["approval"])
    await expect(terminal.meter("you_owe")).to_have_text(money(20_00))
    await dealer.deal(6, 6, 6)
    await terminal.act("buy_in").click()
    dialog = terminal.dialog("buy_in")
    await expect(dialog.get_by_role("alert")).to_have_text(say("you_owe_line", amount=money(20_00)))
    await dialog.get_by_role("button", name=money(50_00), exact=True).click()
    await expect(terminal.meter("credit")).to_have_text(money(30_00))
    await expect(terminal.meter("you_owe")).to_have_count(0)


async def test_the_cashier_collects_a_debt_when_a_shift_manager_agrees(floor: Floor) -> None:
    """The register names the round and the clause; the drawer takes the cash; the register is empty again."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    player = await floor.other_terminal(table, 10_00)
    await dealer.open()
    number = (await player.betting()).number
    await player.place(number, {"big": 10_00})
    await dealer.deal(6, 5, 4)
    await player.result(number)
    await dealer.open()
    await player.place((await player.betting(after=number)).number, {"small": 20_00})
    await dealer.deal(6, 5, 4)
    asked = await (await floor.person("dealer")).act(
        table, "CorrectResult", round_=number, roll=[1, 2, 3], reason="misread"
    )
    await (await floor.person("supervisor")).approve(asked["approval"])
    await player.wait_until(lambda: player.owed == 20_00)
    cashier = await CashierPage.at(floor)
    await cashier.open_drawer(1_000_00)
    register = cashier.page.get_by_role("region", name=say("owed_register"))
    session = player.session.session if player.session else ""
    row = register.get_by_role("listitem").filter(has_text=session).first
    await expect(row).to_contain_text(money(20_00))
    await expect(row).to_contain_text(f"{say('cause_ResultCorrected')} (5.5)")
    await row.get_by_role("button", name=say("owed_decide", player=session)).click()
    await decide(cashier.page, session, "collect", "15")
    pit = await floor.staff_page("shift-manager", "/pit")
    await approve(pit, "CollectOwed")
    await player.wait_until(lambda: player.owed == 5_00)
    await expect(row).to_contain_text(money(5_00))
    await pit.get_by_role("button", name=say("owed_register")).click()
    listed = pit.get_by_role("dialog", name=say("owed_register"))
    await listed.get_by_role("button", name=say("owed_decide", player=session)).click()
    await decide(pit, session, "waive")
    await approve(await floor.staff_page("supervisor", "/pit"), "CollectOwed")
    await player.wait_until(lambda: player.owed == 0)
    await expect(register.get_by_role("listitem").filter(has_text=session)).to_have_count(0)


async def test_what_waits_is_paid_and_what_is_owed_is_collected_at_the_table(floor: Floor) -> None:
    """Who walked away comes back for their winnings; a correction leaves them owing; it is waived."""
    dealer = await floor.dealer(COLOURS)
    await dealer.act("BuyIn", player="uma", amount=20_00)
    await dealer.open()
    await dealer.act("PlaceBets", player="uma", slip={"big": 20_00}, version=1)
    await dealer.act("RecordWalkAway", player="uma")
    await dealer.deal(6, 5, 4)
    console = await ConsolePage.at(floor, COLOURS, name="shift-manager")
    row = console.page.locator("li[data-chosen]").filter(has_text="uma")
    await expect(row).to_contain_text(say("unclaimed_of", amount=money(40_00)))
    dialog = await console.player("uma")
    await dialog.get_by_role("button", name=say("unclaimed_pay", amount=money(40_00))).click()
    await dialog.get_by_label(say("reason")).fill("came back")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await approve(await floor.staff_page("supervisor", "/pit"), "PayUnclaimed")
    await expect(row).to_have_count(0)
    asked = await dealer.act("CorrectResult", roll=[1, 2, 3], reason="misread")
    await (await floor.person("supervisor")).approve(asked["approval"])
    await expect(row).to_contain_text(say("owes", amount=money(40_00)))
    await console.page.keyboard.press("Escape")
    dialog = await console.player("uma")
    await dialog.get_by_role("button", name=say("act_CollectOwed")).click()
    await dialog.get_by_label(say("decision_waive")).check()
    await dialog.get_by_label(say("reason")).fill("long ago")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await approve(await floor.staff_page("supervisor", "/pit"), "CollectOwed")
    await expect(row).to_have_count(0)
