"""A house's own words: checked against the shipped ones, used on felts, in sentences and on pages."""

import json
import tomllib
from pathlib import Path

import pytest

from taisai.errors import InputError
from taisai.game.explain import LANGUAGES, catalogue
from taisai.game.refusals import Refusal, RefusalCode
from taisai.rulebooks.felt_words import CHINESE
from taisai.rulebooks.kinds import Kind
from taisai.rulebooks.model import HOUSE
from taisai.server import shells
from taisai.server.config import load_config
from taisai.server.live.table_view import felt_view
from taisai.server.words import house_words as words
from taisai.server.words.house_words import SHIPPED, load_words
from taisai.server.words.say import Voice, sentences, server_refusal
from tests.server.houses import serving, settings

ROOT = Path(__file__).parents[2]
TABLE = '[[table]]\nname = "A"\nkind = "live"\npay_table = "tai-sai-v6/2"\n'


@pytest.fixture(autouse=True)
def _pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two words of pages, whatever is built on this machine."""
    monkeypatch.setattr(words, "page_words", lambda: {"kind_double": "Double", "minutes": "{n} minutes"})


def written(folder: Path, text: str) -> str:
    path = folder / "words.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_house_renames_a_box_and_keeps_every_other_word(tmp_path: Path) -> None:
    """The felt, and the sentence that speaks of the box, have the house's name for it."""
    own = load_words(written(tmp_path, '[zh-Hant.boxes]\ndouble = "長牌 {n}"\n'))
    names = {box.id: box.names for box in felt_view("tai-sai-v6/2", own).boxes}
    assert names["double-3"] == {"en": "Double 3", "zh-Hant": "長牌 3", "zh-Hans": "对子 3"}
    assert names["big"]["zh-Hant"] == "大"
    refusal = Refusal(code=RefusalCode.BOX_UNKNOWN, clause=HOUSE, facts={"box": "double-3"})
    said = sentences(refusal, Voice(2, own))
    assert "長牌 3" in said["zh-Hant"][0]
    assert said["en"] == sentences(refusal, Voice(2))["en"]


async def test_a_houses_words_are_on_its_pages_and_on_its_felts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server with a file of words sends them with every page, and names its boxes by them."""
    files = {"script": "terminal-A.js", "chunks": [], "style": "terminal-B.css", "preload": []}
    icons = {"icon": "i.svg", "icons": {"180": "i.png"}}
    built = {"inputs": "0123456789abcdef0", **icons, "pages": {"terminal": files}}
    monkeypatch.setattr(shells, "manifest", lambda: built)
    path = written(tmp_path, '[en.pages]\nkind_double = "Pair"\n[en.boxes]\ndouble = "Pair of {n}"\n')
    async with serving(settings(tmp_path, house={"words": path})) as house:
        visitor = await house.visitor()
        page = (await visitor.http.get("/terminal?table=C1")).text
        data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
        table = (await visitor.http.get("/api/v1/tables/C1")).json()
        build = (await visitor.http.get("/api/v1/house")).json()["build"]
    assert data["catalogue"] == {"en": {"kind_double": "Pair"}}
    assert data["build"] == build == "0123456789abcdef"
    names = {box["id"]: box["names"]["en"] for box in table["felt"]["boxes"]}
    assert (names["double-2"], names["big"]) == ("Pair of 2", "Big")


def test_a_house_says_one_and_more_in_its_own_words(tmp_path: Path) -> None:
    """`{n|round|rounds}` is a fact of the text wherever the text has `{n}`, on pages and in refusals."""
    own = load_words(
        written(
            tmp_path,
            '[en.pages]\nminutes = "{n} {n|minute|minutes}"\n'
            '[en.refusals]\nround_too_soon = "Wait {seconds} {seconds|tick|ticks}"\n',
        )
    )
    assert own.pages["en"] == {"minutes": "{n} {n|minute|minutes}"}
    for seconds, said in ((1, "Wait 1 tick"), (12, "Wait 12 ticks")):
        refusal = Refusal(code=RefusalCode.ROUND_TOO_SOON, clause=HOUSE, facts={"seconds": seconds})
        assert sentences(refusal, Voice(2, own))["en"] == [f"{said} (house procedure)"]
    assert server_refusal("too_many", seconds=1)[3]["en"] == ["Refused: too many requests; wait 1 second"]


def test_words_of_pages_go_to_the_pages(tmp_path: Path) -> None:
    """By language and key, as the page's data carries them."""
    own = load_words(written(tmp_path, '[en.pages]\nkind_double = "Pair"\n'))
    assert own.pages["en"] == {"kind_double": "Pair"}
    assert own.table == SHIPPED.table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[en.pages]\nkind_dobule = "Pair"\n', r"line 2: en\.pages\.kind_dobule: there are no such words"),
        ('[en.boxes]\ntwins = "Pair"\n', r"line 2: en\.boxes\.twins: there are no such words"),
        ('[en.pages]\nminutes = "{m} minutes"\n', r"en\.pages\.minutes: \{m\} is no fact of this text"),
        ('[en.boxes]\ndouble = "Pair {n"\n', r"en\.boxes\.double: .* is no fact of this text"),
        ("[en.boxes]\ndouble = 2\n", r"en\.boxes\.double: expected a text"),
        ('[fr.boxes]\ndouble = "Paire"\n', r"fr: expected a language of en, zh-Hant, zh-Hans"),
        ('[en.boxs]\ndouble = "Pair"\n', r"en\.boxs: expected one of boxes, kinds, notes, pages, "),
        ("[en\n", r"words\.toml: "),
    ],
)
def test_words_that_have_no_place_are_refused_with_their_line(
    tmp_path: Path, text: str, expected: str
) -> None:
    """A word that would never be shown, or never be whole, does not go unnoticed."""
    with pytest.raises(InputError, match=expected):
        load_words(written(tmp_path, text))


def test_a_house_does_not_open_with_faulty_words(tmp_path: Path) -> None:
    """The settings are refused, and the file is named."""
    path = tmp_path / "house.toml"
    path.write_text(f'[house]\nwords = "{tmp_path / "none.toml"}"\n{TABLE}', encoding="utf-8")
    with pytest.raises(InputError, match=r"house\.words: cannot read .*none\.toml"):
        load_config(path, {})


@pytest.mark.parametrize("kind", list(Kind))
def test_a_kind_of_bet_has_one_chinese_name(kind: Kind) -> None:
    """The drawn felt, the pages and the sentences call it the same; a total is 點 after its number."""
    names = {language: _stem(catalogue(language)["boxes"][kind]) for language in LANGUAGES}
    pages = {language: _page_words(language)[f"kind_{kind.replace('-', '_')}"] for language in LANGUAGES}
    if kind is Kind.SUM:
        assert (names["zh-Hant"], names["zh-Hans"]) == ("點", "点")
        names |= {"zh-Hant": "點數", "zh-Hans": "点数"}
    assert CHINESE[kind] == names["zh-Hant"] == pages["zh-Hant"]
    assert names["zh-Hans"] == pages["zh-Hans"]


def _stem(text: str) -> str:
    return text.replace("{n}", "").replace("{faces}", "").strip()


def _page_words(language: str) -> dict[str, str]:
    path = ROOT / "frontend" / "src" / "i18n" / language / "common.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def test_the_example_of_the_documentation_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What docs/reference/settings.md shows can be used as it stands."""
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    example = page.partition("## The house's own words")[2].partition("```toml\n")[2].partition("```")[0]
    shipped = {
        key: text
        for path in sorted((ROOT / "frontend" / "src" / "i18n" / "en").glob("*.json"))
        for key, text in json.loads(path.read_text(encoding="utf-8")).items()
    }
    monkeypatch.setattr(words, "page_words", lambda: shipped)
    assert tomllib.loads(example)
    assert load_words(written(tmp_path, example)).pages["zh-Hant"]["kind_double"] == "長牌"
