"""Scenes of a first visit: the front page, the tour at a table of one's own, wrong addresses, receipts."""

from frontend.camera import LYING, PHONE, TERMINAL, WIDE, Camera, Size
from frontend.scenes_table import ETG, LANGUAGES
from frontend.studio import ROLLS, Studio
from playwright.sync_api import Page

SPOKEN = ("en", *LANGUAGES)
SIZES: dict[str, Size] = {"1366": WIDE, "360": PHONE, "780x360": LYING}


def _page(studio: Studio, size: Size) -> Page:
    context = studio.browser.new_context(
        base_url=studio.address, viewport={"width": size[0], "height": size[1]}
    )
    return context.new_page()


def front_page(studio: Studio, camera: Camera) -> None:
    """What the house is, the way to play, its tables and doors."""
    for roll in ROLLS[:6]:
        studio.play(ETG, roll)
    studio.act(ETG, "StartRound")
    page = _page(studio, WIDE)
    for language in SPOKEN:
        page.goto(f"/?lang={language}")
        page.locator(".results li").first.wait_for()
        camera.take_sizes(page, f"index-{language}", {**SIZES, "1920": TERMINAL})
    page.context.close()


def practice_tour(studio: Studio, camera: Camera) -> None:
    """Four steps, from the first chip to a result that stays."""
    for language in SPOKEN:
        for said, size in SIZES.items():
            page = _page(studio, size)
            page.goto(f"/?lang={language}")
            page.locator(".play-now a").click()
            for step in ("chip", "box", "roll", "result"):
                page.locator(f'.tour[data-step="{step}"]').wait_for()
                if step == "result":
                    page.locator(".result-card").wait_for()
                    page.locator(".payout > *").first.wait_for(state="detached")
                camera.take(page, f"tour-{step}-{language}-{said}")
                _on(page, step)
            page.context.close()


def _on(page: Page, step: str) -> None:
    if step == "chip":
        page.locator(".tour .solid").click()
    elif step == "box":
        page.locator('button[data-box="big"]').click()
        page.locator(".stake[data-state=registered]").wait_for()
    elif step == "roll":
        page.locator(".act.roll").click()


def wrong_addresses(studio: Studio, camera: Camera) -> None:
    """No such page, no such table, a live table as a terminal; and the page that checks receipts."""
    page = _page(studio, WIDE)
    for language in SPOKEN:
        for name, path in {
            "page": "/nowhere?",
            "table": "/display?table=X9&",
            "live": "/terminal?table=T1&",
            "verify": "/verify?",
        }.items():
            page.goto(f"{path}lang={language}")
            page.get_by_role("heading", level=1).wait_for()
            camera.take_sizes(page, f"lost-{name}-{language}", {"1366": WIDE, "360": PHONE})
    page.context.close()


SCENES = (front_page, practice_tour, wrong_addresses)
