"""The PAR sheet: its figures, its four forms, and that they say the same."""

import json
import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError, UnknownName
from taisai.odds.par import crosscheck
from taisai.odds.par.crosscheck import cross_check
from taisai.odds.par.document import par_document
from taisai.odds.par.html import par_html
from taisai.odds.par.markdown import par_markdown
from taisai.odds.par.sheet import ParSheet, par_sheet
from taisai.odds.par.workbook import par_workbook
from taisai.odds.par.write import write_par
from taisai.odds.par.writing import par_page
from taisai.odds.report.page import Grid

WIDE = "tai-sai-v6/3"


def sheet_of(name: str, **options: object) -> ParSheet:
    return par_sheet(taisai.pay_table(name), taisai.rulebook(name.partition("/")[0]), **options)


@pytest.fixture(scope="module")
def wide() -> ParSheet:
    return sheet_of(WIDE, rounds=1_000_000)


def test_measures_of_a_box_are_those_of_its_216_nets() -> None:
    """Kurtosis, volatility, break-even and rounds to settle against plain sums over the rolls."""
    for name in ("big", "single-1", "triple-6"):
        box = taisai.pay_table("tai-sai-v6/2").box(name)
        nets = np.array([float(box.pays_on(roll) or -1) for roll in ROLLS])
        measures = sheet_of("tai-sai-v6/2", rounds=10_000).boxes[name]
        spread = nets.std()
        assert float(measures.kurtosis) == pytest.approx(((nets - nets.mean()) ** 4).mean() / spread**4)
        assert measures.odds.skewness == pytest.approx(((nets - nets.mean()) ** 3).mean() / spread**3)
        for level, z in ((90, 1.6448536), (95, 1.9599640), (99, 2.5758293)):
            assert measures.volatility_index(level) == pytest.approx(z * spread, rel=1e-7)
        assert measures.rounds_to_settle == ceil((1.959963984540054 * spread / 0.005) ** 2 - 1e-6)
        assert measures.return_band(measures.rounds_to_settle) <= 0.005
        assert measures.one_in == Fraction(216, int((nets > 0).sum()))
        fair = measures.break_even * measures.odds.probability - (1 - measures.odds.probability)
        assert fair == 0


def test_covariances_are_exact_and_correlations_follow(wide: ParSheet) -> None:
    """Against plain sums over the 216 rolls, and for the pairs that everyone knows."""
    table = wide.pay_table
    names = ["small", "big", "sum-6", "trio-123", "single-2"]
    nets = {name: [Fraction(table.box(name).pays_on(r) or -1) for r in ROLLS] for name in names}
    for first in names:
        for second in names:
            products = sum(a * b for a, b in zip(nets[first], nets[second], strict=True)) / 216
            expected = products - sum(nets[first]) / 216 * (sum(nets[second]) / 216)
            assert wide.covariance(first, second) == expected
    correlations = wide.correlations
    assert np.allclose(np.diag(correlations), 1)
    assert np.allclose(correlations, correlations.T)
    assert wide.strongest_correlations(1) == [("small", "big", pytest.approx(-35 / 37))]
    variance = wide.boxes["big"].odds.variance
    assert wide.covariance("big", "big") == variance
    assert wide.covariances[1, 1] == pytest.approx(float(variance))
    with pytest.raises(UnknownName):
        wide.covariance("big", "bog")


def test_half_unit_odds_have_exact_covariances() -> None:
    """The matrix works in half units and says so in its denominator."""
    sheet = sheet_of("sic-bo-etg-v8/2", rounds=10_000)
    assert sheet.covariance("sum-8", "sum-8") == sheet.boxes["sum-8"].odds.variance


def test_boxes_alike_share_a_line_and_no_others_do(wide: ParSheet) -> None:
    """A summary may speak of fifteen dominoes at once because their distributions are one."""
    assert sum(len(line.boxes) for line in wide.lines) == 107
    for line in wide.lines:
        distributions = {tuple(wide.boxes[name].odds.distribution.items()) for name in line.boxes}
        assert len(distributions) == 1


def test_sessions_are_the_exact_distribution() -> None:
    """The chance to be ahead after 100 rounds of big, by the binomial."""
    from math import comb

    session = sheet_of("macau/1", rounds=10_000).boxes["big"].sessions[0]
    exact = sum(comb(100, k) * 35**k * 37 ** (100 - k) for k in range(51, 101)) / 72**100
    assert session["ahead"] == pytest.approx(exact, rel=1e-14)
    assert session["rounds"] == 100


def test_the_floor_marks_what_returns_less() -> None:
    """Macau's triples return 69.9 %, which a floor of 75 % marks and one of 60 % does not."""
    marked = sheet_of("macau/1", rounds=10_000).below_floor
    assert "triple-1" in marked
    assert "big" not in marked
    assert "triple-1" not in sheet_of("macau/1", rounds=10_000, return_floor=Fraction(6, 10)).below_floor


def test_the_cross_check_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded dice in the simulation are noticed, by rolls, by totals and by returns."""
    table = taisai.pay_table("tai-sai-v6/2")

    class Loaded(np.random.Generator):
        def multinomial(self, n: int, pvals: np.ndarray, **options: Any) -> np.ndarray:
            if len(pvals) != len(ROLLS):
                return super().multinomial(n, pvals, **options)
            weights = np.array([1.02 if roll.first == 6 else 1.0 for roll in ROLLS])
            return super().multinomial(n, weights / weights.sum())

    monkeypatch.setattr(np.random, "Generator", Loaded)
    check = cross_check(table, rounds=10_000_000, seed=1)
    assert not check.passes
    assert not check.tests[0].passes
    assert not next(each for each in check.returns if each.box == "big").passes


def test_the_cross_check_finds_dice_that_waste_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the 40 bytes beyond the rolls not thrown away, 40 rolls would be twice as likely."""
    monkeypatch.setattr(crosscheck, "roll_of_byte", lambda byte: ROLLS[byte % 216])
    check = cross_check(taisai.pay_table("macau/1"), rounds=100_000, seed=1)
    assert [test.name for test in check.tests if not test.passes] == ["the tables' own dice"]


def test_the_cross_check_is_the_same_for_the_same_seed() -> None:
    """And another for another."""
    table = taisai.pay_table("macau/1")
    checks = [cross_check(table, rounds=10_000, seed=seed) for seed in (5, 5, 6)]
    assert checks[0] == checks[1] != checks[2]
    assert sum(checks[0].totals.values()) == 10_000


class _Page(HTMLParser):
    """Collects what a page would fetch, and whether its elements close."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        for name, value in attrs:
            inside = (value or "").startswith(("data:", "#"))
            if name in ("src", "href", "xlink:href", "action") and not inside:
                self.fetched.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br"):
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_html_is_one_file_that_fetches_nothing(wide: ParSheet) -> None:
    """Styles and pictures inside, no script, every element closed, all sections there."""
    html = par_html(wide)
    page = _Page()
    page.feed(html)
    assert page.fetched == []
    assert page.open == []
    assert "<script" not in html
    assert "url(" not in html
    text = " ".join(page.text)
    for words in (
        wide.pay_table.digest,
        wide.rulebook.digest,
        f"taisai {wide.version}",
        "29.17 %",
        "Cross-check",
    ):
        assert words in text
    assert html.count("<svg") > 56
    assert html.count("data:image/png") == 1
    for box in wide.boxes:
        assert f"<td>{box}</td>" in html


def test_page_and_markdown_are_one_document_in_two_forms(wide: ParSheet) -> None:
    """Every sentence and every cell of every table is in both; pictures are the page's own."""
    page, markdown = par_page(wide), par_markdown(wide)
    read = _Page()
    read.feed(par_html(wide))
    words = " ".join(read.text)
    tables = [
        block
        for section in page.sections
        for block in (*(each for column in section.beside for each in column), *section.below)
        if isinstance(block, Grid)
    ]
    assert len(tables) == 9
    for section in page.sections:
        for sentence in section.words:
            assert sentence in words, sentence
            assert sentence in markdown, sentence
    for table in tables:
        for row in table.rows:
            plain = [entry.text for entry in row]
            marked = [f"**{entry.text}**" if entry.marked else entry.text for entry in row]
            marked[0] += f" ×{row[0].boxes}" if row[0].boxes > 1 else ""
            assert f"| {' | '.join(marked)} |\n" in markdown, plain
            assert all(text in read.text for text in plain), plain
    for fact in (*page.identity, *page.highlights):
        assert fact.value in words
        assert fact.value in markdown


def test_a_title_with_signs_of_html_is_shown_and_not_obeyed() -> None:
    """A house writes its own rulebooks: what they say is text on the page."""
    sheet = sheet_of("macau/1", rounds=10_000)
    loud = replace(sheet, rulebook=replace(sheet.rulebook, title="<b>Sic & Bo</b>"))
    assert "&lt;b&gt;Sic &amp; Bo&lt;/b&gt;, version" in par_html(loud)
    assert "<b>Sic & Bo</b>, version" in par_markdown(loud)


def test_markdown_and_json_carry_every_box(wide: ParSheet) -> None:
    """The same exact fractions in both."""
    markdown, document = par_markdown(wide), par_document(wide)
    assert json.loads(json.dumps(document)) == document
    assert [box["box"] for box in document["boxes"]] == list(wide.boxes)
    for box in document["boxes"]:
        assert re.search(rf"^\| {box['box']} \|.*\| {box['edge']} \|", markdown, re.MULTILINE)
    assert document["identity"]["pay_table_digest"] == wide.pay_table.digest
    assert document["identity"]["rulebook_digest"] == wide.rulebook.digest
    assert document["sample_space"]["rolls"] == 216
    assert len(document["sample_space"]["ways_of_combinations"]) == 56
    assert document["sample_space"]["ways_of_totals"]["10"] == 27
    assert len(document["correlation"]["matrix"]) == 107
    assert document["cross_check"]["verdict"] == "pass"
    assert set(document["boxes"][0]["volatility_index"]) == {"90", "95", "99"}


def _cells(workbook: bytes, page: int) -> dict[str, tuple[str | None, str]]:
    """Formula and value of every cell of a worksheet, read from its XML."""
    with zipfile.ZipFile(BytesIO(workbook)) as archive:
        xml = archive.read(f"xl/worksheets/sheet{page}.xml").decode("utf-8")
    found = re.findall(r'<c r="([A-Z]+\d+)"[^>]*>(?:<f>(.*?)</f>)?(?:<v>(.*?)</v>)?</c>', xml)
    return {name: (formula.replace("&gt;", ">") or None, value) for name, formula, value in found}


def _evaluate(formula: str, cells: dict[str, tuple[str | None, str]]) -> float:
    """A workbook's formula in Python: enough of the language for those that we write."""

    def value(name: str) -> float:
        inner, stored = cells[name]
        return _evaluate(inner, cells) if inner else float(stored)

    code = re.sub(r"\b([A-Z]{1,3}\d+)\b", r'value("\1")', formula.replace("^", "**"))
    names = {"value": value, "SUM": lambda *each: sum(each), "SQRT": sqrt, "ROUNDUP": lambda x, _: ceil(x)}
    return float(eval(code, {"__builtins__": {}}, names))


def test_the_workbooks_formulas_compute_what_the_sheet_says(wide: ParSheet) -> None:
    """Probability, return, edge, moments and volatility follow from ways and odds by live formulas."""
    cells = _cells(par_workbook(wide), 3)
    for row, (name, box) in enumerate(wide.boxes.items(), start=2):
        odds = box.odds
        expected = {
            "I": odds.ways,
            "J": float(odds.probability),
            "L": float(box.break_even),
            "M": float(odds.returns),
            "N": float(odds.edge),
            "O": float(odds.variance),
            "P": odds.standard_deviation,
            "Q": odds.skewness,
            "R": float(box.kurtosis),
            "T": box.volatility_index(95),
            "V": box.rounds_to_settle,
        }
        for column, value in expected.items():
            formula, stored = cells[f"{column}{row}"]
            assert formula, (name, column)
            assert _evaluate(formula, cells) == pytest.approx(value, rel=1e-9, abs=1e-9), (name, column)
            assert float(stored) == pytest.approx(value, rel=1e-9, abs=1e-12)


def test_the_workbook_has_the_worst_case_of_each_outcome_by_formula(wide: ParSheet) -> None:
    """Maxima are inputs; the cached values are those of the sheet."""
    cells = _cells(par_workbook(wide), 4)
    formula, stored = cells["D4"]
    assert formula == "SUMPRODUCT($F$3:$DH$3,F4:DH4,--(F4:DH4>0))"
    assert float(stored) == float(wide.liability.outcomes[0].house_pays)
    assert float(cells["D60"][1]) == float(wide.liability.worst.house_pays)


@pytest.mark.parametrize("ending", ["html", "md", "json", "xlsx"])
def test_the_same_sheet_is_the_same_file(ending: str, tmp_path: Path) -> None:
    """Byte for byte, so that a sheet can be signed and compared."""
    first, second = (
        write_par(sheet_of("macau/1", rounds=10_000), tmp_path / f"{k}.{ending}").read_bytes() for k in "ab"
    )
    assert first == second


@pytest.mark.parametrize("name", ["tai-sai-v3/1", "sic-bo-etg-v8/1", "sic-bo-etg-v8/2", "atlantic-city/1"])
def test_every_kind_of_table_has_its_sheet(name: str) -> None:
    """Fifty boxes or a hundred, whole odds or halves."""
    sheet = sheet_of(name, rounds=1_000_000, maxima={"big": 5000}, default_maximum=100)
    assert sheet.check.passes
    assert sheet.maxima["big"] == 5000
    assert len(pa.table(sheet.frame())) == len(sheet.pay_table.boxes)
    page = _Page()
    page.feed(par_html(sheet))
    assert not page.open
    assert sheet.pay_table.id in par_markdown(sheet)


def test_the_sheet_of_107_boxes_takes_less_than_three_seconds() -> None:
    """From the pay table to the page, in the processor's time: a busy machine is no failure."""
    tries = []
    for _ in range(2):
        start = process_time()
        par_html(sheet_of(WIDE))
        tries.append(process_time() - start)
    assert min(tries) < 3


def test_a_sheet_refuses_what_makes_no_sense(tmp_path: Path) -> None:
    """One clear line for each mistake."""
    with pytest.raises(InputError, match="is no pay table of macau"):
        par_sheet(taisai.pay_table(WIDE), taisai.rulebook("macau"))
    with pytest.raises(InputError, match="a cross-check takes 10000 to"):
        sheet_of("macau/1", rounds=1)
    with pytest.raises(InputError, match="a seed"):
        sheet_of("macau/1", seed=-1)
    with pytest.raises(InputError, match="a maximum is a whole number"):
        sheet_of("macau/1", default_maximum=-1)
    with pytest.raises(InputError, match="expected a floor of the return between 0 and 1"):
        sheet_of("macau/1", return_floor=Fraction(2))
    with pytest.raises(UnknownName, match="box or group on macau/1"):
        sheet_of("macau/1", maxima={"bog": 1})
    with pytest.raises(InputError, match=r"ends in .html, .md, .json, .xlsx, got 'x.pdf'"):
        write_par(sheet_of("macau/1", rounds=10_000), tmp_path / "x.pdf")
    with pytest.raises(InputError, match="cannot write"):
        write_par(sheet_of("macau/1", rounds=10_000), tmp_path / "no" / "x.md")
