"""The felt: every box in one place, nothing over another, and both drawings show all of it."""

import re
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import taisai
from taisai.errors import InputError, UnknownName
from taisai.rulebooks.felt import felt_svg, placement_svg
from taisai.rulebooks.felt_canvas import _joints, cell_width
from taisai.rulebooks.felt_text import felt_lines, felt_text
from taisai.rulebooks.felt_words import odds_figure
from taisai.rulebooks.layout import (
    Area,
    FeltPlace,
    Layout,
    automatic_layout,
    layout_faults,
    parse_layout,
    shipped_layout,
    shipped_layouts,
)
from taisai.rulebooks.marks import marks_of
from taisai.rulebooks.model import PayTable

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [table for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables]
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.id)
RAW: dict[str, Any] = {
    "format": 1,
    "id": "two",
    "width": 6,
    "height": 3,
    "section": [
        {"x": 0, "y": 1, "w": 3, "h": 2, "rows": [["small", "big"]]},
        {"x": 3, "y": 1, "w": 3, "h": 2, "rows": [["", "single-1"]]},
    ],
    "caption": [{"x": 3, "y": 0, "w": 3, "h": 1, "group": "single"}],
}
BOXES = ("small", "big", "single-1")


def altered(**changes: Any) -> dict[str, Any]:
    """RAW with other values; `section_1_x=2` reaches into the second section."""
    raw = deepcopy(RAW)
    for path, value in changes.items():
        *way, last = [int(step) if step.isdigit() else step for step in path.split("_")]
        inner: Any = raw
        for step in way:
            inner = inner[step]
        inner[last] = value
    return raw


def assert_sound(layout: Layout) -> None:
    areas: list[Area] = [*layout.places, *layout.captions]
    for number, area in enumerate(areas):
        assert area.w > 0
        assert area.h > 0
        assert area.x >= 0
        assert area.y >= 0
        assert area.right <= layout.width
        assert area.bottom <= layout.height
        assert not any(area.overlaps(other) for other in areas[:number]), area


# Layouts


@each_table
def test_a_layout_holds_every_box_of_its_pay_table_once(table: PayTable) -> None:
    """A player can reach each box, and no box twice."""
    assert Counter(place.box for place in table.layout.places) == Counter(box.id for box in table.boxes)


@each_table
def test_nothing_on_a_layout_overlaps_or_leaves_the_felt(table: PayTable) -> None:
    """Chips on a box lie on that box only."""
    assert_sound(table.layout)


@pytest.mark.parametrize(
    ("layout_id", "boxes"),
    [
        ("felt-50", 50),
        ("felt-104", 104),
        ("felt-107", 107),
        ("terminal-56", 56),
        ("terminal-104", 104),
        ("terminal-104-c", 104),
    ],
)
def test_each_shipped_layout_has_its_boxes(layout_id: str, boxes: int) -> None:
    """The six layouts of the approved rulebooks, each about twice as wide as high."""
    layout = shipped_layout(layout_id)
    assert layout.id == layout_id
    assert len(layout.places) == boxes
    assert_sound(layout)
    assert Fraction(7, 4) <= Fraction(layout.width, layout.height) <= Fraction(9, 4)


def test_the_shipped_layouts_are_all_in_use() -> None:
    """No layout lies around that no pay table shows."""
    assert {table.layout.id for table in TABLES} - {"automatic"} == set(shipped_layouts())


def test_the_live_felt_reads_as_the_appendix_prints_it() -> None:
    """Big at the left, small at the right; totals, dominoes and single dice from high to low."""
    at = {place.box: place for place in shipped_layout("felt-50").places}
    rows = [
        [f"sum-{total}" for total in range(17, 3, -1)],
        [f"domino-{pair}" for pair in "56 46 45 36 35 34 26 25 24 23 16 15 14 13 12".split()],
        [f"single-{face}" for face in range(6, 0, -1)],
        "big double-6 double-5 double-4 any-triple double-3 double-2 double-1 small".split(),
    ]
    for row in rows:
        assert [at[box].x for box in row] == sorted(at[box].x for box in row)
    for row in rows[:3]:
        assert len({at[box].y for box in row}) == 1
    assert at["triple-4"].y < at["triple-5"].y < at["triple-6"].y
    assert at["triple-1"].y < at["triple-2"].y < at["triple-3"].y
    assert at["triple-6"].right == at["any-triple"].x
    assert at["any-triple"].right == at["triple-1"].x


def test_places_are_exact() -> None:
    """Fourteen totals share a row without a gap, though no grid line falls between them."""
    at = {place.box: place for place in shipped_layout("felt-50").places}
    for total in range(17, 4, -1):
        assert at[f"sum-{total}"].right == at[f"sum-{total - 1}"].x


def test_an_unknown_layout_suggests_the_nearest() -> None:
    """A slip of the pen is answered with what was meant."""
    with pytest.raises(UnknownName, match="did you mean 'felt-104'"):
        shipped_layout("felt-140")
    with pytest.raises(UnknownName):
        shipped_layout("../macau")


def test_a_layout_can_be_narrowed_to_some_boxes() -> None:
    """A house that offers less leaves bare felt and moves nothing."""
    whole = shipped_layout("felt-50")
    some = whole.only({"big", "small"})
    assert [place.box for place in some.places] == ["big", "small"]
    assert set(some.places) <= set(whole.places)


def test_a_layout_is_read_from_its_data() -> None:
    """A section is shared evenly, an empty id leaves a gap."""
    layout = parse_layout(RAW)
    half = Fraction(3, 2)
    assert layout.places[1] == FeltPlace("big", x=half, y=Fraction(1), w=half, h=Fraction(2))
    assert layout.places[2] == FeltPlace("single-1", x=3 + half, y=Fraction(1), w=half, h=Fraction(2))
    assert layout_faults(RAW, BOXES) == []


@pytest.mark.parametrize(
    ("changes", "key", "message"),
    [
        ({"section_0_rows": [["small", "bog"]]}, "section[0].rows", "bog is not offered"),
        ({"section_0_rows": [["small", "small"]]}, "section[0].rows", "small already has a place"),
        ({"section_0_rows": [["small"]]}, "section", "big has no place"),
        ({"section_1_w": 4}, "section[1].rows", "single-1 reaches over the edge of the felt, 6 by 3"),
        ({"section_1_x": 0}, "section[1].rows", "single-1 overlaps big"),
        ({"caption_0_y": 1}, "caption[0]", "the caption of single overlaps single-1"),
        ({"caption_0_group": "singel"}, "caption[0].group", "no box of this pay table is of singel"),
        ({"caption_0_group": ""}, "caption[0].group", "expected a kind"),
        ({"section_0_x": -1}, "section[0].x", "expected a whole number, got -1"),
        ({"section_0_h": 0}, "section[0].h", "expected a whole number above 0, got 0"),
        ({"section_0_w": 1.5}, "section[0].w", "expected a whole number above 0, got 1.5"),
        ({"section_0_rows": []}, "section[0].rows", "expected rows of box ids"),
        ({"section_0_rows": [[1]]}, "section[0].rows", "expected rows of box ids"),
        ({"section_0_colour": "red"}, "section[0].colour", "unknown key"),
        ({"section_0": 7}, "section[0]", "expected a table, got 7"),
        ({"section": []}, "section", "at least one section"),
        ({"caption": 3}, "caption", "expected [[caption]] tables"),
        ({"width": "6"}, "width", "expected a whole number above 0, got '6'"),
        ({"format": 2}, "format", "this version reads format 1, got 2"),
        ({"id": 5}, "id", "expected a name"),
        ({"depth": 5}, "depth", "unknown key"),
    ],
)
def test_a_faulty_layout_says_what_is_wrong_and_where(
    changes: dict[str, Any], key: str, message: str
) -> None:
    """Each fault has its key in the file."""
    faults = layout_faults(altered(**changes), BOXES)
    assert any(found == key and message in said for found, said in faults), faults


def test_all_faults_are_found_at_once() -> None:
    """Whoever writes a layout sees the whole list, not the first line of it."""
    raw = altered(section_0_rows=[["small", "bog"]], section_1_x=0)
    assert [key for key, _ in layout_faults(raw, BOXES)] == ["section[0].rows", "section", "section[1].rows"]


def test_a_layout_with_faults_is_not_read() -> None:
    """`parse_layout` raises what `layout_faults` would have said."""
    with pytest.raises(InputError, match=r"section\[1\].rows: single-1 overlaps big"):
        parse_layout(altered(section_1_x=0))
    with pytest.raises(InputError, match="width: expected"):
        parse_layout(altered(width=0))


@each_table
def test_any_pay_table_can_have_an_automatic_layout(table: PayTable) -> None:
    """A house without a layout gets one with the same promises."""
    layout = automatic_layout([(group.id, group.boxes) for group in table.groups])
    assert sorted(place.box for place in layout.places) == sorted(box.id for box in table.boxes)
    assert_sound(layout)
    assert len(layout.captions) == len(table.groups)
    assert layout.width == 2 * layout.height


# The picture


@each_table
def test_the_picture_shows_every_box_with_its_odds(table: PayTable) -> None:
    """Well-formed, each box a group with its id, its name and odds for a reader, and the odds in print."""
    root = ET.fromstring(felt_svg(table))
    groups = [group for group in root.iter(f"{SVG}g") if "data-box" in group.attrib]
    assert sorted(group.attrib["data-box"] for group in groups) == sorted(box.id for box in table.boxes)
    for group in groups:
        box = table.box(group.attrib["data-box"])
        title = group.findtext(f"{SVG}title") or ""
        assert title.startswith(f"{box.id}: ")
        assert title.endswith(" to 1")
        assert marks_of(table.layout.id).odds_on(box) in [text.text for text in group.iter(f"{SVG}text")]


@each_table
def test_the_picture_stands_alone(table: PayTable) -> None:
    """Every reference is to something in the picture itself."""
    svg = felt_svg(table)
    ids = set(re.findall(r'\bid="([^"]+)"', svg))
    assert {*re.findall(r'href="#([^"]+)"', svg), *re.findall(r"url\(#([^)]+)\)", svg)} <= ids
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@each_table
def test_dice_and_tiles_stay_within_their_boxes(table: PayTable) -> None:
    """No die hangs over the edge of its box."""
    for group in ET.fromstring(felt_svg(table)).iter(f"{SVG}g"):
        if "data-box" not in group.attrib:
            continue
        tile = group.find(f"{SVG}rect")
        assert tile is not None
        left, top, width, height = (float(tile.attrib[key]) for key in ("x", "y", "width", "height"))
        for die in group.iter(f"{SVG}use"):
            x, y, w, h = (float(die.attrib[key]) for key in ("x", "y", "width", "height"))
            assert left <= x
            assert x + w <= left + width
            assert top <= y
            assert y + h <= top + height


def test_the_picture_draws_the_dice_that_a_box_names() -> None:
    """A double shows its face twice, a triple three times, a pair as it is printed."""
    root = ET.fromstring(felt_svg(taisai.pay_table("tai-sai-v6/2")))
    drawn = {
        group.attrib["data-box"]: [use.attrib["href"][-1] for use in group.iter(f"{SVG}use")]
        for group in root.iter(f"{SVG}g")
        if "data-box" in group.attrib
    }
    assert drawn["double-6"] == ["6", "6"]
    assert drawn["triple-4"] == ["4", "4", "4"]
    assert drawn["pair-113"] == ["1", "1", "3"]
    assert drawn["four-6532"] == ["6", "5", "3", "2"]
    assert drawn["sum-17"] == []


def test_the_title_is_optional() -> None:
    """Without the head line the picture is lower, and still names its pay table to a reader."""
    table = taisai.pay_table("tai-sai-v3/1")
    plain, titled = felt_svg(table, title=False), felt_svg(table)
    assert "TAI SAI" not in plain
    assert "TAI SAI" in titled
    assert "SIC BO" not in titled
    assert "SIC BO" in felt_svg(taisai.pay_table("sic-bo-etg-v8/1"))
    assert "<title>tai-sai-v3/1: " in plain


@pytest.mark.clause("tai-sai-v3", "2.1.1")
@pytest.mark.clause("sic-bo-etg-v8", "2.1.1")
@pytest.mark.parametrize(
    ("name", "marks"),
    [
        (
            "tai-sai-v3/1",
            ["ARE NUMBER 11 TO 17", "LOSE IF ANY TRIPLE APPEARS", "11点至17", "一翻一", "围骰通吃"],
        ),
        ("sic-bo-etg-v8/1", ["11 - 17", "EXCEPT FOR ANY TRIPLE", "1 WINS 64", "1 WINS 8½", "1 WINS 7½"]),
        ("sic-bo-etg-v8/2", ["EXCEPT FOR ANY TRIPLE", "1 WINS 50", "1 WINS 30"]),
        ("sic-bo-etg-v8/3", ["NUMBERS 4 TO 10", "1:62", "1:7", "1:180", "1 WINS 50"]),
        ("tai-sai-v6/1", ["LOSE IF ANY TRIPLE APPEARS", "1 WINS 62"]),
    ],
)
def test_a_layout_prints_the_marks_of_its_appendix(name: str, marks: list[str]) -> None:
    """Word for word, in the picture of the felt; where the appendix is lost, those of the nearest."""
    root = ET.fromstring(felt_svg(taisai.pay_table(name)))
    printed = {text.text for text in root.iter(f"{SVG}text")}
    printed |= {group.attrib["aria-label"] for group in root.iter(f"{SVG}g") if "aria-label" in group.attrib}
    assert set(marks) <= printed


@each_table
def test_chinese_signs_are_drawn_as_outlines(table: PayTable) -> None:
    """A picture needs no font for them, so that none is blank on a machine without one."""
    root = ET.fromstring(felt_svg(table))
    for text in root.iter(f"{SVG}text"):
        assert (text.text or "").isascii() or set(text.text or "") - {"½", "·", "–"} <= set(
            map(chr, range(128))
        )


@pytest.mark.clause("tai-sai-v4", "2.1.1")
@pytest.mark.clause("tai-sai-v6", "2.1.1")
def test_chips_are_drawn_on_the_boxes_that_have_bets() -> None:
    """On the felt, and on one box alone as an example of its kind."""
    table = taisai.pay_table("tai-sai-v6/2")
    root = ET.fromstring(felt_svg(table, chips={"big": "100", "pair-113": "2,500"}))
    drawn = [group.attrib["data-chip"] for group in root.iter(f"{SVG}g") if "data-chip" in group.attrib]
    assert sorted(drawn) == ["100", "2,500"]
    for box in table.boxes:
        example = ET.fromstring(placement_svg(table, box.id, "50"))
        assert [g.attrib["data-chip"] for g in example.iter(f"{SVG}g") if "data-chip" in g.attrib] == ["50"]


# The drawing in characters


@each_table
@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("stakes", [None, {}], ids=["bare", "with stakes"])
def test_the_drawing_has_every_box_and_fits(
    table: PayTable, width: int, stakes: dict[str, int] | None
) -> None:
    """Each box prints its label, each line has the width asked for."""
    lines = felt_lines(table, width, stakes=stakes)
    (columns,) = {sum(cell_width(segment.text) for segment in line) for line in lines}
    assert columns == width or (table.layout.id == "automatic" and width < columns < 100)
    said: dict[str, str] = {}
    for line in lines:
        for segment in line:
            if segment.box and segment.part == "label":
                said[segment.box] = said.get(segment.box, "") + segment.text.replace(" ", "")
    assert said.keys() == {box.id for box in table.boxes}
    for box in table.boxes:
        wanted = "".join(map(str, box.numbers)) if box.kind not in {"single", "double", "triple"} else ""
        assert said[box.id]
        assert said[box.id].startswith(wanted), box.id


@each_table
@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_drawing_tells_every_price(table: PayTable, width: int) -> None:
    """In the box, or in the caption of its group."""
    lines = felt_lines(table, width)
    captions = " ".join(segment.text for line in lines for segment in line if segment.part == "caption")
    in_box = {segment.box: segment.text for line in lines for segment in line if segment.part == "odds"}
    for box in table.boxes:
        figures = [odds_figure((pays,)) for pays in box.pays]
        where = in_box.get(box.id, captions)
        assert all(re.search(rf"(?<![\d½]){figure}(?![\d½])", where) for figure in figures), box.id


def test_winning_boxes_have_heavy_frames_of_their_own() -> None:
    """So that they show without colour, and can be coloured with it."""
    table = taisai.pay_table("tai-sai-v3/1")
    lines = felt_lines(table, 100, highlight={"big"})
    frame = [segment for line in lines for segment in line if segment.part == "frame" and segment.box]
    heavy = re.sub("[─│┌┐└┘├┤┬┴┼ ]", "", "".join(segment.text for segment in frame))
    assert {segment.box for segment in frame} == {"big"}
    assert heavy == "".join(segment.text for segment in frame)
    assert heavy.startswith("┏━")
    assert not re.search("[━┃]", felt_text(table, 100))


@pytest.mark.parametrize(
    ("stake", "width", "shown"),
    [
        (25, 100, "●25"),
        (500, 80, "500"),
        (1250, 100, "●1,250"),
        (1250, 80, "1k+"),
        (20_000, 80, "20k"),
        (0, 100, ""),
    ],
)
def test_a_stake_is_shown_as_fully_as_there_is_room(stake: int, width: int, shown: str) -> None:
    """A shortened stake that hides something says so."""
    table = taisai.pay_table("tai-sai-v6/2" if width == 80 else "tai-sai-v3/1")
    lines = felt_lines(table, width, stakes={"sum-17": stake})
    (text,) = [segment.text for line in lines for segment in line if segment[1:] == ("sum-17", "stake")]
    assert text.replace(" ", "") == shown


def test_a_narrow_terminal_gets_the_narrowest_drawing_that_holds_all() -> None:
    """Better too wide than wrong."""
    lines = felt_lines(taisai.pay_table("tai-sai-v6/3"), 10)
    assert 60 < sum(cell_width(segment.text) for segment in lines[0]) <= 81


def test_the_plain_text_is_the_drawing_without_colours() -> None:
    """One source for both."""
    table = taisai.pay_table("sic-bo-etg-v8/1")
    lines = felt_lines(table, 90)
    joined = ["".join(segment.text for segment in line) for line in lines]
    assert felt_text(table, 90).splitlines() == [line.rstrip() for line in joined]


def test_there_is_a_character_for_every_meeting_of_lines() -> None:
    """Four arms, each absent, light or heavy: 80 meetings that are not empty."""
    assert len(_joints()) == 3**4 - 1
