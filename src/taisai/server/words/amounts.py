"""An amount in words, as a ticket prints it beside the figures, in each language of the pages.

English counts in dollars and cents. Chinese uses the numerals of cheques, which nobody can alter by a stroke,
with 元, 角 and 分; the currency stands first, and an amount without cents is closed by 正 or 整.
"""

from typing import Final, NamedTuple

from taisai.errors import InputError


class _Currency(NamedTuple):
    """What a currency and its hundredth part are called: one, several, and in Chinese."""

    one: str
    many: str
    cent: str
    cents: str
    hant: str
    hans: str


_CURRENCIES: Final = {
    "AUD": _Currency("Australian dollar", "Australian dollars", "cent", "cents", "澳幣", "澳币"),
    "CAD": _Currency("Canadian dollar", "Canadian dollars", "cent", "cents", "加幣", "加币"),
    "CNY": _Currency("yuan", "yuan", "fen", "fen", "人民幣", "人民币"),
    "EUR": _Currency("euro", "euros", "cent", "cents", "歐元", "欧元"),
    "GBP": _Currency("pound", "pounds", "penny", "pence", "英鎊", "英镑"),
    "HKD": _Currency("Hong Kong dollar", "Hong Kong dollars", "cent", "cents", "港幣", "港币"),
    "JPY": _Currency("yen", "yen", "", "", "日幣", "日币"),
    "KRW": _Currency("won", "won", "", "", "韓幣", "韩币"),
    "MOP": _Currency("pataca", "patacas", "avo", "avos", "澳門幣", "澳门币"),
    "MYR": _Currency("ringgit", "ringgit", "sen", "sen", "馬幣", "马币"),
    "NZD": _Currency("New Zealand dollar", "New Zealand dollars", "cent", "cents", "紐幣", "纽币"),
    "PHP": _Currency("Philippine peso", "Philippine pesos", "centavo", "centavos", "菲幣", "菲币"),
    "SGD": _Currency("Singapore dollar", "Singapore dollars", "cent", "cents", "新加坡幣", "新加坡币"),
    "TWD": _Currency("Taiwan dollar", "Taiwan dollars", "cent", "cents", "新臺幣", "新台币"),
    "USD": _Currency("US dollar", "US dollars", "cent", "cents", "美金", "美金"),
}

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS: Final = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES: Final = (
    (10**12, "trillion"),
    (10**9, "billion"),
    (10**6, "million"),
    (1000, "thousand"),
    (100, "hundred"),
)


def in_words(number: int) -> str:
    """A whole number in English words."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    size, name = next(scale for scale in _SCALES if number >= scale[0])
    many, rest = divmod(number, size)
    joint = " and " if rest and rest < 100 else " "
    return f"{in_words(many)} {name}" + (f"{joint}{in_words(rest)}" if rest else "")


class _Numerals(NamedTuple):
    """The numerals of cheques in one script."""

    digits: str
    places: tuple[str, str, str, str]
    myriads: tuple[str, str, str, str]
    point: str
    whole: str


_HANT: Final = _Numerals("零壹貳叁肆伍陸柒捌玖", ("", "拾", "佰", "仟"), ("", "萬", "億", "萬億"), "點", "正")
_HANS: Final = _Numerals("零壹贰叁肆伍陆柒捌玖", ("", "拾", "佰", "仟"), ("", "万", "亿", "万亿"), "点", "整")


def in_numerals(number: int, numerals: _Numerals) -> str:
    """A whole number in the numerals of cheques: a gap of noughts is said once, at the end not at all."""
    if number >= 10**16:
        raise InputError(f"expected less than 10^16, got {number}")
    said, gap = "", False
    for myriad in range(3, -1, -1):
        group = number // 10 ** (4 * myriad) % 10**4
        for place in range(3, -1, -1):
            digit = group // 10**place % 10
            if digit:
                said += (numerals.digits[0] if gap and said else "") + numerals.digits[digit]
                said += numerals.places[place]
            gap = not digit
        if group:
            said += numerals.myriads[myriad]
    return said or numerals.digits[0]


def _in_chinese(amount_minor: int, name: str, exponent: int, numerals: _Numerals) -> str:
    whole, part = divmod(amount_minor, 10**exponent)
    yuan = in_numerals(whole, numerals)
    if not part:
        return f"{name}{yuan}元{numerals.whole}"
    if exponent > 2:  # 角 and 分 name two places: what is finer is read digit by digit
        read = "".join(numerals.digits[int(digit)] for digit in f"{part:0{exponent}d}")
        return f"{name}{yuan}{numerals.point}{read}元"
    jiao, fen = divmod(part * 10 ** (2 - exponent), 10)
    said = f"{yuan}元" if whole else ""
    if jiao:
        said += f"{numerals.digits[jiao]}角"
    elif whole:
        said += numerals.digits[0]
    return name + said + (f"{numerals.digits[fen]}分" if fen else numerals.whole)


def _in_english(amount_minor: int, currency: str, exponent: int) -> str:
    whole, part = divmod(amount_minor, 10**exponent)
    known = _CURRENCIES.get(currency)
    name = currency if known is None else known.one if whole == 1 else known.many
    said = f"{in_words(whole)} {name}"
    if not part:
        return said
    if known is None or not known.cent or exponent != 2:
        return f"{said} and {part:0{exponent}d}/{10**exponent}"
    return f"{said} and {in_words(part)} {known.cent if part == 1 else known.cents}"


def amount_in_words(amount_minor: int, currency: str, exponent: int) -> dict[str, str]:
    """An amount in words by language; a currency that we have no name for is called by its code."""
    known = _CURRENCIES.get(currency)
    return {
        "en": _in_english(amount_minor, currency, exponent),
        "zh-Hant": _in_chinese(amount_minor, known.hant if known else currency, exponent, _HANT),
        "zh-Hans": _in_chinese(amount_minor, known.hans if known else currency, exponent, _HANS),
    }
