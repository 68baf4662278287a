"""How much of what a crash may do is tried: a fifth of the cases in `make test`, all by `make crash`."""

import os
from typing import Final

WHOLE: Final = bool(os.environ.get("CRASH_WHOLE"))
EVERY: Final = 1 if WHOLE else 5


def is_tried(case: int) -> bool:
    """Whether the case of this number is in the sample."""
    return case % EVERY == 0
