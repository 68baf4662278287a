"""The PAR sheet as one document to read: facts, sections, tables and figures, all of them plain text.

`html.py` and `markdown.py` put it on a page and add no word and no number. What only a picture can show is a
figure by its name here.
"""

from dataclasses import dataclass

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
class ParPage:
    """The whole sheet as it is read."""

    title: str
    game: str
    verdict: str
    passes: bool
    highlights: tuple[Fact, ...]
    identity: tuple[Fact, ...]
    sections: tuple[Section, ...]
    signatures: tuple[str, ...]
    colophon: str
