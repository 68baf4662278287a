"""Settlement by columns, for rounds with very many bets.

The plain path in `awards` says what is right; this one says the same, a column at a time. Everything is
whole numbers: odds are brought to a common denominator, and a stake that it does not divide is an error.
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.rulebooks.model import PayTable

Whole: TypeAlias = npt.NDArray[np.int64]

_INT64_MAX = np.iinfo(np.int64).max
# So many bets at a time stay in the processor's own memory from one step to the next.
_BLOCK = 32_768
# A round of every roll at a few pay tables.
_MULTIPLES_KEPT = 1_024


@lru_cache(_MULTIPLES_KEPT)
def return_multiples(pay_table: PayTable, roll: Roll) -> tuple[Whole, int]:
    """For each box, what a stake of `unit` minor units returns on the roll; and that unit."""
    pay_table.check_playable()
    unit = pay_table.unit
    multiples = []
    for box in pay_table.boxes:
        pays_to_one = box.pays_on(roll)
        multiples.append(0 if pays_to_one is None else int(unit + unit * pays_to_one))
    if max(multiples) > _INT64_MAX:
        raise InputError(f"the odds of {pay_table.id} are too large to settle by columns")
    found = np.array(multiples, dtype=np.int64)
    found.flags.writeable = False  # everybody who asks has the same one
    return found, unit


def settle_columns(
    pay_table: PayTable, roll: Roll, box_index: npt.NDArray[np.integer], stake_minor: npt.NDArray[np.integer]
) -> Whole:
    """What each bet returns. `box_index` counts the boxes as `pay_table.index` does."""
    if box_index.shape != stake_minor.shape or box_index.ndim != 1:
        raise InputError(f"expected two columns of one length, got {box_index.shape} and {stake_minor.shape}")
    if not len(box_index):
        return np.zeros(0, dtype=np.int64)
    for name, column in (("box_index", box_index), ("stake_minor", stake_minor)):
        if not np.issubdtype(column.dtype, np.integer):
            raise InputError(f"{name} is a column of whole numbers, got {column.dtype}")
    multiples, unit = return_multiples(pay_table, roll)
    _check_ranges(box_index, stake_minor, len(multiples), int(multiples.max()))
    returned: Whole = np.empty(len(box_index), dtype=np.int64)
    for start in range(0, len(returned), _BLOCK):
        block = slice(start, start + _BLOCK)
        part = returned[block]
        np.take(multiples, box_index[block], out=part, mode="clip")  # which are all in range
        part *= stake_minor[block].astype(np.int64, copy=False)
        uneven = _divided(part, unit)
        if uneven is not None:
            bet = start + uneven
            box = pay_table.boxes[int(box_index[bet])]
            raise InputError(
                f"bet {bet}: {int(stake_minor[bet])} on {box.id} would win no whole number of minor units"
            )
    return returned


def _divided(returned: Whole, unit: int) -> int | None:
    """Bring a block to minor units, in place; the first place where that makes no whole number, or none."""
    if unit == 1:
        return None
    if unit & (unit - 1) == 0:  # as nearly always: bits instead of a division
        uneven = returned & (unit - 1)
        returned >>= unit.bit_length() - 1
    else:
        uneven = returned % unit
        returned //= unit
    return int(np.flatnonzero(uneven)[0]) if uneven.any() else None


def _check_ranges(
    box_index: npt.NDArray[np.integer], stake_minor: npt.NDArray[np.integer], boxes: int, multiple_max: int
) -> None:
    if (low := int(box_index.min())) < 0 or (high := int(box_index.max())) >= boxes:
        raise InputError(f"box_index counts from 0 to {boxes - 1}, got {low if low < 0 else high}")
    if (least := int(stake_minor.min())) <= 0:
        raise InputError(f"a stake is above zero, got {least}")
    if multiple_max and int(stake_minor.max()) > _INT64_MAX // multiple_max:
        raise InputError(f"a stake of {int(stake_minor.max())} is too large to settle by columns")
