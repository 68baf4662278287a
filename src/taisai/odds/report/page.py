"""A report as one document to read: facts, sections, tables and figures, all of them plain text.

Templates put it on a page and add no word and no number. What only a picture can show is a figure by its name
here. `figures_page` makes the common shape: large figures, pictures, and every figure in a table.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from taisai import __version__
from taisai.dice import Roll


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what it stands for; a digest or an id is code."""

    name: str
    value: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands in a cell of a table: how many boxes a line stands for, and whether it wants attention."""

    text: str
    boxes: int = 1
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; one with a summary is folded where a page can fold. Heads break their lines where they may."""

    head: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture by its name, its title and a sentence."""

    name: str
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Tile:
    """One outcome of the dice, a figure of it, and how strongly it is coloured, in percent."""

    roll: Roll
    figure: str
    words: str
    part: int


@dataclass(frozen=True, slots=True)
class Tiles:
    """Outcomes side by side."""

    tiles: tuple[Tile, ...]
    summary: str = ""
    cost: bool = False


Block = Grid | Drawing | Tiles


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its sentences, columns that stand beside one another, and what comes below them."""

    title: str
    words: tuple[str, ...] = ()
    beside: tuple[tuple[Block, ...], ...] = ()
    below: tuple[Block, ...] = ()
    key: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A whole report as it is read; a PAR sheet has a verdict, an identity and room for signatures too."""

    title: str
    game: str
    highlights: tuple[Fact, ...]
    sections: tuple[Section, ...]
    colophon: str
    verdict: str = ""
    passes: bool = True
    identity: tuple[Fact, ...] = ()
    signatures: tuple[str, ...] = ()


def figures_page(
    title: str,
    words: str,
    *,
    large: Iterable[tuple[str, str]],
    pictures: Iterable[Drawing],
    rows: Iterable[tuple[str, object]],
    notes: str,
) -> ReportPage:
    """A report of figures and pictures; `large` are (figure, what it is), `rows` are (what it is, figure)."""
    table = Grid(("figure", "value"), tuple((Entry(name), Entry(str(value))) for name, value in rows))
    return ReportPage(
        title=title,
        game=words,
        highlights=tuple(Fact(name, figure) for figure, name in large),
        sections=(
            Section("At a glance", beside=tuple((picture,) for picture in pictures)),
            Section("Every figure", words=(notes,), below=(table,)),
        ),
        colophon=f"Made by taisai {__version__}. The same question makes the same page.",
    )
