"""The pictures of the documentation: every guide has one, each is there and small, and each is used."""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, pages

IMAGES = ROOT / "docs" / "images"
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
BYTES_MAX = 250_000
_PICTURE = re.compile(r"!\[(?P<said>[^\]]*)\]\((?P<path>[^)\s]+)\)")


def shown(page: Path) -> list[tuple[str, Path]]:
    """The pictures of a page, each with what is said of it to those who do not see it."""
    text = page.read_text(encoding="utf-8")
    return [
        (found["said"], (page.parent / found["path"]).resolve())
        for found in _PICTURE.finditer(text)
        if "://" not in found["path"]
    ]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_guide_has_a_picture(guide: Path) -> None:
    """People look before they read."""
    assert shown(guide)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_picture_of_a_page_is_there_and_is_told_in_words(page: Path) -> None:
    """The file exists, and its words are more than a name."""
    for said, path in shown(page):
        assert path.is_file(), path
        assert len(said.split()) > 1, path


def test_every_picture_is_used_and_small() -> None:
    """What no page shows is not kept."""
    used = {path for page in pages() for _, path in shown(page)}
    kept = set(IMAGES.iterdir())
    assert kept <= used
    assert {path.name: path.stat().st_size for path in kept if path.stat().st_size > BYTES_MAX} == {}
