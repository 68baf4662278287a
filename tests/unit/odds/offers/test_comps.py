"""Comps against arithmetic on paper."""

from fractions import Fraction

import pytest

import taisai
from taisai.errors import InputError
from taisai.odds.mix import Mix
from taisai.odds.offers.comps import comps

MIX = Mix.on(taisai.pay_table("tai-sai-v6/2"), {"big": 1000})


def test_comps_give_back_a_share_of_the_theoretical_win() -> None:
    """Four hours at 45 rounds of 1,000 on big: 180,000 staked, 5,000 expected, 1,500 given back."""
    found = comps(MIX, share=Fraction(3, 10), pace=45, minutes=240)
    assert (found.handle, found.theo, found.cost, found.house_keeps) == (180_000, 5_000, 1_500, 3_500)
    assert found.edge_left == Fraction(7, 10) / 36


def test_a_share_above_one_is_refused() -> None:
    """Nobody gives back more than is expected."""
    with pytest.raises(InputError, match="between 0 and 1"):
        comps(MIX, share=Fraction(11, 10), pace=45, minutes=60)
