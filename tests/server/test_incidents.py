"""A bug of ours as its users meet it: told as ours, with a number, while the house goes on."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from taisai.checkup.house import look_at_house
from taisai.cli.output import Exit
from taisai.client import Refused
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.record.journal import Batch, Committed, Event
from taisai.record.ports import FateUnknown
from tests.server.houses import CLUSTER, Serving, serving, settings
from tests.unit.command import run

OURS = {"en": "a fault of ours", "zh-Hant": "本系統的錯誤", "zh-Hans": "本系统的错误"}


def break_once(house: Serving, desk: Any) -> None:
    """The next act at a desk meets a bug; the state that is made afterwards has none."""

    def act(command: Any, act_id: str) -> Any:
        raise InvariantBroken("one cent too many")

    desk.state.act = act


async def test_a_terminal_is_told_that_the_fault_is_ours_and_plays_on(house: Serving) -> None:
    """The number in the answer is the one in the pit; the next slip is registered."""
    console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    break_once(house, house.parts.house.table("C1"))
    with pytest.raises(Refused) as failed:
        await terminal.place(number, {"big": 100}, version=1)
    assert failed.value.code == "our_fault"
    assert (await terminal.place(number, {"big": 200}, version=1)).slip == {"big": 200}
    pit = await house.person("supervisor")
    [incident] = await pit.get("/incidents")
    assert incident["number"] == failed.value.facts["incident"]
    assert (incident["desk"], incident["act"]) == ("C1", "InRound/PlaceBets")
    text = (await pit.http.get("/metrics")).text
    assert 'taisai_incidents_total{act="InRound/PlaceBets",desk="C1"}' in text


async def test_a_request_is_answered_500_with_the_incident(house: Serving) -> None:
    """A problem like any other, and never an advice to try again."""
    cashier = await house.person("cashier")
    break_once(house, house.parts.house.cage)
    with pytest.raises(Refused) as failed:
        await cashier.post("/drawers", {"float": 1_000}, key="k1")
    assert failed.value.code == "our_fault"
    assert failed.value.facts["incident"] in str(failed.value)
    said = {language: "".join(words) for language, words in failed.value.sentences.items()}
    assert all(word in said[language] for language, word in OURS.items())
    assert (await cashier.post("/drawers", {"float": 1_000}, key="k2"))["expected"] == 1_000


async def test_a_desk_that_needs_a_person_does_not_say_try_again(house: Serving) -> None:
    """Neither in words nor by a header, and those who watch over the house are told."""
    cashier, cage = await house.person("cashier"), house.parts.house.cage
    reading = house.parts.house.store.events

    async def unreadable(stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        async for event in reading(stream, after=after):
            yield Event(event.stream, event.version, event.at, event.type, b"{}", event.digest)

    house.parts.house.store.events = unreadable
    break_once(house, cage)
    with pytest.raises(Refused):
        await cashier.post("/drawers", {"float": 1_000}, key="k1")
    with pytest.raises(Refused) as failed:
        await cashier.post("/drawers", {"float": 1_000}, key="k2")
    assert failed.value.code == "operator_needed"
    assert "try again" not in str(failed.value)
    ready = await (await house.visitor()).http.get("/readyz")
    assert ready.json()["faults"] == ["the desk of cage has stopped: an operator is needed"]


async def test_a_feed_that_breaks_begins_anew_and_nobody_is_kept_from_betting(house: Serving) -> None:
    """A reader's fault never reaches the writer, and what terminals see is the record's again."""
    console, terminal = await house.console("C1"), await house.terminal(credit=1_000)
    feed = house.hub.feeds["C1"]
    await console.act("StartRound")
    number = (await terminal.betting()).number
    feed.seats.bet = None
    assert (await terminal.place(number, {"big": 100}, version=1)).slip == {"big": 100}
    async with asyncio.timeout(20):
        while feed.starting_over:
            await asyncio.sleep(0.01)
    [board] = feed.seats.boards.values()
    assert (board.slip, board.credit) == ({"big": 100}, 900)
    assert (await terminal.place(number, {"big": 300}, version=2)).slip == {"big": 300}
    assert board.credit == 700


async def test_a_cash_out_whose_commit_was_not_seen_leaves_a_cluster_that_plays_on(house: Serving) -> None:
    """Its events reach the feed all the same, so that the next credits are nothing that it does not know."""
    terminal = await house.terminal()
    store = house.parts.house.store
    appending, lost = store.append, ["once"]

    async def append(batch: Batch) -> Committed:
        committed = await appending(batch)
        if lost and batch.transfers:
            lost.clear()
            raise FateUnknown("the line went dead")
        return committed

    store.append = append
    await terminal.cash_in(1_000)
    assert not lost
    assert [board.credit for board in house.hub.feeds["C1"].seats.boards.values()] == [1_000]
    await terminal.cash_in(500)
    assert [board.credit for board in house.hub.feeds["C1"].seats.boards.values()] == [1_500]
    assert not house.parts.house.table("C1").stopped


async def test_staff_log_in_after_an_outage_though_nobody_asked_whether_the_house_is_ready(
    house: Serving,
) -> None:
    """Every desk that lost its state has it again by itself, and whoever comes meanwhile waits for it."""
    store = house.parts.house.store
    appending, away = store.append, [True]

    async def append(batch: Batch) -> Committed:
        if away:
            raise StoreUnavailable("the server is gone")
        return await appending(batch)

    store.append = append
    visitor = await house.visitor()
    login = {"name": "dealer", "password": house.logins["dealer"]}
    assert (await visitor.http.post("/api/v1/login", json=login)).status_code == 503
    away.clear()
    assert (await visitor.http.post("/api/v1/login", json=login)).status_code < 300


async def test_who_has_the_keys_reads_the_evidence_and_who_has_not_does_not(tmp_path: Path) -> None:
    """`taisai audit incident`: the command and the error, nobody's name; and the doctor names the number."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config) as house:
        cashier = await house.person("cashier")
        break_once(house, house.parts.house.cage)
        with pytest.raises(Refused) as failed:
            await cashier.post("/drawers", {"float": 1_000}, key="k1")
    number, database = failed.value.facts["incident"], config.server.database
    told = await asyncio.to_thread(run, "audit", "incident", database, number, "--keys", config.server.keys)
    evidence = json.loads(told.stdout)
    assert evidence["command"]["float_minor"] == 1_000
    assert "one cent too many" in evidence["error"]
    assert "cashier" not in json.dumps(evidence["command"]["by"]["name"])
    unknown = await asyncio.to_thread(run, "audit", "incident", database, "0", "--keys", config.server.keys)
    assert unknown.exit_code == Exit.BAD_INPUT
    findings = await asyncio.to_thread(look_at_house, config, thorough=False)
    assert any(number in finding.found for finding in findings if finding.check == "incidents")
