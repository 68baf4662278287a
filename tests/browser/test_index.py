"""The front door: every table with its doors, the doors of the staff, and words in three languages."""

from playwright.async_api import expect

from tests.browser.floor import Floor
from tests.browser.looking import SHIFT_MAX, shifted, watch_shifts
from tests.browser.seats import lost
from tests.browser.tables import LIVE, PLAIN, TABLES, at
from tests.browser.words import LANGUAGE_NAMES, LANGUAGES, say

TABLE = at(PLAIN)
STAFF = {"pit": "/pit", "cashier": "/cashier", "audit": "/audit", "docs": "/docs"}


async def test_every_table_has_its_doors_and_every_door_opens(floor: Floor) -> None:
    """Terminal, console and display of a cluster, no terminal of a live table, and the staff's doors."""
    page = await floor.page("/")
    tables = page.get_by_role("region", name=say("index_tables")).get_by_role("article")
    await expect(tables).to_have_count(len(TABLES))
    staff = page.get_by_role("navigation", name=say("index_staff"))
    doors = {TABLE: ("terminal", "console", "display"), LIVE: ("console", "display")}
    for table, names in doors.items():
        card = tables.filter(has_text=f"{table} · ")
        links = card.get_by_role("navigation").get_by_role("link")
        hrefs = [await link.get_attribute("href") for link in await links.all()]
        assert hrefs == [f"/{name}?table={table}" for name in names]
        for href in hrefs:
            assert (await page.request.get(str(href))).ok, href
    for name, href in STAFF.items():
        link = staff.get_by_role("link", name=say(f"door_{name}"))
        await expect(link).to_have_attribute("href", href)
        assert (await page.request.get(href)).ok, href


async def test_a_table_shows_its_phase_and_its_last_results(floor: Floor) -> None:
    """The front door follows by itself, and nothing on it jumps."""
    dealer = await floor.dealer(TABLE)
    page = await floor.page("/")
    card = page.get_by_role("article").filter(has_text=f"{TABLE} · ")
    await expect(page.get_by_role("article")).to_have_count(len(TABLES))
    await watch_shifts(page)
    for roll in ((1, 2, 3), (4, 4, 4)):  # from no results to as many as are shown
        await dealer.open()
        await dealer.deal(*roll)
    await dealer.open()
    await expect(card).to_contain_text(say("mood_open"))
    await dealer.deal(2, 6, 6)
    newest = card.get_by_role("list", name=say("last_results")).get_by_role("listitem").first
    await expect(newest.get_by_role("img", name="2-6-6")).to_be_visible()
    await expect(newest).to_contain_text("14")
    assert await shifted(page) <= SHIFT_MAX


async def test_the_front_door_speaks_each_language(floor: Floor) -> None:
    """Switched in place."""
    page = await floor.page("/")
    for language in LANGUAGES:
        await page.get_by_role("button", name=LANGUAGE_NAMES[language]).click()
        await expect(page.get_by_text(say("index_welcome", language))).to_be_visible()


async def test_the_front_door_says_when_the_house_is_away_and_comes_back(own_floor: Floor) -> None:
    """The server is killed and started again; nobody has to load the page anew."""
    own_floor.foresee(r"net::ERR_|Failed to load resource")
    page = await own_floor.page("/")
    await expect(page.get_by_role("article")).to_have_count(1)
    await own_floor.server.kill()
    await expect(lost(page)).to_be_visible()
    await own_floor.server.start()
    await expect(lost(page)).to_have_count(0)
    await expect(page.get_by_role("article")).to_have_count(1)
