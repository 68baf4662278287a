"""The distribution of a net result over many rounds: exact by powers of a polynomial, else by transform.

Nets lie on a lattice `origin + k * step`; dividing out the step keeps the polynomial small, so that an
even-money box over 1,000 rounds is a power of a polynomial of degree one.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate
from math import ceil, gcd, isfinite, lcm, sqrt
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.chance import Chance
from taisai.odds.extras import needs
from taisai.odds.frame import Frame

# Beyond this many bits of coefficients the exact answer takes more than seconds, and the transform serves.
EXACT_BITS_MAX: Final = 1_000_000_000
TRANSFORM_POINTS_MAX: Final = 1 << 24

Net = Fraction


def fraction_gcd(values: Sequence[Fraction]) -> Fraction:
    """The largest fraction of which every value is a whole multiple; 0 for nothing but zeros."""
    denominator = lcm(*(value.denominator for value in values))
    return Fraction(reduce(gcd, (int(value * denominator) for value in values), 0), denominator)


@dataclass(frozen=True)
class Lattice:
    """A net distribution on equally spaced points: weights[k] of `total` fall on origin + k * step."""

    origin: Fraction
    step: Fraction
    weights: tuple[int, ...]

    @classmethod
    def of(cls, distribution: Mapping[Net, Fraction]) -> "Lattice":
        """The lattice of a net distribution, with the smallest whole weights."""
        nets = sorted(distribution)
        origin = nets[0]
        step = fraction_gcd([net - origin for net in nets]) or Fraction(1)
        chance_unit = fraction_gcd(list(distribution.values()))
        weights = [0] * (int((nets[-1] - origin) / step) + 1)
        for net, chance in distribution.items():
            weights[int((net - origin) / step)] = int(chance / chance_unit)
        return cls(origin, step, tuple(weights))

    @property
    def degree(self) -> int:
        return len(self.weights) - 1

    @property
    def total(self) -> int:
        return sum(self.weights)


class NetAfter:
    """The net after a number of rounds: each point's chance, and what follows from them.

    `weights` are whole numbers out of `total` when the answer is exact, and None when it was transformed.
    """

    def __init__(
        self,
        *,
        rounds: int,
        origin: Fraction,
        step: Fraction,
        wholes: list[Any] | None,
        total: int,
        floats: Any = None,
    ) -> None:
        self.rounds, self.origin, self.step, self.total = rounds, origin, step, total
        # Coefficients stay in flint's own whole numbers until someone asks for Python's.
        self._wholes, self._floats = wholes, floats

    @property
    def is_exact(self) -> bool:
        return self._wholes is not None

    @cached_property
    def weights(self) -> list[int] | None:
        """The weight of each place of the lattice, lowest first."""
        return None if self._wholes is None else [int(whole) for whole in self._wholes]

    def __len__(self) -> int:
        return len(self._floats) if self._wholes is None else len(self._wholes)

    def net(self, place: int) -> Fraction:
        """The net at a place of the lattice, lowest first."""
        return self.origin + place * self.step

    @cached_property
    def chances(self) -> Any:
        """The chance of each net as a NumPy column of floats."""
        import numpy as np

        if self.weights is None:
            return self._floats
        return np.array([weight / self.total for weight in self.weights])

    @cached_property
    def _cumulative(self) -> Any:
        if self._wholes is None:
            return self._floats.cumsum()
        return list(accumulate(self._wholes))

    def chance_at_most(self, net: Fraction | int) -> Chance:
        """The chance that the net is no higher than this."""
        place = (Fraction(net) - self.origin) // self.step
        if place < 0:
            return Chance.of(Fraction(0))
        place = min(place, len(self) - 1)
        if self._wholes is None:
            return Chance(None, min(1.0, float(self._cumulative[place])))
        return Chance.of(Fraction(int(self._cumulative[place]), self.total))

    @property
    def chance_ahead(self) -> Chance:
        """The chance to have won more than was lost."""
        return _rest_of(self.chance_at_most(0))

    @property
    def chance_even(self) -> Chance:
        """The chance to end exactly where the play began."""
        place = -self.origin / self.step
        if place.denominator != 1 or not 0 <= place < len(self):
            return Chance.of(Fraction(0))
        if self._wholes is None:
            return Chance(None, float(self._floats[int(place)]))
        return Chance.of(Fraction(int(self._wholes[int(place)]), self.total))

    def quantile(self, level: Fraction | float) -> Fraction:
        """The lowest net that is reached or undercut with at least this chance."""
        if not isfinite(level) or not 0 < level < 1:
            raise InputError(f"a quantile's level lies between 0 and 1, got {level}")
        if self._wholes is None:
            place = int(self._cumulative.searchsorted(float(level)))
        else:
            place = bisect_left(self._cumulative, ceil(Fraction(level) * self.total))
        return self.net(min(place, len(self) - 1))

    def frame(self) -> Frame:
        """Every net with its chance as a float, points of no chance left out."""
        import numpy as np

        places = np.flatnonzero(self.chances)
        nets = [float(self.net(int(place))) for place in places]
        return Frame({"net": nets, "chance": self.chances[places]})


def _rest_of(chance: Chance) -> Chance:
    if chance.exact is not None:
        return Chance.of(1 - chance.exact)
    return Chance(None, max(0.0, 1 - chance.approx))


def net_after(distribution: Mapping[Net, Fraction], rounds: int, *, exact: bool | None = None) -> NetAfter:
    """The net of `rounds` independent rounds.

    `exact=None` decides by size: exact while that takes a few seconds at most, a Fourier transform with an
    absolute error near 1e-13 beyond. True insists on the exact one, False on the transform.
    """
    if type(rounds) is not int or rounds < 1:
        raise InputError(f"a number of rounds is a whole number above zero, got {rounds!r}")
    lattice = Lattice.of(distribution)
    points = lattice.degree * rounds + 1
    if exact is None:
        exact = points * rounds * lattice.total.bit_length() <= EXACT_BITS_MAX
    if exact:
        return _by_power(lattice, rounds)
    if points > TRANSFORM_POINTS_MAX:
        raise InputError(
            f"{rounds} rounds of these bets have {points} possible nets, more than {TRANSFORM_POINTS_MAX}: "
            f"ask for fewer rounds or use stakes with a larger common divisor"
        )
    return _by_transform(lattice, rounds, points)


def _by_power(lattice: Lattice, rounds: int) -> NetAfter:
    flint = needs("flint")
    power = flint.fmpz_poly(list(lattice.weights)) ** rounds
    return NetAfter(
        rounds=rounds,
        origin=lattice.origin * rounds,
        step=lattice.step,
        wholes=power.coeffs(),
        total=lattice.total**rounds,
    )


def _by_transform(lattice: Lattice, rounds: int, points: int) -> NetAfter:
    import numpy as np

    size = 1 << (points - 1).bit_length()
    one_round = np.array(lattice.weights, dtype=np.float64) / lattice.total
    spectrum = np.fft.rfft(one_round, size)
    chances = np.fft.irfft(spectrum**rounds, size)[:points]
    # Rounding leaves dust of either sign around 1e-17; a chance is never negative.
    np.maximum(chances, 0.0, out=chances)
    return NetAfter(
        rounds=rounds,
        origin=lattice.origin * rounds,
        step=lattice.step,
        wholes=None,
        total=1,
        floats=chances,
    )


def moments(distribution: Mapping[Net, Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Mean, and second to fourth central moments, exact."""
    mean = sum((net * chance for net, chance in distribution.items()), Fraction(0))
    central = [
        sum(((net - mean) ** order * chance for net, chance in distribution.items()), Fraction(0))
        for order in (2, 3, 4)
    ]
    return mean, central[0], central[1], central[2]


def standard_deviation(variance: Fraction, rounds: int = 1) -> float:
    """The standard deviation of the sum of independent rounds."""
    return sqrt(variance * rounds)
