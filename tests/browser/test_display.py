"""The display on the wall: the past in every road, two languages, and a line that falls silent."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.cable import cable_to
from tests.browser.floor import Floor
from tests.browser.seats import ConsolePage, DisplayPage, lost
from tests.browser.tables import PLAIN, at
from tests.browser.words import ground_words, say

TABLE = at(PLAIN)
PLAYED = ((6, 5, 4), (6, 6, 3), (1, 1, 2), (3, 3, 3), (2, 1, 1), (5, 5, 4), (4, 2, 1))
BIG_SMALL, ODD_EVEN = say("stream_big_small"), say("stream_odd_even")
# What a browser says of an answer that breaks off.
CUT = r"net::ERR_|Failed to load resource"


async def test_a_line_that_falls_silent_is_noticed_and_opened_anew(floor: Floor) -> None:
    """Nothing ends the connection, but no ping comes any more: the wall says so, and comes back by itself."""
    floor.foresee(CUT)
    dealer = await floor.dealer(TABLE)
    async with cable_to(floor.server.port) as cable:
        floor.watch.address = cable.address
        context = await floor.context(base_url=cable.address)
        page = await context.new_page()
        await page.clock.install()
        await page.goto(f"/display?table={TABLE}")
        display = DisplayPage(page, TABLE)
        await expect(display.stage).to_be_visible()
        cable.loses_answers = True
        await page.clock.fast_forward("00:13")
        await expect(lost(page)).to_be_visible()
        cable.cut()
        cable.mend()
        await dealer.open()
        await display.is_open()
        await expect(lost(page)).to_have_count(0)


def past(page: Page) -> Locator:
    return page.get_by_role("region", name=say("past_results"))


async def heard(page: Page, name: str) -> list[list[str]]:
    """The rows of a road as they are read out, newest first."""
    table = past(page).get_by_role("table", name=name, exact=True)
    rows: list[list[str]] = await table.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return rows


def sides(page: Page, picture: str, place: int) -> Locator:
    """The beads of a road as they are seen: the bead plates, then the big roads, of each pair of sides."""
    return past(page).locator(".road-pair").nth(place).locator(picture)


async def seen(page: Page, picture: str, place: int) -> list[str]:
    found: list[str] = await sides(page, picture, place).evaluate_all(
        "(beads) => beads.map(({ dataset, textContent }) => `${dataset.side} ${textContent}`)"
    )
    return found


async def test_the_wall_shows_every_result_in_plates_roads_and_figures(own_floor: Floor) -> None:
    """Bead plates and big roads for both pairs of sides, the derived roads where asked for, and the tally."""
    dealer = await own_floor.dealer("C1")
    for dice in PLAYED:
        await dealer.open()
        await dealer.deal(*dice)
    page = (await DisplayPage.at(own_floor, "C1")).page
    await expect(past(page)).to_contain_text("Big 3 · Small 3 · Odd 3 · Even 3 · Triple 1")
    big, small, triple = "first 大", "second 小", "triple 圍"
    assert await seen(page, ".bead", 0) == [big, big, small, triple, small, big, small]
    odd, even = "first 單", "second 雙"
    assert await seen(page, ".bead", 1) == [odd, odd, even, triple, even, even, odd]
    assert await seen(page, ".hoop", 0) == [big, big, small, small, big, small]
    await expect(sides(page, ".triple-mark", 0)).to_have_count(1)
    assert (await heard(page, say("bead_plate", name=BIG_SMALL)))[:2] == [
        ["7", "1-2-4, 7", "Small"],
        ["6", "4-5-5, 14", "Big"],
    ]
    assert (await heard(page, say("bead_plate", name=ODD_EVEN)))[3] == ["4", "3-3-3, 9", "Triple"]
    assert await heard(page, say("big_road", name=BIG_SMALL)) == [
        ["Small", "1", "0"],
        ["Big", "1", "0"],
        ["Small", "2", "1"],
        ["Big", "2", "0"],
    ]
    assert await heard(page, say("big_road", name=ODD_EVEN)) == [
        ["Odd", "1", "0"],
        ["Even", "3", "1"],
        ["Odd", "2", "0"],
    ]
    await expect(past(page).get_by_role("table")).to_have_count(4)
    await page.goto("/display?table=C1&triples=column&derived=1")
    await expect(past(page).get_by_role("table")).to_have_count(7)
    assert await seen(page, ".hoop", 0) == [big, big, small, triple, small, big, small]
    await expect(sides(page, ".triple-mark", 0)).to_have_count(0)
    assert await heard(page, say("derived_1")) == [[say("road_blue"), "1"], [say("road_red"), "2"]]
    for name in (say("derived_2"), say("derived_3")):
        await expect(past(page).get_by_role("table", name=name)).to_be_attached()


@pytest.mark.parametrize(("pay_table", "streams"), [(PLAIN, 2), ("tai-sai-v3/1", 1)])
async def test_odd_and_even_have_roads_only_where_they_have_boxes(
    floor: Floor, pay_table: str, streams: int
) -> None:
    """On the wall and at the console alike."""
    table = at(pay_table)
    wall = (await DisplayPage.at(floor, table)).page
    await expect(past(wall).get_by_role("table")).to_have_count(2 * streams)
    await expect(past(wall).get_by_role("heading", name=ODD_EVEN)).to_have_count(streams - 1)
    console = (await ConsolePage.at(floor, table)).page
    await expect(console.get_by_role("table", name=say("big_road", name=BIG_SMALL))).to_be_attached()
    odd_even = console.get_by_role("table", name=say("big_road", name=ODD_EVEN))
    await expect(odd_even).to_have_count(streams - 1)


@pytest.mark.parametrize(("large", "small"), [("en", "zh-Hant"), ("zh-Hant", "en"), ("zh-Hans", "en")])
async def test_the_wall_speaks_two_languages(floor: Floor, large: str, small: str) -> None:
    """Its own and the other of the pair: the phase, a void with its ground, and what the past is worth."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    page = await floor.page(f"/display?table={TABLE}&lang={large}")
    stage = page.get_by_role("region", name=say("phase", large))
    second = stage.locator(f"[lang={small}]")
    await expect(stage.locator("strong")).to_have_text(say("mood_open", large))
    await expect(second.filter(has_text=say("mood_open", small))).to_be_visible()
    await dealer.act("VoidRound", ground="exposed-early")
    await expect(stage).to_contain_text(ground_words("exposed-early", large))
    await expect(second.filter(has_text=ground_words("exposed-early", small))).to_be_visible()
    footer = page.get_by_role("contentinfo")
    for language in (large, small):
        await expect(footer).to_contain_text(say("past_is_past", language))
        await expect(footer).to_contain_text(say("rule_dice_decide", language))
