"""Words and amounts as the pages show them, from the pages' own catalogues and the rulebooks' own boxes."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from taisai.dice import Roll
from taisai.game.awards import settle
from taisai.game.explain import box_name, catalogue
from taisai.rulebooks.catalogue import pay_table, rulebook_of
from taisai.rulebooks.model import HOUSE

CATALOGUES = Path(__file__).parents[2] / "frontend" / "src" / "i18n"
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
LANGUAGE_NAMES = {"en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}


@cache
def words(language: str) -> Mapping[str, str]:
    """Every word of the pages in a language."""
    found: dict[str, str] = {}
    for path in sorted((CATALOGUES / language).glob("*.json")):
        found.update(json.loads(path.read_text(encoding="utf-8")))
    return found


def say(key: str, language: str = "en", /, **facts: object) -> str:
    """A message of the pages; of `{n|round|rounds}` the first word is for one, the second for all else."""

    def said(part: re.Match[str]) -> str:
        name, one, more = part.groups()
        if one:
            return str(one if str(facts.get(name)) == "1" else more)
        return str(facts.get(name, part[0]))

    return re.sub(r"\{(\w+)(?:\|(.+?)\|(.+?))?\}", said, words(language)[key])


def ground_words(ground: str, language: str = "en") -> str:
    return say(f"ground_{ground.replace('-', '_')}", language)


def source(table: str, topic: str) -> str:
    """What a refusal of the page ends with: the clause that the table's rulebook has for a topic."""
    clause = rulebook_of(table).cite(topic)
    return say("source_house") if clause == HOUSE else say("source_clause", clause=clause)


def called(box: str, language: str = "en") -> str:
    """The name of a box."""
    return box_name(box, catalogue(language))


def money(minor: int) -> str:
    """`$1,250` or `$12.50`: cents only where there are some."""
    major, cents = divmod(abs(minor), 100)
    return f"{'-' if minor < 0 else ''}${major:,}" + (f".{cents:02}" if cents else "")


def net(minor: int) -> str:
    """With its sign: `+$20`, `−$5`, `$0`."""
    sign = "+" if minor > 0 else "−" if minor < 0 else ""
    return sign + money(abs(minor))


def returned(table: str, dice: tuple[int, int, int], slip: Mapping[str, int]) -> int:
    """What comes back of a slip, by the odds of the pay table."""
    return sum(award.returned for award in settle(pay_table(table), Roll(*dice), dict(slip)).values())


def brings(table: str, dice: tuple[int, int, int], slip: Mapping[str, int]) -> int:
    """The net of a slip."""
    return returned(table, dice, slip) - sum(slip.values())
