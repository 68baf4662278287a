"""The administrator's page: staff, health, keys and settings; what takes two people waits for the second."""

from playwright.async_api import expect

from tests.browser.floor import Floor
from tests.browser.looking import faults_at_both_widths, scrolls_aside
from tests.browser.tables import LIVE
from tests.browser.words import say


async def test_the_house_is_shown_as_it_is_and_how_it_does(floor: Floor) -> None:
    """Tables as the record has them, settings with where they come from, and doctor's words."""
    page = await floor.staff_page("admin", "/admin")
    tables = page.get_by_role("region", name=say("admin_tables"), exact=True)
    row = tables.get_by_role("row").filter(has=page.get_by_role("rowheader", name=LIVE))
    await expect(row).to_contain_text("tai-sai-v6/2")
    await page.get_by_text("[tickets]", exact=True).click()
    await expect(page.get_by_text("identify_from_minor", exact=True)).to_be_visible()
    await page.get_by_role("button", name=say("admin_look"), exact=True).click()
    health = page.get_by_role("region", name=say("admin_health"))
    await expect(health.get_by_role("status")).to_be_visible()
    assert await faults_at_both_widths(page) == []
    for width in (360, 1366, 1920):
        await page.set_viewport_size({"width": width, "height": 768})
        assert await scrolls_aside(page) == 0


async def test_a_new_password_is_told_once_and_waits_for_a_second_person(floor: Floor) -> None:
    """The administrator asks; the request is on the page, and the password opens nothing until then."""
    page = await floor.staff_page("admin", "/admin")
    staff = page.get_by_role("region", name=say("admin_staff"), exact=True)
    await staff.get_by_role("button", name="pit-manager", exact=True).click()
    dialog = page.get_by_role("dialog", name="pit-manager")
    await dialog.get_by_role("button", name=say("admin_reset")).click()
    told = page.get_by_role("dialog", name=say("admin_password", name="pit-manager"))
    await expect(told).to_contain_text(say("admin_password_waits"))
    await told.get_by_role("button", name=say("close")).first.click()
    await expect(told).to_be_hidden()
    waiting = page.get_by_role("region", name=say("waits_for_second"))
    await expect(waiting).to_contain_text("pit-manager")
    assert (await (await floor.person("casino-manager")).get("/approvals")) != []
