"""What tables play by, under dual control: settings, and a change of rulebook or pay table at a set time."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from taisai.errors import UnknownName
from taisai.floor.door.forms import do_at_table
from taisai.floor.table.messages import TableSettings
from taisai.game.limits import PAIRS
from taisai.rulebooks.catalogue import rulebook, shipped_rulebooks
from taisai.rulebooks.model import PayTable, Rulebook
from taisai.server.http.acts import ActAnswer, act_response
from taisai.server.http.dependencies import TheHub, TheKey, ThePerson
from taisai.server.http.tables import FrontPage, front_page
from taisai.server.live.hub import Hub
from taisai.server.live.table_view import millis

# The end of the year 9999.
_MILLIS_MAX = 253_402_300_799_000


class SettingsBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a table plays by from its next round on, or from a time on, and why it changes."""

    settings: TableSettings
    reason: str
    effective: Annotated[int, msgspec.Meta(ge=0, le=_MILLIS_MAX)] | None = None


class OfferedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A pay table: the chip unit in which it pays whole amounts, and which pairs may have a differential."""

    id: str
    unit: int
    pairs: list[str]


class OfferedRules(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook that the table can play by, with what its front page says and how it stands now."""

    rulebook: str
    title: str
    version: str
    pay_tables: list[OfferedTable]
    front_page: FrontPage
    notice: list[str]


class PlannedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change that two people agreed to and that waits for its time."""

    settings: TableSettings
    effective: int
    by: str
    second: str | None
    reason: str


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table plays by, what is planned, what the house's settings name instead, and what there is."""

    settings: TableSettings
    planned: PlannedChange | None
    named: TableSettings | None
    offered: list[OfferedRules]


@get("/api/v1/tables/{table:str}/settings", tags=["pit"])
async def get_settings(hub: TheHub, table: FromPath[str]) -> TableSettings:
    """What a table plays by from its next round on."""
    return _settings(hub, table)


@get("/api/v1/tables/{table:str}/rules", tags=["pit"])
async def get_table_rules(hub: TheHub, table: FromPath[str]) -> TableRules:
    """What a table plays by and could play by, with what is approved and in force."""
    settings, planned = _settings(hub, table), hub.house.read.table(table).planned
    live = hub.house.plans[table].kind == "live"
    books = [rulebook(name) for name in shipped_rulebooks()]
    return TableRules(
        settings=settings,
        planned=PlannedChange(
            settings=planned.settings,
            effective=millis(planned.effective),
            by=planned.by.name,
            second=planned.second.name if planned.second else None,
            reason=planned.reason,
        )
        if planned
        else None,
        named=hub.house.read.named_otherwise(table),
        offered=[_offered(hub, book) for book in books if not (live and book.electronic)],
    )


def _settings(hub: Hub, table: str) -> TableSettings:
    settings = hub.house.read.table(table).settings
    if settings is None:
        raise UnknownName("open table", table, hub.feeds)
    return settings  # a desk of any kind


def _offered(hub: Hub, book: Rulebook) -> OfferedRules:
    return OfferedRules(
        rulebook=book.id,
        title=book.title,
        version=book.version,
        pay_tables=[
            OfferedTable(id=table.id, unit=table.unit, pairs=_pairs(book, table)) for table in book.pay_tables
        ],
        front_page=front_page(hub, book),
        notice=list(book.limits.notice),
    )


def _pairs(book: Rulebook, pay_table: PayTable) -> list[str]:
    """The pairs of sides that may have a differential: both of them are offered."""
    if not book.limits.differential:
        return []
    return [name for name, sides in PAIRS.items() if all(side in pay_table for side in sides)]


@post("/api/v1/tables/{table:str}/settings", tags=["pit"], status_code=202)
async def change_settings(
    key: TheKey, hub: TheHub, person: ThePerson, table: FromPath[str], data: JSONBody[SettingsBody]
) -> Response[ActAnswer]:
    """Ask for other settings from the next round on, or from a time on; a second person agrees.

    Another rulebook or pay table is played by from the first round that begins at or after that time.
    """
    hub.feed(table)
    fields: dict[str, Any] = {"settings": msgspec.to_builtins(data.settings), "reason": data.reason}
    if data.effective is not None:
        fields["effective"] = datetime.fromtimestamp(data.effective / 1000, UTC)
    answer = await do_at_table(hub.house, table, "OpenTable", fields, by=person.actor, key=key)
    return act_response(hub, answer)


HANDLERS: list[Any] = [get_settings, get_table_rules, change_settings]
