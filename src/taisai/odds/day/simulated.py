"""Days played with random dice: for what no list of nets can hold, and for the drop, which paths decide.

All players of a round ride on the same dice. Whoever cannot cover the next slip buys in again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, lcm, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from taisai.errors import InputError
from taisai.odds.bets.outcomes import OUTCOMES, WAYS
from taisai.odds.bounds import check_amount, check_count, check_seed
from taisai.odds.cost import Cost, afford
from taisai.odds.mix import Mix

Column = npt.NDArray[np.float64]

_STEP_SECONDS: Final = 2.5e-8
_DAYS_AT_ONCE: Final = 256
_FACE_OF: Final = np.repeat(np.arange(len(OUTCOMES)), WAYS)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure from simulated days, and what it may be off by: two standard errors, or 95 % by order."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class SimulatedDays:
    """Each day's win, drop, lowest point and worst drawdown, in minor units."""

    days: int
    seed: int
    win: Column
    drop: Column | None
    lowest: Column
    drawdown: Column

    def mean(self, column: Column) -> Estimate:
        """The mean of a column and two standard errors around it."""
        half = 2 * float(column.std(ddof=1)) / sqrt(len(column)) if len(column) > 1 else float("inf")
        middle = float(column.mean())
        return Estimate(middle, middle - half, middle + half)

    def quantile(self, column: Column, level: float) -> Estimate:
        """A quantile, and the order statistics that hold it with 95 % whatever the distribution."""
        ordered, count = np.sort(column), len(column)
        half = 1.96 * sqrt(count * level * (1 - level))
        low, high = floor(count * level - half), ceil(count * level + half)
        return Estimate(
            float(ordered[min(count - 1, max(0, ceil(count * level) - 1))]),
            float(ordered[max(0, low)]) if low >= 0 else float("-inf"),
            float(ordered[high]) if high < count else float("inf"),
        )

    @property
    def hold_on_drop(self) -> Column | None:
        """Each day's win as a share of what was bought in."""
        return None if self.drop is None else self.win / self.drop


def simulate_days(
    rounds_of_bets: Sequence[Sequence[Mix]],
    *,
    rounds: int,
    days: int,
    seed: int,
    buy_in: int | None = None,
) -> SimulatedDays:
    """Play so many days; each round is one of `rounds_of_bets`, which list a mix for each player.

    The drop needs players who stay: one list of mixes, and what each of them buys in for.
    """
    check_count("a number of rounds", rounds)
    check_count("days", days)
    if not rounds_of_bets or not all(rounds_of_bets):
        raise InputError("a day needs at least one round of bets, got none")
    if buy_in is not None:
        check_amount("a buy-in", buy_in)
        if len(rounds_of_bets) > 1:
            raise InputError("the drop is followed for players who stay all day, not for recorded rounds")
    players = max(len(each) for each in rounds_of_bets) if buy_in is not None else 1
    afford(
        f"{days:,} days of {rounds:,} rounds",
        Cost(
            memory_bytes=float(min(days, _DAYS_AT_ONCE) * rounds * 8 * 6 + days * 40),
            seconds=days * rounds * (players + 3) * _STEP_SECONDS,
        ),
        less="ask for fewer days or hours",
    )
    tables, unit = _house_tables(rounds_of_bets)
    rng = np.random.default_rng(check_seed(seed))
    parts = []
    for start in range(0, days, _DAYS_AT_ONCE):
        some = min(_DAYS_AT_ONCE, days - start)
        fell = _FACE_OF[rng.integers(0, len(_FACE_OF), (some, rounds))]
        which = rng.integers(0, len(tables), (some, rounds)) if len(tables) > 1 else 0
        path = np.cumsum(tables[which, fell], axis=1)
        drop = None if buy_in is None else _drop(rounds_of_bets[0], fell, buy_in)
        parts.append((path[:, -1] / unit, drop, _lowest(path) / unit, _drawdown(path) / unit))
    drops = [drop for _, drop, _, _ in parts if drop is not None]
    return SimulatedDays(
        days=days,
        seed=seed,
        win=np.concatenate([part[0] for part in parts]),
        drop=np.concatenate(drops) if drops else None,
        lowest=np.concatenate([part[2] for part in parts]),
        drawdown=np.concatenate([part[3] for part in parts]),
    )


def _nets(mix: Mix, unit: int) -> npt.NDArray[np.int64]:
    return np.array([int(mix.net_on(roll) * unit) for roll in OUTCOMES], dtype=np.int64)


def _unit(mixes: Sequence[Mix]) -> int:
    return lcm(*(pays.denominator for mix in mixes for bet in mix.bets for pays in bet.box.pays))


def _house_tables(rounds_of_bets: Sequence[Sequence[Mix]]) -> tuple[npt.NDArray[np.int64], int]:
    """The house's net on each outcome, a row for each kind of round, in fractions of a minor unit."""
    unit = _unit([mix for each in rounds_of_bets for mix in each])
    rows = [
        -sum((_nets(mix, unit) for mix in each), np.zeros(len(OUTCOMES), np.int64)) for each in rounds_of_bets
    ]
    return np.array(rows), unit


def _lowest(path: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How far below its start a day came, as an amount."""
    found: npt.NDArray[np.int64] = -np.minimum(path.min(axis=1), 0)
    return found


def _drawdown(path: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    peaks = np.maximum(np.maximum.accumulate(path, axis=1), 0)
    found: npt.NDArray[np.int64] = (peaks - path).max(axis=1)
    return found


def _drop(mixes: Sequence[Mix], fell: npt.NDArray[np.int64], buy_in: int) -> Column:
    """What all players bought in for: as often as it took to cover every slip."""
    total = np.zeros(len(fell))
    for mix in mixes:
        unit = _unit([mix])
        path = np.cumsum(_nets(mix, unit)[fell], axis=1)[:, :-1]
        lowest = np.minimum(path.min(axis=1), 0) if path.shape[1] else np.zeros(len(fell))
        needed = mix.stake_minor - lowest / unit
        total += np.ceil(needed / buy_in) * buy_in
    return total
