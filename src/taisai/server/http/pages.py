"""The pages: HTML shells for the scripts that the front end built, and the index of all addresses."""

from functools import cache
from html import escape
from importlib.resources import files
from mimetypes import guess_type
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from taisai.server.access.logins import Person
from taisai.server.config import Config
from taisai.server.http.account import open_logins
from taisai.server.http.dependencies import AnyRequest, TheConfig, TheGate, TheHub
from taisai.server.http.guard import Gate
from taisai.server.http.packing import ENCODINGS, accepted
from taisai.server.http.phone import phone_address
from taisai.server.http.problems import SECURITY_HEADERS, problem_response
from taisai.server.live.hub import Hub
from taisai.server.live.ticket_view import qr_svg
from taisai.server.shells import INDEX, LOST, PAGES, NotBuilt, PageData, build_id, shell, web_manifest

_STATIC = files("taisai.server") / "static"
_TABLE_PAGES: Final = ("terminal", "display", "console")
# Names carry a digest of their content, so they never change under a name.
_FOR_EVER: Final = "public, max-age=31536000, immutable"


@get("/", include_in_schema=False, media_type=MediaType.HTML)
async def index_page(request: AnyRequest, hub: TheHub, gate: TheGate, config: TheConfig) -> Response[str]:
    """Every page of the house with its address; a plain list where the pages are not built."""
    try:
        return _shell(INDEX, request, hub, gate, config)
    except NotBuilt:
        return Response(_plain_index(hub), media_type=MediaType.HTML)


def _plain_index(hub: Hub) -> str:
    lines = [f"<li><a href='{escape(address)}'>{escape(name)}</a></li>" for name, address in addresses(hub)]
    plan = hub.house.plan
    money = "<p>Play money only. Nothing here is worth anything.</p>" if plan.play_money else ""
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(plan.name)}</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'></head>"
        f"<body><h1>{escape(plan.name)}</h1>{money}<ul>{''.join(lines)}</ul></body></html>"
    )


def addresses(hub: Hub) -> list[tuple[str, str]]:
    """Names and addresses of all pages, the table's own ones for each table."""
    found = [
        (f"{kind.capitalize()} of {feed.plan.title}", f"/{kind}?table={name}")
        for name, feed in hub.floor.items()
        for kind in _TABLE_PAGES
        if kind != "terminal" or feed.plan.kind == "cluster"
    ]
    found += [(kind.capitalize(), f"/{kind}") for kind in PAGES if kind not in _TABLE_PAGES]
    return [*found, ("The API", "/docs")]


@get([f"/{name}" for name in PAGES], include_in_schema=False, media_type=MediaType.HTML)
async def page(request: AnyRequest, hub: TheHub, gate: TheGate, config: TheConfig) -> Response[str]:
    """A page's shell, with what it needs to begin; or a page that says that there is no such table."""
    name = request.url.path.strip("/")
    try:
        lost = _lost(name, request.query_params.get("table"), hub)
        if lost:
            return _shell(LOST, request, hub, gate, config, lost=lost, status=404)
        return _shell(name, request, hub, gate, config)
    except NotBuilt as error:
        return Response(str(error), status_code=503, media_type=MediaType.TEXT)


Lost = Literal["", "page", "table", "not-a-terminal"]


def _lost(name: str, table: str | None, hub: Hub) -> Lost:
    """Why a page of a table cannot be shown."""
    if name not in _TABLE_PAGES or table is None:
        return ""
    feed = hub.feeds.get(table)
    if feed is None:
        return "table"
    return "not-a-terminal" if name == "terminal" and feed.plan.kind != "cluster" else ""


def _shell(
    name: str,
    request: AnyRequest,
    hub: Hub,
    gate: Gate,
    config: Config,
    *,
    lost: Lost = "",
    status: int = 200,
) -> Response[str]:
    person = gate.person(request)
    known = person if isinstance(person, Person) else None
    plan = hub.house.plan
    phone = (
        phone_address(config, request.headers.get("host", ""), request.url.scheme) if name == INDEX else ""
    )
    data = PageData(
        page=name,
        house=plan.name,
        play_money=plan.play_money,
        table=_first_table(name, hub),
        person=known.actor.name if known else "",
        role=str(known.actor.role) if known else "",
        csrf=known.csrf if known else "",
        help_line={"en": config.house.help_line, **config.house.help_lines} if config.house.help_line else {},
        build=build_id(),
        catalogue={language: dict(words) for language, words in hub.words.pages.items()},
        practice=hub.practice.is_open,
        house_names={"en": plan.name, **config.house.names},
        phone=phone,
        phone_qr=qr_svg(phone) if phone else "",
        lost=lost,
        open_house=config.house.open_logins,
        open_logins=open_logins(request, hub, config) if name in PAGES else [],
    )
    headers = {"Cache-Control": "no-store"}
    video = _video_origin(name, data.table, request, hub)
    if video:  # from there alone, and only for the pages that show it
        policy = SECURITY_HEADERS["Content-Security-Policy"]
        headers["Content-Security-Policy"] = f"{policy}; connect-src 'self' {video}; media-src 'self' {video}"
    return Response(shell(data), media_type=MediaType.HTML, headers=headers, status_code=status)


def _video_origin(name: str, first: str, request: AnyRequest, hub: Hub) -> str:
    """The origin of the live picture that a page of this table shows."""
    if name not in ("terminal", "display"):
        return ""
    feed = hub.feeds.get(request.query_params.get("table", first))
    parts = urlsplit(feed.plan.video) if feed is not None else None
    return f"{parts.scheme}://{parts.netloc}" if parts is not None and parts.netloc else ""


def _first_table(name: str, hub: Hub) -> str:
    """The table of a page that asks for none; a terminal's is one that has terminals."""
    return next(
        (table for table, feed in hub.floor.items() if name != "terminal" or feed.plan.kind == "cluster"), ""
    )


def not_found(request: AnyRequest, error: NotFoundException) -> Response[Any]:
    """Nothing is at this address: a page for people, a problem for programs."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", "/static/")):
        return problem_response(request, error)
    state = request.app.state
    try:
        found = _shell(LOST, request, state.hub, state.gate, state.config, lost="page", status=404)
    except NotBuilt:
        return problem_response(request, error)
    found.headers.update(SECURITY_HEADERS)
    return found


@get("/manifest.webmanifest", include_in_schema=False)
async def web_manifest_file(hub: TheHub) -> Response[bytes]:
    """What a phone needs to install the pages: the house's name and its icons."""
    try:
        content = msgspec.json.encode(web_manifest(hub.house.plan.name))
    except NotBuilt as error:
        return Response(str(error).encode(), status_code=503, media_type=MediaType.TEXT)
    return Response(content, media_type="application/manifest+json")


@get("/static/{name:path}", include_in_schema=False)
async def static_file(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """A built file, packed as a browser takes it; named by its content, so browsers keep it forever."""
    files_, name = built_files(), name.strip("/")
    content = files_.get(name)
    if content is None:
        raise NotFoundException
    kind = guess_type(name)[0] or "application/octet-stream"
    if name.endswith(".js"):
        kind = "text/javascript"  # whatever the machine takes it for
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    takes = accepted(request.headers.get("accept-encoding", ""))
    for encoding, ending in ENCODINGS:
        if encoding in takes and name + ending in files_:
            content, headers["Content-Encoding"] = files_[name + ending], encoding
            break
    return Response(content, media_type=kind, headers=headers)


@cache
def built_files() -> dict[str, bytes]:
    """All built files by name, read once: nothing but these can ever be asked for."""
    found: dict[str, bytes] = {}

    def read(folder: Any, prefix: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                read(entry, f"{prefix}{entry.name}/")
            else:
                found[prefix + entry.name] = entry.read_bytes()

    if _STATIC.is_dir():
        read(_STATIC, "")
    return found


HANDLERS: list[Any] = [index_page, page, web_manifest_file, static_file]
