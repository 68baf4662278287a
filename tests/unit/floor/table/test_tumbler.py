"""A simulated tumbler: every roll equally likely, and no roll from a generator that is broken."""

import pytest

from taisai.dice import ROLLS
from taisai.errors import InvariantBroken
from taisai.floor.table.tumbler import SYSTEM_SOURCE, SimulatedTumbler


class Bytes:
    """Gives these bytes, one after the other and round again."""

    def __init__(self, given: bytes) -> None:
        self.given, self.asked = given, 0

    def random_bytes(self, count: int) -> bytes:
        assert count == 1
        self.asked += 1
        return self.given[(self.asked - 1) % len(self.given) :][:1]


def test_all_bytes_below_216_are_the_216_rolls_once_each() -> None:
    """So a fair byte is a fair roll."""
    tumbler = SimulatedTumbler(Bytes(bytes(range(256))))
    assert sorted(tumbler.draw() for _ in range(216)) == sorted(ROLLS)


def test_a_byte_from_216_on_is_thrown_away_and_not_folded_back() -> None:
    """Both ends of what is discarded cost another byte, and change no roll."""
    entropy = Bytes(bytes([216, 255, 215]))
    assert SimulatedTumbler(entropy).draw() == ROLLS[215]
    assert entropy.asked == 3


def test_a_generator_that_never_gives_a_roll_is_named_instead_of_awaited() -> None:
    """A stuck generator ends in one clear line."""
    with pytest.raises(InvariantBroken, match="10000 bytes of which none was below 216"):
        SimulatedTumbler(Bytes(b"\xff")).draw()


def test_the_record_hears_where_dice_come_from() -> None:
    """The machine's generator, unless another source is named."""
    assert SimulatedTumbler(Bytes(b"\0")).source == SYSTEM_SOURCE
    assert SimulatedTumbler(Bytes(b"\0"), "a seed").source == "a seed"
