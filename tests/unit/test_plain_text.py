"""Texts that people type: no control characters on the record, no formulas in an export."""

import msgspec
import pytest

from taisai.errors import InputError
from taisai.plain_text import check_texts, check_texts_of, for_a_sheet, without_controls

CONTROLS = ("\x00", "\n", "\r", "\t", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066")


@pytest.mark.parametrize("sign", CONTROLS, ids=ascii)
def test_a_text_with_a_control_character_is_refused_wherever_it_is(sign: str) -> None:
    """In a field, in a list, in a name of a field; the line names the field and is one line itself."""
    for said in ({"reason": f"a{sign}b"}, {"bets": [{"reason": sign}]}, {"slip": {f"big{sign}": 1}}):
        with pytest.raises(InputError) as refused:
            check_texts(said)
        assert sign not in str(refused.value)
        assert "control characters" in str(refused.value)
    assert without_controls(f"x{sign}y") == "x\ufffdy"


@pytest.mark.parametrize("text", ["", "陳大文　先生", "O'Neill-Łukasz", "50 % of 1,000", "שלום", "a=b"])
def test_what_people_write_is_taken(text: str) -> None:
    """In every language, with the wide space too."""
    check_texts({"reason": text, "n": 5, "none": None, "flag": True, "x": 1.5})
    assert without_controls(text) == text


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "=HYPERLINK(1)"])
def test_a_formula_in_a_cell_is_a_text(text: str) -> None:
    """A spreadsheet shows it and calculates nothing."""
    assert for_a_sheet(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-5", "+3.25 %", "-1/36", "-2.7e-05", "plain", "", -5, None, 1.5])
def test_numbers_and_plain_words_stay_as_they_are(value: object) -> None:
    """Net amounts are often below zero."""
    assert for_a_sheet(value) == value


class Said(msgspec.Struct):
    """A command as the door sees it: texts in fields, lists and names."""

    reason: str = ""
    notes: list[str] = []
    slip: dict[str, int] = {}


@pytest.mark.parametrize("sign", [*CONTROLS, "\ud800"], ids=ascii)
def test_a_command_is_refused_for_a_control_character_wherever_it_is(sign: str) -> None:
    """The quick look at how it is written misses none that the long one finds, half characters too."""
    for said in (Said(reason=f"a{sign}b"), Said(notes=["fine", sign]), Said(slip={f"big{sign}": 1})):
        with pytest.raises(InputError, match="control characters"):
            check_texts_of(said)


@pytest.mark.parametrize("text", ["", "plain", 'a "quoted" \\ word', "陳大文　先生", "שלום"])
def test_a_command_with_words_of_any_language_is_taken(text: str) -> None:
    """What looks like a control character only in how it is written is none."""
    check_texts_of(Said(reason=text, notes=[text], slip={text: 1}))
