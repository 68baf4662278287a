"""A figure that is known exactly, or only to the precision of a float."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

# A fraction with more digits than this serves nobody on a screen; Python refuses to print far longer ones.
DIGITS_SHOWN_MAX: Final = 2_000
_BITS_SHOWN_MAX: Final = int(DIGITS_SHOWN_MAX * 3.32)


@dataclass(frozen=True, slots=True)
class Chance:
    """An exact fraction where there is one (`exact` is None otherwise), and always its float."""

    exact: Fraction | None
    approx: float

    @classmethod
    def of(cls, exact: Fraction) -> "Chance":
        return cls(exact, float(exact))

    def __float__(self) -> float:
        return self.approx

    def as_json(self) -> dict[str, Any]:
        """`{"exact": "a/b", "float": x}`; exact is null when unknown or too long to print."""
        return {"exact": say_exact(self.exact), "float": self.approx}


def say_exact(value: Fraction | None) -> str | None:
    """A fraction as text, or None when it is unknown or has thousands of digits."""
    if value is None or value.denominator.bit_length() + value.numerator.bit_length() > 2 * _BITS_SHOWN_MAX:
        return None
    return str(value)
