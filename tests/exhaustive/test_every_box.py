"""Every box of every shipped pay table on each of the 216 rolls, against code that shares nothing with it."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import taisai
from taisai.errors import InputError
from taisai.game.bulk import settle_columns
from taisai.odds.exact import box_odds
from tests.exhaustive import naive

ROLLS = list(product(range(1, 7), repeat=3))
every_table = pytest.mark.parametrize("name", naive.TABLES)


def test_nothing_is_shipped_that_is_not_enumerated() -> None:
    """Each pay table of each shipped rulebook is compared below."""
    shipped = {table.id for name in taisai.shipped_rulebooks() for table in taisai.rulebook(name).pay_tables}
    assert shipped == set(naive.TABLES)


@pytest.mark.parametrize(
    ("rulebook", "counts"),
    [
        ("tai-sai-v3", [50]),
        ("tai-sai-open-cover", [50, 104]),
        ("tai-sai-v4", [50]),
        ("tai-sai-v6", [50, 104, 107]),
        ("sic-bo-etg-v8", [56, 104, 104]),
    ],
)
def test_the_approved_tables_offer_as_many_boxes_as_approved(rulebook: str, counts: list[int]) -> None:
    """50, 104, 107 and 56: neither the two missing pairs nor a total of 3 or 18 has crept in."""
    assert [len(table.boxes) for table in taisai.rulebook(rulebook).pay_tables] == counts


@every_table
def test_a_table_offers_exactly_its_boxes(name: str) -> None:
    """Names and number of the boxes are those of the document, each once."""
    offered = [box.id for box in taisai.pay_table(name).boxes]
    assert len(offered) == len(set(offered))
    assert set(offered) == set(naive.TABLES[name][0])


@every_table
def test_every_box_pays_what_the_naive_reading_says(name: str) -> None:
    """Won or lost and at which odds, box by box and roll by roll."""
    table = taisai.pay_table(name)
    for dice in ROLLS:
        roll = taisai.Roll(*dice)
        paid = {box.id: box.pays_on(roll) for box in table.boxes}
        expected = {box.id: Fraction(naive.halves(name, box.id, *dice), 2) or None for box in table.boxes}
        assert paid == expected, roll
        assert set(table.winning_boxes(roll)) == {box for box, odds in expected.items() if odds}


@every_table
def test_every_settlement_is_what_the_naive_reading_says(name: str) -> None:
    """Amounts are right to the minor unit on every roll, bet by bet and by columns."""
    table = taisai.pay_table(name)
    stakes = {box.id: 2 * (place + 1) for place, box in enumerate(table.boxes)}
    index, column = np.arange(len(stakes)), np.array(list(stakes.values()))
    for dice in ROLLS:
        roll = taisai.Roll(*dice)
        expected = [naive.returned(name, box, *dice, stake) for box, stake in stakes.items()]
        awards = taisai.settle(table, roll, stakes)
        assert [award.returned for award in awards.values()] == expected, roll
        assert [award.stake for award in awards.values()] == list(stakes.values())
        assert [award.won for award in awards.values()] == [
            amount > 0 for amount in expected if amount is not None
        ]
        assert settle_columns(table, roll, index, column).tolist() == expected, roll


@every_table
def test_an_odd_stake_at_half_unit_odds_is_an_error_exactly_where_it_wins(name: str) -> None:
    """A payout that is no whole number is refused on both paths and on no other roll or box."""
    table = taisai.pay_table(name)
    for dice in ROLLS:
        roll = taisai.Roll(*dice)
        for place, box in enumerate(table.boxes):
            one_bet = np.array([place]), np.array([3])
            expected = naive.returned(name, box.id, *dice, 3)
            if expected is None:
                with pytest.raises(InputError, match="no whole number"):
                    taisai.settle(table, roll, {box.id: 3})
                with pytest.raises(InputError, match="no whole number"):
                    settle_columns(table, roll, *one_bet)
            else:
                assert taisai.settle(table, roll, {box.id: 3})[box.id].returned == expected


@every_table
def test_exact_odds_are_the_count_of_the_216(name: str) -> None:
    """Ways, return and variance follow from nothing but adding up the naive results."""
    for box in taisai.pay_table(name).boxes:
        halves = [naive.halves(name, box.id, *dice) for dice in ROLLS]
        nets = [Fraction(won, 2) if won else Fraction(-1) for won in halves]
        mean = sum(nets, Fraction(0)) / 216
        odds = box_odds(box)
        assert odds.ways == sum(won > 0 for won in halves)
        assert odds.edge == -mean
        assert odds.returns == 1 + mean
        assert odds.variance == sum(((net - mean) ** 2 for net in nets), Fraction(0)) / 216
        assert odds.central_moment(3) == sum(((net - mean) ** 3 for net in nets), Fraction(0)) / 216
