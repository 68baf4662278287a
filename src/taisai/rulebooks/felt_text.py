"""A pay table's felt drawn with characters, every box in its place, for a terminal.

The drawing comes as lines of segments, each with the box it belongs to, so that the caller can colour it;
`felt_text` is the same as plain text. Winning boxes have heavy frames, so that they show without colour.
A box says its odds where there is a line left for it; where there is not, the caption of its group does.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from taisai.rulebooks.felt_canvas import Canvas, Cells, Part, Segment, TextSpan, cell_width, tracks
from taisai.rulebooks.felt_words import (
    CHINESE,
    FACE_NAMES,
    FACE_NAMES_CHINESE,
    TOTALS,
    caption_words,
    captioned_boxes,
    faces_of,
    odds_figure,
)
from taisai.rulebooks.kinds import KINDS, Kind
from taisai.rulebooks.layout import Area, FeltPlace
from taisai.rulebooks.marks import Marks, marks_of
from taisai.rulebooks.model import Box, PayTable

# Two kinds that stand on two sides of the felt and should match.
_TWINS: Final = {Kind.SMALL: Kind.BIG, Kind.EVEN: Kind.ODD}


def felt_lines(
    pay_table: PayTable,
    width: int = 100,
    *,
    highlight: Collection[str] = (),
    stakes: Mapping[str, int] | None = None,
) -> list[list[Segment]]:
    """The drawing, `width` columns wide, or wider where the boxes need more.

    With `stakes`, even an empty mapping, each box keeps a line for the stake on it.
    """
    layout, marks = pay_table.layout, marks_of(pay_table.layout.id)
    spoken_of = {caption: captioned_boxes(pay_table, caption) for caption in layout.captions}
    captions = [(caption, _caption_ways(boxes, marks)) for caption, boxes in spoken_of.items()]
    captioned = {box.id for boxes in spoken_of.values() for box in boxes if caption_words(boxes, marks)[2]}
    contents = {
        place.box: _content(
            pay_table.box(place.box), marks, odds_needed=place.box not in captioned, stakes=stakes
        )
        for place in layout.places
    }
    columns = tracks(
        [TextSpan(place.x, place.right, contents[place.box].width + 1) for place in layout.places]
        + [TextSpan(caption.x, caption.right, cell_width(ways[-1]) + 1) for caption, ways in captions],
        layout.width,
        width - 1,
    )
    rows = tracks(
        [TextSpan(place.y, place.bottom, contents[place.box].height + 1) for place in layout.places]
        + [TextSpan(caption.y, caption.bottom, 2) for caption in layout.captions],
        layout.height,
        0,
    )

    def cells(area: Area) -> Cells:
        return Cells(rows[area.y], columns[area.x], rows[area.bottom], columns[area.right])

    canvas = Canvas(Cells(0, 0, rows[Fraction(layout.height)], columns[Fraction(layout.width)]))
    for caption, ways in captions:
        canvas.write(cells(caption), [("caption", _longest(ways, cells(caption).width))], None)
    for alike in _by_kind(pay_table):
        inside = [cells(place) for place in alike]
        texts = _fitted([contents[place.box] for place in alike], inside)
        for place, at, lines in zip(alike, inside, texts, strict=True):
            canvas.frame(at, place.box if place.box in highlight else None)
            canvas.write(at, lines, place.box)
    return canvas.lines()


def felt_text(
    pay_table: PayTable,
    width: int = 100,
    *,
    highlight: Collection[str] = (),
    stakes: Mapping[str, int] | None = None,
) -> str:
    """The drawing as plain text."""
    lines = felt_lines(pay_table, width, highlight=highlight, stakes=stakes)
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines) + "\n"


def _by_kind(pay_table: PayTable) -> list[list[FeltPlace]]:
    kinds: dict[Kind, list[FeltPlace]] = {}
    for place in pay_table.layout.places:
        kind = pay_table.box(place.box).kind
        kinds.setdefault(_TWINS.get(kind, kind), []).append(place)
    return [*kinds.values()]


# What stands in a box: for each line the ways to say it, the longest first.

_Line = tuple[Part, Sequence[str]]


class _Content(NamedTuple):
    """The lines of a box and the least room for them."""

    lines: tuple[_Line, ...]
    width: int
    height: int


def _fitted(contents: Sequence[_Content], inside: Sequence[Cells]) -> Iterator[list[tuple[Part, str]]]:
    """What boxes of one kind print. The narrowest and the lowest decide how, so that they look alike."""
    narrowest, lowest = min(at.width for at in inside), min(at.height for at in inside)
    parts = [part for part, _ in contents[0].lines]
    lines = [*zip(*([ways for _, ways in content.lines] for content in contents), strict=True)]
    if len(parts) > lowest:
        lines = [line for part, line in zip(parts, lines, strict=True) if part != "odds"]
        parts.remove("odds")
    texts = [
        [_longest(ways, at.width) for ways, at in zip(line, inside, strict=True)]
        if part == "stake"
        else _longest_together([*zip(*line, strict=True)], narrowest)
        for part, line in zip(parts, lines, strict=True)
    ]
    for box_texts in zip(*texts, strict=True):
        yield [*zip(parts, box_texts, strict=True)]


def _longest_together(ways: Sequence[Sequence[str]], width: int) -> Sequence[str]:
    return next((way for way in ways if all(cell_width(text) <= width for text in way)), ways[-1])


def _content(box: Box, marks: Marks, *, odds_needed: bool, stakes: Mapping[str, int] | None) -> _Content:
    odds = _odds_ways(box, marks)
    labels = [*_labels(box)]
    lines: list[_Line] = [("label", labels)]
    if box.kind in TOTALS:
        low, high = TOTALS[box.kind]
        lines.append(("label", [f"{low} – {high}", f"{low}–{high}"]))
    lines.append(("odds", odds))
    if stakes is not None:
        lines.append(("stake", [*_stake_ways(stakes.get(box.id, 0))]))
    width = max(cell_width(labels[-1]), cell_width(odds[-1]) if odds_needed else 0)
    height = len(lines) - (not odds_needed)
    return _Content(tuple(lines), width, height)


def _odds_ways(box: Box, marks: Marks) -> list[str]:
    """As the felt prints them where there is room, else the figure alone."""
    figure = odds_figure(box.pays)
    return [marks.odds_on(box), figure, figure.replace(" ", "")]


def _labels(box: Box) -> Iterator[str]:
    name, chinese = KINDS[box.kind].name.upper(), CHINESE[box.kind]
    if box.kind is Kind.SUM:
        yield str(box.numbers[0])
    elif box.kind is Kind.SINGLE:
        face = box.numbers[0] - 1
        yield f"{FACE_NAMES[face].upper()} {FACE_NAMES_CHINESE[face]}"
        yield str(face + 1)
    elif faces := [str(face) for face in faces_of(box)]:
        yield " ".join(faces)
        yield "".join(faces)
    else:
        yield f"{name} {chinese}"
        yield name
        yield chinese


def _stake_ways(stake: int) -> Iterator[str]:
    """A stake in ever fewer columns; a shortened one that hides a remainder ends in +."""
    if not stake:
        yield ""
        return
    yield f"● {stake:,}"
    yield f"●{stake:,}"
    yield f"{stake:,}"
    yield str(stake)
    for size, sign in ((10**3, "k"), (10**6, "M"), (10**9, "G")):
        if stake >= size:
            yield f"{stake // size}{sign}{'+' if stake % size else ''}"
    yield "●"


def _caption_ways(boxes: Sequence[Box], marks: Marks) -> list[str]:
    if not boxes:
        return [""]
    english, chinese, odds = caption_words(list(boxes), marks)
    ways = [
        " ".join(filter(None, way)) for way in ((english, chinese, odds), (english, odds), (chinese, odds))
    ]
    if not odds:
        return [*ways, ""]
    return [*ways, *_odds_ways(boxes[0], marks)]


def _longest(ways: Iterable[str], width: int) -> str:
    """The first, so longest, that fits; nothing when none does."""
    return next((way for way in ways if cell_width(way) <= width), "")
