"""What anyone may read: the house, its tables, felts, rules, results and roads."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from taisai.dice import Roll
from taisai.errors import InputError, StoreUnavailable, UnknownName
from taisai.floor.roads import Roads, Triples, roads
from taisai.floor.views.rounds import ROUNDS, RoundRow, round_key
from taisai.record.views import catch_up
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table
from taisai.rulebooks.catalogue import rulebook
from taisai.rulebooks.in_force import in_force_at, in_force_since
from taisai.rulebooks.model import Rulebook
from taisai.server import wire
from taisai.server.http.dependencies import AnyRequest, TheHub
from taisai.server.http.packing import packed
from taisai.server.live.displays import Display
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import felt_view, millis
from taisai.server.shells import build_id

PAGE_MAX = 200


class HouseView(msgspec.Struct, frozen=True, kw_only=True):
    """What a house says of itself; `build` is that of its pages."""

    name: str
    currency: str
    currency_exponent: int
    play_money: bool
    server_time: int
    tables: list[str]
    build: str
    # From which amount on whoever is paid in cash shows a document; 0 is never.
    identify_from: int
    # The values of the chips that it hands out, smallest first; without any the usual ones.
    chips: list[int]


class TableAndFelt(msgspec.Struct, frozen=True, kw_only=True):
    """A table with the layout that it plays on."""

    table: wire.TableView
    felt: wire.FeltView


class RoundResult(msgspec.Struct, frozen=True, kw_only=True):
    """A round as the history lists it. `at` is when it opened.

    `known` are the faces on which a ruling settled it, where the dice never could be read whole.
    """

    round: int
    at: int
    state: str
    pay_table: str
    dice: list[int] | None
    total: int | None
    triple: bool
    void: bool
    corrected: bool
    ground: str | None
    known: list[int] | None


class RoundPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some rounds, newest first; `next` is the cursor of those before them."""

    items: list[RoundResult]
    next: str | None


class ClauseView(msgspec.Struct, frozen=True, kw_only=True):
    """One clause of a rulebook, in our words."""

    number: str
    text: str
    heading: bool


class FrontPage(msgspec.Struct, frozen=True, kw_only=True):
    """What a rulebook's front page says, until when the house plays by it, and how it stands now."""

    approved: bool
    authority: str | None
    reference: str | None
    since: int | None
    until: int | None
    in_force: Literal["in-force", "not-approved", "not-yet", "ended"]


class RulesView(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook for people to read."""

    id: str
    title: str
    version: str
    source: str
    digest: str
    electronic: bool
    front_page: FrontPage
    pay_tables: list[str]
    clauses: list[ClauseView]


@get("/api/v1/house", tags=["house"], middleware=[packed])
async def get_house(hub: TheHub) -> HouseView:
    """The house, its currency and the names of its tables."""
    plan = hub.house.plan
    return HouseView(
        name=plan.name,
        currency=plan.currency,
        currency_exponent=plan.currency_exponent,
        play_money=plan.play_money,
        server_time=hub.now(),
        tables=list(hub.floor),
        build=build_id(),
        identify_from=plan.cage.identify_from_minor,
        chips=list(plan.chips),
    )


@get("/api/v1/tables", tags=["house"], middleware=[packed])
async def list_tables(hub: TheHub) -> list[wire.TableView]:
    """Every table of the floor as everyone may see it."""
    return [feed.table for feed in hub.floor.values()]


@get("/api/v1/tables/{table:str}", tags=["house"], middleware=[packed])
async def get_table(hub: TheHub, table: FromPath[str]) -> TableAndFelt:
    """One table, with its felt."""
    view = hub.feed(table).table
    return TableAndFelt(table=view, felt=felt_view(view.pay_table, hub.voice.words))


@get("/api/v1/felts/{rulebook_id:str}/{number:int}", tags=["rules"], middleware=[packed])
async def get_felt(hub: TheHub, rulebook_id: FromPath[str], number: FromPath[int]) -> wire.FeltView:
    """The layout of any pay table."""
    return felt_view(shipped_pay_table(f"{rulebook_id}/{number}").id, hub.voice.words)


@get("/api/v1/rules/{rulebook_id:str}", tags=["rules"], middleware=[packed])
async def get_rules(hub: TheHub, rulebook_id: FromPath[str]) -> RulesView:
    """Every clause of a rulebook."""
    book = rulebook(rulebook_id)
    return RulesView(
        id=book.id,
        title=book.title,
        version=book.version,
        source=book.source,
        digest=book.digest,
        electronic=book.electronic,
        front_page=front_page(hub, book),
        pay_tables=[table.id for table in book.pay_tables],
        clauses=[
            ClauseView(number=number, text=text, heading=number in book.headings)
            for number, text in book.clauses.items()
        ],
    )


def front_page(hub: Hub, book: Rulebook) -> FrontPage:
    """Who approved a rulebook, and when it is in force at this house."""
    plan, since = hub.house.plan, in_force_since(book)
    until = plan.rulebooks_until.get(book.id)
    return FrontPage(
        approved=book.approved,
        authority=book.approval.authority,
        reference=book.approval.reference,
        since=millis(since) if since else None,
        until=millis(until) if until else None,
        in_force=in_force_at(book, hub.house.now(), until).value,
    )


@get("/api/v1/tables/{table:str}/rounds", tags=["house"], middleware=[packed])
async def list_rounds(
    hub: TheHub,
    table: FromPath[str],
    cursor: Annotated[
        str | None, QueryParameter(description="`next` of the page before", max_length=20)
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE_MAX)] = 50,
) -> RoundPage:
    """The results of a table, newest first."""
    newest = hub.house.read.table(table).number
    first = read_cursor(cursor, newest)
    numbers = range(first, max(0, first - limit), -1)
    rows = await _rows(hub, table, numbers)
    last = first - limit
    return RoundPage(items=[round_result(row) for row in rows], next=str(last) if last > 0 else None)


def read_cursor(cursor: str | None, newest: int) -> int:
    """Where a page of rounds begins."""
    if cursor is None:
        return newest
    if not (cursor.isascii() and cursor.isdigit()):
        raise InputError("expected the `next` of another page as cursor")
    return min(int(cursor), newest)


async def _rows(hub: Hub, table: str, numbers: range) -> list[RoundRow]:
    await catch_up(hub.house.store, ROUNDS)
    keys = [round_key(table, number) for number in numbers]
    found = await hub.house.store.view_get(ROUNDS.name, keys)
    return [msgspec.json.decode(found[key], type=RoundRow) for key in keys if key in found]


def round_result(row: RoundRow) -> RoundResult:
    """A row of the history for the API."""
    void = row.state == "void"
    roll = Roll(*row.dice) if row.dice and not void else None
    return RoundResult(
        round=row.round,
        at=row.opened_at // 1000,
        state=row.state,
        pay_table=row.pay_table,
        dice=list(roll) if roll else None,
        total=roll.total if roll else None,
        triple=roll.is_triple if roll else False,
        void=void,
        corrected=row.corrected,
        ground=row.ground,
        known=row.known or None if not void else None,
    )


@get("/api/v1/tables/{table:str}/roads", tags=["house"], middleware=[packed])
async def get_roads(
    hub: TheHub,
    table: FromPath[str],
    triples: Annotated[Triples, QueryParameter(description="How triples are drawn")] = "tie",
    rounds: Annotated[int, QueryParameter(ge=1, le=500)] = 120,
) -> Roads:
    """The boards on which players follow past results. They say nothing of what comes."""
    newest = hub.house.read.table(table).number
    rows = await _rows(hub, table, range(newest, max(0, newest - rounds), -1))
    rolls = [Roll(*row.dice) for row in reversed(rows) if row.dice and row.state != "void"]
    return roads(rolls, triples=triples)


@get("/api/v1/tables/{table:str}/events", tags=["house"])
async def follow_table(
    request: AnyRequest,
    hub: TheHub,
    table: FromPath[str],
    last_event_id: Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)] = None,
) -> ServerSentEvent:
    """A table's events as they happen: `snapshot`, then `round` and `table`, each with its sequence as id.

    When nothing happens for some seconds a `ping` says that the line is whole.
    """
    if table not in hub.feeds:
        raise UnknownName("table", table, hub.feeds)
    if hub.house.is_stale(table):
        raise StoreUnavailable(f"{table} may have moved on elsewhere")
    seen = int(last_event_id) if last_event_id and last_event_id.isdigit() else None
    return ServerSentEvent(_events(hub, table, seen))


async def _events(hub: Hub, table: str, seen: int | None) -> AsyncIterator[ServerSentEventMessage]:
    display = Display(hub.feed(table), seen)
    try:
        async for kind, seq, data in display.follow():
            yield ServerSentEventMessage(data=data.decode(), event=kind, id=seq, retry=2_000)
    finally:
        display.leave()


HANDLERS = [
    get_house,
    list_tables,
    get_table,
    get_felt,
    get_rules,
    list_rounds,
    get_roads,
    follow_table,
]
