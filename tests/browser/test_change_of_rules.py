"""Another pay table by two people in the pit, which every page follows between rounds."""

import re

from playwright.async_api import expect

from taisai.client import fresh_id
from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage, DisplayPage, TerminalPage, approve
from tests.browser.tables import CHANGING, PLAIN, at
from tests.browser.words import brings, money, say

OTHER = "sic-bo-etg-v8/2"
TRIO = "trio-123"


async def test_another_pay_table_takes_two_people_and_begins_between_rounds(floor: Floor) -> None:
    """The round in play keeps its felt; then display, terminal and console have the other one."""
    dealer = await floor.dealer(CHANGING)
    terminal = await TerminalPage.at(floor, CHANGING, credit=100_00)
    display, console = await DisplayPage.at(floor, CHANGING), await ConsolePage.at(floor, CHANGING)
    await dealer.open()
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    pit = await floor.staff_page("pit-manager", "/pit")
    card = pit.get_by_role("article", name=CHANGING)
    await card.get_by_role("button", name=say("rules_set"), exact=True).click()
    dialog = pit.get_by_role("dialog", name=re.compile(rf"^{say('rules_set')}"))
    await expect(dialog).to_contain_text("Gambling Regulatory Authority of Singapore")
    await dialog.get_by_label(say("rules_choose")).select_option(OTHER)
    await dialog.get_by_role("radio", name=say("rules_at_time")).check()
    await dialog.get_by_label(say("rules_time")).fill("2020-01-01T08:00")
    await dialog.get_by_label(say("reason")).fill("the new felt is here")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_be_hidden()
    second = await floor.staff_page("shift-manager", "/pit")
    request = second.get_by_role("listitem").filter(has_text=say("act_OpenTable"))
    await expect(request).to_contain_text(say("before_now", now=OTHER, before=PLAIN))
    await approve(second, "OpenTable")
    for page in (terminal.page, display.page, console.page):
        await expect(page.get_by_role("banner")).to_contain_text(OTHER)  # what comes next
    await expect(terminal.box(TRIO)).to_have_count(0)
    await dealer.deal(6, 6, 3)
    await expect(terminal.box(TRIO)).to_be_visible()
    await expect(display.page.locator(f"[data-box={TRIO}]")).to_be_visible()
    await expect(console.box(TRIO)).to_be_visible()
    gain = brings(PLAIN, (6, 6, 3), {"big": 10_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    await terminal.act("recall").click()
    await expect(terminal.dialog("recall")).to_contain_text("Big")
    await terminal.page.keyboard.press("Escape")
    await expect(terminal.dialog("recall")).to_be_hidden()
    await dealer.open()
    await terminal.is_open()
    await terminal.bet({TRIO: 5_00})
    await terminal.lies(TRIO, 5_00)
    await dealer.deal(1, 2, 3)
    gain += brings(OTHER, (1, 2, 3), {TRIO: 5_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    first, second = await floor.person("pit-manager"), await floor.person("shift-manager")
    settings = {**await first.get(f"/tables/{CHANGING}/settings"), "pay_table": PLAIN}
    body = {"settings": settings, "reason": "back to the old felt"}
    asked = await first.post(f"/tables/{CHANGING}/settings", body, key=fresh_id())
    await second.approve(asked["approval"])
    await expect(terminal.box(TRIO)).to_have_count(0)
    await terminal.act("recall").click()  # a box that is no longer there is told by its kind
    await expect(terminal.dialog("recall")).to_contain_text(f"{say('kind_trio')} 123")


async def test_pages_say_that_nobody_approved_a_play_money_tables_rules(floor: Floor) -> None:
    """A play-money house may open any rulebook, and its pages say so; an approved one needs no word."""
    words = say("rules_not_approved", rules="macau")
    terminal = await TerminalPage.at(floor, at("macau/1"))
    display = await DisplayPage.at(floor, at("macau/1"))
    await expect(terminal.page.get_by_role("banner")).to_contain_text(words)
    await expect(display.page.get_by_role("banner")).to_contain_text(words)
    await terminal.page.set_viewport_size({"width": 667, "height": 375})  # a small phone that lies
    whole = """(note) => {
      const brand = note.closest(".brand");
      return note.scrollWidth <= note.clientWidth && brand.scrollHeight - brand.clientHeight <= 1;
    }"""
    assert await terminal.page.get_by_text(words).evaluate(whole)
    printed = await display.page.locator("svg text").all_text_contents()  # from afar: whole sentences or none
    assert ("LOSE IF ANY" in printed) == ("TRIPLE APPEARS" in printed)
    approved = await TerminalPage.at(floor, at(PLAIN))
    await expect(approved.page.get_by_role("banner")).not_to_contain_text("approved")
