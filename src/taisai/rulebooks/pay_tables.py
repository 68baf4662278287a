"""The `[[pay_table]]` part of a rule file: prices, boxes and their layout."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from taisai.dice import RollSet
from taisai.errors import InputError
from taisai.money import parse_odds
from taisai.rulebooks.digest import pay_table_digest
from taisai.rulebooks.kinds import KINDS, Kind, Numbers, box_id, parse_numbers, winning_sets
from taisai.rulebooks.layers import read_layer
from taisai.rulebooks.layout import Layout, automatic_layout, layout_faults, parse_layout, shipped_layout
from taisai.rulebooks.model import Box, BoxGroup, PayTable, Price
from taisai.rulebooks.reader import Table, said


def read_pay_tables(top: Table, rulebook_id: str, clauses: Mapping[str, str]) -> tuple[PayTable, ...]:
    """Every pay table of a file. What is wrong in them is reported to `top.faults`."""
    tables: list[PayTable] = []
    for table in top.tables("pay_table"):
        pay_table = _pay_table(table, rulebook_id, clauses)
        if any(pay_table.number == earlier.number for earlier in tables) and table.has("number"):
            table.fault("number", f"pay table {pay_table.number} stands twice")
        tables.append(pay_table)
    return tuple(tables)


def _pay_table(table: Table, rulebook_id: str, clauses: Mapping[str, str]) -> PayTable:
    number = table.whole("number", least=1)
    name = f"{rulebook_id}/{number}"
    groups, boxes = _boxes(table)
    layer = read_layer(table, (box.id for box in boxes))
    pay_table = PayTable(
        id=name,
        number=number,
        title=table.text("title"),
        groups=groups,
        boxes=boxes,
        layout=_layout(table, groups),
        digest=pay_table_digest(name, boxes, layer),
        clause=cited(table, "clause", clauses) if table.has("clause") else None,
        appendix=table.text("appendix") if table.has("appendix") else None,
        layer=layer,
    )
    table.close()
    return pay_table


def cited(table: Table, name: str, clauses: Mapping[str, str], *, house: str | None = None) -> str:
    """The one clause that a key names, which the file must have."""
    number = table.raw(name, "a clause")
    if number is not None and number != house:
        check_clause(table, name, number, clauses)
    return str(number)


def check_clause(table: Table, name: str, number: object, clauses: Mapping[str, str]) -> None:
    """Report what is no clause of this file."""
    if not isinstance(number, str):
        table.fault(name, f"expected a clause in quotes, such as '5.1', got {said(number)}")
    elif number not in clauses:
        table.fault(name, f"no clause {said(number)} in [clauses]")


def _boxes(table: Table) -> tuple[tuple[BoxGroup, ...], tuple[Box, ...]]:
    """The blocks of a pay table as groups, and their boxes in the order of the file."""
    read = [_block(entry) for entry in table.tables("boxes")]
    blocks = [block for block in read if block is not None]
    how_often = Counter(block.kind for block in blocks)
    groups: list[BoxGroup] = []
    boxes: list[Box] = []
    names: dict[tuple[Kind, RollSet], str] = {}
    for block in blocks:
        group = _group_id(block, alone=how_often[block.kind] == 1)
        offered = _new_numbers(block, names)
        new = [_box(block, numbers, group) for numbers in offered if block.pays]
        groups.append(BoxGroup(group, block.kind, block.pays, tuple(box.id for box in new)))
        boxes += new
    return tuple(groups), tuple(boxes)


class _Block(NamedTuple):
    """One price and what it is offered on, by the key that says so."""

    entry: Table
    kind: Kind
    pays: tuple[Fraction, ...]
    on: dict[str, Numbers]


def _block(entry: Table) -> _Block | None:
    """A block as far as it can be read, or None where even its kind cannot."""
    choice = entry.choice("kind", list(Kind))
    if choice is None:
        return None  # what `on` and `pays` should be depends on the kind, so neither can be judged
    kind = Kind(choice)
    block = _Block(entry, kind, _pays(entry, kind), _numbers(entry, kind))
    entry.close()
    return block


def _new_numbers(block: _Block, names: dict[tuple[Kind, RollSet], str]) -> list[Numbers]:
    """What a block offers beyond the boxes named before it; the same box again is a fault."""
    found = []
    for key, numbers in block.on.items():
        name = box_id(block.kind, numbers)
        identity = block.kind, sum(winning_sets(block.kind, numbers))
        if identity in names:
            block.entry.fault(key, f"{name} wins on the same rolls as {names[identity]}")
        else:
            names[identity] = name
            found.append(numbers)
    return found


def _box(block: _Block, numbers: Numbers, group: str) -> Box:
    sets = winning_sets(block.kind, numbers)
    prices = tuple(Price(rolls, odds) for rolls, odds in zip(sets, block.pays, strict=True))
    return Box(box_id(block.kind, numbers), block.kind, numbers, group, prices)


def _group_id(block: _Block, *, alone: bool) -> str:
    """The name that limits use: the kind, and its numbers, low to high, where a kind has several prices."""
    if alone and block.kind is not Kind.SUM:
        return str(block.kind)
    numbers = sorted({box_id(block.kind, on).removeprefix(f"{block.kind}-") for on in block.on.values()})
    return "-".join([block.kind, *sorted(numbers, key=lambda text: (len(text), text))])


def _pays(entry: Table, kind: Kind) -> tuple[Fraction, ...]:
    levels = KINDS[kind].levels
    expected = "odds to one" if levels == 1 else f"a list of {levels} odds, for 1, 2 and 3 dice"
    raw = entry.raw("pays", expected)
    if raw is None:
        return ()
    prices = raw if isinstance(raw, list) else [raw]
    if len(prices) != levels or isinstance(raw, list) != (levels > 1):
        entry.fault("pays", f"{kind} takes {expected}, got {said(raw)}")
        return ()
    odds = []
    for position, price in enumerate(prices):
        try:
            odds.append(parse_odds(price))
        except InputError as error:
            entry.fault(f"pays[{position}]" if levels > 1 else "pays", str(error))
    return tuple(odds) if len(odds) == levels else ()


def _numbers(entry: Table, kind: Kind) -> dict[str, Numbers]:
    """What the boxes of a block are on, by the key that says so."""
    if KINDS[kind].fits(()):
        if entry.has("on"):
            entry.raw("on", "nothing")
            entry.fault("on", f"{kind} takes no numbers")
        return {"kind": ()}
    found = {}
    for position, raw in enumerate(entry.items("on", f"a list of boxes: {kind} takes {KINDS[kind].expects}")):
        key = f"on[{position}]"
        try:
            found[key] = parse_numbers(kind, raw)
        except ValueError as error:
            entry.fault(key, str(error))
    return found


def _layout(table: Table, groups: tuple[BoxGroup, ...]) -> Layout:
    """The layout a pay table names, brings along, or is given."""
    by_group = [(group.id, group.boxes) for group in groups]
    offered = [box for _, boxes in by_group for box in boxes]
    raw: Any = table.raw("layout", "a layout", required=False)
    if isinstance(raw, dict):
        faults = layout_faults(raw, offered)
        for key, message in faults:
            table.fault(f"layout.{key}", message)
        if not faults:
            return parse_layout(raw)
    elif isinstance(raw, str):
        try:
            layout = shipped_layout(raw)
        except InputError as error:
            table.fault("layout", str(error))
        else:
            places = {place.box for place in layout.places}
            if missing := sorted(set(offered) - places):
                table.fault("layout", f"{raw} has no place for {', '.join(missing)}")
            return layout.only(offered)
    elif raw is not None:
        table.fault("layout", f"expected a layout's name or a table, got {said(raw)}")
    return automatic_layout(by_group)
