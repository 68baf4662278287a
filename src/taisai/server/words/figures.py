"""Money in sentences, spelt as the pages spell it: `$1,250`, `$12.50`, `1,250 CREDITS`."""

from typing import Final

# The short signs of currencies, by their codes; where two share one, a house has only one of them.
_SIGNS: Final = {
    **dict.fromkeys("AUD CAD HKD MXN NZD SGD TWD USD".split(), "$"),
    **dict.fromkeys("CNY JPY".split(), "¥"),
    "EUR": "€",
    "GBP": "£",
    "INR": "₹",
    "KRW": "₩",
    "MYR": "RM",
    "PHP": "₱",
    "THB": "฿",
    "VND": "₫",
}
_ISO_LENGTH: Final = 3


def say_amount(amount_minor: int, *, exponent: int, currency: str = "") -> str:
    """Cents only where there are some. A code without a sign is written out; without a code, none."""
    whole, part = divmod(abs(amount_minor), 10**exponent)
    figure = f"{whole:,}.{part:0{exponent}d}" if part else f"{whole:,}"
    minus = "-" if amount_minor < 0 else ""
    if not currency:
        return f"{minus}{figure}"
    if currency in _SIGNS:
        return f"{minus}{_SIGNS[currency]}{figure}"
    if len(currency) == _ISO_LENGTH:
        return f"{minus}{currency}\N{NO-BREAK SPACE}{figure}"
    return f"{minus}{figure} {currency}"
