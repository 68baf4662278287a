"""The pictures of a PAR sheet: totals, edges, edge against spread, correlations."""

from itertools import chain, product
from math import sqrt

from taisai.odds.exact import OF
from taisai.odds.par.document import pays_text
from taisai.odds.par.sheet import Line, ParSheet
from taisai.odds.report.svg import Scale, circle, drawing, element, line, picture, rect, text
from taisai.rulebooks.kinds import Kind

# Boxes that are alike to a player share a colour.
FAMILIES: dict[Kind, str] = {
    Kind.SMALL: "even",
    Kind.BIG: "even",
    Kind.ODD: "even",
    Kind.EVEN: "even",
    Kind.SINGLE: "single",
    Kind.SUM: "total",
    Kind.DOMINO: "combo",
    Kind.DOUBLE: "combo",
    Kind.FOUR: "combo",
    Kind.TRIO: "combo",
    Kind.PAIR: "combo",
    Kind.ANY_TRIPLE: "triple",
    Kind.TRIPLE: "triple",
}
FAMILY_NAMES = {
    "even": "even money",
    "single": "single die",
    "total": "totals",
    "combo": "combinations",
    "triple": "triples",
}
_ROW = 24
# How far a label may move from its dot, and to which sides of it.
_PUSHES = (2.0, 10.0, 20.0, 32.0)
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (0.6, -1), (0.6, 1), (-0.6, -1), (-0.6, 1))


def family(each: Line) -> str:
    return FAMILIES[each.group.kind]


def percent(value: float, digits: int = 2) -> str:
    return f"{100 * value:.{digits}f} %"


def _hint(each: Line) -> str:
    odds = each.measures.odds
    return (
        f"{each.id}: pays {pays_text(each.measures)} to 1, {odds.ways} of {OF} ways, "
        f"edge {percent(float(odds.edge))}, standard deviation {odds.standard_deviation:.2f}"
    )


def totals_plot(sheet: ParSheet) -> str:
    """How many of the 216 rolls make each total, triples apart."""
    width, height, base = 560, 330, 280
    scale = Scale(0, 30, base, 30)
    slot = (width - 40) / 16
    parts = [line(20, base, width - 20, base, "axis")]
    for place, (total, ways) in enumerate(sheet.totals.items()):
        x = 20 + place * slot + 3
        triple = int(total % 3 == 0)
        hint = f"total {total}: {ways} of {OF} ways, {percent(ways / OF)}"
        parts.append(rect(x, scale(ways), slot - 6, base - scale(ways), class_="bar", hint=hint))
        if triple:
            parts.append(rect(x, scale(1), slot - 6, base - scale(1), class_="f-triple", hint=hint))
        parts.append(text(x + slot / 2 - 3, scale(ways) - 6, ways, anchor="middle", class_="strong"))
        parts.append(text(x + slot / 2 - 3, base + 18, total, anchor="middle"))
    parts.append(text(width / 2, height - 8, "total of three dice", anchor="middle", class_="muted"))
    parts.append(rect(24, 16, 12, 12, class_="f-triple") + text(42, 26, "of which a triple", class_="muted"))
    return drawing(width, height, parts, says="Ways of each total from 3 to 18 among the 216 rolls")


def _rows(sheet: ParSheet) -> list[Line]:
    return sorted(sheet.lines, key=lambda each: (each.measures.odds.edge, each.id))


def edges_plot(sheet: ParSheet) -> str:
    """The house edge, best bet first."""
    rows = _rows(sheet)
    width, height, left = 560, 40 + _ROW * len(rows), 120
    most = max(float(each.measures.odds.edge) for each in rows)
    scale = Scale(0, max(most, 0.01), left, width - 70)
    parts = [line(left, 12, left, height - 22, "axis")]
    for place, each in enumerate(rows):
        edge = float(each.measures.odds.edge)
        y = 14 + place * _ROW
        low = min(scale(0), scale(edge))
        parts.append(text(left - 8, y + 15, each.id, anchor="end"))
        parts.append(
            rect(
                low,
                y + 3,
                abs(scale(edge) - scale(0)),
                _ROW - 8,
                class_=f"f-{family(each)}",
                hint=_hint(each),
            )
        )
        parts.append(text(scale(max(edge, 0)) + 6, y + 15, percent(edge), class_="strong"))
    parts.append(text(left, height - 6, "house edge, share of the stake", class_="muted"))
    return drawing(width, height, parts, says="House edge of each group of boxes, lowest first")


def spread_plot(sheet: ParSheet) -> str:
    """Edge against standard deviation; the larger the dot, the more often the box wins."""
    width, height, left, base = 560, 470, 52, 420
    lines = sheet.lines
    spreads = [each.measures.odds.standard_deviation for each in lines]
    edges = [float(each.measures.odds.edge) for each in lines]
    x = Scale(min(spreads) * 0.8, max(spreads) * 1.45, left, width - 12, log=True)
    top = max(0.05, max(edges) * 1.12)
    y = Scale(min(0.0, *edges), top, base, 16)
    parts = _spread_axes(x, y, top, (min(spreads) * 0.8, max(spreads) * 1.45), width, height)
    labels = _Labels(width)
    spots = sorted(zip(lines, spreads, edges, strict=True), key=lambda spot: -spot[0].measures.odds.ways)
    for each, spread, edge in spots:
        radius = 3.5 + 9 * sqrt(float(each.measures.odds.probability))
        labels.block(x(spread), y(edge), radius)
        parts.append(circle(x(spread), y(edge), radius, class_=f"dot f-{family(each)}", hint=_hint(each)))
    for at in sorted(_same_spots(lines), key=lambda at: -at[0].measures.odds.standard_deviation):
        spread, edge = at[0].measures.odds.standard_deviation, float(at[0].measures.odds.edge)
        radius = 3.5 + 9 * sqrt(float(at[0].measures.odds.probability))
        parts.append(labels.place(x(spread), y(edge), radius, ", ".join(each.id for each in at)))
    return drawing(width, height, parts, says="House edge against standard deviation of each group of boxes")


def _spread_axes(
    x: Scale, y: Scale, top: float, spread: tuple[float, float], width: int, height: int
) -> list[str]:
    base, left = y(0), 52
    step = 0.05 if top > 0.18 else 0.02
    parts = []
    for tick in range(int(top / step) + 1):
        parts.append(line(left, y(tick * step), width - 12, y(tick * step)))
        parts.append(text(left - 6, y(tick * step) + 4, f"{100 * tick * step:.0f} %", anchor="end"))
    for value in (0.5, 1, 2, 5, 10, 20, 50):
        if spread[0] <= value <= spread[1]:
            parts.append(line(x(value), 16, x(value), base))
            parts.append(text(x(value), base + 18, f"{value:g}", anchor="middle"))
    words = "standard deviation of a unit bet (log scale)"
    parts.append(text((left + width) / 2, height - 10, words, anchor="middle", class_="muted"))
    return parts


def _same_spots(lines: list[Line]) -> list[list[Line]]:
    """Lines that fall on one spot (small and big) share a label."""
    spots: dict[object, list[Line]] = {}
    for each in lines:
        spots.setdefault((each.measures.odds.variance, each.measures.odds.edge), []).append(each)
    return list(spots.values())


class _Labels:
    """Puts each label beside its dot where it covers no dot and no other label."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._taken: list[tuple[float, float, float, float]] = []

    def block(self, x: float, y: float, radius: float) -> None:
        self._taken.append((x - radius, y - radius, x + radius, y + radius))

    def place(self, x: float, y: float, radius: float, words: str) -> str:
        wide, high = 7.6 * len(words), 13.0
        spots: list[tuple[float, int, float, tuple[float, float, float, float]]] = []
        for push, (dx, dy) in product(_PUSHES, _SIDES):
            middle = x + dx * (radius + push + wide / 2), y + dy * (radius + push + high / 2)
            spot = middle[0] - wide / 2, middle[1] - high / 2, middle[0] + wide / 2, middle[1] + high / 2
            if spot[0] > 50 and spot[2] < self._width - 2:
                spots.append((self._overlap(spot), len(spots), push, spot))
        _, _, push, best = min(spots) if spots else (0.0, 0, 0.0, (x, y, x + wide, y + high))
        self._taken.append(best)
        label = text((best[0] + best[2]) / 2, best[3] - 2.5, words, anchor="middle", class_="label")
        if push < _PUSHES[1]:
            return label
        # A label that had to move away keeps a thread to its dot.
        end_x = min(max(x, best[0] + 4), best[2] - 4)
        return line(x, y, end_x, best[1] if best[1] > y else best[3], "leader") + label

    def _overlap(self, spot: tuple[float, float, float, float]) -> float:
        area = 0.0
        for taken in self._taken:
            wide = min(spot[2], taken[2]) - max(spot[0], taken[0])
            high = min(spot[3], taken[3]) - max(spot[1], taken[1])
            area += max(0.0, wide) * max(0.0, high)
        return area


def _shade(value: float) -> tuple[int, int, int]:
    """Blue for against, red for together; by the root, so that weak ties still show."""
    strength = sqrt(min(1.0, abs(value)))
    far = (178, 45, 58) if value > 0 else (32, 92, 160)
    return (
        round(250 + (far[0] - 250) * strength),
        round(249 + (far[1] - 249) * strength),
        round(246 + (far[2] - 246) * strength),
    )


def correlation_plot(sheet: ParSheet) -> str:
    """The correlation of every two boxes, boxes in the order of the pay table."""
    table = sheet.correlations.tolist()
    width, left, top, side = 560, 112, 8, 440
    height = top + side + 52
    cell = side / len(table)
    shades = {value: _shade(value) for value in set(chain.from_iterable(table))}
    image = picture([[shades[value] for value in row] for row in table])
    parts = [
        element(
            "image",
            x=left,
            y=top,
            width=side,
            height=side,
            href=image,
            style="image-rendering:pixelated",
            preserveAspectRatio="none",
        ),
        element("rect", x=left, y=top, width=side, height=side, class_="frame"),
    ]
    index, ends = sheet.pay_table.index, []
    for group in sheet.pay_table.groups:
        places = [index[name] for name in group.boxes]
        ends.append((min(places), max(places) + 1, group.id))
    ends.sort()
    wanted = [top + (start + end) / 2 * cell for start, end, _ in ends]
    for (_, end, name), at, label in zip(
        ends, wanted, _spaced(wanted, 14.0, top + 6, top + side - 4), strict=True
    ):
        parts.append(line(left, top + end * cell, left + side, top + end * cell, "seam"))
        parts.append(line(left + end * cell, top, left + end * cell, top + side, "seam"))
        parts.append(line(left - 14, label, left - 2, at, "leader"))
        parts.append(text(left - 17, label + 4, name, anchor="end"))
    parts += _shade_key(left, top + side + 16)
    return drawing(width, height, parts, says="Heat map of the correlations between all boxes")


def _spaced(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Label heights as near as possible to where they belong, at least `gap` apart."""
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    placed: list[float] = []
    for at in wanted:
        placed.append(max(at, placed[-1] + gap if placed else low))
    for place in range(len(placed) - 1, -1, -1):
        limit = high if place == len(placed) - 1 else placed[place + 1] - gap
        placed[place] = min(placed[place], limit)
    return placed


def _shade_key(left: float, top: float) -> list[str]:
    parts, values = [], [-1, -0.5, -0.2, -0.05, 0, 0.05, 0.2, 0.5, 1]
    for place, value in enumerate(values):
        red, green, blue = _shade(value)
        x = left + place * 44
        parts.append(
            element("rect", x=x, y=top, width=44, height=10, style=f"fill:rgb({red},{green},{blue})")
        )
        parts.append(text(x + 22, top + 25, f"{value:+g}" if value else "0", anchor="middle"))
    return parts
