"""Pictures of every page, phase, layout and width: `make screenshots`.

They go to build/screenshots with a contact sheet, `index.html`; those that the documentation shows go to
docs/images too. `python -m frontend.screenshots WORD …` takes only scenes that have one of the words
in their names; a whole name takes that scene alone.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from frontend import (
    scenes_desks,
    scenes_docs,
    scenes_moments,
    scenes_paying,
    scenes_staff,
    scenes_table,
    scenes_throw,
    scenes_visit,
)
from frontend.camera import Camera
from frontend.chromium import ARGUMENTS, chromium
from frontend.studio import Studio, opened
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
IMAGES = ROOT / "docs" / "images"

# Letters stand where their widths put them, as on any screen of today, and not on whole pixels.
_LETTERS = ("--font-render-hinting=none",)

Scene = Callable[[Studio, Camera], None]
SCENES: Sequence[Scene] = (
    *scenes_table.SCENES,
    *scenes_moments.SCENES,
    *scenes_throw.SCENES,
    *scenes_visit.SCENES,
    *scenes_staff.SCENES,
    *scenes_paying.SCENES,
    *scenes_desks.SCENES,
    *scenes_docs.SCENES,
)


def main(words: Sequence[str]) -> None:
    """Take the pictures; without words, all of them."""
    names = {scene.__name__ for scene in SCENES}
    wanted = [
        scene
        for scene in SCENES
        if not words
        or any(word == scene.__name__ if word in names else word in scene.__name__ for word in words)
    ]
    if not wanted:
        raise SystemExit(f"no such scene; there are: {', '.join(scene.__name__ for scene in SCENES)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, *_LETTERS])
        for scene in wanted:
            camera = Camera(FOLDER, IMAGES)
            with tempfile.TemporaryDirectory() as folder, opened(Path(folder), browser) as studio:
                scene(studio, camera)
                for person in studio.people.values():
                    person.context.close()
            sys.stdout.write(f"{scene.__name__}: {len(camera.taken)} pictures\n")
        browser.close()
    sheet()


def sheet() -> None:
    """One page with all pictures."""
    pictures = sorted(FOLDER.glob("*.jpg"))
    figures = "\n".join(
        f'<figure><a href="{escape(path.name)}"><img loading="lazy" src="{escape(path.name)}" alt=""></a>'
        f"<figcaption>{escape(path.stem)}</figcaption></figure>"
        for path in pictures
    )
    style = (
        "body{font:14px sans-serif;background:#222;color:#eee;display:flex;flex-wrap:wrap;gap:12px}"
        "figure{margin:0}img{height:260px;display:block}"
    )
    (FOLDER / "index.html").write_text(
        f"<!doctype html><meta charset='utf-8'><title>Pictures</title><style>{style}</style>{figures}",
        encoding="utf-8",
    )
    sys.stdout.write(f"{len(pictures)} pictures: {(FOLDER / 'index.html').relative_to(ROOT)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
