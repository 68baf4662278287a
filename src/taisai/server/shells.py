"""The HTML shells of the pages, filled with the names of the built scripts and the page's own data.

A shell has no inline script or style, so a strict Content-Security-Policy holds for it; its data stands in
a `<script type="application/json">`, which browsers do not run.
"""

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec

from taisai.errors import InputError, UnknownName
from taisai.server.open_door import OpenLogin

_TITLES: Final = {
    "terminal": "Player Terminal",
    "display": "Display",
    "console": "Game Console",
    "pit": "Pit",
    "cashier": "Cashier",
    "audit": "Audit",
    "admin": "Administration",
}
PAGES: Final = tuple(_TITLES)
INDEX: Final = "index"  # the front door, at /
LOST: Final = "lost"  # where there is no such page or table
STATIC: Final = "/static/"

_SERVER = files("taisai.server")


class PageData(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is given with its HTML. `catalogue` holds the house's own words by language and key.

    `phone` is where another machine finds the front page, with its code in `phone_qr`; `lost` says why an
    address leads nowhere. In an `open_house` anyone may be anyone: `open_logins` are whom this visitor may
    be.
    """

    page: str
    house: str
    play_money: bool
    table: str = ""
    person: str = ""
    role: str = ""
    csrf: str = ""
    language: str = ""
    help_line: dict[str, str] = {}
    build: str = ""
    catalogue: dict[str, dict[str, str]] = {}
    practice: bool = False
    house_names: dict[str, str] = {}
    phone: str = ""
    phone_qr: str = ""
    open_house: bool = False
    open_logins: list[OpenLogin] = []
    lost: Literal["", "page", "table", "not-a-terminal"] = ""


class NotBuilt(InputError):
    """The pages' scripts are missing: the package was installed without its front end."""


@cache
def manifest() -> dict[str, Any]:
    """Which files each page loads, as the build left them."""
    entry = _SERVER / "static" / "manifest.json"
    if not entry.is_file():
        raise NotBuilt("the pages are not built: install again without TAISAI_SKIP_FRONTEND")
    return dict(json.loads(entry.read_text(encoding="utf-8")))


def build_id() -> str:
    """Which build the pages are of; a page that was loaded from another one is out of date."""
    try:
        return str(manifest()["inputs"])[:16]
    except NotBuilt:
        return ""


def shell(data: PageData) -> str:
    """The HTML of a page."""
    if data.page not in (*PAGES, INDEX, LOST):
        raise UnknownName("page", data.page, PAGES)
    built = manifest()["pages"][data.page]
    filled = {
        "page": data.page,
        "title": escape(" · ".join(filter(None, (_TITLES.get(data.page), data.house)))),
        "lang": escape(data.language or "en"),
        "icon": STATIC + manifest()["icon"],
        "touch_icon": STATIC + manifest()["icons"]["180"],
        "script": STATIC + built["script"],
        "style": STATIC + built["style"],
        "preload": "\n".join(
            [*map(_preload, built["preload"]), *map(_module_preload, built["chunks"])],
        ),
        "data": msgspec.json.encode(data).decode().replace("<", "\\u003c"),
    }
    html = _template()
    for name, value in filled.items():
        html = html.replace("{{" + name + "}}", value)
    return html


@cache
def _template() -> str:
    return (_SERVER / "page.html").read_text(encoding="utf-8")


def web_manifest(house: str) -> dict[str, Any]:
    """What a phone needs to install the pages as an application."""
    return {
        "name": house,
        "short_name": house[:12],
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#120906",
        "theme_color": "#241109",
        "icons": [
            {
                "src": STATIC + name,
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size, name in manifest()["icons"].items()
            for purpose in ("any", "maskable")
        ],
    }


def _module_preload(script: str) -> str:
    """A line that fetches a part of the page's script beside it, not after it."""
    return f'<link rel="modulepreload" href="{STATIC}{script}">'


def _preload(font: str) -> str:
    """A line that fetches a font early, before the style sheet asks for it."""
    return f'<link rel="preload" href="{STATIC}{font}" as="font" type="font/woff2" crossorigin>'
