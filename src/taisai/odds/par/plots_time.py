"""The pictures of a PAR sheet that show time and chance: settling, being ahead, the simulation."""

from taisai.odds.par.measures import SESSION_ROUNDS
from taisai.odds.par.plots import family, percent
from taisai.odds.par.sheet import Line, ParSheet
from taisai.odds.report.svg import Scale, circle, drawing, line, text

_ROW = 24


def settling_plot(sheet: ParSheet) -> str:
    """Rounds until the return lies within half a percent with 95 % chance, on a log scale."""
    rows = sorted(sheet.lines, key=lambda each: (each.measures.rounds_to_settle, each.id))
    width, height, left = 560, 52 + _ROW * len(rows), 120
    counts = [each.measures.rounds_to_settle for each in rows]
    low, high = 10 ** (len(str(min(counts))) - 1), 10 ** len(str(max(counts)))
    scale = Scale(low, high, left, width - 96, log=True)
    parts = []
    power = low
    while power <= high:
        parts.append(line(scale(power), 8, scale(power), height - 40))
        parts.append(text(scale(power), height - 24, _short(power), anchor="middle"))
        power *= 10
    for place, each in enumerate(rows):
        y, x = 20 + place * _ROW, scale(each.measures.rounds_to_settle)
        parts.append(text(left - 8, y + 4, each.id, anchor="end"))
        parts.append(line(left, y, x, y, f"stem s-{family(each)}"))
        parts.append(circle(x, y, 5, class_=f"f-{family(each)}", hint=_settles(each)))
        parts.append(text(x + 10, y + 4, f"{each.measures.rounds_to_settle:,}", class_="strong"))
    parts.append(text(left, height - 6, "rounds until ±0.5 % at 95 % (log scale)", class_="muted"))
    return drawing(width, height, parts, says="Rounds until the return is within half a percent, by group")


def _short(count: int) -> str:
    for size, word in ((10**9, "bn"), (10**6, "m"), (10**3, "k")):
        if count >= size:
            return f"{count // size} {word}"
    return str(count)


def _settles(each: Line) -> str:
    return f"{each.id}: {each.measures.rounds_to_settle:,} rounds"


def ahead_plot(sheet: ParSheet) -> str:
    """The exact chance to be ahead after 100, 500 and 1,000 rounds of a unit bet."""
    rows = sorted(sheet.lines, key=lambda each: (-each.measures.sessions[-1]["ahead"], each.id))
    width, height, left = 560, 72 + _ROW * len(rows), 120
    most = max(session["ahead"] for each in rows for session in each.measures.sessions)
    high = min(1.0, (int(most * 10) + 1) / 10)
    scale = Scale(0, high, left, width - 24)
    parts = []
    for tick in range(round(high * 10) + 1):
        parts.append(line(scale(tick / 10), 30, scale(tick / 10), height - 40))
        parts.append(text(scale(tick / 10), height - 24, f"{10 * tick} %", anchor="middle"))
    for place, rounds in enumerate(SESSION_ROUNDS):
        parts.append(circle(left + 8 + place * 130, 14, _radius(place), class_=f"dot a-{place}"))
        parts.append(text(left + 20 + place * 130, 18, f"{rounds:,} rounds", class_="muted"))
    for row, each in enumerate(rows):
        y = 44 + row * _ROW
        xs = [scale(session["ahead"]) for session in each.measures.sessions]
        parts.append(text(left - 8, y + 4, each.id, anchor="end"))
        parts.append(line(min(xs), y, max(xs), y, "stem"))
        for place, session in enumerate(each.measures.sessions):
            hint = f"{each.id} after {session['rounds']:,} rounds: {percent(session['ahead'])} ahead"
            parts.append(circle(xs[place], y, _radius(place), class_=f"dot a-{place}", hint=hint))
    parts.append(text(left, height - 6, "chance to be ahead", class_="muted"))
    return drawing(width, height, parts, says="Chance to be ahead after 100, 500 and 1,000 rounds, by group")


def _radius(place: int) -> float:
    return 4.0 + place


def returns_plot(sheet: ParSheet) -> str:
    """How far each box's simulated return lies from its exact value, in standard errors."""
    check = sheet.check
    width, base, step, size = 560, 190, 9.0, 3.8
    reach = max(check.z_max, check.worst_z) * 1.06
    scale = Scale(-reach, reach, 16, width - 16)
    columns: dict[int, int] = {}
    dots, tallest = [], 0
    for each in sorted(check.returns, key=lambda each: each.z):
        column = round(scale(each.z) / step)
        stack = columns.get(column, 0)
        columns[column], tallest = stack + 1, max(tallest, stack + 1)
        hint = (
            f"{each.box}: exact {percent(float(each.exact), 4)}, simulated {percent(float(each.observed), 4)}"
        )
        class_ = "bar" if each.passes else "f-triple"
        dots.append(circle(column * step, base - 7 - stack * step, size, class_=class_, hint=hint))
    top = base - 16 - tallest * step
    parts = [line(16, base, width - 16, base, "axis")]
    for limit in (-check.z_max, check.z_max):
        parts.append(line(scale(limit), top, scale(limit), base, "limit"))
        side = "start" if limit < 0 else "end"
        parts.append(
            text(scale(limit) - 4 * (limit > 0) + 4 * (limit < 0), top + 10, f"{limit:+.2f}", anchor=side)
        )
    parts += [
        text(scale(tick), base + 18, f"{tick:+d}" if tick else "0", anchor="middle")
        for tick in range(-int(reach), int(reach) + 1)
    ]
    words = "standard errors between simulated and exact return, one dot a box"
    parts.append(text(width / 2, base + 38, words, anchor="middle", class_="muted"))
    shift = int(top) - 4
    inside = "".join(parts + dots)
    return drawing(
        width,
        base + 46 - shift,
        [f'<g transform="translate(0 {-shift})">{inside}</g>'],
        says="Distances between simulated and exact returns",
    )
