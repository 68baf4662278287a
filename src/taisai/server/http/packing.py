"""Answers that travel packed: built files as the build packed them, public JSON on its way.

What only one person may read is never packed: its length would tell of its content. Sockets and event
streams are not packed either, since that nearly doubles what a message to everyone costs.
"""

from gzip import compress
from typing import Any, Final

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

# Best first; the endings are those of the build.
ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
_LEAST: Final = 1_000  # bytes; less than this grows as often as it shrinks
_LEVEL: Final = 5


def accepted(header: str) -> frozenset[str]:
    """The encodings that a client takes; one with the weight 0 it does not take."""
    found = set()
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if weight.strip().replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(name.strip())
    return frozenset(found)


def packed(app: ASGIApp) -> ASGIApp:
    """Around an address that answers everybody alike: its answer is packed for whoever takes that."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        takes = scope["type"] == ScopeType.HTTP and "gzip" in accepted(
            Headers.from_scope(scope).get("accept-encoding", "")
        )
        held: dict[str, Any] = {}

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders(message)
                headers.add("vary", "Accept-Encoding")
                if takes:
                    held["start"] = message
                    return
            elif message["type"] == "http.response.body" and "start" in held:
                start = held.pop("start")
                if not message["more_body"] and len(message["body"]) >= _LEAST:
                    message["body"] = compress(message["body"], _LEVEL, mtime=0)
                    headers = MutableScopeHeaders(start)
                    headers["content-encoding"] = "gzip"
                    headers["content-length"] = str(len(message["body"]))
                await send(start)
            await send(message)

        await app(scope, receive, answer)

    return run
