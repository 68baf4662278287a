"""Scenes of a player's rarer moments: a great win, play held, a correction, help, a seat that is gone."""

from frontend.camera import HAND, LYING, PHONE, SIDEWAYS, TERMINAL, WIDE, Camera, Size
from frontend.scenes_table import ETG, LANGUAGES, bet, betting, seat, told
from frontend.studio import PAY_TABLES, PRACTICE_IDLE, Studio, name_of
from playwright.sync_api import Page

EVERYWHERE: dict[str, Size] = {
    "360": PHONE,
    "390": HAND,
    "780x360": LYING,
    "844x390": SIDEWAYS,
    "1366": WIDE,
    "1920": TERMINAL,
}
SMALL_AND_WIDE: dict[str, Size] = {"390": HAND, "1366": WIDE}
# What opens from "More" on a phone, by its place there.
MORE = {"saved": 0, "recall": 1, "rules": 2, "statistics": 3, "how": 4, "limits": 7, "settings": 8}
ASKED = ("big", "sum-9", "domino-23", "any-triple", "single-4")


def in_chinese(page: Page, camera: Camera, name: str, sizes: dict[str, Size] | None = None) -> None:
    """The same in both scripts, then English again."""
    for language in LANGUAGES:
        page.locator(f".languages button[lang={language}]").first.click()
        camera.take_sizes(page, f"{name}-{language}", sizes or SMALL_AND_WIDE)
    page.locator(".languages button[lang=en]").first.click()


def _round(studio: Studio, page: Page, boxes: str, roll: str) -> None:
    """A whole round with these bets, until its card is there."""
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, boxes)
    studio.shake(ETG)
    studio.declare(ETG, roll)
    studio.settle(ETG)
    told(page)


def terminal_results(studio: Studio, camera: Camera) -> None:
    """195 to 1, a box that won in a round that lost, and what a correction changes."""
    context, page = seat(studio, ETG, WIDE)
    _round(studio, page, "triple-6", "666")
    camera.take_sizes(page, "moment-195", EVERYWHERE)
    in_chinese(page, camera, "moment-195")
    studio.act(ETG, "ConcludeRound")
    _round(studio, page, "small sum-4 sum-4 sum-4 sum-5 domino-45 single-4 double-3", "126")
    camera.take_sizes(page, "moment-loss", EVERYWHERE)
    in_chinese(page, camera, "moment-loss")
    page.locator(".result-card .why").first.click()
    camera.take_sizes(page, "moment-why", SMALL_AND_WIDE)
    in_chinese(page, camera, "moment-why")
    studio.act(ETG, "ConcludeRound")
    studio.agree(studio.correct(ETG, "655"))
    page.wait_for_timeout(600)
    camera.take_sizes(page, "moment-corrected", EVERYWHERE)
    in_chinese(page, camera, "moment-corrected")
    page.locator("button:has-text('My last rounds')").first.click()
    page.locator("dialog[data-panel=recall]").wait_for()
    camera.take_sizes(page, "moment-corrected-recall", SMALL_AND_WIDE)
    context.close()


def terminal_held(studio: Studio, camera: Camera) -> None:
    """Play is held; a die that will never be read waits for a ruling; the ruling is settled."""
    context, page = seat(studio, ETG, WIDE)
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "big single-6 sum-11")
    studio.act(ETG, "SuspendRound")
    page.locator('.terminal[data-mood="held"]').wait_for()
    camera.take_sizes(page, "moment-held", EVERYWHERE)
    in_chinese(page, camera, "moment-held")
    studio.act(ETG, "ResumeRound")
    studio.shake(ETG)
    studio.act(ETG, "InterruptRound", known=[6], readable=False)
    page.locator('.terminal[data-mood="held"]').wait_for()
    camera.take_sizes(page, "moment-ruling", SMALL_AND_WIDE)
    fields = {"decision": "settle-known", "reason": "the cover would not open"}
    body = {"act": "MakeRuling", "fields": fields}
    asked = studio.person("shift-manager").post(f"/api/v1/tables/{ETG}/acts", body)
    studio.agree(asked["approval"], by="casino-manager")
    studio.settle(ETG)
    page.locator('.terminal[data-mood="result"]').wait_for()
    page.wait_for_timeout(2_000)  # no card comes after the chips that go to the credit
    camera.take_sizes(page, "moment-known", SMALL_AND_WIDE)
    in_chinese(page, camera, "moment-known")
    context.close()


def terminal_calm(studio: Studio, camera: Camera) -> None:
    """Whoever wants no motion: a still of the throw, then the result at once."""
    context = studio.browser.new_context(
        base_url=studio.address, viewport={"width": WIDE[0], "height": WIDE[1]}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"/terminal?table={ETG}")
    page.get_by_role("button", name="Buy in").click()
    page.locator("dialog .amounts button").nth(4).click()
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "big sum-11 domino-56")
    studio.shake(ETG)
    page.locator('.terminal[data-shut="true"]').wait_for()
    camera.take_sizes(page, "calm-shut", EVERYWHERE)
    studio.declare(ETG, "655")
    studio.settle(ETG)
    page.locator(".result-card").wait_for()
    camera.take_sizes(page, "calm-result", EVERYWHERE)
    context.close()


def bet_help(studio: Studio, camera: Camera) -> None:
    """What a box asks, under the pointer and the finger, in each language."""
    studio.act(ETG, "StartRound")
    context, page = seat(studio, ETG, WIDE)
    betting(page)
    for language in ("en", *LANGUAGES):
        page.locator(f".languages button[lang={language}]").first.click()
        for box in ASKED:
            page.locator(f'button[data-box="{box}"]').hover()
            page.locator(".asked-box > div").wait_for()
            camera.take(page, f"help-{box}-{language}-1366")
            page.mouse.move(0, 0)
    context.close()
    for language in ("en", *LANGUAGES):
        for said, size in (("390", HAND), ("844x390", SIDEWAYS)):
            _finger(studio, camera, language, said, size)


def _finger(studio: Studio, camera: Camera, language: str, said: str, size: Size) -> None:
    context, page = seat(studio, ETG, size, touch=True)
    page.goto(f"/terminal?table={ETG}&lang={language}")
    betting(page)
    box = page.locator('button[data-box="any-triple"]')
    box.scroll_into_view_if_needed()
    place = box.bounding_box()
    assert place is not None
    devtools = context.new_cdp_session(page)
    point = {"x": place["x"] + 20, "y": place["y"] + 20}
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.locator(".asked-box > div").wait_for()
    camera.take(page, f"help-finger-{language}-{said}")
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    context.close()


def panels_in_chinese(studio: Studio, camera: Camera) -> None:
    """Everything that opens over the felt, in both scripts and both widths."""
    context, page = seat(studio, ETG, WIDE)
    _round(studio, page, "big sum-11 single-6 double-5", "655")
    studio.act(ETG, "ConcludeRound")
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "big sum-11")
    for language in LANGUAGES:
        page.locator(f".languages button[lang={language}]").first.click()
        for said, (width, height) in SMALL_AND_WIDE.items():
            page.set_viewport_size({"width": width, "height": height})
            if said == "390":
                page.locator(".act.narrow-only").click()
                camera.take(page, f"panel-more-{language}-{said}")
                page.keyboard.press("Escape")
            _panels(page, camera, f"{language}-{said}", narrow=said == "390")
            page.locator(".acts.services .act.gold").click()
            camera.take(page, f"panel-buy-in-{language}-{said}")
            page.keyboard.press("Escape")
    context.close()


def _panels(page: Page, camera: Camera, said: str, *, narrow: bool) -> None:
    """By their place and not by their name, which is in another language."""
    wide = {"how": ".tools .tool >> nth=0", "rules": ".tools .tool.rules", "recall": ".tools .tool >> nth=2"}
    wide |= {"settings": ".tools .square >> nth=-1", "saved": ".acts .wide-only >> nth=0"}
    for name in MORE:
        if narrow:
            page.locator(".act.narrow-only").click()
            page.locator("dialog[open] .act").nth(MORE[name]).click()
        elif name == "limits":
            continue  # behind the settings there
        elif name == "statistics":
            page.locator(".side button").last.click()
        else:
            page.locator(wide[name]).click()
        page.locator(f"dialog[data-panel={name}]").wait_for()
        camera.take(page, f"panel-{name}-{said}")
        page.keyboard.press("Escape")


def practice_shared(studio: Studio, camera: Camera) -> None:
    """All tables of one's own are taken: one that is shared says so; a seat left idle goes to the next."""
    pages = []
    for _ in range(3):
        context = studio.browser.new_context(
            base_url=studio.address, viewport={"width": WIDE[0], "height": WIDE[1]}
        )
        page = context.new_page()
        page.goto("/terminal?table=practice")
        page.locator(".tour").wait_for()
        pages.append(page)
    shared = pages[-1]
    shared.locator(".tour button").last.click()
    betting(shared)
    camera.take_sizes(shared, "practice-shared", EVERYWHERE)
    bet(shared, "big sum-11")
    in_chinese(shared, camera, "practice-shared")
    shared.locator(".act.roll").click()
    camera.take_sizes(shared, "practice-shared-rolls", SMALL_AND_WIDE)
    pages[0].wait_for_timeout(1000 * PRACTICE_IDLE)
    newcomer = studio.browser.new_context(base_url=studio.address).new_page()
    newcomer.goto("/terminal?table=practice")
    pages[0].locator(".veil").wait_for()
    camera.take_sizes(pages[0], "practice-over", EVERYWHERE)
    newcomer.context.close()
    for page in pages:
        page.context.close()


def felts_in_hand(studio: Studio, camera: Camera) -> None:
    """Each felt on a phone, upright to its end and lying, and on a desk."""
    for pay_table in PAY_TABLES:
        table = name_of(pay_table)
        context, page = seat(studio, table, HAND)
        studio.act(table, "StartRound")
        betting(page)
        bet(page, "big double-3 single-4 sum-10")
        name = f"hand-{pay_table.replace('/', '-')}"
        camera.take(page, f"{name}-1")
        room = page.locator(".room")
        for part in (2, 3, 4):
            room.evaluate("(one, part) => { one.scrollTop = (part - 1) * one.clientHeight; }", part)
            camera.take(page, f"{name}-{part}")
        room.evaluate("(one) => { one.scrollTop = 0; }")
        camera.take_sizes(page, name, {"844x390": SIDEWAYS})
        context.close()


SCENES = (
    terminal_results,
    terminal_held,
    terminal_calm,
    bet_help,
    panels_in_chinese,
    practice_shared,
    felts_in_hand,
)
