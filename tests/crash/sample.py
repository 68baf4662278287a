"""How much of what a crash may do is tried: a ninth of the cases in `make test`, all by `make crash`."""

import os
from typing import Final

WHOLE: Final = bool(os.environ.get("CRASH_WHOLE"))
# Odd: many cases come in pairs and fours, and the sample is to have each of them.
EVERY: Final = 1 if WHOLE else 9


def is_tried(case: int) -> bool:
    """Whether the case of this number is in the sample."""
    return case % EVERY == 0


def part_of(cases: int) -> int:
    """How many of so many random cases are tried."""
    return cases if WHOLE else cases // 4
