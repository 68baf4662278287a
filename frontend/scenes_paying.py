"""Scenes of the dealer's work at a live table: what to pay whom, what goes wrong, and who agrees."""

from frontend.camera import HAND, WIDE, Camera, Size
from frontend.scenes_moments import in_chinese
from frontend.scenes_staff import DESKS
from frontend.studio import Studio
from playwright.sync_api import Page

CHIPS = "L2"
FILM = "the film shows one, two, three"
SIZES: dict[str, Size] = {"390": HAND, "1366": WIDE}
SLIPS: dict[str, dict[str, int]] = {
    "ann": {"big": 20_000, "sum-12": 5_000, "small": 2_000},
    "bob": {"big": 10_000, "single-6": 1_500},
    "chen": {"small": 3_000, "triple-1": 1_000},
}


def _declared(studio: Studio, table: str, roll: str) -> None:
    """A round with bets whose dice have been declared."""
    for place, (player, slip) in enumerate(SLIPS.items()):
        studio.act(table, "TakeSeat", seat=place + 1, player=player)
        studio.act(table, "BuyIn", player=player, amount=sum(slip.values()))
    studio.act(table, "StartRound")
    for player, slip in SLIPS.items():
        studio.act(table, "PlaceBets", player=player, slip=slip, version=1)
    studio.shake(table)
    studio.declare(table, roll)


def _press(page: Page) -> None:
    page.locator(".big-button").click()
    page.wait_for_timeout(900)


def console_pays(studio: Studio, camera: Camera) -> None:
    """The pay list from the result to the end, with somebody unpaid, and what a correction takes back."""
    _declared(studio, CHIPS, "651")
    page = studio.person("dealer").page(f"/console?table={CHIPS}", *WIDE)
    page.locator(".big-button").wait_for()
    page.wait_for_timeout(600)
    camera.take_sizes(page, "pays-declared", DESKS)
    in_chinese(page, camera, "pays-declared", SIZES)
    _press(page)
    page.keyboard.press("1")
    camera.take_sizes(page, "pays-ticked", DESKS)
    _press(page)
    camera.take_sizes(page, "pays-unpaid", SIZES)
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    camera.take_sizes(page, "pays-all-paid", SIZES)
    _press(page)
    studio.agree(studio.correct(CHIPS, "123"))
    page.wait_for_timeout(900)
    camera.take_sizes(page, "pays-back", DESKS)
    in_chinese(page, camera, "pays-back", SIZES)
    page.close()


def console_asks(studio: Studio, camera: Camera) -> None:
    """Each act for when something goes wrong; the request, and what the second person sees."""
    _declared(studio, CHIPS, "651")
    studio.settle(CHIPS)
    page = studio.person("shift-manager").page("/", *WIDE)
    for language in ("en", "zh-Hant", "zh-Hans"):
        page.goto(f"/console?table={CHIPS}&lang={language}")
        page.locator(".big-button").wait_for()
        offered = page.locator(".irregular [data-act]:not([data-act=SuspendRound], [data-act=CloseTable])")
        for place in range(offered.count()):
            act = offered.nth(place).get_attribute("data-act")
            offered.nth(place).click()
            page.locator("dialog[open]").wait_for()
            if act == "CorrectResult":
                for key in "123":
                    page.keyboard.press(key)
            camera.take_sizes(page, f"asks-{act}-{language}", SIZES)
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")
    page.close()
    _second(studio, camera)


def _second(studio: Studio, camera: Camera) -> None:
    studio.act(CHIPS, "ConcludeRound")
    studio.correct(CHIPS, "123", reason=FILM)
    console = studio.person("dealer").page(f"/console?table={CHIPS}", *WIDE)
    console.locator(".big-button").wait_for()
    console.wait_for_timeout(600)
    camera.take_sizes(console, "asks-waits", SIZES)
    console.close()
    pit = studio.person("supervisor").page("/pit", *WIDE)
    pit.locator(".table-card").first.wait_for()
    pit.get_by_text(FILM).first.wait_for()
    pit.wait_for_timeout(600)
    camera.take_sizes(pit, "second-person", DESKS)
    in_chinese(pit, camera, "second-person", SIZES)
    pit.close()


def console_steps(studio: Studio, camera: Camera) -> None:
    """Every step of a round at the console, held and void too, on a desk and in the hand."""
    table = "D1"
    for place, (player, slip) in enumerate(SLIPS.items()):
        studio.act(table, "TakeSeat", seat=place + 1, player=player)
        studio.act(table, "BuyIn", player=player, amount=2 * sum(slip.values()))
    page = studio.person("dealer").page(f"/console?table={table}", *WIDE)
    page.locator(".big-button").wait_for()
    studio.act(table, "StartRound")
    for player, slip in SLIPS.items():
        taken = {box: stake for box, stake in slip.items() if box != "triple-1"}
        studio.act(table, "PlaceBets", player=player, slip=taken, version=1)
    studio.act(table, "SuspendRound")
    page.wait_for_timeout(700)
    camera.take_sizes(page, "step-held", DESKS)
    in_chinese(page, camera, "step-held", SIZES)
    studio.act(table, "ResumeRound")
    studio.act(table, "CloseBetting")
    for act, name in (("CoverTumbler", "covered"), ("ActivateTumbler", "tumbled"), ("ExposeDice", "exposed")):
        page.wait_for_timeout(700)
        camera.take_sizes(page, f"step-before-{name}", DESKS)
        in_chinese(page, camera, f"step-before-{name}", SIZES)
        studio.act(table, act, **({"tumbles": 3} if act == "ActivateTumbler" else {}))
    page.wait_for_timeout(700)
    camera.take_sizes(page, "step-dice", DESKS)
    for key in "655":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    in_chinese(page, camera, "step-dice-check", SIZES)
    studio.declare(table, "655")
    page.wait_for_timeout(700)
    in_chinese(page, camera, "step-declared", SIZES)
    studio.settle(table)
    page.wait_for_timeout(700)
    camera.take_sizes(page, "step-settled", DESKS)
    in_chinese(page, camera, "step-settled", SIZES)
    studio.act(table, "ConcludeRound")
    studio.act(table, "StartRound")
    studio.act(table, "VoidRound", ground="exposed-early")
    page.wait_for_timeout(700)
    camera.take_sizes(page, "step-void", DESKS)
    in_chinese(page, camera, "step-void", SIZES)
    page.close()


def wall_moments(studio: Studio, camera: Camera) -> None:
    """The wall of a table with two differentials and of chips: every phase, held, void and corrected."""
    context = studio.browser.new_context(base_url=studio.address)
    page = context.new_page()
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto("/display?table=D1")
    page.locator(".wall [data-box]").first.wait_for()
    studio.act("D1", "StartRound")
    page.locator('.wall[data-mood="open"]').wait_for()
    camera.take_sizes(page, "wall-open")
    studio.act("D1", "SuspendRound")
    page.locator('.wall[data-mood="held"]').wait_for()
    camera.take_sizes(page, "wall-held")
    studio.act("D1", "ResumeRound")
    studio.shake("D1")
    page.locator('.wall[data-mood="shut"]').wait_for()
    camera.take_sizes(page, "wall-throw")
    studio.declare("D1", "655")
    page.locator('.wall[data-mood="result"]').wait_for()
    studio.settle("D1")
    studio.act("D1", "ConcludeRound")
    studio.agree(studio.correct("D1", "114"))
    page.wait_for_timeout(900)
    camera.take_sizes(page, "wall-corrected", DESKS)
    for language in ("zh-Hant", "zh-Hans"):
        page.goto(f"/display?table=D1&lang={language}")
        page.locator(".wall [data-box]").first.wait_for()
        camera.take_sizes(page, f"wall-corrected-{language}", SIZES)
    studio.act("D1", "StartRound")
    studio.act("D1", "VoidRound", ground="exposed-early")
    page.locator('.wall[data-mood="void"]').wait_for()
    camera.take_sizes(page, "wall-void")
    context.close()


SCENES = (console_pays, console_asks, console_steps, wall_moments)
