"""Around every HTTP request: how long it took, a line in the log for whatever writes, and TLS for good."""

import logging
from collections.abc import Iterable
from time import perf_counter
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from taisai.server.ops.metrics import METRICS

log = logging.getLogger("taisai.http")

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_NOT_KEPT: Final = (b"cache-control", b"no-store")
_TLS_FOR_A_YEAR: Final = (b"strict-transport-security", b"max-age=31536000")


def _is_private(scope: Scope, method: str, status: int) -> bool:
    """Whatever is not a page or figures for everyone: no browser and no proxy keeps it."""
    return "person" in scope.get("state", {}) or method not in _READS or status >= 400


def _says_how_long(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"cache-control" for name, _ in headers)


def watched(app: ASGIApp) -> ASGIApp:
    """Measure until the answer begins: an event stream has no end."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        start, method, path = perf_counter(), str(scope["method"]), scope["path"]

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds, status = perf_counter() - start, message["status"]
                METRICS.requests.labels(method, str(status)).observe(seconds)
                level = logging.DEBUG if method in _READS else logging.INFO
                facts = {"method": method, "path": path, "status": status, "seconds": round(seconds, 4)}
                log.log(level, "request", extra=facts)
                if scope["scheme"] == "https":
                    message["headers"] = [*message["headers"], _TLS_FOR_A_YEAR]
                if _is_private(scope, method, status) and not _says_how_long(message["headers"]):
                    message["headers"] = [*message["headers"], _NOT_KEPT]
            await send(message)

        await app(scope, receive, answer)

    return run
