"""Scenes at the table: the Player Terminal in every phase and panel, every layout, and the display."""

from frontend.camera import PHONE, STANDING, TERMINAL, WALL, WIDE, Camera, Size
from frontend.studio import PAY_TABLES, ROLLS, Studio, name_of
from playwright.sync_api import BrowserContext, Page

ETG = name_of(PAY_TABLES[0])
LANGUAGES = ("zh-Hant", "zh-Hans")


def seat(
    studio: Studio, table: str, size: Size, *, touch: bool = False, own_clock: bool = False
) -> tuple[BrowserContext, Page]:
    """A terminal with credit, on a machine of its own; with a clock that the scene can hold, if it wants."""
    context = studio.browser.new_context(
        base_url=studio.address, viewport={"width": size[0], "height": size[1]}, has_touch=touch
    )
    page = context.new_page()
    if own_clock:
        page.clock.install()
    page.goto(f"/terminal?table={table}")
    page.get_by_role("button", name="Buy in").click()
    page.locator("dialog .amounts button").nth(4).click()
    page.locator(".credit dd", has_text="1,000").wait_for()
    return context, page


def bet(page: Page, boxes: str) -> None:
    """Chips on boxes, by their ids where the layout has them; waits until all of them are registered."""
    for box in boxes.split():
        place = page.locator(f'button[data-box="{box}"]')
        if place.count():
            place.click()
    registered(page)


def registered(page: Page) -> None:
    page.wait_for_timeout(250)
    page.locator(".stake[data-state=pending]").first.wait_for(state="detached")


def betting(page: Page) -> None:
    page.locator('.terminal[data-shut="false"]').wait_for()


def told(page: Page) -> None:
    """The card is there, and the last chip has gone to the credit."""
    page.locator(".result-card").wait_for()
    page.locator(".payout > *").first.wait_for(state="detached")


def terminal_phases(studio: Studio, camera: Camera) -> None:
    """A terminal through a round that wins, one that loses, and one that is void."""
    for roll in ROLLS:
        studio.play(ETG, roll)
    context, page = seat(studio, ETG, WIDE)
    camera.take_sizes(page, "terminal-idle")
    studio.act(ETG, "StartRound")
    betting(page)
    camera.take_sizes(page, "terminal-open-empty")
    bet(page, "big big sum-11 double-5 single-6 domino-56 triple-2 sum-9")
    page.locator('button[data-box="sum-11"]').first.hover()
    camera.take(page, "terminal", docs="terminal")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    camera.take(page, "terminal-phone", docs="terminal-phone")
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    camera.take_sizes(page, "terminal-open")
    for language in LANGUAGES:
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take_sizes(page, f"terminal-open-{language}", {"1366": WIDE, "360": PHONE, "1920": TERMINAL})
    page.locator(".languages button[lang=en]").first.click()
    studio.shake(ETG)
    page.locator('.terminal[data-shut="true"]').wait_for()
    camera.take_sizes(page, "terminal-shut")
    studio.declare(ETG, "655")
    studio.settle(ETG)
    page.locator('.terminal[data-mood="result"]').wait_for()
    told(page)
    camera.take_sizes(page, "terminal-won")
    camera.take(page, "terminal-won", docs="terminal-result")
    studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    betting(page)
    page.get_by_role("button", name="Rebet").click()
    registered(page)
    studio.shake(ETG)
    studio.declare(ETG, "114")
    studio.settle(ETG)
    page.locator('.terminal[data-mood="result"]').wait_for()
    told(page)
    camera.take_sizes(page, "terminal-lost", {"1366": WIDE, "360": PHONE})
    studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "small odd")
    studio.act(ETG, "CloseBetting")
    studio.act(ETG, "CoverTumbler")
    studio.act(ETG, "ActivateTumbler", tumbles=2)
    page.locator('.terminal[data-mood="void"]').wait_for()
    camera.take_sizes(page, "terminal-void", {"1366": WIDE, "360": PHONE})
    context.close()


def terminal_panels(studio: Studio, camera: Camera) -> None:
    """Everything that opens over the felt."""
    context, page = seat(studio, ETG, WIDE)
    for roll in ("655", "114", "326"):
        studio.act(ETG, "StartRound")
        betting(page)
        bet(page, "big sum-11 single-6 double-5")
        studio.shake(ETG)
        studio.declare(ETG, roll)
        studio.settle(ETG)
        page.locator('.terminal[data-mood="result"]').wait_for()
        studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "big sum-11")
    for size in (WIDE, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        _panels(page, camera, size)
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    _limits(page, camera)
    page.get_by_role("button", name="Easy mode").first.click()
    camera.take_sizes(page, "terminal-easy")
    page.get_by_role("button", name="Easy mode").first.click()
    page.get_by_role("button", name="Clear").click()
    registered(page)
    page.get_by_role("button", name="Cash out").click()
    camera.take(page, "terminal-cash-out")
    page.get_by_role("button", name="Print ticket").click()
    page.locator(".ticket .code svg").wait_for()
    camera.take(page, "terminal-ticket", docs="terminal-ticket")
    camera.take_sizes(page, "terminal-ticket", {"360": PHONE})
    page.emulate_media(media="print")
    camera.take(page, "terminal-ticket-on-paper")
    page.emulate_media(media="screen")
    page.get_by_role("button", name="It did not print").click()
    page.get_by_text("The printer has a fault").wait_for()
    camera.take(page, "terminal-ticket-printer-fault")
    page.get_by_role("button", name="I have my ticket").click()
    camera.take(page, "terminal-out-of-service")
    context.close()


def terminal_practice(studio: Studio, camera: Camera) -> None:
    """A table that rolls when its players say so: alone, and while another one is waited for."""
    context, page = seat(studio, "untimed", WIDE)
    betting(page)
    bet(page, "big sum-11 double-5")
    camera.take_sizes(page, "terminal-practice")
    for language in LANGUAGES:
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take_sizes(page, f"terminal-practice-{language}", {"1366": WIDE, "360": PHONE})
    page.locator(".languages button[lang=en]").first.click()
    camera.take(page, "terminal-practice", docs="terminal-practice")
    other_context, other = seat(studio, "untimed", PHONE)
    betting(other)
    bet(other, "small")
    page.get_by_role("button", name="Roll the dice").click()
    page.get_by_role("button", name="Waiting for 1 more", exact=False).wait_for()
    camera.take_sizes(page, "terminal-practice-waits", {"1366": WIDE, "360": PHONE})
    other_context.close()
    context.close()


def _panels(page: Page, camera: Camera, size: Size) -> None:
    tools = {
        "rules": "Rules and odds",
        "how": "How to play",
        "statistics": "Statistics",
        "recall": "My last rounds",
        "settings": "Settings",
        "saved": "Saved slips",
    }
    phone = size == PHONE
    for name, label in tools.items():
        if phone:
            page.get_by_role("button", name="More").click()
            if name == "rules":
                camera.take(page, f"terminal-more-{size[0]}")
        page.get_by_role("button", name=label, exact=True).last.click()
        page.locator(f"dialog[data-panel={name}]").wait_for()
        docs = "terminal-recall" if name == "recall" and not phone else ""
        camera.take(page, f"terminal-{name}-{size[0]}", docs=docs)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Buy in").click()
    camera.take(page, f"terminal-buy-in-{size[0]}")
    page.keyboard.press("Escape")


def _limits(page: Page, camera: Camera) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="My limits").click()
    page.get_by_label("Loss limit").fill("200")
    page.get_by_label("Remind me").select_option("30")
    page.get_by_role("button", name="Set my limits").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="My limits").click()
    page.get_by_text("In force now").wait_for()
    camera.take(page, "terminal-limits")
    camera.take_sizes(page, "terminal-limits", {"360": PHONE})
    page.keyboard.press("Escape")


def terminal_layouts(studio: Studio, camera: Camera) -> None:
    """Each of the pay tables, with chips on it."""
    for pay_table in PAY_TABLES:
        table = name_of(pay_table)
        context, page = seat(studio, table, WIDE)
        studio.act(table, "StartRound")
        betting(page)
        bet(page, "big double-3 single-4 sum-10")
        sizes: dict[str, Size] = {"1366": WIDE, "360": PHONE, "1920": TERMINAL, "1080x1920": STANDING}
        camera.take_sizes(page, f"felt-{pay_table.replace('/', '-')}", sizes)
        context.close()


def terminal_line(studio: Studio, camera: Camera) -> None:
    """The last seconds, and a line that is cut."""
    context, page = seat(studio, "soon", WIDE)
    studio.act("soon", "StartRound")
    page.locator('.terminal[data-mood="last"]').wait_for()
    bet(page, "even")
    camera.take_sizes(page, "terminal-last-seconds", {"1366": WIDE, "360": PHONE})
    context.close()
    _cut_off(studio, camera)


def _cut_off(studio: Studio, camera: Camera) -> None:
    """The same address again takes the place of the first, which has to say so."""
    context, page = seat(studio, "soon", WIDE)
    other = context.new_page()
    other.goto("/terminal?table=soon")
    page.locator(".veil").wait_for()
    camera.take(page, "terminal-cut-off")
    context.close()


def display(studio: Studio, camera: Camera) -> None:
    """The wall in every phase and width."""
    for roll in ROLLS:
        studio.play(ETG, roll)
    context = studio.browser.new_context(base_url=studio.address)
    page = context.new_page()
    page.set_viewport_size({"width": TERMINAL[0], "height": TERMINAL[1]})
    page.goto(f"/display?table={ETG}")
    page.locator(".wall .box, .wall [data-box]").first.wait_for()
    camera.take_sizes(page, "display-idle")
    studio.act(ETG, "StartRound")
    page.locator('.wall[data-mood="open"]').wait_for()
    camera.take_sizes(page, "display-open")
    studio.shake(ETG)
    page.locator('.wall[data-mood="shut"]').wait_for()
    camera.take_sizes(page, "display-shut")
    studio.declare(ETG, "345")
    page.locator('.wall[data-mood="result"]').wait_for()
    camera.take_sizes(page, "display-result")
    camera.take(page, "display", docs="display")
    for language in LANGUAGES:
        page.goto(f"/display?table={ETG}&lang={language}&triples=column&derived=1")
        page.locator('.wall[data-mood="result"]').wait_for()
        camera.take_sizes(page, f"display-result-{language}", {"1920": TERMINAL, "3840": WALL})
    studio.settle(ETG)
    studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    studio.act(ETG, "CloseBetting")
    studio.act(ETG, "CoverTumbler")
    studio.act(ETG, "ActivateTumbler", tumbles=2)
    page.goto(f"/display?table={ETG}")
    page.locator('.wall[data-mood="void"]').wait_for()
    camera.take_sizes(page, "display-void", {"1920": TERMINAL})
    context.close()


def display_layouts(studio: Studio, camera: Camera) -> None:
    """The wall of each pay table."""
    context = studio.browser.new_context(base_url=studio.address)
    page = context.new_page()
    page.set_viewport_size({"width": TERMINAL[0], "height": TERMINAL[1]})
    for pay_table in PAY_TABLES:
        table = name_of(pay_table)
        for roll in ("654", "333"):
            studio.play(table, roll)
        studio.act(table, "StartRound")
        studio.shake(table)
        studio.declare(table, "446")
        page.goto(f"/display?table={table}")
        page.locator('.wall[data-mood="result"]').wait_for()
        camera.take_sizes(page, f"display-felt-{pay_table.replace('/', '-')}", {"1920": TERMINAL})
    context.close()


SCENES = (
    terminal_phases,
    terminal_panels,
    terminal_practice,
    terminal_layouts,
    terminal_line,
    display,
    display_layouts,
)
