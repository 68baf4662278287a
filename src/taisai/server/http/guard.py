"""The guard: reads the table of access before any handler runs."""

import hmac
from typing import Annotated, Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.params import HeaderParameter

from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.server.access.hosts import allowed_hosts, is_allowed
from taisai.server.access.logins import Doors, Person
from taisai.server.access.table import ACCESS, DUES_ALLOWED
from taisai.server.config import Config
from taisai.server.http.problems import refusal_problem, server_problem
from taisai.server.live.hub import Hub
from taisai.server.ops.connections import place_of
from taisai.server.ops.rates import Rate
from taisai.server.protocols import vouch

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# What is asked by those who watch over the process, whatever state its desks are in.
_ASKED_ANYTIME: Final = frozenset({"livez", "readyz", "metrics"})
COOKIE: Final = "taisai"
_FOR_OPERATIONS: Final = frozenset({"readyz", "metrics"})
SECURE_COOKIE: Final = "__Host-taisai"
# Pages send it with the first request after a key was pressed or a place touched.
ACTED_HEADER: Final = "x-person-acted"
KEY_LEN_MAX: Final = 64
_HOST_SHOWN_MAX: Final = 64

Connection = ASGIConnection[Any, Any, Any, Any]


class Gate:
    """What the guard needs: the doors, the settings, and how often somebody tried."""

    def __init__(self, config: Config, hub: Hub, doors: Doors) -> None:
        self.config, self.hub, self.doors = config, hub, doors
        self.cookie = SECURE_COOKIE if config.secure_cookies else COOKIE
        keeping = hub.house.keeping
        self.logins = Rate("logins", config.server.login_tries_per_minute, keeping)
        self.visitors = Rate("visitors", config.server.visitors_per_minute, keeping)
        self.hosts = allowed_hosts(config.server.allowed_hosts, config.server.host)
        self.redemptions = hub.redemptions

    def person(self, connection: Connection) -> Person | Refusal:
        """Who asks, by their cookie. A page's own looking keeps nobody logged in, what a person does does."""
        token = connection.cookies.get(self.cookie)
        if not token:
            return by_house(RefusalCode.SESSION_ENDED, why="no-login")
        writes = connection.scope.get("method", "GET") not in _SAFE
        acted = writes or connection.headers.get(ACTED_HEADER) == "1"
        return self.doors.admit(token, self.hub.house.now(), acted=acted)

    def _at_its_address(self, connection: Connection, handler: BaseRouteHandler) -> None:
        """Where operations have an address of their own, they are there and nowhere else, and alone."""
        port, here = self.config.server.ops_port, connection.scope.get("server")
        if port is None or here is None or handler.handler_name == "livez":
            return
        if (here[1] == port) != (handler.handler_name in _FOR_OPERATIONS):
            raise server_problem(404, "not_found", message="nothing is at this address")

    def check(self, connection: Connection, handler: BaseRouteHandler) -> None:
        """Let nobody do what the table of access does not say they may."""
        self._at_its_address(connection, handler)
        host = connection.headers.get("host", "")
        if not is_allowed(host, self.hosts):
            raise server_problem(400, "host_unknown", host=host[:_HOST_SHOWN_MAX])
        unsafe = connection.scope.get("method", "GET") not in _SAFE
        two_way = unsafe or connection.scope["type"] == ScopeType.WEBSOCKET
        if two_way and not self.doors.origin_is_ours(connection.headers):
            raise server_problem(403, "csrf")
        roles = ACCESS.get(handler.handler_name, frozenset())
        if roles is None:
            return
        person = self.person(connection)
        if isinstance(person, Refusal):
            raise refusal_problem(person, self.hub.voice)
        if person.actor.role not in roles:
            refusal = by_house(RefusalCode.ROLE_NOT_ALLOWED, role=str(person.actor.role))
            raise refusal_problem(refusal, self.hub.voice)
        if person.dues and handler.handler_name not in DUES_ALLOWED:
            raise refusal_problem(by_house(RefusalCode.PASSWORD_DUE, dues=person.dues), self.hub.voice)
        shown = connection.headers.get("x-csrf-token", "")
        if unsafe and not shown.isascii():
            raise server_problem(400, "input_invalid", message="a CSRF token has plain characters only")
        if unsafe and not hmac.compare_digest(shown, person.csrf):
            raise server_problem(403, "csrf")
        vouch(connection.scope)
        connection.scope["state"]["person"] = person


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Litestar's way to the gate. Whoever comes while a desk is being rebuilt waits for it."""
    gate: Gate = connection.app.state.gate
    if handler.handler_name not in _ASKED_ANYTIME:
        await gate.hub.house.awake()
    gate.check(connection, handler)


def the_person(request: Request[Any, Any, Any]) -> Person:
    """Whoever the guard let in."""
    person: Person = request.scope["state"]["person"]
    return person


def client_place(connection: Connection) -> str:
    """Where a request comes from, for limits on tries and for the record."""
    return place_of(connection.client.host) if connection.client else "unknown"


async def limited(rate: Rate, place: str) -> None:
    """Refuse one try too many."""
    wait = await rate.wait(place)
    if wait > 0:
        raise server_problem(429, "too_many", seconds=int(wait) + 1)


def the_key(
    idempotency_key: Annotated[
        str | None,
        HeaderParameter(
            name="Idempotency-Key",
            description="Names this request, so that it is done once however often it is sent.",
        ),
    ] = None,
) -> str:
    """The name under which a request that moves money is done once."""
    if not idempotency_key:
        raise server_problem(400, "key_missing")
    if (
        not (idempotency_key.isascii() and idempotency_key.isprintable())
        or len(idempotency_key) > KEY_LEN_MAX
    ):
        what = f"an Idempotency-Key has up to {KEY_LEN_MAX} plain characters"
        raise server_problem(400, "input_invalid", message=what)
    return idempotency_key
