"""A table without a clock, for whoever needs more time or tries the game out (WCAG 2.2.1)."""

import re

from playwright.async_api import expect

from tests.browser.floor import TOUCH, Floor
from tests.browser.looking import faults_at_both_widths, scrolls_down, small_targets
from tests.browser.seats import TerminalPage
from tests.browser.tables import UNTIMED
from tests.browser.test_round import tab_to
from tests.browser.words import money, say


async def number_of(floor: Floor) -> int:
    return int((await floor.table(UNTIMED))["round"]["number"])


async def played(terminal: TerminalPage, number: int, stake: int) -> None:
    """The round is over: it is in the recall with what was staked, and the next one is open."""
    await expect(terminal.phase).to_contain_text(say("round_number", n=number + 1))
    await terminal.is_open()
    await terminal.act("recall").click()
    newest = terminal.dialog("recall").get_by_role("listitem").first
    await expect(newest).to_contain_text(say("round_number", n=number))
    await expect(newest).to_contain_text(money(stake))
    await terminal.page.keyboard.press("Escape")


async def test_the_dice_roll_when_the_player_says_so(floor: Floor) -> None:
    """By keyboard alone: nothing to roll for at first, then a bet, the dice, and the next round."""
    terminal = await TerminalPage.at(floor, UNTIMED, credit=100_00)
    await terminal.is_open()
    number = await number_of(floor)
    await expect(terminal.phase).to_contain_text(say("no_clock_shared"))
    await expect(terminal.phase.get_by_role("timer")).to_have_count(0)
    roll = terminal.act("roll_dice")
    await expect(roll).to_be_disabled()
    await terminal.choose(5_00)
    await terminal.box("big").focus()
    await terminal.page.keyboard.press("Enter")
    await terminal.lies("big", 5_00)
    await expect(roll).to_be_enabled()
    assert await faults_at_both_widths(terminal.page) == []
    await tab_to(terminal.page, say("roll_dice"))
    await terminal.page.keyboard.press("Enter")
    await played(terminal, number, 5_00)
    await expect(roll).to_be_disabled()


async def test_two_players_wait_for_each_other(floor: Floor) -> None:
    """Who is ready sees for how many the dice wait; a change of the bet is a change of mind."""
    one = await TerminalPage.at(floor, UNTIMED, credit=50_00)
    two = await TerminalPage.at(floor, UNTIMED, credit=50_00, **TOUCH)
    await one.is_open()
    number = await number_of(floor)
    await one.bet({"big": 10_00})
    await one.lies("big", 10_00)
    await two.bet({"small": 10_00})
    await two.lies("small", 10_00)
    assert await small_targets(two.page, 24) == []
    await one.act("roll_dice").click()
    waits = one.page.get_by_role("button", name=re.compile(f"^{say('roll_waits', n=1)}"))
    await expect(waits).to_have_attribute("aria-pressed", "true")
    await one.bet({"odd": 5_00})
    await one.lies("odd", 5_00)
    await expect(one.act("roll_dice")).to_have_attribute("aria-pressed", "false")
    place = await two.act("undo").bounding_box()
    await two.act("roll_dice").tap()
    await expect(
        two.page.get_by_role("button", name=re.compile(f"^{say('roll_waits', n=1)}"))
    ).to_be_visible()
    await one.act("roll_dice").click()
    await played(one, number, 15_00)
    await expect(two.phase).to_contain_text(say("round_number", n=number + 1))
    assert await two.act("undo").bounding_box() == place  # commitment and proof came, and lifted nothing
    lost_or_won = "|".join(re.escape(money(credit)) for credit in (40_00, 60_00))
    await expect(two.meter("credit")).to_have_text(re.compile(f"^({lost_or_won})$"))


async def test_the_button_has_room_on_a_terminals_screen(floor: Floor) -> None:
    """Lying and standing, with nothing to scroll and every target large enough for a finger."""
    terminal = await TerminalPage.at(floor, UNTIMED, has_touch=True)
    for width, height in ((1920, 1080), (1080, 1920)):
        await terminal.page.set_viewport_size({"width": width, "height": height})
        assert await small_targets(terminal.page, 44) == []
        assert await scrolls_down(terminal.page) == 0


async def test_the_rules_name_a_numbered_pay_table_in_the_readers_language(floor: Floor) -> None:
    """The rulebook calls it Pay Table 1; a Chinese reader has 賠率表 1."""
    terminal = await TerminalPage.at(floor, UNTIMED)
    for language in ("en", "zh-Hant", "zh-Hans"):
        await terminal.page.locator(f".languages button[lang={language}]").first.click()
        await terminal.page.get_by_role("button", name=say("rules_and_odds", language)).first.click()
        caption = terminal.page.locator("dialog[open] table.odds caption")
        await expect(caption).to_contain_text(say("pay_table_number", language, n=1))
        await terminal.page.keyboard.press("Escape")
