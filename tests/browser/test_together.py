"""Two terminals, a console and a display at one table: everybody sees the same round."""

import re

import pytest
from playwright.async_api import expect

from taisai.dice import Roll
from taisai.rulebooks.catalogue import pay_table
from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage, DisplayPage, TerminalPage, wins
from tests.browser.tables import PLAIN, TIMED, at
from tests.browser.words import brings, money, net, say

TABLE = at(PLAIN)


@pytest.mark.clause("sic-bo-etg-v8", "1.3", "1.8", "3.2", "3.5")
async def test_two_terminals_a_console_and_a_display_play_one_round(floor: Floor) -> None:
    """Bets are counted, the closing is heard everywhere, winners are lit, nets are right to the cent."""
    dealer = await floor.dealer(TABLE)
    console = await ConsolePage.at(floor, TABLE)
    display = await DisplayPage.at(floor, TABLE)
    ann = await TerminalPage.at(floor, TABLE, credit=100_00)
    ben = await TerminalPage.at(floor, TABLE, credit=500_00)
    await console.press("do_StartRound")
    for page in (ann, ben, display):
        await page.is_open()
    slips = {
        ann: {"small": 10_00, "sum-8": 5_00, "single-1": 25_00},
        ben: {"big": 50_00, "domino-13": 10_00, "double-4": 1_00},
    }
    for terminal, slip in slips.items():
        await terminal.bet(slip)
    slips[ben]["double-4"] += 10_00  # a dollar alone is below the minimum and waits
    await ben.lies("double-4", 1_00, "bet_low")
    await ben.bet({"double-4": 10_00})
    staked = sum(sum(slip.values()) for slip in slips.values())
    await expect(console.figure("staked_now")).to_have_text(money(staked))
    await expect(console.figure("terminals_betting")).to_have_text("2")
    await console.press("do_CloseBetting")
    for page in (ann, ben, display):
        await page.is_shut()
    dice = (4, 1, 3)
    await dealer.tumble()
    await dealer.declare(*dice)
    winners = pay_table(PLAIN).winning_boxes(Roll(*dice))
    for terminal in slips:
        for box in winners:
            await expect(terminal.box(box)).to_have_accessible_name(wins(box))
        await expect(terminal.felt.get_by_role("button", name=", wins")).to_have_count(len(winners))
    await expect(display.lit).to_have_count(len(winners))
    await expect(display.stage.get_by_role("img")).to_have_accessible_name("1-3-4: 8, Small, Even")
    await console.press("do_SettleBets")
    for terminal, slip in slips.items():
        gain = brings(PLAIN, dice, slip)
        await expect(terminal.meter("this_round")).to_have_text(net(gain))
        await expect(terminal.meter("credit")).to_have_text(
            money((100_00 if terminal is ann else 500_00) + gain)
        )
    await expect(display.latest.get_by_role("listitem").first).to_contain_text("8")


async def test_the_countdown_is_seen_and_extended(floor: Floor) -> None:
    """The time that is left stands on every page; the dealer gives more, and every page has it."""
    dealer = await floor.dealer(TIMED)
    await dealer.open()
    console = await ConsolePage.at(floor, TIMED)
    display = await DisplayPage.at(floor, TIMED)
    terminal = await TerminalPage.at(floor, TIMED)
    clocks = [page.page.get_by_role("timer") for page in (console, display, terminal)]
    for clock in clocks:
        await expect(clock).to_be_visible()
    before = (await floor.table(TIMED))["round"]["closes_at"]
    seconds = int(await clocks[2].inner_text())
    await console.stage.get_by_role("button", name=say("extend_by", n=30)).click()
    await expect(console.answer).to_contain_text(say("extended", n=30))
    assert (await floor.table(TIMED))["round"]["closes_at"] == before + 30_000
    more = "|".join(str(left) for left in range(seconds + 1, seconds + 31))
    for clock in clocks:
        await expect(clock).to_have_text(re.compile(f"^({more})$"))


async def test_staff_bet_for_players_at_a_live_table_and_the_excess_goes_back(floor: Floor) -> None:
    """A player is seated, chips are entered on the felt, the difference is shown and one act returns it."""
    dealer = await floor.dealer("L1")
    await dealer.open()
    console = await ConsolePage.at(floor, "L1")
    page = console.page
    await page.get_by_role("button", name=say("player_new"), exact=True).click()
    dialog = page.get_by_role("dialog", name=say("player_new"))
    await dialog.get_by_label(say("player_name")).fill("ann")
    await dialog.get_by_label(say("buy_in_amount")).fill("100")
    await dialog.get_by_role("button", name=say("player_seat")).click()
    tray = page.get_by_role("region", name=say("bets_for", player="ann"))
    await tray.get_by_role("radio", name=money(50_00), exact=True).click()
    await page.get_by_role("grid", name=say("layout")).get_by_role("button", name="Big, ").click()
    await tray.get_by_role("button", name=say("bets_register")).click()
    alerts = page.get_by_role("region", name=say("alerts"))
    await expect(alerts).to_contain_text(money(30_00))
    await alerts.get_by_role("button", name=say("reject_excess")).click()
    await expect(alerts).to_contain_text(say("alerts_none"))
    await expect(console.figure("staked_now")).to_have_text(money(20_00))


@pytest.mark.clause("tai-sai-v6", "5.1", "5.1.1")
@pytest.mark.parametrize(("choice", "left"), [("close_rejecting", 20_00), ("close_without", 50_00)])
async def test_closing_with_a_breach_on_the_screen_asks_what_becomes_of_it(
    floor: Floor, choice: str, left: int
) -> None:
    """Reject and close is the first choice and close without the second; the record says which it was."""
    dealer = await floor.dealer("L1")
    await dealer.open()
    await dealer.act("BuyIn", player="ann", amount=100_00)
    await dealer.act("PlaceBets", player="ann", slip={"big": 50_00}, version=1)
    console = await ConsolePage.at(floor, "L1")
    await console.big("do_CloseBetting").click()
    dialog = console.page.get_by_role("dialog", name=say("do_CloseBetting"))
    await expect(dialog).to_contain_text(money(30_00))
    await dialog.get_by_role("button", name=say(choice), exact=True).click()
    await expect(dialog).to_be_hidden()
    await expect(console.figure("staked_now")).to_have_text(money(left))
    said = "excess_by_rejected" if choice == "close_rejecting" else "excess_by_left"
    number = (await floor.table("L1"))["round"]["number"]
    person = await floor.person("supervisor")
    told = await person.get(f"/tables/L1/rounds/{number}")
    (closed,) = [event for event in told["events"] if event["type"] == "BettingClosed"]
    assert f"excess_by_{closed['facts']['excess_by']}" == said


async def test_a_terminal_calls_an_attendant_and_is_taken_out_of_service(floor: Floor) -> None:
    """The call shows at the console; what the dealer does there shows on the terminal."""
    await floor.dealer(TABLE)
    console = await ConsolePage.at(floor, TABLE)
    terminal = await TerminalPage.at(floor, TABLE)
    await terminal.act("attendant").click()
    footer = await terminal.page.get_by_role("contentinfo").inner_text()
    name = footer.split()[-1]
    alerts = console.page.get_by_role("region", name=say("alerts"))
    await expect(alerts).to_contain_text(say("attendant_at", terminal=name))
    await console.page.get_by_role("button", name=say("terminal_more", terminal=name), exact=True).click()
    dialog = console.page.get_by_role("dialog", name=name)
    await dialog.get_by_role("button", name=say("terminal_out")).click()
    veil = terminal.page.get_by_text(say("service_out_of_service"), exact=True)
    await expect(veil).to_be_visible()
    await console.page.get_by_role("button", name=say("terminal_more", terminal=name), exact=True).click()
    await dialog.get_by_role("button", name=say("act_SetService")).click()
    await dialog.get_by_label(say("reason")).fill("looked after")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_be_hidden()
    supervisor = await floor.person("supervisor")
    (asked,) = [each for each in await supervisor.get("/approvals") if each["fields"].get("terminal") == name]
    await supervisor.approve(asked["id"])
    await expect(veil).to_be_hidden()
