"""The game's own moment: the throw, the result card, the voice; and nothing else moves meanwhile."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.floor import TOUCH, Floor
from tests.browser.looking import SHIFT_MAX, faults_at_both_widths, faults_of, shifted, watch_shifts
from tests.browser.seats import DisplayPage, TerminalPage
from tests.browser.tables import FILMED, OPEN_COVER, PLAIN, VIDEO, at
from tests.browser.test_frames import TAPPED
from tests.browser.words import LANGUAGES, called, money, net, returned, say

TABLE = at(PLAIN)
MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}

# Each stage of the throw as it comes, with what the page says of the round at that moment.
_WATCH_THE_THROW = """() => {
  window.stages = [];
  const scene = document.querySelector(".throw");
  const mood = () => document.querySelector("[data-mood]").dataset.mood;
  const note = () => window.stages.push([scene.dataset.stage, mood()]);
  new MutationObserver(note).observe(scene, { attributes: true, attributeFilter: ["data-stage"] });
}"""
# The canvas is drawn: some of its pixels are not transparent.
_IS_DRAWN = """() => {
  const canvas = document.querySelector(".throw canvas");
  if (!canvas?.width) return false;
  const probe = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
  probe.drawImage(canvas, 0, 0, 40, 40);
  const { data } = probe.getImageData(0, 0, 40, 40);
  return data.some((value, place) => place % 4 === 3 && value > 200);
}"""


async def stages(page: Page) -> list[list[str]]:
    found: list[list[str]] = await page.evaluate("() => window.stages")
    return found


@pytest.mark.parametrize("pay_table", [PLAIN, OPEN_COVER])
async def test_the_throw_follows_the_record_and_nothing_tells_the_result_before_it(
    floor: Floor, pay_table: str
) -> None:
    """Still, tumbling, settling, settled; until the dice lie, banner, meters and history know of nothing."""
    table = at(pay_table)
    dealer = await floor.dealer(table)
    await dealer.open()
    terminal = await TerminalPage.at(floor, table, credit=100_00, **MOTION)
    await terminal.bet({"small": 10_00})
    await terminal.lies("small", 10_00)
    await expect(terminal.page.locator(".throw")).to_have_attribute("data-stage", "waiting")
    await terminal.page.evaluate(_WATCH_THE_THROW)
    await dealer.close()
    await terminal.is_shut()
    await expect(terminal.page.locator(".throw")).to_be_visible()
    await terminal.page.wait_for_function(_IS_DRAWN)
    await dealer.tumble()
    await expect(terminal.page.locator(".throw")).to_have_attribute("data-stage", "tumbling")
    await dealer.declare(1, 2, 3)
    await dealer.settle()
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(card).to_be_visible()
    seen = await stages(terminal.page)
    assert [stage for stage, _ in seen] == ["tumbling", "settling", "settled"]
    assert {mood for _, mood in seen} == {"shut"}, "the banner knew before the dice lay still"
    await expect(terminal.meter("credit")).to_have_text(money(110_00))


async def test_the_wall_shows_the_throw_and_a_calm_one_shows_a_still(floor: Floor) -> None:
    """The same scene on the wall; whoever wants no motion gets a picture and the result at once."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    wall = await DisplayPage.at(floor, TABLE, **MOTION)
    calm = await DisplayPage.at(floor, TABLE)
    await dealer.close()
    for display in (wall, calm):
        await display.page.wait_for_function(_IS_DRAWN)
    await wall.page.evaluate(_WATCH_THE_THROW)
    await calm.page.evaluate(_WATCH_THE_THROW)
    await dealer.tumble()
    await expect(wall.page.locator(".throw")).to_have_attribute("data-stage", "tumbling")
    await dealer.declare(6, 6, 5)
    for display in (wall, calm):
        await expect(display.stage.get_by_role("img")).to_have_accessible_name("5-6-6: 17, Big, Odd")
    assert [stage for stage, _ in await stages(wall.page)] == ["tumbling", "settling", "settled"]
    assert "settling" not in [stage for stage, _ in await stages(calm.page)]


async def test_a_tap_while_the_dice_tumble_shows_its_chip_with_the_next_frame(floor: Floor) -> None:
    """Under a cover the dice may tumble while bets are open: the picture is in nobody's way."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00, **MOTION)
    await expect(terminal.page.locator(".throw")).to_have_attribute("data-stage", "waiting")
    await dealer.act("CoverTumbler")
    await dealer.act("ActivateTumbler", tumbles=3)
    await expect(terminal.page.locator(".throw")).to_have_attribute("data-stage", "tumbling")
    assert await terminal.box("any-triple").evaluate(TAPPED) == {"before": False, "after": True}
    await terminal.lies("any-triple", 5_00)


@pytest.mark.parametrize("options", [MOTION, {**TOUCH, **MOTION}], ids=["wide", "phone"])
async def test_nothing_jumps_in_a_whole_round(floor: Floor, options: dict[str, Any]) -> None:
    """From one opening to the next the layout shifts by less than a hundredth, and the felt not at all."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00, **options)
    await terminal.bet({"small": 10_00, "odd": 5_00})
    await terminal.lies("small", 10_00)
    await terminal.lies("odd", 5_00)
    await watch_shifts(terminal.page)
    place = await terminal.felt.bounding_box()
    await dealer.deal(2, 3, 4)
    await expect(terminal.page.get_by_role("region", name=say("your_result"))).to_be_visible()
    assert await terminal.felt.bounding_box() == place
    assert await faults_of(terminal.page) == []
    await dealer.open()
    await terminal.is_open()
    assert await terminal.felt.bounding_box() == place
    assert await shifted(terminal.page) <= SHIFT_MAX


@pytest.mark.parametrize("options", [{}, TOUCH], ids=["wall", "narrow"])
async def test_nothing_jumps_on_the_wall_in_a_whole_round(floor: Floor, options: dict[str, Any]) -> None:
    """Open, shut, thrown, told and open again: the felt and the roads stay where they are."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    wall = await DisplayPage.at(floor, TABLE, **options, **MOTION)
    await expect(wall.stage).to_contain_text(say("mood_open"))
    felt = wall.page.locator(".felt")
    place = await felt.bounding_box()
    await watch_shifts(wall.page)
    await dealer.close()
    await expect(wall.stage).to_contain_text(say("mood_shut"))
    assert await felt.bounding_box() == place
    await dealer.tumble()
    await dealer.declare(2, 3, 4)
    await dealer.settle()
    await expect(wall.stage.get_by_role("img")).to_have_accessible_name("2-3-4: 9, Small, Odd")
    assert await felt.bounding_box() == place
    await dealer.conclude()
    await dealer.open()
    await expect(wall.stage).to_contain_text(say("mood_open"))
    assert await felt.bounding_box() == place
    assert await shifted(wall.page) <= SHIFT_MAX


# Each chip that the settlement moves: what became of it, its figure, and how far from the credit it ends.
_WATCH_THE_CHIPS = """() => {
  window.moved = [];
  const middle = (of) => {
    const place = of.getBoundingClientRect();
    return [place.x + place.width / 2, place.y + place.height / 2];
  };
  const note = (chip) => {
    const [way] = chip.getAnimations();
    way.pause();
    way.currentTime = 0.99 * way.effect.getComputedTiming().endTime;
    const [x, y] = middle(chip);
    const [creditX, creditY] = middle(document.querySelector(".meters .credit"));
    const off = Math.round(Math.hypot(x - creditX, y - creditY));
    window.moved.push([chip.dataset.fate, chip.textContent, off]);
    way.play();
  };
  const look = (found) => found.forEach(({ addedNodes }) => addedNodes.forEach(note));
  new MutationObserver(look).observe(document.querySelector(".payout"), { childList: true });
}"""


@pytest.mark.parametrize("options", [MOTION, {**TOUCH, **MOTION}], ids=["wide", "phone"])
async def test_winning_chips_get_their_winnings_and_go_to_the_credit(
    floor: Floor, options: dict[str, Any]
) -> None:
    """Stake and winnings are chips of their own worth; what lost leaves its box; then all are gone."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00, **options)
    await terminal.bet({"small": 10_00, "big": 5_00})
    await terminal.lies("small", 10_00)
    await terminal.lies("big", 5_00)
    moving = terminal.page.locator(".payout")
    await expect(moving).to_be_attached()
    await terminal.page.evaluate(_WATCH_THE_CHIPS)
    await dealer.deal(1, 2, 3)
    await expect(terminal.meter("credit")).to_have_text(money(105_00))
    await terminal.page.wait_for_function("() => window.moved.length >= 3")
    seen = {(fate, figure): off for fate, figure, off in await terminal.page.evaluate("() => window.moved")}
    assert set(seen) == {("paid", "10"), ("winnings", "10"), ("taken", "5")}
    assert seen["paid", "10"] <= 2
    assert seen["winnings", "10"] <= 2
    assert seen["taken", "5"] > 50
    await expect(moving.locator("*")).to_have_count(0)
    await expect(terminal.page.locator(".room .stake")).to_have_count(0)


async def test_the_card_tells_what_came_back_box_by_box_with_the_clause(floor: Floor) -> None:
    """On a phone without scrolling: dice, call, net, each box, its reason on a tap; and the felt is bare."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=500_00, **TOUCH)
    boxes = ("small", "even", "sum-10", "single-2", "single-3", "double-6", "domino-23", "domino-25")
    slip, dice = dict.fromkeys(boxes, 5_00), (2, 3, 5)
    await terminal.bet(slip)
    for box in boxes:
        await terminal.lies(box, 5_00)
    await dealer.deal(*dice)
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(card).to_contain_text("10 Small, Even")
    back = returned(PLAIN, dice, slip)
    await expect(card).to_contain_text(f"{say('card_returned')} {money(back)}")
    await expect(card).to_contain_text(f"{say('card_net')} {net(back - 40_00)}")
    await expect(card).to_contain_text(say("other_bets", n=3))
    await expect(card).to_have_attribute("data-joy", "1")
    assert await card.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0
    inside = await card.bounding_box()
    assert inside is not None
    assert inside["y"] >= 0
    assert inside["y"] + inside["height"] <= TOUCH["viewport"]["height"]
    await expect(card).to_contain_text(say("card_why"))
    await card.get_by_role("button", name=say("why_box", box=called("sum-10"))).tap()
    await expect(card.locator(".reason")).to_have_text(re.compile(r"10.*\d\.\d", re.DOTALL))
    await expect(terminal.meter("staked")).to_have_text(money(0))
    for box in boxes:
        await expect(terminal.box(box)).not_to_have_accessible_name(re.compile("your bet"))
    assert await faults_at_both_widths(terminal.page) == []
    await card.get_by_role("button", name=say("other_bets", n=3)).tap()
    await expect(terminal.dialog("recall")).to_contain_text(called("double-6"))
    await terminal.page.keyboard.press("Escape")
    await card.get_by_role("button", name=say("close"), exact=True).tap()
    await expect(card).to_be_hidden()


@pytest.mark.parametrize(
    ("dice", "slip", "joy"),
    [((1, 2, 6), {"small": 5_00, "sum-4": 50_00}, "0"), ((6, 6, 6), {"triple-6": 5_00}, "2")],
)
async def test_a_loss_is_never_celebrated_and_a_hundredfold_is(
    floor: Floor, dice: tuple[int, int, int], slip: dict[str, int], joy: str
) -> None:
    """A box that won in a round that lost is told plainly; 195 to 1 is gold."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await terminal.bet(slip)
    for box, stake in slip.items():
        await terminal.lies(box, stake)
    await dealer.deal(*dice)
    card = terminal.page.get_by_role("region", name=say("your_result"))
    await expect(card).to_have_attribute("data-joy", joy)
    await expect(card.locator(".coins")).to_have_count(1 if joy == "2" else 0)
    assert await faults_at_both_widths(terminal.page) == []


# A device with a voice of its own for each language; what it would say is kept.
_VOICES = """
window.said = [];
const voices = ["en-GB", "zh-HK", "zh-CN"].map((lang) => ({ lang, name: lang, localService: true }));
const speech = {
  getVoices: () => [{ lang: "en-GB", name: "far", localService: false }, ...voices],
  cancel: () => {},
  speak: (words) => window.said.push([words.voice.name, words.text]),
};
Object.defineProperty(window, "speechSynthesis", { value: speech });
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
"""


async def test_the_dice_are_called_in_the_players_language(floor: Floor) -> None:
    """By a voice on the device; in three languages; and not a word once the sound is off."""
    dealer = await floor.dealer(TABLE)
    context = await floor.context()
    await context.add_init_script(_VOICES)
    page = await context.new_page()
    calls = {
        "en": ["en-GB", "two, three, five: ten, small"],
        "zh-Hant": ["zh-HK", "二、三、五，十點，小"],
        "zh-Hans": ["zh-CN", "二、三、五，十点，小"],
    }
    for language in LANGUAGES:
        await page.goto(f"/terminal?table={TABLE}&lang={language}")
        await expect(page.get_by_role("grid")).to_be_visible()
        await dealer.open()
        await dealer.deal(5, 2, 3)
        await page.wait_for_function(
            "(call) => window.said.some((one) => one.join() === call.join())", arg=calls[language]
        )
        assert say("no_more_bets", language) in [text for _, text in await page.evaluate("() => window.said")]
    await page.get_by_role("button", name=say("sound", "zh-Hans"), exact=True).click()
    await page.evaluate("() => void (window.said.length = 0)")
    await dealer.open()
    await dealer.deal(1, 1, 1)
    await expect(page.get_by_role("region", name=say("your_result", "zh-Hans"))).to_contain_text("3")
    assert await page.evaluate("() => window.said") == []


# A studio in another page of the same browser: it answers a WHEP offer with a picture that is drawn there.
_STUDIO = """async (offer) => {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const paint = () => { pen.fillStyle = `hsl(${Date.now() % 360} 80% 50%)`; pen.fillRect(0, 0, 300, 150); };
  setInterval(paint, 40);
  const peer = (window.peer = new RTCPeerConnection());
  for (const track of canvas.captureStream(25).getTracks()) peer.addTrack(track, new MediaStream([track]));
  await peer.setRemoteDescription({ type: "offer", sdp: offer });
  await peer.setLocalDescription(await peer.createAnswer());
  await new Promise((done) => {
    if (peer.iceGatheringState === "complete") done();
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done();
  });
  return peer.localDescription.sdp;
}"""


async def test_a_studios_live_picture_is_asked_for_by_whep_and_shown(floor: Floor) -> None:
    """An offer goes to the table's address and its answer is taken; a studio that is away is not missed."""
    studio = await floor.page("/")
    offers: list[str] = []

    async def answered(route: Route) -> None:
        if route.request.method == "OPTIONS":  # asked first, since it is another origin
            allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type"}
            await route.fulfill(status=204, headers=allowed)
            return
        offers.append(route.request.post_data or "")
        answer = await studio.evaluate(_STUDIO, offers[-1])
        allowed = {"Access-Control-Allow-Origin": "*", "Content-Type": "application/sdp"}
        await route.fulfill(status=201, headers=allowed, body=answer)

    dealer = await floor.dealer(FILMED)
    await dealer.open()
    floor.foresee(re.escape(f"asked somebody else: {VIDEO}"))
    context = await floor.context()
    await context.route(VIDEO, answered)
    page = await context.new_page()
    await page.goto(f"/terminal?table={FILMED}")
    await expect(page.get_by_role("grid")).to_be_visible()
    picture = page.locator(".live-video")
    await expect(picture).to_have_attribute("data-shown", "true")
    assert "recvonly" in offers[0]
    await expect(picture).to_be_hidden()  # while bets are open it is in nobody's way
    await dealer.close()
    await expect(picture).to_be_visible()
    await context.unroute(VIDEO)
    await context.route(VIDEO, lambda route: route.fulfill(status=503))
    floor.foresee("503", "CORS", "ERR_FAILED", "Access-Control")
    await page.reload()
    await TerminalPage(page, FILMED).is_shut()
    await expect(picture).to_have_attribute("data-shown", "false")
