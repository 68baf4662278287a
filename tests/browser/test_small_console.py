"""The console on a dealer's smallest screen, 1366 by 768: everything that is pressed is in view."""

import pytest
from playwright.async_api import Locator, ViewportSize, expect

from tests.browser.floor import PHONE, Dealer, Floor
from tests.browser.looking import SMALL, in_view
from tests.browser.seats import ConsolePage
from tests.browser.tables import COLOURS as CHIPS
from tests.browser.tables import LIVE, SIGNED
from tests.browser.test_paying import until_declared
from tests.browser.words import say

TABLET: ViewportSize = {"width": 1024, "height": 768}
SAYS = {"tumbled": "dice_check", "betting": "do_CloseBetting", "closed": "do_CoverTumbler"}
PAYS = {"declared": "pay_list_due", "settled": "pay_list_credit"}
STEPS = ("betting", "closed", "tumbled", "entered", "declared", "settled")


async def height(of: Locator) -> float:
    found: float = await of.evaluate("(one) => one.getBoundingClientRect().height")
    return found


async def bring(dealer: Dealer, console: ConsolePage, step: str) -> None:
    match step:
        case "betting":
            await dealer.act("BuyIn", player="ann", amount=100_00)
            await dealer.open()
            await dealer.act("PlaceBets", player="ann", slip={"big": 10_00, "even": 5_00}, version=1)
        case "closed":
            await dealer.close()
        case "tumbled":
            await dealer.tumble()
        case "entered":
            await console.enter(6, 5, 1)
        case "declared":
            await dealer.declare(6, 5, 1)
        case "settled":
            await dealer.settle()


async def test_the_big_button_is_in_view_in_every_phase(floor: Floor) -> None:
    """With a sign of five lines above it, which is the longest there is."""
    dealer = await floor.dealer(SIGNED)
    console = await ConsolePage.at(floor, SIGNED, viewport=SMALL)
    big = console.stage.locator(".big-button")
    for step in STEPS:
        await bring(dealer, console, step)
        if step in SAYS:
            await expect(console.big(SAYS[step])).to_be_visible()
        if step in PAYS:
            await expect(console.stage.get_by_role("region", name=say(PAYS[step]))).to_be_visible()
        assert await in_view(big), step


@pytest.mark.parametrize("size", [SMALL, TABLET, PHONE])
async def test_the_big_button_is_in_view_under_a_long_pay_list(floor: Floor, size: ViewportSize) -> None:
    """Whom to pay is scrolled; what is pressed afterwards stays where it is."""
    slip = {"big": 20_00, "sum-12": 5_00, "small": 2_00, "single-6": 2_00}
    await until_declared(floor, CHIPS, (6, 5, 1), longann=slip, longbob=slip, longcy=slip, longdee=slip)
    console = await ConsolePage.at(floor, CHIPS, viewport=size)
    await expect(console.stage.locator("li.payee")).to_have_count(4)
    assert await in_view(console.big("do_SettleBets"))


async def test_the_head_is_as_high_whoever_deals(floor: Floor) -> None:
    """Nothing below it jumps when somebody takes the table; on a phone it leaves the stage two thirds."""
    await floor.seat(LIVE, "dealer")
    console = await ConsolePage.at(floor, LIVE, name="pit-manager", viewport=SMALL)
    head = console.page.get_by_role("banner")
    take = console.page.get_by_role("button", name=say("dealer_take"), exact=True)
    await expect(take).to_be_visible()
    before = await height(head)
    await take.click()
    await expect(take).to_have_count(0)
    assert await height(head) == before < 90
    await console.page.set_viewport_size(PHONE)
    assert await height(head) < PHONE["height"] / 3


@pytest.mark.parametrize("act", ["CorrectResult", "CorrectBets", "ReportDamagedDice", "RecordDisplayFault"])
async def test_a_dialog_shows_its_button_without_scrolling(floor: Floor, act: str) -> None:
    """What the dealer presses last is there from the beginning."""
    dealer = await floor.dealer(SIGNED)
    console = await ConsolePage.at(floor, SIGNED, viewport=SMALL)
    await bring(dealer, console, "betting")
    await dealer.close()
    await dealer.tumble()
    await dealer.declare(6, 5, 1)
    await expect(console.big("do_SettleBets")).to_be_visible()
    dialog = await console.irregular(act)
    assert await in_view(dialog.locator("button[type=submit]"))


async def test_keys_enter_dice_in_the_correction_dialog(floor: Floor) -> None:
    """From wherever the focus is, but not while the reason is written."""
    dealer = await floor.dealer(SIGNED)
    console = await ConsolePage.at(floor, SIGNED, viewport=SMALL)
    await dealer.open()
    await dealer.deal(6, 5, 1)
    await expect(console.big("do_StartRound")).to_be_visible()
    dialog = await console.irregular("CorrectResult")
    for key in "6432":  # a fourth die is none
        await console.page.keyboard.press(key)
    await expect(dialog.get_by_role("img", name=say("dice_entered", dice="6-4-3"))).to_be_visible()
    await console.page.keyboard.press("Backspace")
    await expect(dialog.get_by_role("img", name=say("dice_entered", dice="6-4"))).to_be_visible()
    await dialog.get_by_label(say("reason")).fill("")
    await console.page.keyboard.type("camera 3")
    await expect(dialog.get_by_label(say("reason"))).to_have_value("camera 3")
    await expect(dialog.get_by_role("img", name=say("dice_entered", dice="6-4"))).to_be_visible()
