"""The felt of every pay table, on the terminal and on the wall."""

import re

import pytest
from playwright.async_api import expect

from taisai.rulebooks.catalogue import pay_table
from taisai.rulebooks.model import Box
from tests.browser.floor import TOUCH, Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import PAY_TABLES, PLAIN, at
from tests.browser.words import called, say

FRACTIONS = {"1/2": "½", "1/4": "¼", "3/4": "¾"}

# What each box says and covers, and how much is printed exactly there, read in one go.
READ = """(boxes) => {
  const grounds = [...document.querySelectorAll(".ground")].map((one) => [one, one.getBoundingClientRect()]);
  const sides = ["left", "top", "width", "height"];
  const same = (one, other) => sides.every((side) => Math.abs(one[side] - other[side]) < 1);
  return boxes.map((box) => {
    const place = box.getBoundingClientRect();
    const { left, top, width, height } = place;
    const under = grounds.filter(([, ground]) => same(place, ground)).map(([ground]) => ground);
    const drawn = under.flatMap((one) => [...one.querySelectorAll("svg text, svg use")]).length;
    return { tag: box.localName, name: box.getAttribute("aria-label"), left, top, width, height,
             grounds: under.length, drawn };
  });
}"""


def odds(box: Box) -> str:
    """The odds as they are said: `pays 8½ to 1`, `pays 1, 2 or 12 to 1`."""
    figures = []
    for pays in box.pays:
        whole, rest = divmod(pays, 1)
        figures.append((str(whole) if whole or not rest else "") + (FRACTIONS[str(rest)] if rest else ""))
    said = figures[0] if len(figures) == 1 else f"{', '.join(figures[:-1])} or {figures[-1]}"
    return f"pays {said} to 1"


@pytest.mark.clause("tai-sai-v3", "2.1.1")
@pytest.mark.clause("tai-sai-open-cover", "2.1.1")
@pytest.mark.clause("tai-sai-v4", "2.1.1")
@pytest.mark.clause("tai-sai-v6", "2.1.1")
@pytest.mark.clause("sic-bo-etg-v8", "2.1.1")
@pytest.mark.parametrize("name", PAY_TABLES)
async def test_every_box_of_a_felt_is_a_button_with_its_name_and_odds(floor: Floor, name: str) -> None:
    """None is missing, none lies on another, each is drawn, and all can be reached by the arrows."""
    terminal = await TerminalPage.at(floor, at(name))
    boxes = pay_table(name).boxes
    assert 50 <= len(boxes) <= 107
    buttons = terminal.felt.get_by_role("button")
    await expect(buttons).to_have_count(len(boxes))
    seen = await buttons.evaluate_all(READ)
    assert {one["tag"] for one in seen} == {"button"}
    # The last round that was dealt here may still be shown: its boxes say that they win.
    names = {one["name"].removesuffix(f", {say('box_won')}") for one in seen}
    assert names == {f"{called(box.id)}, {odds(box)}" for box in boxes}
    assert all(one["drawn"] and one["grounds"] == 1 for one in seen)
    overlapping = [
        (one["name"], other["name"])
        for place, one in enumerate(seen)
        for other in seen[place + 1 :]
        if min(one["left"] + one["width"], other["left"] + other["width"]) - max(one["left"], other["left"])
        > 1
        and min(one["top"] + one["height"], other["top"] + other["height"]) - max(one["top"], other["top"])
        > 1
    ]
    assert overlapping == []


async def test_the_display_draws_the_felt_with_every_box(floor: Floor) -> None:
    """On the wall it is a picture: each box once, with what is printed in it."""
    name = max(PAY_TABLES, key=lambda one: len(pay_table(one).boxes))
    page = await floor.page(f"/display?table={at(name)}")
    boxes = page.locator("[data-box]")
    await expect(boxes).to_have_count(len(pay_table(name).boxes))
    assert all(one["drawn"] and one["grounds"] == 1 for one in await boxes.evaluate_all(READ))


async def test_easy_mode_leaves_the_plain_bets(floor: Floor) -> None:
    """A newcomer sees Big, Small, Odd, Even, any triple and the totals, and the rest again with one touch."""
    terminal = await TerminalPage.at(floor, at(PAY_TABLES[0]))
    everything = len(pay_table(PAY_TABLES[0]).boxes)
    await expect(terminal.felt.get_by_role("button")).to_have_count(everything)
    await terminal.act("easy_mode").click()
    kinds = re.compile(r"^(Big|Small|Odd|Even|Any triple|Total \d+), ")
    plain = sum(1 for box in pay_table(PAY_TABLES[0]).boxes if kinds.match(f"{called(box.id)}, "))
    await expect(terminal.felt.get_by_role("button")).to_have_count(plain)
    await expect(terminal.felt.get_by_role("button", name=kinds)).to_have_count(plain)
    await terminal.act("easy_mode").click()
    await expect(terminal.felt.get_by_role("button")).to_have_count(everything)


async def test_every_letter_on_a_phone_can_be_read(floor: Floor) -> None:
    """Boxes by kind print no letter below nine pixels: odds that would be smaller are said short."""
    page = (await TerminalPage.at(floor, at(PLAIN), **TOUCH)).page
    small = await page.evaluate(
        """() => [...document.querySelectorAll(".face text")].map((text) => {
          const face = text.ownerSVGElement;
          const unit = face.getBoundingClientRect().width / face.viewBox.baseVal.width;
          return [text.textContent, unit * text.getAttribute("font-size")];
        }).filter(([, size]) => size < 9)"""
    )
    assert small == []
