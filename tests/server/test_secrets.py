"""A whole evening's log at its most talkative holds no password, key, cookie, token or ticket number."""

import asyncio
import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from taisai.adapters.people.totp import code_at, step_at
from taisai.client import Refused, Staff, fresh_id
from taisai.floor import ticket_office
from taisai.server.ops.logs import JsonLines, set_up_logs
from tests.server.houses import CLUSTER, LIVE, Serving, dealt, serving, settings


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Everything that is logged, as it would stand in the file."""
    root, text = logging.getLogger(), StringIO()
    before, level = list(root.handlers), root.level
    set_up_logs("debug")
    handler = logging.StreamHandler(text)
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    yield text
    root.handlers[:] = before
    root.setLevel(level)


async def test_an_evenings_log_holds_nothing_that_must_not_be_known(
    tmp_path: Path, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logins right and wrong, second factors, enrolments, tickets from sale to void, and an error of ours."""
    secrets: dict[str, str] = {}
    async with serving(settings(tmp_path, CLUSTER, LIVE)) as house:
        secrets |= {f"password of {name}": password for name, password in house.logins.items()}
        await at_the_doors(house, secrets)
        await at_the_cage(house, secrets)
        monkeypatch.setattr(ticket_office, "parse_number", broken)
        cashier = await house.person("cashier")
        answer = await cashier.http.post("/api/v1/tickets/look-up", json={"number": secrets["sold"]})
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert secrets["sold"] not in answer.text
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert any(line.get("path") == "/api/v1/login" and line["status"] == 401 for line in lines)
    assert any("/redeem" in line.get("path", "") for line in lines)
    assert any("RuntimeError" in line.get("error", "") for line in lines)
    found = {what for what, secret in secrets.items() if secret and secret in log.getvalue()}
    assert not found


def broken(number: str) -> str:
    """An error that nobody foresaw, with what it was about in its words."""
    raise RuntimeError(f"cannot read {number}")


async def at_the_doors(house: Serving, secrets: dict[str, str]) -> None:
    visitor = await house.visitor()
    wrong = {"name": "cashier", "password": "a wrong password of mine"}
    await visitor.http.post("/api/v1/login", json=wrong)
    secrets["wrong password"] = wrong["password"]
    dealer = await house.person("dealer")
    secrets["token of forms"] = dealer.http.headers["X-CSRF-Token"]
    secrets["cookie"] = next(iter(dealer.http.cookies.values()))
    offer = await dealer.get("/me/totp")
    code = code_at(offer["secret"], step_at(house.parts.house.now()))
    await dealer.post("/me/totp", {"password": house.logins["dealer"], "code": code})
    secrets["second factor"] = offer["secret"]
    told = await (await house.person("admin")).post("/staff", {"name": "newbie", "role": "dealer"})
    await (await house.person("auditor")).approve(told["approval"])
    newbie = Staff(house.address)
    await house.stack.enter_async_context(newbie)
    await newbie.log_in("newbie", told["password"])
    changed = "a long and winding road"
    await newbie.post("/me/password", {"old": told["password"], "new": changed})
    secrets |= {"one-time password": told["password"], "new password": changed}
    supervisor = await house.person("supervisor")
    offered = await supervisor.post("/terminals", {"table": "C1"})
    key = await visitor.enrol(offered["code"])
    secrets |= {"code": offered["code"], "key": key.key}


async def at_the_cage(house: Serving, secrets: dict[str, str]) -> None:
    cashier, console = await house.person("cashier"), await house.console("C1", "supervisor")
    await cashier.post("/drawers", {"float": 0}, key=fresh_id())
    terminal = await house.terminal(credit=10_000)
    secrets["key of a terminal"] = terminal.key.key
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 1_000})
    await dealt(console, [6, 6, 5])
    await terminal.result(number)
    printed = (await terminal.cash_out()).number
    sold = (await cashier.post("/tickets", {"amount": 900}, key=fresh_id()))["number"]
    secrets |= {"printed": printed, "sold": sold}
    await cashier.post("/tickets/look-up", {"number": sold})
    spaced = " ".join(sold[place : place + 3] for place in range(0, 18, 3))
    secrets["as it was typed"] = spaced
    await cashier.post("/tickets/look-up", {"number": spaced})
    with pytest.raises(Refused):
        await cashier.post("/tickets/look-up", {"number": f"{sold[:-1]}{(int(sold[-1]) + 1) % 10}"})
    await asyncio.gather(
        terminal.ticket_in(printed),
        cashier.post("/tickets/redeem", {"number": printed}, key=fresh_id()),
        return_exceptions=True,
    )
    asked = await cashier.post(
        "/tickets/void", {"number": sold, "reason": "torn", "reissue": True}, key="again"
    )
    await (await house.person("pit-manager")).approve(asked["approval"])
    secrets["successor"] = (await cashier.get("/tickets/issued/again"))["number"]


async def test_the_record_holds_no_ticket_number_password_or_key(house: Serving) -> None:
    """Every byte of every event, answer and transfer reference of such an evening."""
    secrets = {f"password of {name}": password for name, password in house.logins.items()}
    await at_the_doors(house, secrets)
    await at_the_cage(house, secrets)
    path = Path(house.config.server.database.removeprefix("sqlite:///"))
    files = [file for file in path.parent.rglob("*") if str(file).startswith(str(path)) and file.is_file()]
    whole = b"".join(file.read_bytes() for file in files)
    assert not {what for what, secret in secrets.items() if secret.encode() in whole}
