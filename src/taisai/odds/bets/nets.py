"""The distribution of a net result over many rounds: exact by powers of a polynomial, else by transform.

Nets lie on a lattice `origin + k * step`; dividing out the step keeps the polynomial small, so that an
even-money box over 1,000 rounds is a power of a polynomial of degree one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate, islice
from math import ceil, comb, gcd, isfinite, lcm, sqrt
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.bounds import check_count
from taisai.odds.cost import Cost, TooCostly, afford
from taisai.odds.extras import needs
from taisai.odds.results.chance import Chance
from taisai.odds.results.frame import Frame

# Beyond this many bits of coefficients the exact answer takes more than seconds, and the transform serves.
EXACT_BITS_MAX: Final = 1_000_000_000
TRANSFORM_POINTS_MAX: Final = 1 << 24
# Few rounds of stakes without a common divisor: so many steps to list each net that can be reached.
_LISTED_STEPS_MAX: Final = 2_000_000
_LISTED_ROUNDS_MAX: Final = 64
# Measured: what a bit of the exact coefficients, and a point of the transform, take at the most.
_EXACT_BYTES, _EXACT_SECONDS = 0.25, 3.5e-9
_POINT_BYTES, _POINT_SECONDS = 64.0, 3e-7
_SUMMED_AT_ONCE: Final = 128
_LESS: Final = "ask for fewer rounds or use stakes with a larger common divisor"

Net = Fraction


def fraction_gcd(values: Sequence[Fraction]) -> Fraction:
    """The largest fraction of which every value is a whole multiple; 0 for nothing but zeros."""
    denominator = lcm(*(value.denominator for value in values))
    return Fraction(reduce(gcd, (int(value * denominator) for value in values), 0), denominator)


@dataclass(frozen=True)
class Lattice:
    """A net distribution on equally spaced points: ways[k] of `total` fall on origin + places[k] * step."""

    origin: Fraction
    step: Fraction
    places: tuple[int, ...]
    ways: tuple[int, ...]

    @classmethod
    def of(cls, distribution: Mapping[Net, Fraction]) -> "Lattice":
        """The lattice of a net distribution, with the smallest whole weights."""
        nets = sorted(distribution)
        origin = nets[0]
        step = fraction_gcd([net - origin for net in nets]) or Fraction(1)
        chance_unit = fraction_gcd(list(distribution.values()))
        return cls(
            origin,
            step,
            tuple(int((net - origin) / step) for net in nets),
            tuple(int(distribution[net] / chance_unit) for net in nets),
        )

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of every point, those of no chance too. Ask `degree` first how many they are."""
        weights = [0] * (self.degree + 1)
        for place, ways in zip(self.places, self.ways, strict=True):
            weights[place] = ways
        return tuple(weights)

    @property
    def degree(self) -> int:
        return self.places[-1]

    @property
    def total(self) -> int:
        return sum(self.ways)


class NetAfter:
    """The net after a number of rounds: each possible net's chance, and what follows from them.

    `weights` are whole numbers out of `total` when the answer is exact, and None when it was transformed;
    `error` is then what any chance may be off by. `places` says where on the lattice the entries are when
    they are listed one by one.
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
        places: list[int] | None = None,
        error: float = 0.0,
    ) -> None:
        self.rounds, self.origin, self.step, self.total = rounds, origin, step, total
        self.error = error
        # Coefficients stay in flint's own whole numbers until someone asks for Python's.
        self._wholes, self._floats, self._places = wholes, floats, places
        self._sums: list[Any] = []

    @property
    def is_exact(self) -> bool:
        return self._wholes is not None

    @cached_property
    def weights(self) -> list[int] | None:
        """The weight of each entry, lowest net first."""
        return None if self._wholes is None else [int(whole) for whole in self._wholes]

    def __len__(self) -> int:
        return len(self._floats) if self._wholes is None else len(self._wholes)

    def net(self, entry: int) -> Fraction:
        """The net of an entry, lowest first."""
        return self.origin + (entry if self._places is None else self._places[entry]) * self.step

    def _entries_up_to(self, place: Fraction) -> int:
        """How many entries are at this place of the lattice or below it."""
        if self._places is not None:
            return bisect_right(self._places, place)
        return max(0, min(int(place // 1) + 1, len(self)))

    @cached_property
    def chances(self) -> Any:
        """The chance of each net as a NumPy column of floats."""
        import numpy as np

        if self.weights is None:
            # Rounding leaves dust of either sign; a chance is never negative.
            return np.maximum(self._floats, 0.0)
        return np.array([weight / self.total for weight in self.weights])

    @cached_property
    def _float_sums(self) -> Any:
        import numpy as np

        # The dust is summed as it is, since its signs cancel, and with more digits than a float has.
        return np.cumsum(self._floats, dtype=np.longdouble).astype(np.float64)

    def _sum_on(self, wholes: list[Any], more: int) -> None:
        """Sum further entries: no more than are asked for, since most of a long tail never is."""
        start, sums = len(self._sums), self._sums
        following = accumulate(wholes[start : start + more], initial=sums[-1] if sums else 0)
        sums.extend(islice(following, 1, None))

    def _weight_of(self, wholes: list[Any], entries: int) -> int:
        """The weight of this many entries, lowest first."""
        if entries > len(self._sums):
            self._sum_on(wholes, entries - len(self._sums))
        return int(self._sums[entries - 1])

    def _first_with(self, wholes: list[Any], weight: int) -> int:
        """The lowest entry up to which there is at least this weight."""
        while len(self._sums) < len(wholes) and (not self._sums or self._sums[-1] < weight):
            self._sum_on(wholes, _SUMMED_AT_ONCE)
        return bisect_left(self._sums, weight)

    def chance_at_most(self, net: Fraction | int) -> Chance:
        """The chance that the net is no higher than this."""
        entries = self._entries_up_to((Fraction(net) - self.origin) / self.step)
        if not entries:
            return Chance.of(Fraction(0))
        if self._wholes is None:
            return Chance(None, min(1.0, max(0.0, float(self._float_sums[entries - 1]))))
        return Chance.of(Fraction(self._weight_of(self._wholes, entries), self.total))

    @property
    def chance_ahead(self) -> Chance:
        """The chance to have won more than was lost."""
        return _rest_of(self.chance_at_most(0))

    @property
    def chance_even(self) -> Chance:
        """The chance to end exactly where the play began."""
        place = -self.origin / self.step
        entry = self._entries_up_to(place) - 1
        if entry < 0 or self.net(entry) != 0:
            return Chance.of(Fraction(0))
        if self._wholes is None:
            return Chance(None, float(self.chances[entry]))
        return Chance.of(Fraction(int(self._wholes[entry]), self.total))

    def quantile(self, level: Fraction | float) -> Fraction:
        """The lowest net that is reached or undercut with at least this chance."""
        if not isfinite(level) or not 0 < level < 1:
            raise InputError(f"a quantile's level lies between 0 and 1, got {level}")
        if self._wholes is None:
            entry = int(self._float_sums.searchsorted(float(level)))
        else:
            entry = self._first_with(self._wholes, ceil(Fraction(level) * self.total))
        return self.net(min(entry, len(self) - 1))

    def frame(self) -> Frame:
        """Every net with its chance as a float, points of no chance left out."""
        import numpy as np

        entries = np.flatnonzero(self.chances)
        nets = [float(self.net(int(entry))) for entry in entries]
        return Frame({"net": nets, "chance": self.chances[entries]})


def _rest_of(chance: Chance) -> Chance:
    if chance.exact is not None:
        return Chance.of(1 - chance.exact)
    return Chance(None, max(0.0, 1 - chance.approx))


def net_after(distribution: Mapping[Net, Fraction], rounds: int, *, exact: bool | None = None) -> NetAfter:
    """The net of `rounds` independent rounds.

    `exact=None` decides by size: exact while that takes a few seconds at most, a Fourier transform that
    states its error beyond. True insists on the exact one, False on the transform.
    """
    check_count("a number of rounds", rounds)
    lattice = Lattice.of(distribution)
    points = lattice.degree * rounds + 1
    bits = points * rounds * lattice.total.bit_length()
    if exact is not False and _is_sparse(lattice, rounds, points):
        return _by_listing(lattice, rounds)
    if exact or (exact is None and bits <= EXACT_BITS_MAX):
        afford(
            f"the exact net of {rounds} rounds",
            Cost(memory_bytes=_EXACT_BYTES * bits + 200 * points, seconds=_EXACT_SECONDS * bits),
            less=_LESS,
        )
        return _by_power(lattice, rounds)
    if points > TRANSFORM_POINTS_MAX:
        raise TooCostly(
            f"{rounds} rounds of these bets have {points} possible nets, more than {TRANSFORM_POINTS_MAX}: "
            f"{_LESS}"
        )
    afford(
        f"the net of {rounds} rounds",
        Cost(memory_bytes=_POINT_BYTES * points, seconds=_POINT_SECONDS * points),
        less=_LESS,
    )
    return _by_transform(lattice, rounds, points)


def _is_sparse(lattice: Lattice, rounds: int, points: int) -> bool:
    """Whether so few points of the lattice can be reached that they are better listed one by one."""
    if rounds > _LISTED_ROUNDS_MAX:
        return False
    kinds = len(lattice.places)
    reachable = comb(rounds + kinds - 1, rounds)
    return reachable * kinds <= _LISTED_STEPS_MAX and reachable * 50 < points


def _by_listing(lattice: Lattice, rounds: int) -> NetAfter:
    """Round after round, only the nets that can be reached: for few rounds of stakes far apart."""
    one = list(zip(lattice.places, lattice.ways, strict=True))
    ways_of = {0: 1}
    for _ in range(rounds):
        after: dict[int, int] = {}
        for reached, ways in ways_of.items():
            for place, more in one:
                after[reached + place] = after.get(reached + place, 0) + ways * more
        ways_of = after
    places = sorted(ways_of)
    return NetAfter(
        rounds=rounds,
        origin=lattice.origin * rounds,
        step=lattice.step,
        wholes=[ways_of[place] for place in places],
        total=lattice.total**rounds,
        places=places,
    )


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
    from taisai.odds.bets.transform import power_transform, stated_error

    chances = [ways / lattice.total for ways in lattice.ways]
    return NetAfter(
        rounds=rounds,
        origin=lattice.origin * rounds,
        step=lattice.step,
        wholes=None,
        total=1,
        floats=power_transform(list(lattice.places), chances, rounds=rounds, points=points),
        error=stated_error(rounds, points + 1),
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
