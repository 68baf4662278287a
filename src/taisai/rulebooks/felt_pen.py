"""The drawing tools of the felt's picture: fitted text, dice faces, rounded tiles. SVG as strings."""

import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from itertools import groupby
from math import ceil
from typing import Final

CREAM: Final = "#f7efd9"
GOLD: Final = "#e8c877"

# What a machine may have, best first. Latin letters come from the first list, Chinese from the second.
_LATIN = "'Palatino Linotype',Palatino,'Book Antiqua',P052,Georgia,'Noto Serif','Liberation Serif'"
_CHINESE = (
    "'Noto Serif CJK TC','Source Han Serif TC','Songti TC',PMingLiU,"
    "'Noto Sans CJK TC','PingFang TC','Microsoft JhengHei'"
)
FONT: Final = f"{_LATIN},{_CHINESE},serif"
CHINESE_FONT: Final = f"{_CHINESE},{_LATIN},serif"

# Where the pips of each face are on a 3 by 3 grid, counted from the middle.
_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_RED_FACES = (1, 4)  # as on Asian dice
_GAP = 0.12  # between dice, in sizes of a die
_STEP = 1 + _GAP


@dataclass(frozen=True, slots=True)
class FeltFrame:
    """A rectangle of the picture, in its own units."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> float:
        return self.x + self.w / 2

    def part(self, x: float, y: float, w: float, h: float) -> "FeltFrame":
        """A part of this frame, given in fractions of it."""
        return FeltFrame(self.x + x * self.w, self.y + y * self.h, w * self.w, h * self.h)

    def inset(self, by: float) -> "FeltFrame":
        return FeltFrame(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _ems(text: str, spacing: float) -> float:
    """A generous guess of how wide a text runs, in units of its size: no font is at hand to ask."""
    width = 0.0
    for sign in text:
        if unicodedata.east_asian_width(sign) in "WF":
            width += 1
        elif sign.isupper():
            width += 0.76
        elif sign in " :/.,·ijlrt":
            width += 0.34
        else:
            width += 0.54
    return width + spacing * len(text)


def fitted_size(text: str, *, width: float, size: float, spacing: float = 0) -> float:
    """The size at which a text fits in a width, `size` at most."""
    return min(size, width / max(_ems(text, spacing), 0.1))


def text_width(text: str, size: float, spacing: float = 0) -> float:
    """How far a text runs, about."""
    return _ems(text, spacing) * size


def write(
    frame: FeltFrame,
    text: str,
    size: float,
    fill: str = CREAM,
    *,
    bold: bool = False,
    spacing: float = 0,
    anchor: str = "middle",
) -> str:
    """A line of text in a frame, smaller where the frame is narrow. The picture's anchor is the middle."""
    size = fitted_size(text, width=frame.w, size=size, spacing=spacing)
    is_chinese = all(map(_is_wide, text))
    baseline = frame.y + frame.h / 2 + size * (0.365 if is_chinese else 0.345)
    # Spacing stands behind each letter, the last one too: half of it puts the middle right again.
    x = {"start": frame.x, "middle": frame.middle + spacing * size / 2, "end": frame.x + frame.w}[anchor]
    attributes = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}" fill="{fill}"'
    if anchor != "middle":
        attributes += f' text-anchor="{anchor}"'
    if bold:
        attributes += ' font-weight="700"'
    if any(map(_is_wide, text)):
        width = text_width(text, size, spacing)
        left = {"start": 0.0, "middle": (frame.w - width) / 2, "end": frame.w - width}[anchor] + frame.x
        return _in_runs(text, left, baseline, size, spacing, fill, bold=bold)
    if spacing:
        attributes += f' letter-spacing="{number(spacing * size)}"'
    return f"<text {attributes}>{escape(text)}</text>"


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"


@cache
def _outlines() -> dict[str, str]:
    """The Chinese signs of layouts as paths: a picture that leaves the house takes no font with it."""
    entry = files("taisai.rulebooks") / "data" / "felt-signs.json"
    found: dict[str, str] = json.loads(entry.read_text(encoding="utf-8"))
    return found


def _in_runs(
    text: str, left: float, baseline: float, size: float, spacing: float, fill: str, *, bold: bool
) -> str:
    """A text with Chinese in it, from left to right: Chinese signs as outlines, the rest as letters."""
    drawn, x = [], left
    for is_wide, signs in groupby(text, _is_wide):
        run = "".join(signs)
        if is_wide:
            for sign in run:
                drawn.append(_sign(sign, x, baseline, size, fill))
                x += size * (1 + spacing)
            continue
        width = text_width(run, size, spacing)
        if run.strip():
            weight = ' font-weight="700"' if bold else ""
            at = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}" fill="{fill}"{weight}'
            fit = f'textLength="{number(width)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"'
            drawn.append(f'<text {at} text-anchor="start" {fit}>{escape(run)}</text>')
        x += width
    return f'<g aria-label="{escape(text)}">{"".join(drawn)}</g>'


def _sign(sign: str, x: float, baseline: float, size: float, fill: str) -> str:
    outline = _outlines().get(sign)
    if outline is None:  # a house's own word: whatever font the reader has
        at = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}" fill="{fill}"'
        look = f'text-anchor="start" lang="zh-Hant" font-family="{CHINESE_FONT}"'
        return f"<text {at} {look}>{escape(sign)}</text>"
    place = f"translate({number(x)} {number(baseline)}) scale({size / 1000:.4f})"
    return f'<path transform="{place}" fill="{fill}" d="{outline}"/>'


def die_symbols(prefix: str) -> Iterator[str]:
    """The six faces, to be placed by `dice`."""
    for face, pips in _PIPS.items():
        red = face in _RED_FACES
        radius = 15 if face == 1 else 9.5
        colour = f"url(#{prefix}-{'red' if red else 'ink'})"
        dots = "".join(
            f'<circle cx="{50 + 25 * x}" cy="{49 + 25 * y}" r="{radius}" fill="{colour}"/>' for x, y in pips
        )
        yield (
            f'<symbol id="{prefix}-{face}" viewBox="0 0 100 100">'
            '<rect x="6" y="9" width="90" height="90" rx="21" fill="#000" opacity=".38"/>'
            f'<rect x="4" y="3" width="92" height="92" rx="21" fill="url(#{prefix}-die)"/>'
            '<rect x="5.5" y="4.5" width="89" height="89" rx="19.5" fill="none" stroke="#fff" '
            f'stroke-width="3" opacity=".75"/>{dots}</symbol>'
        )


def _columns(frame: FeltFrame, count: int) -> int:
    """One row where it can be, for it reads best; otherwise what makes the dice largest."""
    best = max(range(1, count + 1), key=lambda columns: round(_size(frame, count, columns), 3))
    return count if _size(frame, count, best) < 1.15 * _size(frame, count, count) else best


def _size(frame: FeltFrame, count: int, columns: int) -> float:
    rows = ceil(count / columns)
    return min(frame.w / (columns * _STEP - _GAP), frame.h / (rows * _STEP - _GAP))


def die_size(frame: FeltFrame, count: int) -> float:
    """How large so many dice can be in a frame."""
    return _size(frame, count, _columns(frame, count))


def dice(prefix: str, frame: FeltFrame, faces: Sequence[int]) -> str:
    """Dice as large as a frame allows, in the rows and columns that suit its shape."""
    columns = _columns(frame, len(faces))
    size = _size(frame, len(faces), columns)
    rows = [faces[start : start + columns] for start in range(0, len(faces), columns)]
    top = frame.y + (frame.h - size * (len(rows) * _STEP - _GAP)) / 2
    drawn = []
    for down, row in enumerate(rows):
        left = frame.middle - size * (len(row) * _STEP - _GAP) / 2
        for across, face in enumerate(row):
            x, y = number(left + across * _STEP * size), number(top + down * _STEP * size)
            side = number(size)
            drawn.append(f'<use href="#{prefix}-{face}" x="{x}" y="{y}" width="{side}" height="{side}"/>')
    return "".join(drawn)


def chip(frame: FeltFrame, amount: str) -> str:
    """A chip on the lower right of a box, with its amount."""
    radius = min(34.0, 0.34 * min(frame.w, frame.h))
    x, y = frame.x + frame.w - 1.15 * radius, frame.y + frame.h - 1.15 * radius
    at = f'cx="{number(x)}" cy="{number(y)}"'
    edge = f'stroke="#fff" stroke-width="{number(radius * 0.2)}"'
    dashes = f'stroke-dasharray="{number(radius * 0.45)}"'
    inside = FeltFrame(x - 0.8 * radius, y - 0.5 * radius, 1.6 * radius, radius)
    return (
        f'<g data-chip="{escape(amount)}"><circle {at} r="{number(radius)}" fill="#000" opacity=".35"/>'
        f'<circle {at} r="{number(radius * 0.94)}" fill="#b3202c"/>'
        f'<circle {at} r="{number(radius * 0.84)}" fill="none" {edge} {dashes}/>'
        f'<circle {at} r="{number(radius * 0.7)}" fill="#8c1320"/>'
        f"{write(inside, amount, radius * 0.72, '#fff', bold=True)}</g>"
    )


def tile(
    frame: FeltFrame,
    fill: str,
    *,
    opacity: float = 1,
    stroke: str = GOLD,
    width: float = 1.5,
    radius: float = 7,
) -> str:
    """A rounded rectangle with a line around it; only its fill may let the cloth shine through."""
    x, y, w, h = (number(side) for side in (frame.x, frame.y, frame.w, frame.h))
    look = f'fill="{fill}" stroke="{stroke}" stroke-width="{number(width)}"'
    if opacity < 1:
        look += f' fill-opacity="{number(opacity)}"'
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{number(radius)}" {look}/>'
