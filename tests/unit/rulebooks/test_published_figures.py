"""House edges that others have published, recomputed from the rolls.

The figures are percentages as printed, with as many digits as the source gives. Sources: the engine of
llm-vs-house, a public test table of edges, onlinesicbo.org, high-rollercasinos.com, tokyo3.org, jswqzs.com.
"""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

import taisai
from taisai.dice import ROLLS
from taisai.money import parse_odds
from taisai.odds.exact import box_odds
from taisai.rulebooks.kinds import Kind, Numbers, winning_sets
from taisai.rulebooks.model import Box, Price


def edge(kind: Kind, numbers: Numbers, *odds: int) -> Fraction:
    """The house edge of a box at given odds, whether or not any pay table offers it."""
    prices = zip(winning_sets(kind, numbers), map(parse_odds, odds), strict=True)
    return box_odds(Box("box", kind, numbers, "group", tuple(Price(*price) for price in prices))).edge


def printed(share: Fraction, like: str) -> str:
    """A share as a percentage with as many decimals as a published figure."""
    exact = Decimal(100) * share.numerator / share.denominator
    return str(exact.quantize(Decimal(like), ROUND_HALF_UP))


PUBLISHED = [
    # kind, numbers of both boxes of the line, odds, exact edge, as printed by one source or more
    (Kind.SUM, [(7,), (14,)], (12,), "7/72", ["9.72"]),
    (Kind.SUM, [(8,), (13,)], (8,), "1/8", ["12.50"]),
    (Kind.SUM, [(9,), (12,)], (6,), "41/216", ["18.98"]),
    (Kind.SUM, [(9,), (12,)], (7,), "2/27", ["7.41", "7"]),
    (Kind.SUM, [(10,), (11,)], (6,), "1/8", ["12.50"]),
    (Kind.SINGLE, [(face,) for face in range(1, 7)], (1, 2, 3), "17/216", ["7.87"]),
    (Kind.SINGLE, [(face,) for face in range(1, 7)], (1, 2, 12), "1/27", ["3.7", "3.70"]),
    (Kind.DOMINO, [(1, 4), (5, 6)], (5,), "1/6", ["16.67"]),
    (Kind.DOMINO, [(1, 4), (5, 6)], (6,), "1/36", ["2.78", "2.8"]),
    (Kind.DOUBLE, [(1,), (6,)], (8,), "1/3", ["33.33"]),
    (Kind.DOUBLE, [(1,), (6,)], (10,), "5/27", ["18.52"]),
    (Kind.DOUBLE, [(1,), (6,)], (11,), "1/9", ["11.11"]),
    (Kind.TRIPLE, [(1,), (6,)], (150,), "65/216", ["30.09"]),
    (Kind.TRIPLE, [(1,), (6,)], (180,), "35/216", ["16.20", "16.2037"]),
    (Kind.ANY_TRIPLE, [()], (24,), "11/36", ["30.56"]),
    (Kind.ANY_TRIPLE, [()], (30,), "5/36", ["13.89"]),
    (Kind.ANY_TRIPLE, [()], (31,), "1/9", ["11.11"]),
    (Kind.TRIO, [(1, 2, 6), (3, 4, 5)], (30,), "5/36", ["13.89", "14"]),
    (Kind.PAIR, [(1, 1, 3), (6, 6, 4)], (50,), "7/24", ["29.17", "29"]),
    (Kind.FOUR, [(6, 5, 4, 3), (4, 3, 2, 1)], (7,), "1/9", ["11.11", "11"]),
]


@pytest.mark.parametrize(("kind", "lines", "odds", "exact", "figures"), PUBLISHED)
def test_a_published_edge_is_what_the_rolls_say(
    kind: Kind, lines: list[Numbers], odds: tuple[int, ...], exact: str, figures: list[str]
) -> None:
    """Each figure of others follows from counting the 216 rolls, digit by digit."""
    for numbers in lines:
        share = edge(kind, numbers, *odds)
        assert share == Fraction(exact)
        assert [printed(share, figure) for figure in figures] == figures


@pytest.mark.parametrize(
    ("table", "box", "exact"),
    [
        ("tai-sai-v6/2", "sum-7", "7/72"),
        ("tai-sai-v6/2", "sum-8", "1/8"),
        ("macau/1", "sum-9", "41/216"),
        ("tai-sai-v6/2", "sum-9", "2/27"),
        ("tai-sai-v6/2", "sum-10", "1/8"),
        ("macau/1", "single-1", "17/216"),
        ("tai-sai-v6/2", "single-1", "1/27"),
        ("macau/1", "domino-14", "1/6"),
        ("tai-sai-v6/2", "domino-14", "1/36"),
        ("macau/1", "double-1", "1/3"),
        ("atlantic-city/1", "double-1", "5/27"),
        ("australia/1", "double-1", "1/9"),
        ("macau/1", "triple-1", "65/216"),
        ("tai-sai-v6/2", "triple-1", "35/216"),
        ("macau/1", "any-triple", "11/36"),
        ("atlantic-city/1", "any-triple", "5/36"),
        ("tai-sai-v6/2", "any-triple", "1/9"),
        ("tai-sai-v6/2", "trio-126", "5/36"),
        ("tai-sai-v6/2", "pair-113", "7/24"),
        ("tai-sai-v6/2", "four-6543", "1/9"),
    ],
)
def test_the_shipped_tables_keep_what_was_published(table: str, box: str, exact: str) -> None:
    """The same figures hold for the boxes of the pay tables that we ship."""
    assert box_odds(taisai.pay_table(table).box(box)).edge == Fraction(exact)


@pytest.mark.parametrize(
    ("total", "odds", "published"), [(6, 18, "20.83"), (15, 18, "20.83"), (9, 7, "11.11"), (12, 7, "11.11")]
)
def test_totals_that_lost_on_triples_would_cost_the_player_more(
    total: int, odds: int, published: str
) -> None:
    """A trap others fell into: the edge would be this, and it is not what our boxes have."""
    without_triple = sum(roll.total == total and not roll.is_triple for roll in ROLLS)
    wrong = 1 - Fraction(without_triple * (1 + odds), len(ROLLS))
    assert printed(wrong, published) == published
    assert edge(Kind.SUM, (total,), odds) == wrong - Fraction(1 + odds, len(ROLLS))
