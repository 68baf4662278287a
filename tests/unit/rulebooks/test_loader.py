"""A rule file is either read whole or refused with every fault in it, each with key and line."""

from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import pytest

import taisai
from taisai.errors import Fault, InputError, RulebookError
from taisai.rulebooks.loader import parse_rulebook

FILES = Path(__file__).parents[1] / "files"
HOUSE = (FILES / "house.toml").read_text(encoding="utf-8")


def faults_of(text: str) -> list[tuple[str, int | None, str]]:
    with pytest.raises(RulebookError) as caught:
        parse_rulebook(text, "house.toml")
    return [tuple(fault) for fault in caught.value.faults]


def changed(before: str, after: str) -> str:
    assert HOUSE.count(before) >= 1, before
    return HOUSE.replace(before, after, 1)


def line_with(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def test_every_fault_of_a_broken_file_is_found_at_once() -> None:
    """One reading lists all that is wrong, in the order of the file, and nothing that is not."""
    with pytest.raises(RulebookError) as caught:
        taisai.load_rulebook(FILES / "broken-house.toml")
    expected = (FILES / "broken-house.faults").read_text(encoding="utf-8").splitlines()
    assert list(map(str, caught.value.faults)) == expected


def test_the_error_says_each_fault_on_a_line_of_its_own() -> None:
    """What `taisai check` prints is the error's own text."""
    with pytest.raises(RulebookError) as caught:
        parse_rulebook(changed("tumbles_min = 3", "tumbles_min = 0"), "my-house.toml")
    line = line_with(HOUSE, "tumbles_min")
    assert str(caught.value) == (
        "my-house.toml: 1 fault(s)\n"
        f"  line {line}: procedure.tumbles_min: expected a whole number from 1, got 0"
    )


def test_a_house_brings_its_own_file() -> None:
    """A new house is data: its file loads as any shipped rulebook does."""
    house = taisai.load_rulebook(FILES / "house.toml")
    assert (house.id, house.title, house.version, house.approved) == (
        "my-house",
        "Sic Bo at my house",
        "1",
        False,
    )
    assert house.effective == datetime(2025, 3, 1, 20)  # noqa: DTZ001 - as printed, without a zone - rule files speak local time
    assert house.headings == {"1"}
    assert house.cite("close") == "2"
    assert house.cite("walk_away") == "house"
    assert [table.id for table in house.pay_tables] == ["my-house/1", "my-house/2"]
    table = house.pay_table(1)
    assert [group.id for group in table.groups] == ["small", "single", "sum-8-13", "pair-113-661", "pair-221"]
    assert table.box("sum-8").pays == (Fraction(17, 2),)
    assert (
        taisai.settle(table, taisai.Roll(1, 1, 3), {"pair-113": 2, "single-1": 4})["pair-113"].returned == 102
    )
    assert {place.box for place in table.layout.places} == {box.id for box in table.boxes}


@pytest.mark.parametrize(
    "missing",
    ["format", "id", "title", "version", "source", "approved", "electronic", "colour_chips", "damaged_dice"],
)
def test_a_missing_key_is_one_fault(missing: str) -> None:
    """What follows from the gap is not reported again."""
    start = HOUSE.index(f"\n{missing} =")
    text = HOUSE[:start] + HOUSE[HOUSE.index("\n", start + 1) :]
    (fault,) = faults_of(text)
    assert fault[0] == missing
    assert fault[2].startswith("missing: expected ")


@pytest.mark.parametrize("table", ["procedure", "limits", "void"])
def test_a_missing_table_is_one_fault(table: str) -> None:
    """The keys that the table would hold are not listed one by one."""
    start = HOUSE.index(f"[{table}]")
    text = HOUSE[:start] + HOUSE[HOUSE.index("\n[", start) + 1 :]
    assert faults_of(text) == [(table, None, f"missing: expected a table [{table}]")]


@pytest.mark.parametrize(
    ("before", "after", "key", "message"),
    [
        (
            'id = "my-house"',
            'id = "-"',
            "id",
            "expected small letters, digits and hyphens between them, got '-'",
        ),
        (
            "effective = 2025-03-01T20:00:00",
            'effective = "today"',
            "effective",
            "expected a date, or a date and local time, got 'today'",
        ),
        (
            "effective = 2025-03-01T20:00:00",
            "effective = 20:00:00",
            "effective",
            "expected a date, or a date and local time, got 20:00:00",
        ),
        ("number = 2", "number = 1", "pay_table[1].number", "pay table 1 stands twice"),
        ('kind = "big"', 'kind = "small"\non = []', "pay_table[1].boxes[0].on", "small takes no numbers"),
        (
            "pays = 49",
            "pays = true",
            "pay_table[0].boxes[4].pays",
            "expected odds to one such as 62 or '8.5', got True",
        ),
        (
            "pays = 49",
            "pays = 0",
            "pay_table[0].boxes[4].pays",
            "expected odds to one such as 62 or '8.5', got 0",
        ),
        (
            "pays = 49",
            'pays = "1/0"',
            "pay_table[0].boxes[4].pays",
            "expected odds to one such as 62 or '8.5', got '1/0'",
        ),
        (
            "pays = 49",
            'pays = "٣"',
            "pay_table[0].boxes[4].pays",
            "expected odds to one such as 62 or '8.5', got '٣'",
        ),
        (
            'on = ["221"]',
            'on = ["311"]',
            "pay_table[0].boxes[4].on[0]",
            "pair takes the double's face twice, then another: 113, got '311'",
        ),
        (
            'on = ["221"]',
            'on = ["113"]',
            "pay_table[0].boxes[4].on[0]",
            "pair-113 wins on the same rolls as pair-113",
        ),
        (
            'on = ["221"]',
            'on = "221"',
            "pay_table[0].boxes[4].on",
            "expected a list of boxes: pair takes the double's face twice, then another: 113, got '221'",
        ),
        (
            'clause = "2"',
            'clause = ["2"]',
            "pay_table[0].clause",
            "expected a clause in quotes, such as '5.1', got ['2']",
        ),
        (
            'appendix = "A"',
            'layout = "felt-50"',
            "pay_table[0].layout",
            "felt-50 has no place for pair-113, pair-221, pair-661",
        ),
        (
            'cover = "covered"',
            'cover = "ajar"',
            "procedure.cover",
            "expected one of 'covered', 'open', got 'ajar'",
        ),
        (
            'not-flat = "2.1"',
            'activated-early = "2.1"',
            "void.activated-early",
            "has no meaning where procedure.cover = 'covered'",
        ),
        (
            "[procedure]",
            '[approval]\nauthority = "the king"\n\n[procedure]',
            "approval",
            "says who approved the rules, and approved = false says that nobody did",
        ),
        (
            'single = "2.2"',
            'domino = "2.2"',
            "triple_wins.domino",
            "no box of this kind wins on a triple; these do: triple, any-triple, double, single, sum",
        ),
        (
            "pro_rata = true",
            "pro_rata = false",
            "limits.notice",
            "'by-dealer' lets excess bets stand, which only pro_rata = true can settle",
        ),
    ],
)
def test_each_fault_is_reported_alone_and_by_its_key(before: str, after: str, key: str, message: str) -> None:
    """A file with one thing wrong has exactly one fault, however the parts hang together."""
    found = faults_of(changed(before, after))
    assert [(name, text) for name, _, text in found] == [(key, message)]


def test_text_that_is_no_toml_is_a_fault_with_its_line() -> None:
    """Reading ends where the sense does, so a syntax error stands alone."""
    assert faults_of("format = 1\nid = \n") == [("(syntax)", 2, "Invalid value")]
    (fault,) = faults_of("format = 1\nformat = 1\n")
    assert fault[:2] == ("(syntax)", 2)


def test_a_hostile_file_is_a_fault_too() -> None:
    """Neither a deep nest nor an endless number gets past the reader as another kind of error."""
    assert faults_of("a = " + "[" * 5000 + "]" * 5000) == [("(syntax)", None, "nested too deeply")]
    (fault,) = faults_of("a = " + "9" * 5000)
    assert fault[0] == "(syntax)"


def test_a_long_value_is_quoted_in_part() -> None:
    """A fault stays one line, whatever stands in the file."""
    (fault,) = faults_of(changed('title = "Sic Bo at my house"', f"title = {list(range(500))}"))
    assert fault[2].startswith("expected a string, got [0, 1, 2")
    assert len(fault[2]) < 100


def test_a_file_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    """No file, or one that is no text, is an error of the caller and not of the rules."""
    with pytest.raises(InputError, match="cannot read"):
        taisai.load_rulebook(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot read"):
        taisai.load_rulebook(tmp_path / "binary.toml")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Some editors begin a file with one; it is no part of the rules."""
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8-sig")
    assert taisai.load_rulebook(path).id == "my-house"


def test_a_fault_says_its_line_where_it_has_one() -> None:
    """A fault reads as line, key, message."""
    assert str(Fault("a.b", 3, "is empty")) == "line 3: a.b: is empty"
    assert str(Fault("a.b", None, "is empty")) == "a.b: is empty"


def test_an_effective_date_may_stand_without_a_time() -> None:
    """v3 has a date only, v6 and ETG have a time of day."""
    text = changed("effective = 2025-03-01T20:00:00", "effective = 2025-03-01")
    assert parse_rulebook(text, "x").effective == date(2025, 3, 1)
    assert type(taisai.rulebook("tai-sai-v3").effective) is date
    assert taisai.rulebook("tai-sai-v6").effective == datetime(2023, 10, 6, 8)  # noqa: DTZ001 - as printed, without a zone


def test_a_file_says_who_approved_it_as_far_as_its_front_page_does() -> None:
    """Authority, reference and date may each be missing; the digest does not cover them."""
    text = changed("approved = false", "approved = true")
    dated = text.replace("[procedure]", "[approval]\ndate = 2025-02-01\n\n[procedure]", 1)
    assert parse_rulebook(dated, "x").approval.dated == date(2025, 2, 1)
    assert parse_rulebook(dated, "x").digest == parse_rulebook(text, "x").digest
    assert faults_of(dated.replace("2025-02-01", "true")) == [
        ("approval.date", dated.splitlines().index("date = 2025-02-01") + 1, "expected a date, got True")
    ]
    for name in ("tai-sai-v4", "tai-sai-v6", "sic-bo-etg-v8"):
        found = taisai.rulebook(name).approval
        assert found.authority == "Gambling Regulatory Authority of Singapore"
        assert found.reference == "Casino Control Act 2006, section 100(1)"
    assert taisai.rulebook("tai-sai-v3").approval.authority is None  # its page does not name one


JUNK = [
    '""',
    '"x"',
    "0",
    "-1",
    "1.5",
    "nan",
    "true",
    "[]",
    "[[]]",
    '["x"]',
    "[1, [2]]",
    "{}",
    "{x = 1}",
    "[{}]",
]
JUNK += ["2020-01-01", "99999999999999999999999", '"113"', '"house"', '["113", "113"]']


@pytest.mark.parametrize("junk", JUNK)
def test_whatever_stands_in_a_file_it_is_read_or_faulted(junk: str) -> None:
    """Each value of a right file, replaced by another: a rulebook, or faults with that line among them."""
    lines = HOUSE.splitlines()
    for number, line in enumerate(lines):
        name, equals, _ = line.partition("=")
        if equals:
            text = "\n".join([*lines[:number], f"{name}= {junk}", *lines[number + 1 :]])
            marked = lines_with_faults(text)
            assert not marked or number + 1 in marked, (line, junk)


def lines_with_faults(text: str) -> set[int | None]:
    try:
        parse_rulebook(text, "house.toml")
    except RulebookError as error:
        return {fault.line for fault in error.faults}
    return set()


def test_a_house_may_draw_its_own_felt() -> None:
    """A layout in the file puts each box where the house wants it, and is checked like everything else."""
    felt = """
[pay_table.layout]
width = 4
height = 2

[[pay_table.layout.section]]
x = 1
y = 0
w = 2
h = 2
rows = [["big"]]
"""
    (place,) = parse_rulebook(HOUSE + felt, "house.toml").pay_table(2).layout.places
    assert (place.box, place.x, place.w) == ("big", 1, 2)
    header, rows = line_with(HOUSE + felt, "[pay_table.layout]"), line_with(HOUSE + felt, 'rows = [["big"]]')
    assert faults_of(HOUSE + felt.replace('"big"', '"bug"')) == [
        ("pay_table[1].layout.section", header, "big has no place"),
        ("pay_table[1].layout.section[0].rows", rows, "bug is not offered by this pay table"),
    ]
