"""The pit: what each table's card says, the gaming day and its counts, and single rounds put right."""

import re
from typing import Any

from playwright.async_api import Locator, Page, Route, expect

from taisai.client import Refused, fresh_id
from tests.browser.floor import Dealer, Floor
from tests.browser.seats import approve
from tests.browser.tables import TIMED, UNTIMED, WATCHED
from tests.browser.test_heard import LISTEN, hears
from tests.browser.words import called, money, net, say

ALARMED, COUNTED, DISPUTED = WATCHED
ALARM = 988  # the first tone of an alarm, in hertz: frontend/src/lib/sounds.ts


def card(pit: Page, table: str) -> Locator:
    return pit.get_by_role("article", name=re.compile(f"^{table} "))


async def details(pit: Page, table: str, button: str = "details") -> Locator:
    await card(pit, table).get_by_role("button", name=say(button), exact=True).click()
    dialog = pit.get_by_role("dialog", name=re.compile(table))
    await expect(dialog).to_be_visible()
    return dialog


async def play(dealer: Dealer, slip: dict[str, int], *rolls: tuple[int, int, int]) -> None:
    await dealer.act("BuyIn", player="ann", amount=len(rolls) * sum(slip.values()))
    for roll in rolls:
        await dealer.open()
        await dealer.act("PlaceBets", player="ann", slip=slip, version=1)
        await dealer.deal(*roll)


async def figures(floor: Floor, table: str) -> dict[str, Any]:
    tables = await (await floor.person("supervisor")).get("/pit")
    found: dict[str, Any] = next(each for each in tables if each["table"]["name"] == table)
    return found


async def test_the_countdown_is_right_however_long_the_login_took(floor: Floor) -> None:
    """The page came up long before anybody logged in: seconds are counted from what the server says now."""
    dealer = await floor.dealer(TIMED)
    page = await (await floor.context()).new_page()
    asked: list[str] = []

    async def long_ago(route: Route) -> None:
        """What the page heard when it came up was four minutes ago."""
        answer = await route.fetch()
        house = await answer.json()
        asked.append(route.request.url)
        if len(asked) == 1:
            house["server_time"] -= 240_000
        await route.fulfill(response=answer, json=house)

    await page.route("**/api/v1/house", long_ago)
    await page.goto("/pit")
    await page.get_by_label(say("login_name"), exact=True).fill("shift-manager")
    await floor.forget("shift-manager")
    await page.get_by_label(say("login_password"), exact=True).fill(floor.server.password("shift-manager"))
    await page.get_by_role("button", name=say("log_in"), exact=True).click()
    await dealer.open()
    left = card(page, TIMED).locator(".mood b")
    await expect(left).to_have_text(re.compile(r"^(5[4-9]\d|600)$"))
    await floor.forget("shift-manager")
    await page.unroute_all(behavior="wait")


async def test_a_table_that_always_wins_on_one_roll_raises_both_alarms(floor: Floor) -> None:
    """Hold outside of its band and dice that look unfair: on the card, in the head, in the details."""
    dealer = await floor.dealer(ALARMED)
    await play(dealer, {"big": 10_00}, *[(6, 6, 6)] * 24)
    now = await figures(floor, ALARMED)
    assert (now["outside"], now["fairness"]["alarm"]) == (True, True)
    pit = await floor.staff_page("supervisor", "/pit")
    mine = card(pit, ALARMED)
    await expect(mine).to_contain_text(say("alarm_hold"))
    await expect(mine).to_contain_text(say("alarm_dice"))
    low, high = (f"{bound:.1f}".replace("-", "\N{MINUS SIGN}") for bound in now["band"])
    await expect(
        mine.get_by_role("img", name=say("hold_outside", hold="100.0", low=low, high=high))
    ).to_be_visible()
    await expect(mine.get_by_text(say("worst_none"), exact=True)).to_be_visible()
    seen = say("dice_alarm_at", n=now["fairness"]["alarm_at"])
    await expect(mine.get_by_role("img", name=seen)).to_be_visible()
    head = pit.get_by_role("banner").locator("dl > div").filter(has_text=say("alarms"))
    await expect(head.get_by_role("definition")).not_to_have_text("0")
    dialog = await details(pit, ALARMED)
    await expect(dialog).to_contain_text(net(240_00))


async def test_a_tumbler_that_failed_its_inspection_starts_no_round(floor: Floor) -> None:
    """Found and noted in the pit; after another look the table goes on. Dice can fail, too."""
    dealer, table = await floor.dealer(ALARMED), ALARMED
    await open_day(floor)
    pit = await floor.staff_page("supervisor", "/pit")
    dialog = await details(pit, table)
    shaker = dialog.get_by_role("group", name=say("inspect_shaker"))
    await shaker.get_by_role("textbox").fill("a crack in the glass")
    await shaker.get_by_role("button", name=say("inspected_failed")).click()
    await expect(dialog).to_contain_text(f"{say('inspect_shaker')}: {say('inspected_failed')}")
    refused = ""
    try:
        await dealer.open()
    except Refused as turned:
        refused = turned.code
    assert refused == "inspection_missing"
    await shaker.get_by_role("button", name=say("inspected_passed")).click()
    await expect(dialog).to_contain_text(f"{say('inspect_shaker')}: {say('inspected_passed')}")
    await dealer.open()
    await dealer.clear()
    await dialog.get_by_label(say("dice_set"), exact=True).fill("D9")
    await dialog.get_by_role("button", name=say("dice_put_in")).click()
    dice = dialog.get_by_role("group", name=say("inspect_dice"))
    async with pit.expect_response("**/pit/acts"):
        await dice.get_by_role("button", name=say("inspected_failed")).click()
    await dialog.get_by_role("button", name=say("dice_take_out")).click()
    await expect(dialog.get_by_role("button", name=say("dice_put_in"))).to_be_visible()
    day = await (await floor.person("supervisor")).get("/pit/day")
    assert "D9" in day["failed_dice"]


async def test_a_table_is_closed_and_opened_again(floor: Floor) -> None:
    """A closed table begins no other round."""
    await floor.dealer(ALARMED)
    pit = await floor.staff_page("supervisor", "/pit")
    dialog = await details(pit, ALARMED)
    await dialog.get_by_role("button", name=say("act_CloseTable")).click()
    await expect(dialog.get_by_role("button", name=say("act_ReopenTable"))).to_be_visible()
    assert (await floor.table(ALARMED))["closed"]
    await dialog.get_by_role("button", name=say("act_ReopenTable")).click()
    await expect(dialog.get_by_role("button", name=say("act_CloseTable"))).to_be_visible()
    assert not (await floor.table(ALARMED))["closed"]


async def open_day(floor: Floor) -> None:
    """The gaming day and a shift, unless a test before has opened them."""
    boss = await floor.person("casino-manager")
    day = await boss.get("/pit/day")
    if not day["day"]:
        await boss.post("/pit/acts", {"act": "OpenDay", "fields": {"day": day["today"]}}, key="day-1")
        await boss.post("/pit/acts", {"act": "StartShift", "fields": {"shift": "evening"}}, key="shift-1")


async def test_fills_and_drops_are_counted_by_two_and_the_takings_follow(floor: Floor) -> None:
    """Whoever agrees sees table, amount, box; drop and handle each have a hold, six rounds no verdict."""
    await open_day(floor)
    dealer = await floor.dealer(COUNTED)
    await play(dealer, {"big": 10_00}, *[(1, 2, 3)] * 6)
    pit = await floor.staff_page("supervisor", "/pit")
    other = await floor.staff_page("casino-manager", "/pit")
    await pit.get_by_role("banner").get_by_role("button", name=say("gaming_day")).click()
    dialog = pit.get_by_role("dialog", name=say("gaming_day"))
    await dialog.get_by_text(say("counting"), exact=True).click()

    async def count(act: str, amount: str = "", **fields: str) -> None:
        await dialog.get_by_role("radio", name=say(f"act_{act}"), exact=True).check()
        if act != "CountDrop":
            await dialog.get_by_role("combobox").select_option(COUNTED)
        for label, text in fields.items():
            await dialog.get_by_label(say(label), exact=True).fill(text)
        if amount:
            label = "counted" if act.startswith("Count") else "amount"
            await dialog.get_by_label(say(label), exact=True).fill(amount)
        button = "record_it" if act == "TakeDrop" else "ask_second"
        await dialog.get_by_role("button", name=say(button), exact=True).click()

    await count("FillTable", "500")
    request = other.get_by_role("listitem").filter(has_text=say("act_FillTable"))
    await expect(request).to_contain_text(COUNTED)
    await expect(request).to_contain_text(money(500_00))
    await approve(other, "FillTable")
    await count("TakeDrop", drop_box="B7")
    await expect(pit.get_by_role("region", name=say("last_answer"))).to_contain_text(say("recorded"))
    await count("CountDrop", "60", drop_box="B7")
    request = other.get_by_role("listitem").filter(has_text=say("act_CountDrop"))
    await expect(request).to_contain_text(f"{say('drop_box_of')}B7")
    await approve(other, "CountDrop")
    row = dialog.get_by_role("row").filter(has_text=COUNTED)
    await expect(row.get_by_role("cell").nth(0)).to_have_text(money(60_00))
    await expect(row.get_by_role("cell").nth(1)).to_have_text(money(60_00))
    await expect(dialog.get_by_role("columnheader", name=say("hold_on_drop"))).to_be_visible()
    last = row.get_by_role("cell").nth(4)
    await expect(last).to_contain_text("100.0%")
    await expect(last).not_to_contain_text(say("outside_band"))


async def test_a_round_is_put_right_from_its_inspector(floor: Floor) -> None:
    """Bets against the closing that the dealer called; a correction and a returned bet, each by two."""
    dealer = await floor.dealer(DISPUTED)
    await play(dealer, {"big": 10_00, "odd": 5_00}, (1, 2, 3))
    pit = await floor.staff_page("shift-manager", "/pit")
    other = await floor.staff_page("casino-manager", "/pit")
    rounds = await details(pit, DISPUTED, "rounds")
    told = rounds.get_by_role("listitem").filter(has_text=re.compile(r"\d+\.\d\d s before the closing"))
    await expect(told.first).to_be_visible()
    await rounds.get_by_role("button", name=say("act_CorrectBets"), exact=True).click()
    dialog = pit.get_by_role("dialog", name=re.compile(say("act_CorrectBets")))
    await expect(dialog.get_by_role("listitem")).to_have_count(2)
    await dialog.get_by_role("listitem").filter(has_text=called("odd")).get_by_role("button").click()
    await dialog.get_by_label(say("reason")).fill("nothing lay there")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await approve(other, "CorrectBets")
    await expect(dialog).to_be_hidden()
    await rounds.get_by_role("button", name=say("act_MakeRuling"), exact=True).click()
    dialog = pit.get_by_role("dialog", name=re.compile(say("act_MakeRuling")))
    await dialog.get_by_role("radio", name=say("ruling_return_bets")).check()
    await dialog.get_by_role("checkbox", name=re.compile(called("big"))).check()
    await dialog.get_by_label(say("reason")).fill("the player was pushed")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    request = other.get_by_role("listitem").filter(has_text="the player was pushed")
    await expect(request).to_contain_text(f"ann · {say('kind_big')}")
    await approve(other, "MakeRuling")


async def test_damaged_dice_void_every_round_that_was_played_with_them(floor: Floor) -> None:
    """Those since it last passed are proposed: one request, one approval, all of them void."""
    dealer = await floor.dealer(DISPUTED)
    supervisor = await floor.person("supervisor")
    dice = {"table": DISPUTED, "dice_set": "blue"}
    await supervisor.post("/pit/acts", {"act": "PutInDice", "fields": dice}, key=fresh_id())
    await play(dealer, {"small": 10_00}, (1, 2, 3), (1, 2, 4), (1, 2, 5))
    last = (await floor.table(DISPUTED))["round"]["number"]
    pit = await floor.staff_page("supervisor", "/pit")
    rounds = await details(pit, DISPUTED, "rounds")
    await rounds.get_by_role("button", name=say("act_ReportDamagedDice"), exact=True).click()
    dialog = pit.get_by_role("dialog", name=re.compile(say("act_ReportDamagedDice")))
    await expect(dialog.get_by_label(say("round_from"))).to_have_value(str(last - 2))
    await expect(dialog.get_by_label(say("round_to"))).to_have_value(str(last))
    await dialog.get_by_label(say("reason")).fill("a chipped corner")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_be_hidden()
    other = await floor.staff_page("casino-manager", "/pit")
    request = other.get_by_role("listitem").filter(has_text="a chipped corner")
    await expect(request).to_contain_text(f"{last - 2}, {last - 1}, {last}")
    await approve(other, "ReportDamagedDice")
    await supervisor.post(
        "/pit/acts", {"act": "TakeOutDice", "fields": {**dice, "why": "damaged"}}, key=fresh_id()
    )
    page = await (await floor.person("supervisor")).get(f"/tables/{DISPUTED}/rounds?limit=3")
    assert [each["void"] for each in page["items"][:3]] == [True] * 3


async def test_an_alarm_is_heard_and_acknowledged_for_every_page(floor: Floor) -> None:
    """It rings when it comes; one has seen it, by name and time on both pages, and it is counted no more."""
    dealer = await floor.dealer(DISPUTED)
    await dealer.open()
    context = await floor.staff_context("supervisor")
    await context.add_init_script(LISTEN)
    pit = await context.new_page()
    await pit.goto("/pit")
    other = await floor.staff_page("shift-manager", "/pit")
    mine = card(pit, DISPUTED)
    await expect(mine).to_be_visible()
    await mine.get_by_role("heading").click()  # browsers let a page sound after a touch alone
    await dealer.act("SuspendRound")
    await expect(mine.get_by_role("listitem").filter(has_text=say("alarm_held"))).to_be_visible()
    await hears(pit, ALARM)
    seen = say("alarm_see_it", alarm=say("alarm_held"))
    await mine.get_by_role("button", name=seen, exact=True).click()
    for page in (pit, other):
        told = card(page, DISPUTED).get_by_role("listitem").filter(has_text=say("alarm_held"))
        await expect(told).to_contain_text(say("alarm_seen_by", name="supervisor", time=""))
        await expect(told.get_by_role("button")).to_have_count(0)
        await expect(card(page, DISPUTED)).to_have_attribute("data-alarm", "false")
    await dealer.act("ResumeRound")


async def test_more_than_two_tables_are_seen_at_once(floor: Floor) -> None:
    """On a screen of 1366 by 768, each card whole."""
    pit = await floor.staff_page("supervisor", "/pit", viewport={"width": 1366, "height": 768})
    cards = pit.get_by_role("article")
    await expect(cards.nth(3)).to_be_visible()
    whole = await cards.evaluate_all(
        "(all) => all.filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length"
    )
    assert whole >= 3
    await expect(card(pit, UNTIMED)).to_contain_text(say("dealer_itself"))
