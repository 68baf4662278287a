"""How much of what a crash may do is tried: a third of the cases in `make test`, all by `make crash`."""

import os
from typing import Final

EVERY: Final = 1 if os.environ.get("CRASH_WHOLE") else 3


def is_tried(case: int) -> bool:
    """Whether the case of this number is in the sample."""
    return case % EVERY == 0
