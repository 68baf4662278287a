"""What is read from afar: the smallest letter on the wall for every felt, and a head that keeps its place."""

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.floor import Floor
from tests.browser.seats import DisplayPage
from tests.browser.tables import PAY_TABLES, SIGNED, at
from tests.browser.words import say

# At five metres a normal eye tells letters of 7 mm: 16 pixels of a wall 1.2 m wide that has 1920.
LEAST = 16.0
WALL: ViewportSize = {"width": 1920, "height": 1080}
APPROVED = [name for name in PAY_TABLES if name.startswith(("tai-sai", "sic-bo"))]

# Every text that is seen, with the size of its letters on the screen.
_LETTERS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector(".wall"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const holder = walk.currentNode.parentElement;
    if (!text || !holder.getClientRects().length || holder.closest(".unseen")) continue;
    const drawn = holder instanceof SVGGraphicsElement ? holder.getScreenCTM().d : 1;
    found.push([drawn * parseFloat(getComputedStyle(holder).fontSize), text]);
  }
  return found;
}"""

# Boxes in which no figure is printed: nobody could read what they pay.
_SILENT = """() => [...document.querySelectorAll(".ground")]
  .filter((ground) => ![...ground.querySelectorAll("text")].some((one) => /[0-9]/.test(one.textContent)))
  .map((ground) => ground.dataset.kind)"""

_HEAD = """() => {
  const framed = (wanted) => [...document.querySelectorAll(wanted)].map((one) => one.getBoundingClientRect());
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const parts = framed(".head > *");
  const texts = [...document.querySelectorAll(".head dt, .head dd, .head h1, .head .title")];
  return {
    height: framed(".head")[0].height,
    outside: framed(".head > *, .head .sign > div").filter((one) => one.right > innerWidth + 1).length,
    over: parts.filter((one, place) => parts.slice(place + 1).some((other) => meet(one, other))).length,
    cut: texts.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth).length,
    room: framed(".room .felt")[0].width,
  };
}"""


async def smallest(page: Page) -> tuple[float, str]:
    letters: list[tuple[float, str]] = await page.evaluate(_LETTERS)
    assert len(letters) > 50
    size, text = min(letters)
    return size, text


@pytest.mark.parametrize("pay_table", APPROVED)
async def test_every_letter_on_the_wall_is_read_at_five_metres(floor: Floor, pay_table: str) -> None:
    """With a result on it, so that roads and winners are there too; and each box still says what it pays."""
    dealer = await floor.dealer(at(pay_table))
    await dealer.open()
    await dealer.deal(6, 5, 1)
    display = await DisplayPage.at(floor, at(pay_table), viewport=WALL)
    await expect(display.stage.get_by_role("img")).to_be_visible()
    size, text = await smallest(display.page)
    assert size >= LEAST, f"{text!r} is {size:.1f} pixels high"
    assert await display.page.evaluate(_SILENT) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768), (1920, 1080), (3840, 2160)])
async def test_the_head_of_the_wall_has_room_for_every_limit(floor: Floor, width: int, height: int) -> None:
    """Two groups of their own and two differentials: two lines at most, nothing cut, nothing over another."""
    display = await DisplayPage.at(floor, SIGNED, viewport={"width": width, "height": height})
    await expect(display.page.get_by_text(say("differential_big_small"))).to_be_visible()
    head = await display.page.evaluate(_HEAD)
    assert (head["outside"], head["over"], head["cut"]) == (0, 0, 0)
    assert head["height"] < 0.1 * height
    assert head["room"] > 0.5 * width
