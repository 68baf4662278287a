"""Erasure erases: a name typed at a live table is in the store of names alone, under a key of its own."""

from io import StringIO
from logging import Formatter, StreamHandler, getLogger
from pathlib import Path

import pytest

from taisai.client import Refused, fresh_id
from taisai.floor.approvals.asked import TableAct
from taisai.floor.desks.requests import request_digest
from taisai.floor.table.messages import BuyIn
from taisai.game.people import Actor, Role
from taisai.record.order import in_order
from tests.server.houses import LIVE, Serving, dealt, serving, settings

NAME = "Zebedee Quillfeather"


async def evening(house: Serving) -> None:
    """A whole round with whatever names a player: a seat, a refusal, a second person, a correction."""
    console, supervisor = await house.console("T1"), await house.person("supervisor")
    await console.act("TakeSeat", player=NAME, seat=2)
    await console.act("BuyIn", player=NAME, amount=50_000)
    await console.act("StartRound")
    with pytest.raises(Refused):
        await console.act("PlaceBets", player=NAME, slip={"big": 99_999_900}, version=1)
    await console.act("PlaceBets", player=NAME, slip={"big": 5_000}, version=1)
    await dealt(console, [1, 2, 3])
    dealer = await house.person("dealer")
    asked = await dealer.act(
        "T1", "CorrectBets", round_=1, player=NAME, slip={"small": 5_000}, reason="misread"
    )
    shown = await supervisor.get(f"/approvals/{asked['approval']}")
    assert shown["fields"]["player"] == NAME
    await supervisor.approve(asked["approval"])
    await dealer.act("T1", "CashOut", player=NAME)


async def test_a_name_typed_at_a_table_is_nowhere_but_in_the_store_of_names(tmp_path: Path) -> None:
    """Not in any event or answer, nor in the export, the log or any file of the house."""
    log = StringIO()
    handler = StreamHandler(log)
    handler.setFormatter(Formatter("%(message)s %(exc_info)s"))
    getLogger().addHandler(handler)
    try:
        async with serving(settings(tmp_path, LIVE)) as house:
            await evening(house)
            auditor = await house.person("auditor")
            export = (await auditor.http.get("/api/v1/audit/export")).text
            significant = (await auditor.http.get("/api/v1/audit/significant")).text
            timeline = await auditor.get("/tables/T1/rounds/1")
            assert NAME in str(timeline)  # whoever deals with them reads the name
    finally:
        getLogger().removeHandler(handler)
    for text in (export, significant, log.getvalue()):
        assert NAME not in text
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert NAME.encode() not in kept
    assert b"n-" in kept


async def test_the_same_person_is_the_same_pseudonym_after_a_restart(tmp_path: Path) -> None:
    """Their credit is theirs, and the console calls them by their name."""
    config = settings(tmp_path, LIVE)
    async with serving(config) as house:
        await (await house.console("T1")).act("BuyIn", player=NAME, amount=50_000)
        first, logins = await house.on_record(NAME), house.logins
    async with serving(config) as house:
        house.logins.update(logins)
        assert await house.on_record(NAME) == first
        dealer = await house.person("dealer")
        paid = await dealer.act("T1", "CashOut", player=NAME)
        assert paid["amount"] == 50_000


async def test_an_erased_name_is_gone_from_pages_and_from_old_copies(tmp_path: Path) -> None:
    """The key is destroyed: yesterday's copy of the names holds nothing; the money's history stays whole."""
    config = settings(tmp_path, LIVE)
    async with serving(config) as house:
        await evening(house)
        copy = (tmp_path / "keys" / "names.db").read_bytes()
        manager, auditor = await house.person("shift-manager"), await house.person("auditor")
        (found,) = await manager.get("/players", name="quillf", live=True)
        assert await manager.get("/players", name="quillf") == []
        erased = await manager.http.delete(f"/api/v1/players/{found['player']}/name")
        assert erased.status_code == 200
        assert NAME not in str(await auditor.get("/tables/T1/rounds/1"))
        assert (await auditor.post("/audit/verify"))["sound"]
        logins = house.logins
    (tmp_path / "keys" / "names.db").write_bytes(copy)
    async with serving(config) as house:
        house.logins.update(logins)
        manager = await house.person("shift-manager")
        assert await manager.get("/players", name="quillf", live=True) == []
        assert NAME not in str(await (await house.person("auditor")).get("/tables/T1/rounds/1"))
        assert await house.on_record(NAME) != f"{found['player']}@T1"


async def test_whom_an_older_record_has_by_name_keeps_it(tmp_path: Path) -> None:
    """Credit that is on the record under a name is found under it."""
    async with serving(settings(tmp_path, LIVE)) as house:
        inside = house.parts.house
        dealer = Actor("dealer", Role.DEALER)
        old = BuyIn(by=dealer, at=inside.now(), player="ann@T1", amount=7_000)
        await inside.do(TableAct("T1", old), dealer, fresh_id())
        assert await house.on_record("ann") == "ann@T1"
        paid = await (await house.person("dealer")).act("T1", "CashOut", player="ann")
        assert paid["amount"] == 7_000


async def test_what_was_asked_cannot_be_tried_out_from_the_record(tmp_path: Path) -> None:
    """The digest of a command is made with a key of the house: a guess without it finds nothing."""
    async with serving(settings(tmp_path, LIVE)) as house:
        dealer, floor = Actor("dealer", Role.DEALER), house.parts.house
        command = BuyIn(by=dealer, at=floor.now(), player="guest-1@T1", amount=5_000)
        await floor.do(TableAct("T1", command), dealer, "one")
        async with floor.store.snapshot() as snapshot:
            (found,) = [
                answer
                async for commit in in_order(snapshot)
                for answer in commit.answers
                if answer.id.endswith("one") and commit.transfers
            ]
    assert found.request != request_digest(command)
    assert found.request == request_digest(command, floor.request_key)
    assert len(floor.request_key) == 32
