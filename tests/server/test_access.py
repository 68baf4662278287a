"""Who may use which address: every route for every role, and for nobody at all."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from litestar import Litestar
from websockets.exceptions import InvalidStatus

from taisai.cli.serving import EVERYONE
from taisai.game.people import Role
from taisai.server.access.table import ACCESS, DUES_ALLOWED
from tests.server.houses import Serving, the_app

# Handlers of the framework's own, which nobody may use.
FRAMEWORK = {"_handler", "handle_schema_path_not_found", "options_handler"}


def routes(app: Litestar) -> Iterator[tuple[str, str, str]]:
    """Handler, method and address of every HTTP route, with values in place of parameters."""
    values = {"table": "T1", "number": "1", "rulebook_id": "tai-sai-v6", "page": "2.html", "terminal": "x"}
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if handler.handler_name in FRAMEWORK:
                continue
            path = route.path_format
            for name in route.path_parameters:
                path = path.replace("{" + name + "}", values.get(name, "none"))
            for method in handler.http_methods:
                if str(method) != "OPTIONS":
                    yield handler.handler_name, str(method), path


def names(app: Litestar) -> set[str]:
    found = set()
    for route in app.routes:
        handlers = getattr(route, "route_handlers", None) or [getattr(route, "route_handler", None)]
        found |= {handler.handler_name for handler in handlers if handler is not None}
    return found


def test_every_address_stands_in_the_table_of_access() -> None:
    """What is not in the table nobody may use, and the table names nothing that is not there."""
    assert names(the_app()[0]) - FRAMEWORK == set(ACCESS)


def test_nothing_that_writes_is_open_to_anyone() -> None:
    """Only logins, and terminals that bring a code or play for nothing, post without a login."""
    open_writes = {
        name for name, method, _ in routes(the_app()[0]) if method != "GET" and ACCESS[name] is None
    }
    assert open_writes == {"login", "open_login", "enrol_terminal", "demo_terminal"}


def test_the_administrator_of_the_system_has_no_hand_in_the_game() -> None:
    """Staff lists and settings of logins, no bets, no money, no rounds."""
    own = {name for name, roles in ACCESS.items() if roles and Role.ADMINISTRATOR in roles}
    everyone = {name for name, roles in ACCESS.items() if roles and len(roles) == len(EVERYONE)}
    assert own - everyone == {
        "list_staff",
        "add_staff",
        "change_staff",
        "reset_password",
        "get_policy",
        "set_policy",
        "erase_name",
        "list_incidents",  # faults of the system are its administrator's to know
        "get_installation",  # settings, keys by their ids, backups, the witness: read, not changed
        "get_health",
    }


def test_auditors_only_read() -> None:
    """Whoever checks the record does not write it, but as a second; a ticket's number is asked in a body."""
    writes = {
        name
        for name, method, _ in routes(the_app()[0])
        if method != "GET" and Role.AUDITOR in (ACCESS[name] or ())
    }
    assert writes == {
        "logout",
        "change_password",
        "set_totp",
        "audit_verify",
        "decide_approval",
        "get_ticket",
    }


async def asked(client: httpx.AsyncClient, method: str, path: str) -> tuple[int, dict[str, Any]]:
    """A request without what it needs: whoever is let in is told so, and nothing is done."""
    if path.endswith("/events"):
        async with client.stream("GET", path) as answer:
            return answer.status_code, {}
    answer = await client.request(method, path, json={} if method == "POST" else None)
    kind = answer.headers.get("content-type", "")
    return answer.status_code, answer.json() if "problem" in kind else {}


async def test_without_a_login_only_what_is_open_can_be_used(house: Serving) -> None:
    """Everything else answers 401."""
    visitor = await house.visitor()
    for name, method, path in routes(house.app):
        status, problem = await asked(visitor.http, method, path)
        if ACCESS[name] is None:
            assert status not in (401, 403), (name, path, problem)
        else:
            assert (status, problem["code"]) == (401, "session_ended"), (name, path)


@pytest.mark.parametrize("name", sorted(EVERYONE))
async def test_each_role_may_use_what_the_table_says_and_nothing_else(house: Serving, name: str) -> None:
    """Every route: 403 where the table does not name the role, and another answer where it does."""
    person = await house.person(name)
    for handler, method, path in routes(house.app):
        if handler in ("logout", "audit_verify", "get_par", "login"):
            continue  # tried elsewhere: they end the session, or take their time
        roles = ACCESS[handler]
        status, problem = await asked(person.http, method, path)
        turned_away = status == 403 and problem.get("facts") == {"role": str(EVERYONE[name])}
        assert status != 401, (handler, path, problem)
        assert turned_away == (roles is not None and EVERYONE[name] not in roles), (handler, status, problem)


async def test_with_a_one_time_password_only_its_change_is_open(house: Serving) -> None:
    """Every other route of the staff waits for that."""
    admin = await house.person("admin")
    told = await admin.post("/staff", {"name": "newbie", "role": "casino-manager"})
    await (await house.person("auditor")).approve(told["approval"])
    house.logins["newbie"] = told["password"]
    newbie = await house.person("newbie")
    for handler, method, path in routes(house.app):
        roles = ACCESS[handler]
        if handler == "logout" or roles is None or Role.CASINO_MANAGER not in roles:
            continue
        status, problem = await asked(newbie.http, method, path)
        assert (problem.get("code") == "password_due") == (handler not in DUES_ALLOWED), (handler, status)


@pytest.mark.parametrize("name", sorted(EVERYONE))
async def test_each_role_opens_a_console_where_the_table_says_so(house: Serving, name: str) -> None:
    """The WebSocket has its row too; who is not in it is turned away before the connection is made."""
    console = (await house.person(name)).console("T1")
    allowed = EVERYONE[name] in (ACCESS["console_socket"] or ())
    if not allowed:
        with pytest.raises(InvalidStatus, match="403"):
            await console.open()
        return
    await console.open()
    await console.close()
