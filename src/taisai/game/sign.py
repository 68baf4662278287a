"""A table's sign: every limit in force, by kind and by box where they differ (3.3; ETG 3.3)."""

import msgspec

from taisai.game.explain import Catalogue, box_name
from taisai.game.limits import PAIRS, Limit, Limits
from taisai.rulebooks.kinds import Kind
from taisai.rulebooks.model import BoxGroup, PayTable, Rulebook

# What a line about all boxes that no other line names is called in the catalogues.
EVERY_BOX, OTHER_BOXES = "every-box", "other-boxes"


class SignLine(msgspec.Struct, frozen=True, kw_only=True):
    """What one kind of box, one box, or every other box takes. `about` is a group, a box, or which boxes."""

    about: str
    minimum: int
    maximum: int | None
    total: int | None = None  # of all players together, at an electronic table


class TableSign(msgspec.Struct, frozen=True, kw_only=True):
    """What a table displays about amounts, and the clause that says so."""

    clause: str
    unit: int
    lines: list[SignLine]
    differential: dict[str, int]
    per_player: bool  # whether the maximum is each player's own, or that of all players on a box


def sign_of(rulebook: Rulebook, pay_table: PayTable, limits: Limits) -> TableSign:
    """The sign of a table: as few lines as say everything."""
    groups = [line for group in pay_table.groups if (line := _group_line(pay_table, group, limits))]
    boxes = [
        _line(box.id, limits.of(box), limits.box_total(box))
        for box in pay_table.boxes
        if box.id in limits.boxes or box.id in limits.box_totals or box.id in limits.groups
    ]
    others = _line(OTHER_BOXES if groups or boxes else EVERY_BOX, limits.default, None)
    named = {line.about for line in (*groups, *boxes)}
    covers_all = all(box.id in named or box.group in named for box in pay_table.boxes)
    return TableSign(
        clause=rulebook.cite("limits_shown"),
        unit=limits.unit,
        lines=[*groups, *boxes] if covers_all else [others, *groups, *boxes],
        differential={pair: limits.differential[pair] for pair in PAIRS if pair in limits.differential},
        per_player=rulebook.limits.maximum == "player",
    )


def _group_line(pay_table: PayTable, group: BoxGroup, limits: Limits) -> SignLine | None:
    """A group whose limits are not those of every box; one that is a single box has that box's own line."""
    if group.id in pay_table or (group.id not in limits.groups and group.id not in limits.box_totals):
        return None
    return _line(group.id, limits.groups.get(group.id, limits.default), limits.box_totals.get(group.id))


def _line(about: str, limit: Limit, total: int | None) -> SignLine:
    return SignLine(about=about, minimum=limit.minimum, maximum=limit.maximum, total=total)


def line_name(pay_table: PayTable, line: SignLine, words: Catalogue) -> str:
    """What a line is about, in a catalogue's words."""
    if line.about in pay_table:
        return box_name(line.about, words)
    for group in pay_table.groups:
        if group.id == line.about:
            return _group_name(group, words)
    return words["terms"][line.about]


def _group_name(group: BoxGroup, words: Catalogue) -> str:
    if len(group.boxes) <= 2 or group.kind is Kind.SUM:
        return " · ".join(box_name(box, words) for box in group.boxes)
    return words["kinds"][group.kind]
