"""How large a number may be before anything is computed with it: one bound for counts, one for seeds.

The bound for money is `taisai.money.AMOUNT_MINOR_MAX`. What fits these may still be too much work, which is
what `taisai.odds.cost` is asked.
"""

from typing import Final

from taisai.errors import InputError, brief
from taisai.money import AMOUNT_MINOR_MAX

COUNT_MAX: Final = 10**15
# Seeds are shown and typed again; 63 bits are what is drawn where none is given.
SEED_MAX: Final = 2**63 - 1


def check_count(name: str, raw: object, *, least: int = 1, most: int = COUNT_MAX) -> int:
    """A whole number of things within its bounds."""
    if type(raw) is not int or not least <= raw <= most:
        raise InputError(f"{name} is a whole number from {least} to {most}, got {brief(raw)}")
    return raw


def check_seed(raw: object) -> int:
    """A seed: a whole number of at most 63 bits."""
    if type(raw) is not int or not 0 <= raw <= SEED_MAX:
        raise InputError(f"a seed is a whole number, zero or above, got {brief(raw)}")
    return raw


def check_amount(name: str, raw: object) -> int:
    """A whole number of minor units above zero and within the bound of money."""
    if type(raw) is not int or raw < 1:
        raise InputError(f"{name} is a whole number of minor units above zero, got {brief(raw)}")
    if raw > AMOUNT_MINOR_MAX:
        raise InputError(f"{name} is at most {AMOUNT_MINOR_MAX} minor units, got {brief(raw)}")
    return raw
