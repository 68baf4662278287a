"""Every verb in every format: data on standard output, the same data in each."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import taisai
from tests.unit.command import run

HOUSE = str(Path(__file__).parents[1] / "files" / "house.toml")

VERBS = {
    "rules": ["rules"],
    "rules of one book": ["rules", "tai-sai-v6"],
    "rules of one clause": ["rules", "tai-sai-v6", "--clause", "5.1"],
    "odds": ["odds", "sic-bo-etg-v8/1"],
    "odds of one box": ["odds", "tai-sai-v6/2", "--box", "single-1", "--box", "big"],
    "settle": ["settle", "tai-sai-v6/2", "--dice", "1,1,3", "--bet", "big=100", "--bet", "pair-113=50"],
    "compare": ["compare", "tai-sai-v6/2", "sic-bo-etg-v8/2"],
    "compare what differs": ["compare", "macau/1", "australia/1", "--different"],
    "layout": ["layout", "tai-sai-v6/3"],
    "check": ["check", HOUSE],
    "prorata": ["prorata", "--maximum", "1000", "--minimum", "50", "--unit", "5", "300", "600", "400"],
}
every_verb = pytest.mark.parametrize("arguments", VERBS.values(), ids=VERBS)


@every_verb
def test_json_is_one_document(arguments: list[str]) -> None:
    """What a program reads is valid JSON and nothing beside it."""
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)


@every_verb
def test_csv_and_markdown_have_the_same_rows(arguments: list[str]) -> None:
    """A header and as many rows in either format, each row of one length."""
    table, text = run(*arguments, "-f", "csv"), run(*arguments, "-f", "md")
    assert (table.exit_code, text.exit_code) == (0, 0)
    rows = list(csv.reader(io.StringIO(table.stdout)))
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1
    lines = text.stdout.splitlines()
    assert lines[1] == "|" + " --- |" * len(rows[0])
    written = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in (lines[0], *lines[2:])
    ]
    odds = [place for place, name in enumerate(rows[0]) if "pays" in name]
    for row in written[1:]:
        row[:] = [exact(cell) if place in odds else cell for place, cell in enumerate(row)]
    assert written == [[cell.replace("|", r"\|") for cell in row] for row in rows]


def exact(printed: str) -> str:
    """Odds as CSV writes them, `1 2 12` or `17/2`, from what a layout prints: `1 / 2 / 12` or `8½`."""
    parts = printed.split(" / ")
    return " ".join(str(2 * int(part[:-1]) + 1) + "/2" if part.endswith("½") else part for part in parts)


@every_verb
def test_a_table_is_the_default_and_has_no_colour_in_a_pipe(arguments: list[str]) -> None:
    """What is not a terminal gets no escape codes, and no cell is cut short."""
    result = run(*arguments)
    assert result.exit_code == 0
    assert result.stdout.strip()
    assert "\x1b" not in result.stdout
    assert "…" not in result.stdout
    assert run(*arguments, "--format", "table").stdout == result.stdout


def test_odds_as_json_has_the_documented_shape() -> None:
    """Fractions are strings, so no digit is lost; decimals stand beside them for reading."""
    document = json.loads(run("odds", "tai-sai-v6/2", "--box", "single-1", "--format", "json").stdout)
    assert document == {
        "pay_table": "tai-sai-v6/2",
        "digest": taisai.pay_table("tai-sai-v6/2").digest,
        "boxes": [
            {
                "box": "single-1",
                "kind": "single",
                "group": "single",
                "pays_to_one": ["1", "2", "12"],
                "ways": 91,
                "ways_by_price": [75, 15, 1],
                "of": 216,
                "probability": "91/216",
                "return": "26/27",
                "edge": "1/27",
                "edge_percent": 3.7037,
                "variance": "2725/1458",
                "standard_deviation": 1.367113,
                "third_central_moment": "671725/78732",
                "skewness": 3.339079,
                "skewness_squared": "721943161/64751450",
            }
        ],
    }


def test_odds_of_every_box_come_in_the_order_of_the_pay_table() -> None:
    """All 104 boxes, halves as exact fractions."""
    document = json.loads(run("odds", "sic-bo-etg-v8/2", "--format", "json").stdout)
    boxes = {box["box"]: box for box in document["boxes"]}
    assert list(boxes) == [box.id for box in taisai.pay_table("sic-bo-etg-v8/2").boxes]
    assert boxes["sum-8"]["pays_to_one"] == ["17/2"]
    assert (boxes["big"]["return"], boxes["big"]["edge"], boxes["big"]["edge_percent"]) == (
        "35/36",
        "1/36",
        2.7778,
    )


def test_settle_as_json_has_the_documented_shape() -> None:
    """Each bet with stake, result, odds and what comes back."""
    document = json.loads(run(*VERBS["settle"], "--format", "json").stdout)
    assert document == {
        "pay_table": "tai-sai-v6/2",
        "digest": taisai.pay_table("tai-sai-v6/2").digest,
        "dice": [1, 1, 3],
        "total": 5,
        "triple": False,
        "winning_boxes": [
            "small",
            "odd",
            "single-1",
            "single-3",
            "sum-5",
            "domino-13",
            "double-1",
            "pair-113",
        ],
        "bets": {
            "big": {"stake": 100, "won": False, "pays_to_one": None, "returned": 0},
            "pair-113": {"stake": 50, "won": True, "pays_to_one": "50", "returned": 2550},
        },
        "staked": 150,
        "returned": 2550,
    }


def test_settle_without_bets_says_what_the_dice_win() -> None:
    """The dice alone are a question too."""
    document = json.loads(run("settle", "sic-bo-etg-v8/2", "--dice", "444", "--format", "json").stdout)
    assert (document["triple"], document["bets"], document["returned"]) == (True, {}, 0)
    assert "sum-12" in document["winning_boxes"]
    table = run("settle", "sic-bo-etg-v8/2", "--dice", "4 4 4")
    assert (
        table.stdout
        == "4-4-4, total 12, a triple; winning boxes: single-4, sum-12, double-4, any-triple, triple-4\n"
    )


def test_settle_at_half_unit_odds_keeps_the_half() -> None:
    """8.5 to 1 on 100 brings 950, and the odds are written exactly."""
    arguments = ["settle", "sic-bo-etg-v8/2", "--dice", "1,1,6", "--bet", "sum-8=100"]
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert document["bets"]["sum-8"] == {"stake": 100, "won": True, "pays_to_one": "17/2", "returned": 950}
    assert "8½" in run(*arguments).stdout
    assert run(*arguments, "--format", "csv").stdout.splitlines()[1] == "sum-8,100,yes,17/2,950"


def test_rules_lists_the_rulebooks() -> None:
    """Five approved ones and three examples, with their pay tables."""
    rows = json.loads(run("rules", "--format", "json").stdout)
    assert [row["rulebook"] for row in rows] == list(taisai.shipped_rulebooks())
    v6 = next(row for row in rows if row["rulebook"] == "tai-sai-v6")
    assert v6 == {
        "rulebook": "tai-sai-v6",
        "title": "Tai Sai",
        "effective": "2023-10-06 08:00",
        "until": None,
        "in_force": "yes",
        "clauses": 54,
        "pay_tables": ["tai-sai-v6/1", "tai-sai-v6/2", "tai-sai-v6/3"],
        "boxes": [50, 104, 107],
        "approved": True,
    }


def test_rules_shows_a_clause_and_those_under_it() -> None:
    """5.1 brings 5.1.1 and 5.1.2 along, and neither 5.10 nor 5.11."""
    document = json.loads(run("rules", "tai-sai-v6", "--clause", "5.1", "--format", "json").stdout)
    assert [clause["clause"] for clause in document["clauses"]] == ["5.1", "5.1.1", "5.1.2"]
    assert document["rulebook"] == "tai-sai-v6"
    assert document["digest"] == taisai.rulebook("tai-sai-v6").digest
    assert "pro rata" in run("rules", "tai-sai-v6", "--clause", "5.1.1").stdout


def test_the_identity_of_a_rulebook_is_printed_above_its_clauses() -> None:
    """Source, date, procedure, limits, grounds and digest."""
    text = run("rules", "tai-sai-open-cover").stdout
    for fact in (
        "undated",
        "open, at least 3 tumbles",
        "activated-early (5.1.4)",
        taisai.rulebook("tai-sai-open-cover").digest,
    ):
        assert fact in text


def test_compare_says_who_pays_better() -> None:
    """The terminals' 8½ against the table's 8, and what only one of them has."""
    rows = {
        row["box"]: row
        for row in json.loads(run("compare", "tai-sai-v6/2", "sic-bo-etg-v8/1", "-f", "json").stdout)
    }
    assert rows["sum-8"] == {
        "box": "sum-8",
        "tai-sai-v6/2_pays": ["8"],
        "sic-bo-etg-v8/1_pays": ["17/2"],
        "tai-sai-v6/2_edge": "1/8",
        "sic-bo-etg-v8/1_edge": "11/144",
        "better_for_player": "sic-bo-etg-v8/1",
    }
    assert rows["big"]["better_for_player"] == "same"
    assert rows["trio-126"]["better_for_player"] == "only tai-sai-v6/2"
    assert rows["trio-126"]["sic-bo-etg-v8/1_pays"] is None


def test_compare_can_leave_out_what_is_the_same() -> None:
    """Two tables with the same odds differ in nothing."""
    assert (
        json.loads(run("compare", "tai-sai-v3/1", "tai-sai-v6/1", "--different", "-f", "json").stdout) == []
    )
    assert run("compare", "tai-sai-v3/1", "tai-sai-v6/1", "--different").exit_code == 0


def test_layout_as_json_places_every_box() -> None:
    """Grid units as exact fractions: enough for a page or a print to draw the felt."""
    document = json.loads(run("layout", "sic-bo-etg-v8/1", "-f", "json").stdout)
    table = taisai.pay_table("sic-bo-etg-v8/1")
    assert {box["box"] for box in document["boxes"]} == {box.id for box in table.boxes}
    assert (document["width"], document["height"]) == (table.layout.width, table.layout.height)
    assert set(document["boxes"][0]) == {"box", "x", "y", "w", "h"}
    assert all(caption["group"] for caption in document["captions"])


@pytest.mark.parametrize(
    "name", ["tai-sai-v3/1", "tai-sai-v6/2", "tai-sai-v6/3", "sic-bo-etg-v8/1", "macau/1", "australia/1"]
)
def test_layout_draws_the_felt_in_the_terminal(name: str) -> None:
    """English and Chinese captions, and no line longer than another."""
    text = run("layout", name, "--width", "100").stdout
    for word in ("BIG", "大", "SMALL", "小"):
        assert word in text
    assert len(text.splitlines()) > 10


def test_layout_shows_which_boxes_the_dice_win() -> None:
    """Winning boxes have heavy frames, so they show without colour."""
    assert "┃" not in run("layout", "tai-sai-v6/2").stdout
    assert "┃" in run("layout", "tai-sai-v6/2", "--dice", "1,1,3").stdout


def test_layout_writes_a_picture(tmp_path: Path) -> None:
    """A whole SVG document with each box, its odds and the Chinese captions; standard output stays empty."""
    path = tmp_path / "felt.svg"
    result = run("layout", "tai-sai-v6/2", "--svg", str(path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("wrote ")
    picture = path.read_text(encoding="utf-8")
    root = ET.fromstring(picture)
    boxes = {element.get("data-box") for element in root.iter() if element.get("data-box")}
    assert boxes == {box.id for box in taisai.pay_table("tai-sai-v6/2").boxes}
    for words in ("大", "小", "單", "雙", "圍骰", "1 WINS 50"):
        assert words in picture


def test_check_prints_each_return_and_warns_of_pairs() -> None:
    """The shipped pairs, at 70.8%, rightly warn; the exit code stays 0."""
    path = Path(taisai.__file__).parent / "rulebooks" / "data" / "tai-sai-v6.toml"
    result = run("check", str(path), "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert (document["rulebook"], document["faults"]) == ("tai-sai-v6", [])
    assert document["digest"] == taisai.rulebook("tai-sai-v6").digest
    assert len(document["boxes"]) == 50 + 104 + 107
    warned = {box["box"] for box in document["boxes"] if box["warning"]}
    assert {box.split("-")[0] for box in warned} == {"pair"}
    assert len(warned) == 28
    assert "warning: tai-sai-v6/2 pair-113: returns 70.8%, below the floor of 75.0%\n" in result.stderr
    assert result.stderr.endswith("261 boxes, no faults, 56 warning(s)\n")


def test_check_takes_another_floor() -> None:
    """A house that means to keep 31% is not warned of it; halves of a percent are exact."""
    assert run("check", HOUSE, "--floor", "69").stderr.endswith(" 0 warning(s)\n")
    assert "below the floor of 98.5%" in run("check", HOUSE, "--floor", "98.5").stderr


def test_check_warns_of_a_box_on_which_the_house_loses(tmp_path: Path) -> None:
    """A price that returns more than it takes is probably a slip of the pen."""
    path = tmp_path / "generous.toml"
    path.write_text(
        Path(HOUSE).read_text(encoding="utf-8").replace("pays = 49", "pays = 490"), encoding="utf-8"
    )
    result = run("check", str(path))
    assert result.exit_code == 0
    assert "warning: my-house/1 pair-221: returns 681.9%: the house loses on it" in result.stderr


def test_prorata_as_json_has_the_documented_shape() -> None:
    """The worked example of the reading."""
    assert json.loads(run(*VERBS["prorata"], "--format", "json").stdout) == {
        "effective": [230, 460, 310],
        "returned": [70, 140, 90],
    }
