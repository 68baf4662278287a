"""The display on the wall: the past in every road, two languages, and a line that falls silent."""

from playwright.async_api import expect

from tests.browser.cable import cable_to
from tests.browser.floor import Floor
from tests.browser.seats import DisplayPage, lost
from tests.browser.tables import PLAIN, at

TABLE = at(PLAIN)
# What a browser says of an answer that breaks off.
CUT = r"net::ERR_|Failed to load resource"


async def test_a_line_that_falls_silent_is_noticed_and_opened_anew(floor: Floor) -> None:
    """Nothing ends the connection, but no ping comes any more: the wall says so, and comes back by itself."""
    floor.foresee(CUT)
    dealer = await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        floor.watch.address = cable.address
        context = await floor.context(base_url=cable.address)
        page = await context.new_page()
        await page.clock.install()
        await page.goto(f"/display?table={TABLE}")
        display = DisplayPage(page, TABLE)
        await expect(display.stage).to_be_visible()
        cable.loses_answers = True
        await page.clock.fast_forward("00:13")
        await expect(lost(page)).to_be_visible()
        cable.cut()
        cable.mend()
        await dealer.open()
        await display.is_open()
        await expect(lost(page)).to_have_count(0)
