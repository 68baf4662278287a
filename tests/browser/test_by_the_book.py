"""What clauses ask of pages: how a bet was registered, refused bets, placements, faces that were read."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from taisai.client import Refused, Staff, fresh_id
from taisai.rulebooks.catalogue import pay_table
from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage, TerminalPage, approve
from tests.browser.tables import LIVE, PLAIN, SHARED, TOTALLED, at
from tests.browser.words import money, say


async def inspected(page: Page, table: str, number: int) -> Locator:
    """A round of a table, in the pit's inspector."""
    card = page.get_by_role("article", name=re.compile(rf"^{table}\b"))
    await card.get_by_role("button", name=say("rounds"), exact=True).click()
    dialog = page.get_by_role("dialog", name=re.compile(rf"^{say('rounds')}"))
    await dialog.get_by_label(say("round_by_number")).fill(str(number))
    await dialog.get_by_role("button", name=say("look_up")).click()
    return dialog


@pytest.mark.clause("tai-sai-v6", "3.2", "5.9", "5.13")
async def test_the_dealer_says_how_a_bet_came_to_be_registered(floor: Floor) -> None:
    """Laid by the player is the ordinary way; the switch says that it was placed at the player's request."""
    dealer = await floor.dealer(LIVE)
    await dealer.open()
    for name in ("fay", "req"):
        await dealer.act("BuyIn", player=name, amount=100_00)
    console = await ConsolePage.at(floor, LIVE)
    for name, on_request in (("fay", False), ("req", True)):
        tray = await console.bets_for(name)
        switch = tray.get_by_role("switch", name=say("on_request"))
        await expect(switch).not_to_be_checked()  # of the one before, nothing is left
        await switch.set_checked(on_request)
        await console.box("big").click()
        await tray.get_by_role("button", name=say("bets_register"), exact=True).click()
        await expect(tray).to_be_hidden()
    number = (await floor.table(LIVE))["round"]["number"]
    dialog = await inspected(await floor.staff_page("supervisor", "/pit"), LIVE, number)
    placed = dialog.get_by_role("listitem").filter(has_text="Big")
    await expect(placed.filter(has_text="fay")).to_contain_text(say("how_felt"))
    await expect(placed.filter(has_text="req")).to_contain_text(say("how_on_request"))


@pytest.mark.clause("sic-bo-etg-v8", "3.5")
async def test_the_inspector_lists_bets_that_were_refused(floor: Floor) -> None:
    """Who asked for what, why not, and how late: nothing of it is among the bets."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    await dealer.open()
    number = (await floor.table(table))["round"]["number"]
    visitor = await floor.other_terminal(table, credit=50_00)
    await dealer.close()
    with pytest.raises(Refused):
        await visitor.place(number, {"big": 10_00})
    await dealer.tumble()
    await dealer.declare(1, 2, 3)
    await dealer.settle()
    await dealer.conclude()
    dialog = await inspected(await floor.staff_page("supervisor", "/pit"), table, number)
    refused = dialog.get_by_role("region", name=say("refused_bets"))
    row = refused.get_by_role("row").filter(has_text=visitor.key.terminal)
    await expect(row).to_contain_text(f"Big {money(10_00)}")
    await expect(row).to_contain_text(re.compile(r"\d+ ms"))
    await expect(row).to_contain_text("3.5")


@pytest.mark.parametrize("rules", [PLAIN, "tai-sai-v6/3"])
async def test_each_kind_of_bet_has_a_picture_of_its_placement_behind_the_help(
    floor: Floor, rules: str
) -> None:
    """One picture with a chip on it and a sentence for every kind that the layout has."""
    terminal = await TerminalPage.at(floor, at(rules))
    await terminal.act("rules_and_odds").click()
    dialog = terminal.dialog("rules_and_odds")
    pictures = dialog.locator(".placements > div")
    await expect(pictures).to_have_count(len({box.kind for box in pay_table(rules).boxes}))
    for picture in await pictures.all():
        await expect(picture.locator("svg").first).to_be_visible()
        await expect(picture.locator(".placed-chip")).to_be_visible()
        await expect(picture.get_by_role("definition")).to_have_text(re.compile(r"\w+.*\."))


@pytest.mark.clause("sic-bo-etg-v8", "5.1.1")
async def test_a_round_on_known_faces_has_them_in_every_list(floor: Floor) -> None:
    """The player's recall, the pit's and the auditor's lists: the face that was read, and no other."""
    table = at(PLAIN)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00)
    await terminal.bet({"single-4": 10_00})
    await terminal.lies("single-4", 10_00)
    number = (await floor.table(table))["round"]["number"]
    await dealer.close()
    await dealer.tumble()
    await dealer.act("InterruptRound", known=[4], readable=False)
    first, second = await floor.person("shift-manager"), await floor.person("casino-manager")
    asked = await first.act(table, "MakeRuling", decision="settle-known", reason="the cover would not open")
    await second.approve(asked["approval"])
    await dealer.settle()
    await dealer.conclude()
    await terminal.act("recall").click()
    played = terminal.dialog("recall").get_by_role("listitem").filter(has_text=say("round_number", n=number))
    await expect(played.get_by_role("img", name="4", exact=True)).to_be_visible()
    await expect(played).to_contain_text(say("phase_known"))
    pit = await floor.staff_page("supervisor", "/pit")
    dialog = await inspected(pit, table, number)
    listed = dialog.get_by_label(say("which_round")).locator(f"option[value='{number}']")
    await expect(listed).to_contain_text(f"{say('known_faces')} 4")
    audit = await floor.staff_page("auditor", "/audit")
    await audit.get_by_label(say("audit_table")).select_option(table)
    row = audit.get_by_role("row").filter(has=audit.get_by_role("button", name=str(number), exact=True))
    await expect(row).to_contain_text(say("known_faces"))
    await expect(row.get_by_role("img", name="4", exact=True)).to_be_visible()


@pytest.mark.clause("sic-bo-etg-v8", "5.4")
@pytest.mark.clause("tai-sai-v6", "5.6")
async def test_dice_that_were_used_at_two_tables_are_one_request_and_what_was_void_is_said(
    floor: Floor,
) -> None:
    """The form has the rounds of both; whoever agrees is told which are void now and which were before."""
    supervisor, dice = await floor.person("supervisor"), "amber"
    numbers: dict[str, int] = {}
    for table in (TOTALLED, SHARED):
        dealer = await floor.dealer(table)
        await at_pit(supervisor, "PutInDice", table=table, dice_set=dice)
        for _ in range(2):
            await dealer.open()
            await dealer.deal(1, 2, 3)
        numbers[table] = (await floor.table(table))["round"]["number"]
        if table == TOTALLED:
            await at_pit(supervisor, "TakeOutDice", table=table, dice_set=dice, why="rotation")
    manager = await floor.person("casino-manager")
    asked = await supervisor.act(
        SHARED, "ReportDamagedDice", rounds=[numbers[SHARED] - 1], reason="a first look"
    )
    await manager.approve(asked["approval"])
    pit = await floor.staff_page("supervisor", "/pit")
    card = pit.get_by_role("article", name=re.compile(rf"^{SHARED}\b"))
    await card.get_by_role("button", name=say("details"), exact=True).click()
    await pit.get_by_role("button", name=say("dice_damaged", set=dice)).click()
    dialog = pit.get_by_role("dialog", name=say("act_ReportDamagedDice"))
    here = dialog.get_by_role("group", name=say("at_table_named", table=SHARED))
    there = dialog.get_by_role("group", name=say("at_table_named", table=TOTALLED))
    await expect(there.get_by_label(say("round_from"))).to_have_value(str(numbers[TOTALLED] - 1))
    await here.get_by_label(say("round_from")).fill(str(numbers[SHARED] - 1))
    await expect(here).to_contain_text(say("damaged_skipped", rounds=numbers[SHARED] - 1))
    await dialog.get_by_label(say("reason")).fill("a chipped corner")
    await dialog.get_by_role("button", name=say("ask_second")).click()
    await expect(dialog).to_be_hidden()
    other = await floor.staff_page("casino-manager", "/pit")
    await approve(other, "ReportDamagedDice")
    told = other.get_by_role("region", name=say("last_answer"))
    await expect(told).to_contain_text(say("voided_now", rounds=numbers[SHARED]))
    await expect(told).to_contain_text(say("voided_before", rounds=numbers[SHARED] - 1))
    first = numbers[TOTALLED]
    await expect(told).to_contain_text(f"{TOTALLED}: {say('voided_now', rounds=f'{first - 1}, {first}')}")
    await at_pit(supervisor, "TakeOutDice", table=SHARED, dice_set=dice, why="damaged")


async def at_pit(who: Staff, act: str, **fields: str) -> None:
    await who.post("/pit/acts", {"act": act, "fields": fields}, key=fresh_id())
