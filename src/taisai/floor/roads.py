"""Roads: the boards on which players follow past results, as cells that a page only has to draw.

They show what was, and say nothing of what comes. A road is made of the kinds of the results: big or small,
odd or even, and `triple`, which is neither. Columns and rows count from 0.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

import msgspec

from taisai.dice import Roll
from taisai.errors import InputError

ROWS: Final = 6

Stream = Literal["big-small", "odd-even"]
Triples = Literal["tie", "column"]

TRIPLE: Final = "triple"
_KIND_OF: Final[dict[str, Callable[[Roll], str]]] = {
    "big-small": lambda roll: "big" if roll.total >= 11 else "small",
    "odd-even": lambda roll: "odd" if roll.total % 2 else "even",
}


class RoadCell(msgspec.Struct, frozen=True, array_like=True):
    """One place on a board: `kind` is empty for a mark that precedes any result.

    `ties` counts the triples marked on the cell.
    """

    column: int
    row: int
    kind: str
    ties: int = 0


class DiceColumn(msgspec.Struct, frozen=True, array_like=True):
    """One round on the dice strip: the dice from lowest to highest, and their sum."""

    column: int
    dice: tuple[int, int, int]
    total: int


class StreamRoads(msgspec.Struct, frozen=True, kw_only=True):
    """All boards of one stream of results. The derived roads are red or blue."""

    bead: list[RoadCell]
    big_road: list[RoadCell]
    big_eye: list[RoadCell]
    small_road: list[RoadCell]
    cockroach: list[RoadCell]


class Roads(msgspec.Struct, frozen=True, kw_only=True):
    """Every board of a table."""

    dice: list[DiceColumn]
    big_small: StreamRoads
    odd_even: StreamRoads


class LogicalColumn(msgspec.Struct):
    """A run of one kind, however it is bent on the board: its depth, and the ties on each of its places."""

    kind: str
    ties: list[int]

    @property
    def depth(self) -> int:
        return len(self.ties)


def kinds(rolls: Iterable[Roll], stream: Stream) -> list[str]:
    """What each result is on a stream."""
    if stream not in _KIND_OF:
        raise InputError(f"expected {' or '.join(_KIND_OF)}, got {stream!r}")
    kind_of = _KIND_OF[stream]
    return [TRIPLE if roll.is_triple else kind_of(roll) for roll in rolls]


def bead_plate(results: Sequence[str], *, rows: int = ROWS) -> list[RoadCell]:
    """One bead a round, down and then to the right."""
    return [RoadCell(*divmod(place, rows), kind) for place, kind in enumerate(results)]


def dice_strip(rolls: Iterable[Roll]) -> list[DiceColumn]:
    """One column a round."""
    return [DiceColumn(place, roll.called().faces, roll.total) for place, roll in enumerate(rolls)]


def logical_columns(results: Iterable[str], *, triples: Triples = "tie") -> list[LogicalColumn]:
    """The runs of equal results.

    As ties, triples are marks on the result before them; those that precede any result stand on an empty
    place, which the first result then takes.
    """
    columns: list[LogicalColumn] = []
    for kind in results:
        if kind == TRIPLE and triples == "tie":
            if not columns:
                columns.append(LogicalColumn("", [0]))
            columns[-1].ties[-1] += 1
        elif columns and not columns[-1].kind:
            columns[-1].kind = kind
        elif columns and columns[-1].kind == kind:
            columns[-1].ties.append(0)
        else:
            columns.append(LogicalColumn(kind, [0]))
    return columns


def lay_out(columns: Iterable[LogicalColumn], *, rows: int = ROWS) -> list[RoadCell]:
    """Runs on a board.

    Each goes down from the top of a fresh column, and turns right (a dragon's tail) at the bottom or where a
    place is taken.
    """
    taken: set[tuple[int, int]] = set()
    cells: list[RoadCell] = []
    start = -1
    for column in columns:
        start += 1
        while (start, 0) in taken:
            start += 1
        at, turned = (start, 0), False
        for place, ties in enumerate(column.ties):
            if place:
                below = (at[0], at[1] + 1)
                turned = turned or below[1] >= rows or below in taken
                at = (at[0] + 1, at[1]) if turned else below
            taken.add(at)
            cells.append(RoadCell(*at, column.kind, ties))
    return cells


def big_road(results: Iterable[str], *, rows: int = ROWS, triples: Triples = "tie") -> list[RoadCell]:
    """The runs of equal results as a board."""
    return lay_out(logical_columns(results, triples=triples), rows=rows)


def derived(depths: Sequence[int], k: int) -> list[str]:
    """The colours of a derived road (k = 1 big eye, 2 small road, 3 cockroach) from the depths of the runs.

    It begins with the second place of column k + 1, or the first of column k + 2. At the head of a column it
    is red when the two columns before and k before that are equally deep; further down it is red unless the
    column k before ends exactly above.

    >>> derived([2, 2], 1)
    ['red']
    """
    if k < 1:
        raise InputError(f"a derived road looks back one column or more, got {k}")
    colours = []
    for n, depth in enumerate(depths):
        for m in range(1, depth + 1):
            if n < k or (n == k and m == 1):
                continue
            is_red = depths[n - 1] == depths[n - k - 1] if m == 1 else m != depths[n - k] + 1
            colours.append("red" if is_red else "blue")
    return colours


def stream_roads(
    rolls: Sequence[Roll], stream: Stream, *, rows: int = ROWS, triples: Triples = "tie"
) -> StreamRoads:
    """All boards of one stream."""
    results = kinds(rolls, stream)
    columns = logical_columns(results, triples=triples)
    depths = [column.depth for column in columns if column.kind]
    first, second, third = (big_road(derived(depths, k), rows=rows) for k in (1, 2, 3))
    return StreamRoads(
        bead=bead_plate(results, rows=rows),
        big_road=lay_out(columns, rows=rows),
        big_eye=first,
        small_road=second,
        cockroach=third,
    )


def roads(rolls: Sequence[Roll], *, rows: int = ROWS, triples: Triples = "tie") -> Roads:
    """Every board of a table, from the results of its rounds in order, void ones left out."""
    if rows < 1:
        raise InputError(f"a board has at least one row, got {rows}")
    return Roads(
        dice=dice_strip(rolls),
        big_small=stream_roads(rolls, "big-small", rows=rows, triples=triples),
        odd_even=stream_roads(rolls, "odd-even", rows=rows, triples=triples),
    )
