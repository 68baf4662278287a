"""The throw as pictures: a strip of frames for the guides, and a short moving picture for the README.

The page's clock is held and moved on by hand, so that every frame is there however slow the machine is.
"""

from io import BytesIO
from pathlib import Path

from frontend.camera import WIDE, Camera
from frontend.scenes_table import ETG, bet, betting, seat
from frontend.studio import Studio
from PIL import Image
from playwright.sync_api import Page

STEP_MS = 90
TUMBLE_FRAMES, SETTLE_FRAMES, RESULT_FRAMES = 21, 19, 14
FRAME_WIDTH, STRIP_WIDTH = 440, 330
_STRIP = (2, 9, 23, 25, 29, 33, 38, 52)
_BYTES_MAX = 250_000


def _frame(page: Page) -> Image.Image:
    """The felt as it is now."""
    place = page.locator(".room").bounding_box()
    assert place is not None
    raw = page.screenshot(clip=place, type="png")
    return Image.open(BytesIO(raw)).convert("RGB")


def _frames(page: Page, count: int) -> list[Image.Image]:
    found = []
    for _ in range(count):
        page.clock.run_for(STEP_MS)
        found.append(_frame(page))
    return found


def _reach(page: Page, stage: str) -> None:
    """Until the record's next act has come to the page, in which nothing moves by itself now."""
    while page.evaluate("document.querySelector('.throw').dataset.stage") != stage:
        page.clock.run_for(1)


def the_throw(studio: Studio, camera: Camera) -> None:
    """From the closing to what came back."""
    context, page = seat(studio, ETG, WIDE, own_clock=True)
    studio.act(ETG, "StartRound")
    betting(page)
    bet(page, "small sum-10 domino-23")
    page.mouse.move(0, 0)
    studio.act(ETG, "CloseBetting")
    page.locator('.terminal[data-mood="shut"]').wait_for()
    page.clock.pause_at(page.evaluate("Date.now() + 200"))
    while page.locator(".veil").count():  # the jump of the clock may have cost the line: it comes back first
        page.clock.run_for(50)
        page.wait_for_timeout(20)
    studio.act(ETG, "CoverTumbler")
    studio.act(ETG, "ActivateTumbler", tumbles=3)
    _reach(page, "tumbling")
    frames = _frames(page, TUMBLE_FRAMES)
    studio.act(ETG, "ExposeDice")
    studio.declare(ETG, "235")
    studio.settle(ETG)
    _reach(page, "settling")
    frames += _frames(page, SETTLE_FRAMES)
    frames += _frames(page, RESULT_FRAMES)
    _keep_strip(frames, camera.images / "throw-strip.jpg")
    _keep_moving(frames, camera.images / "throw.webp")
    camera.taken += ["throw-strip", "throw"]
    context.close()


def _small(frame: Image.Image, width: int) -> Image.Image:
    return frame.resize((width, round(frame.height * width / frame.width)), Image.Resampling.LANCZOS)


def _keep_strip(frames: list[Image.Image], path: Path) -> None:
    """Eight moments, four to a row."""
    cells = [_small(frames[place], STRIP_WIDTH) for place in _STRIP]
    width, height = cells[0].size
    strip = Image.new("RGB", (4 * width, 2 * height))
    for place, cell in enumerate(cells):
        strip.paste(cell, ((place % 4) * width, (place // 4) * height))
    strip.save(path, quality=80, optimize=True)


def _keep_moving(frames: list[Image.Image], path: Path) -> None:
    """As good as a quarter of a megabyte allows."""
    small = [_small(frame, FRAME_WIDTH) for frame in frames]
    times = [STEP_MS] * (len(small) - 1) + [2_500]
    for quality in (60, 45, 32, 22, 14, 8):
        small[0].save(
            path, save_all=True, append_images=small[1:], duration=times, loop=0, quality=quality, method=6
        )
        if path.stat().st_size <= _BYTES_MAX:
            return


SCENES = (the_throw,)
