"""Contrast where axe cannot tell: over gradients and pictures the pixels themselves are measured."""

from io import BytesIO
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image
from playwright.async_api import Page, ViewportSize

from tests.browser.looking import with_axe

# What WCAG 2.2 AA asks for: of text, and of large text.
LEAST, LEAST_LARGE = 4.5, 3.0
_LARGE_PX, _LARGE_BOLD_PX = 24, 18.66
# Of 255: a pixel that did not change, and one that has the ink's colour and is no edge of a letter.
_NOTHING, _NEAR = 6, 32
_FEW = 8  # pixels; less is what another thing leaves of a letter

# Texts on which axe did not decide, with their colour, their size and the boxes of their lines in view.
_UNDECIDED = """() => axe
  .run(document.querySelector("dialog[open]") ?? document, { runOnly: ["color-contrast"] })
  .then(({ incomplete }) => incomplete.flatMap(({ nodes }) => nodes).flatMap(({ target }) => {
    const element = document.querySelector(target.at(-1));
    const style = element && getComputedStyle(element);
    if (!style || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return [];
    let opacity = 1;
    const edges = [];  // of what scrolls: a line that one of them divides says nothing
    for (let each = element; each; each = each.parentElement) {
      const { opacity: own, overflowY } = getComputedStyle(each);
      opacity *= +own;
      if (overflowY !== "visible") edges.push(each.getBoundingClientRect());
    }
    const isWhole = ({ top, bottom }) => edges.every((edge) => top >= edge.top && bottom <= edge.bottom);
    const range = document.createRange();
    const lines = [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) return [];
      range.selectNodeContents(node);
      const whole = [...range.getClientRects()].filter(isWhole);
      return whole.map(({ x, y, width, height }) => [x, y, x + width, y + height]);
    });
    const color = element instanceof SVGElement ? style.fill : style.color;
    const scale = element.getScreenCTM?.().a ?? 1;  // sizes on the felt are the felt's own
    const said = element.textContent.trim().slice(0, 40);
    const name = `${element.localName}.${element.getAttribute("class") ?? ""} "${said}"`;
    const bold = Number(style.fontWeight) >= 700;
    return [{ name, color, opacity, size: scale * parseFloat(style.fontSize), bold, lines }];
  }))"""

_DECIDED = """() => axe.run(document, { runOnly: ["color-contrast"] }).then(({ violations }) =>
  violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => `${html} ${any[0]?.message}`)))"""

# The same page without its letters. The pages' policy allows no style in the page, but one that is adopted.
_BARE: Final = """* { color: transparent !important; -webkit-text-fill-color: transparent !important;
  text-shadow: none !important; text-decoration-color: transparent !important; transition: none !important }
text, tspan { fill: transparent !important }"""
_TAKE_LETTERS = """(style) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}"""
_GIVE_LETTERS = "() => document.adoptedStyleSheets.pop()"

Pixels = npt.NDArray[np.float64]


async def low_contrasts(page: Page) -> list[str]:
    """Texts over gradients and pictures whose letters differ too little from what is behind them."""
    await with_axe(page)
    texts: list[dict[str, Any]] = await page.evaluate(_UNDECIDED)
    if not texts:
        return []
    shown = _pixels(await page.screenshot(caret="initial"))
    await page.evaluate(_TAKE_LETTERS, _BARE)
    bare = _pixels(await page.screenshot(caret="initial"))
    await page.evaluate(_GIVE_LETTERS)
    if any(_fault(text, shown, bare) for text in texts):
        again = _pixels(await page.screenshot(caret="initial"))
        shown[np.any(shown != again, axis=-1)] = np.nan  # what moved meanwhile says nothing
    return [fault for text in texts if (fault := _fault(text, shown, bare))]


async def low_contrasts_at(page: Page, *sizes: ViewportSize) -> list[str]:
    """The same at some sizes of the window, of which the first is the one that stays."""
    found = []
    for size in sizes:
        await page.set_viewport_size(size)
        found += [f"at {size['width']}: {fault}" for fault in await low_contrasts(page)]
    await page.set_viewport_size(sizes[0])
    return found


async def unreadable(page: Page) -> list[str]:
    """Texts of which axe itself says that they differ too little from what is behind them."""
    await with_axe(page)
    found: list[str] = await page.evaluate(_DECIDED)
    return found


def _pixels(png: bytes) -> Pixels:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"), dtype=np.float64)


def _fault(text: dict[str, Any], shown: Pixels, bare: Pixels) -> str:
    """What is wrong with a text: the worst tenth of its letters' pixels decides, whatever touches a few."""
    colour, alpha = parsed(text["color"])
    worst, strength = np.inf, alpha * text["opacity"]
    for left, top, right, bottom in text["lines"]:
        area = np.s_[max(0, int(top)) : max(0, int(bottom) + 1), max(0, int(left)) : max(0, int(right) + 1)]
        seen, behind = shown[area], bare[area]
        ink = colour * strength + behind * (1 - strength)
        changed = np.abs(seen - behind).max(axis=-1) > _NOTHING
        letters = changed & (np.abs(seen - ink).max(axis=-1) < _NEAR)  # its own, not those of a chip on it
        if letters.sum() >= _FEW:
            worst = min(worst, float(np.quantile(ratios(ink[letters], behind[letters]), 0.1)))
    large = text["size"] >= (_LARGE_BOLD_PX if text["bold"] else _LARGE_PX)
    least = LEAST_LARGE if large else LEAST
    return f"{text['name']}: {worst:.2f} of {least}" if worst < least else ""


def parsed(colour: str) -> tuple[Pixels, float]:
    """Red, green and blue, and how much of them there is, from what a browser says of a colour."""
    inside = colour.partition("(")[2].rstrip(")").replace("/", " ").replace(",", " ").split()
    factor = 255.0 if colour.startswith("color(") else 1.0
    values = [float(part) for part in inside if part != "srgb"]
    return np.array(values[:3]) * factor, values[3] if len(values) > 3 else 1.0


def ratios(one: Pixels, other: Pixels) -> Pixels:
    """Contrast by WCAG, pixel by pixel."""
    first, second = _luminance(one), _luminance(other)
    found: Pixels = (np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05)
    return found


def _luminance(pixels: Pixels) -> Pixels:
    part = pixels / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    found: Pixels = linear @ np.array([0.2126, 0.7152, 0.0722])
    return found
