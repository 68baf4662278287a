"""Sentences that a player can read, made from message ids and facts, in three languages.

A house may bring its own catalogue with other words; the ids and facts stay the same.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from taisai.errors import UnknownName
from taisai.game.refusals import Refusal
from taisai.game.settlement import BetResult, Note
from taisai.money import say_odds
from taisai.rulebooks.kinds import Kind, parse_numbers
from taisai.rulebooks.model import HOUSE

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")

Catalogue = Mapping[str, Mapping[str, str]]
Money = Callable[[int], str]

# Facts that are amounts of money.
_AMOUNTS: Final = frozenset(
    "stake effective excess limit minimum returned asked allowed unit needed available amount value".split()
)
# `{n|round|rounds}`: the first word is for one, the second for any other number, as on the pages.
_NUMBERED: Final = re.compile(r"\{(\w+)\|(.+?)\|(.+?)\}")
# Facts that the catalogue has a term for.
_TERMS: Final = frozenset("phase ground pair least role what".split())


def plain_money(amount_minor: int) -> str:
    """Minor units with the thousands set apart; a house passes its own currency's way."""
    return f"{amount_minor:,}"


@cache
def catalogue(language: str) -> Catalogue:
    """The shipped words of a language."""
    if language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    entry = files("taisai.game") / "catalogues" / f"{language}.toml"
    return tomllib.loads(entry.read_text(encoding="utf-8"))


def numbered(text: str, facts: Mapping[str, object]) -> str:
    """A text with the words for one or for more where it has both; a fact that is missing is not one."""
    return _NUMBERED.sub(lambda part: part[2] if str(facts.get(part[1])) == "1" else part[3], text)


def explain(
    what: BetResult | Note | Refusal,
    language: str = "en",
    *,
    money: Money = plain_money,
    words: Catalogue | None = None,
) -> list[str]:
    """Why a bet brought what it did, or why an act was refused, one sentence a reason."""
    words = words or catalogue(language)
    if isinstance(what, BetResult):
        return [
            _sentence(words, "notes", note.message, note.clause, note.facts, money) for note in what.notes
        ]
    if isinstance(what, Note):
        return [_sentence(words, "notes", what.message, what.clause, what.facts, money)]
    return [_sentence(words, "refusals", str(what.code), what.clause, what.facts, money)]


def box_name(box_id: str, words: Catalogue) -> str:
    """A box as people call it: Big, Total 9, 三軍 4."""
    kind, numbers = _split(box_id)
    said = "-".join(map(str, numbers))
    return words["boxes"][kind].format(n=said, faces=said)


@lru_cache(maxsize=1024)  # a table's sign names every box again whenever its round moves
def _split(box_id: str) -> tuple[Kind, tuple[int, ...]]:
    if box_id in list(Kind):
        return Kind(box_id), ()
    name, _, numbers = box_id.rpartition("-")
    return Kind(name), parse_numbers(Kind(name), numbers)


def _is_box(raw: str) -> bool:
    """A refusal may speak of a box that is on no layout at all."""
    try:
        _split(raw)
    except ValueError:
        return False
    return True


def _sentence(
    words: Catalogue, part: str, message: str, clause: str, facts: Mapping[str, Any], money: Money
) -> str:
    said = {name: _said(words, name, value, money) for name, value in facts.items()}
    text = numbered(words[part][message], said).format_map(_Missing(said))
    source = words["sources"]["house" if clause == HOUSE else "clause"].format(clause=clause)
    return text + source


class _Missing(dict[str, str]):
    """Facts that a refusal did not carry read as a dash instead of failing the explanation."""

    def __missing__(self, key: str) -> str:
        return "–"


def _said(words: Catalogue, name: str, value: Any, money: Money) -> str:
    if name == "pays_to_one":
        return say_odds(Fraction(value))
    if name in ("box", "on") and _is_box(value):
        return box_name(value, words)
    if name in _TERMS or name == "on":
        return words["terms"].get(value, value)
    if name in _AMOUNTS and type(value) is int:
        return money(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
