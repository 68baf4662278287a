"""What tickets take at the cashier beyond themselves: copies by two people, voids that wait, identities."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from taisai.client import Refused, Staff, fresh_id
from tests.server.houses import CLUSTER, LIVE, Serving, serving, settings
from tests.server.test_cage import liability, open_cage, sold

PASSPORT = {"document": "passport", "last": "41K"}


@pytest_asyncio.fixture
async def strict(tmp_path: Path) -> AsyncIterator[Serving]:
    """A house that wants to know who is paid 1,000 and more, and has two people pay 5,000 and more."""
    tickets = {"identify_from_minor": 1_000_00, "second_from_minor": 5_000_00}
    async with serving(settings(tmp_path, CLUSTER, LIVE, tickets=tickets)) as running:
        yield running


async def refused(asked: Any) -> str:
    with pytest.raises(Refused) as turned:
        await asked
    return turned.value.code


async def pay(cashier: Staff, number: str, identity: dict[str, str] | None = None) -> Any:
    return await cashier.post("/tickets/redeem", {"number": number, "identity": identity}, key=fresh_id())


async def test_the_first_copy_is_clean_and_is_printed_once(house: Serving) -> None:
    """The same request again gets the same clean paper; another one is refused: it takes two people."""
    cashier = await open_cage(house)
    key, printing = fresh_id(), fresh_id()
    ticket = await cashier.post("/tickets", {"amount": 900}, key=key)
    first = await cashier.post(f"/tickets/issued/{key}/print", key=printing)
    again = await cashier.post(f"/tickets/issued/{key}/print", key=printing)
    assert first == again == ticket
    assert (await cashier.get(f"/tickets/issued/{key}"))["duplicate"] is True
    more = cashier.post(f"/tickets/issued/{key}/print", key=fresh_id())
    assert await refused(more) == "second_person_missing"
    assert (await cashier.post("/tickets/look-up", {"number": ticket["number"]}))["copies"] == 1


async def test_a_duplicate_takes_two_people_and_is_a_significant_event(house: Serving) -> None:
    """Asked for by who sold it, agreed to by a supervisor; marked, listed, and worth nothing more."""
    cashier, supervisor = await open_cage(house), await house.person("supervisor")
    key = fresh_id()
    number = (await cashier.post("/tickets", {"amount": 900}, key=key))["number"]
    await cashier.post(f"/tickets/issued/{key}/print", key=fresh_id())
    asked = await cashier.post(f"/tickets/issued/{key}/reprint", {"reason": "paper jam"}, key=fresh_id())
    assert await refused(cashier.approve(asked["approval"])) == "second_person_is_first"
    assert (await cashier.get(f"/approvals/{asked['approval']}"))["status"] == "waiting"
    await supervisor.approve(asked["approval"])
    assert (await cashier.get(f"/approvals/{asked['approval']}"))["status"] == "done"
    copy = await cashier.get(f"/tickets/issued/{key}")
    assert (copy["number"], copy["duplicate"]) == (number, True)
    assert (await cashier.post("/tickets/look-up", {"number": number}))["copies"] == 2
    found = (await supervisor.get("/audit/significant"))["items"]
    assert [each["what"] for each in found if each["name"] == "ticket_reprinted"] == ["paper jam"]
    await pay(cashier, number)
    assert await liability(house) == 0
    late = cashier.post(f"/tickets/issued/{key}/reprint", {"reason": "again"}, key=fresh_id())
    assert await refused(late) == "ticket_redeemed"


async def test_nobody_prints_what_another_sold(house: Serving) -> None:
    """A key leads to a ticket only for the person whose request it was."""
    cashier, supervisor = await open_cage(house), await house.person("supervisor")
    key = fresh_id()
    await cashier.post("/tickets", {"amount": 900}, key=key)
    assert await refused(supervisor.post(f"/tickets/issued/{key}/print", key=fresh_id())) == "ticket_unknown"
    again = supervisor.post(f"/tickets/issued/{key}/reprint", {"reason": "mine"}, key=fresh_id())
    assert await refused(again) == "ticket_unknown"


async def test_a_request_that_nobody_made_is_unknown(house: Serving) -> None:
    """Asking what became of it is refused by name."""
    assert await refused((await house.person("cashier")).get("/approvals/nobody")) == "approval_unknown"


async def test_the_record_with_copies_is_sound(house: Serving) -> None:
    """The verifier follows tickets that were printed, and the liability is what the ledger says."""
    cashier = await open_cage(house)
    for amount in (700, 300):
        key = fresh_id()
        await cashier.post("/tickets", {"amount": amount}, key=key)
        await cashier.post(f"/tickets/issued/{key}/print", key=fresh_id())
    found = await cashier.get("/tickets/liability")
    assert (found["tickets"], found["outstanding"], found["ledger"]) == (2, 1_000, 1_000)
    told = await (await house.person("auditor")).post("/audit/verify")
    assert told["sound"] is True, told


@pytest.mark.parametrize("decision", ["deny", "withdraw", "approve"])
async def test_a_ticket_that_waits_for_its_void_is_paid_nowhere(house: Serving, decision: str) -> None:
    """Not at the cashier, not at a terminal; when it is denied or withdrawn it is good again."""
    cashier, supervisor = await open_cage(house), await house.person("supervisor")
    number = (await sold(cashier))["number"]
    asked = await cashier.post("/tickets/void", {"number": number, "reason": "torn"}, key=fresh_id())
    assert (await cashier.post("/tickets/look-up", {"number": number}))["status"] == "pending"
    assert await refused(pay(cashier, number)) == "ticket_pending"
    terminal = await house.terminal()
    assert await refused(terminal.ticket_in(number)) == "ticket_pending"
    decides = cashier if decision == "withdraw" else supervisor
    body = {"decision": decision, "reason": "it is whole"}
    await decides.post(f"/approvals/{asked['approval']}", body, key=fresh_id())
    if decision == "approve":
        assert await refused(pay(cashier, number)) == "ticket_void"
    else:
        assert (await cashier.post("/tickets/look-up", {"number": number}))["status"] == "valid"
        assert (await pay(cashier, number))["amount"] == 5_000


async def test_what_has_ended_is_not_asked_to_be_void(house: Serving) -> None:
    """A paid ticket is refused at once, and not only after a second person has looked at it."""
    cashier = await open_cage(house)
    number = (await sold(cashier))["number"]
    await pay(cashier, number)
    asked = cashier.post("/tickets/void", {"number": number, "reason": "torn"}, key=fresh_id())
    assert await refused(asked) == "ticket_redeemed"


async def test_from_an_amount_on_the_cashier_says_whom_they_paid(strict: Serving) -> None:
    """Below it nobody asks; from it on the payment is refused until a document was looked at."""
    cashier = await open_cage(strict)
    small, large = (await sold(cashier, 999_99))["number"], (await sold(cashier, 1_000_00))["number"]
    shown = await cashier.post("/tickets/look-up", {"number": large})
    assert (shown["needs_identity"], shown["needs_second"]) == (True, False)
    assert (await pay(cashier, small))["amount"] == 999_99
    assert await refused(pay(cashier, large)) == "identity_missing"
    assert (await pay(cashier, large, PASSPORT))["amount"] == 1_000_00
    bodies = [event.body async for event in strict.parts.house.store.events("cage")]
    assert sum(b'"document":"passport"' in body and b'"last":"41K"' in body for body in bodies) == 1


@pytest.mark.parametrize("last", ["", "4", "E12345678", "4-1"])
async def test_an_identity_is_a_few_characters(strict: Serving, last: str) -> None:
    """Never none, never the whole number of a document."""
    cashier = await open_cage(strict)
    number = (await sold(cashier, 1_000_00))["number"]
    assert await refused(pay(cashier, number, {"document": "passport", "last": last})) == "input_invalid"


async def test_from_a_higher_amount_on_two_people_pay(strict: Serving) -> None:
    """One person alone is refused; asked for with an identity and agreed to, it is paid from their drawer."""
    cashier, supervisor = await open_cage(strict), await strict.person("supervisor")
    number = (await sold(cashier, 5_000_00))["number"]
    assert await refused(pay(cashier, number, PASSPORT)) == "second_person_missing"

    def ask(**body: Any) -> Any:
        return cashier.post("/tickets/payment", {"number": number, **body}, key=fresh_id())

    assert await refused(ask(reason="large")) == "identity_missing"
    assert await refused(ask(identity=PASSPORT)) == "reason_missing"
    asked = await ask(identity=PASSPORT, reason="large")
    assert await refused(cashier.approve(asked["approval"])) == "second_person_is_first"
    await supervisor.approve(asked["approval"])
    assert (await cashier.post("/tickets/look-up", {"number": number}))["status"] == "redeemed"
    assert (await cashier.get("/drawers"))[0]["expected"] == 100_000
    assert await liability(strict) == 0


async def test_a_payment_by_two_people_takes_a_drawer(strict: Serving) -> None:
    """Whoever asks has one open, or is refused before a second person is bothered."""
    cashier, supervisor = await open_cage(strict), await strict.person("supervisor")
    number = (await sold(cashier, 5_000_00))["number"]
    body = {"identity": PASSPORT, "reason": "large"}
    asked = supervisor.post("/tickets/payment", {"number": number, **body}, key=fresh_id())
    assert await refused(asked) == "drawer_not_open"


@pytest.mark.parametrize("reissue", [False, True])
async def test_a_void_asked_for_twice_is_one_request(house: Serving, reissue: bool) -> None:
    """A lost answer is asked for again under its key, some moments later: the same request, still waiting."""
    cashier = await open_cage(house)
    number = (await sold(cashier))["number"]
    key, body = fresh_id(), {"reason": "torn", "reissue": reissue}
    asked = [await cashier.post("/tickets/void", {"number": number, **body}, key=key) for _ in range(2)]
    assert asked[0] == asked[1]
    assert len(await cashier.get("/approvals")) == 1


async def test_a_ticket_is_voided_to_cash_as_it_would_be_paid(strict: Serving) -> None:
    """From an open drawer, with the document that a payment asks for; replaced it takes neither."""
    cashier, supervisor = await open_cage(strict), await strict.person("supervisor")
    number = (await sold(cashier, 1_000_00))["number"]

    def void(person: Staff, **body: Any) -> Any:
        return person.post("/tickets/void", {"number": number, "reason": "torn", **body}, key=fresh_id())

    assert await refused(void(supervisor, identity=PASSPORT)) == "drawer_not_open"
    assert await refused(void(cashier)) == "identity_missing"
    assert await cashier.get("/approvals") == []
    asked = await void(supervisor, reissue=True)
    await supervisor.post(f"/approvals/{asked['approval']}", {"decision": "withdraw"}, key=fresh_id())
    asked = await void(cashier, identity=PASSPORT)
    await supervisor.approve(asked["approval"])
    assert (await cashier.get("/drawers"))[0]["expected"] == 100_000
    bodies = [event.body async for event in strict.parts.house.store.events("cage")]
    assert sum(b'"document":"passport"' in body for body in bodies) == 1
    assert await liability(strict) == 0


async def test_a_drawer_that_was_closed_meanwhile_pays_nothing(strict: Serving) -> None:
    """What was asked for with a drawer open is held against it again when the second person agrees."""
    cashier, supervisor = await open_cage(strict), await strict.person("supervisor")
    number = (await sold(cashier, 1_000_00))["number"]
    body = {"number": number, "reason": "torn", "identity": PASSPORT}
    asked = await cashier.post("/tickets/void", body, key=fresh_id())
    await cashier.post("/drawers/close", {"counted": 200_000}, key=fresh_id())
    assert await refused(supervisor.approve(asked["approval"])) == "drawer_not_open"
    assert await liability(strict) == 1_000_00


async def test_a_session_is_paid_by_hand_as_a_ticket_would_be(strict: Serving) -> None:
    """A cashier pays from the drawer, and whoever gets much shows a document."""
    cashier, supervisor = await strict.person("cashier"), await strict.person("supervisor")
    terminal = await strict.terminal(credit=1_000_00)
    path = f"/tables/C1/terminals/{terminal.key.terminal}/hand-pay"
    body = {"reason": "the printer is broken", "identity": PASSPORT}
    assert await refused(cashier.post(path, body, key=fresh_id())) == "drawer_not_open"
    await open_cage(strict)
    assert await refused(cashier.post(path, {"reason": "x"}, key=fresh_id())) == "identity_missing"
    asked = await cashier.post(path, body, key=fresh_id())
    await supervisor.approve(asked["approval"])
    assert (await cashier.get("/drawers"))[0]["expected"] == 100_000 - 1_000_00


async def test_a_live_player_cashes_out_by_the_same_rules(strict: Serving) -> None:
    """With a document from the house's amount on, with a second person from the higher one on."""
    dealer, supervisor = await strict.person("dealer"), await strict.person("supervisor")
    await dealer.act("T1", "BuyIn", player="ann", amount=1_000_00)
    assert await refused(dealer.act("T1", "CashOut", player="ann")) == "identity_missing"
    await dealer.act("T1", "CashOut", player="ann", identity=PASSPORT)
    await dealer.act("T1", "BuyIn", player="ann", amount=5_000_00)
    asked = await dealer.act("T1", "CashOut", player="ann", identity=PASSPORT)
    assert asked["status"] == "waiting"
    assert (await supervisor.approve(asked["approval"]))["amount"] == 5_000_00
