"""Where each betting box stands on the felt: read from data, checked, or made for a house that has none.

A layout is a grid. A section is a block of boxes that share it evenly, so the place of a box may be a
fraction of a grid unit: it is kept exact, and neighbours touch without a gap. A caption is a strip that
prints the odds of a whole group of boxes, as the approved layouts do.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import groupby
from math import ceil
from typing import Any, Final, NamedTuple

from taisai.errors import InputError, UnknownName

FORMAT: Final = 1

_DATA = files("taisai.rulebooks") / "data" / "layouts"
_LAYOUT_KEYS = frozenset({"format", "id", "width", "height", "section", "caption"})
_PART_KEYS = {"section": ("x", "y", "w", "h", "rows"), "caption": ("x", "y", "w", "h", "group")}

Fault = tuple[str, str]
Group = tuple[str, Sequence[str]]


class Area:
    """A rectangle in grid units; x to the right, y downwards."""

    __slots__ = ()

    x: Fraction
    y: Fraction
    w: Fraction
    h: Fraction

    @property
    def right(self) -> Fraction:
        return self.x + self.w

    @property
    def bottom(self) -> Fraction:
        return self.y + self.h

    def overlaps(self, other: "Area") -> bool:
        """Whether the two share more than an edge."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True)
class FeltPlace(Area):
    """Where one box stands."""

    box: str
    x: Fraction
    y: Fraction
    w: Fraction
    h: Fraction


@dataclass(frozen=True, slots=True)
class Caption(Area):
    """A strip with the odds of a group of boxes: a kind of box, or a group such as `sum-4-17`."""

    group: str
    x: Fraction
    y: Fraction
    w: Fraction
    h: Fraction


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of a pay table in their places."""

    id: str
    width: int
    height: int
    places: tuple[FeltPlace, ...]
    captions: tuple[Caption, ...]

    def only(self, box_ids: Collection[str]) -> "Layout":
        """This layout with the places of some boxes: what a house does not offer is bare felt."""
        return replace(self, places=tuple(place for place in self.places if place.box in box_ids))


def parse_layout(raw: Mapping[str, object]) -> Layout:
    """A layout from its data. Ask `layout_faults` first: faulty data raises `InputError` with every fault."""
    faults = [*_form_faults(raw)] or [*_room_faults(raw)]
    if faults:
        raise InputError("; ".join(f"{key}: {message}" for key, message in faults))
    return _build(raw)


def layout_faults(raw: Mapping[str, object], box_ids: Collection[str]) -> list[Fault]:
    """Everything that keeps this data from being the layout of these boxes, as (key, message)."""
    form = [*_form_faults(raw)]
    if form:
        return form  # places can only be compared once all of them can be read
    return [*_box_faults(raw, box_ids), *_room_faults(raw)]


@cache
def shipped_layout(layout_id: str) -> Layout:
    """A layout that comes with taisai, for example `felt-50`."""
    if layout_id not in shipped_layouts():
        raise UnknownName("layout", layout_id, shipped_layouts())
    # The tests hold these files free of faults, so they are not searched for any at every start.
    return _build(tomllib.loads((_DATA / f"{layout_id}.toml").read_text(encoding="utf-8")))


@cache
def shipped_layouts() -> tuple[str, ...]:
    """The names of the layouts that come with taisai."""
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _DATA.iterdir()))


def automatic_layout(groups: Sequence[Group]) -> Layout:
    """A layout for boxes that have none: the groups in their order, on a felt twice as wide as high.

    `groups` are pairs of a group's id and its boxes' ids; there is at least one box.
    """
    row_height, caption_height = 10, 2

    def width(bands: Sequence[_Band]) -> int:
        return 2 * sum(caption_height + band.rows * row_height for band in bands)

    # As many boxes to a row as make them about square.
    ways = {most: _bands(groups, most) for most in range(8, 25)}
    most = min(ways, key=lambda most: abs(width(ways[most]) - row_height * most))
    bands = ways[most]
    places: list[FeltPlace] = []
    captions: list[Caption] = []
    y = Fraction(0)
    for band in bands:
        x = Fraction(0)
        weight = sum(_weight(boxes) for _, boxes in band.groups)
        for group_id, boxes in band.groups:
            w, h = Fraction(width(bands) * _weight(boxes), weight), Fraction(band.rows * row_height)
            captions.append(Caption(group_id, x, y, w, Fraction(caption_height)))
            places += _places(x, y + caption_height, w, h, rows=_even_rows(boxes, band.rows))
            x += w
        y += caption_height + band.rows * row_height
    return Layout("automatic", width(bands), width(bands) // 2, tuple(places), tuple(captions))


# Reading


def _form_faults(raw: Mapping[str, object]) -> Iterator[Fault]:
    """What is missing, unknown or of the wrong type."""
    for key in sorted(raw.keys() - _LAYOUT_KEYS):
        yield key, "unknown key"
    if raw.get("format", FORMAT) != FORMAT:
        yield "format", f"this version reads format {FORMAT}, got {raw['format']!r}"
    if not isinstance(raw.get("id", ""), str):
        yield "id", f"expected a name, got {raw['id']!r}"
    for key in ("width", "height"):
        if not _is_whole(raw.get(key), least=1):
            yield key, f"expected a whole number above 0, got {raw.get(key)!r}"
    if not raw.get("section"):
        yield "section", "a layout has at least one section"
    for key, keys in _PART_KEYS.items():
        parts = raw.get(key, [])
        if not isinstance(parts, list):
            yield key, f"expected [[{key}]] tables, got {parts!r}"
            continue
        for number, part in enumerate(parts):
            for fault_key, message in _part_faults(part, keys):
                yield f"{key}[{number}]{fault_key}", message


def _part_faults(part: object, keys: Sequence[str]) -> Iterator[Fault]:
    """What is wrong with one section or caption."""
    if not isinstance(part, dict):
        yield "", f"expected a table, got {part!r}"
        return
    for key in sorted(part.keys() - set(keys)):
        yield f".{key}", "unknown key"
    for key in keys:
        value = part.get(key)
        if key == "rows":
            if not _is_rows(value):
                yield ".rows", f'expected rows of box ids, for example [["big"]], got {value!r}'
        elif key == "group":
            if not isinstance(value, str) or not value:
                yield ".group", f"expected a kind or a group of boxes, got {value!r}"
        elif not _is_whole(value, least=key in "wh"):
            yield f".{key}", f"expected a whole number{' above 0' if key in 'wh' else ''}, got {value!r}"


def _is_whole(value: object, *, least: int) -> bool:
    return type(value) is int and value >= least


def _is_rows(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(row, list) and row and all(isinstance(box, str) for box in row) for row in value)


def _build(raw: Mapping[str, Any]) -> Layout:
    """A layout from data whose form is right."""
    return Layout(
        id=raw.get("id", ""),
        width=raw["width"],
        height=raw["height"],
        places=tuple(place for _, place in _keyed_places(raw)),
        captions=tuple(
            Caption(caption["group"], *(Fraction(caption[key]) for key in "xywh"))
            for caption in raw.get("caption", ())
        ),
    )


def _keyed_places(raw: Mapping[str, Any]) -> Iterator[tuple[str, FeltPlace]]:
    """Every place with the key of its section."""
    for number, section in enumerate(raw["section"]):
        for place in _places(*(Fraction(section[key]) for key in "xywh"), rows=section["rows"]):
            yield f"section[{number}].rows", place


def _places(
    x: Fraction, y: Fraction, w: Fraction, h: Fraction, *, rows: Sequence[Sequence[str]]
) -> Iterator[FeltPlace]:
    """The boxes of a section; an empty id leaves a gap."""
    height = h / len(rows)
    for down, row in enumerate(rows):
        width = w / len(row)
        for across, box in enumerate(row):
            if box:
                yield FeltPlace(box, x + across * width, y + down * height, width, height)


# Checking


def _box_faults(raw: Mapping[str, Any], box_ids: Collection[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for key, place in _keyed_places(raw):
        if place.box not in box_ids:
            yield key, f"{place.box} is not offered by this pay table"
        elif place.box in seen:
            yield key, f"{place.box} already has a place"
        seen.add(place.box)
    for box in box_ids:
        if box not in seen:
            yield "section", f"{box} has no place"
    kinds = {box.rpartition("-")[0] or box for box in box_ids} | set(box_ids)
    for number, caption in enumerate(_build(raw).captions):
        if not {caption.group, caption.group.partition("-")[0]} & kinds:
            yield f"caption[{number}].group", f"no box of this pay table is of {caption.group}"


def _room_faults(raw: Mapping[str, Any]) -> Iterator[Fault]:
    layout = _build(raw)
    parts: list[tuple[str, str, Area]] = [(key, place.box, place) for key, place in _keyed_places(raw)]
    for number, caption in enumerate(layout.captions):
        parts.append((f"caption[{number}]", f"the caption of {caption.group}", caption))
    for number, (key, name, area) in enumerate(parts):
        if area.x < 0 or area.y < 0 or area.right > layout.width or area.bottom > layout.height:
            yield key, f"{name} reaches over the edge of the felt, {layout.width} by {layout.height}"
        for _, other_name, other in parts[:number]:
            if area.overlaps(other):
                yield key, f"{name} overlaps {other_name}"


# Making


class _Band(NamedTuple):
    """Groups side by side, each in so many rows."""

    groups: list[Group]
    rows: int


def _bands(groups: Sequence[Group], most: int) -> list[_Band]:
    """Bands of about so many boxes side by side; a group that needs more has rows of its own."""
    bands: list[list[Group]] = []
    room = 0
    filled = (group for group in groups if group[1])
    for _, alike in groupby(filled, key=lambda group: group[0].partition("-")[0]):
        family = [*alike]  # the totals are seven groups, and stay together
        count = sum(_weight(boxes) for _, boxes in family)
        if count > room:
            bands.append([])
            room = most
        bands[-1] += family
        room -= count
    return [_Band(band, ceil(max(len(boxes) for _, boxes in band) / most)) for band in bands]


def _weight(boxes: Sequence[str]) -> int:
    """How many boxes' width a group takes: one that stands alone, as big does, takes two."""
    return max(2, len(boxes))


def _even_rows(boxes: Sequence[str], rows: int) -> list[list[str]]:
    """Rows of one length, the last filled up with gaps, so that all boxes are of one size."""
    length = ceil(len(boxes) / rows)
    filled = [*boxes, *[""] * (rows * length - len(boxes))]
    return [filled[start : start + length] for start in range(0, len(filled), length)]
