"""The dealer's work of paying, and what the second person sees before signing."""

import re

from playwright.async_api import Page, expect

from tests.browser.floor import Dealer, Floor
from tests.browser.seats import ConsolePage, approve
from tests.browser.tables import COLOURS as CHIPS
from tests.browser.tables import LIVE
from tests.browser.test_heard import LISTEN, hears
from tests.browser.words import called, money, net, say

CALL = 880  # hertz: the first tone of a call, frontend/src/lib/sounds.ts


async def until_declared(floor: Floor, table: str, dice: tuple[int, ...], **slips: dict[str, int]) -> Dealer:
    """A live round with these bets, whose dice have been declared."""
    dealer = await floor.dealer(table)
    for player, slip in slips.items():
        await dealer.act("BuyIn", player=player, amount=sum(slip.values()))
    await dealer.open()
    for player, slip in slips.items():
        await dealer.act("PlaceBets", player=player, slip=slip, version=1)
    await dealer.close()
    await dealer.tumble()
    await dealer.declare(*dice)
    return dealer


async def test_the_dealer_ticks_off_whom_to_pay_what_and_is_asked_about_the_rest(floor: Floor) -> None:
    """Box by box, in chips; keys tick; to conclude with somebody unpaid asks; a correction takes back."""
    zoe, bob = {"big": 20_00, "sum-12": 5_00, "small": 2_00}, {"big": 10_00}
    await until_declared(floor, CHIPS, (6, 5, 1), paybob=bob, payzoe=zoe)
    console = await ConsolePage.at(floor, CHIPS)
    listed = console.stage.get_by_role("region", name=say("pay_list"))
    await expect(listed).to_contain_text(say("pay_total", amount=money(65_00)))
    row = listed.locator("li.payee", has_text="payzoe")
    await expect(row).to_contain_text(money(55_00))  # 20 at 1 to 1, 5 at 7 to 1
    await expect(row.get_by_role("listitem").filter(has_text=called("sum-12"))).to_contain_text(
        say("pay_odds", odds="7")
    )
    await expect(row.get_by_role("img")).to_have_attribute(
        "aria-label", f"1 × {money(50_00)}, 1 × {money(5_00)}"
    )
    await console.press("do_SettleBets")
    await expect(console.big("do_ConcludeRound")).to_be_visible()
    ticks = listed.get_by_role("button", name=re.compile("has been paid"))
    await expect(ticks).to_have_count(2)
    await expect(listed.locator("kbd")).to_have_text(["1", "2"])  # whoever gets most is on top
    await console.page.keyboard.press("1")
    await expect(ticks.first).to_have_attribute("aria-pressed", "true")
    await console.press("do_ConcludeRound")
    asks = console.page.get_by_role("dialog", name=say("do_ConcludeRound"))
    await expect(asks).to_contain_text(f"paybob: {money(10_00)}")
    assert (await floor.table(CHIPS))["round"]["phase"] == "settled"
    await asks.get_by_role("button", name=say("cancel")).click()
    await ticks.last.click()
    await expect(listed).to_contain_text(say("pay_all_done"))
    await console.press("do_ConcludeRound")
    await expect(console.big("do_StartRound")).to_be_visible()

    await corrected(floor, CHIPS, [1, 2, 3])
    alerts = console.page.get_by_role("region", name=say("alerts"))
    wanted = say("pay_take_hand", amount=money(20_00), player="paybob")
    told = alerts.get_by_role("listitem").filter(has_text=wanted)
    await expect(told).to_contain_text(say("pay_because_ResultCorrected"))
    await told.get_by_role("button", name=say("pay_settled")).click()
    await expect(told).to_have_count(0)
    await console.page.reload()
    await expect(alerts.get_by_role("listitem").filter(has_text="payzoe")).to_have_count(1)
    await expect(told).to_have_count(0)


async def corrected(floor: Floor, table: str, dice: list[int]) -> None:
    """Two people correct the last result."""
    number = (await floor.table(table))["round"]["number"]
    person, other = await floor.person("dealer"), await floor.person("supervisor")
    asked = await person.act(table, "CorrectResult", round_=number, roll=dice, reason="the film shows it")
    await other.approve(asked["approval"])


async def test_at_a_table_of_credits_the_list_says_what_went_to_whose_credit(floor: Floor) -> None:
    """Nothing is handed over, so there is nothing to tick, and nobody is asked at the end."""
    await until_declared(floor, LIVE, (6, 5, 1), paycy={"big": 10_00})
    console = await ConsolePage.at(floor, LIVE)
    listed = console.stage.get_by_role("region", name=say("pay_list_due"))
    await expect(listed).to_contain_text(say("pay_to_credit", amount=money(20_00)))
    await expect(listed.get_by_role("button")).to_have_count(0)
    await console.press("do_SettleBets")
    await expect(console.stage.get_by_role("region", name=say("pay_list_credit"))).to_be_visible()
    await console.press("do_ConcludeRound")
    await expect(console.big("do_StartRound")).to_be_visible()


async def heard_pit(floor: Floor) -> Page:
    """The pit's page of a supervisor, with an ear on it."""
    context = await floor.context()
    await context.add_init_script(LISTEN)
    person = await floor.person("supervisor")
    cookies = person.http.cookies.items()
    await context.add_cookies(
        [{"name": name, "value": value, "url": floor.address} for name, value in cookies]
    )
    page = await context.new_page()
    await page.goto("/pit")
    await page.get_by_role("heading", name=say("two_people")).click()  # a page sounds only after a touch
    return page


async def test_the_second_person_sees_before_and_after_and_whose_money_changes(floor: Floor) -> None:
    """A bell, a count in the tab's title, dice before and after, each player's money, and the round."""
    dealer = await until_declared(floor, CHIPS, (6, 5, 1), seeann={"big": 20_00}, seebob={"small": 10_00})
    await dealer.settle()
    await dealer.conclude()
    number = (await floor.table(CHIPS))["round"]["number"]
    pit = await heard_pit(floor)
    await expect(pit.get_by_role("article").first).to_be_visible()
    asked = {"round_": number, "roll": [1, 2, 3], "reason": "see what is signed"}
    await (await floor.person("dealer")).act(CHIPS, "CorrectResult", **asked)
    await hears(pit, CALL)
    await expect(pit).to_have_title(re.compile(r"^\(1\) "))
    request = pit.get_by_role("listitem").filter(has_text="see what is signed")
    change = request.get_by_role("paragraph").filter(has_text=say("becomes"))
    await expect(change.get_by_role("img", name="1-5-6")).to_be_visible()
    await expect(change.get_by_role("img", name="1-2-3")).to_be_visible()
    loser = request.get_by_role("row").filter(has_text="seeann")
    await expect(loser).to_contain_text(net(20_00))
    await expect(loser).to_contain_text(net(-20_00))
    await expect(loser).to_contain_text(net(-40_00))
    await expect(request.get_by_role("row").filter(has_text="seebob")).to_contain_text(net(20_00))
    await expect(request.get_by_role("row").filter(has_text=say("the_house"))).to_contain_text(net(20_00))
    again = await (await floor.person("dealer")).act(CHIPS, "CorrectResult", **{**asked, "roll": [2, 2, 6]})
    await (await floor.person("shift-manager")).approve(again["approval"])
    await expect(change.get_by_role("img", name="2-2-6")).to_be_visible()  # as things stand now
    other = await pit.context.new_page()
    await other.goto(await request.get_by_role("link").get_attribute("href") or "")
    await expect(other.get_by_role("dialog", name=say("rounds"))).to_contain_text("seeann")
    await approve(pit, "CorrectResult")
    await expect(pit).to_have_title(re.compile(r"^[^(]"))
