"""A digest stands for a rulebook's meaning: it survives rewriting and notices every change of the rules."""

import re
from pathlib import Path

import pytest

import taisai
from taisai.rulebooks.loader import parse_rulebook
from taisai.rulebooks.model import Rulebook

HOUSE = (Path(__file__).parents[1] / "files" / "house.toml").read_text(encoding="utf-8")


def read(text: str) -> Rulebook:
    return parse_rulebook(text, "house.toml")


def changed(before: str, after: str) -> str:
    assert HOUSE.count(before) >= 1, before
    return HOUSE.replace(before, after, 1)


def reordered(text: str) -> str:
    """The same file with its tables in another order: pay tables first, each key list turned round."""
    head, *tables = re.split(r"\n(?=\[[a-z])", text[: text.index("\n[[pay_table]]")])
    pay_tables = text[text.index("\n[[pay_table]]") :]
    turned = ["\n".join([table.splitlines()[0], *reversed(table.splitlines()[1:])]) for table in tables]
    top = "\n".join(reversed(head.splitlines()))
    return "\n".join([top, pay_tables, *reversed(turned)])


SAME_MEANING = {
    "comments and blank lines": HOUSE.replace("\n", " # note\n\n"),
    "other quotes": re.sub(r'"([a-z0-9. -]+)"', r"'\1'", HOUSE),
    "another order of tables and keys": reordered(HOUSE),
    "another order of boxes": changed("on = [8, 13]", "on = [13, 8]"),
    "another order of items": changed('on = ["113", "661"]', 'on = ["661", "113"]'),
    "another order of notice": changed('["at-placement", "by-dealer"]', '["by-dealer", "at-placement"]'),
    "odds as a fraction": changed('pays = "8.5"', 'pays = "17/2"'),
    "odds as text": changed("pays = 50", 'pays = "50.0"'),
    "numbers as text": changed("on = [8, 13]", 'on = ["8", "13"]'),
    "an inline table": 'triple_wins = {single = "2.2"}\n' + changed('[triple_wins]\nsingle = "2.2"\n', ""),
    "a clause's wording": changed(
        "Bets open and close at the dealer's word.", "The dealer opens and closes."
    ),
    "the title": changed("Sic Bo at my house", "Our Sic Bo"),
    "the source": changed("House rules of 1 March 2025", "The binder in the office"),
    "the announcements": changed("Place your bets, please", "Faites vos jeux"),
    "the pay table's title": changed('title = "Pay Table 1"', 'title = "The first"'),
    "an appendix": changed('appendix = "A"\n', ""),
    "a heading": changed('headings = ["1"]\n', ""),
}
OTHER_MEANING = {
    "id": changed('id = "my-house"', 'id = "your-house"'),
    "version": changed('version = "1"', 'version = "2"'),
    "effective": changed("effective = 2025-03-01T20:00:00", "effective = 2025-03-01T20:00:01"),
    "effective without a time": changed("effective = 2025-03-01T20:00:00", "effective = 2025-03-01"),
    "no effective date": changed("effective = 2025-03-01T20:00:00\n", ""),
    "electronic": changed("electronic = false", "electronic = true"),
    "colour chips": changed("colour_chips = false", "colour_chips = true"),
    "damaged dice": changed('"round-in-play"', '"affected-rounds"'),
    "cover": changed('cover = "covered"', 'cover = "open"'),
    "tumbles": changed("tumbles_min = 3", "tumbles_min = 4"),
    "minimum": changed('"advise"', '"refuse"'),
    "maximum": changed('maximum = "box"', 'maximum = "player"'),
    "excess": changed('excess = "cut"', 'excess = "refuse"'),
    "notice": changed('["at-placement", "by-dealer"]', '["at-placement"]'),
    "differential": changed("differential = true", "differential = false"),
    "pro rata": changed("pro_rata = true", "pro_rata = false").replace(', "by-dealer"', ""),
    "a ground less": changed('not-flat = "2.1"\n', ""),
    "a ground more": changed("[void]", '[void]\ndamaged-dice = "house"'),
    "a ground's clause": changed('not-flat = "2.1"', 'not-flat = "2.2"'),
    "what wins on a triple": changed('single = "2.2"', 'single = "2.1"'),
    "a citation": changed('open = "2"', 'open = "2.1"'),
    "a citation's order": changed('close = ["2", "2.1"]', 'close = ["2.1", "2"]'),
    "a clause more": changed("[clauses]", '[clauses]\n"3" = "More"'),
    "a price": changed("pays = 50", "pays = 51"),
    "a price's order": changed("pays = [1, 2, 12]", "pays = [2, 1, 12]"),
    "a box more": changed('on = ["221"]', 'on = ["221", "223"]'),
    "a box less": changed("on = [8, 13]", "on = [8]"),
    "a box's name": changed("on = [8, 13]", "on = [8, 12]"),
    "a box at another price of its kind": changed('["113", "661"]', '["113"]').replace(
        '["221"]', '["221", "661"]'
    ),
    "a pay table's number": changed("number = 2", "number = 3"),
    "a pay table's kind": changed('kind = "big"', 'kind = "small"'),
}
# These change how a round is run, not what is offered at which odds.
SAME_PAY_TABLE = list(OTHER_MEANING)[1:23]
OTHER_PAY_TABLE = [*list(OTHER_MEANING)[:1], *list(OTHER_MEANING)[23:29]]


@pytest.mark.parametrize("name", SAME_MEANING)
def test_writing_the_same_rules_otherwise_keeps_the_digests(name: str) -> None:
    """Form, order and wording are no part of what a digest stands for."""
    before, after = read(HOUSE), read(SAME_MEANING[name])
    assert SAME_MEANING[name] != HOUSE
    assert after.digest == before.digest
    assert [table.digest for table in after.pay_tables] == [table.digest for table in before.pay_tables]


def test_every_change_of_meaning_gives_a_digest_of_its_own() -> None:
    """No two different rulebooks share a digest, the unchanged one included."""
    digests = {name: read(text).digest for name, text in OTHER_MEANING.items()} | {"": read(HOUSE).digest}
    assert len(set(digests.values())) == len(digests)


@pytest.mark.parametrize("name", OTHER_PAY_TABLE)
def test_a_change_of_boxes_or_odds_changes_the_pay_table(name: str) -> None:
    """A pay table's digest says which boxes, which rolls and which odds."""
    assert read(OTHER_MEANING[name]).pay_tables[0].digest != read(HOUSE).pay_tables[0].digest


@pytest.mark.parametrize("name", SAME_PAY_TABLE)
def test_a_change_of_procedure_leaves_the_pay_tables_alone(name: str) -> None:
    """A bet of last year was settled by the same pay table, though the tumbling rules have changed."""
    before, after = read(HOUSE), read(OTHER_MEANING[name])
    assert [table.digest for table in after.pay_tables] == [table.digest for table in before.pay_tables]


def test_every_shipped_rulebook_and_pay_table_has_its_own_digest() -> None:
    """Thirteen pay tables and eight rulebooks: twenty-one names that cannot be mistaken for one another."""
    books = [taisai.rulebook(name) for name in taisai.shipped_rulebooks()]
    digests = [book.digest for book in books] + [table.digest for book in books for table in book.pay_tables]
    assert len(digests) == len(set(digests)) == 21
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
