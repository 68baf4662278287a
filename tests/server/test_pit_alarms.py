"""Alarms of the pit: each stands until it is over, and who has seen it is on the record for all to see."""

from pathlib import Path
from typing import Any

import pytest

from taisai.client import Refused, Staff, fresh_id
from tests.server.houses import LIVE, Serving, serving, settings


async def alarms(who: Staff, table: str = "T1") -> list[dict[str, Any]]:
    tables = await who.get("/pit")
    found: list[dict[str, Any]] = next(one for one in tables if one["table"]["name"] == table)["alarms"]
    return found


async def acknowledge(
    who: Staff, alarm: dict[str, Any], other: dict[str, str] | None = None
) -> dict[str, Any]:
    fields = {
        "table": "T1",
        "alarm": alarm["kind"],
        "about": alarm["about"],
        "mark": alarm["mark"],
        **(other or {}),
    }
    asked = {"act": "AcknowledgeAlarm", "fields": fields}
    done: dict[str, Any] = await who.post("/pit/acts", asked, key=fresh_id())
    return done


async def test_an_alarm_is_acknowledged_by_one_and_seen_by_all(house: Serving) -> None:
    """Play is held; one supervisor has seen it, the other's page says so; once more changes nothing."""
    supervisor, boss = await house.person("supervisor"), await house.person("shift-manager")
    console = await house.console("T1")
    assert await alarms(supervisor) == []
    await console.act("StartRound")
    await console.act("SuspendRound")
    (alarm,) = await alarms(supervisor)
    assert (alarm["kind"], alarm["acknowledged_by"], alarm["acknowledged_at"]) == ("held", None, None)
    assert (await acknowledge(supervisor, alarm))["happened"] == ["AlarmAcknowledged"]
    (seen,) = await alarms(boss)
    assert seen["acknowledged_by"] == "supervisor"
    assert seen["acknowledged_at"] <= 1000 * house.parts.house.now().timestamp()
    with pytest.raises(Refused) as again:
        await acknowledge(boss, alarm)
    assert again.value.code == "nothing_changes"


async def test_play_that_is_held_again_is_an_alarm_again(house: Serving) -> None:
    """What was seen before was another alarm."""
    supervisor, console = await house.person("supervisor"), await house.console("T1")
    await console.act("StartRound")
    await console.act("SuspendRound")
    (first,) = await alarms(supervisor)
    await acknowledge(supervisor, first)
    await console.act("ResumeRound")
    assert await alarms(supervisor) == []
    await console.act("SuspendRound")
    (second,) = await alarms(supervisor)
    assert (second["kind"], second["acknowledged_by"]) == ("held", None)


async def test_an_alarm_that_was_seen_is_quiet_after_a_restart(tmp_path: Path) -> None:
    """The same hold is the same alarm; a round that a start holds is a new one."""
    config = settings(tmp_path, LIVE)
    async with serving(config) as house:
        logins = house.logins
        supervisor, console = await house.person("supervisor"), await house.console("T1")
        await console.act("StartRound")
        await console.act("SuspendRound")
        (alarm,) = await alarms(supervisor)
        await acknowledge(supervisor, alarm)
    async with serving(config) as house:
        house.logins.update(logins)
        (same,) = await alarms(await house.person("supervisor"))
        assert (same["mark"], same["acknowledged_by"]) == (alarm["mark"], "supervisor")
        await (await house.console("T1")).act("ResumeRound")
    async with serving(config) as house:
        house.logins.update(logins)
        (other,) = await alarms(await house.person("supervisor"))
        assert (other["kind"], other["acknowledged_by"]) == ("held", None)


@pytest.mark.parametrize("other", [{"mark": "99/1"}, {"alarm": "dice"}, {"about": "somebody"}])
async def test_nobody_silences_an_alarm_before_there_is_one(house: Serving, other: dict[str, str]) -> None:
    """Who could would have it quiet when it comes."""
    supervisor, console = await house.person("supervisor"), await house.console("T1")
    await console.act("StartRound")
    await console.act("SuspendRound")
    (alarm,) = await alarms(supervisor)
    with pytest.raises(Refused) as early:
        await acknowledge(supervisor, alarm, other)
    assert early.value.code == "nothing_changes"
    assert house.parts.house.pit.state.acknowledged == {}
