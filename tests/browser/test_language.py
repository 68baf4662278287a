"""Three languages, switched in place: the bets stay, the words change."""

import re

import pytest
from playwright.async_api import expect

from taisai.rulebooks.catalogue import pay_table
from tests.browser.floor import Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN, at
from tests.browser.words import LANGUAGE_NAMES, called, say

TABLE = at(PLAIN)
# Names, and what has no other: a shift is called what the pit calls it.
SAME = {"English", "Test", "Table", "Live", "house", "JSONL", "evening"}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans"])
async def test_the_language_is_switched_in_the_middle_of_a_slip(floor: Floor, language: str) -> None:
    """The chips lie where they lay, every box has its name in the other language, and back again."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    page = terminal.page
    await terminal.bet({"big": 10_00, "double-6": 5_00})
    await terminal.lies("big", 10_00)
    await terminal.lies("double-6", 5_00)
    await page.get_by_role("button", name=LANGUAGE_NAMES[language], exact=True).click()
    await expect(page.locator("html")).to_have_attribute("lang", language)
    felt = page.get_by_role("grid", name=say("layout", language))
    for box in pay_table(PLAIN).boxes:
        label = felt.get_by_role(
            "button", name=re.compile(f"^{re.escape(called(box.id, language))}(，|、|, )")
        )
        await expect(label).to_have_count(1)
    lies = re.escape(say("bet_registered", language)).replace(r"\{amount\}", ".*10.*")
    big = felt.get_by_role("button", name=re.compile(f"^{re.escape(called('big', language))}"))
    await expect(big).to_have_accessible_name(re.compile(lies))
    await expect(page.get_by_role("button", name=say("rebet", language), exact=True)).to_be_visible()
    await expect(page.get_by_text(say("mood_open", language)).first).to_be_visible()
    await page.get_by_role("button", name=LANGUAGE_NAMES["en"], exact=True).click()
    await terminal.lies("big", 10_00)
    await terminal.lies("double-6", 5_00)


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans"])
@pytest.mark.parametrize(
    ("who", "path"),
    [
        (None, "/"),
        (None, f"/display?table={TABLE}"),
        ("dealer", f"/console?table={TABLE}"),
        ("supervisor", "/pit"),
        ("cashier", "/cashier"),
        ("auditor", "/audit"),
    ],
)
async def test_every_page_speaks_chinese(floor: Floor, who: str | None, path: str, language: str) -> None:
    """No button and no heading is left in English, but for names that are the same in every language."""
    page = await (floor.staff_page(who, path) if who else floor.page(path))
    switch = page.get_by_role("button", name=LANGUAGE_NAMES[language], exact=True)
    if path.startswith("/display"):
        await page.goto(f"{path}&lang={language}")
    else:
        await switch.click()
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    for role in ("heading", "button"):
        for one in await page.get_by_role(role).filter(visible=True).all():
            text = await one.get_attribute("aria-label") or await one.inner_text()
            said = [word for word in re.findall(r"[A-Za-z]{4,}", text) if word not in SAME]
            assert not said or HAN.search(text), f"{role} {text!r}"


async def test_the_choice_of_a_language_outlives_the_page(floor: Floor) -> None:
    """It is kept on the machine."""
    terminal = await TerminalPage.at(floor, TABLE)
    await terminal.page.get_by_role("button", name=LANGUAGE_NAMES["zh-Hant"], exact=True).click()
    await expect(terminal.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    await terminal.page.reload()
    await expect(terminal.page.get_by_role("grid", name=say("layout", "zh-Hant"))).to_be_visible()


async def test_chinese_is_drawn_with_the_pages_own_font(floor: Floor) -> None:
    """On a machine without Chinese fonts nothing is a box: the signs come with the page."""
    page = await floor.page(f"/display?table={TABLE}&lang=zh-Hant")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await page.evaluate("document.fonts.ready")
    loaded = await page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
    assert any("Han" in family for family in loaded), loaded
