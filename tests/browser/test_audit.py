"""What an auditor does: find a round by its time, step through it, read clauses, take the record away."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from taisai.client import Refused
from taisai.rulebooks.catalogue import rulebook
from tests.browser.floor import Floor
from tests.browser.looking import faults_at_both_widths
from tests.browser.tables import PLAIN, TIMED, at
from tests.browser.words import money, say

TABLE = at(PLAIN)


async def audit(floor: Floor, table: str = TABLE) -> Page:
    page = await floor.staff_page("auditor", f"/audit?table={table}", timezone_id="UTC")
    await expect(page.get_by_role("region", name=say("rounds_list"), exact=True)).to_be_visible()
    return page


async def rounds(floor: Floor, table: str) -> list[dict[str, Any]]:
    """The rounds of a table, oldest first."""
    visitor = await floor.visitor()
    return [row async for row in visitor.rounds(table)][::-1]


async def find(page: Page, moment: datetime) -> None:
    await page.get_by_label(say("audit_moment")).fill(moment.strftime("%Y-%m-%dT%H:%M:%S"))
    await page.get_by_role("button", name=say("audit_find"), exact=True).click()


async def test_a_round_is_found_by_the_moment_it_opened(floor: Floor) -> None:
    """The first that opened from then on; after the last there is none, and the page says so."""
    dealer = await floor.dealer(TABLE)
    for dice in ((1, 2, 3), (4, 5, 6), (2, 2, 5)):
        await dealer.open()
        await dealer.deal(*dice)
    played = await rounds(floor, TABLE)
    moment = datetime.fromtimestamp(played[-2]["at"] // 1000, UTC)
    first = next(row["round"] for row in played if row["at"] >= 1000 * moment.timestamp())
    page = await audit(floor)
    await find(page, moment)
    told = page.get_by_role("heading", name=f"{TABLE} · {say('round_number', n=first)}", exact=True)
    await expect(told).to_be_visible()
    await expect(page.get_by_role("button", name=str(first), exact=True)).to_have_attribute(
        "aria-current", "true"
    )
    await find(page, datetime(2099, 1, 1, tzinfo=UTC))
    await expect(page.get_by_text(say("rounds_none_from")).first).to_be_visible()


async def test_a_faulty_record_and_a_lawful_change_are_told_in_the_readers_language(floor: Floor) -> None:
    """The fault of a rollback and the note of an archive, as the interface gives them."""
    page = await audit(floor)
    facts = {"commit": "house/9", "when": "2026-10-05T03:00:00+00:00", "ends": "house/7"}
    until = {
        "until": "2026-11-01",
        "name": "archive-2026-10.jsonl",
        "digest": "ab12",
        "by": "a",
        "second": "b",
    }
    empty: dict[str, Any] = {"at": 1, "record": {}, "rounds": {}, "tickets": {}, "keys": [], "notes": []}
    fault = {"sound": False, "where": "commit house/9", "fault": "…", "code": "rolled_back", "facts": facts}
    note = {"code": "archived", "text": "…", "facts": until}
    told = [{**empty, **fault}, {**empty, "sound": True, "facts": {}, "notes": [note]}]

    async def answer(route: Route) -> None:
        await route.fulfill(json=told.pop(0))

    await page.route("**/api/v1/audit/verify", answer)
    for sentence in (say("fault_rolled_back", **facts), say("note_archived", **until)):
        await page.get_by_role("button", name=say("verify_now"), exact=True).click()
        await expect(page.get_by_text(sentence)).to_be_visible()
    await page.unroute_all(behavior="wait")


async def test_who_asks_before_the_list_is_there_is_answered(floor: Floor) -> None:
    """The page still waits for its first list: what is asked for meanwhile is not lost."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    await dealer.deal(1, 2, 3)
    last = (await rounds(floor, TABLE))[-1]["round"]
    page, listed = await floor.staff_page("auditor", "/audit"), asyncio.Event()

    async def slowly(route: Route) -> None:
        await listed.wait()
        await route.continue_()

    await page.route("**/api/v1/tables", slowly)
    await page.goto(f"/audit?table={TABLE}")
    await page.get_by_label(say("audit_number")).fill(str(last))
    await page.get_by_role("button", name=say("audit_find"), exact=True).click()
    listed.set()
    told = page.get_by_role("heading", name=f"{TABLE} · {say('round_number', n=last)}", exact=True)
    await expect(told).to_be_visible()
    await page.unroute_all(behavior="wait")


async def told_again(floor: Floor) -> tuple[Page, Locator]:
    """A round with one bet, chosen on the page."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    player = await floor.other_terminal(TABLE, 100_00)
    number = (await player.betting()).number
    await player.place(number, {"small": 10_00})
    await dealer.deal(1, 2, 3)
    page = await audit(floor)
    await page.get_by_role("button", name=str(number), exact=True).click()
    region = page.get_by_role("region", name=f"{TABLE} · {say('round_number', n=number)}")
    await expect(region.get_by_role("region", name=say("timeline"))).to_be_visible()
    return page, region


async def test_a_round_is_stepped_through_act_by_act(floor: Floor) -> None:
    """Before the bet the felt is bare; on again the chip lies there; at the end the winners are lit."""
    _, told = await told_again(floor)
    steps = told.get_by_role("slider", name=say("timeline"))
    acts = told.locator(".timeline > li")
    count = await acts.count()
    lit, chips = told.locator("[data-lit=won]"), told.locator(".stake[data-state=registered]")
    await expect(steps).to_have_attribute("aria-valuetext", say("step_of", n=count, all=count))
    await expect(lit).not_to_have_count(0)
    placed = 1 + await acts.evaluate_all(
        "(acts) => acts.findIndex((act) => act.dataset.type === 'BetsPlaced')"
    )
    await acts.nth(placed - 1).locator("button.line-button").click()
    await expect(steps).to_have_attribute("aria-valuetext", say("step_of", n=placed, all=count))
    await expect(lit).to_have_count(0)
    await expect(chips).to_have_count(1)
    await told.get_by_role("button", name=say("step_back")).click()
    await expect(steps).to_have_attribute("aria-valuetext", say("step_of", n=placed - 1, all=count))
    await expect(chips).to_have_count(0)
    await told.get_by_role("button", name=say("step_on")).click()
    await expect(chips).to_have_count(1)


async def test_a_clause_says_what_the_rulebook_says(floor: Floor) -> None:
    """Each act names its clause; touched, its text stands beside it."""
    _, told = await told_again(floor)
    texts = rulebook(PLAIN.partition("/")[0]).clauses
    button = told.get_by_role("button", name=say("clause", clause="")).first
    number = (await button.inner_text()).split()[-1]
    await button.click()
    await expect(button).to_have_attribute("aria-expanded", "true")
    await expect(told.get_by_text(texts[number], exact=True)).to_be_visible()


async def test_the_record_a_round_and_the_par_sheets_can_be_taken_away(floor: Floor) -> None:
    """Every link leads to what it promises."""
    page, told = await told_again(floor)
    record = page.get_by_role("link", name=say("export_record"))
    answer = await page.request.get(str(await record.get_attribute("href")))
    assert answer.ok
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    one = told.get_by_role("link", name=say("export_round"))
    assert (await (await page.request.get(str(await one.get_attribute("href")))).json())["dice"] == [1, 2, 3]
    sheets = page.get_by_role("region", name=say("par_sheets"))
    sheet = sheets.get_by_role("link", name=PLAIN)
    await expect(sheet).to_contain_text(say("par_in_play"))
    answer = await page.request.get(str(await sheet.get_attribute("href")), timeout=60_000)
    assert answer.ok
    assert f"PAR sheet of {PLAIN}" in await answer.text()


async def opened(page: Page, register: str) -> Locator:
    """A register, opened: the table in it has its name."""
    await page.get_by_role("heading", name=say(register), exact=True).click()
    table = page.get_by_role("region", name=say(register), exact=True)
    await expect(table).to_be_visible()
    return table


async def test_registers_list_significant_events_tickets_and_meters(floor: Floor) -> None:
    """A void, a ticket that is owed, and what a terminal has counted, each to the cent."""
    dealer = await floor.dealer(TIMED)
    await dealer.open()
    await dealer.act("VoidRound", ground="exposed-early")
    player = await floor.other_terminal(TIMED, 120_00)
    await player.cash_out()
    page = await audit(floor, TIMED)
    events = await opened(page, "register_events")
    await page.get_by_label(say("register_kind")).select_option("401")
    newest = events.get_by_role("row").nth(1)
    await expect(newest).to_contain_text(f"401 · {say('significant_round_voided')}")
    await expect(newest).to_contain_text(TIMED)
    await expect(events.get_by_role("row", name=say("significant_system_started"))).to_have_count(0)
    await page.get_by_role("heading", name=say("register_tickets"), exact=True).click()
    await expect(page.get_by_text(say("owed_agree"))).to_be_visible()
    await page.get_by_label(say("register_place")).select_option(player.key.terminal)
    tickets = page.get_by_role("region", name=say("register_tickets"), exact=True)
    row = tickets.get_by_role("row").nth(1)
    await expect(row).to_contain_text(money(120_00))
    await expect(row).to_contain_text(say("register_valid"))
    await expect(row).to_contain_text("•")
    meters = await opened(page, "register_meters")
    heads = await meters.get_by_role("columnheader").all_inner_texts()
    cells = meters.get_by_role("row").filter(has_text=player.key.terminal).locator("th, td")
    figures = dict(zip(heads, await cells.all_inner_texts(), strict=True))
    assert figures[say("meter_cash_in")] == figures[say("meter_tickets_out")] == money(120_00)
    assert figures[say("meter_credit")] == money(0)
    assert await faults_at_both_widths(page) == []


async def test_a_round_is_found_by_whose_bet_was_on_which_box_and_for_how_much(floor: Floor) -> None:
    """All that is asked must hold of one bet; what was found stands below; a cent less finds nothing."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    player = await floor.other_terminal(TABLE, 100_00)
    number = (await player.betting()).number
    await player.place(number, {"sum-9": 37_00})
    await dealer.deal(1, 2, 6)
    page = await audit(floor)
    await page.get_by_text(say("audit_more"), exact=True).click()
    await page.get_by_label(say("audit_box"), exact=True).select_option("sum-9")
    await page.get_by_label(say("audit_least"), exact=True).fill("37")
    find_it = page.get_by_role("button", name=say("audit_find"), exact=True)
    await find_it.click()
    results = page.get_by_role("region", name=say("rounds_list"), exact=True)
    await expect(results.locator("tr.hits").first).to_contain_text(money(37_00))
    await results.get_by_role("button", name=str(number), exact=True).click()
    told = page.get_by_role("heading", name=f"{TABLE} · {say('round_number', n=number)}", exact=True)
    await expect(told).to_be_visible()
    await page.get_by_label(say("audit_most"), exact=True).fill("36.99")
    await find_it.click()
    await expect(results.get_by_role("button")).to_have_count(0)
    assert await faults_at_both_widths(page) == []


async def test_refused_acts_are_listed_with_who_and_why(floor: Floor) -> None:
    """A dealer who settles before the dice were read; the auditor reads who, when and by which clause."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    with pytest.raises(Refused) as early:
        await dealer.act("SettleBets")
    page = await audit(floor)
    await page.get_by_text(say("register_refused"), exact=True).click()
    listed = page.get_by_role("region", name=say("register_refused"), exact=True)
    first = listed.get_by_role("row").nth(1)
    await expect(first).to_contain_text("dealer")
    await expect(first).to_contain_text(say("clause", clause=early.value.clause))
    await page.get_by_role("group").filter(has=listed).get_by_label(say("register_who")).fill("nobody")
    await expect(listed).to_have_count(0)
    await dealer.clear()


async def test_a_corrected_round_says_so(floor: Floor) -> None:
    """In the list, and where it is told again with the dice as they were and as they are."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    await dealer.deal(1, 2, 3)
    number = (await floor.table(TABLE))["round"]["number"]
    asked = await dealer.act("CorrectResult", round_=number, roll=[4, 2, 1], reason="a die was read wrongly")
    await (await floor.person("casino-manager")).approve(asked["approval"])
    page = await audit(floor)
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name=str(number), exact=True))
    await expect(row).to_contain_text(say("corrected"))
    await row.get_by_role("button").click()
    told = page.get_by_role("region", name=f"{TABLE} · {say('round_number', n=number)}")
    await expect(told).to_contain_text(say("corrected_dice", before="1-2-3", after="1-2-4"))
