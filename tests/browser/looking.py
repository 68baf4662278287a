"""What is measured of a page: its faults by axe, the size of what is touched, whether it scrolls aside."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Locator, Page, ViewportSize, expect

from tests.browser.floor import PHONE, WIDE

WIDTHS = (WIDE, PHONE)
# The smallest screen of a desk.
SMALL: ViewportSize = {"width": 1366, "height": 768}
_AXE = Axe()

# Faults in one line each, of the dialog that is open or of the whole page; only what is wrong comes back.
_FAULTS = """() => axe
  .run(document.querySelector("dialog[open]") ?? document, { resultTypes: ["violations"] })
  .then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 4).map(({ html, any }) =>
    `${id} (${help}): ${html.slice(0, 160)} ${any[0]?.message ?? ""}`)))"""

# What can be touched now: seen, not behind a dialog, and not the console's felt while it is a picture.
_TARGETS = """(least) => {
  const room = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const all = room.querySelectorAll("button, a[href], input, select, summary, [role=radio], [role=switch]");
  return [...all].flatMap((one) => {
    const target = one.matches("label input") ? one.closest("label") : one;
    const { width, height } = target.getBoundingClientRect();
    const shown = one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    const picture = one.matches("[data-entering=false] [data-box]");
    if (!shown || picture || !width || !height || Math.min(width, height) >= least - 0.5) return [];
    const name = (one.getAttribute("aria-label") ?? one.innerText ?? one.id).slice(0, 40);
    return [`${one.localName} ${name}: ${width.toFixed(1)} x ${height.toFixed(1)}`];
  });
}"""

_TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_ASIDE = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""
_DOWN = """() => document.documentElement.scrollHeight - document.documentElement.clientHeight"""


async def with_axe(page: Page) -> None:
    """A page that can be asked by axe."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_AXE.axe_script)


async def faults_of(page: Page) -> list[str]:
    """What axe finds wrong now, each fault with the places where it is."""
    await with_axe(page)
    found: list[str] = await page.evaluate(_FAULTS)
    return found


async def faults_at_both_widths(page: Page) -> list[str]:
    """The same page wide and on a phone."""
    before, found = page.viewport_size, []
    for size in WIDTHS:
        await page.set_viewport_size(size)
        await page.evaluate(_TWO_FRAMES)
        found += [f"at {size['width']}: {fault}" for fault in await faults_of(page)]
    await page.set_viewport_size(before or WIDE)
    return found


async def small_targets(page: Page, least: int) -> list[str]:
    """What is too small for a finger, once the page has found its shape."""
    await page.evaluate(_TWO_FRAMES)
    found: list[str] = await page.evaluate(_TARGETS, least)
    return found


async def scrolls_aside(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    width: int = await page.evaluate(_ASIDE)
    return width


async def scrolls_down(page: Page) -> int:
    """By how many pixels the page is higher than its window."""
    height: int = await page.evaluate(_DOWN)
    return height


SHIFT_MAX = 0.01


async def watch_shifts(page: Page) -> None:
    """From now on, add up the shifts of the layout that no press explains."""
    await page.evaluate(
        """() => {
          window.shifted = 0;
          window.shifts = new PerformanceObserver((list) => {
            for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
          });
          window.shifts.observe({ type: "layout-shift", buffered: false });
        }"""
    )


async def shifted(page: Page) -> float:
    """What they add up to, those of the last frame included."""
    found: float = await page.evaluate(
        """() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(() => {
          for (const one of window.shifts.takeRecords()) if (!one.hadRecentInput) window.shifted += one.value;
          tell(window.shifted);
        })))"""
    )
    return found


async def in_view(button: Locator) -> bool:
    """Whether all of it is on the screen."""
    await expect(button).to_be_visible()
    whole: bool = await button.evaluate(
        """(one) => { const { top, bottom, left, right } = one.getBoundingClientRect();
             const shown = document.elementFromPoint((left + right) / 2, bottom - 2);
             const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
             return inside && one.contains(shown); }"""
    )
    return whole
