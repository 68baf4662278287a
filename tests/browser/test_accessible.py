"""No page has a fault that axe can find: in every phase, with every dialog, wide and on a phone."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from tests.browser.floor import Dealer, Floor
from tests.browser.looking import faults_at_both_widths
from tests.browser.seats import ConsolePage, DisplayPage, TerminalPage
from tests.browser.tables import LIVE, PLAIN, at
from tests.browser.words import say

TABLE = at(PLAIN)


async def through_the_phases(dealer: Dealer) -> AsyncIterator[str]:
    """A round in which everything happens, and the words of each phase."""
    yield "mood_open"
    await dealer.act("SuspendRound")
    yield "mood_held"
    await dealer.act("ResumeRound")
    await dealer.close()
    yield "mood_shut"
    await dealer.tumble()
    await dealer.declare(1, 2, 3)
    await dealer.settle()
    yield "kind_small"
    await dealer.conclude()
    await dealer.open()
    await dealer.act("VoidRound", ground="exposed-early")
    yield "phase_void"


async def test_terminal_and_display_are_accessible_in_every_phase(floor: Floor) -> None:
    """With bets on the felt: open, held, shut, with a result, and void."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    display = await DisplayPage.at(floor, TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await terminal.bet({"small": 10_00, "sum-6": 5_00, "double-2": 1_00})
    await terminal.lies("small", 10_00)
    await terminal.lies("sum-6", 5_00)
    async for words in through_the_phases(dealer):
        for page in (terminal.page, display.page):
            await expect(page.get_by_role("region", name=say("phase"))).to_contain_text(say(words))
            assert await faults_at_both_widths(page) == [], words


async def test_the_console_is_accessible_in_every_phase(floor: Floor) -> None:
    """Each phase with the acts that are legal then."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    console = await ConsolePage.at(floor, TABLE)
    async for words in through_the_phases(dealer):
        await expect(console.stage).to_contain_text(say(words))
        assert await faults_at_both_widths(console.page) == [], words


async def test_entering_the_dice_is_accessible(floor: Floor) -> None:
    """Tumbles to be counted, dice on the keypad, and dice to be confirmed."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    await dealer.close()
    await dealer.act("CoverTumbler")
    console = await ConsolePage.at(floor, TABLE)
    await expect(console.big("tumble_done", n=3)).to_be_visible()
    assert await faults_at_both_widths(console.page) == []
    await dealer.act("ActivateTumbler", tumbles=3)
    await dealer.act("ExposeDice")
    await console.enter(1, 2, 3)
    assert await faults_at_both_widths(console.page) == []
    await console.press("dice_check")
    await expect(console.big("dice_confirm", dice="1-2-3")).to_be_visible()
    assert await faults_at_both_widths(console.page) == []


async def test_the_dialogs_of_the_terminal_are_accessible(floor: Floor) -> None:
    """Rules, recall, buy in, cash out, settings, saved slips and the ticket."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await terminal.bet({"small": 10_00})
    await terminal.lies("small", 10_00)
    await dealer.deal(1, 2, 3)
    for act in ("rules_and_odds", "recall", "buy_in", "settings", "saved", "cash_out"):
        await terminal.act(act).click()
        await expect(terminal.dialog(act)).to_be_visible()
        assert await faults_at_both_widths(terminal.page) == [], act
        if act != "cash_out":
            await terminal.page.keyboard.press("Escape")
    await terminal.page.get_by_role("button", name=say("print_ticket")).click()
    await expect(terminal.dialog("your_ticket")).to_be_visible()
    assert await faults_at_both_widths(terminal.page) == []


async def test_the_dialogs_of_the_console_are_accessible(floor: Floor) -> None:
    """Each act for when something goes wrong asks in a dialog of its own."""
    dealer = await floor.dealer(LIVE)
    await dealer.open()
    await dealer.act("BuyIn", player=f"eve.{LIVE}", amount=100_00)
    await dealer.act("PlaceBets", player=f"eve.{LIVE}", slip={"small": 10_00}, version=1)
    await dealer.close()
    await dealer.tumble()
    await dealer.declare(1, 2, 3)
    console = await ConsolePage.at(floor, LIVE, name="shift-manager")
    acts = (
        "InterruptRound",
        "CorrectResult",
        "CorrectBets",
        "ReportDamagedDice",
        "RecordDisplayFault",
        "MakeRuling",
    )
    for act in acts:
        dialog = await console.irregular(act)
        assert await faults_at_both_widths(console.page) == [], act
        await dialog.get_by_role("button", name=say("close"), exact=True).click()
    for name in (say("player_new"), say("player_more", player="eve"), say("hand_over")):
        await console.page.get_by_role("button", name=name, exact=True).click()
        assert await faults_at_both_widths(console.page) == [], name
        await console.page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("who", "path"),
    [
        (None, "/"),
        (None, "/console"),
        ("supervisor", "/pit"),
        ("cashier", "/cashier"),
        ("auditor", "/audit"),
        ("cashier", "/audit"),
    ],
)
async def test_the_other_pages_are_accessible(floor: Floor, who: str | None, path: str) -> None:
    """The front door, the login, the pit, the cashier, the audit, and a page that is for others."""
    page = await (floor.staff_page(who, path) if who else floor.page(path))
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert await faults_at_both_widths(page) == []


async def test_faults_are_found_where_there_are_some(floor: Floor) -> None:
    """A picture and a button without names, put into a page: silence above means something."""
    page = await floor.page("/")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    nameless = "['img', 'button'].map((name) => document.createElement(name))"
    await page.evaluate(f"() => document.querySelector('main').append(...{nameless})")
    found = " ".join(await faults_at_both_widths(page))
    assert "image-alt" in found
    assert "button-name" in found


async def test_the_panels_of_the_pit_are_accessible(floor: Floor) -> None:
    """Rounds with the inspector, details of a table, limits, the gaming day."""
    dealer = await floor.dealer(LIVE)
    await dealer.open()
    await dealer.act("BuyIn", player=f"joe.{LIVE}", amount=100_00)
    await dealer.act("PlaceBets", player=f"joe.{LIVE}", slip={"small": 10_00}, version=1)
    await dealer.deal(1, 2, 3)
    page = await floor.staff_page("shift-manager", "/pit")
    card = page.get_by_role("article", name=LIVE)
    for panel in ("rounds", "details", "limits_set"):
        await card.get_by_role("button", name=say(panel), exact=True).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).not_to_contain_text(say("loading"))
        assert await faults_at_both_widths(page) == [], panel
        await page.keyboard.press("Escape")
    await page.get_by_role("banner").get_by_role("button", name=say("gaming_day")).click()
    assert await faults_at_both_widths(page) == []
