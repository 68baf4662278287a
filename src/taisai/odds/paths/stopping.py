"""The best moment to stop: what a session is worth to who may leave at any net, by backward induction."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from taisai.odds.paths.walk import Column, Ended, NetWalk, follow
from taisai.odds.results.chance import Chance

# Going on must be worth more than stopping by more than floats can err.
_MORE: Final = 1e-13


@dataclass(frozen=True)
class BestStop:
    """The best rule, what it is worth, and where it stops."""

    walk: NetWalk
    value: Chance
    goes_on: tuple[npt.NDArray[np.bool_], ...]

    @cached_property
    def ended(self) -> Ended:
        """Where sessions end under the best rule."""
        return follow(self.walk, self.goes_on.__getitem__, exact=self.value.exact is not None)

    def bounds(self, number: int = 0) -> tuple[Fraction | None, Fraction | None]:
        """The nearest nets below and above zero at which it is best to stop before a round.

        None where nothing that can be reached is a reason to stop; both zero where it is best not to play.
        """
        inside, zero = self.goes_on[number], -self.walk.lowest
        if not inside[zero]:
            return Fraction(0), Fraction(0)
        below = np.flatnonzero(~inside[:zero])
        above = np.flatnonzero(~inside[zero:])
        low = None if not len(below) else self.walk.net(int(below[-1]))
        return low, None if not len(above) else self.walk.net(zero + int(above[0]))


def best_stop(
    walk: NetWalk,
    worth: Callable[[Fraction], Fraction],
    *,
    can_go_on: npt.NDArray[np.bool_] | None = None,
    exact: bool | None = None,
) -> BestStop:
    """The rule that maximises what the end is worth; `can_go_on` are the nets at which one more bet fits."""
    exact = walk.is_small if exact is None else exact
    walk.afford(exact=exact, memory_bytes=float(walk.places * walk.rounds))
    stop, scale = _worth_of(walk, worth, exact=exact)
    total = walk.total
    weights: tuple[Any, ...] = walk.ways if exact else tuple(way / total for way in walk.ways)
    value = stop.copy()
    rules: list[npt.NDArray[np.bool_]] = []
    for _ in range(walk.rounds):
        if exact:
            stop = stop * total
        going = _expected(walk, value, weights)
        inside = np.asarray(going > stop if exact else going > stop + _MORE * (1 + np.abs(stop)), dtype=bool)
        inside &= _has_room(walk)
        if can_go_on is not None:
            inside &= can_go_on
        value = np.where(inside, going, stop)
        rules.append(inside)
    at_zero = value[-walk.lowest]
    found = (
        Chance.of(Fraction(int(at_zero), scale * total**walk.rounds))
        if exact
        else Chance(None, float(at_zero))
    )
    return BestStop(walk, found, tuple(reversed(rules)))


def _worth_of(walk: NetWalk, worth: Callable[[Fraction], Fraction], *, exact: bool) -> tuple[Column, int]:
    """What stopping at each place brings, in whole numbers over one denominator, or in floats."""
    values = [worth(walk.net(entry)) for entry in range(walk.places)]
    if not exact:
        return np.array([float(value) for value in values]), 1
    scale = lcm(*(value.denominator for value in values))
    return np.array([int(value * scale) for value in values], dtype=object), scale


def _expected(walk: NetWalk, value: Column, weights: tuple[Any, ...]) -> Column:
    """What going on is worth at each place; where a round leads out of the lattice nobody asks."""
    going = np.zeros(len(value), dtype=value.dtype)
    for move, weight in zip(walk.moves, weights, strict=True):
        to, start = (going[: len(value) - move], value[move:]) if move >= 0 else (going[-move:], value[:move])
        to += weight * start
    return going


def _has_room(walk: NetWalk) -> npt.NDArray[np.bool_]:
    at = np.arange(walk.places)
    return (at + min(walk.moves) >= 0) & (at + max(walk.moves) < walk.places)
