"""The net of a session, round by round, until a rule stops it: where it ends, and after how many rounds.

Nets lie on whole multiples of one step. A stopping rule is a column for each round that says at which nets
play goes on. Chances are whole numbers out of `total ** rounds` while that is quick, and floats beyond; every
step adds a rounding error of at most one part in 2**52 to each chance, which `error` sums up.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.cost import Cost, afford
from taisai.odds.results.chance import Chance

Column = npt.NDArray[Any]
# Which nets go on at the start of a round: of the lattice's places, counted from `NetWalk.lowest`.
GoesOn = Callable[[int], npt.NDArray[np.bool_]]

# Products of whole numbers of hundreds of digits: beyond this many, floats serve.
EXACT_PRODUCTS_MAX: Final = 1_500_000
# Measured: a product of floats, and one of whole numbers for each thousand of its bits.
_FLOAT_SECONDS, _WHOLE_SECONDS = 2.5e-9, 3e-7
# What each place takes when an end is asked for its worth, in whole numbers and fractions.
_PLACE_SECONDS: Final = 1e-5
_EPSILON: Final = float(np.finfo(np.float64).eps)
LESS: Final = "ask for fewer rounds, nearer bounds, or stakes with a larger common divisor"


@dataclass(frozen=True)
class NetWalk:
    """What a round can do to the net, in whole steps, and the places that so many rounds can reach."""

    step: Fraction
    moves: tuple[int, ...]
    ways: tuple[int, ...]
    rounds: int
    lowest: int
    highest: int

    @classmethod
    def of(
        cls,
        distribution: Mapping[Fraction, Fraction],
        rounds: int,
        *,
        low: Fraction | int | None = None,
        high: Fraction | int | None = None,
    ) -> "NetWalk":
        """The walk of so many rounds; play stops at `low` or below and at `high` or above, where given."""
        nets = sorted(distribution)
        step = fraction_gcd(nets)
        if not step:
            raise InputError("these bets never win or lose: there is nothing to follow")
        unit = fraction_gcd(list(distribution.values()))
        moves = tuple(int(net / step) for net in nets)
        down, up = min(0, moves[0]), max(0, moves[-1])
        lowest, highest = rounds * down, rounds * up
        if low is not None:
            lowest = max(lowest, int(-(-Fraction(low) // step)) + down)
        if high is not None:
            highest = min(highest, int(Fraction(high) // step) + up)
        if lowest > 0 or highest < 0:
            raise InputError("play stops before it begins: a bound lies on the wrong side of zero")
        ways = tuple(int(distribution[net] / unit) for net in nets)
        walk = cls(step, moves, ways, rounds, lowest, highest)
        walk.afford(exact=False)
        return walk

    @property
    def total(self) -> int:
        return sum(self.ways)

    @property
    def places(self) -> int:
        return self.highest - self.lowest + 1

    @property
    def products(self) -> int:
        """What following all rounds takes, in multiplications."""
        return self.places * len(self.moves) * self.rounds

    @property
    def is_small(self) -> bool:
        """Whether whole numbers will do."""
        return self.products * max(1.0, self._bits / 1000) <= EXACT_PRODUCTS_MAX

    @property
    def _bits(self) -> int:
        return self.rounds * self.total.bit_length()

    def cost(self, *, exact: bool) -> Cost:
        """What one pass through all rounds takes."""
        if exact:
            seconds = self.products * _WHOLE_SECONDS * max(1.0, self._bits / 1000)
            return Cost(memory_bytes=self.places * (64 + self._bits / 8) * 3, seconds=seconds)
        seconds = self.products * _FLOAT_SECONDS + self.places * _PLACE_SECONDS
        return Cost(memory_bytes=self.places * 200.0, seconds=seconds)

    def afford(self, *, exact: bool, passes: float = 1.0, memory_bytes: float = 0.0) -> None:
        """Refuse what does not fit before anything of that size is made."""
        once = self.cost(exact=exact)
        afford(
            f"{self.rounds:,} rounds on {self.places:,} nets",
            Cost(memory_bytes=once.memory_bytes + memory_bytes, seconds=once.seconds * passes),
            less=LESS,
        )

    @property
    def error(self) -> float:
        """What a chance in floats may be off by, at most."""
        return self.rounds * (len(self.moves) + 1) * _EPSILON

    def nets(self) -> npt.NDArray[np.int64]:
        """Every place, lowest first, in steps."""
        return np.arange(self.lowest, self.highest + 1)

    def net(self, entry: int) -> Fraction:
        """The net of one place."""
        return (self.lowest + entry) * self.step

    def between(self, low: Fraction | int | None, high: Fraction | int | None) -> GoesOn:
        """The rule that stops at `low` or below, and at `high` or above."""
        at = self.nets()
        inside = np.ones(len(at), dtype=bool)
        if low is not None:
            inside &= at > int(Fraction(low) // self.step)
        if high is not None:
            inside &= at < int(-(-Fraction(high) // self.step))
        return lambda number: inside

    def onward(self, here: Column, weights: tuple[Any, ...]) -> Column:
        """Everyone after one more round."""
        after = np.zeros(len(here), dtype=here.dtype)
        for move, weight in zip(self.moves, weights, strict=True):
            to, start = (
                (after[move:], here[: len(here) - move]) if move >= 0 else (after[:move], here[-move:])
            )
            to += weight * start
        return after


@dataclass(frozen=True)
class Ended:
    """Where sessions ended: the weight of each place out of `total`, and the rounds that were played."""

    walk: NetWalk
    weights: Column
    total: int
    rounds: Chance
    is_exact: bool

    @property
    def error(self) -> float:
        """What a chance may be off by; 0 where it is exact."""
        return 0.0 if self.is_exact else self.walk.error

    @cached_property
    def _held(self) -> list[tuple[Fraction, Any]]:
        return [(self.walk.net(int(at)), self.weights[at]) for at in np.flatnonzero(self.weights)]

    def expect(self, worth: Callable[[Fraction], Fraction]) -> Chance:
        """The expectation of what an end is worth."""
        if self.is_exact:
            whole = sum((worth(net) * int(weight) for net, weight in self._held), Fraction(0))
            return Chance.of(whole / self.total)
        return Chance(None, float(sum(float(worth(net)) * weight for net, weight in self._held)))

    def chance(self, holds: Callable[[Fraction], bool]) -> Chance:
        """The chance that a session ends so."""
        return self.expect(lambda net: Fraction(1 if holds(net) else 0))


def follow(walk: NetWalk, goes_on: GoesOn, *, exact: bool | None = None) -> Ended:
    """Play all rounds under a stopping rule; `exact` insists on whole numbers or on floats."""
    exact = walk.is_small if exact is None else exact
    walk.afford(exact=exact)
    total = walk.total
    weights: tuple[Any, ...] = walk.ways if exact else tuple(way / total for way in walk.ways)
    here = np.zeros(walk.places, dtype=object if exact else np.float64)
    done = here.copy()
    here[-walk.lowest] = 1 if exact else 1.0
    played: Any = 0
    for number in range(walk.rounds):
        inside = goes_on(number)
        done[~inside] += here[~inside]
        here[~inside] = 0
        if exact:
            played = (played + int(here.sum())) * total
            done = done * total
        else:
            played += float(here.sum())
        here = walk.onward(here, weights)
    whole = total**walk.rounds
    rounds = Chance.of(Fraction(played, whole)) if exact else Chance(None, played)
    return Ended(walk, done + here, whole if exact else 1, rounds, exact)
