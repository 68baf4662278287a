"""Amounts in words: as tickets print them in each language."""

import pytest

from taisai.errors import InputError
from taisai.server.words.amounts import _HANT, amount_in_words, in_numerals

# Minor units of Singapore dollars: English, traditional and simplified Chinese.
SINGAPORE = [
    (0, "zero Singapore dollars", "零元正", "零元整"),
    (1, "zero Singapore dollars and one cent", "壹分", "壹分"),
    (5_05, "five Singapore dollars and five cents", "伍元零伍分", "伍元零伍分"),
    (40, "zero Singapore dollars and forty cents", "肆角正", "肆角整"),
    (1_00, "one Singapore dollar", "壹元正", "壹元整"),
    (2_30, "two Singapore dollars and thirty cents", "貳元叁角正", "贰元叁角整"),
    (10_00, "ten Singapore dollars", "壹拾元正", "壹拾元整"),
    (
        106_78,
        "one hundred and six Singapore dollars and seventy-eight cents",
        "壹佰零陸元柒角捌分",
        "壹佰零陆元柒角捌分",
    ),
    (1_010_00, "one thousand and ten Singapore dollars", "壹仟零壹拾元正", "壹仟零壹拾元整"),
    (
        100_010_00,
        "one hundred thousand and ten Singapore dollars",
        "壹拾萬零壹拾元正",
        "壹拾万零壹拾元整",
    ),
    (
        12_000_345_00,
        "twelve million three hundred and forty-five Singapore dollars",
        "壹仟貳佰萬零叁佰肆拾伍元正",
        "壹仟贰佰万零叁佰肆拾伍元整",
    ),
    (
        100_000_009_00,
        "one hundred million and nine Singapore dollars",
        "壹億零玖元正",
        "壹亿零玖元整",
    ),
]


@pytest.mark.parametrize(("minor", "english", "hant", "hans"), SINGAPORE)
def test_an_amount_is_said_in_every_language(minor: int, english: str, hant: str, hans: str) -> None:
    """English dollars and cents; Chinese numerals of cheques with 元, 角 and 分."""
    said = amount_in_words(minor, "SGD", 2)
    assert said == {"en": english, "zh-Hant": f"新加坡幣{hant}", "zh-Hans": f"新加坡币{hans}"}


@pytest.mark.parametrize(
    ("minor", "currency", "exponent", "said"),
    [
        (
            250_10,
            "MOP",
            2,
            ("two hundred and fifty patacas and ten avos", "澳門幣貳佰伍拾元壹角正", "澳门币"),
        ),
        (1_500, "JPY", 0, ("one thousand five hundred yen", "日幣壹仟伍佰元正", "日币")),
        (7_25, "XYZ", 2, ("seven XYZ and 25/100", "XYZ柒元貳角伍分", "XYZ")),
        (1_250, "XYZ", 3, ("one XYZ and 250/1000", "XYZ壹點貳伍零元", "XYZ")),
        (15, "XYZ", 1, ("one XYZ and 5/10", "XYZ壹元伍角正", "XYZ")),
    ],
)
def test_a_currency_has_its_name_or_its_code(
    minor: int, currency: str, exponent: int, said: tuple[str, str, str]
) -> None:
    """Whatever a house's currency and its minor unit are."""
    found = amount_in_words(minor, currency, exponent)
    assert (found["en"], found["zh-Hant"]) == said[:2]
    assert found["zh-Hans"].startswith(said[2])


def _value(said: str) -> int:
    """The number that numerals name, read by the places alone."""
    total = section = digit = 0
    for sign in said:
        if sign in "零壹貳叁肆伍陸柒捌玖":
            digit = "零壹貳叁肆伍陸柒捌玖".index(sign)
        elif sign in "拾佰仟":
            section += digit * 10 ** ("拾佰仟".index(sign) + 1)
            digit = 0
        else:
            total += (section + digit) * {"萬": 10**4, "億": 10**8}[sign]
            section = digit = 0
    return total + section + digit


def test_numerals_can_be_read_back() -> None:
    """Each of many numbers below 10^12, by its places, is the number that was said."""
    for number in (
        *range(0, 20_000, 7),
        *(10**place + 10**lower for place in range(12) for lower in range(place)),
    ):
        assert _value(in_numerals(number, _HANT)) == number


def test_what_no_ticket_is_worth_has_no_words() -> None:
    """The numerals end where the places do."""
    with pytest.raises(InputError):
        in_numerals(10**16, _HANT)
