"""A table's sign says every limit in force, in as few lines as that takes (3.3, 3.4; ETG 3.3)."""

import xml.etree.ElementTree as ET

import pytest

import taisai
from taisai.cli.sign_paper import SignPaper
from taisai.game.explain import catalogue
from taisai.game.limits import Limit, Limits
from taisai.game.sign import SignLine, TableSign, line_name, sign_of
from tests.rules.table import ETG, V4, V6

MANY = Limits(
    unit=500,
    default=Limit(500, 50_000),
    groups={"double": Limit(500, 20_000), "sum-4-17": Limit(1000, 5000)},
    boxes={"double-6": Limit(1000, 9000)},
    differential={"odd-even": 70_000, "big-small": 60_000},
)


def sign(pay_table: str, limits: Limits) -> TableSign:
    return sign_of(taisai.rulebook(pay_table.partition("/")[0]), taisai.pay_table(pay_table), limits)


@pytest.mark.clause(V4, "3.3", "3.4")
@pytest.mark.clause(V6, "3.3", "3.4")
def test_every_limit_is_on_the_sign() -> None:
    """For each box, the line that is closest to it says what the table holds it to."""
    found = sign("tai-sai-v6/2", MANY)
    assert found.clause == "3.3"
    assert found.differential == {"big-small": 60_000, "odd-even": 70_000}
    lines = {line.about: line for line in found.lines}
    assert list(lines) == ["other-boxes", "sum-4-17", "double", "double-6"]
    for box in taisai.pay_table("tai-sai-v6/2").boxes:
        line = lines.get(box.id) or lines.get(box.group) or lines["other-boxes"]
        assert Limit(line.minimum, line.maximum) == MANY.of(box)


def test_one_limit_for_all_is_one_line() -> None:
    """And none about other boxes where every kind has a line of its own."""
    assert sign("tai-sai-v3/1", Limits(unit=5, default=Limit(10))).lines == [
        SignLine(about="every-box", minimum=10, maximum=None)
    ]
    kinds = {group.id: Limit(10, 100) for group in taisai.pay_table("tai-sai-v3/1").groups}
    alone = sign("tai-sai-v3/1", Limits(unit=5, default=Limit(5), groups=kinds))
    assert {line.about for line in alone.lines} == set(kinds)


@pytest.mark.parametrize("where", ["groups", "boxes", "box_totals"])
def test_a_box_that_is_a_group_by_itself_has_one_line(where: str) -> None:
    """Big is a box and the only one of its group, under one name."""
    said: dict[str, object] = {where: {"big": 400 if where == "box_totals" else Limit(20, 200)}}
    limits = Limits(unit=2, default=Limit(10, 100), **said)  # type: ignore[arg-type] # one of three maps
    assert [line.about for line in sign("sic-bo-etg-v8/1", limits).lines] == ["other-boxes", "big"]


@pytest.mark.clause(ETG, "3.3")
def test_a_clusters_sign_has_the_totals_of_its_boxes() -> None:
    """What all players together may have on a box binds only where the terminals show it."""
    limits = Limits(unit=2, default=Limit(10, 100), box_totals={"big": 400, "single": 300})
    found = sign("sic-bo-etg-v8/1", limits)
    assert found.per_player
    assert {line.about: line.total for line in found.lines} == {
        "other-boxes": None,
        "big": 400,
        "single": 300,
    }


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_every_line_has_a_name_in_each_language(language: str) -> None:
    """Groups of many boxes by their kind, pairs of totals by both."""
    words = catalogue(language)
    for table in taisai.rulebook("tai-sai-v6").pay_tables:
        for about in ("every-box", *(group.id for group in table.groups), *(box.id for box in table.boxes)):
            assert line_name(table, SignLine(about=about, minimum=1, maximum=None), words)
    named = line_name(
        taisai.pay_table("tai-sai-v6/2"), SignLine(about="sum-4-17", minimum=1, maximum=None), catalogue("en")
    )
    assert named == "Total 4 · Total 17"


def test_the_paper_says_it_in_two_languages() -> None:
    """The page and the picture have every row, both names of each, and the clause."""
    words = (catalogue("en"), catalogue("zh-Hant"))
    paper = SignPaper(
        "Table <1>", taisai.pay_table("tai-sai-v6/2"), sign("tai-sai-v6/2", MANY), lambda a: f"{a:,}", words
    )
    page, picture = paper.html(), paper.svg()
    assert "Table &lt;1&gt; · tai-sai-v6/2" in page
    ET.fromstring(picture)
    for said in ("Every other box", "其他投注格", "Doubles", "對子", "50,000", "Double 6", "60,000", "3.3"):
        assert said in page
    for row in paper.rows():
        assert row.maximum in picture
