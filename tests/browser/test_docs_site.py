"""The documentation as a site: links that can be read, by day and by night, and nobody else is asked."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree

from playwright.async_api import Browser

from tests.browser.contrast import unreadable

ROOT = Path(__file__).parents[2]


def test_the_front_page_says_what_it_is_with_a_picture_and_two_commands() -> None:
    """Before anything is listed: a sentence, something to look at, and how to begin."""
    head, _, _ = (ROOT / "docs" / "README.md").read_text(encoding="utf-8").partition("\n- ")
    assert "taisai runs the dice game Sic Bo" in head
    (picture,) = re.findall(r"!\[[^]]{20,}\]\((.+?)\)", head)
    assert (ROOT / "docs" / picture).is_file()
    assert re.findall(r"^\$ (.+)$", head, re.MULTILINE) == ["make serve", "make test"]


async def test_links_of_the_documentation_have_enough_contrast(tmp_path: Path, browser: Browser) -> None:
    """The front page and a page of tables, in both of the site's schemes."""
    copytree(ROOT / "docs", tmp_path / "docs")
    copy(ROOT / "mkdocs.yml", tmp_path)
    subprocess.run(
        [Path(sys.executable).with_name("zensical"), "build"], check=True, capture_output=True, cwd=tmp_path
    )
    for scheme in ("light", "dark"):
        context = await browser.new_context(color_scheme=scheme)
        page = await context.new_page()
        asked: list[str] = []
        page.on("request", lambda request, kept=asked: kept.append(request.url))
        for name in ("index.html", "reference/api.html"):
            await page.goto((tmp_path / "site" / name).as_uri())
            assert await unreadable(page) == [], (scheme, name)
        assert [url for url in asked if not url.startswith("file:")] == []
        await context.close()
