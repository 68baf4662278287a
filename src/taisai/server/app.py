"""The application: every address of the server, behind one guard, with one shape of errors."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute, WebSocketRoute
from litestar.types.internal_types import PathParameterDefinition

from taisai import __version__
from taisai.errors import TaisaiError
from taisai.floor.ports import Floor
from taisai.server.access.logins import Doors
from taisai.server.access.table import ACCESS
from taisai.server.http import account as routes_account
from taisai.server.http import acts as routes_acts
from taisai.server.http import admin as routes_admin
from taisai.server.http import audit as routes_audit
from taisai.server.http import audit_search as routes_audit_search
from taisai.server.http import cage as routes_cage
from taisai.server.http import dice as routes_dice
from taisai.server.http import ops as routes_ops
from taisai.server.http import owed as routes_owed
from taisai.server.http import pages as routes_pages
from taisai.server.http import pay as routes_pay
from taisai.server.http import pit as routes_pit
from taisai.server.http import players as routes_players
from taisai.server.http import proofs as routes_proofs
from taisai.server.http import staff as routes_staff
from taisai.server.http import table_settings as routes_table_settings
from taisai.server.http import tables as routes_tables
from taisai.server.http import terminals as routes_terminals
from taisai.server.http import ticket_receipts as routes_ticket_receipts
from taisai.server.http import tickets as routes_tickets
from taisai.server.http.descriptions import openapi_bytes
from taisai.server.http.guard import Gate, guard, the_key, the_person
from taisai.server.http.problems import SECURITY_HEADERS, ProblemView, problem_response
from taisai.server.live.hub import Hub
from taisai.server.live.lease_watch import hush_when_stale
from taisai.server.ops.request_log import watched
from taisai.server.parts import Parts
from taisai.server.words.house_words import load_words

log = logging.getLogger("taisai.app")

OnReady = Callable[[Hub], Awaitable[None]]

_SWEEP_SECONDS: Final = 30.0
_SHARED: Final = ("config", "parts", "hub", "doors", "gate")
BODY_BYTES_MAX: Final = 256 * 1024


OpenParts = Callable[[], AbstractAsyncContextManager[Parts]]


async def _open_house(
    app: Litestar, stack: AsyncExitStack, open_parts: OpenParts, first: Sequence[OnReady]
) -> Hub:
    """Everything that has to be there before the first request is answered."""
    parts = await stack.enter_async_context(open_parts())
    hub = Hub(
        parts.house,
        takes_cash=parts.config.takes_cash,
        words=load_words(parts.config.house.words),
        redeem_tries_per_minute=parts.config.server.redeem_tries_per_minute,
        practice_rules=parts.config.practice,
        gateway=parts.gateway,
        epoch=parts.epoch,
    )
    stack.push_async_callback(hub.stop)
    doors = Doors(parts.house, parts.passwords, parts.sealer)
    app.state.parts, app.state.hub, app.state.doors = parts, hub, doors
    app.state.gate, app.state.config = Gate(parts.config, hub, doors), parts.config
    await hub.start()
    await parts.house.resume()
    for ready in first:
        await ready(hub)
    parts.house.begin_dealing()
    hub.spawn(sweep(doors, parts.house))
    if parts.house.ownership.runs_out:
        hub.spawn(hush_when_stale(hub))
    return hub


class OneDocument(JsonRenderPlugin):
    """The framework's own address of the document, which nobody may use, has no other one than ours."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return openapi_bytes(request.app)


def create_app(
    open_parts: OpenParts, *, first: Sequence[OnReady] = (), on_ready: Sequence[OnReady] = ()
) -> Litestar:
    """The application of a house; the house is opened when the server starts and closed when it ends.

    What is to be done `first` is done before any request is answered, and what is `on_ready` beside them.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                hub = await _open_house(app, stack, open_parts, first)
            except (TaisaiError, OSError) as fault:
                app.state.start_fault = fault  # for whoever started the server to say
                raise
            for ready in on_ready:
                hub.spawn(ready(hub))
            yield

    app = Litestar(
        route_handlers=handlers(),
        lifespan=[lifespan],
        dependencies={
            **{name: Provide(_from_state(name), sync_to_thread=False) for name in _SHARED},
            "person": Provide(the_person, sync_to_thread=False),
            "key": Provide(the_key, sync_to_thread=False),
        },
        guards=[guard],
        middleware=[watched],
        exception_handlers={NotFoundException: routes_pages.not_found, Exception: problem_response},
        after_request=_secure,
        request_max_body_size=BODY_BYTES_MAX,
        openapi_config=OpenAPIConfig(
            title="taisai",
            version=__version__,
            description="A house that plays Sic Bo / Tai Sai by the rulebook.",
            use_handler_docstrings=True,
            operation_id_creator=_operation_id,
            path="/api/schema",
            render_plugins=[OneDocument(path="/openapi.json")],
        ),
        logging_config=None,
        debug=False,
    )
    _provide_in_turn(app)
    return app


def _provide_in_turn(app: Litestar) -> None:
    """What handlers are given is looked up and never waited for: no task for each of it, as is usual."""
    for route in app.routes:
        models: list[Any] = []
        if isinstance(route, HTTPRoute):
            models = [model for _, model in route.route_handler_map.values()]
        elif isinstance(route, WebSocketRoute):
            models = [route.handler_parameter_model]
        for model in models:
            batches = model.dependency_batches
            model.dependency_batches = [
                {each} for batch in batches for each in sorted(batch, key=lambda each: each.key)
            ]


def handlers() -> list[Any]:
    """Every handler of every address, with the problems that it may answer."""
    found = [
        *routes_tables.HANDLERS,
        *routes_terminals.HANDLERS,
        *routes_acts.HANDLERS,
        *routes_admin.HANDLERS,
        *routes_cage.HANDLERS,
        *routes_tickets.HANDLERS,
        *routes_ticket_receipts.HANDLERS,
        *routes_owed.HANDLERS,
        *routes_pay.HANDLERS,
        *routes_pit.HANDLERS,
        *routes_table_settings.HANDLERS,
        *routes_dice.HANDLERS,
        *routes_players.HANDLERS,
        *routes_audit.HANDLERS,
        *routes_audit_search.HANDLERS,
        *routes_account.HANDLERS,
        *routes_staff.HANDLERS,
        *routes_ops.HANDLERS,
        *routes_proofs.HANDLERS,
        *routes_pages.HANDLERS,
    ]
    for handler in found:
        if isinstance(handler, HTTPRouteHandler):
            handler.responses = {**_problems(handler), **(handler.responses or {})}
    return found


def _problems(handler: HTTPRouteHandler) -> dict[int, ResponseSpec]:
    """What an address may answer beside success: anyone may be wrong, and staff may be turned away."""
    statuses = [400, 404, 405, 409, 413, 422, 429, 500, 503]
    if ACCESS.get(handler.handler_name, frozenset()) is not None:
        statuses += [401, 403]
    elif "POST" in handler.http_methods:
        statuses += [401, 403]  # a login may fail, and a page of another site may ask for it
    return {
        status: ResponseSpec(
            ProblemView,
            generate_examples=False,
            description=HTTPStatus(status).phrase,
            media_type="application/problem+json",
        )
        for status in sorted(statuses)
    }


def _operation_id(handler: HTTPRouteHandler, method: str, path: list[str | PathParameterDefinition]) -> str:
    """Operations have the names of their handlers, which are those of the table of access."""
    return handler.handler_name


def _from_state(name: str) -> Callable[[State], Any]:
    def provide(state: State) -> Any:
        return state[name]

    return provide


def _secure(response: Response[Any]) -> Response[Any]:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def sweep(doors: Doors, house: Floor) -> None:
    """End idle sessions and requests that nobody decided, for as long as the server runs."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        try:
            if house.decides:
                await doors.sweep()
                await house.expire_requests()
        except TaisaiError as error:
            log.warning(
                "idle sessions were not logged out, or old requests not closed: %s; trying again", error
            )
