"""Money is an `int` of minor units; odds are exact fractions to one. There is no rounding anywhere.

"x to 1" pays a winner x times the stake and gives the stake back.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Final

from taisai.errors import InputError, brief

# The one bound for money: what fits exactly into every JSON reader's numbers.
AMOUNT_MINOR_MAX: Final = 2**53 - 1
_ODDS_LENGTH_MAX: Final = 40
_ODDS = re.compile(r"[0-9]+(\.[0-9]+)?|[0-9]+/[1-9][0-9]*")


def parse_odds(raw: object) -> Fraction:
    """Odds to one from `62`, `"8.5"` or `"17/2"`. A float is refused: it has already lost digits."""
    if type(raw) is int and 0 < raw <= AMOUNT_MINOR_MAX:
        return Fraction(raw)
    if isinstance(raw, str) and len(raw) <= _ODDS_LENGTH_MAX and _ODDS.fullmatch(raw) and Fraction(raw) > 0:
        return Fraction(raw)
    hint = " (write halves as a string, for example '8.5')" if isinstance(raw, float) else ""
    raise InputError(f"expected odds to one such as 62 or '8.5', got {brief(raw)}{hint}")


def say_odds(pays_to_one: Fraction) -> str:
    """Odds as a layout prints them: 62, 8½, or a/b where nothing shorter is exact."""
    whole, rest = divmod(pays_to_one, 1)
    if rest == 0:
        return str(whole)
    if rest == Fraction(1, 2):
        return f"{whole or ''}½"
    return str(pays_to_one)


def check_stake(raw: object) -> int:
    """A stake: a whole number of minor units above zero."""
    if type(raw) is not int:
        raise InputError(f"a stake is a whole number of minor units, got {brief(raw)}")
    if raw <= 0:
        raise InputError(f"a stake is above zero, got {brief(raw)}")
    if raw > AMOUNT_MINOR_MAX:
        raise InputError(f"a stake is at most {AMOUNT_MINOR_MAX} minor units, got {brief(raw)}")
    return raw


def winnings(stake_minor: int, pays_to_one: Fraction) -> int:
    """What a winning stake earns beyond itself, exact or an error."""
    amount, rest = divmod(stake_minor * pays_to_one.numerator, pays_to_one.denominator)
    if rest:
        raise InputError(
            f"{stake_minor} at {say_odds(pays_to_one)} to 1 is no whole number of minor units: "
            f"stakes on this box are multiples of {pays_to_one.denominator}"
        )
    return amount


def payable_unit(odds: Iterable[Fraction]) -> int:
    """The smallest chip unit that every one of these odds pays in whole minor units."""
    return lcm(*(pays_to_one.denominator for pays_to_one in odds))
