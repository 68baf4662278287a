"""The sign: display, console and terminal show every limit in force (3.3, 3.4; ETG 3.3)."""

import pytest
from playwright.async_api import Locator, Page, expect

from taisai.game.explain import catalogue
from tests.browser.floor import MAXIMUM, MINIMUM, Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import LIVE, SHARED, TOTALLED, at
from tests.browser.words import money, say


def sign_of(page: Page | Locator) -> Locator:
    return page.get_by_label(say("sign"), exact=True)


@pytest.mark.clause("tai-sai-v6", "3.3", "3.4")
async def test_the_display_and_the_console_show_limits_and_differential(floor: Floor) -> None:
    """Minimum and maximum of every box, and how far Big and Small may be apart."""
    for page in (
        await floor.page(f"/display?table={LIVE}"),
        await floor.staff_page("dealer", f"/console?table={LIVE}"),
    ):
        sign = sign_of(page)
        await expect(sign).to_contain_text(catalogue("en")["terms"]["every-box"])
        await expect(sign).to_contain_text(say("sign_line", minimum=money(MINIMUM), maximum=money(MAXIMUM)))
        await expect(sign).to_contain_text(say("differential_big_small"))
        await expect(sign).to_contain_text(money(2_000))


@pytest.mark.clause("tai-sai-v6", "3.3")
async def test_a_box_with_a_limit_of_its_own_has_a_line_in_two_languages(floor: Floor) -> None:
    """Big takes less than the other boxes; the wall says so in English and in Chinese."""
    sign = sign_of(await floor.page(f"/display?table={SHARED}"))
    await expect(sign).to_contain_text(catalogue("en")["terms"]["other-boxes"])
    await expect(sign).to_contain_text(catalogue("zh-Hant")["terms"]["other-boxes"])
    await expect(sign).to_contain_text("Big")
    await expect(sign).to_contain_text(say("sign_line", minimum=money(MINIMUM), maximum=money(20_00)))


@pytest.mark.clause("sic-bo-etg-v8", "3.3")
async def test_a_terminal_shows_its_limits_and_the_total_of_a_box(floor: Floor) -> None:
    """Every limit in force is in view beside the table's name, and again behind rules and odds."""
    terminal = await TerminalPage.at(floor, TOTALLED)
    limits = say("sign_line", minimum=money(MINIMUM), maximum=money(MAXIMUM))
    lines = sign_of(terminal.page).get_by_role("listitem")
    await expect(lines.filter(has_text=catalogue("en")["terms"]["other-boxes"])).to_contain_text(limits)
    await expect(lines.filter(has_text="Big")).to_contain_text(say("sign_total", total=money(20_00)))
    for line in await lines.all():
        await expect(line).to_be_in_viewport(ratio=1)
    await terminal.act("rules_and_odds").click()
    sign = sign_of(terminal.dialog("rules_and_odds"))
    await expect(sign).to_contain_text(say("sign_total", total=money(20_00)))
    await expect(sign).to_contain_text(catalogue("en")["terms"]["other-boxes"])


@pytest.mark.clause("sic-bo-etg-v8", "5.1", "5.8")
async def test_the_rules_that_a_page_tells_have_their_clauses(floor: Floor) -> None:
    """No page states a rule that is not one of its rulebook, and the house's own is said to be that."""
    terminal = await TerminalPage.at(floor, TOTALLED)
    await expect(terminal.page.get_by_role("contentinfo")).to_contain_text(
        f"{say('rule_dice_decide')} ({say('clause', clause='5.8')})"
    )
    await terminal.act("rules_and_odds").click()
    told = terminal.dialog("rules_and_odds")
    await expect(told).to_contain_text(f"{say('rule_interruption')} ({say('clause', clause='5.1')})")
    await expect(told).to_contain_text(f"{say('rule_void')} ({say('clause', clause='5.9')})")
    other = await TerminalPage.at(floor, SHARED)
    await other.act("rules_and_odds").click()
    await expect(other.dialog("rules_and_odds")).to_contain_text(
        f"{say('rule_registered')} ({say('house_procedure')})"
    )


@pytest.mark.clause("tai-sai-v4", "3.3", "5.10")
@pytest.mark.clause("tai-sai-v6", "5.10")
@pytest.mark.parametrize("pay_table", ["tai-sai-v4/1", "tai-sai-v6/1"])
async def test_lamps_that_are_wrong_change_no_money_and_no_result(floor: Floor, pay_table: str) -> None:
    """The fault is on the record; the display still shows the limits, and the dice alone are paid."""
    table = at(pay_table)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.close()
    await dealer.tumble()
    await dealer.declare(6, 5, 4)
    await dealer.act("RecordDisplayFault", kind="lamps", what="Small is lit")
    await dealer.settle()
    await expect(terminal.meter("credit")).to_have_text(money(110_00))
    shown = await floor.table(table)
    assert "big" in shown["round"]["winning_boxes"]
    assert "small" not in shown["round"]["winning_boxes"]
    sign = sign_of(await floor.page(f"/display?table={table}"))
    await expect(sign).to_contain_text(say("sign_line", minimum=money(MINIMUM), maximum=money(MAXIMUM)))
