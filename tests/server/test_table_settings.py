"""Rulebooks and pay tables of tables over HTTP: what is in force, what is planned, what the settings name."""

from pathlib import Path

import pytest

from taisai.client import fresh_id
from taisai.client.refusing import Refused
from taisai.server import wire
from tests.server.houses import LIVE, dealt, serving, settings

ENDS = "2099-01-01T08:00:00"
ENDS_MS = 4_070_908_800_000


async def test_a_change_at_a_set_time_is_planned_shown_and_carried_out(tmp_path: Path) -> None:
    """Everyone at the table hears of it at once, and the next round has the other felt."""
    config = settings(tmp_path, LIVE, rulebook={"tai-sai-v4": {"until": ENDS}})
    async with serving(config) as house:
        supervisor, manager = await house.person("supervisor"), await house.person("pit-manager")
        console = await house.console("T1")
        rules = await supervisor.get("/tables/T1/rules")
        offered = {book["rulebook"]: book for book in rules["offered"]}
        assert "sic-bo-etg-v8" not in offered  # a live table
        assert offered["tai-sai-v4"]["front_page"]["until"] == ENDS_MS
        assert offered["tai-sai-v6"]["front_page"]["authority"].startswith("Gambling Regulatory Authority")
        assert offered["macau"]["front_page"]["in_force"] == "not-approved"
        assert [table["pairs"] for table in offered["tai-sai-v6"]["pay_tables"]] == [
            ["big-small"],
            ["big-small", "odd-even"],
            ["big-small"],
        ]
        await console.act("StartRound")
        asked = await supervisor.post(
            "/tables/T1/settings",
            {
                "settings": {**rules["settings"], "pay_table": "tai-sai-v6/3"},
                "reason": "the new felt",
                "effective": house.hub.now() + 1,
            },
            key=fresh_id(),
        )
        await manager.approve(asked["approval"])
        planned = await console.receive(wire.TableChanged)
        assert planned.table.pay_table == "tai-sai-v6/2"
        assert planned.table.next_rules is not None
        assert planned.table.next_rules.pay_table == "tai-sai-v6/3"
        told = (await supervisor.get("/tables/T1/rules"))["planned"]
        assert (told["by"], told["second"], told["reason"]) == ("supervisor", "pit-manager", "the new felt")
        await dealt(console, [1, 2, 3])
        changed = await console.receive(wire.TableChanged)
        while changed.table.pay_table != "tai-sai-v6/3" or changed.table.next_rules:
            changed = await console.receive(wire.TableChanged)
        assert len(changed.felt.boxes) == 107
        assert (await supervisor.get("/tables/T1/rounds"))["items"][0]["pay_table"] == "tai-sai-v6/2"


async def test_a_start_with_another_pay_table_is_told_in_the_pit(tmp_path: Path) -> None:
    """The table plays on by its record's last."""
    async with serving(settings(tmp_path, LIVE)) as house:
        (row,) = await (await house.person("supervisor")).get("/pit")
        assert row["named_rules"] is None
    async with serving(settings(tmp_path, {**LIVE, "pay_table": "macau/1"})) as house:
        assert house.hub.house.read.named_otherwise("T1") is not None
        view = await (await house.visitor()).get("/tables/T1")
        assert view["table"]["pay_table"] == "tai-sai-v6/2"


@pytest.mark.parametrize("effective", [-1, 10**18, "soon"])
async def test_a_time_that_is_none_is_bad_input(tmp_path: Path, effective: object) -> None:
    """One clear line, and nothing on the record."""
    async with serving(settings(tmp_path, LIVE)) as house:
        supervisor = await house.person("supervisor")
        body = {
            "settings": await supervisor.get("/tables/T1/settings"),
            "reason": "x",
            "effective": effective,
        }
        with pytest.raises(Refused) as refused:
            await supervisor.post("/tables/T1/settings", body, key=fresh_id())
        assert refused.value.code == "input_invalid"
