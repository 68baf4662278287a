"""How the pages behave under the hand: at once, without motion for those who want none, and quietly."""

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page, expect

from tests.browser.floor import Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN, at

TABLE = at(PLAIN)

# The click's own task is followed by one animation frame; the chip has to be there when that frame is drawn.
TAPPED = """(box) => new Promise((tell) => {
  const chip = () => box.querySelector(".stake .chip") !== null;
  const before = chip();
  const next = () => requestAnimationFrame(() => tell({ before, after: chip() }));
  box.addEventListener("click", next, { once: true });
  box.click();
})"""

MOVING = """() => document.getAnimations().filter((one) => one.playState === "running")
  .map((one) => one.animationName ?? one.transitionProperty ?? "")"""


async def test_a_tap_shows_its_chip_with_the_next_frame(floor: Floor) -> None:
    """The network is not between the finger and the chip: it lies there before the next frame is drawn."""
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00)
    await terminal.is_open()
    assert await terminal.box("big").evaluate(TAPPED) == {"before": False, "after": True}
    await terminal.lies("big", 5_00)


# A player who taps faster than any finger: in each frame more changes than one.
TAP_AROUND = """async (times) => {
  const boxes = [...document.querySelectorAll("button[data-box]")];
  for (let n = 0; n < times; n += 1) {
    boxes[(n * 7) % boxes.length].click();
    if (n % 2) await new Promise(requestAnimationFrame);
  }
}"""


async def test_a_storm_of_changes_never_draws_the_print_of_the_felt_anew(floor: Floor) -> None:
    """Chips and lights lie over a picture that is drawn once: that keeps a hundred changes a second smooth.

    How many frames are left out depends on the machine, so `python -m bench pages` counts those.
    """
    dealer = await floor.dealer(TABLE)
    await dealer.open()
    terminal = await TerminalPage.at(floor, TABLE, credit=500_00)
    await terminal.is_open()
    layers = await Layers.of(terminal.page)
    print_before, all_before = await layers.drawn()
    while not print_before:  # the print has not had its first frame yet
        print_before, all_before = await layers.drawn()
    await terminal.page.evaluate(TAP_AROUND, 50)
    await expect(terminal.meter("staked")).to_have_text("$250")
    await dealer.close()
    await dealer.tumble()
    await dealer.declare(6, 6, 5)
    await expect(terminal.box("big")).to_have_accessible_name(re.compile("wins"))
    print_after, all_after = await layers.drawn()
    assert print_after == print_before > 0
    assert all_after > all_before


@dataclass
class Layers:
    """The layers that a page is drawn in, as the browser tells of them."""

    page: Page
    print_node: int
    trees: list[Any] = field(default_factory=list)

    @classmethod
    async def of(cls, page: Page) -> "Layers":
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("DOM.enable")
        root = (await devtools.send("DOM.getDocument"))["root"]["nodeId"]
        found = await devtools.send("DOM.querySelector", {"nodeId": root, "selector": ".print"})
        layers = cls(page, (await devtools.send("DOM.describeNode", found))["node"]["backendNodeId"])
        devtools.on("LayerTree.layerTreeDidChange", lambda tree: layers.trees.append(tree))
        await devtools.send("LayerTree.enable")
        return layers

    async def drawn(self) -> tuple[int, int]:
        """How often the print was drawn, and how often all layers together."""
        self.trees.clear()
        while not any(tree.get("layers") for tree in self.trees):
            await self.page.evaluate("() => new Promise(requestAnimationFrame)")
        now = next(tree["layers"] for tree in reversed(self.trees) if tree.get("layers"))
        of_print = [one["paintCount"] for one in now if one.get("backendNodeId") == self.print_node]
        return sum(of_print), sum(one["paintCount"] for one in now)


async def test_whoever_wants_no_motion_gets_none(floor: Floor) -> None:
    """With reduced motion nothing runs on: not while bets are open, not when the winners are lit."""
    dealer = await floor.dealer(TABLE)
    terminal = await TerminalPage.at(floor, TABLE, credit=100_00, reduced_motion="reduce")
    display = await floor.page(f"/display?table={TABLE}", reduced_motion="reduce")
    await dealer.open()
    await terminal.is_open()
    await terminal.bet({"big": 10_00})
    await terminal.lies("big", 10_00)
    assert await terminal.page.evaluate(MOVING) == []
    await dealer.close()
    await terminal.is_shut()
    assert await display.evaluate(MOVING) == []
    await dealer.tumble()
    await dealer.declare(6, 6, 5)
    await expect(terminal.box("big")).to_have_accessible_name(re.compile("wins"))
    await expect(display.locator("[data-lit=won]").first).to_be_visible()
    for page in (terminal.page, display):
        assert await page.evaluate(MOVING) == []


async def test_pages_ask_nobody_but_the_server_and_break_no_policy(floor: Floor) -> None:
    """Every page, from its first byte: one origin, a strict policy, and no word on the console."""
    pages = [
        (None, "/"),
        (None, f"/terminal?table={TABLE}"),
        (None, f"/display?table={TABLE}"),
        ("dealer", f"/console?table={TABLE}"),
        ("supervisor", "/pit"),
        ("cashier", "/cashier"),
        ("auditor", "/audit"),
    ]
    for who, path in pages:
        page = await (floor.staff_page(who, path) if who else floor.page(path))
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        answer = await page.request.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy or "default-src 'none'" in policy
        assert "unsafe" not in policy
        await page.close()
    assert floor.watch.asked
    assert floor.watch.found() == []


async def test_the_watch_notices_what_it_is_there_for(floor: Floor) -> None:
    """An error, a broken policy and a request to somebody else are found: silence above means something."""
    page = await floor.page("/")
    await page.evaluate("console.error('an error')")
    async with page.expect_console_message(lambda message: "policy broken: connect-src" in message.text):
        await page.evaluate("() => fetch('http://elsewhere.invalid/').catch(() => 0)")
    found = " ".join(floor.watch.found())
    assert "an error" in found
    assert "policy broken: connect-src" in found
    floor.foresee("an error", "policy", "elsewhere", "Refused to connect", "Fetch API cannot load")
