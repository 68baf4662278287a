"""Fingers and narrow windows: what is touched is large enough, and no page has to be pushed aside."""

from typing import Any

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.floor import PHONE, TOUCH, Floor
from tests.browser.looking import scrolls_aside, scrolls_down, small_targets
from tests.browser.seats import ConsolePage, TerminalPage
from tests.browser.tables import LIVE, PAY_TABLES, PLAIN, at
from tests.browser.test_paying import corrected
from tests.browser.words import say

TABLE = at(PLAIN)
POINTER, FINGER = 24, 44
LYING: ViewportSize = {"width": 1920, "height": 1080}
STANDING: ViewportSize = {"width": 1080, "height": 1920}
PAGES = [
    (None, "/"),
    (None, f"/terminal?table={TABLE}"),
    (None, f"/display?table={TABLE}"),
    ("dealer", f"/console?table={TABLE}"),
    ("supervisor", "/pit"),
    ("cashier", "/cashier"),
    ("auditor", "/audit"),
    ("admin", "/admin"),
    (None, "/pit"),
]


async def opened(floor: Floor, who: str | None, path: str, **options: Any) -> Page:
    page = await (floor.staff_page(who, path, **options) if who else floor.page(path, **options))
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    if path.startswith("/terminal"):  # it says first that it connects
        await expect(page.get_by_role("grid").first).to_be_visible()
    return page


@pytest.mark.parametrize(("who", "path"), PAGES)
async def test_a_narrow_page_fits_and_has_large_enough_targets(
    floor: Floor, who: str | None, path: str
) -> None:
    """At 360 pixels nothing scrolls aside, and what is clicked is at least 24 pixels wide and high."""
    page = await opened(floor, who, path, viewport=PHONE)
    assert await scrolls_aside(page) == 0
    assert await small_targets(page, POINTER) == []


async def test_corrected_results_fit_a_narrow_page(floor: Floor) -> None:
    """The word that says so gives way to the dice; it pushed whole pages aside."""
    dealer = await floor.dealer(TABLE)
    for _ in range(6):
        await dealer.open()
        await dealer.deal(1, 2, 3)
        await corrected(floor, TABLE, [1, 2, 4])
    for who, path in PAGES[1:4]:
        page = await opened(floor, who, path, viewport=PHONE)
        if who or "display" in path:
            await expect(page.get_by_role("list", name=say("last_results"))).to_contain_text(say("corrected"))
        assert await scrolls_aside(page) == 0, path


@pytest.mark.parametrize(("who", "path"), PAGES)
async def test_on_a_touch_screen_targets_are_as_large_as_a_finger(
    floor: Floor, who: str | None, path: str
) -> None:
    """44 pixels wide and high, on a phone that is touched."""
    page = await opened(floor, who, path, **TOUCH)
    assert await small_targets(page, FINGER) == []


@pytest.mark.parametrize("name", PAY_TABLES)
async def test_every_felt_can_be_played_with_a_finger_on_a_phone(floor: Floor, name: str) -> None:
    """The boxes of the largest felt too: none smaller than a finger, none beside the window."""
    terminal = await TerminalPage.at(floor, at(name), **TOUCH)
    assert await small_targets(terminal.page, FINGER) == []
    assert await scrolls_aside(terminal.page) == 0


@pytest.mark.parametrize("name", PAY_TABLES)
async def test_every_felt_fits_the_screens_of_a_terminal(floor: Floor, name: str) -> None:
    """Lying and standing, under fingers; the lying one shows everything without a scroll, to the pixel."""
    terminal = await TerminalPage.at(floor, at(name), viewport=LYING, has_touch=True)
    assert await small_targets(terminal.page, FINGER) == []
    assert await scrolls_aside(terminal.page) == 0
    assert await scrolls_down(terminal.page) == 0
    await terminal.page.set_viewport_size(STANDING)
    assert await small_targets(terminal.page, FINGER) == []
    assert await scrolls_aside(terminal.page) == 0


async def test_the_dialogs_of_the_terminal_fit_a_phone(floor: Floor) -> None:
    """Everything that a wide page has beside the felt is in the menu, and its targets are for fingers."""
    terminal = await TerminalPage.at(floor, TABLE, **TOUCH)
    for act in ("saved", "recall", "rules_and_odds", "statistics", "own_limits", "settings"):
        await terminal.act("more").tap()
        await terminal.dialog("more").get_by_role("button", name=say(act), exact=True).tap()
        dialog = terminal.dialog(act)
        await expect(dialog).to_be_visible()
        assert await small_targets(terminal.page, FINGER) == [], act
        assert await scrolls_aside(terminal.page) == 0, act
        await dialog.get_by_role("button", name=say("close"), exact=True).first.tap()


async def test_bets_are_entered_for_a_player_with_a_finger_on_a_phone(floor: Floor) -> None:
    """The console's felt is a picture until somebody's bets are entered: then its boxes are for fingers."""
    dealer = await floor.dealer(LIVE)
    await dealer.open()
    await dealer.act("BuyIn", player=f"tom.{LIVE}", amount=100_00)
    console = await ConsolePage.at(floor, LIVE, **TOUCH)
    await console.page.get_by_role("button", name=say("bets_for", player="tom"), exact=True).tap()
    tray = console.page.get_by_role("region", name=say("bets_for", player="tom"))
    await expect(tray).to_be_visible()
    assert await small_targets(console.page, FINGER) == []
    assert await scrolls_aside(console.page) == 0
    await console.page.get_by_role("grid", name=say("layout")).get_by_role("button", name="Small, ").tap()
    await tray.get_by_role("button", name=say("bets_register")).tap()
    await expect(console.answer).to_contain_text("tom")
    await expect(tray).to_be_hidden()
