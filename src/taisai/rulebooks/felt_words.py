"""The words and figures that a layout prints: names of boxes in English and Chinese, dice, odds."""

from fractions import Fraction
from typing import Final

from taisai.money import say_odds
from taisai.rulebooks.kinds import KINDS, Kind
from taisai.rulebooks.layout import Caption
from taisai.rulebooks.marks import EVERY_MARKS, Marks
from taisai.rulebooks.model import Box, PayTable

CHINESE: Final[dict[Kind, str]] = {
    Kind.SMALL: "小",
    Kind.BIG: "大",
    Kind.ODD: "單",
    Kind.EVEN: "雙",
    Kind.SINGLE: "三軍",
    Kind.SUM: "點數",
    Kind.DOMINO: "牌九式",
    Kind.DOUBLE: "對子",
    Kind.ANY_TRIPLE: "全圍",
    Kind.TRIPLE: "圍骰",
    Kind.FOUR: "四數組合",
    Kind.TRIO: "三數組合",
    Kind.PAIR: "對子加單骰",
}
FACE_NAMES: Final = ("One", "Two", "Three", "Four", "Five", "Six")
FACE_NAMES_CHINESE: Final = "一二三四五六"
TOTALS: Final = {Kind.SMALL: (4, 10), Kind.BIG: (11, 17)}

# How often the layout prints the face that a box names once.
_REPEATS = {Kind.DOUBLE: 2, Kind.TRIPLE: 3}


def faces_of(box: Box) -> tuple[int, ...]:
    """The dice drawn in a box; none where it prints words or a total."""
    return () if box.kind is Kind.SUM else box.numbers * _REPEATS.get(box.kind, 1)


def box_name(box: Box) -> str:
    """A box in words: `Big`, `Total 17`, `Double and single 1 1 3`."""
    return " ".join([KINDS[box.kind].name, *map(str, box.numbers)])


def odds_figure(pays: tuple[Fraction, ...]) -> str:
    """The odds without the `to 1`: `8½`, or `1 / 2 / 12` for a single die."""
    return " / ".join(map(say_odds, pays))


def odds_spoken(pays: tuple[Fraction, ...]) -> str:
    """The odds as one says them: `pays 1, 2 or 12 to 1`."""
    *others, last = map(say_odds, pays)
    return f"pays {', '.join(others)}{' or ' if others else ''}{last} to 1"


def captioned_boxes(pay_table: PayTable, caption: Caption) -> list[Box]:
    """The boxes that a caption speaks of: a group by its id, or else every box of a kind."""
    in_group = [box for box in pay_table.boxes if box.group == caption.group]
    return in_group or [box for box in pay_table.boxes if box.kind == caption.group]


def caption_words(boxes: list[Box], marks: Marks) -> tuple[str, str, str]:
    """What a caption prints for its boxes: English, Chinese, and the odds they share ("" if they differ)."""
    kind = boxes[0].kind
    prices = {box.pays for box in boxes}
    pays = boxes[0].pays if len(prices) == 1 else ()
    odds = marks.odds_strip(kind, pays) if pays else ""
    english = KINDS[kind].name
    if len(pays) > 1:
        return "", CHINESE[kind], odds
    if kind is Kind.SUM:
        english = " or ".join(str(box.numbers[0]) for box in boxes) if pays else english
    elif len(boxes) > 1:
        english = f"Each {english.lower()}"
    return english, CHINESE[kind], odds


def every_mark() -> list[str]:
    """All that a layout may print in Chinese."""
    lines = [line for marks in EVERY_MARKS for lines in marks.chinese.values() for line in lines]
    return [*CHINESE.values(), FACE_NAMES_CHINESE, *lines, "骰寶", "大細"]
