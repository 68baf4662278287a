"""Characters on a grid: framed boxes that share their borders, cut into segments that can be coloured."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Final, Literal, NamedTuple

Part = Literal["frame", "label", "odds", "stake", "caption"]

_LIGHT: Final = 1
_HEAVY: Final = 2
_SIDES: Final = {
    "UP": "u",
    "DOWN": "d",
    "LEFT": "l",
    "RIGHT": "r",
    "VERTICAL": "ud",
    "HORIZONTAL": "lr",
}


class Segment(NamedTuple):
    """A piece of a line: its text, the box that it is part of (its frame only if it wins), and what it is."""

    text: str
    box: str | None
    part: Part


class TextSpan(NamedTuple):
    """Two edges of the layout and the least distance between them in the drawing."""

    start: Fraction
    end: Fraction
    least: int


class Cells(NamedTuple):
    """The rows and columns of a box's frame; what stands in the box is between them."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def width(self) -> int:
        return self.right - self.left - 1

    @property
    def height(self) -> int:
        return self.bottom - self.top - 1


def cell_width(text: str) -> int:
    """How many columns a text takes: two for each Chinese character."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def tracks(spans: Sequence[TextSpan], total: int, length: int) -> dict[Fraction, int]:
    """Where each edge falls on a line of a length, in proportion, but with the least distances kept.

    Where they do not fit, the line is longer.
    """
    edges = sorted({Fraction(0), Fraction(total), *(edge for span in spans for edge in span[:2])})
    ending, starting = defaultdict(list), defaultdict(list)
    for span in spans:
        ending[span.end].append(span)
        starting[span.start].append(span)
    earliest: dict[Fraction, int] = {}
    floor = 0
    for edge in edges:
        floor = max([floor, *(earliest[span.start] + span.least for span in ending[edge])])
        earliest[edge] = floor
    length = max(length, floor)
    latest: dict[Fraction, int] = {}
    ceiling = length
    for edge in reversed(edges):
        ceiling = min([ceiling, *(latest[span.end] - span.least for span in starting[edge])])
        latest[edge] = ceiling
    found: dict[Fraction, int] = {}
    floor = 0
    for edge in edges:
        floor = max([floor, *(found[span.start] + span.least for span in ending[edge])])
        found[edge] = floor = min(max(floor, round(edge * length / total)), latest[edge])
    return found


class Canvas:
    """A grid with a frame around it, on which boxes are framed and written."""

    def __init__(self, whole: Cells) -> None:
        self._whole = whole
        self._signs: dict[tuple[int, int], tuple[str, str | None, Part]] = {}
        self._arms: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        self._winners: dict[tuple[int, int], str] = {}
        self.frame(whole, None)

    def frame(self, cells: Cells, winner: str | None) -> None:
        """A frame, heavy and the box's own if it wins."""
        for row in (cells.top, cells.bottom):
            for column in range(cells.left, cells.right):
                self._join((row, column), "r", (row, column + 1), "l", winner)
        for column in (cells.left, cells.right):
            for row in range(cells.top, cells.bottom):
                self._join((row, column), "d", (row + 1, column), "u", winner)

    def _join(
        self, here: tuple[int, int], side: str, there: tuple[int, int], other: str, winner: str | None
    ) -> None:
        for at, arm in ((here, side), (there, other)):
            self._arms[at][arm] = max(self._arms[at].get(arm, 0), _HEAVY if winner else _LIGHT)
            if winner:
                self._winners[at] = winner

    def write(self, cells: Cells, lines: Sequence[tuple[Part, str]], box: str | None) -> None:
        """Lines in the middle of a frame; the room around them is the box's too."""
        first = cells.top + 1 + (cells.height - len(lines)) // 2
        for row in range(cells.top + 1, cells.bottom):
            inside = 0 <= row - first < len(lines)
            part, text = lines[row - first] if inside else ("label" if box else "caption", "")
            column = cells.left + 1
            for sign in _centred(text, cells.width):
                self._signs[row, column] = (sign, box, part)
                column += cell_width(sign)

    def lines(self) -> list[list[Segment]]:
        return [[*self._segments(row)] for row in range(self._whole.bottom + 1)]

    def _segments(self, row: int) -> Iterator[Segment]:
        for (box, part), signs in groupby(self._cells_of(row), key=lambda cell: cell[1:]):
            yield Segment("".join(sign for sign, _, _ in signs), box, part)

    def _cells_of(self, row: int) -> Iterator[tuple[str, str | None, Part]]:
        column = 0
        while column <= self._whole.right:
            at = (row, column)
            if at in self._arms:
                cell: tuple[str, str | None, Part] = (
                    _joint(frozenset(self._arms[at].items())),
                    self._winners.get(at),
                    "frame",
                )
            else:
                cell = self._signs.get(at, (" ", None, "frame"))
            yield cell
            column += cell_width(cell[0])


def _centred(text: str, width: int) -> str:
    room = max(0, width - cell_width(text))
    return " " * (room // 2) + text + " " * (room - room // 2)


def _joint(arms: frozenset[tuple[str, int]]) -> str:
    return _joints()[arms]


@cache
def _joints() -> dict[frozenset[tuple[str, int]], str]:
    """The box drawing character for each set of arms, read from the characters' own names."""
    found = {}
    for sign in map(chr, range(0x2500, 0x2580)):
        name = unicodedata.name(sign).removeprefix("BOX DRAWINGS ")
        if not any(word in name for word in ("DASH", "ARC", "DOUBLE", "DIAGONAL")):
            found[frozenset(_named_arms(name.split(" AND ")))] = sign
    return found


def _named_arms(parts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The arms in a name such as `DOWN LIGHT AND RIGHT HEAVY`; a part without a weight has the last one's."""
    weight = _LIGHT
    for part in parts:
        words = part.split()
        if "HEAVY" in words or "LIGHT" in words:
            weight = _HEAVY if "HEAVY" in words else _LIGHT
        for word in words:
            for side in _SIDES.get(word, ""):
                yield side, weight
