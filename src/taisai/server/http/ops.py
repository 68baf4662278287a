"""For those who run the server: is it alive, is it ready, how is it doing."""

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Response, get

from taisai.server.http.api_docs.page import docs_html
from taisai.server.http.dependencies import AnyRequest, TheHub, TheParts
from taisai.server.http.descriptions import asyncapi, asyncapi_bytes, openapi, openapi_bytes
from taisai.server.http.packing import packed
from taisai.server.ops.metrics import METRICS


class Liveness(msgspec.Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: str = "alive"


class ReadyReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether wagers can be taken, and what keeps them from it."""

    ready: bool
    faults: list[str]
    warnings: list[str] = []  # wagers are taken all the same, and somebody should look


@get("/livez", tags=["operations"])
async def livez() -> Liveness:
    """The process answers. It asks nothing of the store."""
    return Liveness()


@get("/readyz", tags=["operations"], responses={})
async def readyz(hub: TheHub, parts: TheParts) -> Response[ReadyReport]:
    """Every desk writes and the store answers; what is odd and keeps nobody from betting is a warning."""
    faults = await hub.faults()
    report = ReadyReport(ready=not faults, faults=faults, warnings=[*hub.warnings(), *parts.warnings()])
    return Response(report, status_code=503 if faults else 200)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(hub: TheHub) -> Response[bytes]:
    """Figures for Prometheus."""
    hub.count()
    return Response(METRICS.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@get("/openapi.json", include_in_schema=False, middleware=[packed])
async def openapi_file(request: AnyRequest) -> Response[bytes]:
    """The HTTP interface as OpenAPI 3.1."""
    return Response(openapi_bytes(request.app), media_type=MediaType.JSON)


@get("/asyncapi.json", include_in_schema=False, middleware=[packed])
async def asyncapi_file() -> Response[bytes]:
    """The messages as AsyncAPI 3."""
    return Response(asyncapi_bytes(), media_type=MediaType.JSON)


@get("/docs", include_in_schema=False, media_type=MediaType.HTML, middleware=[packed])
async def docs_page(request: AnyRequest) -> Response[str]:
    """The interface for people to read and to try, without a network."""
    return Response(_page(request.app), media_type=MediaType.HTML)


@cache
def _page(app: Litestar) -> str:
    """The page is the same for as long as the program runs."""
    return docs_html(openapi(app), asyncapi())


HANDLERS: list[Any] = [livez, readyz, metrics, openapi_file, asyncapi_file, docs_page]
