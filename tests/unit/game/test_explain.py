"""Explanations: one sentence a reason, by clause, in three languages with the same facts."""

import re
from pathlib import Path
from string import Formatter

import pytest

import taisai
from taisai.dice import Roll
from taisai.errors import UnknownName
from taisai.game import commands as cmd
from taisai.game import settlement
from taisai.game.acts import Phase
from taisai.game.explain import LANGUAGES, box_name, catalogue, explain, plain_money
from taisai.game.people import Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.settlement import Note
from taisai.rulebooks.kinds import Kind
from taisai.rulebooks.model import Ground
from tests.rules.table import ALL_TEN, SHIFT, Table, limits


def placeholders(sentence: str) -> set[str]:
    return {name.split("|")[0] for _, name, _, _ in Formatter().parse(sentence) if name}


def shared() -> Table:
    table = Table("tai-sai-v6/2", limits(unit=5, notice="by-dealer", differential={"odd-even": 100}))
    for name, stake in (("Ann", 300), ("Bob", 600), ("Cyd", 400)):
        table.bet(name, {"big": stake})
    table.bet("Dee", {"odd": 350, "even": 40, "pair-113": 10, "small": 45})
    table.bet("Eve", {"odd": 20, "triple-6": 50, "sum-17": 100})
    table.do(cmd.RecordWalkAway, player="Dee")
    return table


# --- the catalogues ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_have_the_same_messages_with_the_same_facts(language: str) -> None:
    """What can be said in English can be said in the others, and nothing more."""
    english, other = catalogue("en"), catalogue(language)
    assert other.keys() == english.keys()
    for part, messages in english.items():
        assert other[part].keys() == messages.keys(), part
        for message, sentence in messages.items():
            assert placeholders(other[part][message]) == placeholders(sentence), message
            assert other[part][message].strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_note_box_and_term_has_its_words(language: str) -> None:
    """The lists in the code and in the catalogues are the same."""
    words = catalogue(language)
    assert set(words["refusals"]) == {str(code) for code in RefusalCode}
    assert set(words["boxes"]) == {str(kind) for kind in Kind}
    terms = {*map(str, Phase), *map(str, Role), *map(str, Ground), "ruling", "big-small", "odd-even"}
    assert terms <= set(words["terms"])
    source = Path(settlement.__file__).read_text(encoding="utf-8")
    notes = set(re.findall(r'(?:Note|Cap)\((?:[a-z]+, )?"([a-z_]+)"', source))
    notes |= {"pro_rata", "differential"}
    assert set(words["notes"]) == notes


def test_the_chinese_catalogues_are_chinese() -> None:
    """No sentence was left in English."""
    for language in ("zh-Hant", "zh-Hans"):
        for part in ("notes", "refusals", "boxes", "terms"):
            for message, sentence in catalogue(language)[part].items():
                assert re.search("[\u4e00-\u9fff]", sentence), f"{language} {message}"


def test_an_unknown_language_names_those_there_are() -> None:
    """One clear line."""
    with pytest.raises(UnknownName, match="unknown language 'fr': there is: en, zh-Hans, zh-Hant"):
        explain(Note("lost", "3.9"), "fr")


# --- bets --------------------------------------------------------------------------------------------


def test_the_sentence_of_a_shared_box() -> None:
    """As the table would say it to the player."""
    table = shared()
    table.declare("566")
    said = taisai.explain(table.result("Bob", "big"))
    assert said == [
        "Your 600 on Big counted as 460: the box's limit of 1,000 was shared pro rata (5.1.1)",
        "Big won on 5-6-6: 460 at 1 to 1 brought back 920 (4.1.2)",
    ]
    assert explain(table.result("Bob", "big"), "zh-Hant") == [
        "您在 大 的 600 按 460 計算：該注格上限 1,000 按比例分攤（5.1.1）",
        "大 開 5-6-6 中：460 以 1 賠 1 派回 920（4.1.2）",
    ]
    assert explain(table.result("Bob", "big"), "zh-Hans") == [
        "您在 大 的 600 按 460 计算：该注格上限 1,000 按比例分摊（5.1.1）",
        "大 开 5-6-6 中：460 以 1 赔 1 派回 920（4.1.2）",
    ]


@pytest.mark.parametrize(
    ("name", "box", "dice", "expected"),
    [
        (
            "Dee",
            "odd",
            "566",
            [
                "Your 350 on Odd counted as 120: the limit of 100 on the difference between Odd and Even"
                " was shared pro rata (5.1.1)",
                "Odd won on 5-6-6: 120 at 1 to 1 brought back 240 (4.1.2)",
                "You had left the table; your bet on Odd was settled all the same (5.3)",
            ],
        ),
        (
            "Eve",
            "odd",
            "566",
            [
                "Your 20 on Odd is below the minimum of 50,"
                " so it stood in full and was not shared pro rata (5.1.2)",
                "Odd won on 5-6-6: 20 at 1 to 1 brought back 40 (4.1.2)",
            ],
        ),
        (
            "Dee",
            "small",
            "222",
            [
                "Your 45 on Small is below the minimum of 50 but was there at the closing,"
                " so it stood in full (5.2.1)",
                "Small lost: on a triple (2-2-2) only triples, doubles, single dice"
                " and totals 6, 9, 12 and 15 can win (3.10)",
                "You had left the table; your bet on Small was settled all the same (5.3)",
            ],
        ),
        ("Eve", "triple-6", "666", ["Triple 6 won on 6-6-6: 50 at 180 to 1 brought back 9,050 (3.10.1)"]),
        ("Eve", "sum-17", "566", ["Total 17 won on 5-6-6: 100 at 62 to 1 brought back 6,300 (4.1.2)"]),
        ("Eve", "triple-6", "665", ["Triple 6 lost on 5-6-6: 50 was collected (3.9)"]),
    ],
)
def test_every_reason_has_its_sentence(name: str, box: str, dice: str, expected: list[str]) -> None:
    """In the order in which they decided the bet: limits, dice, absence."""
    table = shared()
    table.declare(dice)
    assert explain(table.result(name, box)) == expected


def test_a_void_round_explains_why_the_bet_came_back() -> None:
    """The ground by its clause, and the return by its own."""
    table = shared()
    table.close()
    table.tumble(2)
    assert explain(table.result("Ann", "big")) == [
        "The round is void: too few tumbles (5.5.1)",
        "Your 300 on Big came back in full (5.12)",
    ]
    assert explain(table.result("Ann", "big"), "zh-Hans") == [
        "本局无效：摇骰次数不足（5.5.1）",
        "您在 大 的 300 已全数退还（5.12）",
    ]
    ruled = shared()
    ruled.do(cmd.MakeRuling, by=SHIFT, decision="void")
    assert explain(ruled.result("Ann", "big"))[0] == "The round is void: a ruling (5.14)"


def test_half_odds_and_house_procedure_are_said_as_people_say_them() -> None:
    """8½ to 1; and where a rulebook has no clause, it is house procedure."""
    table = Table("sic-bo-etg-v8/1")
    table.bet("Ann", {"sum-8": 20})
    table.do(cmd.RecordCutOff, player="Ann")
    table.declare("224")
    assert explain(table.result("Ann", "sum-8")) == [
        "Total 8 won on 2-2-4: 20 at 8½ to 1 brought back 190 (4.1.1)",
        "Your terminal was cut off; your bet on Total 8 had been registered and was settled (5.2.1)",
    ]
    table = Table("tai-sai-v3/1")
    table.bet("Ann", {"big": 20})
    table.do(cmd.RecordWalkAway, player="Ann")
    table.declare("224")
    assert explain(table.result("Ann", "big"))[-1].endswith("was settled all the same (house procedure)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pay_table", ALL_TEN)
def test_every_box_has_a_name_in_every_language(pay_table: str, language: str) -> None:
    """And no two boxes of a layout have the same one."""
    words = catalogue(language)
    names = [box_name(box.id, words) for box in taisai.pay_table(pay_table).boxes]
    assert len(set(names)) == len(names)
    assert not any("{" in name for name in names)


def test_names_of_boxes_with_numbers() -> None:
    """Faces are set apart; a total is one number."""
    words = catalogue("en")
    names = {
        box: box_name(box, words) for box in ("sum-17", "pair-113", "four-6543", "any-triple", "single-4")
    }
    assert names == {
        "sum-17": "Total 17",
        "pair-113": "Double and single 1-1-3",
        "four-6543": "Four numbers 6-5-4-3",
        "any-triple": "Any triple",
        "single-4": "Single 4",
    }
    assert box_name("single-4", catalogue("zh-Hant")) == "三軍 4"


def test_a_house_brings_its_own_money_and_words() -> None:
    """Dollars and cents, and another way to say it; ids and facts stay the same."""
    table = shared()
    table.declare("566")
    result = table.result("Bob", "big")
    said = explain(result, money=lambda minor: f"${minor // 100}.{minor % 100:02}")
    assert said[0].startswith("Your $6.00 on Big counted as $4.60: the box's limit of $10.00")
    words = {**catalogue("en"), "notes": {**catalogue("en")["notes"], "pro_rata": "{effective} of {stake}"}}
    assert explain(result, words=words)[0] == "460 of 600 (5.1.1)"
    assert plain_money(1234567) == "1,234,567"


# --- refusals ------------------------------------------------------------------------------------------


def test_refusals_are_sentences_too() -> None:
    """With the clause, the names of boxes and positions, and the amounts."""
    table = Table("sic-bo-etg-v8/2", limits())
    assert explain(table.bet_refused("Ann", {"sum-9": 20})) == [
        "Refused: 20 on Total 9 is below the minimum of 50 (3.3)"
    ]
    assert explain(table.bet_refused("Ann", {"sum-9": 2000})) == [
        "Refused: 2,000 on Total 9 is above the limit of 1,000; up to 1,000 can be accepted (3.3)"
    ]
    assert explain(table.bet_refused("Ann", {"nowhere": 50})) == [
        "Refused: nowhere is not on the layout of sic-bo-etg-v8/2 (2.1.1)"
    ]
    table.close()
    assert explain(table.bet_refused("Ann", {"big": 50})) == ["No more bets: the bets are closed (3.5)"]
    assert explain(table.bet_refused("Ann", {"big": 50}), "zh-Hans") == ["停止下注（3.5）"]
    refusal = table.refused(cmd.CloseBetting)
    assert explain(refusal, "zh-Hant") == ["停止下注（3.5）"]


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        ("no_excess", {"on": "big-small"}, "nothing on Big and Small exceeds its limit"),
        ("no_excess", {"on": "double-6"}, "nothing on Double 6 exceeds its limit"),
        ("no_excess", {"on": "nowhere"}, "nothing on nowhere exceeds its limit"),
        ("role_not_allowed", {"least": "pit-supervisor"}, "this takes a pit supervisor"),
        (
            "ground_not_here",
            {"ground": "not-flat"},
            "a die not flat is no ground to void this round this way",
        ),
        ("digest_differs", {"what": "pay table"}, "the pay table is not the one this table was set up with"),
        ("limits_invalid", {"faults": ["one", "two"]}, "the limits cannot be used: one, two"),
        (
            "contradicts_known_faces",
            {"dice": "1-1-1", "known": [2, 3]},
            "1-1-1 contradicts the faces already read (2, 3)",
        ),
        ("value_fixed", {"colour": "red", "value": 1000}, "red is worth 1,000 until all of it is back"),
        ("stake_invalid", {"stake": "ten"}, "a stake is a whole amount above zero, not ten"),
        ("box_unknown", {}, "– is not on the layout of –"),
        ("round_too_soon", {"seconds": 1}, "rounds of this table are at least 1 second apart"),
        ("round_too_soon", {"seconds": 30}, "rounds of this table are at least 30 seconds apart"),
        ("reality_check_due", {"minutes": 1}, "confirm first that you want to go on after 1 minute of play"),
        ("reality_check_due", {}, "confirm first that you want to go on after – minutes of play"),
    ],
)
def test_facts_are_said_in_the_readers_words(code: str, facts: dict[str, object], expected: str) -> None:
    """Boxes and terms by name, money set apart, lists with commas; what is missing is a dash."""
    assert explain(Refusal(code=RefusalCode(code), clause="5.1", facts=facts)) == [
        f"Refused: {expected} (5.1)"
    ]


def test_a_single_note_can_be_explained() -> None:
    """Without the bet that it belongs to."""
    facts = {"box": "big", "stake": 5, "dice": str(Roll(1, 1, 3))}
    assert explain(Note("lost", "3.9", facts)) == ["Big lost on 1-1-3: 5 was collected (3.9)"]
