"""Where text becomes a number: one bound for money, one for counts, and shares without exponents.

Every option that takes a number goes through here, so that a number with thousands of digits is refused
before anything is computed with it.
"""

import re
from fractions import Fraction
from typing import Any, Final

import typer

from taisai.errors import InputError, brief
from taisai.money import AMOUNT_MINOR_MAX
from taisai.odds.bounds import COUNT_MAX, SEED_MAX

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,20}")
_SHARE: Final = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?|[0-9]{1,20}/[0-9]{1,20})(%?)")
PORT_MAX: Final = 65_535


def whole_number(text: str, *, what: str, least: int, most: int) -> int:
    """A whole number in a range from what was typed; `what` names it in the refusal."""
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise InputError(f"{what} a whole number from {least} to {most}, got {brief(text)}")
    return int(text)


def amount(text: str, *, what: str, least: int = 0) -> int:
    """An amount of money in minor units; `what` names it, such as `a maximum`."""
    return whole_number(text, what=f"{what} is", least=least, most=AMOUNT_MINOR_MAX)


def share(text: str) -> Fraction:
    """A share of one: 0.75, 3/4 and 75% are the same; so is 75, since no share is above one.

    >>> share("0.75") == share("3/4") == share("75%") == share("75")
    True
    """
    found = _SHARE.fullmatch(text)
    if found is None or found[1].endswith("/0"):
        raise InputError(f"expected a share such as 0.75, 3/4 or 75%, got {brief(text)}")
    value = _fraction(found[1], text)
    if found[2] or value > 1:
        value /= 100
    if value > 1:
        raise InputError(f"a share is at most 1, which is 100%, got {brief(text)}")
    return value


def _fraction(number: str, text: str) -> Fraction:
    try:
        return Fraction(number)
    except ZeroDivisionError:
        raise InputError(f"expected a share such as 0.75, 3/4 or 75%, got {brief(text)}") from None


def _ranged(help_text: str, least: int, most: int) -> Any:
    def parse(raw: object) -> int:
        try:
            return whole_number(str(raw), what="expected", least=least, most=most)
        except InputError as error:
            raise typer.BadParameter(str(error)) from None

    return typer.Option(parser=parse, metavar="<int>", help=help_text)


def money_option(help_text: str, *, least: int = 1) -> Any:
    """An option that takes an amount in minor units."""
    return _ranged(help_text, least, AMOUNT_MINOR_MAX)


def count_option(help_text: str, *, least: int = 1, most: int = COUNT_MAX) -> Any:
    """An option that takes a number of things: rounds, players, columns."""
    return _ranged(help_text, least, most)


def seed_option(help_text: str) -> Any:
    """An option that takes a seed."""
    return _ranged(help_text, 0, SEED_MAX)


def port_option(help_text: str) -> Any:
    """An option that takes a port; 0 asks for a free one."""
    return _ranged(help_text, 0, PORT_MAX)
