"""Three routes to every figure (enumeration, generating function, simulation), and the ladders in print."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

import taisai
from taisai.dice import COMBINATIONS, ROLLS
from taisai.odds.bets.outcomes import WAYS, net_matrix
from taisai.odds.exact import box_odds
from taisai.odds.extras import needs
from taisai.odds.par.crosscheck import cross_check, generating_function_returns, generating_function_ways

TABLES = [table for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.id)


def test_the_generating_function_counts_the_216_rolls() -> None:
    """(x1 + … + x6)³ has the ways of the 56 combinations, (x + … + x⁶)³ those of the 16 totals."""
    assert generating_function_ways() == COMBINATIONS
    flint = needs("flint")
    totals = (flint.fmpz_poly([0, 1, 1, 1, 1, 1, 1]) ** 3).coeffs()
    assert [int(ways) for ways in totals[3:]] == [sum(r.total == t for r in ROLLS) for t in range(3, 19)]


@every_table
def test_enumeration_generating_function_and_columns_agree(table: taisai.PayTable) -> None:
    """Bits of the 216 rolls, coefficients, and the matrix that exposure uses: one return for every box."""
    ways = generating_function_ways()
    nets, unit = net_matrix(table)
    means = nets @ np.array(WAYS)
    for place, box in enumerate(table.boxes):
        by_rolls = sum((1 + (box.pays_on(r) or 0) for r in ROLLS if box.pays_on(r)), Fraction(0)) / 216
        assert box_odds(box).returns == by_rolls
        assert generating_function_returns(box, ways) == by_rolls
        assert 1 + Fraction(int(means[place]), 216 * unit) == by_rolls


@every_table
def test_a_simulation_agrees_with_every_box(table: taisai.PayTable) -> None:
    """A hundred million rounds, all questions together at one percent."""
    check = cross_check(table, rounds=100_000_000, seed=2023)
    assert check.passes, [each for each in check.returns if not each.passes]
    assert check.generating_function_agrees


def test_a_simulation_of_rolls_settled_one_by_one_agrees() -> None:
    """Dice thrown singly and settled by the game's own function: no shortcut is shared."""
    table = taisai.pay_table("tai-sai-v6/2")
    dice = np.random.default_rng(6).integers(1, 7, size=(20_000, 3))
    bets = {"big": 10, "single-6": 10, "domino-14": 10}
    net = []
    for faces in dice.tolist():
        awards = taisai.settle(table, taisai.Roll(*faces), bets)
        net.append(sum(award.returned - award.stake for award in awards.values()))
    mean = sum(10 * box_odds(table.box(box)).mean for box in bets)
    error = float(np.std(net)) / sqrt(len(net))
    assert abs(float(np.mean(net)) - float(mean)) < 3.29 * error


def printed(share: Fraction, like: str) -> str:
    exact = Decimal(100) * share.numerator / share.denominator
    return str(exact.quantize(Decimal(like), ROUND_HALF_UP))


def edge_of_total(total: int, pays: int) -> Fraction:
    ways = sum(roll.total == total for roll in ROLLS)
    return 1 - Fraction(ways * (1 + pays), 216)


LADDERS = [
    # totals, first odds, the edges that the Wizard of Odds prints for each price from there on
    (
        (4, 17),
        50,
        "29.17 27.78 26.39 25.00 23.61 22.22 20.83 19.44 18.06 16.67 15.28 13.89 12.50 11.11 9.72 8.33",
    ),
    (
        (5, 16),
        18,
        "47.22 44.44 41.67 38.89 36.11 33.33 30.56 27.78 25.00 22.22 19.44 16.67 13.89 11.11 8.33",
    ),
    ((6, 15), 14, "30.56 25.93"),
]


@pytest.mark.parametrize(("totals", "first", "ladder"), LADDERS)
def test_the_ladders_in_print_are_what_the_rolls_say(
    totals: tuple[int, int], first: int, ladder: str
) -> None:
    """Every price of a total from the Macau one upwards, to the digits that are printed."""
    for total in totals:
        found = [printed(edge_of_total(total, first + k), "0.01") for k in range(len(ladder.split()))]
        assert found == ladder.split()


@pytest.mark.parametrize(
    ("box", "macau", "atlantic_city", "australia"),
    [
        ("small", "1/36", "1/36", "1/36"),
        ("big", "1/36", "1/36", "1/36"),
        ("sum-4", "7/24", "11/72", "1/8"),
        ("sum-17", "7/24", "11/72", "1/8"),
        ("sum-5", "17/36", "5/36", "1/9"),
        ("sum-16", "17/36", "5/36", "1/9"),
        ("sum-6", "11/36", "1/6", "13/108"),
        ("sum-15", "11/36", "1/6", "13/108"),
    ],
)
def test_the_three_cities_of_the_wizard_are_reproduced(
    box: str, macau: str, atlantic_city: str, australia: str
) -> None:
    """The same box at the odds of three jurisdictions."""
    cities = {"macau/1": macau, "atlantic-city/1": atlantic_city, "australia/1": australia}
    assert {name: str(box_odds(taisai.pay_table(name).box(box)).edge) for name in cities} == cities


def test_figures_misprinted_elsewhere_are_not_ours() -> None:
    """7.780 % for 17/216, 2.78 % for a combination at 5 and 29.17 % for a triple at 150 are misprints."""
    assert printed(Fraction(17, 216), "0.001") == "7.870"
    macau = taisai.pay_table("macau/1")
    assert printed(box_odds(macau.box("domino-14")).edge, "0.01") == "16.67"
    assert printed(box_odds(macau.box("triple-1")).edge, "0.01") == "30.09"


def test_the_return_floor_of_standards_is_what_it_is_said_to_be() -> None:
    """83.8 and 69.9 % for a triple at 180 and 150, 81.5 and 66.7 % for a double at 10 and 8."""
    said = {
        ("tai-sai-v6/2", "triple-1"): "83.8",
        ("macau/1", "triple-1"): "69.9",
        ("atlantic-city/1", "any-triple"): "86.1",
        ("macau/1", "any-triple"): "69.4",
        ("atlantic-city/1", "sum-4"): "84.7",
        ("macau/1", "sum-4"): "70.8",
        ("atlantic-city/1", "double-1"): "81.5",
        ("macau/1", "double-1"): "66.7",
    }
    found = {
        (table, box): printed(box_odds(taisai.pay_table(table).box(box)).returns, "0.1")
        for table, box in said
    }
    assert found == said


def test_bac_bo_is_reproduced_by_the_same_generating_functions() -> None:
    """Two dice against two: 575 win, 146 tie and 575 lose of 1,296; edges of 1.1265 % and 4.4753 %."""
    two = [int(ways) for ways in (needs("flint").fmpz_poly([0, 1, 1, 1, 1, 1, 1]) ** 2).coeffs()]
    pairs = [(a, b, x * y) for a, x in enumerate(two) for b, y in enumerate(two)]
    win = sum(ways for a, b, ways in pairs if a > b)
    tie = sum(ways for a, b, ways in pairs if a == b)
    assert (win, tie, 1296 - win - tie) == (575, 146, 575)
    # A tie keeps a tenth of a bet on either side; the bet on the tie itself pays by its total.
    assert printed(Fraction(tie, 1296) / 10, "0.0001") == "1.1265"
    pays = {2: 88, 3: 25, 4: 10, 5: 6, 6: 4, 7: 4, 8: 4, 9: 6, 10: 10, 11: 25, 12: 88}
    returned = sum(two[total] ** 2 * (1 + to_one) for total, to_one in pays.items())
    assert printed(1 - Fraction(returned, 1296), "0.0001") == "4.4753"
