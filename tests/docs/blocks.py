"""Reads the fenced blocks out of Markdown pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`]*)$")
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, what else its first line says, and where it stands."""

    page: Path
    line: int
    language: str
    title: str | None
    text: str
    # The text of a ```text block that follows with nothing but blank lines between.
    shown: str | None = None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page that a reader meets, in a fixed order."""
    top = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return top + sorted((ROOT / "docs").rglob("*.md"))


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in order; each knows the output shown right after it."""
    found = list(_scan(page))
    for place, (block, start, _) in enumerate(found):
        if place and block.language == "text" and found[place - 1][2] == start:
            before, first, last = found[place - 1]
            shown = Block(before.page, before.line, before.language, before.title, before.text, block.text)
            found[place - 1] = shown, first, last
    return [block for block, _, _ in found]


def _scan(page: Path) -> Iterator[tuple[Block, int, int]]:
    """Blocks with the lines of prose before and after them, so that neighbours can be told."""
    lines = page.read_text(encoding="utf-8").splitlines()
    prose = 0
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if not opening:
            prose += bool(lines[at].strip())
            at += 1
            continue
        start = at
        at += 1
        while lines[at].strip() != "```":
            at += 1
        indent = len(opening["indent"])
        text = "".join(f"{line[indent:]}\n" for line in lines[start + 1 : at])
        info = opening["info"].strip()
        title = _TITLE.search(info)
        language = info.split()[0] if info else ""
        yield Block(page, start + 1, language, title[1] if title else None, text), prose, prose
        at += 1
