"""Every address that writes: those that move money are done once under their key, in every repetition."""

import asyncio
from typing import Any

import pytest
from litestar.handlers import HTTPRouteHandler

from taisai.client import Refused, fresh_id
from tests.server.houses import Serving, dealt, the_app
from tests.server.test_access import routes

# What writes and moves neither money nor anything that money depends on; each says why it needs no key.
WITHOUT_KEY = {
    "login": "a session of one's own",
    "open_login": "a session of one's own",
    "logout": "ending it twice is ending it",
    "change_password": "the old password is asked for",
    "set_totp": "a code works once",
    "get_ticket": "only reads; the number is in the body",
    "get_ticket_receipts": "only reads; the number is in the body",
    "add_staff": "a name is added once",
    "change_staff": "sets what is asked",
    "reset_password": "a new one each time is what is asked",
    "set_policy": "sets what is asked",
    "new_terminal": "a code that nobody uses expires",
    "enrol_terminal": "a code works once",
    "demo_terminal": "nothing is at stake",
    "register_player": "a pseudonym more is nobody",
    "end_exclusion": "ends once",
    "erase_name": "erases once",
    "audit_verify": "only reads",
}


def writers() -> dict[str, HTTPRouteHandler]:
    app = the_app()[0]
    wanted = {name for name, method, _ in routes(app) if method != "GET"}
    return {
        handler.handler_name: handler
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.handler_name in wanted
    }


def test_every_address_that_writes_asks_for_a_key_or_says_why_not() -> None:
    """A new one that does neither fails here."""
    keyed = {name for name, handler in writers().items() if "key" in handler.parsed_fn_signature.parameters}
    assert not keyed & WITHOUT_KEY.keys()
    assert keyed | WITHOUT_KEY.keys() == set(writers())


def test_the_description_names_the_key_where_it_is_needed() -> None:
    """The OpenAPI file has the header on exactly those operations."""
    schema = the_app()[0].openapi_schema.to_schema()
    described = {
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "Idempotency-Key"
    }
    keyed = {name for name, handler in writers().items() if "key" in handler.parsed_fn_signature.parameters}
    assert described == keyed


async def balance(house: Serving, account: str) -> int:
    total = 0
    async for transfer in house.parts.house.store.transfers(account):
        total += transfer.amount_minor if transfer.credit == account else -transfer.amount_minor
    return total


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_buy_in_under_one_key_is_one_buy_in(house: Serving, at_once: bool) -> None:
    """One after the other, or ten at the same moment."""
    dealer = await house.person("dealer")
    body = {"act": "BuyIn", "fields": {"player": "ann", "amount": 5_000}}
    key = fresh_id()
    asked = [dealer.post("/tables/T1/acts", body, key=key) for _ in range(10)]
    answers = await asyncio.gather(*asked) if at_once else [await each for each in asked]
    assert {answer["amount"] for answer in answers} == {5_000}
    assert await balance(house, f"credit:{await house.on_record('ann')}") == 5_000


async def test_a_hand_pay_and_a_void_under_one_key_are_done_once(house: Serving) -> None:
    """The answer that was lost is asked for again."""
    dealer, cashier = await house.person("dealer"), await house.person("cashier")
    supervisor = await house.person("supervisor")
    terminal = await house.terminal(credit=4_200)
    where = f"/tables/C1/terminals/{terminal.key.terminal}/hand-pay"
    key = fresh_id()
    asked = [await dealer.post(where, {"reason": "no paper"}, key=key) for _ in range(3)]
    assert asked[0] == asked[1] == asked[2]
    agreed = fresh_id()
    where, body = f"/approvals/{asked[0]['approval']}", {"decision": "approve"}
    assert [(await supervisor.post(where, body, key=agreed))["happened"] for _ in range(3)] == [
        ["CreditsPaidOut"]
    ] * 3
    assert await balance(house, f"credit:{terminal.key.terminal}.1") == 0
    await cashier.post("/drawers", {"float": 10_000}, key=fresh_id())
    number = (await cashier.post("/tickets", {"amount": 900}, key=fresh_id()))["number"]
    key, agreed = fresh_id(), fresh_id()
    asked = [
        await cashier.post("/tickets/void", {"number": number, "reason": "torn"}, key=key) for _ in range(2)
    ]
    assert asked[0] == asked[1]
    for _ in range(3):
        body = {"decision": "approve"}
        await supervisor.post(f"/approvals/{asked[0]['approval']}", body, key=agreed)
    assert await balance(house, "tickets") == 0
    assert (await cashier.get("/drawers"))[0]["expected"] == 10_000


async def test_a_refusal_under_a_key_stays_a_refusal(house: Serving) -> None:
    """What was refused once is not done later because the moment is better."""
    dealer = await house.person("dealer")
    key = fresh_id()
    body: dict[str, Any] = {"act": "CloseBetting", "fields": {}}
    for _ in range(2):
        with pytest.raises(Refused):
            await dealer.post("/tables/T1/acts", body, key=key)
        if house.parts.house.table("T1").state.number == 0:
            await dealer.act("T1", "StartRound")
    assert house.parts.house.table("T1").state.current.phase == "betting"


async def test_who_asked_may_take_it_back_and_nobody_else(house: Serving) -> None:
    """Then there is nothing left to agree to."""
    console, supervisor = await house.console("T1"), await house.person("supervisor")
    await console.act("StartRound")
    await dealt(console, [1, 2, 3])
    dealer = await house.person("dealer")
    asked = await dealer.act("T1", "CorrectResult", roll=[6, 6, 5], reason="misread")
    where, body = f"/approvals/{asked['approval']}", {"decision": "withdraw"}
    with pytest.raises(Refused) as refused:
        await supervisor.post(where, body, key=fresh_id())
    assert refused.value.code == "role_not_allowed"
    assert (await dealer.post(where, body, key=fresh_id()))["happened"] == ["RequestWithdrawn"]
    assert await supervisor.get("/approvals") == []
    with pytest.raises(Refused) as over:
        await supervisor.approve(asked["approval"])
    assert over.value.code == "approval_closed"
