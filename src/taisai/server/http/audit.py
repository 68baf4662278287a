"""For auditors: verify the whole record, take it away in an open format, read PAR sheets."""

import asyncio
import re
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from taisai.errors import InputError, StoreError, StoreUnavailable
from taisai.floor.views.significant import Code, newest_significant
from taisai.record.cuts import claims_of
from taisai.record.export import export
from taisai.record.faults import RecordFault
from taisai.record.journal import micros
from taisai.record.views import catch_up
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table
from taisai.rulebooks.catalogue import rulebook_of
from taisai.server.http.dependencies import TheHub, TheParts
from taisai.server.http.problems import server_problem
from taisai.server.parts import Parts

# A sheet's cross-check by simulation: enough to show a slip of the pen, little enough to wait for.
_PAR_ROUNDS: Final = 1_000_000
_CURSOR: Final = re.compile(r"[0-9]{20}/[!-~]+")


class TrustedKeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A public key that the audit trusted, by its id, and where it came from."""

    key: str
    where: str


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """Something lawful that whoever reads the record should know: a rotation of keys, a restore."""

    code: str
    text: str
    facts: dict[str, str | int]


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the record is what was recorded; if not, the first fault and where it is."""

    sound: bool
    at: int
    record: dict[str, int]
    rounds: dict[str, int]
    tickets: dict[str, int]
    where: str | None = None
    fault: str | None = None
    code: str | None = None  # of a fault that pages tell in their own words
    facts: dict[str, str | int] = {}
    keys: list[TrustedKeyView] = []
    notes: list[NoteView] = []


@post("/api/v1/audit/verify", tags=["audit"], status_code=200)
async def audit_verify(hub: TheHub, parts: TheParts) -> AuditReport:
    """Check chains, signatures, witness, ledger, views and tickets, and compute every settlement again."""
    if parts.auditing.locked():
        raise server_problem(429, "too_many", seconds=10)
    async with parts.auditing:
        report: AuditReport = await parts.apart(lambda: _verified(parts, hub.now()))
        return report


async def _verified(parts: Parts, at: int) -> AuditReport:
    keys = [TrustedKeyView(key=source.key, where=source.where) for source in parts.trust.sources]
    unsound = partial(AuditReport, sound=False, at=at, record={}, rounds={}, tickets={}, keys=keys)
    try:
        report = await parts.audit()
    except RecordFault as fault:
        return unsound(where=fault.where, fault=fault.what, code=fault.code or None, facts=fault.facts)
    except StoreUnavailable as error:
        if error.passing:  # nothing was looked at, so nothing is said of it
            raise
        return unsound(where="record", fault=str(error))
    except (InputError, StoreError) as error:  # a witness that cannot be read vouches for nothing
        return unsound(where="witness", fault=str(error))
    found = msgspec.to_builtins(report)
    notes = [NoteView(**note) for note in found.pop("notes")]
    return AuditReport(sound=True, at=at, keys=keys, notes=notes, **found)


@get("/api/v1/audit/export", tags=["audit"], media_type="application/x-ndjson")
async def audit_export(hub: TheHub, parts: TheParts) -> Stream:
    """The whole record in an open format, with the public keys to verify it."""

    async def lines() -> AsyncIterator[bytes]:
        async with parts.read_record() as snapshot:
            at, keys = micros(hub.house.now()), parts.trust.keys.raw
            cut = bool((await claims_of(snapshot)).archived)  # then it says which bodies are in archives
            async for line in export(snapshot, at=at, keys=keys, cut=cut):
                yield line

    headers = {"Content-Disposition": 'attachment; filename="taisai-record.jsonl"'}
    return Stream(lines(), media_type="application/x-ndjson", headers=headers)


class SignificantView(msgspec.Struct, frozen=True, kw_only=True):
    """One significant event; `at` is in milliseconds since 1970, the hundreds of `code` are its class."""

    at: int
    code: int
    name: str
    device: str
    by: str
    what: str
    amount: int | None


class SignificantPage(msgspec.Struct, frozen=True, kw_only=True):
    """Significant events, newest first, and where the next page begins."""

    items: list[SignificantView]
    next: str | None


@get("/api/v1/audit/significant", tags=["audit"])
async def list_significant(
    hub: TheHub,
    parts: TheParts,
    cursor: Annotated[
        str | None, QueryParameter(description="`next` of the page before", max_length=200)
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
    code: Annotated[
        int | None, QueryParameter(description="Only events of this code", ge=100, le=999)
    ] = None,
    device: Annotated[str, QueryParameter(description="Only a table's or terminal's", max_length=100)] = "",
) -> SignificantPage:
    """What a regulator wants to find at once: voids, corrections, doors, failed logins, large wins."""
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise InputError("expected the `next` of another page as cursor")
    if code is not None and code not in Code.__members__.values():
        raise InputError(f"expected the code of a significant event, got {code}")
    await catch_up(hub.house.store, parts.significant)
    found, following = await newest_significant(
        hub.house.store,
        after=cursor or "",
        limit=limit,
        code=None if code is None else Code(code),
        device=device,
    )
    items = [
        SignificantView(
            at=event.at // 1000,
            code=int(event.code),
            name=event.name,
            device=event.device,
            by=event.by,
            what=event.what,
            amount=event.amount,
        )
        for event in found
    ]
    return SignificantPage(items=items, next=following)


@get("/api/v1/par/{rulebook_id:str}/{page:str}", tags=["audit"], media_type=MediaType.HTML)
async def get_par(rulebook_id: FromPath[str], page: FromPath[str]) -> Response[str]:
    """The PAR sheet of a pay table as one HTML page (`2.html`): exact odds of every box."""
    name = shipped_pay_table(f"{rulebook_id}/{page.removesuffix('.html')}").id
    html = await asyncio.to_thread(_par_html, name)
    # The sheet brings its own style and drawings inside; it runs nothing.
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
    return Response(html, media_type=MediaType.HTML, headers={"Content-Security-Policy": policy})


def _par_html(name: str) -> str:
    from taisai.odds.par.html import par_html
    from taisai.odds.par.sheet import par_sheet

    sheet = par_sheet(shipped_pay_table(name), rulebook_of(name), rounds=_PAR_ROUNDS)
    return par_html(sheet)


HANDLERS: list[Any] = [audit_verify, audit_export, list_significant, get_par]
