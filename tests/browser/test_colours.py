"""Colour chips at the console: sold to a player, bet, lost, paid, changed back, written off."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage
from tests.browser.tables import COLOURS, LIVE
from tests.browser.words import money, say


async def colours(console: ConsolePage) -> Locator:
    await console.page.get_by_role("button", name=re.compile(f"^{say('colour_chips')}")).click()
    return console.page.get_by_role("dialog", name=say("colour_chips"))


async def sell(dialog: Locator, player: str, chips: int, value: str = "") -> None:
    await dialog.get_by_label(say("player"), exact=True).fill(player)
    if value:
        await dialog.get_by_label(say("colour_value"), exact=True).fill(value)
    await dialog.get_by_label(say("colour_sold_count")).fill(str(chips))
    await dialog.get_by_role("button", name=say("act_IssueColour")).click()


async def move(dialog: Locator, act: str, chips: int) -> None:
    await dialog.get_by_role("radio", name=say(f"act_{act}")).check()
    await dialog.get_by_label(say("colour_count"), exact=True).fill(str(chips))
    await dialog.get_by_role("button", name=say(f"act_{act}"), exact=True).click()


async def shut(dialog: Locator) -> None:
    await dialog.get_by_role("button", name=say("close"), exact=True).click()
    await expect(dialog).to_be_hidden()


@pytest.mark.clause("tai-sai-v3", "3.3")
async def test_a_colour_from_its_sale_to_the_last_chip(floor: Floor) -> None:
    """One player's, at one value; bets are in it; what loses goes to the rack, winnings are paid in it."""
    dealer = await floor.dealer(COLOURS)
    console = await ConsolePage.at(floor, COLOURS, name="supervisor")
    dialog = await colours(console)
    await sell(dialog, "ann", 10, "5")
    row = dialog.get_by_role("row").filter(has_text="ann")
    await expect(row).to_contain_text(say("colour_red"))
    await expect(row.get_by_role("cell").nth(2)).to_have_text("10")
    await sell(dialog, "ann", 2)
    await expect(row.get_by_role("cell").nth(4)).to_have_text(money(60_00))
    await shut(dialog)
    await dealer.open()
    tray = await console.bets_for("ann")
    await expect(tray.get_by_role("switch").first).to_be_checked()
    seats = console.page.get_by_role("group", name=say("seats"))
    await seats.get_by_role("button", name=re.compile("free$")).last.click()
    await expect(console.answer).to_be_visible()
    answer, buttons = await console.answer.bounding_box(), await tray.bounding_box()
    assert answer is not None
    assert buttons is not None
    assert answer["y"] + answer["height"] < buttons["y"], "the last answer covers the buttons of the tray"
    await console.box("big").click()
    await console.box("big").click()
    await console.box("small").click()
    await expect(tray).to_contain_text(money(15_00))
    await tray.get_by_role("button", name=say("bets_register")).click()
    await expect(console.figure("staked_now")).to_have_text(money(15_00))
    tray = await console.bets_for("ann")
    await console.box("small").click(button="right")
    await tray.get_by_role("button", name=say("bets_register")).click()
    await expect(console.figure("staked_now")).to_have_text(money(10_00))
    await dealer.deal(6, 5, 4)
    dialog = await colours(console)
    await move(dialog, "PayInColour", 2)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("14")
    await shut(dialog)
    await dealer.open()
    tray = await console.bets_for("ann")
    await console.box("big").click()
    await tray.get_by_role("button", name=say("bets_register")).click()
    await expect(console.figure("staked_now")).to_have_text(money(5_00))
    dialog = await colours(console)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("13")
    await expect(row.get_by_role("cell").nth(3)).to_have_text("1")
    await shut(dialog)
    await dealer.deal(1, 2, 3)
    dialog = await colours(console)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("13")
    await expect(row.get_by_role("cell").nth(3)).to_have_text("0")
    await move(dialog, "ChangeBack", 12)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    await move(dialog, "DeclareMissing", 1)
    await expect(dialog).to_contain_text(say("colours_none"))


@pytest.mark.clause("tai-sai-v3", "3.3")
async def test_only_chips_in_hand_are_offered(floor: Floor) -> None:
    """A third chip does not go on where two are in hand; what is on the felt cannot be changed back."""
    dealer = await floor.dealer(COLOURS)
    await dealer.act("IssueColour", player="liv", colour="green", chips=3, value=5_00)
    await dealer.open()
    await dealer.act(
        "PlaceBets",
        player="liv",
        slip={"small": 5_00},
        version=1,
        chips={"colour": "green", "value": 5_00, "boxes": {"small": 5_00}},
    )
    console = await ConsolePage.at(floor, COLOURS, name="supervisor")
    tray = await console.bets_for("liv")
    for left in (1, 0, 0):
        await console.box("big").click()
        await expect(tray.get_by_role("switch").first).to_have_accessible_name(
            say("in_colour", colour=say("colour_green"), value=money(5_00), n=left)
        )
    await expect(tray).to_contain_text(money(15_00))
    await tray.get_by_role("button", name=say("bets_register")).click()
    await expect(console.figure("staked_now")).to_have_text(money(15_00))
    dialog = await colours(console)
    row = dialog.get_by_role("row").filter(has_text="liv")
    await expect(row.get_by_role("cell").nth(2)).to_have_text("0")
    await expect(row.get_by_role("cell").nth(3)).to_have_text("3")
    await dialog.get_by_role("combobox", name=say("colour"), exact=True).select_option("green")
    for act in ("ChangeBack", "DeclareMissing"):
        await dialog.get_by_role("radio", name=say(f"act_{act}")).check()
        await dialog.get_by_label(say("colour_count"), exact=True).fill("1")
        await expect(dialog.get_by_text(say("colour_in_hand", n=0))).to_be_visible()
        await expect(dialog.get_by_role("button", name=say(f"act_{act}"), exact=True)).to_be_disabled()
    await dealer.deal(1, 2, 3)
    await expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    await move(dialog, "ChangeBack", 1)
    await expect(row).to_have_count(0)


async def test_the_credit_of_one_who_has_left_is_paid_against_a_document(floor: Floor) -> None:
    """The console asks for it before it pays, and the button waits until it is there."""
    dealer = await floor.dealer(LIVE)
    await dealer.act("BuyIn", player="gus", amount=40_00)
    await dealer.act("LeaveTable", player="gus")
    console = await ConsolePage.at(floor, LIVE)
    dialog = await console.player("gus")
    pay = dialog.get_by_role("button", name=say("cash_out_do", amount=money(40_00)))
    await expect(pay).to_be_disabled()
    await dialog.get_by_role("radio", name=say("identity_passport")).check()
    await dialog.get_by_label(say("identity_last")).fill("41Z")
    await pay.click()
    await expect(console.answer).to_contain_text(say("cashed_out"))


async def test_cash_chips_are_changed_at_the_table(floor: Floor) -> None:
    """Whoever hands cash chips back is paid; where bets are made with chips nobody has a credit."""
    dealer = await floor.dealer(COLOURS)
    await dealer.act("TakeSeat", seat=3, player="cho")
    await dealer.act("BuyIn", player="cho", amount=40_00)
    console = await ConsolePage.at(floor, COLOURS)
    dialog = await console.player("cho")
    await dialog.get_by_label(say("chips_back")).fill("40")
    await dialog.get_by_role("button", name=say("chips_back_do")).click()
    await expect(console.answer).to_contain_text(say("cashed_out"))
