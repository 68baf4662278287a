"""An optional layer of a pay table: random multipliers and a progressive, for the mathematics alone.

The market's games have them and no approved rulebook here does. A rule file may add them to a pay table so
that it can be computed and compared; nobody can play it: rounds and settlements refuse such a table.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from taisai.errors import InputError
from taisai.money import AMOUNT_MINOR_MAX, parse_odds
from taisai.rulebooks.reader import Table, said

_SHARE: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?|[0-9]{1,12}/[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Multiplier:
    """Before each roll every one of these boxes may be lit; lit, it pays other odds when it wins."""

    boxes: tuple[str, ...]
    chance: Fraction
    pays: tuple[tuple[Fraction, Fraction], ...]  # odds to one, and how often a lit box has them


@dataclass(frozen=True, slots=True)
class Progressive:
    """A meter that grows by a share of each stake on a box and is paid, besides its odds, when it wins."""

    box: str
    seed_minor: int
    contribution: Fraction
    paid_share: Fraction


@dataclass(frozen=True, slots=True)
class Layer:
    """What a pay table has beyond its odds."""

    multipliers: tuple[Multiplier, ...] = ()
    progressive: Progressive | None = None


def read_layer(table: Table, offered: Iterable[str]) -> Layer | None:
    """The layer of a `[[pay_table]]`, or None; faults go to the table's."""
    known = set(offered)
    lit: set[str] = set()
    entries = table.tables("multipliers") if table.has("multipliers") else []
    multipliers = [_multiplier(entry, known, lit) for entry in entries]
    progressive = _progressive(table.table("progressive"), known) if table.has("progressive") else None
    return Layer(tuple(multipliers), progressive) if multipliers or progressive is not None else None


def _multiplier(entry: Table, known: set[str], lit: set[str]) -> Multiplier:
    boxes = []
    for position, box in enumerate(entry.items("boxes", "a list of boxes, such as triple-6")):
        if box not in known:
            entry.fault(f"boxes[{position}]", f"no box {said(box)} on this pay table")
        elif box in lit:
            entry.fault(f"boxes[{position}]", f"{box} has multipliers already")
        else:
            lit.add(box)
            boxes.append(box)
    chance = _share(entry, "chance")
    pays = []
    odds = entry.table("pays")
    for text in odds.names():
        try:
            pays.append((parse_odds(text), _share(odds, text)))
        except InputError as error:
            odds.fault(text, str(error))
    total = sum((share for _, share in pays), Fraction(0))
    if pays and total != 1:
        entry.fault("pays", f"how often each is lit sums to 1, got {total}")
    entry.close()
    return Multiplier(tuple(boxes), chance, tuple(sorted(pays)))


def _progressive(entry: Table, known: set[str]) -> Progressive:
    box = entry.text("box")
    if box and box not in known:
        entry.fault("box", f"no box {said(box)} on this pay table")
    seed = entry.whole("seed", least=0)
    if seed > AMOUNT_MINOR_MAX:
        entry.fault("seed", f"is at most {AMOUNT_MINOR_MAX} minor units, got {seed}")
    progressive = Progressive(box, seed, _share(entry, "contribution"), _share(entry, "paid"))
    if not progressive.paid_share and entry.has("paid"):
        entry.fault("paid", "a meter that pays nothing is no progressive: expected a share above 0")
    entry.close()
    return progressive


def _share(entry: Table, name: str) -> Fraction:
    """A share of one, as text: "1/4" or "0.25"."""
    raw = entry.raw(name, 'a share as text, such as "1/4"')
    if raw is None:
        return Fraction(0)
    if not isinstance(raw, str) or not _SHARE.fullmatch(raw) or Fraction(raw) > 1:
        entry.fault(name, f'expected a share of one as text, such as "1/4", got {said(raw)}')
        return Fraction(0)
    return Fraction(raw)
