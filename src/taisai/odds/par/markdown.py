"""The PAR sheet as Markdown, for a review, a ticket or a terminal."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from taisai.money import say_odds
from taisai.odds.bets.outcomes import OUTCOMES
from taisai.odds.exact import OF
from taisai.odds.par.document import pays_text
from taisai.odds.par.measures import LEVELS
from taisai.odds.par.sheet import ParSheet


def par_markdown(sheet: ParSheet) -> str:
    """The whole sheet as one Markdown text."""
    parts = [
        f"# PAR sheet of {sheet.pay_table.id}",
        _identity(sheet),
        _verdict(sheet),
        "## The dice",
        _dice(sheet),
        "## Boxes",
        _boxes(sheet),
        _more_of_boxes(sheet),
        _floor(sheet),
        "## Sessions",
        _sessions(sheet),
        "## Boxes that move together",
        _correlations(sheet),
        "## Worst case under the limits",
        _liability(sheet),
        "## Cross-check",
        _check(sheet),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table whose columns after the first are numbers."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def percent(value: float, digits: int = 3) -> str:
    return f"{100 * value:.{digits}f} %"


def effective_text(sheet: ParSheet) -> str:
    """When the rulebook came into force, to the minute, or nothing where it does not say."""
    effective = sheet.rulebook.effective
    if isinstance(effective, datetime):
        return effective.isoformat(" ", "minutes")
    return effective.isoformat() if effective else ""


def _identity(sheet: ParSheet) -> str:
    book, pay_table = sheet.rulebook, sheet.pay_table
    since = effective_text(sheet)
    effective = f", in force from {since}" if since else ""
    return "\n".join(
        [
            f"- Game: {book.title}, version {book.version}{effective}; {pay_table.title}, "
            f"{len(pay_table.boxes)} boxes",
            f"- Pay table digest: `{pay_table.digest}`",
            f"- Rulebook digest: `{book.digest}`",
            "- Dice: three, fair and independent",
            f"- Made by taisai {sheet.version}; exact by enumeration of the {OF} rolls",
        ]
    )


def _verdict(sheet: ParSheet) -> str:
    check = sheet.check
    word = "passes" if check.passes else "FAILS"
    return (
        f"**The cross-check {word}**: enumeration, generating function and a simulation of "
        f"{check.rounds:,} rounds (seed {check.seed})."
    )


def _dice(sheet: ParSheet) -> str:
    text = f"{OF} rolls in order, {len(OUTCOMES)} combinations: " + ", ".join(
        f"{combinations} {name} ({ways} rolls)" for name, (combinations, ways) in sheet.patterns.items()
    )
    rows = [[total, ways, percent(ways / OF)] for total, ways in sheet.totals.items()]
    return text + ".\n\n" + table(["total", "ways", "probability"], rows)


def _boxes(sheet: ParSheet) -> str:
    head = ["box", "pays to 1", "ways", "one in", "break-even", "return", "edge", "edge %"]
    rows = []
    for name, box in sheet.boxes.items():
        odds = box.odds
        rows.append(
            [
                name,
                pays_text(box),
                odds.ways,
                f"{float(box.one_in):.3f}",
                say_odds(box.break_even),
                odds.returns,
                odds.edge,
                f"{float(100 * odds.edge):.3f}",
            ]
        )
    return table(head, rows)


def _more_of_boxes(sheet: ParSheet) -> str:
    head = ["box", "variance", "standard deviation", "skewness", "kurtosis"]
    head += [f"volatility {level} %" for level in LEVELS]
    head += ["rounds to ±0.5 % at 95 %"]
    rows = []
    for line in sheet.lines:
        box = line.measures
        rows.append(
            [
                _of(line.id, len(line.boxes)),
                box.odds.variance,
                f"{box.odds.standard_deviation:.4f}",
                f"{box.odds.skewness:.4f}",
                f"{float(box.kurtosis):.4f}",
                *(f"{box.volatility_index(level):.3f}" for level in LEVELS),
                f"{box.rounds_to_settle:,}",
            ]
        )
    return table(head, rows)


def _of(name: str, boxes: int) -> str:
    return f"{name} ({boxes} boxes)" if boxes > 1 else name


def _floor(sheet: ParSheet) -> str:
    if not sheet.below_floor:
        return f"Every box returns at least {percent(float(sheet.return_floor), 1)}."
    boxes = ", ".join(sheet.below_floor)
    return f"**Below the floor of {percent(float(sheet.return_floor), 1)}**: {boxes}."


def _sessions(sheet: ParSheet) -> str:
    head = ["box"]
    rows = [[line.id] for line in sheet.lines]
    for place, line in enumerate(sheet.lines):
        for session in line.measures.sessions:
            if place == 0:
                head += [f"ahead after {session['rounds']}", "5 % to 95 %"]
            rows[place] += [
                percent(session["ahead"], 2),
                f"{say_net(session['low_5'])} to {say_net(session['high_95'])}",
            ]
    return "The net of a unit bet every round, in stakes, exact.\n\n" + table(head, rows)


def say_net(net: object) -> str:
    """A net as text with a true minus sign."""
    return f"{float(net):,g}".replace("-", "−")  # type: ignore[arg-type] # a fraction has a float


def _correlations(sheet: ParSheet) -> str:
    rows = [
        [f"{first} and {second}", f"{value:+.4f}"] for first, second, value in sheet.strongest_correlations()
    ]
    return table(["boxes", "correlation"], rows)


def _liability(sheet: ParSheet) -> str:
    worst = sheet.liability.worst
    groups = [
        [group.id, f"{max(sheet.maxima[name] for name in group.boxes):,}"] for group in sheet.pay_table.groups
    ]
    text = (
        f"The dearest outcome is {worst.roll} ({worst.ways} of {OF} ways): every winning box filled to its "
        f"maximum costs the house {float(worst.house_pays):,g}."
    )
    return text + "\n\n" + table(["group", "maximum of a box"], groups)


def _check(sheet: ParSheet) -> str:
    check = sheet.check
    rows = [
        [test.name, f"{test.statistic:.2f}", test.freedom, f"{test.p_value:.4f}", _word(test.passes)]
        for test in check.tests
    ]
    agrees = "agrees exactly" if check.generating_function_agrees else "DISAGREES"
    return (
        f"{check.rounds:,} rounds, seed {check.seed}, all questions together at "
        f"{percent(float(check.level), 1)}: a p-value below {check.threshold:.2g} or a return more than "
        f"{check.z_max:.2f} standard errors off would fail.\n\n"
        + table(["chi-square of", "statistic", "degrees of freedom", "p-value", "verdict"], rows)
        + f"\n\nReturns of the {len(check.returns)} boxes: the farthest lies {check.worst_z:.2f} standard "
        f"errors from its exact value. The generating function {agrees} with enumeration."
    )


def _word(passes: bool) -> str:
    return "pass" if passes else "FAIL"
