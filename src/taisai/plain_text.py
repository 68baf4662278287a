"""Texts that people type: one line, with nothing in it that steers a screen or a sheet."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from taisai.errors import InputError, brief

# Controls, line and paragraph ends, marks that turn the direction of a text around, and halves of characters.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_INSTEAD: Final = "\ufffd"
# What a spreadsheet takes for the beginning of a formula.
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9.,/]*(?:e[-+]?[0-9]+)? ?[%‰]?", re.IGNORECASE)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def without_controls(text: str) -> str:
    """A text as it may stand on the record where it cannot be refused, such as the name of a failed login."""
    return _CONTROL.sub(_INSTEAD, text)


_encode: Final = msgspec.json.Encoder().encode


def check_texts_of(command: msgspec.Struct, write: Callable[[Any], bytes] = _encode) -> None:
    """Refuse a command that holds a text with control characters, however deep inside.

    Nearly all there is to say is plain ASCII: written as JSON, whatever is not has a byte of its own or a
    backslash, and only then is the command looked through. `write` may be whatever writes all of its texts.
    """
    try:
        written = write(command)
    except UnicodeEncodeError:  # half of a character
        written = b"\\"
    if not written.isascii() or b"\\" in written or b"\x7f" in written:
        check_texts(msgspec.to_builtins(command))


def check_texts(said: Any, where: str = "") -> None:
    """Refuse what holds a text with control characters, however deep inside."""
    for name, text in _texts(said, where):
        if _CONTROL.search(text):
            raise InputError(f"{name or 'text'}: expected no control characters, got {brief(text)}")


def _texts(said: Any, where: str) -> Iterator[tuple[str, str]]:
    match said:
        case str():
            yield where, said
        case dict():
            for name, value in said.items():
                yield from _texts(name, where)
                yield from _texts(value, str(name))
        case list() | tuple():
            for value in said:
                yield from _texts(value, where)
        case _:
            return


def for_a_sheet(value: Any) -> Any:
    """A cell of an export: a text that a sheet would calculate, and is no number, is marked as a text."""
    is_formula = isinstance(value, str) and value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value
