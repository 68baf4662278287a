"""Boards of many shoes, drawn in Python; frontend/tests/roads.test.ts must draw the same from the rolls."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from taisai.dice import ROLLS, Roll
from taisai.floor.roads import Stream, Triples, big_road, derived, kinds, logical_columns

_STREAMS: tuple[Stream, ...] = ("big-small", "odd-even")
_STYLES: tuple[Triples, ...] = ("tie", "column")


def _shoes() -> list[list[Roll]]:
    """No result, triples alone, triples first, long runs, a run under a tail, and some at random."""
    triple, big, small = Roll(2, 2, 2), Roll(4, 5, 6), Roll(1, 2, 3)
    made = [
        [],
        [triple] * 3,
        [triple, big],
        [triple, triple, small, big],
        [big] * 20,
        [small] * 8 + [big] * 9,
    ]
    chance = random.Random(216)
    for length in range(1, 65, 4):
        sticky = [chance.choice(ROLLS)]
        while len(sticky) < length:
            sticky.append(sticky[-1] if chance.random() < 0.6 else chance.choice(ROLLS))
        made.append(sticky)
    return made


def _boards(rolls: list[Roll], stream: Stream, triples: Triples) -> dict[str, Any]:
    results = kinds(rolls, stream)
    depths = [column.depth for column in logical_columns(results, triples=triples) if column.kind]
    return {
        "stream": stream,
        "triples": triples,
        "big_road": [
            [cell.column, cell.row, cell.kind, cell.ties] for cell in big_road(results, triples=triples)
        ],
        "derived": [derived(depths, k) for k in (1, 2, 3)],
    }


def roads_json() -> str:
    """One line a shoe."""
    lines = [
        json.dumps(
            {
                "rolls": ["".join(map(str, roll)) for roll in rolls],
                "boards": [_boards(rolls, stream, style) for stream in _STREAMS for style in _STYLES],
            },
            separators=(",", ":"),
        )
        for rolls in _shoes()
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


GOLDEN: dict[Path, Callable[[], str]] = {Path(__file__).parent / "roads.json": roads_json}
