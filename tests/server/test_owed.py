"""Debts and unclaimed money over the server: the register, the decisions, the terminal that owes."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.client import Refused, Terminal
from taisai.client.links import fresh_id
from taisai.server import wire
from tests.server.houses import CLUSTER, LIVE, Serving, dealt, serving, settings

BIG, SMALL = [6, 5, 4], [1, 2, 3]


async def corrected(house: Serving, table: str, number: int, roll: list[int]) -> None:
    """Two people correct a result."""
    dealer = await house.person("dealer")
    asked = await dealer.act(table, "CorrectResult", round_=number, roll=roll, reason="misread")
    await (await house.person("supervisor")).approve(asked["approval"])


async def round_of(house: Serving, terminal: Terminal, slip: dict[str, int], roll: list[int]) -> int:
    """A whole round with one slip; its number."""
    console = await house.console("C1")
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, slip)
    await dealt(console, roll)
    await terminal.result(number)
    return number


def session_of(house: Serving, terminal: Terminal) -> wire.SessionView:
    """What the terminal would be told of its session now."""
    view = house.hub.feed("C1").session_view(terminal.key.terminal)
    assert view is not None
    # When a round was settled is told to the millisecond, and a restart reads it from the transfers.
    recall = [msgspec.structs.replace(played, at=0) for played in view.recall]
    return msgspec.structs.replace(view, recall=recall)


async def owing(house: Serving) -> Terminal:
    """A terminal that bought 1,000, won 1,000 by a misread roll, lost all but 200 of it and owes 1,800."""
    terminal = await house.terminal(credit=1_000)
    number = await round_of(house, terminal, {"big": 1_000}, BIG)
    await round_of(house, terminal, {"small": 1_800}, BIG)
    await corrected(house, "C1", number, SMALL)
    await terminal.wait_until(lambda: terminal.owed == 1_800)
    return terminal


@pytest.mark.clause("sic-bo-etg-v8", "5.5")
async def test_a_terminal_that_owes_says_so_and_is_not_paid_out(house: Serving) -> None:
    """Its free credit went first; net counts the debt; cash-out and hand-pay are refused with the amount."""
    terminal = await owing(house)
    view = session_of(house, terminal)
    assert (view.credit, view.owed, view.net) == (0, 1_800, -2_800)
    assert [(played.round, played.dice) for played in view.recall] == [(1, SMALL), (2, BIG)]
    assert await terminal.cash_in(500) == 0
    assert terminal.owed == 1_300
    with pytest.raises(Refused) as refused:
        await terminal.cash_out()
    assert (refused.value.code, refused.value.facts) == ("owed_first", {"amount": 1_300})
    assert "$13 " in refused.value.sentences["en"][0]


@pytest.mark.clause("sic-bo-etg-v8", "5.5")
async def test_what_a_terminal_shows_of_its_debt_is_the_same_after_a_restart(tmp_path: Path) -> None:
    """Credit, debt, net and recall come from the record: a note and a win that paid the debt are in them."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config) as house:
        terminal = await owing(house)
        await terminal.cash_in(2_000)
        number = await round_of(house, terminal, {"big": 200}, BIG)
        console = await house.console("C1")
        await console.act("StartRound")
        await terminal.place((await terminal.betting(after=number)).number, {"small": 400})
        await corrected(house, "C1", number, SMALL)  # with all of it on the felt: 400 is owed
        await dealt(console, SMALL)
        await terminal.result(number + 1)
        before = session_of(house, terminal)
        assert (before.credit, before.owed, before.net) == (400, 0, -2_600)
        last = before.recall[-1]
        assert (last.credit_before, last.returned, last.repaid, last.credit_after) == (400, 800, 400, 400)
    async with serving(config) as house:
        assert session_of(house, terminal) == before


async def test_one_register_for_tables_and_clusters_with_round_clause_and_age(tmp_path: Path) -> None:
    """Who, how much, from which round and clause, since when; the day's report has each step."""
    async with serving(settings(tmp_path, CLUSTER, LIVE)) as house:
        await owing(house)
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=2_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 2_000}, version=1)
        await dealt(console, SMALL)
        await console.act("LeaveTable", player="ann")
        await corrected(house, "T1", 1, BIG)
        supervisor = await house.person("supervisor")
        rows: list[dict[str, Any]] = await supervisor.get("/owed")
        debt, waits = rows
        assert (debt["kind"], debt["table"], debt["total"], debt["days"]) == ("receivable", "C1", 1_800, 0)
        assert (waits["kind"], waits["table"], waits["player"]) == ("unclaimed", "T1", "ann")
        causes = [(row["entries"][0]["round"], row["entries"][0]["cause"]) for row in rows]
        assert causes == [(1, "ResultCorrected"), (1, "ResultCorrected")]
        assert [row["entries"][0]["clause"] for row in rows] == ["5.5", "3.8"]
        shift = await house.person("shift-manager")
        for decision, row, amount in (
            ("collect", debt, 800),
            ("waive", debt, 1_000),
            ("pay-out", waits, 4_000),
        ):
            asked = await shift.post(
                "/owed/decisions",
                {
                    "decision": decision,
                    "table": row["table"],
                    "player": row["player"],
                    "amount": amount,
                    "reason": "decided",
                },
                key=fresh_id(),
            )
            await (await house.person("dealer")).approve(asked["approval"])
        assert await supervisor.get("/owed") == []
        report = await supervisor.get("/owed/day")
        assert report["sums"] == [
            {"table": "C1", "kind": "receivable", "arose": 1_800, "paid": 800, "waived": 1_000, "open": 0},
            {"table": "T1", "kind": "unclaimed", "arose": 4_000, "paid": 4_000, "waived": 0, "open": 0},
        ]
        last = report["movements"][-1]
        assert (last["by"], last["second"], last["reason"]) == ("shift-manager", "dealer", "decided")
        assert (await (await house.person("auditor")).post("/audit/verify"))["sound"]


async def test_a_cashiers_drawer_takes_and_pays_what_is_decided(tmp_path: Path) -> None:
    """Without an open drawer a cashier decides nothing in cash; above the house's amount somebody is seen."""
    config = settings(tmp_path, CLUSTER, tickets={"identify_from_minor": 2_000})
    async with serving(config) as house:
        terminal = await owing(house)
        cashier, session = await house.person("cashier"), session_of(house, terminal)
        body = {
            "decision": "collect",
            "table": "C1",
            "player": session.session,
            "amount": 1_800,
            "reason": "paid",
        }
        with pytest.raises(Refused) as refused:
            await cashier.post("/owed/decisions", body, key=fresh_id())
        assert refused.value.code == "drawer_not_open"
        await cashier.post("/drawers", {"float": 10_000}, key=fresh_id())
        asked = await cashier.post("/owed/decisions", body, key=fresh_id())
        await (await house.person("shift-manager")).approve(asked["approval"])
        (drawer,) = await cashier.get("/drawers")
        assert drawer["expected"] == 11_800
        await terminal.wait_until(lambda: terminal.owed == 0)
        assert session_of(house, terminal).net == -2_800

        await terminal.cash_in(3_000)
        number = await round_of(house, terminal, {"big": 1_500}, SMALL)
        await terminal.cash_out()
        await corrected(house, "C1", number, BIG)
        pay = {**body, "decision": "pay-out", "amount": 3_000}
        with pytest.raises(Refused) as refused:
            await cashier.post("/owed/decisions", pay, key=fresh_id())
        assert refused.value.code == "identity_missing"
        asked = await cashier.post(
            "/owed/decisions",
            {**pay, "identity": {"document": "passport", "last": "12A"}},
            key=fresh_id(),
        )
        await (await house.person("supervisor")).approve(asked["approval"])
        (drawer,) = await cashier.get("/drawers")
        assert drawer["expected"] == 8_800
