"""The 56 combinations of three dice as columns, and what each box nets on each of them.

The order of the dice decides no bet, so 56 outcomes with 1, 3 or 6 ways carry everything the 216 rolls do.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from taisai.dice import COMBINATIONS, ROLLS, Roll
from taisai.rulebooks.model import Box, PayTable

Whole: TypeAlias = npt.NDArray[np.int64]

OUTCOMES: Final = tuple(COMBINATIONS)
WAYS: Final = tuple(COMBINATIONS.values())
WAYS_TOTAL: Final = len(ROLLS)
# Where each outcome is among the rolls that a price is paid on.
_BITS: Final = tuple(1 << outcome.index for outcome in OUTCOMES)


def net_on(box: Box, roll: Roll) -> Fraction:
    """What a unit bet nets the player: the odds, or minus one."""
    pays_to_one = box.pays_on(roll)
    return Fraction(-1) if pays_to_one is None else pays_to_one


@lru_cache(64)
def net_matrix(pay_table: PayTable) -> tuple[Whole, int]:
    """The player's net on each box (rows) and outcome (columns) for a stake of `unit`; and that unit."""
    unit = pay_table.unit
    nets = np.full((len(pay_table.boxes), len(OUTCOMES)), -unit, dtype=np.int64)
    for row, box in enumerate(pay_table.boxes):
        for price in box.prices:
            pays = int(price.pays_to_one * unit)
            rolls = price.rolls
            nets[row, [column for column, bit in enumerate(_BITS) if rolls & bit]] = pays
    nets.setflags(write=False)  # one for all who ask
    return nets, unit


def ways_column() -> Whole:
    """The ways of each outcome, as a column."""
    return np.array(WAYS, dtype=np.int64)
