"""Recorded rolls as text: three dice a line, with or without a header, read into columns."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from taisai.dice import Roll
from taisai.errors import InputError

Dice = npt.NDArray[np.int64]

# Names under which registers keep the three dice beside other columns.
_DICE_NAMES = (
    ("first", "second", "third"),
    ("die1", "die2", "die3"),
    ("die_1", "die_2", "die_3"),
    ("dice1", "dice2", "dice3"),
    ("d1", "d2", "d3"),
    ("a", "b", "c"),
)
_SEPARATOR = re.compile(r"[,;\s-]+")


def parse_rolls(lines: Iterable[str], *, source: str = "rolls") -> Dice:
    """Rolls from lines such as `1,4,6`, `1 4 6` or `146`; a header and blank lines are passed over.

    A header that names more than three columns must name the dice, for example `first,second,third`.

    >>> parse_rolls(["die1,die2,die3", "1,4,6", "2 2 2"]).tolist()
    [[1, 4, 6], [2, 2, 2]]
    """
    found = list(each_roll(lines, source=source))
    if not found:
        raise InputError(f"{source}: expected rolls, one a line such as 1,4,6, got none")
    return np.array(found, dtype=np.int64)


def each_roll(lines: Iterable[str], *, source: str = "rolls") -> Iterator[tuple[int, int, int]]:
    """The same one by one, each as soon as its line is there."""
    known: dict[str, tuple[int, int, int]] = {}
    columns: tuple[int, ...] | None = None
    started = False
    for number, line in enumerate(lines, start=1):
        dice = known.get(line)
        if dice is None:
            text = line.strip().lstrip("\ufeff")
            if not text or text.startswith("#"):
                continue
            if not started and any(letter.isalpha() for letter in text):
                columns, started = _columns(text, source, number), True
                continue
            dice = known[line] = _dice(text, columns, source, number)
        started = True
        yield dice


def _dice(text: str, columns: tuple[int, ...] | None, source: str, number: int) -> tuple[int, int, int]:
    fields = _fields(text)
    if columns is not None:
        if len(fields) <= max(columns):
            raise InputError(
                f"{source}, line {number}: expected a column for each of three dice, got {text!r}"
            )
        text = " ".join(fields[column] for column in columns)
    elif "-" in text:
        text = " ".join(fields)
    try:
        return Roll.parse(text.replace(";", " ")).faces
    except InputError as error:
        raise InputError(f"{source}, line {number}: {error}") from None


def _columns(header: str, source: str, number: int) -> tuple[int, ...] | None:
    """Where the dice stand, or None when the lines hold nothing else."""
    names = [field.strip(" \"'").lower() for field in _fields(header)]
    for dice in _DICE_NAMES:
        if all(name in names for name in dice):
            return tuple(names.index(name) for name in dice)
    if len(names) <= 3:
        return None
    raise InputError(
        f"{source}, line {number}: expected a header that names three dice, "
        f"such as first,second,third or d1,d2,d3, got {header!r}"
    )


def _fields(text: str) -> list[str]:
    """Commas and semicolons keep empty fields; otherwise spaces or hyphens separate."""
    for mark in (",", ";", "\t"):
        if mark in text:
            return [field.strip().strip("\"'") for field in text.split(mark)]
    return [field for field in _SEPARATOR.split(text) if field]


def as_dice(rolls: Sequence[Roll] | npt.NDArray[np.integer]) -> Dice:
    """A column for each die, from rolls or from an array of three columns with faces 1 to 6."""
    if isinstance(rolls, np.ndarray):
        dice = rolls
    else:
        dice = np.array([roll.faces for roll in rolls], dtype=np.int64).reshape(-1, 3)
    if dice.ndim != 2 or dice.shape[1] != 3:
        raise InputError(f"expected rows of three dice, got an array of shape {dice.shape}")
    if not len(dice):
        raise InputError("expected at least one roll, got none")
    if not np.issubdtype(dice.dtype, np.integer) or dice.min() < 1 or dice.max() > 6:
        raise InputError("a die shows 1 to 6, a whole number")
    return dice.astype(np.int64)
