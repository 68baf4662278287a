"""Writes the page of a PAR sheet: every sentence, heading and figure of it stands here, once."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from taisai.dice import ROLLS
from taisai.money import say_odds
from taisai.odds.bets.outcomes import OUTCOMES, WAYS
from taisai.odds.exact import OF
from taisai.odds.par.document import pays_text
from taisai.odds.par.measures import LEVELS, SESSION_ROUNDS, BoxMeasures
from taisai.odds.par.plots import FAMILY_NAMES, family, percent
from taisai.odds.par.sheet import Line, ParSheet
from taisai.odds.report.page import Drawing, Entry, Fact, Grid, ReportPage, Section, Tile, Tiles

# Rolls on which one given number shows on none, one, two and three dice.
_FACE_WAYS = tuple(sum(roll.count(1) == shown for roll in ROLLS) for shown in range(4))
_FACE_WORDS = ("on no die", "on one", "on two", "on all three")


def par_page(sheet: ParSheet) -> ReportPage:
    """The whole sheet, written."""
    book, check = sheet.rulebook, sheet.check
    return ReportPage(
        title=f"PAR sheet of {sheet.pay_table.id}",
        game=f"{book.title}, {sheet.pay_table.title}: {len(sheet.boxes)} boxes, "
        f"exact over the {OF} rolls of three dice",
        verdict=f"cross-check {'passes' if check.passes else 'fails'}: enumeration, generating function, "
        f"{check.rounds:,} simulated rounds",
        passes=check.passes,
        highlights=_highlights(sheet),
        identity=_identity(sheet),
        sections=(
            _dice(sheet),
            _at_a_glance(sheet),
            _boxes(sheet),
            _sessions(sheet),
            _correlations(sheet),
            _liability(sheet),
            _check(sheet),
        ),
        signatures=("prepared by", "reviewed by", "approved by", "date"),
        colophon=f"Made by taisai {sheet.version} from {sheet.pay_table.id}. The same pay table, limits, "
        "seed and version make the same sheet, byte for byte.",
    )


def _grid(head: Sequence[str], rows: Iterable[Sequence[str | Entry]], summary: str = "") -> Grid:
    cells = (tuple(cell if isinstance(cell, Entry) else Entry(cell) for cell in row) for row in rows)
    return Grid(tuple(head), tuple(cells), summary)


def _highlights(sheet: ParSheet) -> tuple[Fact, ...]:
    lines = sheet.lines
    best = min(lines, key=lambda each: each.measures.odds.edge).measures
    worst = max(lines, key=lambda each: each.measures.odds.edge).measures
    wildest = max(lines, key=lambda each: each.measures.odds.variance)
    cost = sheet.liability.worst
    swing = f"±{wildest.measures.odds.standard_deviation:.1f}"
    return (
        Fact(f"lowest edge: {_alike(sheet, best)}", percent(float(best.odds.edge))),
        Fact(f"highest edge: {_alike(sheet, worst)}", percent(float(worst.odds.edge))),
        Fact(f"longest odds: {wildest.id}", f"{say_odds(wildest.measures.highest_pays)} to 1"),
        Fact(f"widest swing a round, in stakes: {wildest.id}", swing),
        Fact(f"worst case under the limits, on {cost.roll}", f"{float(cost.house_pays):,g}"),
    )


def _alike(sheet: ParSheet, box: BoxMeasures) -> str:
    names = [line.id for line in sheet.lines if line.measures.odds.edge == box.odds.edge]
    return ", ".join(names[:4]) + ("…" if len(names) > 4 else "")


def _identity(sheet: ParSheet) -> tuple[Fact, ...]:
    book = sheet.rulebook
    return (
        Fact("game", f"{book.title}, version {book.version}"),
        Fact("source", book.source),
        Fact("in force from", _effective(sheet) or "not stated"),
        Fact("pay table", sheet.pay_table.digest, code=True),
        Fact("rulebook", book.digest, code=True),
        Fact("dice", "three, fair and independent"),
        Fact("made by", f"taisai {sheet.version}"),
    )


def _effective(sheet: ParSheet) -> str:
    """When the rulebook came into force, to the minute, or nothing where it does not say."""
    effective = sheet.rulebook.effective
    if isinstance(effective, datetime):
        return effective.isoformat(" ", "minutes")
    return effective.isoformat() if effective else ""


def _dice(sheet: ParSheet) -> Section:
    patterns = [
        (name, str(combinations), str(ways), percent(ways / OF))
        for name, (combinations, ways) in sheet.patterns.items()
    ]
    faces = [
        (words, str(ways), percent(ways / OF)) for words, ways in zip(_FACE_WORDS, _FACE_WAYS, strict=True)
    ]
    totals = [(str(total), str(ways), percent(ways / OF, 3)) for total, ways in sheet.totals.items()]
    tiles = (
        Tile(roll, str(roll.total), f"{ways} of {OF}", 4 + 4 * ways)
        for roll, ways in zip(OUTCOMES, WAYS, strict=True)
    )
    return Section(
        "The dice",
        words=(
            f"{OF} rolls in order make {len(OUTCOMES)} combinations. The order of the dice decides no bet.",
        ),
        beside=(
            (Drawing("totals", "Totals", "Ways to make each total."),),
            (
                _grid(("pattern", "combinations", "rolls", "chance"), patterns),
                _grid(("one given number shows", "rolls", "chance"), faces),
            ),
        ),
        below=(
            _grid(("total", "rolls", "chance"), totals, "Every total"),
            Tiles(tuple(tiles), f"All {len(OUTCOMES)} combinations"),
        ),
    )


def _at_a_glance(sheet: ParSheet) -> Section:
    used = dict.fromkeys(family(line) for line in sheet.lines)
    swing = "What a bet costs on average and how wildly it moves. Larger dots win more often."
    return Section(
        "The bets at a glance",
        beside=(
            (Drawing("spread", "Edge against swing", swing),),
            (Drawing("edges", "House edge", "Lowest first."),),
        ),
        key=tuple((name, FAMILY_NAMES[name]) for name in used),
    )


def _boxes(sheet: ParSheet) -> Section:
    head = ["box", "pays to 1", "ways", "wins\nonce in", "break-even\nto 1", "return", "edge", "exact\nedge"]
    head += ["standard\ndeviation", "skewness", "kurtosis"]
    head += [f"volatility\nat {level} %" for level in LEVELS] + ["rounds\nto ±0.5 %"]
    lines, row_of = [], {}
    for line in sheet.lines:
        odds, figures = line.measures.odds, _figures(sheet, line.measures)
        lines.append((_line_name(line), *figures))
        # The boxes of a line differ in their numbers alone.
        row_of.update(dict.fromkeys(line.boxes, (*figures, str(odds.returns), str(odds.variance))))
    every = [(name, *row_of[name]) for name in sheet.boxes]
    floor = percent(float(sheet.return_floor), 0)
    returns = (
        f"Below the floor of {floor}: {', '.join(sheet.below_floor)}."
        if sheet.below_floor
        else f"Every box returns at least {floor}."
    )
    return Section(
        "The boxes",
        words=(
            f"Of a unit bet, over the {OF} rolls. Volatility is the standard score times the standard "
            "deviation; rounds to ±0.5 % are at 95 %.",
            returns,
        ),
        below=(
            _grid(head, lines),
            _grid([*head, "exact\nreturn", "exact\nvariance"], every, f"Every one of the {len(every)} boxes"),
        ),
    )


def _line_name(line: Line) -> Entry:
    return Entry(line.id, boxes=len(line.boxes))


def _figures(sheet: ParSheet, box: BoxMeasures) -> tuple[str | Entry, ...]:
    odds = box.odds
    return (
        pays_text(box),
        str(odds.ways),
        f"{float(box.one_in):.2f}",
        f"{float(box.break_even):.2f}",
        Entry(percent(float(odds.returns)), marked=odds.returns < sheet.return_floor),
        percent(float(odds.edge), 3),
        str(odds.edge),
        f"{odds.standard_deviation:.3f}",
        f"{odds.skewness:.3f}",
        f"{float(box.kurtosis):.2f}",
        *(f"{box.volatility_index(level):.2f}" for level in LEVELS),
        f"{box.rounds_to_settle:,}",
    )


def _sessions(sheet: ParSheet) -> Section:
    head = ["box"]
    for rounds in SESSION_ROUNDS:
        head += [f"ahead after\n{rounds:,}", "5 %", "median", "95 %"]
    rows = []
    for line in sheet.lines:
        row: list[str | Entry] = [_line_name(line)]
        for session in line.measures.sessions:
            row.append(percent(session["ahead"], 1))
            row += [_net(float(session[name])) for name in ("low_5", "median", "high_95")]
        rows.append(row)
    settles = "Rounds until it is within half a percent of its mean."
    return Section(
        "How it plays",
        words=("One unit on the box every round; exact distributions, no approximation.",),
        beside=(
            (Drawing("ahead", "Who is ahead", "The chance to have won more than lost."),),
            (Drawing("settling", "When the return settles", settles),),
        ),
        below=(_grid(head, rows, "Quantiles of the net, in stakes"),),
    )


def _net(net: float) -> str:
    """A net as text with a true minus sign."""
    return f"{net:,g}".replace("-", "−")


def _correlations(sheet: ParSheet) -> Section:
    rows = [
        (f"{first} and {second}", f"{value:+.4f}".replace("-", "−"))
        for first, second, value in sheet.strongest_correlations(12)
    ]
    map_words = "In the order of the pay table: red boxes win together, blue ones against each other."
    return Section(
        "What moves together",
        words=("Bets on one roll are not independent.",),
        beside=(
            (Drawing("correlation", "Correlation of every two boxes", map_words),),
            (_grid(("strongest ties", "correlation"), rows),),
        ),
    )


def _liability(sheet: ParSheet) -> Section:
    worst = sheet.liability.worst
    most = max(1.0, float(worst.house_pays))
    tiles = (
        Tile(each.roll, f"{float(each.house_pays):,g}", "", round(4 + 60 * float(each.house_pays) / most))
        for each in sheet.liability.outcomes
    )
    rows = [
        (group.id, pays_text(sheet.boxes[group.boxes[0]]), _maximum(sheet, group.boxes))
        for group in sheet.pay_table.groups
    ]
    return Section(
        "Worst case under the limits",
        words=(
            f"With every winning box filled to its maximum, {worst.roll} ({worst.ways} of {OF} rolls) costs "
            f"the house most: {float(worst.house_pays):,g}.",
        ),
        below=(
            Tiles(tuple(tiles), cost=True),
            _grid(("group", "pays to 1", "maximum of a box"), rows, "The limits"),
        ),
    )


def _maximum(sheet: ParSheet, boxes: Sequence[str]) -> str:
    low, high = (pick(sheet.maxima[name] for name in boxes) for pick in (min, max))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _check(sheet: ParSheet) -> Section:
    check = sheet.check
    rows = [
        (
            test.name,
            f"{test.statistic:.2f}",
            str(test.freedom),
            f"{test.p_value:.4f}",
            Entry("pass" if test.passes else "fail", marked=not test.passes),
        )
        for test in check.tests
    ]
    agrees = "agrees exactly" if check.generating_function_agrees else "does not agree"
    head = ("chi-square of", "statistic", "degrees of\nfreedom", "p-value", "verdict")
    between = f"All {len(check.returns)} boxes should be between the dashed lines."
    return Section(
        "Cross-check",
        words=(
            f"{check.rounds:,} rounds drawn with seed {check.seed} (NumPy PCG64, multinomial counts). All "
            f"questions together are asked at {percent(float(check.level), 0)}, so each at "
            f"{check.threshold:.2g}. The generating function {agrees} with the enumeration on every box.",
            f"The simulated return farthest from its exact value is {check.worst_z:.2f} standard errors "
            f"away; more than {check.z_max:.2f} would fail.",
        ),
        beside=((Drawing("returns", "Simulated returns", between),), (_grid(head, rows),)),
    )
