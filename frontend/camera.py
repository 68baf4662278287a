"""Takes the pictures: after fonts are there and everything that moves has come to rest."""

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

Size = tuple[int, int]

PHONE: Size = (360, 740)
HAND: Size = (390, 844)
LYING: Size = (780, 360)
SIDEWAYS: Size = (844, 390)
TABLET: Size = (768, 1024)
DESK: Size = (1024, 768)
WIDE: Size = (1366, 768)
TERMINAL: Size = (1920, 1080)
STANDING: Size = (1080, 1920)
WALL: Size = (3840, 2160)
SIZES: dict[str, Size] = {
    "360": PHONE,
    "390": HAND,
    "780x360": LYING,
    "844x390": SIDEWAYS,
    "768": TABLET,
    "1024": DESK,
    "1366": WIDE,
    "1920": TERMINAL,
    "1080x1920": STANDING,
    "3840": WALL,
}
_QUALITY, _BYTES_MAX = 82, 250_000
_AT_REST = (
    "Promise.all([document.fonts.ready, "
    "...document.getAnimations().map((one) => one.finished.catch(() => 0))])"
)


@dataclass
class Camera:
    """Writes to a folder, and into the documentation what it is told to."""

    folder: Path
    images: Path
    taken: list[str] = field(default_factory=list)

    def take(self, page: Page, name: str, *, docs: str = "") -> None:
        """One picture of what is in view; `docs` is its name in the documentation."""
        self.rest(page)
        path = self.folder / f"{name}.jpg"
        page.screenshot(path=path, type="jpeg", quality=_QUALITY)
        self.taken.append(name)
        if docs:
            quality = _QUALITY
            while path.stat().st_size > _BYTES_MAX and quality > 40:
                quality -= 8
                page.screenshot(path=path, type="jpeg", quality=quality)
            (self.images / f"{docs}.jpg").write_bytes(path.read_bytes())

    def take_sizes(self, page: Page, name: str, sizes: dict[str, Size] | None = None) -> None:
        """The same at each width."""
        before = page.viewport_size
        for said, (width, height) in (sizes or SIZES).items():
            page.set_viewport_size({"width": width, "height": height})
            self.take(page, f"{name}-{said}")
        if before:
            page.set_viewport_size(before)

    def rest(self, page: Page) -> None:
        """Two frames, so that what was just said is drawn; then fonts and movements."""
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.evaluate(f"Promise.race([{_AT_REST}, new Promise((done) => setTimeout(done, 700))])")
