"""Which bias turns a box: how much likelier, or less likely, a face must be until the player has the edge.

Along each kind of bias the edge is a polynomial of third degree. It is made exactly from four points, and its
nearest root on either side of fair dice is found by halving.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final, NamedTuple

from taisai.dice import FACES
from taisai.odds.loaded.faces import LoadedDice, LoadedOdds, one_face, opposite_faces
from taisai.rulebooks.model import Box

_STEPS: Final = 500
_HALVINGS: Final = 40
# More than a float errs here.
_NEAR: Final = 1e-9


class BiasKind(NamedTuple):
    """A way in which dice can be biased, and how far it can go."""

    name: str
    chances: Callable[[Fraction], tuple[Fraction, ...]]
    least: Fraction
    most: Fraction


def kinds_of_bias() -> list[BiasKind]:
    """One face heavier or lighter, and one pair of opposite faces: all three dice alike."""
    faces = [
        BiasKind(f"face {face}", partial(one_face, face), Fraction(-1, 6), Fraction(5, 6)) for face in FACES
    ]
    pairs = [
        BiasKind(
            f"faces {face} and {7 - face}", partial(opposite_faces, face), Fraction(-1, 3), Fraction(2, 3)
        )
        for face in (1, 2, 3)
    ]
    return faces + pairs


@dataclass(frozen=True, slots=True)
class Turn:
    """The smallest bias of one kind at which a box begins to favour the player."""

    box: str
    kind: str
    bias: Fraction
    chances: tuple[Fraction, ...]


@lru_cache(maxsize=1024)
def _dice(chances: tuple[Fraction, ...]) -> LoadedDice:
    """The dice of a point, which every box asks for."""
    return LoadedDice.of(chances)


def edge_along(box: Box, kind: BiasKind) -> tuple[Fraction, ...]:
    """The edge as a polynomial of the bias, lowest power first: exact, through four points."""
    points = [kind.least + (kind.most - kind.least) * place / 3 for place in range(4)]
    values = [LoadedOdds(box, _dice(kind.chances(at))).edge for at in points]
    total = [Fraction(0)] * 4
    for place, at in enumerate(points):
        basis, scale = [Fraction(1)], Fraction(1)
        for other in points[:place] + points[place + 1 :]:
            lower = [Fraction(0), *basis]
            basis = [low - other * same for low, same in zip(lower, [*basis, Fraction(0)], strict=True)]
            scale *= at - other
        total = [sum_ + values[place] * each / scale for sum_, each in zip(total, basis, strict=True)]
    return tuple(total)


def turns(box: Box) -> list[Turn]:
    """For every kind of bias that can do it, the smallest that turns the box; smallest first."""
    found = []
    for kind in kinds_of_bias():
        edge = edge_along(box, kind)
        for end in (kind.least, kind.most):
            bias = _first_turn(edge, end)
            if bias is not None:
                found.append(Turn(box.id, kind.name, bias, kind.chances(bias)))
    return sorted(found, key=lambda each: (abs(each.bias), each.kind))


def _value(polynomial: tuple[Fraction, ...], at: Fraction) -> Fraction:
    found = Fraction(0)
    for each in reversed(polynomial):
        found = found * at + each
    return found


def _first_turn(edge: tuple[Fraction, ...], end: Fraction) -> Fraction | None:
    """The smallest bias towards an end at which no edge is left: from above, to within a billionth."""
    if _value(edge, Fraction(0)) <= 0:
        return Fraction(0)
    # Where to look is found in floats; that nothing is left there is asked in fractions.
    rough = [float(each) for each in edge]
    for step in range(1, _STEPS + 1):
        at = float(end) * step / _STEPS
        if ((rough[3] * at + rough[2]) * at + rough[1]) * at + rough[0] <= _NEAR:
            before, found = end * (step - 1) / _STEPS, end * step / _STEPS
            if _value(edge, found) > 0:
                continue
            for _ in range(_HALVINGS):
                middle = (before + found) / 2
                before, found = (before, middle) if _value(edge, middle) <= 0 else (middle, found)
            return found
    return None
