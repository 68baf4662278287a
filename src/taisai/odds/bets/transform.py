"""The distribution of a sum of independent rounds by Fourier transform, with the error that it states.

A transform raised to the power n multiplies every rounding error by n. So from some thousand rounds on, the
frequencies that still matter (few, since all others have died away) are computed again in extended precision,
from differences to the most likely net, which are small exactly where the power is large.
"""

from math import log2, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Up to here the plain transform errs by less than what is stated anyway.
PLAIN_ROUNDS_MAX: Final = 2_000
# What a frequency has left after all rounds, as a power of e, below which it cannot be seen in a float.
_DEAD: Final = -60.0
# How many frequencies are refined at once, so that columns stay small.
_CHUNK: Final = 1 << 16
_EPSILON: Final = float(np.finfo(np.float64).eps)
_EXTENDED: Final = float(np.finfo(np.longdouble).eps)
# Half a turn, to more digits than a float has.
_PI: Final = np.longdouble("3.14159265358979323846264338327950288")


def stated_error(rounds: int, size: int) -> float:
    """What a chance, or a sum of chances, may be off by at most."""
    spectrum = rounds * _EPSILON if rounds <= PLAIN_ROUNDS_MAX else 64 * sqrt(rounds) * _EXTENDED
    return spectrum + 8 * _EPSILON * log2(size)


def power_transform(places: list[int], chances: list[float], *, rounds: int, points: int) -> Floats:
    """The chance of each of `points` places after `rounds` rounds; dust of either sign is left in."""
    size = 1 << (points - 1).bit_length()
    one_round = np.zeros(max(places) + 1)
    one_round[places] = chances
    spectrum = np.fft.rfft(one_round, size)
    if rounds <= PLAIN_ROUNDS_MAX:
        return np.asarray(np.fft.irfft(spectrum**rounds, size)[:points])
    with np.errstate(divide="ignore"):
        alive = np.flatnonzero(rounds * np.log(np.abs(spectrum)) > _DEAD)
    powered = np.zeros_like(spectrum)
    for start in range(0, len(alive), _CHUNK):
        some = alive[start : start + _CHUNK]
        powered[some] = _refined(some, places, chances, rounds=rounds, size=size)
    return np.asarray(np.fft.irfft(powered, size)[:points])


def _refined(
    frequencies: npt.NDArray[np.int64], places: list[int], chances: list[float], *, rounds: int, size: int
) -> Any:
    """The spectrum's power at some frequencies: exp(n · log(1 + s)), turned by the most likely place."""
    likely = places[int(np.argmax(chances))]
    turn = 2 * _PI / size
    real = np.zeros(len(frequencies), dtype=np.longdouble)
    imaginary = np.zeros_like(real)
    total = np.sum(np.array(chances, dtype=np.longdouble))
    for place, chance in zip(places, chances, strict=True):
        # Whole numbers: the angle is brought near zero before anything is rounded.
        steps = frequencies * (likely - place) % size
        angle = np.where(steps > size // 2, steps - size, steps) * turn
        share = np.longdouble(chance) / total
        real -= share * 2 * np.sin(angle / 2) ** 2
        imaginary += share * np.sin(angle)
    decay = rounds * np.log1p(real * 2 + real**2 + imaginary**2) / 2
    angle = rounds * np.arctan2(imaginary, 1 + real)
    whole_turns = frequencies * (-likely * rounds % size) % size
    angle = angle + whole_turns * turn
    return (np.exp(decay) * (np.cos(angle) + 1j * np.sin(angle))).astype(np.complex128)
