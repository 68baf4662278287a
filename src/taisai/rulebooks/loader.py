"""From a rule file to a Rulebook, or to the list of everything that is wrong with it."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Literal, cast

from taisai.errors import Fault, InputError, RulebookError
from taisai.money import parse_odds
from taisai.rulebooks.digest import pay_table_digest, rulebook_digest
from taisai.rulebooks.kinds import KINDS, Kind, Numbers, box_id, parse_numbers
from taisai.rulebooks.layout import Layout, automatic_layout, layout_faults, parse_layout, shipped_layout
from taisai.rulebooks.lines import key_lines
from taisai.rulebooks.model import (
    HOUSE,
    TOPICS,
    Box,
    BoxGroup,
    Ground,
    LimitRules,
    PayTable,
    Price,
    Procedure,
    Rulebook,
)
from taisai.rulebooks.reader import Faults, Table

FORMAT = 1


def parse_rulebook(text: str, source: str) -> Rulebook:
    """Read a rule file. Raises `RulebookError` with every fault, each with its key and line."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(source, [Fault("(syntax)", None, str(error))]) from None
    faults = Faults(key_lines(text))
    rulebook = _rulebook(Table(raw, "", faults))
    if faults.found:
        raise RulebookError(source, sorted(faults.found, key=lambda fault: (fault.line or 0, fault.key)))
    return replace(rulebook, digest=rulebook_digest(rulebook))


def _rulebook(top: Table) -> Rulebook:
    if (found := top.whole("format", least=1)) != FORMAT:
        top.fault("format", f"this version reads format {FORMAT}, got {found}")
    name = top.text("id")
    if not name.replace("-", "").isalnum() or name != name.lower() or not name.isascii():
        top.fault("id", f"expected small letters, digits and hyphens, got {name!r}")
    clauses = _clauses(top)
    rulebook = Rulebook(
        id=name,
        title=top.text("title"),
        version=top.text("version"),
        source=top.text("source"),
        approved=top.flag("approved"),
        effective=_effective(top),
        electronic=top.flag("electronic"),
        colour_chips=top.flag("colour_chips"),
        damaged_dice=cast(
            "Literal['round-in-play', 'affected-rounds']",
            top.choice("damaged_dice", ["round-in-play", "affected-rounds"]),
        ),
        procedure=_procedure(top.table("procedure")),
        limits=_limits(top.table("limits")),
        void=_grounds(top, clauses),
        triple_wins=_triple_wins(top, clauses),
        cites=_cites(top, clauses),
        clauses=clauses,
        headings=frozenset(_headings(top, clauses)),
        pay_tables=_pay_tables(top, name, clauses),
    )
    _check_agreement(top, rulebook)
    top.close()
    return rulebook


def _effective(top: Table) -> date | None:
    value = top.raw("effective", "a date", required=False)
    if value is None or isinstance(value, date | datetime):
        return value
    top.fault("effective", f"expected a date or a local date and time, got {value!r}")
    return None


def _procedure(table: Table) -> Procedure:
    procedure = Procedure(
        cover=cast("Literal['covered', 'open']", table.choice("cover", ["covered", "open"])),
        tumbles_min=table.whole("tumbles_min", least=1),
        say_open=table.text("say_open"),
        say_close=table.text("say_close"),
    )
    table.close()
    return procedure


def _limits(table: Table) -> LimitRules:
    notice = table.items("notice")
    ways = ("at-placement", "by-dealer")
    if not notice or any(way not in ways for way in notice):
        table.fault("notice", f"expected one or both of {', '.join(map(repr, ways))}, got {notice!r}")
    rules = LimitRules(
        minimum=cast("Literal['advise', 'refuse']", table.choice("minimum", ["advise", "refuse"])),
        maximum=cast("Literal['box', 'player']", table.choice("maximum", ["box", "player"])),
        excess=cast("Literal['cut', 'refuse']", table.choice("excess", ["cut", "refuse"])),
        notice=tuple(map(str, notice)),
        differential=table.flag("differential"),
        pro_rata=table.flag("pro_rata"),
    )
    table.close()
    return rules


def _check_agreement(top: Table, rulebook: Rulebook) -> None:
    """What one part of the file promises and another contradicts."""
    if "by-dealer" in rulebook.limits.notice and not rulebook.limits.pro_rata and not top.faults.found:
        top.fault(
            "limits.notice", "'by-dealer' lets excess bets stand, which only pro_rata = true can settle"
        )
    early = {"covered": Ground.EXPOSED_EARLY, "open": Ground.ACTIVATED_EARLY}
    for cover, ground in early.items():
        if ground in rulebook.void and cover != rulebook.procedure.cover:
            top.fault(
                f"void.{ground}", f"has no meaning where procedure.cover = {rulebook.procedure.cover!r}"
            )


# --- clauses -----------------------------------------------------------------------------------------


def _clauses(top: Table) -> dict[str, str]:
    table = top.table("clauses", required=False)
    return {number: table.text(number) for number in table.names()}


def _cited(table: Table, name: str, clauses: Mapping[str, str], *, house: bool = False) -> tuple[str, ...]:
    """One clause or a list of clauses, each of which the file must have."""
    value = table.raw(name, "a clause")
    numbers = value if isinstance(value, list) else [value]
    for number in numbers:
        if not (number in clauses or (house and number == HOUSE)):
            table.fault(name, f"no clause {number!r} in [clauses]")
    return tuple(map(str, numbers))


def _headings(top: Table, clauses: Mapping[str, str]) -> list[str]:
    return list(_cited(top, "headings", clauses)) if top.has("headings") else []


def _cites(top: Table, clauses: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    table = top.table("cites", required=False)
    cites = {}
    for topic in table.names():
        if topic in TOPICS:
            cites[topic] = _cited(table, topic, clauses)
        else:
            table.fault(topic, f"unknown topic; there are: {', '.join(sorted(TOPICS))}")
    return cites


def _grounds(top: Table, clauses: Mapping[str, str]) -> dict[Ground, str]:
    table = top.table("void")
    void = {}
    for name in table.names():
        if name in list(Ground):
            void[Ground(name)] = _cited(table, name, clauses, house=True)[0]
        else:
            table.fault(name, f"unknown ground; there are: {', '.join(Ground)}")
    return void


def _triple_wins(top: Table, clauses: Mapping[str, str]) -> dict[Kind, str]:
    table = top.table("triple_wins", required=False)
    wins = {}
    for name in table.names():
        if name in list(Kind):
            wins[Kind(name)] = _cited(table, name, clauses)[0]
        else:
            table.fault(name, f"unknown kind of box; there are: {', '.join(Kind)}")
    return wins


# --- pay tables --------------------------------------------------------------------------------------


def _pay_tables(top: Table, rulebook_id: str, clauses: Mapping[str, str]) -> tuple[PayTable, ...]:
    tables: list[PayTable] = []
    for table in top.tables("pay_table"):
        pay_table = _pay_table(table, rulebook_id, clauses)
        if any(pay_table.number == earlier.number for earlier in tables):
            table.fault("number", f"pay table {pay_table.number} stands twice")
        tables.append(pay_table)
    return tuple(tables)


def _pay_table(table: Table, rulebook_id: str, clauses: Mapping[str, str]) -> PayTable:
    number = table.whole("number", least=1)
    name = f"{rulebook_id}/{number}"
    groups: list[BoxGroup] = []
    boxes: list[Box] = []
    for entry in table.tables("boxes"):
        _box_group(entry, groups, boxes)
        entry.close()
    pay_table = PayTable(
        id=name,
        number=number,
        title=table.text("title"),
        groups=tuple(groups),
        boxes=tuple(boxes),
        layout=_layout(table, groups),
        digest=pay_table_digest(name, boxes),
        clause=_cited(table, "clause", clauses)[0] if table.has("clause") else None,
        appendix=table.text("appendix") if table.has("appendix") else None,
    )
    table.close()
    return pay_table


def _box_group(entry: Table, groups: list[BoxGroup], boxes: list[Box]) -> None:
    """One price and the boxes that have it, appended to what the pay table has so far."""
    kind = Kind(entry.choice("kind", list(Kind)))
    pays = _pays(entry, kind)
    all_numbers = _all_numbers(entry, kind)
    if not pays or not all_numbers:
        return
    group_id = str(kind)
    if kind is Kind.SUM or any(group.id == group_id for group in groups):
        group_id = "-".join([kind, *(box_id(kind, on).removeprefix(f"{kind}-") for on in all_numbers)])
    new = []
    for numbers in all_numbers:
        sets = KINDS[kind].winning_sets(numbers)
        prices = tuple(Price(rolls, odds) for rolls, odds in zip(sets, pays, strict=True))
        box = Box(box_id(kind, numbers), kind, numbers, group_id, prices)
        twin = next((other for other in boxes + new if other.kind == kind and other.wins == box.wins), None)
        if twin:
            entry.fault("on" if numbers else "kind", f"{box.id} wins on the same rolls as {twin.id}")
        else:
            new.append(box)
    boxes += new
    groups.append(BoxGroup(group_id, kind, pays, tuple(box.id for box in new)))


def _pays(entry: Table, kind: Kind) -> tuple[Fraction, ...]:
    levels = KINDS[kind].levels
    expected = "odds to one" if levels == 1 else f"a list of {levels} odds, for 1, 2 and 3 dice"
    raw = entry.raw("pays", expected)
    if raw is None:
        return ()
    prices = raw if isinstance(raw, list) else [raw]
    if len(prices) != levels or isinstance(raw, list) != (levels > 1):
        entry.fault("pays", f"{kind} takes {expected}, got {raw!r}")
        return ()
    try:
        return tuple(map(parse_odds, prices))
    except InputError as error:
        entry.fault("pays", str(error))
        return ()


def _all_numbers(entry: Table, kind: Kind) -> list[Numbers]:
    takes_none = KINDS[kind].fits(())
    if takes_none:
        if entry.has("on"):
            entry.raw("on", "nothing")
            entry.fault("on", f"{kind} takes no numbers")
        return [()]
    found = []
    for raw in entry.items("on"):
        try:
            found.append(parse_numbers(kind, raw))
        except ValueError as error:
            entry.fault("on", str(error))
    return found


def _layout(table: Table, groups: list[BoxGroup]) -> Layout:
    """The layout a pay table names, brings along, or is given."""
    by_group = [(group.id, group.boxes) for group in groups]
    offered = [box for _, boxes in by_group for box in boxes]
    raw: Any = table.raw("layout", "a layout", required=False)
    if isinstance(raw, dict):
        for key, message in layout_faults(raw, offered):
            table.fault(f"layout.{key}", message)
        if not any(fault.key.startswith(table.key("layout")) for fault in table.faults.found):
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
        table.fault("layout", f"expected a layout's name or a table, got {raw!r}")
    return automatic_layout(by_group)
