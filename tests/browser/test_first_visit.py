"""The first five minutes: the front page, a table of one's own, the tour, what a bet asks, the past."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Response, ViewportSize, expect

from taisai.server.live.table_view import HISTORY_MAX
from taisai.server.shells import manifest
from tests.browser.conftest import visiting
from tests.browser.floor import TOUCH, Floor, cluster
from tests.browser.looking import (
    SHIFT_MAX,
    faults_at_both_widths,
    faults_of,
    scrolls_aside,
    scrolls_down,
    shifted,
    small_targets,
    watch_shifts,
)
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN
from tests.browser.words import LANGUAGES, money, say
from tests.server.processes import server_process

LIVE = {"name": "T1", "kind": "live", "pay_table": "tai-sai-v6/2"}
LYING: dict[str, Any] = {
    "viewport": ViewportSize(width=780, height=360),
    "has_touch": True,
    "is_mobile": True,
}
FIRST_VIEW_MAX, LATER_MAX = 150_000, 20_000
RESULT_BYTES = 100
# Where the felt's room was in any frame.
WATCH_THE_FELT = """() => {
  window.places = new Set();
  const look = () => {
    const { top, height } = document.querySelector(".room").getBoundingClientRect();
    window.places.add(`${top} ${height}`);
    requestAnimationFrame(look);
  };
  look();
}"""
GIFT = 1_000_00


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def practice(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> AsyncIterator[Floor]:
    """A house with practice tables, for all tests of this file."""
    folder: Path = tmp_path_factory.mktemp("practice")
    house = server_process(folder, cluster("C1", PLAIN), LIVE, practice={"tables": 5})
    async with house as process, visiting(process, browser) as floor:
        yield floor


async def practising(floor: Floor, **options: Any) -> TerminalPage:
    """From the front page's button to a felt, with credit to play with."""
    page = await floor.page("/", **options)
    await page.get_by_role("link", name=say("index_play_now")).click()
    terminal = TerminalPage(page, "practice")
    await expect(terminal.felt).to_be_visible()
    await expect(terminal.meter("credit")).to_have_text(re.compile(r"^\$1,\d\d\d"))
    return terminal


async def test_two_visitors_practise_apart_and_the_tour_ends_in_a_roll(practice: Floor) -> None:
    """Four steps: a chip, a box, the dice, the result, which stays until the next press."""
    terminal, other = await practising(practice), await practising(practice, **TOUCH)
    tour = terminal.page.get_by_role("region", name=say("tour"))
    await expect(tour).to_contain_text(say("tour_chip"))
    assert await faults_at_both_widths(terminal.page) == []
    await tour.get_by_role("button", name=say("tour_next")).click()
    await expect(tour).to_contain_text(say("tour_box"))
    await terminal.box("big").click()
    await expect(tour).to_contain_text(say("tour_roll"))
    await terminal.act("roll_dice").click()
    await expect(tour).to_contain_text(say("tour_result"))
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(terminal.phase).to_contain_text(say("round_number", n=2))
    await terminal.is_open()
    await expect(card).to_be_visible()  # though the next round is open
    assert await faults_of(terminal.page) == []
    await tour.get_by_role("button", name=say("tour_done")).click()
    await expect(tour).to_be_hidden()
    await expect(card).to_be_visible()  # whoever ends the tour has not looked at it yet
    await terminal.box("small").click()
    await expect(card).to_be_hidden()
    await terminal.lies("small", 5_00)
    await expect(other.phase).to_contain_text(say("round_number", n=1))
    await expect(other.meter("credit")).to_have_text(money(GIFT))
    await terminal.page.reload()
    await terminal.lies("small", 5_00)  # the same table, and no tour again
    await expect(tour).to_be_hidden()
    await expect(terminal.act("cash_out")).to_have_count(0)


@pytest.mark.parametrize("options", [TOUCH, LYING], ids=["upright", "lying"])
async def test_the_tour_covers_nothing_that_it_speaks_of(practice: Floor, options: dict[str, Any]) -> None:
    """Chips, box, button and card are whole beside its words, however the phone is held."""
    terminal = await practising(practice, **options)
    tour = terminal.page.get_by_role("region", name=say("tour"))
    page = terminal.page
    for step, of, go_on in (
        ("tour_chip", page.locator(".chips"), tour.get_by_role("button", name=say("tour_next"))),
        ("tour_box", terminal.box("big"), terminal.box("big")),
        ("tour_roll", terminal.act("roll_dice"), terminal.act("roll_dice")),
        (
            "tour_result",
            page.get_by_role("region", name=say("your_result")),
            tour.get_by_role("button", name=say("tour_done")),
        ),
    ):
        await expect(tour).to_contain_text(say(step))
        await expect(of).to_have_css("outline-style", "solid")  # ringed
        words, ringed = await tour.bounding_box(), await of.bounding_box()
        assert words is not None
        assert ringed is not None
        beside = words["x"] >= ringed["x"] + ringed["width"] or ringed["x"] >= words["x"] + words["width"]
        above = words["y"] >= ringed["y"] + ringed["height"] or ringed["y"] >= words["y"] + words["height"]
        assert beside or above, step
        await go_on.tap()


@pytest.mark.parametrize("options", [TOUCH, LYING], ids=["upright", "lying"])
async def test_nothing_jumps_while_somebody_practises(practice: Floor, options: dict[str, Any]) -> None:
    """On a phone: in the tour's round, and in the next one, which begins beside the last result."""
    terminal = await practising(practice, **options)
    tour = terminal.page.get_by_role("region", name=say("tour"))
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await tour.get_by_role("button", name=say("tour_next")).tap()
    await watch_shifts(terminal.page)
    await terminal.page.evaluate(WATCH_THE_FELT)
    so_far = 0.0
    for box in ("big", "small"):
        await terminal.box(box).tap()
        await terminal.lies(box, 5_00)
        await terminal.act("roll_dice").tap()
        await expect(card).to_be_visible()
        await terminal.is_open()
        moved = await shifted(terminal.page)
        assert moved - so_far <= SHIFT_MAX, box
        so_far = moved
        if box == "big":
            await tour.get_by_role("button", name=say("tour_done")).tap()
            await expect(card).not_to_have_css("outline-style", "solid")  # ringed no more
        await card.get_by_role("button", name=say("close")).tap()
    assert len(await terminal.page.evaluate("[...window.places]")) == 1  # not even for a moment, under a tap


async def test_a_box_says_what_it_asks_by_hover_by_finger_and_by_keyboard(practice: Floor) -> None:
    """One sentence, example dice, chance, odds and return; a finger that asks places nothing."""
    dealer = await practice.dealer("C1")
    await dealer.open()
    mouse = await TerminalPage.at(practice, "C1")
    note = mouse.page.get_by_role("complementary", name=say("what_it_asks"))
    await mouse.box("domino-23").hover()
    await expect(note).to_contain_text(say("asks_domino", a=2, b=3))
    await expect(note).to_contain_text(say("chance_of", ways=30, rolls=216, one_in="7.2"))
    await expect(note).to_contain_text("6 : 1")
    await expect(note).to_contain_text("97.22%")
    await expect(note.get_by_role("img")).to_have_accessible_name(re.compile("^For example 2, 3"))
    await mouse.box("single-4").hover()  # at the foot of the felt
    await expect(note).to_contain_text(say("asks_single", n=4))
    box, words = await mouse.box("single-4").bounding_box(), await note.locator("div").first.bounding_box()
    assert box is not None
    assert words is not None
    assert words["y"] + words["height"] <= box["y"]
    await mouse.box("domino-23").hover()
    await expect(note).to_contain_text(say("asks_domino", a=2, b=3))
    assert await faults_of(mouse.page) == []
    await mouse.page.keyboard.press("Escape")
    await expect(note).to_have_count(0)
    await mouse.box("small").focus()
    await mouse.page.keyboard.press("ArrowLeft")
    await expect(note).to_contain_text("216")
    await expect(mouse.page.locator(":focus")).to_have_accessible_description(re.compile("216"))
    finger = await TerminalPage.at(practice, "C1", credit=50_00, **TOUCH)
    await finger.is_open()
    box = finger.box("any-triple")
    await box.scroll_into_view_if_needed()
    place = await box.bounding_box()
    assert place is not None
    devtools = await finger.page.context.new_cdp_session(finger.page)
    point = {"x": place["x"] + 20, "y": place["y"] + 20}
    await devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    await expect(finger.page.get_by_role("complementary", name=say("what_it_asks"))).to_contain_text(
        say("asks_any_triple")
    )
    await devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await finger.bet({"big": 5_00})
    await finger.lies("big", 5_00)
    await finger.is_bare("any-triple")


async def test_how_to_play_has_a_picture_for_every_bet_in_three_languages_and_on_paper(
    practice: Floor,
) -> None:
    """From the table's own pay table: each kind with its sentence and dice that win it."""
    for language in LANGUAGES:
        page = await practice.page(f"/terminal?table=C1&lang={language}")
        await page.get_by_role("button", name=say("how_to_play", language), exact=True).click()
        dialog = page.get_by_role("dialog", name=say("how_to_play", language))
        kinds = dialog.locator(".kinds li")
        await expect(kinds).to_have_count(17)
        await expect(kinds.get_by_role("img")).to_have_count(17)
        for key in ("asks_small", "asks_odd", "asks_any_triple"):
            await expect(dialog).to_contain_text(say(key, language))
        assert await faults_at_both_widths(page) == []
    await page.emulate_media(media="print")
    await expect(dialog.get_by_role("heading", level=2)).to_be_visible()
    await expect(page.locator(".top")).to_be_hidden()
    assert await page.locator(".sprite").evaluate("(one) => getComputedStyle(one).display") == "block"


async def test_statistics_beside_what_is_expected(practice: Floor) -> None:
    """Shares, totals and roads to choose from; and always that the past does not change the next."""
    dealer = await practice.dealer("C1")
    for dice in ((1, 2, 3), (4, 5, 6), (5, 5, 6)):
        await dealer.open()
        await dealer.deal(*dice)
    terminal = await TerminalPage.at(practice, "C1")
    await terminal.act("statistics").click()
    drawer = terminal.dialog("statistics")
    await expect(drawer).to_contain_text(say("past_is_past"))
    row = drawer.get_by_role("row").filter(has=terminal.page.get_by_role("rowheader", name=say("kind_big")))
    await expect(row.first).to_contain_text(re.compile(r"2.*48\.6%"))
    for name in (say("stat_last", n=50), say("road_bead"), say("derived_1"), say("stream_odd_even")):
        button = drawer.get_by_role("button", name=name, exact=True)
        await button.click()
        await expect(button).to_have_attribute("aria-pressed", "true")
    width = await drawer.locator(".road").evaluate("(one) => one.getBoundingClientRect().width / 24")
    assert width >= 14, "a bead is too small to read"
    assert await faults_at_both_widths(terminal.page) == []


async def test_a_phone_that_lies_has_everything_in_view(practice: Floor) -> None:
    """Chips, acts, meters and felt on 780 by 360, nothing to scroll but the felt, nothing too small."""
    dealer = await practice.dealer("C1")
    await dealer.open()
    terminal = await TerminalPage.at(practice, "C1", credit=50_00, **LYING)
    await terminal.is_open()
    height = LYING["viewport"]["height"]
    for part in (
        terminal.page.get_by_role("radiogroup", name=say("chips")),
        terminal.act("undo"),
        terminal.act("more"),
        terminal.page.get_by_role("term").filter(has_text=say("session_time")),
        terminal.phase,
        terminal.page.locator(".brand").get_by_text(say("play_money")),
        terminal.box("big"),
        terminal.box("even"),
        terminal.box("sum-9"),
    ):
        place = await part.bounding_box()
        assert place is not None
        assert place["y"] >= 0
        assert place["y"] + place["height"] <= height
    assert await scrolls_down(terminal.page) == await scrolls_aside(terminal.page) == 0
    assert await small_targets(terminal.page, 24) == []
    await terminal.bet({"small": 5_00})
    await terminal.lies("small", 5_00)
    await dealer.deal(1, 2, 3)
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(card).to_be_visible()
    assert await card.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0
    assert await faults_of(terminal.page) == []


async def first_view(page: Page, path: str) -> tuple[dict[str, int], list[str]]:
    """Every byte that a page fetches until it has nothing more to fetch, by what it is; and all addresses.

    Scripts that come after the first picture are `later`.
    """
    later = manifest()["pages"]["terminal"]["later"]
    sizes: dict[str, int] = {}
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: add("socket", len(frame))))

    def add(kind: str, size: int) -> None:
        sizes[kind] = sizes.get(kind, 0) + size

    await page.goto(path)
    await expect(page.get_by_role("grid")).to_be_visible()
    await expect(page.locator(".throw")).to_have_attribute("data-stage", re.compile("."))
    await page.wait_for_load_state("networkidle")
    for answer in answers:
        told = await answer.request.sizes()
        is_later = answer.url.rpartition("/")[2] in later
        add("later" if is_later else answer.request.resource_type, told["responseBodySize"])
    return sizes, [answer.url for answer in answers]


async def test_the_first_view_of_the_terminal_is_light(practice: Floor) -> None:
    """At most 150 kB in English, sockets included, with a past as long as it is ever sent.

    That is before the throw and the receipts' checks come, without which the table can be played. None of
    it is a Chinese font of the whole page.
    """
    page = await (await practice.context()).new_page()
    sizes, asked = await first_view(page, "/terminal?table=C1")
    later, past = sizes.pop("later"), HISTORY_MAX * RESULT_BYTES
    assert sum(sizes.values()) + past <= FIRST_VIEW_MAX, sizes
    assert later <= LATER_MAX
    assert [url for url in asked if re.search(r"/(tc|sc)-\d+-", url)] == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_wrong_address_says_so_in_the_readers_language(practice: Floor, language: str) -> None:
    """No such page, no such table, a live table as a terminal; each with the way back."""
    practice.foresee("status of 404")
    for path, key in (
        (f"/nowhere?lang={language}", "lost_page"),
        (f"/display?table=X9&lang={language}", "lost_table"),
        (f"/terminal?table=T1&lang={language}", "lost_not_a_terminal"),
    ):
        page = await practice.page(path)
        table = "X9" if "X9" in path else "T1"
        await expect(page.get_by_role("heading", level=1)).to_have_text(say(key, language, table=table))
        assert await faults_at_both_widths(page) == []
        await page.get_by_role("link", name=say("lost_home", language)).click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Test house")
        play = page.get_by_role("link", name=say("index_play_now", language))  # and so on from there
        await expect(play).to_have_attribute("href", f"/terminal?table=practice&lang={language}")
        await page.close()


async def test_the_front_page_does_not_shift_and_shows_how_a_phone_gets_here(practice: Floor) -> None:
    """Here it listens on this machine alone, and says so; the tables come without a jump."""
    page = await practice.page("/")
    shifts = """() => new Promise((tell) => {
      let sum = 0;
      const add = (list) => list.getEntries().forEach((entry) => { sum += entry.value; });
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => tell(sum))));
    })"""
    await expect(page.get_by_role("article")).to_have_count(2)
    assert await page.evaluate(shifts) <= 0.01
    await expect(page.get_by_text(say("index_phone_none", option="--host 0.0.0.0"))).to_be_visible()
    assert await faults_at_both_widths(page) == []
