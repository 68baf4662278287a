"""Pictures for reports: curves, a distribution of money, bars. SVG in the colours of the felt.

Colours come from the page's style by class names, so that one picture serves by day and by night; `alone`
puts the style inside, for a file that stands by itself.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from typing import Final

from taisai.errors import InputError
from taisai.odds.report.svg import Scale, circle, drawing, element, line, number, rect, text
from taisai.odds.report.templates import packaged

WIDTH, HEIGHT = 560, 340
_LEFT, _RIGHT, _TOP, _BASE = 64, WIDTH - 16, 34, HEIGHT - 48
# The classes of the style sheet, in the order in which curves take them.
COLOURS: Final = ("even", "total", "single", "triple", "combo")
_BINS: Final = 60

Points = Sequence[tuple[float, float]]


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers between two ends."""
    span = high - low
    if span <= 0:
        return [low]
    raw = span / count
    power = 10 ** floor(log10(raw))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw)
    return [step * place for place in range(ceil(low / step), floor(high / step) + 1)]


def say_tick(value: float) -> str:
    """A number on an axis: 1.2 m, 40 k, 0.05."""
    for size, word in ((1e9, " bn"), (1e6, " m"), (1e4, " k")):
        if abs(value) >= size:
            shown = value / (1e3 if size == 1e4 else size)
            return f"{shown:g}{word}".replace("-", "−")
    return f"{value:g}".replace("-", "−")


def _axes(x: Scale, y: Scale, xs: Sequence[float], ys: Sequence[float], titles: tuple[str, str]) -> list[str]:
    parts = []
    for at in ys:
        parts.append(line(_LEFT, y(at), _RIGHT, y(at)))
        parts.append(text(_LEFT - 6, y(at) + 4, say_tick(at), anchor="end"))
    for at in xs:
        parts.append(line(x(at), _BASE, x(at), _BASE + 4, "axis"))
        parts.append(text(x(at), _BASE + 18, say_tick(at), anchor="middle"))
    parts.append(line(_LEFT, _BASE, _RIGHT, _BASE, "axis"))
    parts.append(text((_LEFT + _RIGHT) / 2, HEIGHT - 8, titles[0], anchor="middle", class_="muted"))
    parts.append(text(_LEFT, 14, titles[1], class_="muted"))
    return parts


def curves(
    series: Mapping[str, Points],
    *,
    titles: tuple[str, str],
    says: str,
    marks: Mapping[str, float] | None = None,
) -> str:
    """One curve for each series; `marks` are dashed lines up from the axis, with their words."""
    points = [point for each in series.values() for point in each]
    if not points:
        raise InputError("a picture of curves needs at least one point, got none")
    at = [x for x, _ in points] + list((marks or {}).values())
    heights = [y for _, y in points]
    low, high = min(0.0, *heights), max(heights)
    high = high if high > low else low + 1
    right = max(at) if max(at) > min(at) else min(at) + 1
    x = Scale(min(at), right, _LEFT, _RIGHT)
    y = Scale(low, high + (high - low) * 0.04, _BASE, _TOP)
    parts = _axes(x, y, ticks(min(at), right), ticks(low, high), titles)
    for place, (name, each) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{number(x(px))},{number(y(py))}" for px, py in each)
        parts.append(element("polyline", "", points=path, fill="none", class_=f"s-{colour}", stroke_width=2))
        if len(series) > 1:
            start = _RIGHT - (130 if len(series) < 3 else 95) * (len(series) - place)
            parts.append(circle(start, 10, 5, class_=f"f-{colour}"))
            parts.append(text(start + 10, 14, name))
    parts += _marks(x, marks or {})
    return drawing(WIDTH, HEIGHT, parts, says=says)


def _marks(x: Scale, marks: Mapping[str, float]) -> list[str]:
    parts = []
    for place, (name, at) in enumerate(marks.items()):
        parts.append(line(x(at), _TOP, x(at), _BASE, "limit"))
        left = x(at) > (_LEFT + _RIGHT) / 2
        parts.append(
            text(
                x(at) + (-5 if left else 5),
                _TOP + 12 + 16 * place,
                name,
                anchor="end" if left else "start",
                class_="label",
            )
        )
    return parts


def money_plot(chances: Points, *, title: str, says: str, marks: Mapping[str, float] | None = None) -> str:
    """A distribution of money in bins: what is lost in the colour of triples, what is won in the felt's."""
    kept = _middle(chances)
    low, high = kept[0][0], kept[-1][0]
    low, high = (low, high) if high > low else (low - 1, high + 1)
    width = (high - low) / _BINS
    bins = [0.0] * (_BINS + 1)
    for at, chance in kept:
        bins[int((at - low) / width)] += chance
    shown = dict(marks or {})
    x = Scale(min([low, *shown.values()]), max([high + width, *shown.values()]), _LEFT, _RIGHT)
    y = Scale(0, max(bins) * 1.05, _BASE, _TOP)
    parts = _axes(x, y, ticks(low, high), ticks(0, max(bins), 4), (title, "chance"))
    for place, chance in enumerate(bins):
        if chance:
            start = low + place * width
            class_ = "f-triple" if start + width <= 0 else "bar"
            hint = f"{start:,.0f} to {start + width:,.0f}: {100 * chance:.3g} %"
            parts.append(
                rect(x(start) + 0.4, y(chance), x(start + width) - x(start) - 0.8, _BASE - y(chance),
                     class_=class_, hint=hint)
            )  # fmt: skip
    return drawing(WIDTH, HEIGHT, parts + _marks(x, shown), says=says)


def _middle(chances: Points, tail: float = 1e-6) -> list[tuple[float, float]]:
    """Without the far ends that no eye would see."""
    ordered = sorted(point for point in chances if point[1] > 0)
    if not ordered:
        raise InputError("a picture of a distribution needs at least one chance, got none")
    start, left = 0, 0.0
    while start < len(ordered) - 1 and left + ordered[start][1] < tail:
        left += ordered[start][1]
        start += 1
    end, right = len(ordered), 0.0
    while end - 1 > start and right + ordered[end - 1][1] < tail:
        right += ordered[end - 1][1]
        end -= 1
    return ordered[start:end]


def bars(rows: Sequence[tuple[str, float, str]], *, title: str, says: str, as_percent: bool = True) -> str:
    """A bar for each row: its name, how much, and the class of its colour."""
    if not rows:
        raise InputError("a picture of bars needs at least one row, got none")
    left, row = 130, 24
    height = 40 + row * len(rows)
    low, high = min(0.0, *(value for _, value, _ in rows)), max(0.0, *(value for _, value, _ in rows))
    high = high if high > low else low + 1
    scale = Scale(low, high, left, WIDTH - 76)
    parts = [line(scale(0), 10, scale(0), height - 24, "axis")]
    for place, (name, value, class_) in enumerate(rows):
        y = 12 + place * row
        said = f"{100 * value:.2f} %" if as_percent else f"{value:,.2f}"
        parts.append(text(left - 8, y + 15, name, anchor="end"))
        start, end = sorted((scale(0), scale(value)))
        parts.append(rect(start, y + 3, end - start, row - 8, class_=class_, hint=f"{name}: {said}"))
        parts.append(text(max(end, scale(0)) + 6, y + 15, said.replace("-", "−"), class_="strong"))
    parts.append(text(left, height - 6, title, class_="muted"))
    return drawing(WIDTH, height, parts, says=says)


def alone(picture: str) -> str:
    """A picture as a file of its own: with the page's style inside, and its paper behind."""
    start, _, rest = picture.partition(">")
    paper = '<rect class="paper" width="100%" height="100%"/>'
    inside = (
        f"<style>{escape(packaged('page.css'), quote=False)} .paper {{ fill: var(--panel); }}</style>{paper}"
    )
    return start.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + ">" + inside + rest + "\n"


def write_picture(picture: str, path: str | Path) -> Path:
    """Write one picture as an SVG file that stands by itself."""
    path = Path(path)
    if path.suffix.lower() != ".svg":
        raise InputError(f"expected a picture's file ending in .svg, got {path.name!r}")
    try:
        path.write_text(alone(picture), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path
