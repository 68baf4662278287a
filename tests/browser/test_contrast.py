"""Letters over gradients, felt and wood: axe leaves them undecided, so their pixels are measured."""

import numpy as np
import pytest
from playwright.async_api import expect

from tests.browser.contrast import low_contrasts, low_contrasts_at, parsed, ratios
from tests.browser.floor import PHONE, WIDE, Floor
from tests.browser.seats import ConsolePage, DisplayPage, TerminalPage
from tests.browser.tables import LIVE, PLAIN, at
from tests.browser.test_accessible import through_the_phases
from tests.browser.words import say

TABLE = at(PLAIN)


def test_contrast_is_what_the_guideline_says() -> None:
    """Black on white is 21, and the grey of its own examples 4.54; colours are read in both spellings."""
    white, black, grey = (np.array([[value] * 3], dtype=np.float64) for value in (255, 0, 118))
    assert ratios(white, black)[0] == pytest.approx(21)
    assert ratios(grey, white)[0] == pytest.approx(4.54, abs=0.01)
    assert parsed("rgba(1, 2, 3, 0.5)")[1] == 0.5
    assert parsed("color(srgb 1 0.5 0 / 0.25)")[0].tolist() == [255, 127.5, 0]


async def test_text_that_can_hardly_be_read_over_a_gradient_is_noticed(floor: Floor) -> None:
    """The measure itself: the same letters over two gradients, of which axe decides neither."""
    page = await (await floor.context()).new_page()
    for end, faults in (("#8a8a8a", 1), ("#333333", 0)):
        style = f"color:#999;padding:20px;background:linear-gradient(90deg,#222,{end})"
        await page.set_content(
            f"<html lang='en'><title>x</title><p style='{style}'>WWWWWWWWWW WWWWWWWWWW</p></html>"
        )
        assert len(await low_contrasts(page)) == faults


async def test_terminal_display_and_console_are_readable_in_every_phase(floor: Floor) -> None:
    """With bets on the felt: open, held, shut, with a result, and void."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    display = await DisplayPage.at(floor, TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    console = await ConsolePage.at(floor, TABLE)
    await terminal.bet({"small": 10_00, "sum-6": 5_00, "double-2": 1_00})
    await terminal.lies("sum-6", 5_00)
    found = []
    async for words in through_the_phases(dealer):
        for page in (terminal.page, display.page):
            await expect(page.get_by_role("region", name=say("phase"))).to_contain_text(say(words))
        await expect(console.stage).to_contain_text(say(words))
        sizes = (WIDE, PHONE) if words == "kind_small" else (WIDE,)
        for page in (terminal.page, display.page, console.page):
            found += [f"{words}: {fault}" for fault in await low_contrasts_at(page, *sizes)]
    assert found == []


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("", "/"),
        ("", "/nowhere"),
        ("", "/pit"),
        ("supervisor", "/pit"),
        ("cashier", "/cashier"),
        ("auditor", "/audit"),
    ],
)
async def test_every_other_page_is_readable(floor: Floor, name: str, path: str) -> None:
    """The front door, a page that is not there, a login, and the pages of the staff."""
    floor.foresee("status of 404")
    page = await (floor.staff_page(name, path) if name else floor.page(path))
    await expect(page.get_by_role("heading").first).to_be_visible()
    assert await low_contrasts_at(page, WIDE, PHONE) == []


async def test_a_live_table_s_console_is_readable_with_its_felt_in_view(floor: Floor) -> None:
    """Between rounds, whatever was played before; on a phone the felt is a small picture below the stage."""
    await floor.dealer(LIVE)
    console = await ConsolePage.at(floor, LIVE)
    await expect(console.big("do_StartRound")).to_be_visible()
    found = await low_contrasts_at(console.page, WIDE, PHONE)
    await console.page.set_viewport_size(PHONE)
    await console.page.locator(".felt-room .felt").scroll_into_view_if_needed()
    assert found + await low_contrasts(console.page) == []
