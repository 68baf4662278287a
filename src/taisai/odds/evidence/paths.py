"""The sequential test's evidence over time, computed by columns: many rolls, or many tables, at once.

The same quantity as `FairnessMonitor`, whose value after each roll it gives; tests hold the two equal.
"""

import numpy as np
import numpy.typing as npt

from taisai.dice import COMBINATIONS
from taisai.odds.sequential import (
    COMBINATION_CHANCES,
    EVEN_FACES,
    REPEAT_CHANCES,
    STRENGTHS,
    WINDOW,
    Weights,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def _combination_table() -> Ints:
    table = np.zeros((7, 7, 7), dtype=np.int64)
    for place, roll in enumerate(COMBINATIONS):
        a, b, c = roll.faces
        for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
            table[x, y, z] = place
    return table


_COMBINATION_OF = _combination_table()


def combination_places(dice: Ints) -> Ints:
    """The place of each roll among the 56 combinations, for dice along the last axis."""
    return _COMBINATION_OF[dice[..., 0], dice[..., 1], dice[..., 2]]


def evidence_over_time(dice: Ints, *, ordered: bool = True, window: int = WINDOW) -> Floats:
    """The log evidence after each roll.

    `dice` has the three dice along its last axis and time along the one before; any axes before those are
    tables of their own.
    """
    rolls = dice.shape[-2]
    whole = _watch(dice, None, ordered)
    recent = np.empty_like(whole)
    banked = np.zeros(dice.shape[:-2])
    for number, start in enumerate(range(0, rolls, window), start=1):
        span = slice(start, min(start + window, rolls))
        before = dice[..., start - 1, :] if start else None
        part = _watch(dice[..., span, :], before, ordered)
        share = 1 / (number * (number + 1))
        unspent = np.log(banked + 1 / (number + 1))[..., None]
        recent[..., span] = np.logaddexp(unspent, np.log(share) + part)
        banked = banked + share * np.exp(np.minimum(part[..., -1], 700.0))
    return np.asarray(np.logaddexp(whole, recent) - np.log(2))


def first_alarms(log_evidence: Floats, alpha: float) -> Ints:
    """The number of the roll that raises the alarm, by table; 0 where none does."""
    over = log_evidence >= -np.log(alpha)
    return np.where(over.any(axis=-1), over.argmax(axis=-1) + 1, 0)


def _watch(dice: Ints, before: Ints | None, ordered: bool) -> Floats:
    questions = [
        _wager(dice.reshape(*dice.shape[:-2], -1) - 1, EVEN_FACES, 3),
        _wager(combination_places(dice), COMBINATION_CHANCES, 1),
    ]
    if ordered:
        questions += [_wager(dice[..., die] - 1, EVEN_FACES, 1) for die in range(3)]
        questions.append(_repeats(dice, before))
    return _log_mean(questions)


def _repeats(dice: Ints, before: Ints | None) -> Floats:
    """The first roll of all has nothing to repeat, so it says nothing."""
    if before is not None:
        dice = np.concatenate([before[..., None, :], dice], axis=-2)
    same = (dice[..., 1:, :] == dice[..., :-1, :]).astype(np.int64)
    logs = _wager(same.reshape(*same.shape[:-2], -1), REPEAT_CHANCES, 3)
    if before is None:
        logs = np.concatenate([np.zeros((*logs.shape[:-1], 1)), logs], axis=-1)
    return logs


def _wager(categories: Ints, chances: Weights, every: int) -> Floats:
    """The log capital of one question after each roll, which brings `every` observations."""
    seen = np.arange(categories.shape[-1])
    count = _seen_before(categories)
    chance = np.array(chances)[categories]
    capitals = []
    for strength in STRENGTHS:
        prior = strength * len(chances)
        foreseen = (prior * chance + count) / (prior + seen)
        capitals.append(np.log(foreseen / chance).cumsum(axis=-1)[..., every - 1 :: every])
    return _log_mean(capitals)


def _log_mean(logs: list[Floats]) -> Floats:
    """The log of the mean, from logs; several times faster than a chain of logaddexp."""
    top = np.maximum.reduce(logs)
    total = sum(np.exp(values - top) for values in logs)
    return np.asarray(top + np.log(total / len(logs)))


def _seen_before(categories: Ints) -> Ints:
    """How often each entry's category has occurred before it, along the last axis."""
    # Small integers are sorted by radix, and equal ones keep their order: an entry's place in its run counts.
    order = np.argsort(categories.astype(np.int16), axis=-1, kind="stable")
    arranged = np.take_along_axis(categories, order, axis=-1)
    places = np.broadcast_to(np.arange(categories.shape[-1]), categories.shape)
    new = np.ones(categories.shape, dtype=bool)
    new[..., 1:] = arranged[..., 1:] != arranged[..., :-1]
    run_start = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    count = np.empty_like(categories)
    np.put_along_axis(count, order, places - run_start, axis=-1)
    return count
