"""The kinds of betting box: a closed list, each with the numbers it takes and the rolls it wins on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from taisai.dice import FACES, ROLLS, Roll, RollSet

Numbers = tuple[int, ...]


class Kind(StrEnum):
    """What a box is about. Rule files name these; nothing else can be offered."""

    SMALL = "small"
    BIG = "big"
    ODD = "odd"
    EVEN = "even"
    SINGLE = "single"
    SUM = "sum"
    DOMINO = "domino"
    DOUBLE = "double"
    ANY_TRIPLE = "any-triple"
    TRIPLE = "triple"
    FOUR = "four"
    TRIO = "trio"
    PAIR = "pair"


@dataclass(frozen=True, slots=True)
class KindRule:
    """How one kind of box is read and won.

    `level` says how well a roll does for the numbers bet on: 0 loses, 1 to `levels` choose the price.
    Only the single dice bet has more than one level: the number on one, two or three dice.
    """

    name: str
    expects: str
    fits: Callable[[Numbers], bool]
    level: Callable[[Roll, Numbers], int]
    levels: int = 1


def _all_different(count: int) -> Callable[[Numbers], bool]:
    return lambda numbers: len(numbers) == count and len(set(numbers)) == count and _are_faces(numbers)


def _are_faces(numbers: Numbers) -> bool:
    return all(number in FACES for number in numbers)


def _one_face(numbers: Numbers) -> bool:
    return len(numbers) == 1 and _are_faces(numbers)


def _nothing(numbers: Numbers) -> bool:
    return not numbers


KINDS: Final[dict[Kind, KindRule]] = {
    Kind.SMALL: KindRule(
        "Small", "no numbers", _nothing, lambda roll, _: not roll.is_triple and 4 <= roll.total <= 10
    ),
    Kind.BIG: KindRule(
        "Big", "no numbers", _nothing, lambda roll, _: not roll.is_triple and 11 <= roll.total <= 17
    ),
    Kind.ODD: KindRule(
        "Odd", "no numbers", _nothing, lambda roll, _: not roll.is_triple and roll.total % 2 == 1
    ),
    Kind.EVEN: KindRule(
        "Even", "no numbers", _nothing, lambda roll, _: not roll.is_triple and roll.total % 2 == 0
    ),
    Kind.SINGLE: KindRule(
        "Single die", "one face, 1 to 6", _one_face, lambda roll, on: roll.count(on[0]), levels=3
    ),
    Kind.SUM: KindRule(
        "Total",
        "one total, 3 to 18",
        lambda numbers: len(numbers) == 1 and 3 <= numbers[0] <= 18,
        lambda roll, on: roll.total == on[0],
    ),
    Kind.DOMINO: KindRule(
        "Domino",
        "two different faces",
        _all_different(2),
        lambda roll, on: all(face in roll.faces for face in on),
    ),
    Kind.DOUBLE: KindRule("Double", "one face, 1 to 6", _one_face, lambda roll, on: roll.count(on[0]) >= 2),
    Kind.ANY_TRIPLE: KindRule("Any triple", "no numbers", _nothing, lambda roll, _: roll.is_triple),
    Kind.TRIPLE: KindRule("Triple", "one face, 1 to 6", _one_face, lambda roll, on: roll.count(on[0]) == 3),
    Kind.FOUR: KindRule(
        "Four numbers",
        "four different faces",
        _all_different(4),
        lambda roll, on: len(set(roll.faces)) == 3 and set(roll.faces) <= set(on),
    ),
    Kind.TRIO: KindRule(
        "Three numbers",
        "three different faces",
        _all_different(3),
        lambda roll, on: set(roll.faces) == set(on),
    ),
    Kind.PAIR: KindRule(
        "Double and single",
        "the double's face twice, then another: 113",
        lambda on: len(on) == 3 and on[0] == on[1] != on[2] and _are_faces(on),
        lambda roll, on: sorted(roll.faces) == sorted(on),
    ),
}

# The kinds that clause 3.10 (ETG: 3.9) names: only their boxes can win when the three dice are alike.
WINS_ON_TRIPLES: Final = (Kind.TRIPLE, Kind.ANY_TRIPLE, Kind.DOUBLE, Kind.SINGLE, Kind.SUM)


@cache
def winning_sets(kind: Kind, numbers: Numbers) -> tuple[RollSet, ...]:
    """The rolls won at each level of a kind; the sets are disjoint. The same for every pay table."""
    rule = KINDS[kind]
    levels = [rule.level(roll, numbers) for roll in ROLLS]
    return tuple(
        sum(1 << index for index, level in enumerate(levels) if level == wanted)
        for wanted in range(1, rule.levels + 1)
    )


def parse_numbers(kind: Kind, raw: object) -> Numbers:
    """The numbers of one box from a rule file: `4` or `"17"` for a total, `"113"` for faces."""
    text = str(raw) if type(raw) in (int, str) else ""
    rule = KINDS[kind]
    if text.isascii() and text.isdigit():
        numbers = (int(text),) if kind is Kind.SUM else tuple(map(int, text))
        if rule.fits(numbers):
            return numbers
    raise ValueError(f"{kind} takes {rule.expects}, got {raw!r}")


def box_id(kind: Kind, numbers: Sequence[int]) -> str:
    """The box's name for ever: `big`, `sum-4`, `pair-113`."""
    return f"{kind}-{''.join(map(str, numbers))}" if numbers else str(kind)
