"""The dealer's page beside the course of play: limits, people, machines, and what must not happen twice."""

import re
from typing import Any

import pytest
from playwright.async_api import WebSocketRoute, expect

from taisai.client import fresh_id
from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage, TerminalPage, approve
from tests.browser.tables import LIVE, PLAIN, at
from tests.browser.words import called, money, say

CLUSTER = at(PLAIN)

# The second of two presses: on the big button as soon as it says the next act.
PRESS_AT_ONCE = """(act) => {
  const look = new MutationObserver(() => {
    const button = document.querySelector(`.big-button[data-act=${act}]`);
    if (!button) return;
    look.disconnect();
    button.click();
    button.dataset.pressed = "true";
  });
  look.observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


async def seated(floor: Floor, **slips: dict[str, int]) -> Any:
    """A live round with these players' bets."""
    dealer = await floor.dealer(LIVE)
    for player in slips:
        await dealer.act("BuyIn", player=player, amount=100_00)
    await dealer.open()
    for player, slip in slips.items():
        await dealer.act("PlaceBets", player=player, slip=slip, version=1)
    return dealer


async def asked_for(floor: Floor, act: str) -> dict[str, Any]:
    """The newest request for an act."""
    waiting = await (await floor.person("supervisor")).get("/approvals")
    found: dict[str, Any] = [each for each in waiting if each["act"] == act][-1]
    return found


async def test_a_bet_below_the_minimum_is_told_of_and_then_returned(floor: Floor) -> None:
    """5.2: the dealer advises; only then may the bet go back."""
    await seated(floor, amy={"big": 1_00})
    console = await ConsolePage.at(floor, LIVE)
    alerts = console.page.get_by_role("region", name=say("alerts"))
    told = alerts.get_by_role("listitem").filter(has_text="amy")
    await expect(told.get_by_role("button", name=say("return_bet"))).to_have_count(0)
    await told.get_by_role("button", name=say("advise_minimum")).click()
    await expect(told).to_contain_text(say("was_advised"))
    await told.get_by_role("button", name=say("return_bet")).click()
    await expect(console.answer).to_contain_text(say("bet_returned"))
    await expect(console.figure("staked_now")).to_have_text(money(0))


async def test_a_small_bet_that_stands_asks_for_no_attention_after_the_closing(floor: Floor) -> None:
    """Nothing can be done about it any more."""
    dealer = await seated(floor, amos={"big": 1_00})
    console = await ConsolePage.at(floor, LIVE)
    told = console.page.get_by_role("region", name=say("alerts")).get_by_role("listitem")
    await expect(told.filter(has_text="amos")).to_have_count(1)
    await dealer.close()
    await expect(told.filter(has_text="amos")).to_have_count(0)


async def test_players_are_listed_as_they_sit(floor: Floor) -> None:
    """Seat by seat, whoever came first; those without a seat come last."""
    await seated(floor, standing={"big": 10_00})
    dealer = await floor.dealer(LIVE)
    for seat, player in ((9, "adam"), (7, "zeno")):
        await dealer.act("TakeSeat", seat=seat, player=player)
    console = await ConsolePage.at(floor, LIVE)
    names = console.page.get_by_role("region", name=re.compile(say("players"))).locator(".row-name b")
    await expect(names.filter(has_text="standing")).to_have_count(1)
    shown = [name for name in await names.all_inner_texts() if name in ("adam", "zeno", "standing")]
    assert shown == ["zeno", "adam", "standing"]
    for seat in (7, 9):
        await dealer.act("LeaveSeat", seat=seat)


async def test_one_who_walks_away_is_shown_as_gone_and_their_bet_stands(floor: Floor) -> None:
    """5.3: recorded at the console; the bet is settled like any other."""
    await seated(floor, wes={"big": 10_00})
    console = await ConsolePage.at(floor, LIVE)
    await (await console.player("wes")).get_by_role("button", name=say("act_RecordWalkAway")).click()
    row = console.page.get_by_role("listitem").filter(has_text="wes")
    await expect(row).to_contain_text(say("absent_walked_away"))
    await expect(console.figure("staked_now")).to_have_text(money(10_00))


async def test_no_press_is_lost_without_a_word_while_an_act_waits_for_its_answer(floor: Floor) -> None:
    """Steps of the course wait as the big button does; any other act is refused and says why."""
    await (await floor.dealer(CLUSTER)).open()
    held: list[str | bytes] = []
    lines: list[WebSocketRoute] = []

    def late(page: WebSocketRoute) -> None:
        """The line passes everything on until betting is being closed; what comes then is held back."""
        server, closing = page.connect_to_server(), False
        lines.append(page)

        def ask(message: str | bytes) -> None:
            nonlocal closing
            closing = closing or '"CloseBetting"' in str(message)
            server.send(message)

        page.on_message(ask)
        server.on_message(lambda message: held.append(message) if closing else page.send(message))

    page = await floor.staff_page("dealer", "/")
    await page.route_web_socket("**/ws/console", late)
    await page.goto(f"/console?table={CLUSTER}")
    console = ConsolePage(page, CLUSTER)
    await console.press("do_CloseBetting")
    beside = console.stage.get_by_role("button", name=say("do_CoverTumbler"), exact=True)
    await expect(beside).to_be_disabled()
    await beside.dispatch_event("click")
    place = page.get_by_role("region", name=say("irregularities"))
    await place.get_by_role("button", name=say("act_SuspendRound"), exact=True).click()
    await expect(console.answer).to_contain_text(say("one_act_at_a_time"))
    for message in held:
        lines[-1].send(message)
    await expect(console.big("do_CoverTumbler")).to_be_enabled()
    round_ = (await floor.table(CLUSTER))["round"]
    assert (round_["phase"], round_["covered"], round_["held"]) == ("closed", False, "")


async def test_a_round_that_is_held_takes_no_bets_until_it_is_resumed(floor: Floor) -> None:
    """One press holds, the big button resumes."""
    await seated(floor, hal={"big": 10_00})
    console = await ConsolePage.at(floor, LIVE)
    place = console.page.get_by_role("region", name=say("irregularities"))
    await place.get_by_role("button", name=say("act_SuspendRound"), exact=True).click()
    await expect(console.big("do_ResumeRound")).to_be_visible()
    await expect(console.page.get_by_role("button", name=say("bets_for", player="hal"))).to_have_count(0)
    await console.press("do_ResumeRound")
    await expect(console.big("do_CloseBetting")).to_be_visible()


async def test_a_table_is_handed_over_and_its_dealer_logged_out(floor: Floor) -> None:
    """Who deals is on the record; the page is nobody's until somebody logs in."""
    floor.foresee("status of 401")  # what was asked just before the log-out is answered after it
    await floor.dealer(LIVE)
    await floor.seat(LIVE, "dealer")
    console = await ConsolePage.at(floor, LIVE, name="pit-manager")
    await console.page.get_by_role("button", name=say("dealer_take"), exact=True).click()
    await expect(console.answer).to_contain_text(say("you_deal"))
    await console.page.get_by_role("button", name=say("hand_over"), exact=True).click()
    dialog = console.page.get_by_role("dialog", name=say("hand_over"))
    await dialog.get_by_label(say("hand_over_to")).fill("dora")
    await dialog.get_by_role("button", name=say("hand_over_do")).click()
    await expect(console.page.get_by_label(say("login_password"), exact=True)).to_be_visible()
    await floor.forget("pit-manager")
    day = await (await floor.person("supervisor")).get("/pit/day")
    assert next(each["dealer"] for each in day["tables"] if each["table"] == LIVE) == "dora"


async def test_the_first_act_at_the_console_makes_one_its_dealer(floor: Floor) -> None:
    """Nobody has to say so before: a dealer who opens the betting deals, and may hand over."""
    dealer = await floor.dealer(LIVE)
    await floor.seat(LIVE, "dora")
    console = await ConsolePage.at(floor, LIVE)
    take = console.page.get_by_role("button", name=say("dealer_take"), exact=True)
    await expect(take).to_be_visible()
    await console.press("do_StartRound")
    await expect(take).to_have_count(0)
    await expect(console.page.get_by_role("button", name=say("hand_over"), exact=True)).to_be_visible()
    tables = await (await floor.person("supervisor")).get("/pit")
    assert next(each["dealer"] for each in tables if each["table"]["name"] == LIVE) == "dealer"
    await dealer.act("VoidRound", ground="exposed-early")


async def test_a_double_press_is_one_act(floor: Floor) -> None:
    """The button rests after each act, so that the second of two presses closes nothing."""
    await floor.dealer(LIVE)
    console = await ConsolePage.at(floor, LIVE)
    await console.page.evaluate(PRESS_AT_ONCE, "CloseBetting")
    await console.press("do_StartRound")
    closing = console.big("do_CloseBetting")
    await expect(closing).to_have_attribute("data-pressed", "true")
    await expect(closing).to_have_attribute("aria-disabled", "false")
    assert (await floor.table(LIVE))["round"]["phase"] == "betting"


async def test_a_correction_begins_with_the_bets_of_the_player_it_names(floor: Floor) -> None:
    """Whoever begins with one player and goes over to another does not send the first one's bets."""
    dealer = await seated(floor, ann={"big": 10_00}, bob={"small": 20_00})
    await dealer.deal(1, 2, 3)
    console = await ConsolePage.at(floor, LIVE)
    dialog = await console.irregular("CorrectBets")
    player = dialog.get_by_label(say("player"), exact=True)
    await player.fill("ann")
    await dialog.get_by_label(say("box"), exact=True).select_option("odd")
    await dialog.get_by_label(say("stake_placed")).fill("7")
    await dialog.get_by_role("button", name=say("put_on")).click()
    await dialog.get_by_label(say("reason")).fill("the felt shows it")
    await player.fill("bob")
    lines = dialog.get_by_role("listitem")
    await expect(lines).to_have_count(1)
    await expect(lines).to_contain_text(called("small"))
    submit = dialog.get_by_role("button", name=say("ask_second"))
    await expect(submit).to_have_attribute("aria-disabled", "true")
    await dialog.get_by_label(say("stake_placed")).fill("5")
    await dialog.get_by_role("button", name=say("put_on")).click()
    await submit.click()
    await expect(console.answer).to_contain_text(say("waits_for_second"))
    fields = (await asked_for(floor, "CorrectBets"))["fields"]
    assert (fields["player"], fields["slip"]) == ("bob", {"small": 20_00, "odd": 5_00})


@pytest.mark.parametrize("table", [CLUSTER, LIVE])
async def test_named_bets_can_be_returned_whatever_the_table(floor: Floor, table: str) -> None:
    """5.14: a terminal's bets and those of a round that is over are offered; what is signed names them."""
    dealer = await floor.dealer(table)
    if table == CLUSTER:
        terminal = await TerminalPage.at(floor, table, credit=100_00)
        await dealer.open()
        await terminal.bet({"big": 10_00})
        await terminal.lies("big", 10_00)
    else:
        await dealer.act("BuyIn", player="ron", amount=100_00)
        await dealer.open()
        await dealer.act("PlaceBets", player="ron", slip={"big": 10_00}, version=1)
    if table == CLUSTER:
        await dealer.close()
    else:
        await dealer.deal(1, 2, 3)
    console = await ConsolePage.at(floor, table, name="shift-manager")
    dialog = await console.irregular("MakeRuling")
    await dialog.get_by_role("radio", name=say("ruling_return_bets")).check()
    await dialog.get_by_role("checkbox", name=re.compile(called("big"))).check()
    await dialog.get_by_label(say("reason")).fill(f"placed by mistake at {table}")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(console.answer).to_contain_text(say("waits_for_second"))
    pit = await floor.staff_page("casino-manager", "/pit")
    request = pit.get_by_role("listitem").filter(has_text=f"placed by mistake at {table}")
    await expect(request).to_contain_text(say("bet_to_return"))
    await expect(request).to_contain_text(say("kind_big"))
    await request.get_by_role("button", name=say("approve"), exact=True).click()
    await expect(pit.get_by_role("region", name=say("last_answer"))).to_contain_text(say("approved"))
    row = await (await floor.person("supervisor")).get(f"/tables/{table}/rounds?limit=1")
    inspected = await (await floor.person("supervisor")).get(
        f"/tables/{table}/rounds/{row['items'][0]['round']}"
    )
    assert "BetsReturned" in [event["type"] for event in inspected["events"]]


async def test_paying_by_hand_and_unlocking_take_a_reason_and_a_second_person(floor: Floor) -> None:
    """At the console one asks; the pit sees which terminal and how much, and agrees."""
    await floor.dealer(CLUSTER)
    terminal = await TerminalPage.at(floor, CLUSTER, credit=50_00)
    seats = await (await floor.person("dealer")).get(f"/tables/{CLUSTER}/terminals")
    name = next(each["terminal"] for each in seats if each["credit"] == 50_00 and each["connected"])
    console = await ConsolePage.at(floor, CLUSTER)
    more = console.page.get_by_role("button", name=say("terminal_more", terminal=name), exact=True)
    dialog = console.page.get_by_role("dialog", name=name)
    pit = await floor.staff_page("supervisor", "/pit")

    async def ask(button: str, why: str) -> None:
        await more.click()
        await dialog.get_by_role("button", name=button, exact=True).click()
        submit = dialog.get_by_role("button", name=say("ask_second"))
        await expect(submit).to_have_attribute("aria-disabled", "true")
        await dialog.get_by_label(say("reason")).fill(why)
        await submit.click()
        await expect(dialog).to_be_hidden()

    await more.click()
    await dialog.get_by_role("button", name=say("terminal_out")).click()
    await ask(say("act_SetService"), "the screen is clean")
    await approve(pit, "SetService")
    await ask(say("hand_pay", amount=money(50_00)), "the printer is empty")
    request = pit.get_by_role("listitem").filter(has_text=say("act_HandPay"))
    await expect(request).to_contain_text(name)
    await expect(request).to_contain_text(money(50_00))
    await expect(terminal.meter("credit")).to_have_text(money(50_00))
    await approve(pit, "HandPay")
    await expect(terminal.meter("credit")).to_have_text(money(0))


async def test_who_asked_may_withdraw_it(floor: Floor) -> None:
    """In the pit one's own request has a button of its own."""
    dealer = await seated(floor, wil={"big": 10_00})
    await dealer.deal(1, 2, 3)
    manager = await floor.person("pit-manager")
    body = {"act": "CorrectResult", "fields": {"roll": [6, 6, 3], "reason": "on second thoughts"}}
    await manager.post(f"/tables/{LIVE}/acts", body, key=fresh_id())
    pit = await floor.staff_page("pit-manager", "/pit")
    own = pit.get_by_role("listitem").filter(has_text="on second thoughts")
    await own.get_by_role("button", name=say("withdraw")).click()
    await expect(pit.get_by_role("region", name=say("last_answer"))).to_contain_text(say("withdrawn"))
    await expect(own).to_have_count(0)
