"""What a terminal lets be heard: each moment by its tone, and nothing once the sound is off."""

from playwright.async_api import Page, expect

from tests.browser.floor import Floor
from tests.browser.seats import TerminalPage
from tests.browser.tables import PLAIN, at

TABLE = at(PLAIN)
CHIP, CLOSE = 2100, 440  # the first tone of each, in hertz: frontend/src/lib/sounds.ts

LISTEN = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.heard.push(this.frequency.value);
  return start.call(this, at);
};
"""


async def hears(page: Page, tone: int) -> None:
    """Wait until a tone was played, and forget what was heard so far."""
    await page.wait_for_function("(tone) => window.heard.includes(tone)", arg=tone)
    await page.evaluate("() => void (window.heard.length = 0)")


async def test_the_closing_is_heard_and_the_sound_can_be_switched_off(floor: Floor) -> None:
    """A chip and no more bets have tones of their own; switched off, not even the result is heard."""
    dealer = await floor.dealer(TABLE)
    context = await floor.context()
    await context.add_init_script(LISTEN)
    page = await context.new_page()
    await page.goto(f"/terminal?table={TABLE}")
    terminal = TerminalPage(page, TABLE)
    await terminal.buy_in(50_00)
    await dealer.open()
    await terminal.is_open()
    await terminal.bet({"big": 5_00})
    await hears(page, CHIP)
    await terminal.lies("big", 5_00)
    await dealer.close()
    await hears(page, CLOSE)
    await terminal.is_shut()
    sound = terminal.act("sound")
    await sound.click()
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await dealer.tumble()
    await dealer.declare(1, 2, 3)
    await expect(terminal.phase.get_by_role("img")).to_be_visible()
    assert await page.evaluate("() => window.heard") == []
