"""Pages of the staff by daylight: at a press, remembered, readable; a table's console keeps its own light."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.contrast import low_contrasts_at
from tests.browser.floor import PHONE, WIDE, Floor
from tests.browser.looking import faults_at_both_widths
from tests.browser.tables import LIVE
from tests.browser.words import say

LIGHT, DARK = re.compile("^light$"), re.compile("^dark$")


def switch(page: Page) -> Locator:
    return page.get_by_role("button", name=say("theme_light"), exact=True)


async def lit(floor: Floor, name: str, path: str) -> Page:
    """Somebody's page after the press."""
    page = await floor.staff_page(name, path)
    await switch(page).click()
    await expect(page.locator("html")).to_have_attribute("data-theme", LIGHT)
    return page


async def faults(page: Page) -> list[str]:
    """What axe finds, and letters over gradients that can hardly be read."""
    return await faults_at_both_widths(page) + await low_contrasts_at(page, WIDE, PHONE)


@pytest.mark.parametrize(
    ("name", "path"),
    [("supervisor", "/pit"), ("cashier", "/cashier"), ("auditor", "/audit"), ("admin", "/admin")],
)
async def test_a_light_page_is_readable_and_accessible(floor: Floor, name: str, path: str) -> None:
    """By axe and in pixels, on a desk and in the hand."""
    page = await lit(floor, name, path)
    await expect(page.get_by_role("heading").nth(1)).to_be_visible()
    assert await faults(page) == []


async def test_what_opens_on_a_light_page_is_readable(floor: Floor) -> None:
    """A table's details and its rounds, told again beside a felt; a record that is sound."""
    dealer = await floor.dealer(LIVE)
    await dealer.open()
    await dealer.deal(6, 5, 1)
    pit = await lit(floor, "supervisor", "/pit")
    card = pit.get_by_role("article", name=LIVE)
    for key in ("details", "rounds", "limits_set"):
        await card.get_by_role("button", name=say(key), exact=True).click()
        await expect(pit.get_by_role("dialog")).to_be_visible()
        await expect(pit.get_by_text(say("loading"), exact=True)).to_have_count(0)
        assert await faults(pit) == [], key
        await pit.keyboard.press("Escape")
        await expect(pit.get_by_role("dialog")).to_have_count(0)
    audit = await lit(floor, "auditor", "/audit")
    await audit.get_by_role("button", name=say("verify_now"), exact=True).click()
    await expect(audit.get_by_role("status").filter(has_text=say("record_sound")).first).to_be_visible(
        timeout=60_000
    )
    assert await faults(audit) == []


async def test_the_light_is_remembered_and_a_console_keeps_its_own(floor: Floor) -> None:
    """A page loaded anew is light; at the table it is dark, without a switch; a press ends it."""
    page = await lit(floor, "pit-manager", "/pit")
    await page.reload()
    await expect(switch(page)).to_have_attribute("aria-pressed", "true")
    await expect(page.locator("html")).to_have_attribute("data-theme", LIGHT)
    await page.goto(f"/console?table={LIVE}")
    await expect(page.get_by_role("region", name=say("next_act"))).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-theme", DARK)
    await expect(switch(page)).to_have_count(0)
    await page.goto("/pit")
    await switch(page).click()
    await expect(page.locator("html")).to_have_attribute("data-theme", DARK)
