"""A fault is pointed at by the line of its key, however the file is written."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.rulebooks.lines import key_lines, line_of


def lines_of(text: str) -> dict[str, int]:
    tomllib.loads(text)  # only files that the standard reader accepts are ever walked
    return key_lines(text)


def test_keys_before_the_first_header_stand_at_the_top() -> None:
    """Comments, blank lines and several keys leave every key on its own line."""
    assert lines_of('# a comment\nformat = 1\n\nid = "x" # [not] a = header\n') == {"format": 2, "id": 4}


def test_nested_array_tables_count_from_zero_within_their_parent() -> None:
    """The second pay table's first box is pay_table[1].boxes[0], not boxes[2]."""
    text = """\
[[pay_table]]
number = 1
[[pay_table.boxes]]
kind = "big"
[[pay_table.boxes]]
kind = "small"
[pay_table.layout]
width = 3
[[pay_table]]
number = 2
  [[ pay_table . boxes ]]
  kind = "odd"
"""
    assert lines_of(text) == {
        "pay_table[0]": 1,
        "pay_table[0].number": 2,
        "pay_table[0].boxes[0]": 3,
        "pay_table[0].boxes[0].kind": 4,
        "pay_table[0].boxes[1]": 5,
        "pay_table[0].boxes[1].kind": 6,
        "pay_table[0].layout": 7,
        "pay_table[0].layout.width": 8,
        "pay_table[1]": 9,
        "pay_table[1].number": 10,
        "pay_table[1].boxes[0]": 11,
        "pay_table[1].boxes[0].kind": 12,
    }


def test_items_of_a_multi_line_array_have_their_own_lines() -> None:
    """A wrong item in a long list is found where it stands, comments and trailing commas included."""
    text = 'on = [\n  "14", "12", # ] not the end\n\n  "24",\n]\npays = 6\n'
    assert lines_of(text) == {"on": 1, "on[0]": 2, "on[1]": 2, "on[2]": 4, "pays": 6}


def test_brackets_and_signs_in_strings_are_text() -> None:
    """What looks like a header, a comment or a key inside quotes is none."""
    text = """\
a = "[b] # = \\" ]"
b = '[["#'
c = ["[", "]", '}']
d = 1
"""
    assert lines_of(text) == {"a": 1, "b": 2, "c": 3, "c[0]": 3, "c[1]": 3, "c[2]": 3, "d": 4}


def test_multi_line_strings_hide_what_they_hold() -> None:
    """A text of several lines may contain anything, quotes at its end too."""
    text = 'a = """\n[b]\nc = 1\n"quoted""""\nd = \'\'\'\n]]\n\'\'\'\'\'\ne = ""\nf = 2\n'
    assert lines_of(text) == {"a": 1, "d": 5, "e": 8, "f": 9}


def test_quoted_keys_lose_their_quotes_and_keep_their_dots() -> None:
    """A clause number with dots is one key, in a pair and in a header."""
    text = """\
[clauses]
"5.1" = "text"
'5.1.1' = "text"
"a\\"b" = "text"
[cites."x.y"]
z = 1
["void]"]
"""
    assert lines_of(text) == {
        "clauses": 1,
        "clauses.5.1": 2,
        "clauses.5.1.1": 3,
        'clauses.a"b': 4,
        "cites.x.y": 5,
        "cites.x.y.z": 6,
        "void]": 7,
    }


def test_dotted_keys_and_inline_tables_are_paths() -> None:
    """However a table is written, its keys have the same paths."""
    text = """\
procedure.cover = "open"
procedure . tumbles_min = 3
limits = {minimum = "x", deep = {a = [1, {b = 2}]}}
"""
    assert lines_of(text) == {
        "procedure": 1,
        "procedure.cover": 1,
        "procedure.tumbles_min": 2,
        "limits": 3,
        "limits.minimum": 3,
        "limits.deep": 3,
        "limits.deep.a": 3,
        "limits.deep.a[0]": 3,
        "limits.deep.a[1]": 3,
        "limits.deep.a[1].b": 3,
    }


def test_dates_floats_and_windows_line_ends_are_skipped_over() -> None:
    """Dots, spaces and signs inside a value begin no key."""
    text = "a = 2023-10-06 08:00:00.5\r\nb = -1.5e+3\r\nc = [1.5, inf]\r\nd = true"
    assert lines_of(text) == {"a": 1, "b": 2, "c": 3, "c[0]": 3, "c[1]": 3, "d": 4}


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("pay_table[0].boxes[1].pays", 3),
        ("pay_table[0].title", 1),
        ("pay_table[7].title", None),
        ("unheard_of", None),
        ("a.b[2]", 9),
    ],
)
def test_a_key_without_a_line_takes_that_of_the_table_around_it(key: str, line: int | None) -> None:
    """A missing key is reported where it should have stood."""
    assert line_of({"pay_table[0]": 1, "pay_table[0].boxes[1]": 3, "a.b": 9}, key) == line


def paths(value: Any, path: str = "") -> set[str]:
    """Every key path of a parsed document, found from the values instead of from the text."""
    found: set[str] = set()
    if isinstance(value, dict):
        for name, inner in value.items():
            below = f"{path}.{name}" if path else name
            found |= {below} | paths(inner, below)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found |= {f"{path}[{number}]"} | paths(inner, f"{path}[{number}]")
    return found


NAMES = st.sampled_from(["a", "b-c", '"d.e"', "'f g'", '"[h]"', "1"])
SCALARS = st.sampled_from(['"x"', "'[y]'", "1", "2.5", "true", '"""\n[z]\n"""', "2023-10-06"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[\n" + ", # c\n".join(items) + "]")
        | st.lists(st.tuples(NAMES, inner), max_size=3, unique_by=lambda pair: pair[0]).map(
            lambda pairs: "{" + ", ".join(f"{name} = {value}" for name, value in pairs) + "}"
        )
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=5, unique_by=lambda pair: pair[0]))
def test_every_key_that_the_reader_finds_has_a_line(pairs: list[tuple[str, str]]) -> None:
    """The walk and the standard library's reader see the same keys."""
    text = "".join(f"{name} = {value}\n" for name, value in pairs)
    lines = lines_of(text)
    assert set(lines) == paths(tomllib.loads(text))
    for number in lines.values():
        assert 1 <= number <= text.count("\n")
