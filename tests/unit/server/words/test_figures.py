"""Money in sentences: the pages' own spelling."""

import pytest

from taisai.server.words.figures import say_amount


@pytest.mark.parametrize(
    ("amount", "exponent", "currency", "said"),
    [
        (500, 2, "SGD", "$5"),
        (125_000, 2, "SGD", "$1,250"),
        (6_250, 2, "HKD", "$62.50"),
        (5, 2, "EUR", "€0.05"),
        (1_500, 0, "JPY", "¥1,500"),
        (-2_000, 2, "GBP", "-£20"),
        (100_050, 2, "MOP", "MOP\u00a01,000.50"),
        (9_000, 0, "CREDITS", "9,000 CREDITS"),
        (1_300, 2, "", "13"),
    ],
)
def test_an_amount_is_spelt_as_the_pages_spell_it(
    amount: int, exponent: int, currency: str, said: str
) -> None:
    """A sign, thousands set apart, and cents only where there are some."""
    assert say_amount(amount, exponent=exponent, currency=currency) == said
