"""Flat staking, exact: the chance of ruin and the expected rounds as fractions.

With one stake for ever the bankroll walks on a lattice, down by at most D steps a round. Written from the top
downwards, the linear equations of the walk express every place through the D topmost ones; the D places below
one stake, where the answer is known, then fix those. Whole numbers all the way, and the work grows with the
square of the number of places instead of its cube.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any, Final

from taisai.errors import InputError
from taisai.odds.bets.nets import fraction_gcd
from taisai.odds.extras import needs

# About a second's work: places² × bits of a weight × unknowns².
EXACT_WORK_MAX: Final = 4_000_000_000
UNKNOWNS_MAX: Final = 24
BAND_ENTRIES_MAX: Final = 60_000_000


@dataclass(frozen=True, slots=True)
class Walk:
    """The places of a bankroll between ruin below and the target above, and its jumps with their weights."""

    jumps: Mapping[int, int]
    places: int
    start: int

    @property
    def total(self) -> int:
        return sum(self.jumps.values())

    @property
    def deepest(self) -> int:
        """The longest way down in one round."""
        return -min(self.jumps)


def flat_walk(unit_net: Mapping[Fraction, Fraction], *, stake: int, bankroll: int, target: int) -> Walk:
    """The walk of a bankroll under one stake, from the net distribution of a unit bet."""
    scale = lcm(*(net.denominator for net in unit_net))
    jumps = {int(net * stake * scale): chance for net, chance in unit_net.items()}
    step = gcd(*jumps)
    base = bankroll * scale % step
    lowest = ceil(Fraction(stake * scale - base, step))
    top = ceil(Fraction(target * scale - base, step))
    unit = fraction_gcd(list(jumps.values()))
    weights = {jump // step: int(chance / unit) for jump, chance in jumps.items()}
    return Walk(weights, places=top - lowest, start=(bankroll * scale - base) // step - lowest)


def exact_flat(walk: Walk) -> tuple[Fraction, Fraction] | None:
    """The chance of ruin and the expected rounds, or None where the fractions would be impractical."""
    unknowns = walk.deepest
    work = walk.places**2 * walk.total.bit_length() * unknowns**2
    if unknowns > UNKNOWNS_MAX or walk.places < unknowns or work > EXACT_WORK_MAX:
        return None
    rows = _descend(walk)
    return _fix(walk, rows)


def float_flat(walk: Walk) -> tuple[float, float, float]:
    """The chances of ruin and target and the expected rounds, from a banded system refined once or twice."""
    import numpy as np

    places, total = walk.places, walk.total
    up, down = min(max(walk.jumps), places - 1), min(walk.deepest, places - 1)
    if places * (2 * up + down + 1) > BAND_ENTRIES_MAX:
        raise InputError(
            f"a bankroll of {places} places with jumps of {max(walk.jumps)} is too long to solve: "
            f"raise the stake, lower the target, or simulate"
        )
    # Expected visits: what flows into a place is what its neighbours send there, and one unit at the start.
    band = np.zeros((up + down + 1, places))
    band[down] = 1.0
    for jump, weight in walk.jumps.items():
        if -down <= jump <= up:
            band[down + jump, max(0, -jump) : places - max(0, jump)] -= weight / total
    start = np.zeros(places)
    start[walk.start] = 1.0
    solve_banded = needs("scipy.linalg").solve_banded
    visits = np.zeros(places, dtype=np.longdouble)
    for _ in range(3):
        residual = start - visits + _inflow(walk, visits)
        visits += solve_banded((up, down), band, residual.astype(np.float64))
    below, above = _leaving(walk)
    ruin, target = (min(1.0, max(0.0, float((visits * each).sum()))) for each in (below, above))
    return ruin, target, float(visits.sum())


def _inflow(walk: Walk, visits: Any) -> Any:
    """What reaches each place in one round from the others, in extended precision."""
    import numpy as np

    inflow = np.zeros_like(visits)
    for jump, weight in walk.jumps.items():
        share = np.longdouble(weight) / walk.total
        if 0 <= jump < walk.places:
            inflow[jump:] += share * visits[: walk.places - jump]
        elif -walk.places < jump < 0:
            inflow[:jump] += share * visits[-jump:]
    return inflow


def _leaving(walk: Walk) -> tuple[Any, Any]:
    """From each place, the chances to fall below one stake and to reach the target in one round."""
    import numpy as np

    place = np.arange(walk.places)
    below, above = np.zeros(walk.places, dtype=np.longdouble), np.zeros(walk.places, dtype=np.longdouble)
    for jump, weight in walk.jumps.items():
        share = np.longdouble(weight) / walk.total
        below += share * (place + jump < 0)
        above += share * (place + jump >= walk.places)
    return below, above


def _descend(walk: Walk) -> dict[int, list[Any]]:
    """Each place as a combination of the unknown topmost places, with a constant for the expected rounds.

    A row at `place` is scaled by lead**_scale(place), which keeps every entry whole.
    """
    fmpz = needs("flint").fmpz
    unknowns, places, total = walk.deepest, walk.places, walk.total
    lead = walk.jumps[-unknowns]
    others = [(jump, weight) for jump, weight in walk.jumps.items() if jump not in (0, -unknowns)]
    stay = walk.jumps.get(0, 0)
    powers = _Powers(fmpz(lead))
    rows = {
        places - 1 - k: [fmpz(int(column == k)) for column in range(unknowns)] + [fmpz(0)]
        for k in range(unknowns)
    }
    for place in range(places - 1, -1, -1):
        scale = places - place - 1
        terms = [(place, stay - total)]
        terms += [(place + jump, weight) for jump, weight in others if place + jump < places]
        row = [fmpz(0)] * unknowns + [-powers[scale] * total]
        for at, weight in terms:
            factor = powers[scale - _scale(walk, at)] * weight
            row = [entry - factor * other for entry, other in zip(row, rows[at], strict=True)]
        rows[place - unknowns] = row
    return rows


def _scale(walk: Walk, place: int) -> int:
    return max(0, walk.places - walk.deepest - place)


class _Powers:
    """Powers of one number, each computed once."""

    def __init__(self, base: Any) -> None:
        self._base = base
        self._known: dict[int, Any] = {}

    def __getitem__(self, exponent: int) -> Any:
        if exponent not in self._known:
            self._known[exponent] = self._base**exponent
        return self._known[exponent]


def _fix(walk: Walk, rows: Mapping[int, list[Any]]) -> tuple[Fraction, Fraction]:
    """Solve for the unknowns: ruin is certain below one stake, and no round is played there."""
    flint = needs("flint")
    unknowns = walk.deepest
    lead = flint.fmpz(walk.jumps[-unknowns])
    below = [rows[place] for place in range(-1, -unknowns - 1, -1)]
    scales = [lead ** _scale(walk, place) for place in range(-1, -unknowns - 1, -1)]
    matrix = flint.fmpq_mat(flint.fmpz_mat([row[:-1] for row in below]))
    wanted = flint.fmpq_mat(
        flint.fmpz_mat([[scale, -row[-1]] for scale, row in zip(scales, below, strict=True)])
    )
    found = matrix.solve(wanted)
    here, scale = rows[walk.start], lead ** _scale(walk, walk.start)
    ruin = sum((here[k] * found[k, 0] for k in range(unknowns)), flint.fmpq(0)) / scale
    rounds = (sum((here[k] * found[k, 1] for k in range(unknowns)), flint.fmpq(0)) + here[-1]) / scale
    return as_fraction(ruin), as_fraction(rounds)


def as_fraction(value: Any) -> Fraction:
    """A flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))
