"""The PAR sheet as a workbook whose figures are live formulas: change odds, stakes or limits and see.

Ways and odds are inputs; chances, returns, edges and moments follow from them by formula, and so do the
house's result on each outcome and the worst case under the limits.
"""

from io import BytesIO
from typing import Any, Final

from taisai.odds.bets.outcomes import OUTCOMES, WAYS, net_on
from taisai.odds.exact import OF
from taisai.odds.extras import needs
from taisai.odds.par.document import identity
from taisai.odds.par.measures import LEVELS, BoxMeasures, Z
from taisai.odds.par.sheet import ParSheet

_PRICES_MAX: Final = 3
# A workbook stamps when it was made; a fixed stamp keeps the same sheet the same file.
_STAMP: Final = (2000, 1, 1)


def par_workbook(sheet: ParSheet) -> bytes:
    """The whole workbook."""
    from datetime import UTC, datetime

    buffer = BytesIO()
    book = needs("xlsxwriter").Workbook(buffer, {"in_memory": True})
    book.set_properties(
        {"title": f"PAR sheet of {sheet.pay_table.id}", "created": datetime(*_STAMP, tzinfo=UTC)}
    )
    forms = _formats(book)
    _identity(book, forms, sheet)
    _dice(book, forms, sheet)
    _boxes(book, forms, sheet)
    _outcomes(book, forms, sheet)
    _matrix(book, forms, sheet, "Correlation", sheet.correlations.tolist())
    _matrix(book, forms, sheet, "Covariance", sheet.covariances.tolist())
    _check(book, forms, sheet)
    book.close()
    return buffer.getvalue()


def _formats(book: Any) -> dict[str, Any]:
    return {
        "head": book.add_format(
            {"bold": True, "bg_color": "#0F5B46", "font_color": "#FFFFFF", "text_wrap": True, "valign": "top"}
        ),
        "input": book.add_format({"bg_color": "#FFF7DC"}),
        "percent": book.add_format({"num_format": "0.000%"}),
        "number": book.add_format({"num_format": "#,##0.0000"}),
        "whole": book.add_format({"num_format": "#,##0"}),
        "money": book.add_format({"num_format": "#,##0.##;[Red]-#,##0.##"}),
        "bold": book.add_format({"bold": True}),
        "title": book.add_format({"bold": True, "font_size": 16}),
    }


def _identity(book: Any, forms: dict[str, Any], sheet: ParSheet) -> None:
    page = book.add_worksheet("PAR sheet")
    page.hide_gridlines(2)
    page.set_column(0, 0, 26)
    page.set_column(1, 1, 76)
    page.write(0, 0, f"PAR sheet of {sheet.pay_table.id}", forms["title"])
    facts = [*identity(sheet).items(), ("cross_check", "pass" if sheet.check.passes else "fail")]
    for row, (name, value) in enumerate(facts, start=2):
        page.write(row, 0, name.replace("_", " "), forms["bold"])
        page.write(row, 1, "" if value is None else value)
    note = "Cells on a yellow ground are inputs: odds and ways, stakes and maxima. Everything else follows."
    page.write(len(facts) + 3, 0, note)


def _head(page: Any, forms: dict[str, Any], titles: list[str]) -> None:
    for column, title in enumerate(titles):
        page.write(0, column, title, forms["head"])
    page.freeze_panes(1, 1)
    page.set_row(0, 32)


def _dice(book: Any, forms: dict[str, Any], sheet: ParSheet) -> None:
    page = book.add_worksheet("Dice")
    _head(page, forms, ["total", "ways", "probability"])
    for row, (total, ways) in enumerate(sheet.totals.items(), start=1):
        page.write(row, 0, total)
        page.write(row, 1, ways)
        page.write_formula(row, 2, f"=B{row + 1}/{OF}", forms["percent"], ways / OF)
    last = len(sheet.totals) + 1
    page.write(last, 0, "all", forms["bold"])
    page.write_formula(last, 1, f"=SUM(B2:B{last})", None, OF)
    chart = book.add_chart({"type": "column"})
    chart.add_series(
        {
            "categories": ["Dice", 1, 0, last - 1, 0],
            "values": ["Dice", 1, 1, last - 1, 1],
            "fill": {"color": "#2D7A63"},
            "gap": 30,
        }
    )
    chart.set_title({"name": "Ways of each total"})
    chart.set_legend({"none": True})
    page.insert_chart("E2", chart)


def _boxes(book: Any, forms: dict[str, Any], sheet: ParSheet) -> None:
    page = book.add_worksheet("Boxes")
    titles = ["box", "group"]
    for place in range(1, _PRICES_MAX + 1):
        titles += [f"ways {place}", f"pays {place} to 1"]
    titles += ["ways", "probability", "one in", "break-even to 1", "return", "edge", "variance"]
    titles += ["standard deviation", "skewness", "kurtosis"]
    titles += [f"volatility {level} %" for level in LEVELS] + ["rounds to ±0.5 % at 95 %"]
    _head(page, forms, titles)
    page.set_column(0, 1, 13)
    page.set_column(2, len(titles), 11)
    for row, box in enumerate(sheet.boxes.values(), start=1):
        _box_row(page, forms, row, box)
    page.conditional_format(1, 13, len(sheet.boxes), 13, {"type": "data_bar", "bar_color": "#C1790B"})


def _box_row(page: Any, forms: dict[str, Any], row: int, box: BoxMeasures) -> None:
    odds, line = box.odds, row + 1
    page.write(row, 0, odds.box.id, forms["bold"])
    page.write(row, 1, odds.box.group)
    for place in range(_PRICES_MAX):
        price = odds.box.prices[place] if place < len(odds.box.prices) else None
        page.write(row, 2 + 2 * place, price.rolls.bit_count() if price else 0, forms["input"])
        page.write(row, 3 + 2 * place, float(price.pays_to_one) if price else 0, forms["input"])
    ways, pays = f"(C{line},E{line},G{line})", ("D", "F", "H")

    def moment(order: int) -> str:
        """The central moment of the net, from ways, odds and the mean -edge in column N."""
        won = "+".join(f"{chr(ord(column) - 1)}{line}*({column}{line}+N{line})^{order}" for column in pays)
        return f"({won}+({OF}-I{line})*(N{line}-1)^{order})/{OF}"

    returned = "+".join(f"{chr(ord(column) - 1)}{line}*({column}{line}+1)" for column in pays)
    formulas: list[tuple[str, str, float]] = [
        (f"=SUM{ways}", "whole", odds.ways),
        (f"=I{line}/{OF}", "percent", float(odds.probability)),
        (f"={OF}/I{line}", "number", float(box.one_in)),
        (f"=({OF}-I{line})/I{line}", "number", float(box.break_even)),
        (f"=({returned})/{OF}", "percent", float(odds.returns)),
        (f"=1-M{line}", "percent", float(odds.edge)),
        (f"={moment(2)}", "number", float(odds.variance)),
        (f"=SQRT(O{line})", "number", odds.standard_deviation),
        (f"={moment(3)}/P{line}^3", "number", odds.skewness),
        (f"={moment(4)}/O{line}^2", "number", float(box.kurtosis)),
    ]
    formulas += [(f"={Z[level]!r}*P{line}", "number", box.volatility_index(level)) for level in LEVELS]
    formulas.append((f"=ROUNDUP({Z[95]!r}^2*O{line}/0.005^2,0)", "whole", box.rounds_to_settle))
    for column, (formula, form, value) in enumerate(formulas, start=8):
        page.write_formula(row, column, formula, forms[form], value)


def _outcomes(book: Any, forms: dict[str, Any], sheet: ParSheet) -> None:
    """Stakes and maxima in two rows of inputs; below them what each outcome costs."""
    page = book.add_worksheet("Outcomes")
    boxes = sheet.pay_table.boxes
    first, last = 5, 4 + len(boxes)
    page.set_column(0, 0, 12)
    page.set_column(2, 4, 16)
    titles = ["dice", "ways", "house net on stakes", "most the house pays", "chance"]
    for column, title in enumerate(titles + [box.id for box in boxes]):
        page.write(0, column, title, forms["head"])
    page.set_row(0, 32)
    page.freeze_panes(3, 5)
    page.write(1, 0, "stakes", forms["bold"])
    page.write(2, 0, "maxima", forms["bold"])
    for column, box in enumerate(boxes, start=first):
        page.write(1, column, 0, forms["input"])
        page.write(2, column, sheet.maxima[box.id], forms["input"])
    letters = (_letters(first), _letters(last))
    for row, (outcome, ways) in enumerate(zip(OUTCOMES, WAYS, strict=True), start=3):
        line = row + 1
        nets = f"{letters[0]}{line}:{letters[1]}{line}"
        page.write(row, 0, str(outcome), forms["bold"])
        page.write(row, 1, ways)
        stakes = f"${letters[0]}$2:${letters[1]}$2"
        maxima = f"${letters[0]}$3:${letters[1]}$3"
        page.write_formula(row, 2, f"=-SUMPRODUCT({stakes},{nets})", forms["money"], 0)
        most = float(sheet.liability.outcomes[row - 3].house_pays)
        page.write_formula(row, 3, f"=SUMPRODUCT({maxima},{nets},--({nets}>0))", forms["money"], most)
        page.write_formula(row, 4, f"=B{line}/{OF}", forms["percent"], ways / OF)
        for column, box in enumerate(boxes, start=first):
            page.write(row, column, float(net_on(box, outcome)))
    end = 3 + len(OUTCOMES)
    page.write(end, 0, "worst", forms["bold"])
    page.write_formula(end, 2, f"=MIN(C4:C{end})", forms["money"], 0)
    page.write_formula(end, 3, f"=MAX(D4:D{end})", forms["money"], float(sheet.liability.worst.house_pays))
    page.write(end + 1, 0, "expected", forms["bold"])
    page.write_formula(end + 1, 2, f"=SUMPRODUCT(B4:B{end},C4:C{end})/{OF}", forms["money"], 0)
    shades = {"type": "3_color_scale", "min_color": "#C23B3B", "mid_color": "#FFFFFF", "max_color": "#2D7A63"}
    page.conditional_format(3, 2, end - 1, 2, shades)


def _letters(column: int) -> str:
    """A column's name: 0 is A, 26 is AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _matrix(book: Any, forms: dict[str, Any], sheet: ParSheet, name: str, values: list[list[float]]) -> None:
    page = book.add_worksheet(name)
    boxes = [box.id for box in sheet.pay_table.boxes]
    _head(page, forms, ["", *boxes])
    for row, (box, figures) in enumerate(zip(boxes, values, strict=True), start=1):
        page.write(row, 0, box, forms["bold"])
        for column, value in enumerate(figures, start=1):
            page.write_number(row, column, round(value, 12), forms["number"])
    shades = {"type": "3_color_scale", "min_color": "#205CA0", "mid_color": "#FFFFFF", "max_color": "#B22D3A"}
    shades.update({"mid_type": "num", "mid_value": 0})  # type: ignore[dict-item] # numbers too
    page.conditional_format(1, 1, len(boxes), len(boxes), shades)


def _check(book: Any, forms: dict[str, Any], sheet: ParSheet) -> None:
    check = sheet.check
    page = book.add_worksheet("Cross-check")
    _head(page, forms, ["box", "exact return", "simulated return", "standard errors", "verdict"])
    page.set_column(0, 4, 16)
    for row, each in enumerate(check.returns, start=1):
        page.write(row, 0, each.box, forms["bold"])
        page.write(row, 1, float(each.exact), forms["percent"])
        page.write(row, 2, float(each.observed), forms["percent"])
        page.write(row, 3, each.z, forms["number"])
        page.write(row, 4, "pass" if each.passes else "fail")
    page.write(0, 6, "chi-square of", forms["head"])
    for column, title in enumerate(["statistic", "degrees of freedom", "p-value", "verdict"], start=7):
        page.write(0, column, title, forms["head"])
    for row, test in enumerate(check.tests, start=1):
        page.write(row, 6, test.name)
        page.write(row, 7, test.statistic, forms["number"])
        page.write(row, 8, test.freedom)
        page.write_formula(row, 9, f"=CHIDIST(H{row + 1},I{row + 1})", forms["number"], test.p_value)
        page.write(row, 10, "pass" if test.passes else "fail")
    facts = [("rounds", check.rounds), ("seed", check.seed), ("level of all together", float(check.level))]
    for row, (name, value) in enumerate(facts, start=6):
        page.write(row, 6, name)
        page.write(row, 7, value)
