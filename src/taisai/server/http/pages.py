"""The pages: HTML shells for the scripts that the front end built, and the index of all addresses."""

from functools import cache
from html import escape
from importlib.resources import files
from mimetypes import guess_type
from typing import Any, Final

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from taisai.server.access.logins import Person
from taisai.server.config import Config
from taisai.server.http.dependencies import AnyRequest, TheConfig, TheGate, TheHub
from taisai.server.http.guard import Gate
from taisai.server.live.hub import Hub
from taisai.server.shells import INDEX, PAGES, NotBuilt, PageData, build_id, shell

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
        for name, feed in hub.feeds.items()
        for kind in _TABLE_PAGES
        if kind != "terminal" or feed.plan.kind == "cluster"
    ]
    found += [(kind.capitalize(), f"/{kind}") for kind in PAGES if kind not in _TABLE_PAGES]
    return [*found, ("The API", "/docs")]


@get([f"/{name}" for name in PAGES], include_in_schema=False, media_type=MediaType.HTML)
async def page(request: AnyRequest, hub: TheHub, gate: TheGate, config: TheConfig) -> Response[str]:
    """A page's shell, with what it needs to begin."""
    try:
        return _shell(request.url.path.strip("/"), request, hub, gate, config)
    except NotBuilt as error:
        return Response(str(error), status_code=503, media_type=MediaType.TEXT)


def _shell(name: str, request: AnyRequest, hub: Hub, gate: Gate, config: Config) -> Response[str]:
    person = gate.person(request)
    known = person if isinstance(person, Person) else None
    plan = hub.house.plan
    data = PageData(
        page=name,
        house=plan.name,
        play_money=plan.play_money,
        table=next(iter(hub.feeds), ""),
        person=known.actor.name if known else "",
        role=str(known.actor.role) if known else "",
        csrf=known.csrf if known else "",
        help_line=config.house.help_line,
        build=build_id(),
        catalogue={language: dict(words) for language, words in hub.words.pages.items()},
    )
    return Response(shell(data), media_type=MediaType.HTML, headers={"Cache-Control": "no-store"})


@get("/static/{name:path}", include_in_schema=False)
async def static_file(name: FromPath[str]) -> Response[bytes]:
    """A built file; its name says its content, so browsers keep it for ever."""
    content = built_files().get(name.strip("/"))
    if content is None:
        raise NotFoundException
    kind = guess_type(name)[0] or "application/octet-stream"
    if kind == "text/javascript" or name.endswith(".js"):
        kind = "text/javascript; charset=utf-8"
    return Response(content, media_type=kind, headers={"Cache-Control": _FOR_EVER})


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


HANDLERS: list[Any] = [index_page, page, static_file]
