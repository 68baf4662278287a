"""Multipliers and progressives against loops over rolls, lights and long series; nobody plays them."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import taisai
from taisai.dice import ROLLS
from taisai.errors import InputError, RulebookError
from taisai.game.bulk import settle_columns
from taisai.game.state import RoundState
from taisai.odds.layers.multipliers import LayeredOdds, layered_frame, layered_moments
from taisai.odds.layers.progressive import ProgressiveValue
from taisai.rulebooks.catalogue import load_rulebook
from taisai.rulebooks.loader import parse_rulebook
from tests.unit.command import run

FILE = Path(__file__).parents[2] / "files" / "lit.toml"
BOOK = load_rulebook(FILE)
TABLE = BOOK.pay_table(1)
LIT = {Fraction(499): Fraction(9, 10), Fraction(999): Fraction(1, 10)}


def test_a_lit_box_is_a_sum_over_rolls_and_lights() -> None:
    """Return and spread of a triple, one by one."""
    odds = LayeredOdds.of(TABLE, "triple-4")
    nets: dict[Fraction, Fraction] = {}
    for roll in ROLLS:
        wins = roll.first == roll.second == roll.third == 4
        for lit, light in ((False, Fraction(9, 10)), (True, Fraction(1, 10))):
            for pays, share in LIT.items() if lit else [(Fraction(130), Fraction(1))]:
                net = pays if wins else Fraction(-1)
                nets[net] = nets.get(net, Fraction(0)) + light * share / 216
    assert dict(odds.distribution) == nets
    mean = sum(net * chance for net, chance in nets.items())
    assert odds.returns == 1 + mean
    variance = sum((net - mean) ** 2 * chance for net, chance in nets.items())
    assert odds.standard_deviation == pytest.approx(float(variance) ** 0.5)
    rows = {row["box"]: row for row in layered_frame(TABLE)}
    assert rows["big"]["return"] == rows["big"]["return_unlit"] == Fraction(35, 36)
    assert rows["triple-4"]["return"] == 1 + mean > rows["triple-4"]["return_unlit"]


def test_bets_together_share_the_dice_and_not_the_lights() -> None:
    """Two triples and big: every roll with every state of both lights."""
    stakes = {"triple-4": 3, "triple-5": 2, "big": 7}
    state = [
        (Fraction(9, 10), Fraction(130)),
        *((Fraction(1, 10) * share, pays) for pays, share in LIT.items()),
    ]
    mean = square = Fraction(0)
    for roll, (one, first), (two, second) in product(ROLLS, state, state):
        pays = {"triple-4": first, "triple-5": second, "big": Fraction(1)}
        net = sum(
            (
                stake * (pays[box] if TABLE.box(box).pays_on(roll) is not None else -1)
                for box, stake in stakes.items()
            ),
            Fraction(0),
        )
        mean += one * two * net / 216
        square += one * two * net**2 / 216
    assert layered_moments(TABLE, stakes) == (mean, square - mean**2)


def test_the_meter_breaks_even_where_nobody_has_an_edge() -> None:
    """At the break-even the return is one; a unit of the meter more and it is above."""
    value = ProgressiveValue.of(TABLE, 100)
    assert value.hit == Fraction(1, 216)
    assert value.returns(value.break_even_meter) == 1
    assert value.returns(value.break_even_meter + 1) == 1 + Fraction(1, 21_600)
    assert value.returns(0) == value.odds.returns


def test_the_long_run_is_the_sum_of_all_meters() -> None:
    """The series over the bet that hits, term by term until nothing is left."""
    value = ProgressiveValue.of(TABLE, 100)
    hit, mean, returned, reached = 1 / 216, 0.0, 0.0, 0.0
    for bets in range(1, 12_000):
        chance = hit * (1 - hit) ** (bets - 1)
        meter = 2_000 + 2.0 * bets
        mean += chance * meter
        if meter >= value.break_even_meter and 2_000 + 2.0 * (bets - 1) < value.break_even_meter:
            reached = (1 - hit) ** (bets - 1)
    assert float(value.mean_meter) == pytest.approx(mean, rel=1e-9)
    returned = float(value.odds.returns) + hit * mean / 100
    assert float(value.long_run_return) == pytest.approx(returned, rel=1e-9)
    assert value.chance_of_break_even is not None
    assert float(value.chance_of_break_even) == pytest.approx(reached, rel=1e-9)


def test_nobody_plays_or_settles_such_a_table() -> None:
    """A settlement, one by columns, a round: each refuses, and says where it can be computed."""
    for act in (
        lambda: taisai.settle(TABLE, taisai.Roll(6, 6, 6), {"triple-6": 100}),
        lambda: settle_columns(TABLE, taisai.Roll(6, 6, 6), np.array([0]), np.array([100])),
        lambda: RoundState(BOOK, TABLE),
    ):
        with pytest.raises(InputError, match="neither played nor settled"):
            act()


def test_the_layer_is_part_of_the_digest_and_the_approved_tables_have_none() -> None:
    """Another chance is another table; shipped tables keep the digests they had."""
    other = parse_rulebook(
        FILE.read_text(encoding="utf-8").replace('chance = "1/10"', 'chance = "1/5"'), "other"
    )
    assert other.pay_table(1).digest != TABLE.digest
    assert all(
        table.layer is None for name in ("tai-sai-v6", "macau") for table in taisai.rulebook(name).pay_tables
    )


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('chance = "1/10"', 'chance = "11/10"', "share of one"),
        ('"triple-1", "triple-2"', '"triple-1", "triple-1"', "multipliers already"),
        ('"triple-1", "triple-2"', '"triple-1", "sum-9"', "no box"),
        ('"499" = "9/10"', '"499" = "8/10"', "sums to 1"),
        ('"499" = "9/10"', '"x" = "9/10"', "odds to one"),
        ('box = "triple-6"', 'box = "double-6"', "no box"),
        ('paid = "1"', 'paid = "0"', "pays nothing"),
        ("seed = 2000", "seed = -1", "whole number from 0"),
        ('contribution = "1/50"', "contribution = 0.02", "as text"),
    ],
)
def test_a_faulty_layer_is_told_with_its_key(was: str, now: str, said: str) -> None:
    """Each of them in one line of the list."""
    text = FILE.read_text(encoding="utf-8")
    assert was in text
    with pytest.raises(RulebookError) as caught:
        parse_rulebook(text.replace(was, now), "lit.toml")
    assert any(said in fault.message for fault in caught.value.faults)


def test_the_command_shows_the_layer_and_refuses_what_has_none(tmp_path: Path) -> None:
    """The table, the meter and bets together; a plain rule file is for `check`."""
    done = run("layers", str(FILE), "--meter", "5000", "--bet", "triple-4=100", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert '"break_even_meter"' in done.stdout
    plain = run("layers", str(FILE.with_name("house.toml")))
    assert plain.exit_code == 2
    assert "neither multipliers nor a progressive" in plain.stderr
    with pytest.raises(InputError, match="no progressive"):
        ProgressiveValue.of(taisai.pay_table("macau/1"), 100)
