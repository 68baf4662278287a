"""Every operation of the OpenAPI file, called with what fits it and with what does not: no server error, and
every answer as the file says."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from taisai.cli.serving import EVERYONE
from taisai.server.access.table import ACCESS
from tests.server.houses import CLUSTER, LIVE
from tests.server.processes import ServerProcess
from tests.server.times import TIMES

pytestmark = pytest.mark.slow

schemathesis.checks.load_all_checks()
schema = schemathesis.openapi.from_path("docs/reference/openapi.json")
# These end the caller's own session or take very long, and an event stream has no end.
LEFT_OUT = ("logout", "login", "change_password", "set_totp", "audit_verify", "get_par", "follow_table")
ADMINISTRATION = ("change_staff", "reset_password", "set_policy", "add_staff")


class Fuzzed:
    """A server and somebody for each operation who may use it."""

    def __init__(self, folder: Path) -> None:
        self.process = ServerProcess(folder, [CLUSTER, LIVE])
        self._sessions: dict[str, tuple[dict[str, str], str]] = {}

    def person(self, operation: str) -> tuple[dict[str, str], str]:
        """Cookies and token of the highest person who may use an operation."""
        roles = ACCESS[operation]
        if roles is None:
            return {}, ""
        order = ("casino-manager", "shift-manager", "cashier", "auditor", "admin", "dealer")
        name = next(name for name in order if EVERYONE[name] in roles)
        if name not in self._sessions:
            body = {"name": name, "password": self.process.password(name)}
            answer = httpx.post(f"{self.process.address}/api/v1/login", json=body)
            self._sessions[name] = (dict(answer.cookies), answer.json()["csrf"])
        return self._sessions[name]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    made = Fuzzed(tmp_path_factory.mktemp("fuzz"))
    with asyncio.Runner() as runner:
        runner.run(made.process.start())
        yield made
        runner.run(made.process.close())


wanted = schema.exclude(operation_id=[*LEFT_OUT, *ADMINISTRATION])


@wanted.parametrize()
@settings(max_examples=8 * TIMES, suppress_health_check=list(HealthCheck), deadline=None)
def test_an_operation_answers_as_its_description_says(case: Any, fuzzed: Fuzzed) -> None:
    """The status is one of those described, the body has the described form, and nothing breaks."""
    cookies, csrf = fuzzed.person(case.operation.definition.raw["operationId"])
    headers = {"X-CSRF-Token": csrf} if csrf else {}
    if case.method.upper() == "POST":
        headers["Idempotency-Key"] = uuid4().hex
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.load_all_checks()
        or schemathesis.checks.CHECKS.get_one("status_code_conformance"),
    ]
    answer = case.call(base_url=fuzzed.process.address, headers=headers, cookies=cookies)
    case.validate_response(answer, checks=checks)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == ["application/problem+json"]
        problem = json.loads(answer.content)
        assert problem["status"] == answer.status_code
    else:
        check = schemathesis.checks.CHECKS.get_one("response_schema_conformance")
        case.validate_response(answer, checks=[check])


def test_after_all_that_the_house_is_open_and_its_record_sound(fuzzed: Fuzzed) -> None:
    """Nothing that came over the interface broke a desk or the books."""
    assert httpx.get(f"{fuzzed.process.address}/readyz").json() == {
        "ready": True,
        "faults": [],
        "warnings": [],
    }
    cookies, csrf = fuzzed.person("audit_verify")
    answer = httpx.post(
        f"{fuzzed.process.address}/api/v1/audit/verify",
        cookies=cookies,
        headers={"X-CSRF-Token": csrf},
        timeout=60,
    )
    assert answer.json()["sound"], answer.json()
