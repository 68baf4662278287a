"""The PAR sheet as one HTML file: styles and pictures inside, no script, nothing fetched."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from taisai.dice import FACES, ROLLS, Roll
from taisai.money import say_odds
from taisai.odds.bets.outcomes import OUTCOMES, WAYS
from taisai.odds.exact import OF
from taisai.odds.par.document import pays_text
from taisai.odds.par.markdown import effective_text, say_net
from taisai.odds.par.measures import LEVELS, SESSION_ROUNDS, BoxMeasures
from taisai.odds.par.plots import (
    FAMILY_NAMES,
    correlation_plot,
    edges_plot,
    family,
    percent,
    spread_plot,
    totals_plot,
)
from taisai.odds.par.plots_time import ahead_plot, returns_plot, settling_plot
from taisai.odds.par.sheet import ParSheet

# Rolls on which one given number shows on none, one, two and three dice.
_FACE_WAYS = tuple(sum(roll.count(1) == shown for roll in ROLLS) for shown in range(4))
_PIPS = {
    1: ((13, 13),),
    2: ((7, 7), (19, 19)),
    3: ((7, 7), (13, 13), (19, 19)),
    4: ((7, 7), (19, 7), (7, 19), (19, 19)),
    5: ((7, 7), (19, 7), (13, 13), (7, 19), (19, 19)),
    6: ((7, 7), (19, 7), (7, 13), (19, 13), (7, 19), (19, 19)),
}


def par_html(sheet: ParSheet) -> str:
    """The whole page."""
    style = (files("taisai.odds.par") / "page.css").read_text(encoding="utf-8")
    body = "".join(
        [
            _symbols(),
            _header(sheet),
            "<main>",
            _cards(sheet),
            _identity(sheet),
            _dice(sheet),
            _at_a_glance(sheet),
            _boxes(sheet),
            _sessions(sheet),
            _correlations(sheet),
            _liability(sheet),
            _check(sheet),
            _sign_off(),
            "</main>",
            _footer(sheet),
        ]
    )
    title = escape(f"PAR sheet of {sheet.pay_table.id}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head><body>{body}</body></html>\n"
    )


def _symbols() -> str:
    """The six faces, drawn once and used everywhere."""
    faces = []
    for face in FACES:
        pips = "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="2.6"/>' for x, y in _PIPS[face])
        faces.append(
            f'<symbol id="d{face}" viewBox="0 0 26 26">'
            f'<rect class="face" x="1" y="1" width="24" height="24" rx="5"/>{pips}</symbol>'
        )
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{"".join(faces)}</svg>'


def dice_picture(roll: Roll, class_: str = "dice") -> str:
    uses = "".join(
        f'<use href="#d{face}" x="{26 * place}" width="26" height="26"/>' for place, face in enumerate(roll)
    )
    return f'<svg class="{class_}" viewBox="0 0 78 26" role="img" aria-label="{roll}">{uses}</svg>'


def _header(sheet: ParSheet) -> str:
    check, book = sheet.check, sheet.rulebook
    sign, state = ("✓", "passes") if check.passes else ("✗", "fails")
    return (
        '<header><div><div class="top">'
        f"{dice_picture(Roll(1, 3, 6))}<div><h1>PAR sheet · {escape(sheet.pay_table.id)}</h1>"
        f"<p>{escape(book.title)}, {escape(sheet.pay_table.title)}: {len(sheet.boxes)} boxes, "
        f"exact over the {OF} rolls of three dice</p></div></div>"
        f'<span class="badge {state}">{sign} cross-check {state}: '
        f"enumeration, generating function, {check.rounds:,} simulated rounds</span></div></header>"
    )


def _cards(sheet: ParSheet) -> str:
    lines = sheet.lines
    best = min(lines, key=lambda each: each.measures.odds.edge)
    worst = max(lines, key=lambda each: each.measures.odds.edge)
    wildest = max(lines, key=lambda each: each.measures.odds.variance)
    cost = sheet.liability.worst
    cards = [
        (percent(float(best.measures.odds.edge)), f"lowest edge: {_alike(sheet, best.measures)}"),
        (percent(float(worst.measures.odds.edge)), f"highest edge: {_alike(sheet, worst.measures)}"),
        (f"{say_odds(wildest.measures.highest_pays)} to 1", f"longest odds: {wildest.id}"),
        (
            f"±{wildest.measures.odds.standard_deviation:.1f}",
            f"widest swing a round, in stakes: {wildest.id}",
        ),
        (f"{float(cost.house_pays):,g}", f"worst case under the limits, on {cost.roll}"),
    ]
    inside = "".join(f'<div class="card"><b>{escape(b)}</b><span>{escape(s)}</span></div>' for b, s in cards)
    return f'<div class="cards">{inside}</div>'


def _alike(sheet: ParSheet, box: BoxMeasures) -> str:
    names = [line.id for line in sheet.lines if line.measures.odds.edge == box.odds.edge]
    return ", ".join(names[:4]) + ("…" if len(names) > 4 else "")


def _identity(sheet: ParSheet) -> str:
    book, pay_table = sheet.rulebook, sheet.pay_table
    facts = [
        ("game", f"{escape(book.title)}, version {escape(book.version)}"),
        ("source", escape(book.source)),
        ("in force from", effective_text(sheet) or "not stated"),
        ("pay table", f"<code>{pay_table.digest}</code>"),
        ("rulebook", f"<code>{book.digest}</code>"),
        ("dice", "three, fair and independent"),
        ("made by", f"taisai {sheet.version}"),
    ]
    inside = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f'<div class="identity"><dl>{inside}</dl></div>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are HTML already."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f'<div class="table"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _figure(title: str, words: str, drawing: str) -> str:
    return f"<figure><figcaption><b>{title}</b>{words}</figcaption>{drawing}</figure>"


def _dice(sheet: ParSheet) -> str:
    tiles = "".join(
        f'<div class="tile" style="--part:{4 + 4 * ways}%">{dice_picture(roll, "small")}'
        f"<b>{roll.total}</b><span>{ways} of {OF}</span></div>"
        for roll, ways in zip(OUTCOMES, WAYS, strict=True)
    )
    rows = [
        [name, str(combinations), str(ways), percent(ways / OF)]
        for name, (combinations, ways) in sheet.patterns.items()
    ]
    faces = [
        [words, str(ways), percent(ways / OF)]
        for words, ways in zip(("on no die", "on one", "on two", "on all three"), _FACE_WAYS, strict=True)
    ]
    return (
        "<h2>The dice</h2>"
        f'<p class="muted">{OF} rolls in order make {len(OUTCOMES)} combinations. '
        "The order of the dice decides no bet.</p>"
        '<div class="pair">'
        + _figure("Totals", "Ways to make each total.", totals_plot(sheet))
        + "<div>"
        + _table(["pattern", "combinations", "rolls", "chance"], rows)
        + _table(["one given number shows", "rolls", "chance"], faces)
        + f"</div></div><details><summary>All {len(OUTCOMES)} combinations</summary>"
        + f'<div class="tiles">{tiles}</div></details>'
    )


def _at_a_glance(sheet: ParSheet) -> str:
    used = dict.fromkeys(family(line) for line in sheet.lines)
    key = "".join(f'<span><i class="k-{name}"></i>{FAMILY_NAMES[name]}</span>' for name in used)
    return (
        "<h2>The bets at a glance</h2>"
        f'<div class="key">{key}</div><div class="pair">'
        + _figure(
            "Edge against swing",
            "What a bet costs on average and how wildly it moves. Larger dots win more often.",
            spread_plot(sheet),
        )
        + _figure("House edge", "Lowest first.", edges_plot(sheet))
        + "</div>"
    )


def _boxes(sheet: ParSheet) -> str:
    head = [
        "box",
        "pays to 1",
        "ways",
        "wins<br>once in",
        "break-even<br>to 1",
        "return",
        "edge",
        "exact<br>edge",
    ]
    head += ["standard<br>deviation", "skewness", "kurtosis"]
    head += [f"volatility<br>at {level} %" for level in LEVELS] + ["rounds<br>to ±0.5 %"]
    lines = [
        [f"{escape(line.id)}{_count(len(line.boxes))}", *_figures(sheet, line.measures)]
        for line in sheet.lines
    ]
    every = [[escape(name), *_figures(sheet, box)] for name, box in sheet.boxes.items()]
    floor = percent(float(sheet.return_floor), 0)
    note = (
        f"Returns in colour lie below the floor of {floor}."
        if sheet.below_floor
        else f"Every box returns at least {floor}."
    )
    return (
        "<h2>The boxes</h2>"
        f'<p class="muted">Of a unit bet, over the {OF} rolls. {note} Volatility is the standard score '
        "times the standard deviation; rounds to ±0.5 % are at 95 %.</p>"
        + _table(head, lines)
        + f"<details><summary>Every one of the {len(every)} boxes</summary>{_table(head, every)}</details>"
    )


def _count(boxes: int) -> str:
    return f"<small>×{boxes}</small>" if boxes > 1 else ""


def _figures(sheet: ParSheet, box: BoxMeasures) -> list[str]:
    odds = box.odds
    low = ' class="low"' if odds.returns < sheet.return_floor else ""
    return [
        pays_text(box),
        str(odds.ways),
        f"{float(box.one_in):.2f}",
        f"{float(box.break_even):.2f}",
        f"<td{low}>{percent(float(odds.returns))}</td>",
        percent(float(odds.edge), 3),
        str(odds.edge),
        f"{odds.standard_deviation:.3f}",
        f"{odds.skewness:.3f}",
        f"{float(box.kurtosis):.2f}",
        *(f"{box.volatility_index(level):.2f}" for level in LEVELS),
        f"{box.rounds_to_settle:,}",
    ]


def _sessions(sheet: ParSheet) -> str:
    head, rows = ["box"], []
    for rounds in SESSION_ROUNDS:
        head += [f"ahead after<br>{rounds:,}", "5 %", "median", "95 %"]
    for line in sheet.lines:
        row = [escape(line.id)]
        for session in line.measures.sessions:
            row.append(percent(session["ahead"], 1))
            row += [say_net(session[name]) for name in ("low_5", "median", "high_95")]
        rows.append(row)
    return (
        "<h2>How it plays</h2>"
        '<p class="muted">One unit on the box every round; exact distributions, no approximation.</p>'
        '<div class="pair">'
        + _figure("Who is ahead", "The chance to have won more than lost.", ahead_plot(sheet))
        + _figure(
            "When the return settles",
            "Rounds until it lies within half a percent of its mean.",
            settling_plot(sheet),
        )
        + "</div><details><summary>Quantiles of the net, in stakes</summary>"
        + _table(head, rows)
        + "</details>"
    )


def _correlations(sheet: ParSheet) -> str:
    rows = [
        [f"{escape(first)} and {escape(second)}", f"{value:+.4f}".replace("-", "−")]
        for first, second, value in sheet.strongest_correlations(12)
    ]
    return (
        "<h2>What moves together</h2>"
        '<p class="muted">Bets on one roll are not independent: red boxes win together, blue ones against '
        'each other.</p><div class="pair">'
        + _figure("Correlation of every two boxes", "In the order of the pay table.", correlation_plot(sheet))
        + _table(["strongest ties", "correlation"], rows)
        + "</div>"
    )


def _liability(sheet: ParSheet) -> str:
    worst = sheet.liability.worst
    most = max(1.0, float(worst.house_pays))
    tiles = "".join(
        f'<div class="tile tight" style="--part:{4 + 60 * float(each.house_pays) / most:.0f}%">'
        f"{dice_picture(each.roll, 'small')}<b>{float(each.house_pays):,g}</b></div>"
        for each in sheet.liability.outcomes
    )
    rows = [
        [escape(group.id), pays_text(sheet.boxes[group.boxes[0]]), _maximum(sheet, group.boxes)]
        for group in sheet.pay_table.groups
    ]
    return (
        "<h2>Worst case under the limits</h2>"
        f"<p>With every winning box filled to its maximum, <b>{worst.roll}</b> costs the house most: "
        f"<b>{float(worst.house_pays):,g}</b>.</p>"
        f'<div class="tiles">{tiles}</div>'
        "<details><summary>The limits</summary>"
        + _table(["group", "pays to 1", "maximum of a box"], rows)
        + "</details>"
    )


def _maximum(sheet: ParSheet, boxes: Sequence[str]) -> str:
    low, high = (pick(sheet.maxima[name] for name in boxes) for pick in (min, max))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _check(sheet: ParSheet) -> str:
    check = sheet.check
    rows = [
        [
            test.name,
            f"{test.statistic:.2f}",
            str(test.freedom),
            f"{test.p_value:.4f}",
            "pass" if test.passes else '<td class="low">fail</td>',
        ]
        for test in check.tests
    ]
    agrees = "agrees exactly" if check.generating_function_agrees else "does not agree"
    return (
        "<h2>Cross-check</h2>"
        f"<p>{check.rounds:,} rounds drawn with seed {check.seed} (NumPy PCG64, multinomial counts). All "
        f"questions together are asked at {percent(float(check.level), 0)}, so each at "
        f"{check.threshold:.2g}. The generating function {agrees} with the enumeration on every box.</p>"
        '<div class="pair">'
        + _figure(
            "Simulated returns",
            f"All {len(check.returns)} boxes should lie between the dashed lines.",
            returns_plot(sheet),
        )
        + _table(["chi-square of", "statistic", "degrees of<br>freedom", "p-value", "verdict"], rows)
        + "</div>"
    )


def _sign_off() -> str:
    blanks = "".join(
        f"<span>{words}</span>" for words in ("prepared by", "reviewed by", "approved by", "date")
    )
    return f'<div class="sign">{blanks}</div>'


def _footer(sheet: ParSheet) -> str:
    return (
        f"<footer>Made by taisai {sheet.version} from <code>{escape(sheet.pay_table.id)}</code>. The same "
        f"pay table, limits, seed and version make the same sheet, byte for byte.</footer>"
    )
