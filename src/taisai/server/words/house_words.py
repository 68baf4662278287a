"""A house's own words, over those of the pages and of the table: one TOML file, checked when it is read.

`[LANGUAGE.pages]` holds words of the pages by their keys; `[LANGUAGE.boxes]` and the other parts of the
table's catalogues hold names and sentences. What a house does not say keeps the shipped words.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any, Final

from taisai.errors import InputError
from taisai.game.explain import LANGUAGES, Catalogue, catalogue
from taisai.rulebooks.lines import key_lines, line_of

PAGES: Final = "pages"
_STATIC = files("taisai.server") / "static"


@dataclass(frozen=True, eq=False)
class HouseWords:
    """What the pages are given over their own words, and the whole catalogue of the table, by language."""

    pages: Mapping[str, Mapping[str, str]]
    table: Mapping[str, Catalogue]


SHIPPED: Final = HouseWords({}, {language: catalogue(language) for language in LANGUAGES})


def page_words() -> dict[str, str]:
    """The English words of all pages by their keys, as the build left them."""
    entry = _STATIC / "words.json"
    if not entry.is_file():
        raise InputError("the pages are not built, so their words cannot be replaced")
    return dict(json.loads(entry.read_text(encoding="utf-8")))


def load_words(path: str) -> HouseWords:
    """A house's words; nothing named is the shipped ones."""
    if not path:
        return SHIPPED
    try:
        text = Path(path).read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    faults = [f"{_at(key, key_lines(text))}{key}: {what}" for key, what in _faults(raw)]
    if faults:
        raise InputError(f"{path}: " + "; ".join(faults))
    return HouseWords(
        {language: parts.get(PAGES, {}) for language, parts in raw.items()},
        {language: _over(SHIPPED.table[language], raw.get(language, {})) for language in LANGUAGES},
    )


def words_faults(path: str) -> list[str]:
    """Why a house's words cannot be read, as a fault of the settings that name them."""
    try:
        load_words(path)
    except InputError as error:
        return [f"house.words: {error}"]
    return []


def _over(shipped: Catalogue, own: Mapping[str, Mapping[str, str]]) -> Catalogue:
    return {part: {**words, **own.get(part, {})} for part, words in shipped.items()}


def _at(key: str, lines: dict[str, int]) -> str:
    line = line_of(lines, key)
    return f"line {line}: " if line else ""


def _faults(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every key that is not there to be replaced, and every text that does not fit its place."""
    for language, parts in raw.items():
        if language not in LANGUAGES or not isinstance(parts, dict):
            yield language, f"expected a language of {', '.join(LANGUAGES)}"
            continue
        known: dict[str, Mapping[str, str]] = {**SHIPPED.table[language]}
        if PAGES in parts:
            known[PAGES] = page_words()
        for part, words in parts.items():
            key = f"{language}.{part}"
            if part not in known or not isinstance(words, dict):
                yield key, f"expected one of {', '.join(sorted({*known, PAGES}))}"
                continue
            yield from _part_faults(key, words, known[part])


def _part_faults(at: str, words: Mapping[str, Any], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, text in words.items():
        if name not in known:
            yield f"{at}.{name}", "there are no such words"
        elif not isinstance(text, str) or not text.strip():
            yield f"{at}.{name}", "expected a text"
        else:
            strange = _facts(text) - _facts(known[name])
            if strange:
                yield f"{at}.{name}", f"{{{'}, {'.join(sorted(strange))}}} is no fact of this text"


def _facts(text: str) -> set[str]:
    """The names in braces, also of `{n|one|more}`; an open brace reads as a fact that nothing has."""
    try:
        return {name.split("|")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        return {str(error)}
