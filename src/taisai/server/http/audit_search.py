"""For auditors: find rounds by what was in them, and every act that was refused."""

import re
from typing import Annotated, Any, Final

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from taisai.errors import InputError
from taisai.floor.audit.search import ActHit, BetHit, RoundHit, RoundQuery, search_rounds
from taisai.floor.views.refused_acts import RefusedAct, newest_refused
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from taisai.server import wire
from taisai.server.http.dependencies import TheHub
from taisai.server.http.tables import RoundResult, read_cursor, round_result
from taisai.server.live.hub import Hub

_NAME_MAX: Final = 100
_CURSOR: Final = re.compile(r"[0-9]{20}/[!-~]+")
_Name = Annotated[str, QueryParameter(max_length=_NAME_MAX)]
_Amount = Annotated[int | None, QueryParameter(ge=0, le=AMOUNT_MINOR_MAX)]


class FoundRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that was looked for; `bets` and `acts` are some of what in it made it so."""

    round: RoundResult
    bets: list[BetHit]
    acts: list[ActHit]


class FoundPage(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds that were looked for, newest first; how many rounds were looked at, and where to look on."""

    items: list[FoundRoundView]
    looked_at: int
    next: str | None


class RefusedActView(msgspec.Struct, frozen=True, kw_only=True):
    """An act that was refused; `at` is in milliseconds since 1970."""

    at: int
    by: str
    code: str
    clause: str
    table: str
    round: int | None
    sentences: wire.Sentences


class RefusedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Refused acts, newest first, and where the next page begins."""

    items: list[RefusedActView]
    next: str | None


@get("/api/v1/audit/rounds/{table:str}", tags=["audit"])
async def find_rounds(
    hub: TheHub,
    table: FromPath[str],
    player: _Name = "",
    box: _Name = "",
    least: _Amount = None,
    most: _Amount = None,
    dealer: _Name = "",
    clause: _Name = "",
    refused: Annotated[bool, QueryParameter(description="Only bets that were refused")] = False,
    cursor: Annotated[
        str | None, QueryParameter(description="`next` of the page before", max_length=20)
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=50)] = 25,
) -> FoundPage:
    """Rounds by player, box, amount of a bet, dealer, clause, and refused bets.

    At most 500 rounds are looked at for one page; a page may be empty and still have a next one.
    """
    hub.feed(table)
    query = RoundQuery(
        player=player.strip(),
        box=box.strip(),
        least=least,
        most=most,
        dealer=dealer.strip(),
        clause=clause.strip(),
        refused=refused,
    )
    found = await search_rounds(
        hub.house.store,
        table,
        query,
        first=read_cursor(cursor, hub.house.read.table(table).number),
        limit=limit,
        dealer_at=lambda opened: hub.house.read.dealer_at(table, opened),
    )
    following = None if found.next is None else str(found.next)
    return FoundPage(items=[_found(hit) for hit in found.hits], looked_at=found.looked_at, next=following)


def _found(hit: RoundHit) -> FoundRoundView:
    return FoundRoundView(round=round_result(hit.row), bets=hit.bets, acts=hit.acts)


@get("/api/v1/audit/refused", tags=["audit"])
async def list_refused(
    hub: TheHub,
    by: _Name = "",
    clause: _Name = "",
    cursor: Annotated[
        str | None, QueryParameter(description="`next` of the page before", max_length=300)
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
) -> RefusedPage:
    """Every act that was refused, of players and of staff, with the clause that forbade it.

    At most 5,000 acts are looked at for one page; a page may be empty and still have a next one.
    """
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise InputError("expected the `next` of another page as cursor")
    found, following = await newest_refused(
        hub.house.store, after=cursor or "", limit=limit, by=by.strip(), clause=clause.strip()
    )
    return RefusedPage(items=[_refused(hub, each) for each in found], next=following)


def _refused(hub: Hub, refused: RefusedAct) -> RefusedActView:
    why = Refusal(code=RefusalCode(refused.code), clause=refused.clause, facts=refused.facts)
    return RefusedActView(
        at=refused.at // 1000,
        by=refused.by,
        code=refused.code,
        clause=refused.clause,
        table=refused.table,
        round=refused.round,
        sentences=hub.refused(refused.id, why).sentences,
    )


HANDLERS: list[Any] = [find_rounds, list_refused]
