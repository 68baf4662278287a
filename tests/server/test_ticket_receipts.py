"""The cashier prints the proofs of the bets behind a ticket."""

import time
from urllib.parse import unquote

import httpx
import pytest

from taisai.adapters.signing.keys import verifies_raw
from taisai.client import Console, Refused, Terminal
from taisai.proof.checking import check_receipt
from taisai.proof.notes import read_key
from taisai.rulebooks.catalogue import pay_table_of_digest
from tests.server.houses import Serving, dealt
from tests.server.test_cage import open_cage, sold

TRIES = 2_000


async def played(console: Console, terminal: Terminal, boxes: tuple[str, ...]) -> None:
    for box in boxes:
        await console.act("StartRound")
        round_ = await terminal.betting()
        await terminal.place(round_.number, {box: 500})
        await dealt(console, [1, 2, 4])
        await terminal.result(round_.number)


async def test_the_receipts_of_the_session_behind_a_ticket_and_of_no_other(house: Serving) -> None:
    """Two sessions at one terminal: each ticket leads to its own rounds, and each file proves a bet."""
    terminal, console = await house.terminal(credit=10_000), await house.console("C1")
    await played(console, terminal, ("big", "small"))
    first = await terminal.cash_out()
    await terminal.cash_in(10_000)
    await played(console, terminal, ("big",))
    second = await terminal.cash_out()
    cashier = await open_cage(house)
    found = await cashier.post("/tickets/receipts", {"number": first.number})
    later = await cashier.post("/tickets/receipts", {"number": second.number})
    assert [one["round"] for one in found["receipts"]] == [2, 1]
    assert [one["round"] for one in later["receipts"]] == [3]
    assert (found["session"], later["session"]) == (
        f"{terminal.key.terminal}.1",
        f"{terminal.key.terminal}.2",
    )
    async with httpx.AsyncClient(base_url=house.address) as stranger:
        key = read_key((await stranger.get("/log/key")).text)
        for one in (*found["receipts"], *later["receipts"]):
            answer = await stranger.get(one["address"])
            for _ in range(TRIES):  # the result is signed within a second
                if answer.status_code == 200:
                    break
                answer = await stranger.get(one["address"])
            verdict = check_receipt(
                answer.content, key, verifies_raw, now=int(time.time()), find_pay_table=pay_table_of_digest
            )
            assert verdict.code == 0, verdict.sentences()
            base, _, parts = one["link"].partition("/verify#")
            origin, table, number, place, salt, leaf = map(unquote, parts.split(","))
            assert (base, origin) == (house.address, key.name)
            assert one["address"] == f"/receipts/{table}/{number}/{place}/{salt}"
            assert len(bytes.fromhex(leaf)) == 32
            assert one["qr_svg"].startswith("<svg")


async def test_a_ticket_without_a_session_has_no_receipts_and_a_stranger_learns_nothing(
    house: Serving,
) -> None:
    """One that was sold has no bets behind it; one that does not exist is refused; others may not ask."""
    cashier = await open_cage(house)
    ticket = await sold(cashier)
    found = await cashier.post("/tickets/receipts", {"number": ticket["number"]})
    assert found == {"session": None, "receipts": [], "left_off": 0}
    with pytest.raises(Refused) as refused:
        await cashier.post("/tickets/receipts", {"number": "000000000000000001"})
    assert refused.value.code in ("ticket_unknown", "input_invalid")
    dealer = await house.person("dealer")
    with pytest.raises(Refused) as forbidden:
        await dealer.post("/tickets/receipts", {"number": ticket["number"]})
    assert forbidden.value.code == "role_not_allowed"
