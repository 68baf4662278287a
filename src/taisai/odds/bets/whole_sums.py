"""Sums of columns of 64-bit whole numbers that cannot overflow."""

import numpy as np
import numpy.typing as npt


def exact_sum(column: npt.NDArray[np.int64]) -> int:
    """The sum as Python's integer: halves of 32 bits are summed apart and put together."""
    low = column & 0xFFFF_FFFF
    high = column >> 32
    return int(high.sum()) * (1 << 32) + int(low.sum())
