"""A pay table's felt as a picture: one self-contained SVG, every box a group with its id and odds."""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from taisai.rulebooks.felt_pen import (
    CREAM,
    FONT,
    GOLD,
    FeltFrame,
    chip,
    dice,
    die_size,
    die_symbols,
    fitted_size,
    number,
    text_width,
    tile,
    write,
)
from taisai.rulebooks.felt_words import (
    CHINESE,
    FACE_NAMES,
    FACE_NAMES_CHINESE,
    box_name,
    caption_words,
    captioned_boxes,
    faces_of,
    odds_spoken,
)
from taisai.rulebooks.kinds import KINDS, Kind
from taisai.rulebooks.layout import Area, Caption
from taisai.rulebooks.marks import Marks, marks_of
from taisai.rulebooks.model import Box, PayTable

_FELT_WIDTH: Final = 1800.0
_RAIL: Final = 44.0
_HEADER: Final = 64.0
_MARGIN: Final = 14.0

_ODDS_SIZE: Final = 26.0
_LEGIBLE: Final = 11.0
# The game has two names; the live rulebooks know it as Tai Sai.
_TAI_SAI, _SIC_BO = "骰寶 · TAI SAI", "骰寶 · SIC BO"

_SHADES: Final = {
    Kind.BIG: "crimson",
    Kind.SMALL: "crimson",
    Kind.ODD: "navy",
    Kind.EVEN: "navy",
    Kind.ANY_TRIPLE: "plum",
}


def felt_svg(pay_table: PayTable, *, title: bool = True, chips: Mapping[str, str] | None = None) -> str:
    """The layout with its odds as an SVG document. `title` adds a head line with the pay table's name.

    `chips` are the boxes that have a chip on them, each with what is printed on it.
    """
    layout = pay_table.layout
    unit = _FELT_WIDTH / layout.width
    head = _HEADER if title else 0.0
    felt = FeltFrame(_RAIL, _RAIL + head, _FELT_WIDTH + 2 * _MARGIN, layout.height * unit + 2 * _MARGIN)
    whole = FeltFrame(0, 0, felt.w + 2 * _RAIL, felt.h + 2 * _RAIL + head)
    prefix = "felt-" + re.sub(r"[^A-Za-z0-9]+", "-", pay_table.id)

    def frame_of(area: Area) -> FeltFrame:
        x, y, w, h = (float(side) * unit for side in (area.x, area.y, area.w, area.h))
        return FeltFrame(felt.x + _MARGIN + x, felt.y + _MARGIN + y, w, h)

    name, marks = f"{pay_table.id}: {pay_table.title}", marks_of(layout.id)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(whole.w)} {number(whole.h)}" '
        f'role="group" font-family="{FONT}" text-anchor="middle" data-pay-table="{escape(pay_table.id)}">',
        f"<title>{escape(name)}</title>",
        _definitions(prefix),
        _table(prefix, whole, felt),
    ]
    if title:
        parts.append(_head_line(pay_table, FeltFrame(_RAIL, _RAIL / 2, felt.w, _HEADER + _RAIL / 2)))
    parts += [_caption(pay_table, caption, frame_of(caption)) for caption in layout.captions]
    parts += [
        _box(prefix, pay_table.box(place.box), frame_of(place).inset(3), marks) for place in layout.places
    ]
    for place in layout.places:
        if chips and place.box in chips:
            parts.append(chip(frame_of(place).inset(3), chips[place.box]))
    parts.append("</svg>")
    return "\n".join(part for part in parts if part) + "\n"


def placement_svg(pay_table: PayTable, box_id: str, amount: str) -> str:
    """One box with a chip on it: where a bet of its kind is placed."""
    box, marks = pay_table.box(box_id), marks_of(pay_table.layout.id)
    prefix, frame = "bet-" + re.sub(r"[^A-Za-z0-9]+", "-", box_id), FeltFrame(0, 0, 320, 190)
    size = f'viewBox="0 0 {number(frame.w)} {number(frame.h)}" width="{number(frame.w)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}" '
            'text-anchor="middle">',
            _definitions(prefix),
            tile(frame, f"url(#{prefix}-baize)", stroke="none", radius=12),
            _box(prefix, box, frame.inset(10), marks),
            chip(frame.inset(10), amount),
            "</svg>\n",
        ]
    )


def _definitions(prefix: str) -> str:
    """Colours and dice; the ids carry the pay table's name, so that several felts fit on one page."""

    def shade(name: str, *stops: str, form: str = 'linearGradient x1="0" y1="0" x2="0" y2="1"') -> str:
        colours = "".join(
            f'<stop offset="{number(place / (len(stops) - 1))}" stop-color="{stop}"/>'
            for place, stop in enumerate(stops)
        )
        return f'<{form} id="{prefix}-{name}">{colours}</{form.split()[0]}>'

    return "".join(
        [
            "<defs>",
            shade("baize", "#157a53", "#0c5638", "#063322", form='radialGradient cx=".5" cy=".42" r=".78"'),
            shade("rail", "#5a3320", "#3a1e12", "#241109"),
            shade("line", "#f3dd9d", "#c99a45", "#f0d68f"),
            shade("crimson", "#a3202f", "#6d101d"),
            shade("navy", "#1d5273", "#103450"),
            shade("plum", "#6b2454", "#431235"),
            shade("die", "#ffffff", "#f1ece0", "#d8d0bf"),
            shade("red", "#e0262d", "#a80f1a"),
            shade("ink", "#3a3a40", "#0d0d10"),
            f'<pattern id="{prefix}-weave" width="5" height="5" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(32)"><path d="M0 1H5M1 0V5" stroke="#fff" stroke-width=".7" '
            'opacity=".05"/></pattern>',
            *die_symbols(prefix),
            "</defs>",
        ]
    )


def _table(prefix: str, whole: FeltFrame, felt: FeltFrame) -> str:
    """The wooden rail and the cloth."""
    line = f"url(#{prefix}-line)"
    return (
        tile(whole.inset(2), f"url(#{prefix}-rail)", stroke="#150a05", width=3, radius=34)
        + tile(whole.inset(10), "none", stroke=line, width=1.2, radius=27)
        + tile(felt, f"url(#{prefix}-baize)", stroke=line, width=3, radius=16)
        + tile(felt, f"url(#{prefix}-weave)", stroke="none", radius=16)
    )


def _head_line(pay_table: PayTable, frame: FeltFrame) -> str:
    name = _TAI_SAI if pay_table.id.startswith("tai-sai") else _SIC_BO
    return (
        write(frame.part(0.02, 0, 0.3, 1), pay_table.title, 28, CREAM, spacing=0.06, anchor="start")
        + write(frame.part(0.32, 0, 0.36, 1), name, 46, GOLD, bold=True, spacing=0.12)
        + write(frame.part(0.68, 0, 0.3, 1), pay_table.id, 28, CREAM, spacing=0.06, anchor="end")
    )


def _caption(pay_table: PayTable, caption: Caption, frame: FeltFrame) -> str:
    """The odds of a group in one line, with thin lines beside it; a narrow strip says less, not smaller."""
    boxes = captioned_boxes(pay_table, caption)
    if not boxes:
        return ""
    english, chinese, odds = (words.upper() for words in caption_words(boxes, marks_of(pay_table.layout.id)))
    room, wanted, spacing = frame.w * 0.92, frame.h * 0.62, 0.05
    ways = [
        " · ".join(filter(None, way)) for way in ((english, chinese, odds), (english, odds), (chinese, odds))
    ]
    sizes = [fitted_size(way, width=room, size=wanted, spacing=spacing) for way in ways]
    good = (pair for pair in zip(ways, sizes, strict=True) if pair[1] > 0.85 * wanted)
    text, size = next(good, (ways[-1], sizes[-1]))
    drawn = write(frame, text, size, GOLD, spacing=spacing)
    reach = (frame.w - text_width(text, size, spacing)) / 2 - 2 * frame.h
    if reach > frame.h:
        y, right = number(frame.y + frame.h / 2), frame.x + frame.w
        ends = ((frame.x + 8, frame.x + 8 + reach), (right - 8 - reach, right - 8))
        path = "".join(f"M{number(start)} {y}H{number(end)}" for start, end in ends)
        drawn += f'<path d="{path}" stroke="{GOLD}" stroke-width="1" opacity=".45"/>'
    return drawn


def _box(prefix: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    shade = _SHADES.get(box.kind)
    if shade:
        face = tile(frame, f"url(#{prefix}-{shade})")
        face += tile(frame.inset(5), "none", width=0.8, radius=4)
    else:
        face = tile(frame, "#001c11", opacity=0.38)
    inside = _DRAWN.get(box.kind, _draw_dice)(prefix, box, frame, marks)
    name = escape(f"{box.id}: {box_name(box)}, {odds_spoken(box.pays)}")
    head = f'<g data-box="{escape(box.id)}" data-kind="{box.kind}" role="img"><title>{name}</title>'
    return f"{head}{face}{inside}</g>"


def _draw_even_chance(_: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    """Big, small, odd and even: one great sign, beside it or below it the words."""
    lines = [(KINDS[box.kind].name.upper(), 30, CREAM), (marks.odds_on(box), 24, GOLD)]
    if box.kind in marks.totals:
        lines.insert(1, (marks.totals[box.kind], 20, CREAM))
    if frame.h < 0.75 * frame.w:
        sign, words = frame.part(0.05, 0.1, 0.34, 0.8), frame.part(0.4, 0.1, 0.56, 0.8)
    else:
        sign, words = frame.part(0.08, 0.05, 0.84, 0.44), frame.part(0.08, 0.5, 0.84, 0.46)
    lines += [(line, 15, CREAM) for line in _legible(marks.triples, words.w)]
    if words.h > 120 and words.y > sign.y:
        lines += [(line, 15, CREAM) for line in marks.chinese.get(box.kind, ())]
    drawn = [write(sign, CHINESE[box.kind], sign.h * 0.92, GOLD, bold=True)]
    share = words.h / sum(height for _, height, _ in lines)
    y = words.y
    for text, height, colour in lines:
        line = FeltFrame(words.x, y, words.w, height * share)
        is_name = text == lines[0][0]
        drawn.append(write(line, text, line.h * 0.88, colour, bold=is_name, spacing=0.08 if is_name else 0))
        y += line.h
    return "".join(drawn)


def _legible(mark: str, width: float) -> list[str]:
    """A mark in one line, or in two where one would be too small to read."""
    if fitted_size(mark, width=width, size=_ODDS_SIZE) >= _LEGIBLE:
        return [mark]
    words = mark.split()
    half = len(words) - len(words) // 2
    return [" ".join(words[:half]), " ".join(words[half:])]


def _draw_sum(_: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    size = min(frame.h * 0.6, frame.w * 0.62)
    return write(frame.part(0.06, 0.08, 0.88, 0.6), str(box.numbers[0]), size, CREAM, bold=True) + write(
        frame.part(0.06, 0.7, 0.88, 0.22), marks.odds_on(box), min(frame.h * 0.2, _ODDS_SIZE), GOLD
    )


def _draw_single(prefix: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    """The die with its name, and the odds on one, two and three dice."""
    face = box.numbers[0]
    if frame.w < 1.4 * frame.h:
        die, words = frame.part(0.1, 0.08, 0.8, 0.44), frame.part(0.06, 0.52, 0.88, 0.42)
    else:
        side = min(0.74 * frame.h, 0.36 * frame.w)
        die = FeltFrame(frame.x + 0.06 * frame.w, frame.y, side, frame.h)
        words = FeltFrame(die.x + side, frame.y, 0.94 * frame.w - side, frame.h).part(0.05, 0.14, 0.9, 0.72)
    widest = f"{max(FACE_NAMES, key=len).upper()} 六"  # one size for all six
    size = fitted_size(widest, width=words.w, size=frame.h * 0.28, spacing=0.04)
    name = f"{FACE_NAMES[face - 1].upper()} {FACE_NAMES_CHINESE[face - 1]}"
    return (
        dice(prefix, die, (face,))
        + write(words.part(0, 0.04, 1, 0.5), name, size, CREAM, bold=True, spacing=0.04)
        + write(words.part(0, 0.56, 1, 0.38), marks.odds_on(box), min(frame.h * 0.22, _ODDS_SIZE), GOLD)
    )


def _draw_any_triple(prefix: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    """All six triples, one below the other in a narrow box; a low box has room for words only."""
    name, chinese, odds = KINDS[box.kind].name.upper(), CHINESE[box.kind], marks.odds_on(box)
    if frame.h < 150:
        return (
            write(frame.part(0.08, 0.1, 0.84, 0.34), chinese, frame.h * 0.32, GOLD, bold=True)
            + write(frame.part(0.08, 0.46, 0.84, 0.2), name, frame.h * 0.19, CREAM, bold=True, spacing=0.06)
            + write(frame.part(0.08, 0.68, 0.84, 0.24), odds, min(frame.h * 0.22, _ODDS_SIZE), GOLD)
        )
    columns, rows = (1, 6) if frame.h > 1.3 * frame.w else (2, 3)
    drawn = [
        write(frame.part(0.08, 0.04, 0.84, 0.17), chinese, frame.h * 0.15, GOLD, bold=True),
        write(frame.part(0.08, 0.2, 0.84, 0.09), name, frame.h * 0.085, CREAM, bold=True, spacing=0.06),
        write(frame.part(0.08, 0.86, 0.84, 0.1), odds, min(frame.h * 0.1, 1.2 * _ODDS_SIZE), GOLD),
    ]
    field = frame.part(0.09, 0.29, 0.82, 0.57)
    for face in range(1, 7):
        across, down = (face - 1) % columns, (face - 1) // columns
        cell = field.part(across / columns, down / rows, 1 / columns, 1 / rows)
        drawn.append(dice(prefix, cell.part(0.04, 0.06, 0.92, 0.88), (face,) * 3))
    return "".join(drawn)


def _draw_dice(prefix: str, box: Box, frame: FeltFrame, marks: Marks) -> str:
    """A box that shows its dice, with the odds below or, where that leaves room for larger dice, beside."""
    faces, odds = faces_of(box), marks.odds_on(box)
    odds_h = min(max(0.24 * frame.h, 24), 34)
    below = frame.part(0.07, 0.08, 0.86, 0.9 - odds_h / frame.h)
    beside = frame.part(0.06, 0.12, 0.64, 0.76)
    if frame.w > 2.2 * frame.h and die_size(beside, len(faces)) > 1.1 * die_size(below, len(faces)):
        return dice(prefix, beside, faces) + write(frame.part(0.71, 0, 0.25, 1), odds, _ODDS_SIZE, GOLD)
    foot = FeltFrame(frame.x + 0.05 * frame.w, frame.y + frame.h * 0.97 - odds_h, 0.9 * frame.w, odds_h)
    drawn = write(foot, odds, min(odds_h * 0.82, _ODDS_SIZE), GOLD)
    words = (
        [KINDS[box.kind].name.upper(), FACE_NAMES[faces[0] - 1].upper()] if box.kind is Kind.DOUBLE else []
    )
    words_h = 0.22 * frame.w * len(words)
    if words and below.h - words_h > 2.4 * below.w:
        for line, text in enumerate(words):
            at = FeltFrame(below.x, below.y + line * words_h / 2, below.w, words_h / 2)
            drawn += write(at, text, 0.2 * frame.w, CREAM, spacing=0.04)
        below = FeltFrame(below.x, below.y + words_h, below.w, below.h - words_h)
    return drawn + dice(prefix, below, faces)


_DRAWN: Final[dict[Kind, Callable[[str, Box, FeltFrame, Marks], str]]] = {
    Kind.BIG: _draw_even_chance,
    Kind.SMALL: _draw_even_chance,
    Kind.ODD: _draw_even_chance,
    Kind.EVEN: _draw_even_chance,
    Kind.SUM: _draw_sum,
    Kind.SINGLE: _draw_single,
    Kind.ANY_TRIPLE: _draw_any_triple,
}
