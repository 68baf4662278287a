"""From a rule file to a Rulebook, or to the list of everything that is wrong with it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Literal, cast

from taisai.errors import Fault, RulebookError, UnknownName
from taisai.rulebooks.digest import rulebook_digest
from taisai.rulebooks.kinds import WINS_ON_TRIPLES, Kind
from taisai.rulebooks.lines import key_lines
from taisai.rulebooks.model import HOUSE, TOPICS, Approval, Ground, LimitRules, Procedure, Rulebook
from taisai.rulebooks.pay_tables import check_clause, cited, read_pay_tables
from taisai.rulebooks.reader import Faults, Table, said

FORMAT = 1

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


def parse_rulebook(text: str, source: str) -> Rulebook:
    """Read a rule file. Raises `RulebookError` with every fault, each with its key and line."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulebookError(source, [_syntax_fault(error)]) from None
    faults = Faults(key_lines(text))
    rulebook = _rulebook(Table(raw, "", faults))
    if faults.found:
        raise RulebookError(source, sorted(faults.found, key=lambda fault: (fault.line or 0, fault.key)))
    return replace(rulebook, digest=rulebook_digest(rulebook))


def _syntax_fault(error: Exception) -> Fault:
    """A file that is no TOML has one fault: reading ends where the sense does."""
    where = _AT_LINE.search(str(error))
    message = "nested too deeply" if isinstance(error, RecursionError) else _AT_LINE.sub("", str(error))
    return Fault("(syntax)", int(where[1]) if where else None, message)


def _rulebook(top: Table) -> Rulebook:
    if (found := top.whole("format", least=1)) != FORMAT:
        top.fault("format", f"this version reads format {FORMAT}, got {found}")
    name = top.text("id")
    if name.strip() and not _ID.fullmatch(name):
        top.fault("id", f"expected small letters, digits and hyphens between them, got {said(name)}")
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
        pay_tables=read_pay_tables(top, name, clauses),
        approval=_approval(top),
    )
    top.close()
    return rulebook


def _effective(top: Table) -> date | None:
    value = top.raw("effective", "a date", required=False)
    if value is None or (isinstance(value, date) and not (isinstance(value, datetime) and value.tzinfo)):
        return value
    top.fault("effective", f"expected a date, or a date and local time, got {said(value)}")
    return None


def _approval(top: Table) -> Approval:
    """Who approved the rules, by what, and when, as far as the document says it."""
    table = top.table("approval", required=False)
    if top.has("approval") and top.peek("approved") is False:
        top.fault("approval", "says who approved the rules, and approved = false says that nobody did")
    found = Approval(
        authority=table.text("authority") if table.has("authority") else None,
        reference=table.text("reference") if table.has("reference") else None,
        dated=_day(table, "date"),
    )
    table.close()
    return found


def _day(table: Table, name: str) -> date | None:
    value = table.raw(name, "a date", required=False)
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    table.fault(name, f"expected a date, got {said(value)}")
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
    rules = LimitRules(
        minimum=cast("Literal['advise', 'refuse']", table.choice("minimum", ["advise", "refuse"])),
        maximum=cast("Literal['box', 'player']", table.choice("maximum", ["box", "player"])),
        excess=cast("Literal['cut', 'refuse']", table.choice("excess", ["cut", "refuse"])),
        notice=_notice(table),
        differential=table.flag("differential"),
        pro_rata=table.flag("pro_rata"),
    )
    if "by-dealer" in rules.notice and table.peek("pro_rata") is False:
        table.fault("notice", "'by-dealer' lets excess bets stand, which only pro_rata = true can settle")
    table.close()
    return rules


def _notice(table: Table) -> tuple[str, ...]:
    ways = ("at-placement", "by-dealer")
    expected = f"one or both of {', '.join(map(repr, ways))}"
    notice = table.items("notice", expected)
    for position, way in enumerate(notice):
        if way not in ways:
            table.fault(f"notice[{position}]", f"expected {expected}, got {said(way)}")
        elif way in notice[:position]:
            table.fault(f"notice[{position}]", f"{way!r} stands twice")
    return tuple(map(str, notice))


# --- clauses -----------------------------------------------------------------------------------------


def _clauses(top: Table) -> dict[str, str]:
    table = top.table("clauses", required=False)
    clauses = {}
    for number in table.names():
        if isinstance(table.peek(number), dict):
            table.fault(number, 'is read as a table: a number with dots needs quotes, as in "5.1"')
        else:
            clauses[number] = table.text(number)
    return clauses


def _all_cited(table: Table, name: str, clauses: Mapping[str, str]) -> tuple[str, ...]:
    """One clause or a list of clauses, each of which the file must have."""
    value = table.peek(name)
    if not isinstance(value, list):
        return (cited(table, name, clauses),)
    numbers = table.items(name, "a clause or a list of clauses")
    for position, number in enumerate(numbers):
        check_clause(table, f"{name}[{position}]", number, clauses)
    return tuple(map(str, numbers))


def _headings(top: Table, clauses: Mapping[str, str]) -> tuple[str, ...]:
    return _all_cited(top, "headings", clauses) if top.has("headings") else ()


def _cites(top: Table, clauses: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    table = top.table("cites", required=False)
    cites = {}
    for topic in table.names():
        if topic in TOPICS:
            cites[topic] = _all_cited(table, topic, clauses)
        else:
            table.fault(topic, str(UnknownName("topic", topic, TOPICS)))
    return cites


def _grounds(top: Table, clauses: Mapping[str, str]) -> dict[Ground, str]:
    """The grounds for a void, each with its clause; one that the cover rules out is a contradiction."""
    table = top.table("void")
    procedure: Any = top.peek("procedure")
    cover = procedure.get("cover") if isinstance(procedure, dict) else None
    senseless = {"covered": Ground.ACTIVATED_EARLY, "open": Ground.EXPOSED_EARLY}.get(str(cover))
    void = {}
    for name in table.names():
        if name not in list(Ground):
            table.fault(name, str(UnknownName("ground", name, Ground)))
            continue
        void[Ground(name)] = cited(table, name, clauses, house=HOUSE)
        if name == senseless:
            table.fault(name, f"has no meaning where procedure.cover = {cover!r}")
    return void


def _triple_wins(top: Table, clauses: Mapping[str, str]) -> dict[Kind, str]:
    table = top.table("triple_wins", required=False)
    wins = {}
    for name in table.names():
        if name not in list(Kind):
            table.fault(name, str(UnknownName("kind of box", name, Kind)))
            continue
        wins[Kind(name)] = cited(table, name, clauses)
        if Kind(name) not in WINS_ON_TRIPLES:
            table.fault(name, f"no box of this kind wins on a triple; these do: {', '.join(WINS_ON_TRIPLES)}")
    return wins
