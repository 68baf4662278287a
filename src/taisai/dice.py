"""Three dice: one Roll, the 216 that can fall, and sets of them as bits.

A set of rolls is an `int` of 216 bits, bit i standing for `ROLLS[i]`. Overlap is `&`, the number of
ways is `bit_count()`, and whether a roll belongs is one shift.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final

import msgspec

from taisai.errors import InputError, brief

FACES: Final = (1, 2, 3, 4, 5, 6)

RollSet = int
_FACE: Final = re.compile(r"[0-9]{1,9}")


class Roll(msgspec.Struct, frozen=True, array_like=True, order=True, forbid_unknown_fields=True):
    """The uppermost faces of the three dice, in the order in which they were read."""

    first: int
    second: int
    third: int

    def __post_init__(self) -> None:
        for face in (self.first, self.second, self.third):
            if type(face) is not int or face not in FACES:
                raise InputError(f"a die shows 1 to 6, not {face!r}")

    @classmethod
    def parse(cls, text: str) -> "Roll":
        """Read `1,1,3`, `1 1 3` or `113`."""
        digits = [part for part in text.replace(",", " ").split() if part]
        if len(digits) == 1 and len(digits[0]) == 3:
            digits = list(digits[0])
        if len(digits) != 3 or not all(_FACE.fullmatch(part) for part in digits):
            raise InputError(f"expected three dice such as 1,1,3, got {brief(text)}")
        return cls(*map(int, digits))

    @property
    def faces(self) -> tuple[int, int, int]:
        return self.first, self.second, self.third

    @property
    def total(self) -> int:
        return self.first + self.second + self.third

    @property
    def is_triple(self) -> bool:
        return self.first == self.second == self.third

    @property
    def index(self) -> int:
        """The place of this roll in `ROLLS`."""
        return (self.first - 1) * 36 + (self.second - 1) * 6 + (self.third - 1)

    def called(self) -> "Roll":
        """The same dice from lowest to highest, as a dealer calls them."""
        return Roll(*sorted(self.faces))

    def count(self, face: int) -> int:
        return self.faces.count(face)

    def __iter__(self) -> Iterator[int]:
        return iter(self.faces)

    def __str__(self) -> str:
        return f"{self.first}-{self.second}-{self.third}"


ROLLS: Final = tuple(Roll(a, b, c) for a in FACES for b in FACES for c in FACES)
EVERY_ROLL: Final[RollSet] = (1 << len(ROLLS)) - 1

# The 56 combinations that the order of the dice does not tell apart, each with its ways (1, 3 or 6).
COMBINATIONS: Final[dict[Roll, int]] = {}
for _roll in ROLLS:
    COMBINATIONS[_roll.called()] = COMBINATIONS.get(_roll.called(), 0) + 1


def roll_of_byte(byte: int) -> Roll | None:
    """The roll that a random byte stands for; none from 216 on, so that no roll is likelier than another."""
    return ROLLS[byte] if byte < len(ROLLS) else None


def rolls_where(wins: Callable[[Roll], bool]) -> RollSet:
    """The set of all rolls for which `wins` holds."""
    return sum(1 << i for i, roll in enumerate(ROLLS) if wins(roll))


def holds(rolls: RollSet, roll: Roll) -> bool:
    return bool(rolls >> roll.index & 1)


@lru_cache(maxsize=4096)
def places_in(rolls: RollSet) -> tuple[int, ...]:
    """The places in `ROLLS` of the rolls in a set."""
    return tuple(place for place in range(len(ROLLS)) if rolls >> place & 1)


def rolls_with(known: tuple[int, ...]) -> RollSet:
    """The rolls in which the known faces (none to three, in any order) all show."""
    if len(known) > 3:
        raise InputError(f"at most three dice can be known, got {len(known)}")
    for face in known:
        if type(face) is not int or face not in FACES:
            raise InputError(f"a die shows 1 to 6, not {face!r}")
    return _completions(known)


@cache
def _completions(known: tuple[int, ...]) -> RollSet:
    return rolls_where(lambda roll: all(roll.count(face) >= known.count(face) for face in known))


class KnownFaces(msgspec.Struct, frozen=True):
    """The faces that were read of three dice whose rest never can be: no roll, and standing for none."""

    faces: tuple[int, ...]

    @property
    def completions(self) -> RollSet:
        """Every roll that the dice may have shown."""
        return rolls_with(self.faces)

    def __str__(self) -> str:
        return "-".join(map(str, sorted(self.faces)))
