"""What a player must be able to see and hear all the time, and what they set to see it their way."""

import re

import pytest
from playwright.async_api import ViewportSize, WebSocketRoute, expect

from taisai.odds.exact import box_odds
from taisai.rulebooks.catalogue import pay_table, rulebook_of
from tests.browser.floor import MAXIMUM, MINIMUM, PHONE, TOUCH, WIDE, Floor
from tests.browser.looking import scrolls_aside
from tests.browser.seats import TerminalPage
from tests.browser.tables import COUNTED, PLAIN, UNTIMED, WIDE_LIMITS, at
from tests.browser.words import brings, called, money, net, say

TABLE = at(PLAIN)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_time_money_and_limits_stay_in_view(floor: Floor, size: ViewportSize) -> None:
    """Session time that runs, last win, net, limits, connection, play money, what decides: on a phone too."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00, viewport=size)
    await terminal.is_open()
    await expect(terminal.meter("session_time")).to_have_text(re.compile(r"^0:\d\d:(?!00)\d\d$"))
    for text in (
        f"{say('rule_dice_decide')} ({say('clause', clause='5.8')})",
        say("play_money"),
        say("sign_line", minimum=money(MINIMUM), maximum=money(MAXIMUM)),
    ):
        await expect(terminal.page.get_by_text(text, exact=True).first).to_be_in_viewport()
    line = terminal.page.locator(".link")
    await expect(line).to_be_in_viewport()
    quality = f"{say('link_live')}|{say('link_slow')}"  # as the machine is
    await expect(line).to_have_attribute("title", re.compile(rf"^({quality}) \d+ ms$"))
    await expect(terminal.meter("last_win")).to_have_text(money(0))
    await expect(terminal.meter("net_position")).to_have_text(net(0))
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    await dealer.deal(6, 5, 4)
    gain = brings(PLAIN, (6, 5, 4), {"big": 10_00})
    await expect(terminal.meter("this_round")).to_have_text(net(gain))
    await dealer.open()
    await terminal.is_open()
    for meter, text in (("last_win", money(gain)), ("net_position", net(gain))):
        await expect(terminal.meter(meter)).to_have_text(text)
        await expect(terminal.meter(meter)).to_be_in_viewport()


async def test_rules_and_odds_are_one_touch_away_on_a_phone(floor: Floor) -> None:
    """A button of their own beside the phase, and nothing is pushed aside by it."""
    terminal = await TerminalPage.at(floor, TABLE, **TOUCH)
    await terminal.act("rules_and_odds").tap()
    await expect(terminal.dialog("rules_and_odds")).to_be_visible()
    assert await scrolls_aside(terminal.page) == 0


async def test_the_rules_tell_every_return_the_cocked_dice_and_what_the_buttons_do(floor: Floor) -> None:
    """Each price with what comes back of it, the rule of dice that do not lie flat, and the clauses."""
    terminal = await TerminalPage.at(floor, TABLE)
    await terminal.act("rules_and_odds").click()
    dialog = terminal.dialog("rules_and_odds")
    table = pay_table(PLAIN)
    groups = {box.group: box for box in reversed(table.boxes)}
    await expect(dialog.get_by_role("rowheader")).to_have_count(len(groups))
    told = await dialog.locator("tbody tr td:nth-child(3)").all_inner_texts()
    assert sorted(told) == sorted(f"{100 * float(box_odds(box).returns):.2f}%" for box in groups.values())
    small = dialog.get_by_role("row").filter(has=terminal.page.get_by_role("rowheader", name=called("small")))
    await expect(small.first).to_contain_text("97.22%")
    for key in ("rule_void", "rule_cut_off", "rule_registered", "rule_interruption"):
        await expect(dialog).to_contain_text(say(key))
    for key in ("undo", "clear", "rebet", "double", "saved", "attendant", "easy_mode", "chip_signs"):
        term = terminal.page.get_by_role("term").filter(has_text=re.compile(f"^{say(key)}$"))
        await expect(dialog.locator("dl > div", has=term)).to_contain_text(say(f"help_{key}"))
    await dialog.locator("summary").click()
    clause = next(iter(rulebook_of(PLAIN).clauses))
    await expect(
        dialog.get_by_role("term").filter(has_text=re.compile(f"^{re.escape(clause)}$"))
    ).to_be_visible()


async def test_the_last_seconds_are_shown_and_said(floor: Floor) -> None:
    """Ten seconds, five seconds, the last call in words, and then no more bets."""
    dealer = await floor.dealer(COUNTED)
    terminal = await TerminalPage.at(floor, COUNTED, credit=20_00)
    await dealer.open()
    for seconds in ("10|9|8|7|6", "5|4|3|2|1"):  # a busy page says it late, and then says what is left
        left = "|".join(re.escape(say("seconds_left", n=n)) for n in seconds.split("|"))
        await expect(terminal.alert).to_have_text(re.compile(f"^({left})"))
    await expect(terminal.phase).to_contain_text(say("mood_last"))
    await expect(terminal.alert).to_contain_text(say("no_more_bets"))
    await terminal.is_shut()


async def test_a_bet_that_came_too_late_says_by_how_much(floor: Floor) -> None:
    """The page has not heard of the closing: the refusal names its clause and the milliseconds."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    context = await floor.context()

    def deaf(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def tell(message: str | bytes) -> None:
            if '"RoundChanged"' not in str(message):
                page.send(message)

        server.on_message(tell)

    page = await context.new_page()
    await page.route_web_socket("**/ws/terminal", deaf)
    await page.goto(f"/terminal?table={TABLE}")
    terminal = TerminalPage(page, TABLE)
    await expect(terminal.felt).to_be_visible()
    await terminal.buy_in(50_00)
    await terminal.is_open()
    await dealer.close()
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00, "bet_refused")
    late = re.escape(say("late_by", ms="N")).replace("N", r"\d+")
    clause = re.escape(rulebook_of(PLAIN).cite("late_bets"))
    await expect(terminal.line).to_have_text(re.compile(rf"^No more bets: .* \({clause}\) {late}$"))
    await expect(terminal.meter("credit")).to_have_text(money(50_00))


async def test_letter_keys_can_be_switched_off(floor: Floor) -> None:
    """Then a letter changes nothing, a digit still chooses a chip, and the choice outlives the page."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=50_00)
    await terminal.is_open()
    await terminal.bet({"big": 5_00})
    await terminal.lies("big", 5_00)
    await terminal.page.keyboard.press("d")
    await terminal.lies("big", 10_00)
    await terminal.act("settings").click()
    dialog = terminal.dialog("settings")
    await dialog.get_by_role("switch", name=say("letter_keys")).uncheck()
    await dialog.get_by_role("button", name=say("close"), exact=True).click()
    for _ in range(2):
        await terminal.page.keyboard.press("d")
        await terminal.page.keyboard.press("1")
        await expect(
            terminal.page.get_by_role("radio", name="Chip of 1 Singapore dollar", exact=True)
        ).to_be_checked()
        await terminal.lies("big", 10_00)
        await terminal.page.reload()
        await terminal.is_open()


async def test_the_left_handed_layout_changes_sides(floor: Floor) -> None:
    """Meters and past results go to the other side of the felt, and stay there on the next load."""
    terminal = await TerminalPage.at(floor, TABLE)

    async def felt_left_of_meters() -> bool:
        box, meter = await terminal.box("big").bounding_box(), await terminal.meter("credit").bounding_box()
        assert box is not None
        assert meter is not None
        return box["x"] < meter["x"]

    assert await felt_left_of_meters()
    await terminal.act("settings").click()
    dialog = terminal.dialog("settings")
    await dialog.get_by_role("switch", name=say("left_hand")).check()
    await dialog.get_by_role("button", name=say("close"), exact=True).click()
    assert not await felt_left_of_meters()
    await terminal.page.reload()
    await expect(terminal.felt).to_be_visible()
    assert not await felt_left_of_meters()


async def test_the_chips_of_the_rail_reach_far_and_are_the_players_choice(floor: Floor) -> None:
    """From the minimum to a tenth of the maximum by itself; others by choice, kept on the machine."""
    dealer = await floor.dealer(WIDE_LIMITS)
    await dealer.open()
    terminal = await TerminalPage.at(floor, WIDE_LIMITS, credit=5_000_00)
    await terminal.is_open()
    rail = terminal.page.get_by_role("radiogroup", name=say("chips")).get_by_role("radio")
    assert await rail.all_inner_texts() == ["5", "25", "50", "500", "1K", "10K"]
    await terminal.act("settings").click()
    dialog = terminal.dialog("settings")
    choice = dialog.get_by_role("group", name=say("rail_chips"))
    spare = choice.get_by_role("button", name=money(100_00), exact=True)
    await expect(spare).to_be_disabled()
    await choice.get_by_role("button", name=money(10_000_00), exact=True).click()
    await spare.click()
    await expect(spare).to_have_attribute("aria-pressed", "true")
    await dialog.get_by_role("button", name=say("close"), exact=True).click()
    assert await rail.all_inner_texts() == ["5", "25", "50", "100", "500", "1K"]
    await terminal.page.reload()
    await terminal.is_open()
    assert await rail.all_inner_texts() == ["5", "25", "50", "100", "500", "1K"]
    await terminal.bet({"big": 100_00})
    await terminal.lies("big", 100_00)


@pytest.mark.parametrize("width", [1024, 1280, 1366])
async def test_a_small_desk_screen_has_every_act_in_view(floor: Floor, width: int) -> None:
    """The title in two lines at most, and no button of the dock beside the window."""
    terminal = await TerminalPage.at(floor, UNTIMED, viewport={"width": width, "height": 768})
    assert await scrolls_aside(terminal.page) == 0
    title = await terminal.page.locator(".top").bounding_box()
    assert title is not None
    assert title["height"] <= 80
    acts = terminal.page.get_by_role("region", name=say("your_hand")).get_by_role("button")
    for act in await acts.all():
        if await act.is_visible():
            place = await act.bounding_box()
            assert place is not None
            assert place["x"] + place["width"] <= width, await act.inner_text()
