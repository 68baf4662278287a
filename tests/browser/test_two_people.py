"""What takes two people: one asks at the console, another agrees in the pit, each with their own login."""

import pytest
from playwright.async_api import expect

from taisai.client import fresh_id
from tests.browser.floor import MAXIMUM, MINIMUM, Floor
from tests.browser.seats import ConsolePage, DisplayPage, TerminalPage, approve
from tests.browser.tables import PLAIN, at
from tests.browser.words import brings, money, net, say

TABLE = at(PLAIN)


@pytest.mark.clause("sic-bo-etg-v8", "5.5")
async def test_a_corrected_result_is_paid_anew_when_a_second_person_agrees(floor: Floor) -> None:
    """The dealer misread a die: the bets are settled by what the dice really showed, and everyone is told."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await dealer.open()
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.deal(1, 2, 3)
    await expect(terminal.meter("credit")).to_have_text(money(90_00))
    console = await ConsolePage.at(floor, TABLE)
    dialog = await console.irregular("CorrectResult")
    for face in (6, 6, 3):
        await dialog.get_by_role("button", name=say(f"face_{face}"), exact=True).click()
    await dialog.get_by_label(say("reason")).fill("the camera shows it")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(console.answer).to_contain_text(say("waits_for_second"))
    await expect(terminal.meter("credit")).to_have_text(money(90_00))
    pit = await floor.staff_page("supervisor", "/pit")
    request = pit.get_by_role("listitem").filter(has_text=say("act_CorrectResult"))
    await expect(request).to_contain_text("the camera shows it")
    await expect(request).to_contain_text(say("asked_by", name="dealer", role=say("role_dealer")))
    await approve(pit, "CorrectResult")
    gain = brings(PLAIN, (6, 6, 3), {"big": 10_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))
    await expect(terminal.meter("net_position")).to_have_text(net(gain))
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(card).to_contain_text(say("corrected"))
    await terminal.act("recall").click()
    newest = terminal.dialog("recall").get_by_role("listitem").first
    await expect(newest).to_contain_text(say("corrected"))


async def test_whoever_asked_cannot_agree(floor: Floor) -> None:
    """One person is not two: in the pit their own request has no button."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    await dealer.deal(1, 2, 3)
    console = await ConsolePage.at(floor, TABLE, name="pit-manager")
    dialog = await console.irregular("CorrectResult")
    for face in (4, 4, 4):
        await dialog.get_by_role("button", name=say(f"face_{face}"), exact=True).click()
    await dialog.get_by_label(say("reason")).fill("asked by the pit manager")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(console.answer).to_contain_text(say("waits_for_second"))
    own = (await floor.staff_page("pit-manager", "/pit")).get_by_role("listitem")
    request = own.filter(has_text="asked by the pit manager")
    await expect(request).to_contain_text(say("waits_for_second"))
    await expect(request.get_by_role("button", name=say("approve"))).to_have_count(0)
    other = await floor.staff_page("shift-manager", "/pit")
    theirs = other.get_by_role("listitem").filter(has_text="asked by the pit manager")
    await theirs.get_by_role("button", name=say("deny")).click()
    dialog = other.get_by_role("dialog", name=say("deny"))
    await dialog.get_by_role("button", name=say("deny")).click()
    await expect(other.get_by_role("region", name=say("last_answer"))).to_contain_text(say("denied"))
    await expect(request).to_have_count(0)
    assert sorted((await floor.table(TABLE))["round"]["dice"]) == [1, 2, 3]


async def test_a_round_that_waits_for_a_ruling_is_ruled_by_two(floor: Floor) -> None:
    """Two dice decide some bets, the third will never be read: the shift manager rules, a second agrees."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await dealer.open()
    await terminal.bet({"big": 10_00, "domino-56": 5_00})
    await terminal.lies("big", 10_00)
    await terminal.lies("domino-56", 5_00)
    await dealer.close()
    await dealer.tumble()
    console = await ConsolePage.at(floor, TABLE, name="shift-manager")
    dialog = await console.irregular("InterruptRound")
    for face in (6, 5):
        await dialog.get_by_role("button", name=say(f"face_{face}"), exact=True).click()
    await dialog.get_by_role("switch", name=say("readable_later")).uncheck()
    await dialog.get_by_role("button", name=say("interrupt_do")).click()
    await expect(terminal.phase).to_contain_text(say("phase_awaiting_ruling"))
    await console.press("do_MakeRuling")
    dialog = console.page.get_by_role("dialog", name=say("act_MakeRuling"))
    await dialog.get_by_role("radio", name=say("ruling_declare")).check()
    for face in (6, 5, 1):
        await dialog.get_by_role("button", name=say(f"face_{face}"), exact=True).click()
    await dialog.get_by_label(say("reason")).fill("as the recording shows")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(console.answer).to_contain_text(say("waits_for_second"))
    await approve(await floor.staff_page("casino-manager", "/pit"), "MakeRuling")
    await console.press("do_SettleBets")
    gain = brings(PLAIN, (6, 5, 1), {"big": 10_00, "domino-56": 5_00})
    await expect(terminal.meter("credit")).to_have_text(money(100_00 + gain))


async def test_new_limits_take_two_people_and_hold_from_the_next_round_on(floor: Floor) -> None:
    """The round in play keeps its own; with the next one the terminal and the display show the new ones."""
    table = at("sic-bo-etg-v8/3")
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=20_00)
    display = await DisplayPage.at(floor, table)
    before = shown(MAXIMUM)
    pit = await floor.staff_page("pit-manager", "/pit")
    card = pit.get_by_role("article", name=table)
    await card.get_by_role("button", name=say("limits_set"), exact=True).click()
    dialog = pit.get_by_role("dialog", name=say("limits_set"))
    await dialog.get_by_label(say("maximum"), exact=True).fill("750")
    await dialog.get_by_label(say("reason")).fill("a quiet evening")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_be_hidden()
    second = await floor.staff_page("shift-manager", "/pit")
    request = second.get_by_role("listitem").filter(has_text="a quiet evening")
    changes = say("before_now", now=shown(750_00), before=before)
    await expect(request.get_by_role("definition").first).to_have_text(changes)
    await approve(second, "OpenTable")
    banner = terminal.page.get_by_role("banner")
    await expect(banner).to_contain_text(before)
    await dealer.deal(1, 2, 3)
    await dealer.open()
    await terminal.is_open()
    await display.is_open()
    await expect(banner).to_contain_text(shown(750_00))
    await expect(display.page.get_by_role("banner")).to_contain_text(money(750_00))


def shown(maximum: int) -> str:
    return say("sign_line", minimum=money(MINIMUM), maximum=money(maximum))


async def test_limits_set_before_the_first_round_are_shown_at_once(floor: Floor) -> None:
    """Nobody has played yet: those who look at the table see the change all the same."""
    table = at("sic-bo-etg-v8/2")
    terminal = await TerminalPage.at(floor, table)
    first, second = await floor.person("pit-manager"), await floor.person("shift-manager")
    settings = await first.get(f"/tables/{table}/settings")
    settings["limits"]["default"]["maximum"] = 640_00
    body = {"settings": settings, "reason": "the first evening"}
    asked = await first.post(f"/tables/{table}/settings", body, key=fresh_id())
    await second.approve(asked["approval"])
    await expect(terminal.page.get_by_role("banner")).to_contain_text(shown(640_00))
