"""The house's log as static files, and receipts: for whoever has the salt of a slip, which is nobody else."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any, Final

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from taisai.floor.proofs.proven_rounds import NoReceiptYet
from taisai.server.http.dependencies import TheHub
from taisai.server.http.pages import built_files
from taisai.server.http.problems import server_problem

_TILE: Final = re.compile(
    r"tile/(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[1-9][0-9]{0,2})?"
)
_SALT: Final = re.compile(r"[0-9a-f]{32}")


@get("/log/{path:path}", include_in_schema=False)
async def log_file(hub: TheHub, path: FromPath[str]) -> Response[bytes]:
    """A file of the log: its checkpoint, a tile, the house's verifier key, or all keys that it has had.

    Before a restore the log had another name, and receipts of then are checked by the key under that name.
    """
    proofs, name = hub.house.proofs, path.strip("/")
    if proofs is None:
        raise NotFoundException
    if name in ("key", "keys"):
        keys = await proofs.keys()
        shown = keys if name == "keys" else keys[:1]
        return Response("".join(f"{key}\n" for key in shown).encode(), media_type=MediaType.TEXT)
    if name != "checkpoint" and not _TILE.fullmatch(name):
        raise NotFoundException
    body = await proofs.file(name)
    if body is None:
        raise NotFoundException
    kind = MediaType.TEXT if name == "checkpoint" else "application/octet-stream"
    cached = "no-store" if name == "checkpoint" or ".p/" in name else "public, max-age=31536000, immutable"
    return Response(body, media_type=kind, headers={"Cache-Control": cached})


@get("/receipts/{table:str}/{number:int}/{place:int}/{salt:str}", include_in_schema=False)
async def receipt_file(
    hub: TheHub, table: FromPath[str], number: FromPath[int], place: FromPath[int], salt: FromPath[str]
) -> Response[bytes]:
    """A receipt. The salt of the slip is the key to it: only its player was told."""
    made = hub.house.proofs
    if made is None or not _SALT.fullmatch(salt):
        raise NotFoundException
    try:
        body = await made.receipt(table, number, place, salt)
    except NoReceiptYet as error:
        raise server_problem(404, "not_found", message=str(error)) from None
    shown = f'attachment; filename="receipt-{table}-{number}-{place + 1}.json"'
    return Response(body, media_type="application/json", headers={"Content-Disposition": shown})


@get("/verify", include_in_schema=False, media_type=MediaType.HTML)
async def verify_page(hub: TheHub) -> Response[str]:
    """The page that checks receipts: one file that asks nobody for anything, with the house's key in it."""
    page = built_files().get("verify.html")
    if page is None:
        return Response("The pages are not built.", status_code=503, media_type=MediaType.TEXT)
    key = (await hub.house.proofs.keys())[0] if hub.house.proofs else ""
    text = page.decode().replace("<!--HOUSE KEY-->", escape(key))
    text = text.replace("<!--HOUSE WORDS-->", _house_words(hub))
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; font-src data:"
    policy += "; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    return Response(text, media_type=MediaType.HTML, headers={"Content-Security-Policy": policy})


def _house_words(hub: TheHub) -> str:
    """How this house writes boxes and money, for a page that is also used without it."""
    plan = hub.house.plan
    currency = {"code": plan.currency, "exponent": plan.currency_exponent}
    boxes = {language: words["boxes"] for language, words in hub.words.table.items()}
    return escape(json.dumps({"currency": currency, "boxes": boxes}, ensure_ascii=False), quote=False)


HANDLERS: list[Any] = [log_file, receipt_file, verify_page]
